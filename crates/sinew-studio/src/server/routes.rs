//! What can be asked for.

use std::sync::Arc;
use std::time::{Duration, Instant};

use axum::Router;
use axum::body::{Body, Bytes};
use axum::extract::{Path, Query, Request, State};
use axum::http::{HeaderMap, HeaderName, HeaderValue, StatusCode, Uri, header};
use axum::middleware::{self, Next};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use futures_util::StreamExt;
use serde::Deserialize;
use sinew_io::obj::TriangleMesh;

use super::page::{self, media_type};
use super::{LARGEST_UPLOAD, Shared, locked, socket};
use crate::rig::things;
use crate::store::Stored;
use crate::wire::Uploaded;

/// Scripts and styles come from here alone; three.js makes textures of blobs,
/// React sets styles, and decoders of meshes are WebAssembly.
const POLICY: &str = "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'; \
    style-src 'self' 'unsafe-inline'; img-src 'self' blob: data:; font-src 'self' data:; \
    connect-src 'self' blob: data:; worker-src 'self' blob:; \
    object-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/// A file that takes longer is given up …
const LONGEST_UPLOAD: Duration = Duration::from_secs(120);
/// … and one of which nothing comes for as long as the server is patient, or, after that, fewer bytes
/// a second: a few bytes now and then would keep others waiting.
const SLOWEST: f64 = 16.0 * 1024.0;

/// Why a file did not arrive.
enum Lost {
    TooLarge,
    Broken,
    Slow,
}

/// The body of a request, as long as it goes on coming.
async fn arriving(request: Request, patience: Duration) -> Result<Bytes, Lost> {
    let began = Instant::now();
    let mut stream = request.into_body().into_data_stream();
    let mut bytes = Vec::new();
    loop {
        match tokio::time::timeout(patience, stream.next()).await {
            Err(_) => return Err(Lost::Slow),
            Ok(None) => return Ok(bytes.into()),
            Ok(Some(Err(_))) => return Err(Lost::Broken),
            Ok(Some(Ok(part))) if bytes.len() + part.len() > LARGEST_UPLOAD => return Err(Lost::TooLarge),
            Ok(Some(Ok(part))) => bytes.extend_from_slice(&part),
        }
        let taken = began.elapsed();
        let slow = taken > patience && (bytes.len() as f64) < SLOWEST * taken.as_secs_f64();
        if slow || taken > LONGEST_UPLOAD {
            return Err(Lost::Slow);
        }
    }
}

/// Everything that the server answers.
pub fn routes(shared: Arc<Shared>) -> Router {
    Router::new()
        .route("/", get(index))
        .route("/ws", get(socket::connect))
        .route("/api/upload", post(upload))
        .route("/api/upload/{id}", get(uploaded))
        .route("/api/export/{id}", get(exported))
        .route("/api/mesh/{id}", get(mesh))
        .fallback(get(file))
        .layer(middleware::from_fn_with_state(shared.clone(), guarded))
        .with_state(shared)
}

/// Lets through what may be asked, and says how to treat the answer.
async fn guarded(State(shared): State<Arc<Shared>>, request: Request, next: Next) -> Response {
    let allowed = shared.guard.check(request.method(), request.uri(), request.headers());
    let mut response = match (allowed, &shared.token) {
        (Err(words), _) => refusal(StatusCode::FORBIDDEN, &words),
        (Ok(()), Some(token)) if !token.admits(request.uri(), request.headers()) => {
            let words = "this studio needs its token: open the address that the command printed";
            refusal(StatusCode::FORBIDDEN, words)
        }
        // A browser that comes with the token goes on with a cookie, and without it in its address.
        (Ok(()), Some(token)) if request.uri().path() == "/" && token.is_in(request.uri()) => {
            let mut on = (StatusCode::SEE_OTHER, [(header::LOCATION, "/")]).into_response();
            if let Some(cookie) = token.cookie() {
                on.headers_mut().insert(header::SET_COOKIE, cookie);
            }
            on
        }
        _ => next.run(request).await,
    };
    let headers = response.headers_mut();
    for (name, value) in [
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (header::CONTENT_SECURITY_POLICY, POLICY),
        (header::REFERRER_POLICY, "no-referrer"),
        (HeaderName::from_static("cross-origin-resource-policy"), "same-origin"),
        (HeaderName::from_static("cross-origin-opener-policy"), "same-origin"),
    ] {
        headers.insert(name, HeaderValue::from_static(value));
    }
    headers.entry(header::CACHE_CONTROL).or_insert(HeaderValue::from_static("no-store"));
    response
}

/// A refusal as the page reads it: `{ "message": … }`.
pub(super) fn refusal(status: StatusCode, words: &str) -> Response {
    let body = serde_json::json!({ "message": words }).to_string();
    (status, [(header::CONTENT_TYPE, "application/json")], body).into_response()
}

async fn index(headers: HeaderMap) -> Response {
    page_file("index.html", &headers)
}

