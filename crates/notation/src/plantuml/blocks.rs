//! Finds the diagrams in a PlantUML file.
//!
//! A diagram runs from `@startuml` to `@enduml`; text around it is no part of it. Whatever stands before `@startuml` on its
//! line (`// `, ` * `) is taken off the following lines too, because diagrams live in comments of program text. A file
//! without `@startuml` is one diagram. Where PlantUML would drop a diagram (its end is missing) it is read all the same,
//! with a warning.

use sequent_kernel::diagnostic::{Code, Diagnostic, Remedy};

use super::common::scan::{is_quote, is_space, is_word, trim};
use super::common::text::unescape;
use crate::line::Line;

/// One diagram as it stands in the file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CutDiagram {
    /// The word after `@start`: `uml`, `salt`, `mindmap`.
    pub kind: String,
    /// The name after it.
    pub name: Option<String>,
    /// The line of `@start..`, unless the file has none.
    pub start: Option<Line>,
    /// The lines in between.
    pub lines: Vec<Line>,
    /// The line of `@end..`.
    pub end: Option<Line>,
}

/// Cuts a file, or one block of Markdown, into diagrams.
pub fn cut(lines: Vec<Line>, diagnostics: &mut Vec<Diagnostic>) -> Vec<CutDiagram> {
    if !lines.iter().any(|line| start(&line.text).is_some()) {
        return vec![CutDiagram { kind: "uml".to_owned(), name: None, start: None, lines, end: None }];
    }
    let mut cuts = Vec::new();
    let mut open: Option<CutDiagram> = None;
    let mut prefix = String::new();
    for mut line in lines {
        if let Some(before) = start(&line.text) {
            close_unfinished(open.take(), &prefix, &mut cuts, diagnostics);
            prefix = line.text[..before].to_owned();
            strip(&mut line, &prefix);
            open = Some(begin(line));
            continue;
        }
        strip(&mut line, &prefix);
        let is_end = is_directive(&line.text, "end");
        let Some(cut) = &mut open else { continue };
        if is_end {
            cut.end = Some(line);
            cuts.extend(open.take());
        } else {
            cut.lines.push(line);
        }
    }
    close_unfinished(open, &prefix, &mut cuts, diagnostics);
    cuts
}

/// Where `@start` begins on the line: only marks and tags may stand before it.
fn start(line: &str) -> Option<usize> {
    if !line.contains("start") {
        return None;
    }
    let mut in_tag = false;
    for (at, c) in line.char_indices() {
        if is_directive(&line[at..], "start") {
            return Some(at);
        }
        match c {
            '>' if in_tag => in_tag = false,
            _ if in_tag => {}
            '<' => in_tag = true,
            '~' => return None,
            c if is_word(c) => return None,
            _ => {}
        }
    }
    None
}

/// Whether the line is `@word..` or `\word..`.
fn is_directive(line: &str, word: &str) -> bool {
    let after = line.trim_start().strip_prefix(['@', '\\']);
    after
        .and_then(|after| after.strip_prefix(word))
        .is_some_and(|rest| word != "start" || rest.starts_with(is_word))
}

/// Takes `prefix` off the line, if it has it.
fn strip(line: &mut Line, prefix: &str) {
    if prefix.is_empty() {
        return;
    }
    let length = match line.text.starts_with(prefix) {
        true => prefix.len(),
        false if prefix.starts_with(line.text.as_str()) => line.text.len(),
        false => 0,
    };
    line.span = line.span_of(length..line.text.len());
    line.text.drain(..length);
}

/// A diagram that begins with `line`.
fn begin(line: Line) -> CutDiagram {
    let text = trim(&line.text);
    let after = &text["@start".len()..];
    let kind_end = after.find(|c| !is_word(c)).unwrap_or(after.len());
    let (kind, rest) = after.split_at(kind_end);
    CutDiagram {
        kind: kind.to_owned(),
        name: name(rest),
        start: Some(line.clone()),
        lines: Vec::new(),
        end: None,
    }
}

