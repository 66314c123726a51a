//! No settings file makes Sequent panic.
#![no_main]

use sequent_kernel::source::Sources;

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    let mut sources = Sources::new();
    let file = sources.add("sequent.toml", String::from_utf8_lossy(data).as_ref());
    sequent::settings::read(file, sources.get(file));
});
