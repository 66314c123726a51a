//! No formula makes the reader panic, and what is printed is read again.
#![no_main]

use sequent_kernel::source::{Sources, Span};
use sequent_notation::formula::{parse, print};

libfuzzer_sys::fuzz_target!(|text: &str| {
    let span = Span::new(Sources::new().add("x", ""), 0, text.len());
    if let Ok(formula) = parse(text, span) {
        let printed = print(&formula);
        let again = parse(&printed, Span::new(span.file, 0, printed.len()));
        assert_eq!(again.as_ref(), Ok(&formula), "{text} as {printed}");
    }
});
