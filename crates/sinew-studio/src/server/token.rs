//! A secret in the address, so that another account of this machine cannot use the studio.
//!
//! Loopback keeps other machines out, not other people on this one. The command prints an address
//! with a token, `http://127.0.0.1:7777/?token=…`, and opens it; whoever comes without is refused. A
//! browser that comes with it is given a cookie and sent on to the bare address, so that the token is
//! not in links that are copied, and everything after that, the WebSocket too, carries the cookie.
//! Cookies do not tell ports apart, so its name does. Programs may send `Authorization: Bearer …`.

use axum::http::header::{AUTHORIZATION, COOKIE};
use axum::http::{HeaderMap, HeaderValue, Uri};

/// The secret of one server.
#[derive(Clone)]
pub struct Token {
    text: String,
    cookie: String,
}

impl std::fmt::Debug for Token {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Token(…)")
    }
}

/// 128 bits from the system, as hexadecimal digits.
pub fn random_token() -> std::io::Result<String> {
    let mut bytes = [0u8; 16];
    getrandom::fill(&mut bytes).map_err(|error| std::io::Error::other(error.to_string()))?;
    Ok(bytes.iter().map(|byte| format!("{byte:02x}")).collect())
}

impl Token {
    /// A secret of letters, digits, `-` and `_`, for the server on this port.
    pub fn new(text: &str, port: u16) -> std::io::Result<Self> {
        let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_');
        if text.is_empty() || text.len() > 128 || !text.chars().all(plain) {
            return Err(std::io::Error::other("a token has 1 to 128 letters, digits, '-' and '_'"));
        }
        Ok(Self { text: text.into(), cookie: format!("sinew-studio-{port}") })
    }

    /// What follows the address.
    pub fn query(&self) -> String {
        format!("?token={}", self.text)
    }

    /// Whether the address itself holds the secret.
    pub fn is_in(&self, uri: &Uri) -> bool {
        let parts = uri.query().unwrap_or_default().split('&');
        parts.filter_map(|part| part.strip_prefix("token=")).any(|given| self.is(given))
    }

    /// Whether a request may be answered: it holds the secret in its address, its cookie or its
    /// authorization.
    pub fn admits(&self, uri: &Uri, headers: &HeaderMap) -> bool {
        let text = |name| headers.get_all(name).into_iter().filter_map(|value| value.to_str().ok());
        let in_cookie = || {
            let pairs = text(COOKIE).flat_map(|cookies| cookies.split(';'));
            let mut own =
                pairs.filter_map(|pair| pair.trim().split_once('=')).filter(|(n, _)| *n == self.cookie);
            own.any(|(_, given)| self.is(given))
        };
        let in_authorization = || {
            text(AUTHORIZATION).filter_map(|value| value.strip_prefix("Bearer ")).any(|given| self.is(given))
        };
        self.is_in(uri) || in_cookie() || in_authorization()
    }

    /// The cookie that stands for it from then on. Scripts cannot read it, and pages of other sites
    /// cannot make a browser send it along with what they ask.
    pub fn cookie(&self) -> Option<HeaderValue> {
        HeaderValue::from_str(&format!("{}={}; Path=/; HttpOnly; SameSite=Lax", self.cookie, self.text)).ok()
    }

    /// Compares without telling by the time it takes how much was right.
    fn is(&self, given: &str) -> bool {
        let differs = self.text.bytes().zip(given.bytes()).fold(0, |sum, (a, b)| sum | (a ^ b));
        given.len() == self.text.len() && differs == 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_secret_opens() {
        let token = Token::new("abc-1", 7777).unwrap();
        let asked = |path: &str, header: Option<(&'static str, &str)>| {
            let mut headers = HeaderMap::new();
            if let Some((name, value)) = header {
                headers.insert(name, HeaderValue::from_str(value).unwrap());
            }
            token.admits(&path.parse().unwrap(), &headers)
        };
        assert!(asked("/?token=abc-1", None) && asked("/ws?a=b&token=abc-1", None));
        assert!(asked("/", Some(("cookie", "other=1; sinew-studio-7777=abc-1"))));
        assert!(asked("/", Some(("authorization", "Bearer abc-1"))));
        for path in ["/", "/?token=", "/?token=abc", "/?token=abc-12", "/?token=abc-2", "/token=abc-1"] {
            assert!(!asked(path, None), "{path}");
        }
        assert!(!asked("/", Some(("cookie", "sinew-studio-7778=abc-1"))), "of another studio");
        assert!(!asked("/", Some(("authorization", "Basic abc-1"))));
        for bad in ["", "a b", "ä", "a;b"] {
            assert!(Token::new(bad, 1).is_err(), "{bad}");
        }
        let (a, b) = (random_token().unwrap(), random_token().unwrap());
        assert!(a != b && a.len() == 32 && Token::new(&a, 1).is_ok());
    }
}
