//! No markdown text makes Sequent panic, hang or lose a byte.
#![no_main]

mod whole;

libfuzzer_sys::fuzz_target!(|data: &[u8]| whole::survive("a.md", data));
