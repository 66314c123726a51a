//! No macro, loop, function or include makes the preprocessor panic, hang or take memory without bound.
#![no_main]

mod whole;

use sequent_kernel::source::{FileId, Sources};
use sequent_notation::{Context, Loader, Refusal};

/// What a macro may be called with and compared to, so that few bytes make long programs.
const LINES: [&str; 24] = [
    "!$x = \"ab\" + $y",
    "!$y = $x + $x",
    "!while $x != \"\"",
    "!endwhile",
    "!procedure $p($a, $b = 3)",
    "$p($a)",
    "$p($x, $y)",
    "!endprocedure",
    "!function $f($a)",
    "!return $f($a + 1)",
    "!return $a",
    "!endfunction",
    "!if ($x == 1)",
    "!elseif %strlen($y) > 3",
    "!else",
    "!endif",
    "!define M(a) a a M(a)",
    "M(M(x))",
    "!foreach $i in [1, 2, 3]",
    "!endfor",
    "!include self.iuml",
    "!include other.iuml!2",
    "a -> b : $f($x) $y %substr($x, 1, 4)",
    "!undef M",
];

/// Includes the text itself, under each name once, as files are.
struct Mirror(String);

impl Loader for Mirror {
    fn load(&mut self, sources: &mut Sources, _: FileId, path: &str) -> Result<FileId, Refusal> {
        Ok(sources.named(path).unwrap_or_else(|| sources.add(path, self.0.as_str())))
    }
}

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    let lines: Vec<&str> = data.iter().map(|byte| LINES[usize::from(*byte) % LINES.len()]).collect();
    let made = lines.join("\n");
    for text in [made, String::from_utf8_lossy(data).into_owned()] {
        let mut sources = Sources::new();
        let file = sources.add("a.puml", text.as_str());
        let mut diagnostics = Vec::new();
        let mut loader = Mirror(text.clone());
        let mut context =
            Context::new(&mut sources, &mut loader, &mut diagnostics);
        sequent_notation::read(file, &mut context);
    }
    whole::survive("a.puml", data);
});
