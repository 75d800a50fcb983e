//! The page's types are those of the server.

use std::path::Path;

#[test]
fn the_page_has_the_types_of_the_server() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../web/src/wire.ts");
    let wanted = sinew_studio::wire::declarations();
    if std::env::var_os("SINEW_WRITE_WIRE").is_some() {
        std::fs::write(&path, &wanted).unwrap();
    }
    let found = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(found == wanted, "web/src/wire.ts is not what the messages say; run `cargo xtask wire`");
}
