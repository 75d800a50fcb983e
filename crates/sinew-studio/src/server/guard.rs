//! Who may ask.
//!
//! A page from elsewhere can make a browser send requests to this server. Two
//! headers, which no page can forge, tell:
//!
//! - `Host` must be a name of this server. A stranger's name that was made to
//!   point here (DNS rebinding) is refused, on every request.
//! - `Origin` must be this server's own wherever something is changed: on every
//!   POST and on the WebSocket. Browsers always send it there. Without one a
//!   POST is refused; a WebSocket is let in, for programs on this machine, which
//!   could write any header they like.
//!
//! Names that are bare addresses are safe from rebinding, so a server that
//! listens on every address takes any address as its name.

use std::net::IpAddr;

use axum::http::header::{HOST, ORIGIN};
use axum::http::{HeaderMap, Method, Uri};

/// The names that this server goes by.
#[derive(Debug, Clone)]
pub struct Guard {
    port: u16,
    /// Further names, lower case, without port.
    names: Vec<String>,
    /// Whether it listens on every address.
    any_address: bool,
}

impl Guard {
    /// For a server on this address, started for this host if one was given.
    pub fn new(address: std::net::SocketAddr, host: Option<&str>) -> Self {
        let mut names = vec!["localhost".to_string(), "127.0.0.1".into(), "::1".into()];
        names.push(address.ip().to_string());
        names.extend(host.map(|h| h.trim_matches(['[', ']']).to_ascii_lowercase()));
        Self { port: address.port(), names, any_address: address.ip().is_unspecified() }
    }

    /// Refuses in words what should not be answered.
    pub fn check(&self, method: &Method, uri: &Uri, headers: &HeaderMap) -> Result<(), String> {
        let mut hosts = headers.get_all(HOST).iter();
        let host = match (hosts.next(), hosts.next()) {
            (Some(host), None) => host.to_str().unwrap_or_default(),
            _ => return Err("the request does not say which host it is for".into()),
        };
        let other = uri.authority().map(|a| a.as_str()).filter(|a| !self.is_own(a));
        if !self.is_own(host) || other.is_some() {
            return Err(format!(
                "this server is not '{}'; open it by the address that it printed",
                shown(other.unwrap_or(host))
            ));
        }
        let mut origins = headers.get_all(ORIGIN).iter();
        match (origins.next(), origins.next()) {
            (None, _) if method == Method::POST => {
                Err("a POST must say its Origin: this server's own address".into())
            }
            (None, _) => Ok(()),
            (Some(origin), None) => {
                let origin = origin.to_str().unwrap_or_default();
                match origin.strip_prefix("http://") {
                    Some(own) if self.is_own(own) => Ok(()),
                    _ => Err(format!("the page at '{}' may not use this server", shown(origin))),
                }
            }
            _ => Err("the request says more than one Origin".into()),
        }
    }

    /// Whether `host` or `host:port` means this server.
    fn is_own(&self, authority: &str) -> bool {
        let authority = authority.to_ascii_lowercase();
        let (host, port) = match authority.strip_prefix('[').and_then(|rest| rest.split_once(']')) {
            Some((host, port)) => (host.to_string(), port.strip_prefix(':').unwrap_or(port).to_string()),
            None => match authority.split_once(':') {
                Some((host, port)) => (host.to_string(), port.to_string()),
                None => (authority.clone(), String::new()),
            },
        };
        let right_port = if port.is_empty() { self.port == 80 } else { port == self.port.to_string() };
        let right_name = self.names.contains(&host) || (self.any_address && host.parse::<IpAddr>().is_ok());
        right_port && right_name
    }
}

/// A stranger's text, short and on one line.
fn shown(text: &str) -> String {
    text.chars().take(80).flat_map(char::escape_debug).collect()
}

#[cfg(test)]
mod tests {
    use axum::http::HeaderValue;

    use super::*;

    fn asked(guard: &Guard, method: Method, host: &str, origin: Option<&str>) -> bool {
        let mut headers = HeaderMap::new();
        headers.insert(HOST, HeaderValue::from_str(host).unwrap());
        if let Some(origin) = origin {
            headers.insert(ORIGIN, HeaderValue::from_str(origin).unwrap());
        }
        guard.check(&method, &Uri::from_static("/"), &headers).is_ok()
    }

    #[test]
    fn only_own_names_with_the_own_port() {
        let guard = Guard::new("127.0.0.1:7777".parse().unwrap(), None);
        for host in ["127.0.0.1:7777", "localhost:7777", "LOCALHOST:7777", "[::1]:7777"] {
            assert!(asked(&guard, Method::GET, host, None), "{host}");
            assert!(asked(&guard, Method::POST, host, Some(&format!("http://{host}"))), "{host}");
        }
        for host in [
            "evil.example:7777",
            "127.0.0.1",
            "127.0.0.1:7778",
            "127.0.0.1.evil.example:7777",
            "",
            "192.168.0.2:7777",
        ] {
            assert!(!asked(&guard, Method::GET, host, None), "{host}");
        }
        let host = "127.0.0.1:7777";
        for origin in
            ["http://evil.example", "https://127.0.0.1:7777", "null", "", "http://localhost:5173", "file://"]
        {
            assert!(!asked(&guard, Method::GET, host, Some(origin)), "{origin}");
            assert!(!asked(&guard, Method::POST, host, Some(origin)), "{origin}");
        }
        assert!(!asked(&guard, Method::POST, host, None));
        assert!(guard.check(&Method::GET, &Uri::from_static("/"), &HeaderMap::new()).is_err());
    }

    #[test]
    fn a_server_for_the_network_goes_by_its_addresses_and_its_name() {
        let guard = Guard::new("0.0.0.0:80".parse().unwrap(), Some("Studio.local"));
        assert!(asked(&guard, Method::GET, "192.168.0.2", None));
        assert!(asked(&guard, Method::GET, "studio.local:80", Some("http://studio.local")));
        assert!(!asked(&guard, Method::GET, "evil.example", None));
    }
}
