//! OBJ, STL and CSV: made-up faces, and tables of odd numbers.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    let mut choices = sinew_fuzz::documents::Choices::new(bytes);
    let _ = sinew_io::obj::read(sinew_fuzz::documents::obj(&mut choices).as_bytes());
    let stl = sinew_fuzz::documents::stl(&mut choices);
    let _ = sinew_io::stl::read_within(&stl, sinew_io::Budget::default());
    let table = sinew_fuzz::documents::table(&mut choices);
    for row in sinew_io::table::rows(table.as_bytes()).flatten() {
        let _ = row.number(0, "a number");
    }
});
