//! The page's files, which are part of the program.

use std::io::Read;

use axum::body::Bytes;
use axum::http::{HeaderMap, header};

/// Every file by its name, compressed by gzip; see `build.rs`.
static FILES: &[(&str, &[u8])] = include!(concat!(env!("OUT_DIR"), "/page.rs"));

/// A file of the page by its exact name, such as `assets/index.js`, compressed by gzip.
pub fn file(name: &str) -> Option<&'static [u8]> {
    FILES.iter().find(|(known, _)| *known == name).map(|(_, bytes)| *bytes)
}

/// The file as it was before it was compressed, for clients that do not understand gzip.
pub fn plain(compressed: &[u8]) -> std::io::Result<Bytes> {
    let mut content = Vec::new();
    flate2::read::GzDecoder::new(compressed).read_to_end(&mut content)?;
    Ok(content.into())
}

/// Whether a client says that it understands gzip (RFC 9110, 12.5.3).
pub fn takes_gzip(headers: &HeaderMap) -> bool {
    let mut codings = headers
        .get_all(header::ACCEPT_ENCODING)
        .iter()
        .filter_map(|value| value.to_str().ok())
        .flat_map(|value| value.split(','));
    codings.any(|coding| {
        let (name, weight) = coding.split_once(';').unwrap_or((coding, ""));
        let weight = weight.trim().strip_prefix("q=").map_or(Ok(1.0), str::parse::<f32>);
        name.trim().eq_ignore_ascii_case("gzip") && weight.is_ok_and(|weight| weight > 0.0)
    })
}

/// The type of a file by its ending.
pub fn media_type(name: &str) -> &'static str {
    let ending = name.rsplit('.').next().unwrap_or_default().to_ascii_lowercase();
    match ending.as_str() {
        "html" => "text/html; charset=utf-8",
        "js" | "mjs" => "text/javascript; charset=utf-8",
        "css" => "text/css; charset=utf-8",
        "json" | "map" => "application/json",
        "webmanifest" => "application/manifest+json",
        "svg" => "image/svg+xml",
        "png" => "image/png",
        "jpg" | "jpeg" => "image/jpeg",
        "webp" => "image/webp",
        "ico" => "image/x-icon",
        "hdr" => "image/vnd.radiance",
        "woff2" => "font/woff2",
        "wasm" => "application/wasm",
        "txt" => "text/plain; charset=utf-8",
        "glb" | "vrm" => "model/gltf-binary",
        "gltf" => "model/gltf+json",
        _ => "application/octet-stream",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_page_is_there_and_unpacks() {
        let index = plain(file("index.html").unwrap()).unwrap();
        let index = std::str::from_utf8(&index).unwrap();
        assert!(index.contains("id=\"root\""), "{index}");
        for part in index.split('"').filter_map(|part| part.strip_prefix("/assets/")) {
            assert!(plain(file(&format!("assets/{part}")).unwrap()).unwrap().len() > 1000, "{part}");
        }
        let notices = plain(file("third-party-notices.txt").unwrap()).unwrap();
        let notices = std::str::from_utf8(&notices).unwrap();
        for library in ["three", "react", "zustand", "meshoptimizer", "@react-three/fiber"] {
            assert!(notices.contains(&format!("## {library} ")), "{library}");
        }
    }

    #[test]
    fn gzip_is_taken_only_where_it_is_named_and_not_refused() {
        for (said, takes) in [
            ("gzip", true),
            ("br, GZIP;q=0.5", true),
            ("gzip; q=1.0, *;q=0", true),
            ("gzip;q=0", false),
            ("deflate, br", false),
            ("x-gzip2", false),
            ("", false),
        ] {
            let mut headers = HeaderMap::new();
            headers.insert(header::ACCEPT_ENCODING, said.parse().unwrap());
            assert_eq!(takes_gzip(&headers), takes, "{said}");
        }
        assert!(!takes_gzip(&HeaderMap::new()));
    }
}
