//! No UML model, packed or not, makes Sequent panic, hang or lose a byte.
#![no_main]

mod whole;

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    whole::survive("a.uml", data);
    whole::survive("a.mdzip", data);
});