/// The name in ` name`, ` "name"`, `(id=name)`, ` {name}`.
fn name(rest: &str) -> Option<String> {
    let inside = match rest.strip_prefix('(') {
        Some(id) => id.strip_suffix(')').unwrap_or(id).trim().trim_start_matches("id=").trim(),
        None => {
            let text = rest.trim_matches(is_space);
            let quoted = text.strip_prefix(is_quote).and_then(|text| text.strip_suffix(is_quote));
            quoted.or_else(|| text.strip_prefix('{')?.strip_suffix('}')).unwrap_or(text)
        }
    };
    (!inside.is_empty()).then(|| unescape(inside))
}

/// Keeps a diagram whose end is missing, unless its start was commented out.
fn close_unfinished(
    open: Option<CutDiagram>,
    prefix: &str,
    cuts: &mut Vec<CutDiagram>,
    diagnostics: &mut Vec<Diagnostic>,
) {
    let Some(cut) = open else { return };
    if prefix.contains('\'') {
        return;
    }
    if let Some(start) = &cut.start {
        let span = start.span_of_part(trim(&start.text));
        let message = format!("`@start{}` without `@end{}`", cut.kind, cut.kind);
        diagnostics.push(
            Diagnostic::new(Code::MissingEnd, span, message)
                .hint("add `@enduml` after the last line")
                .remedy(Remedy::Finish(format!("@end{}", cut.kind))),
        );
    }
    cuts.push(cut);
}

#[cfg(test)]
mod tests {
    use expect_test::{Expect, expect};
    use sequent_kernel::source::Sources;

    use super::*;
    use crate::line;

    fn check(input: &str, expected: Expect) {
        let mut sources = Sources::new();
        let file = sources.add("a.puml", input);
        let mut diagnostics = Vec::new();
        let cuts = cut(line::cut(file, sources.get(file), 0..input.len()), &mut diagnostics);
        let mut out = String::new();
        for cut in cuts {
            let lines: Vec<&str> = cut.lines.iter().map(|line| line.text.as_str()).collect();
            out += &format!("{} {:?} {lines:?} ended: {}\n", cut.kind, cut.name, cut.end.is_some());
            assert!(cut.lines.iter().all(|line| sources.text(line.span) == line.text));
        }
        for diagnostic in diagnostics {
            out += &format!("{} {}\n", diagnostic.name(), diagnostic.message);
        }
        expected.assert_eq(&out);
    }

    #[test]
    fn several_diagrams_and_text_around_them() {
        check(
            "Hello\n@startuml first one\na\n@enduml\nthere\n@startsalt\nb\n@endsalt\n",
            expect![[r#"
                uml Some("first one") ["a"] ended: true
                salt None ["b"] ended: true
            "#]],
        );
    }

    #[test]
    fn names() {
        check(
            "@startuml \"a b\"\n@enduml\n@startuml(id=x)\n@enduml\n@startuml {c}\n@enduml\n",
            expect![[r#"
                uml Some("a b") [] ended: true
                uml Some("x") [] ended: true
                uml Some("c") [] ended: true
            "#]],
        );
    }

    #[test]
    fn in_program_text() {
        check(
            " * @startuml\n * a -> b\n *\n * @enduml\n */\nint start;\n",
            expect![[r#"
                uml None [" a -> b", ""] ended: true
            "#]],
        );
    }

    #[test]
    fn missing_start_and_end() {
        check(
            "a -> b\n",
            expect![[r#"
            uml None ["a -> b"] ended: false
        "#]],
        );
        check(
            "@startuml\na\n@startuml\nb\n",
            expect![[r#"
                uml None ["a"] ended: false
                uml None ["b"] ended: false
                W106 `@startuml` without `@enduml`
                W106 `@startuml` without `@enduml`
            "#]],
        );
        check(
            "'@startuml\n@startuml\nb\n@enduml\n",
            expect![[r#"
                uml None ["b"] ended: true
            "#]],
        );
    }
}
