//! Lines before and after the preprocessor.

use expect_test::{Expect, expect};
use sequent_kernel::source::{FileId, Sources};

use super::*;
use crate::tree::StatementKind;
use crate::{Loader, Refusal, line};

/// Files that can be included.
struct IncludableFiles(Vec<(&'static str, &'static str)>);

impl Loader for IncludableFiles {
    fn load(&mut self, sources: &mut Sources, _: FileId, path: &str) -> Result<FileId, Refusal> {
        let known = sources.files().find(|(_, source)| source.name == path).map(|(file, _)| file);
        let text = self.0.iter().find(|(name, _)| *name == path).ok_or(Refusal::Missing)?.1;
        Ok(known.unwrap_or_else(|| sources.add(path, text)))
    }
}

fn check(input: &str, expected: Expect) {
    let files = IncludableFiles(vec![
        ("part.puml", "@startuml\nincluded -> b\n@enduml\n@startuml two\nsecond -> b\n@enduml\n"),
        ("plain.iuml", "!define GREET hello\nplain -> b : GREET\n"),
        ("circle.puml", "!include_many circle.puml\n"),
        ("subs.puml", "a\n!startsub S\nsub -> b\n!endsub\nc\n"),
    ]);
    check_with(files, input, expected);
}

/// The lines, then what each became where it is not as written, then the findings.
fn check_with(mut files: IncludableFiles, input: &str, expected: Expect) {
    let mut sources = Sources::new();
    let file = sources.add("a.puml", input);
    let lines = line::cut(file, sources.get(file), 0..input.len());
    let mut diagnostics = Vec::new();
    let mut context = Context::new(&mut sources, &mut files, &mut diagnostics);
    let prepared = expand(lines, &mut context);
    let mut out = String::new();
    for line in prepared.lines.iter().filter(|line| !line.text.trim().is_empty()) {
        let from =
            if line.exact { String::new() } else { format!("   <- {:?}", sources.text(line.span).trim()) };
        out += &format!("{}{from}\n", line.text.trim().replace('\u{e100}', "<newline>"));
        assert_eq!(line.whole.file, file);
    }
    for aside in prepared.asides.iter().filter(|aside| aside.kind != StatementKind::Preprocessor) {
        out += &format!("{:?} {:?}\n", aside.kind, sources.text(aside.lines));
    }
    for found in diagnostics {
        out += &format!("{} at {:?}: {}\n", found.name(), sources.text(found.span).trim(), found.message);
    }
    expected.assert_eq(&out);
}

