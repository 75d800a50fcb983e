//! The page's files: in the binary of a release, on disk in a debug build.

use axum::body::Bytes;

/// The files of a release; see `build.rs`.
static FILES: &[(&str, &[u8])] = include!(concat!(env!("OUT_DIR"), "/page.rs"));

/// What is said where the page should be and was not built.
pub const NOT_BUILT: &str = "<!doctype html><meta charset=utf-8><title>sinew studio</title>\
<body style='font:16px system-ui;max-width:40em;margin:4em auto'>\
<h1>The page has not been built</h1>\
<p>The server runs, but this program was built without the page. Build both with\
<pre>cargo xtask studio</pre>which needs Node.js and npm. The page's sources are in <code>web/</code>.";

/// A file of the page by its exact name, such as `assets/index.js`.
pub fn file(name: &str) -> Option<Bytes> {
    if let Some((_, bytes)) = FILES.iter().find(|(known, _)| *known == name) {
        return Some(Bytes::from_static(bytes));
    }
    if cfg!(debug_assertions) { on_disk(name) } else { None }
}

/// A file of `web/dist`. The folder is listed and names are compared, so that
/// what a client says is never taken for a path.
fn on_disk(name: &str) -> Option<Bytes> {
    fn find(folder: &std::path::Path, name: &str) -> Option<Bytes> {
        for entry in std::fs::read_dir(folder).ok()?.flatten() {
            let Ok(known) = entry.file_name().into_string() else { continue };
            if entry.path().is_dir() {
                let Some(rest) = name.strip_prefix(&known).and_then(|n| n.strip_prefix('/')) else {
                    continue;
                };
                if let Some(found) = find(&entry.path(), rest) {
                    return Some(found);
                }
            } else if known == name {
                return std::fs::read(entry.path()).ok().map(Bytes::from);
            }
        }
        None
    }
    find(std::path::Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../../web/dist")), name)
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