async fn file(uri: Uri, headers: HeaderMap) -> Response {
    page_file(uri.path().trim_start_matches('/'), &headers)
}

/// A file of the page, compressed where the client takes it so. Names under `assets/` carry a hash
/// of the content.
fn page_file(name: &str, headers: &HeaderMap) -> Response {
    let Some(compressed) = page::file(name) else {
        return refusal(StatusCode::NOT_FOUND, "there is nothing here");
    };
    let mut response = if page::takes_gzip(headers) {
        ([(header::CONTENT_ENCODING, "gzip")], Bytes::from_static(compressed)).into_response()
    } else {
        match page::plain(compressed) {
            Ok(bytes) => bytes.into_response(),
            Err(_) => return refusal(StatusCode::INTERNAL_SERVER_ERROR, "the file could not be unpacked"),
        }
    };
    let answer = response.headers_mut();
    answer.insert(header::CONTENT_TYPE, HeaderValue::from_static(media_type(name)));
    answer.insert(header::VARY, HeaderValue::from_static("accept-encoding"));
    if name.starts_with("assets/") {
        let forever = HeaderValue::from_static("public, max-age=31536000, immutable");
        answer.insert(header::CACHE_CONTROL, forever);
    }
    response
}

#[derive(Deserialize)]
struct UploadQuery {
    #[serde(default)]
    name: String,
}

async fn upload(
    State(shared): State<Arc<Shared>>,
    Query(query): Query<UploadQuery>,
    request: Request,
) -> Response {
    // Each may grow to the largest size before it is looked at.
    let Ok(_permit) = shared.uploading.try_acquire() else {
        return refusal(StatusCode::SERVICE_UNAVAILABLE, "other files are arriving; try again");
    };
    let bytes = match arriving(request, shared.patience).await {
        Ok(bytes) if bytes.is_empty() => return refusal(StatusCode::BAD_REQUEST, "the file is empty"),
        Ok(bytes) => bytes,
        Err(Lost::TooLarge) => {
            let words = format!("the file is larger than {} MiB", LARGEST_UPLOAD >> 20);
            return refusal(StatusCode::PAYLOAD_TOO_LARGE, &words);
        }
        Err(Lost::Broken) => return refusal(StatusCode::BAD_REQUEST, "the file did not arrive whole"),
        Err(Lost::Slow) => {
            return refusal(StatusCode::REQUEST_TIMEOUT, "the file took too long to arrive");
        }
    };
    let file = locked(&shared.uploads).add(&query.name, bytes);
    let answer = Uploaded { id: file.id.clone(), name: file.name.clone(), bytes: file.bytes.len() as u32 };
    match serde_json::to_string(&answer) {
        Ok(text) => ([(header::CONTENT_TYPE, "application/json")], text).into_response(),
        Err(_) => refusal(StatusCode::INTERNAL_SERVER_ERROR, "the answer could not be written"),
    }
}

async fn uploaded(State(shared): State<Arc<Shared>>, Path(id): Path<String>) -> Response {
    let file = locked(&shared.uploads).get(&id);
    fetched(file, "this file is no longer kept; drop it again")
}

async fn exported(State(shared): State<Arc<Shared>>, Path(id): Path<String>) -> Response {
    let file = locked(&shared.exports).get(&id).or_else(|| locked(&shared.shapes).get(&id));
    fetched(file, "this file is no longer kept; export it again")
}

/// The triangles of a file that a tab has brought in, to be drawn.
async fn mesh(State(shared): State<Arc<Shared>>, Path(id): Path<String>) -> Response {
    let Some(mesh) = shared.loaded.held::<TriangleMesh>(&id) else {
        return refusal(StatusCode::NOT_FOUND, "no tab shows this mesh");
    };
    ([(header::CONTENT_TYPE, "application/octet-stream")], things::packed(&mesh)).into_response()
}

/// A file from memory, to be saved and never shown: it is a stranger's.
fn fetched(file: Option<Arc<Stored>>, gone: &str) -> Response {
    let Some(file) = file else { return refusal(StatusCode::NOT_FOUND, gone) };
    let plain: String = file.name.chars().map(|c| if c.is_ascii() { c } else { '_' }).collect();
    let encoded: String = file
        .name
        .bytes()
        .map(|b| match b {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'.' | b'-' | b'_' => char::from(b).to_string(),
            _ => format!("%{b:02X}"),
        })
        .collect();
    let disposition = format!("attachment; filename=\"{plain}\"; filename*=UTF-8''{encoded}");
    let kind = match media_type(&file.name) {
        // Nothing from memory may become a document or a script of this server.
        model @ ("model/gltf-binary" | "model/gltf+json") => model,
        _ => "application/octet-stream",
    };
    let headers = [(header::CONTENT_TYPE, kind), (header::CONTENT_DISPOSITION, &disposition)];
    (headers, Body::from(file.bytes.clone())).into_response()
}