#[test]
fn variables_and_macros() {
    check(
        r##"
            !$x = "hello"
            !$n = 2 + 3 * 4
            !define SHORT long text
            !define TWICE(a) a and a
            a -> b : $x $n SHORT TWICE(c) SHORTER
            a -> b : untouched
            !$x = $x + " you"
            a -> b : pre##SHORT##post $x
            !undef SHORT
            a -> b : SHORT
        "##,
        expect![[r#"
            a -> b : hello 14 long text c and c SHORTER   <- "a -> b : $x $n SHORT TWICE(c) SHORTER"
            a -> b : untouched
            a -> b : prelong textpost hello you   <- "a -> b : pre##SHORT##post $x"
            a -> b : SHORT
        "#]],
    );
}

#[test]
fn conditions() {
    check(
        r##"
            !$mode = "full"
            !if $mode == "short"
              a -> b : no
            !elseif $mode == "full" && %strlen($mode) >= 4
              a -> b : yes
              !ifdef NOTHING
                a -> b : no
              !else
                a -> b : nested
              !endif
            !else
              a -> b : no
            !endif
            !ifndef NOTHING
            a -> b : not defined
            !endif
        "##,
        expect![[r#"
            a -> b : yes
            a -> b : nested
            a -> b : not defined
        "#]],
    );
}

#[test]
fn procedures_and_functions() {
    check(
        r##"
            !procedure $call($from, $to, $what="ping")
              $from -> $to : $what
              $to --> $from : ok
            !endprocedure
            !function $double($n)
              !return $n * 2
            !endfunction
            !function $add($a, $b) return $a + $b
            !unquoted procedure greet($who)
              a -> b : hello $who
            !endprocedure
            $call("x", "y")
            $call("x", $to="z", $what="pong")
            a -> b : $double(21) $add(1, 2)
            greet(you there)
            !definelong PAIR(p, q)
            p -> q : one
            q -> p : two
            !enddefinelong
            PAIR(u, v)
        "##,
        expect![[r#"
            x -> y : ping   <- "$call(\"x\", \"y\")"
            y --> x : ok   <- "$call(\"x\", \"y\")"
            x -> z : pong   <- "$call(\"x\", $to=\"z\", $what=\"pong\")"
            z --> x : ok   <- "$call(\"x\", $to=\"z\", $what=\"pong\")"
            a -> b : 42 3   <- "a -> b : $double(21) $add(1, 2)"
            a -> b : hello you there   <- "greet(you there)"
            u -> v : one   <- "PAIR(u, v)"
            v -> u : two   <- "PAIR(u, v)"
        "#]],
    );
}

#[test]
fn loops() {
    check(
        r##"
            !$i = 0
            !while $i < 3
              a -> b : turn $i
              !$i = $i + 1
            !endwhile
            !$list = ["x", {"name": "y"}]
            !foreach $item in %splitstr("p,q", ",")
              a -> $item
            !endfor
            a -> b : $list[0] $list[1].name %size($list)
        "##,
        expect![[r#"
            a -> b : turn 0   <- "a -> b : turn $i"
            a -> b : turn 1   <- "a -> b : turn $i"
            a -> b : turn 2   <- "a -> b : turn $i"
            a -> p   <- "a -> $item"
            a -> q   <- "a -> $item"
            a -> b : x y 2   <- "a -> b : $list[0] $list[1].name %size($list)"
        "#]],
    );
}

#[test]
fn built_in_functions() {
    check(
        r##"
            a -> b : %substr("abcdef", 2, 3) %strpos("abc", "c") %upper("x") %not(1==1) %newline() %chr(65)
            a -> b : %dirpath("x")
            a -> b : %date()
            a -> b : 100% sure
            %set_variable_value("$y", 5)
            a -> b : $y
        "##,
        expect![[r#"
            a -> b : cde 2 X 0 <newline> A   <- "a -> b : %substr(\"abcdef\", 2, 3) %strpos(\"abc\", \"c\") %upper(\"x\") %not(1==1) %newline() %chr(65)"
            a -> b : %dirpath("x")
            a -> b :   <- "a -> b : %date()"
            a -> b : 100% sure
            a -> b : 5   <- "a -> b : $y"
            E109 at "a -> b : %dirpath(\"x\")": `%dirpath` cannot be called with 1 arguments
            W108 at "a -> b : %date()": `%date()` is not carried out
        "#]],
    );
}

#[test]
fn includes() {
    check(
        r##"
            !include part.puml
            !include part.puml!two
            !include plain.iuml
            a -> b : GREET
            !includesub subs.puml!S
            !include <C4/C4_Context>
            !include https://example.org/x.puml
            !include nowhere.puml
            !include circle.puml
        "##,
        expect![[r#"
            included -> b
            second -> b
            plain -> b : hello   <- "plain -> b : GREET"
            a -> b : hello   <- "a -> b : GREET"
            sub -> b
            W108 at "!include <C4/C4_Context>": `!include <C4/C4_Context>` is not read: only local files are
            E005 at "!include nowhere.puml": the included file `nowhere.puml` is not there
            E109 at "!include_many circle.puml": files include each other without end
        "#]],
    );
}

#[test]
fn what_is_wrong() {
    check(
        r##"
            !if $x
            a -> b
            !endfor
            !$y = (1 +
            !prcedure $p()
            !assert 1 == 2 : "one is not two"
            !procedure $again()
            $again()
            !endprocedure
            $again()
            !while 1
            !endwhile
        "##,
        expect![[r#"
            a -> b
            E109 at "!if $x": `!endif` is missing
            E109 at "!endfor": there is no loop before it
            E109 at "!$y = (1 +": an expression is missing
            E109 at "!prcedure $p()": `!prcedure` is not a preprocessor command
            E109 at "!assert 1 == 2 : \"one is not two\"": the assertion fails: one is not two
            E109 at "$again()": `$again` calls itself without end
            E109 at "!while 1": the preprocessor does not come to an end in 100000 steps
        "#]],
    );
}

#[test]
fn comments_and_silent_lines() {
    check(
        r##"
            !pragma teoz true
            !theme plain
            ' @neg
            ' comment
            a -> b
            !exit
            b -> c
        "##,
        expect![[r#"
            a -> b
            Directive(Directive { name: "neg", name_span: Span { file: FileId(0), start: 70, end: 74 }, argument: "", argument_span: Span { file: FileId(0), start: 74, end: 74 } }) "            ' @neg\n"
            Comment "            ' comment\n"
        "#]],
    );
}

#[test]
fn nesting_without_end() {
    let many = |open: &str, close: &str| format!("{}\n{}\n", open.repeat(5000), close.repeat(5000));
    for text in [
        many("!if 1\n", "!endif\n"),
        many("!while 0\n", "!endwhile\n"),
        format!("!$x = {}1\n", "(".repeat(5000)),
        format!("!function f($x) return $x\n!$x = {}1\n", "f(".repeat(5000)),
        format!("!define g(x) x\na -> b : {}1\n", "g(".repeat(5000)),
        "!$x = \"a\"\n!while 1\n!$x = $x + $x\na -> b : $x\n!endwhile\n".to_owned(),
    ] {
        let mut sources = Sources::new();
        let file = sources.add("a.puml", text.as_str());
        let lines = line::cut(file, sources.get(file), 0..text.len());
        let mut diagnostics = Vec::new();
        let mut context = Context::without_files(&mut sources, &mut diagnostics);
        expand(lines, &mut context);
        assert!(!diagnostics.is_empty() || text.starts_with("!while 0"), "{}", &text[..40]);
    }
}
