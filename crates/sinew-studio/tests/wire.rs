//! The page's types are those of the server.

use std::path::Path;

#[test]
fn the_page_has_the_types_of_the_server() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../web/src");
    let files = sinew_studio::wire::declarations();
    if std::env::var_os("SINEW_WRITE_WIRE").is_some() {
        std::fs::create_dir_all(folder.join("wire")).unwrap();
        for (name, wanted) in &files {
            std::fs::write(folder.join(name), wanted).unwrap();
        }
    }
    for (name, wanted) in &files {
        let found = std::fs::read_to_string(folder.join(name)).unwrap_or_default();
        assert!(found == *wanted, "web/src/{name} is not what the messages say; run `cargo xtask wire`");
    }
    let kept = std::fs::read_dir(folder.join("wire")).unwrap();
    let strangers: Vec<_> = kept
        .map(|entry| format!("wire/{}", entry.unwrap().file_name().to_string_lossy()))
        .filter(|name| !files.iter().any(|(known, _)| known == name))
        .collect();
    assert!(strangers.is_empty(), "no message makes these files: {strangers:?}");
}
