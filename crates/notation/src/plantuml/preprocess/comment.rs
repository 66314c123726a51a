//! Continued lines and comments.
//!
//! A line that ends in one backslash goes on in the next. A comment is a line that starts with `'`, or what stands between
//! `/'` and `'/` at the start or the end of a line or over several lines; in the middle of a line it is text. Comments
//! are taken out wherever they stand, also inside notes, before anything else looks at the lines.

use std::convert::Infallible;

use crate::keywords;
use crate::line::Line;
use crate::plantuml::common::scan::trim;
use crate::tree::{Directive, Statement, StatementKind};

/// A statement that no reader of diagrams sees: a comment, a directive, a preprocessor line.
pub(crate) type Aside = Statement<Infallible>;

/// A line of the diagram, or something beside it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum SourcePiece {
    /// To be read on.
    Line(Line),
    /// Done.
    Aside(Aside),
}

/// Joins continued lines and takes the comments out.
pub(crate) fn separate(lines: Vec<Line>) -> Vec<SourcePiece> {
    let mut pieces = Vec::with_capacity(lines.len());
    let mut lines = merge(lines).into_iter();
    while let Some(line) = lines.next() {
        let text = trim(&line.text);
        if let Some(body) = text.strip_prefix('\'') {
            pieces.push(SourcePiece::Aside(comment(&line, body)));
        } else if !text.contains("/'") && !text.ends_with("'/") {
            pieces.push(SourcePiece::Line(line));
        } else if text.starts_with("/'") && text.len() > 3 && text.ends_with("'/") {
            pieces.push(SourcePiece::Aside(comment(&line, &text[2..text.len() - 2])));
        } else if text.starts_with("/'") && !text.contains("'/") {
            pieces.push(SourcePiece::Aside(long_comment(line, &mut lines)));
        } else {
            pieces.push(SourcePiece::Line(without_inner(line)));
        }
    }
    pieces
}

/// Joins each line that ends in one backslash with the next.
fn merge(lines: Vec<Line>) -> Vec<Line> {
    if !lines.iter().any(|line| is_continued(&line.text)) {
        return lines;
    }
    let mut merged: Vec<Line> = Vec::with_capacity(lines.len());
    for line in lines {
        match merged.last_mut().filter(|last| is_continued(&last.text)) {
            Some(last) => {
                last.whole = last.whole.to(line.whole);
                last.span = last.span.to(line.span);
                last.exact = false;
                if !trim(&line.text).starts_with('\'') {
                    last.text.pop();
                    last.text.push_str(&line.text);
                }
            }
            None => merged.push(line),
        }
    }
    merged
}

fn is_continued(text: &str) -> bool {
    text.ends_with('\\') && !text.ends_with("\\\\")
}

/// A comment on one line; it may be addressed to Sequent.
fn comment(line: &Line, body: &str) -> Aside {
    let body = trim(body);
    let kind = directive(line, body).map_or(StatementKind::Comment, StatementKind::Directive);
    Statement { span: line.span_of_part(trim(&line.text)), lines: line.whole, kind }
}

/// `@word argument`
fn directive(line: &Line, body: &str) -> Option<Directive> {
    let after = body.strip_prefix('@').filter(|after| {
        after.starts_with(|c: char| c.is_ascii_alphabetic()) || keywords::lacks_name(after)
    })?;
    let length =
        after.find(|c: char| !c.is_ascii_alphanumeric() && !matches!(c, '_' | '-')).unwrap_or(after.len());
    let (name, argument) = (&after[..length], trim(&after[length..]));
    if name.starts_with("start") || name.starts_with("end") {
        return None;
    }
    Some(Directive {
        name: name.to_owned(),
        name_span: line.span_of_part(&body[..length + 1]),
        argument: argument.to_owned(),
        argument_span: line.span_of_part(argument),
    })
}

/// A comment up to the line that ends in `'/`, or to the end of the diagram.
fn long_comment(first: Line, lines: &mut impl Iterator<Item = Line>) -> Aside {
    let (mut span, mut whole) = (first.span, first.whole);
    for line in lines {
        (span, whole) = (span.to(line.span), whole.to(line.whole));
        if trim(&line.text).ends_with("'/") {
            break;
        }
    }
    Statement { span, lines: whole, kind: StatementKind::Comment }
}

/// Takes a comment off the start or the end of a line.
fn without_inner(mut line: Line) -> Line {
    let text = trim(&line.text);
    let kept = if text.starts_with("/'") {
        line.text.find("'/").map(|end| end + 2..line.text.len())
    } else if text.ends_with("'/") {
        line.text.rfind("/'").map(|start| 0..start)
    } else {
        None
    };
    if let Some(kept) = kept {
        line.span = line.span_of(kept.clone());
        line.text = line.text[kept].to_owned();
    }
    without_tags(line)
}

/// Takes `/'''word'''/` out of the middle of a line.
fn without_tags(mut line: Line) -> Line {
    let mut from = 0;
    while let Some(start) = line.text[from..].find("/'''").map(|at| from + at) {
        let inside = &line.text[start + 4..];
        let length = inside
            .find(|c: char| !c.is_ascii_alphanumeric() && !matches!(c, '-' | '_'))
            .unwrap_or(inside.len());
        if inside[length..].starts_with("'''/") {
            line.text.replace_range(start..start + length + 8, "");
            line.exact = false;
            from = start;
        } else {
            from = start + 4;
        }
    }
    line
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
        let pieces = separate(line::cut(file, sources.get(file), 0..input.len()));
        let show = |piece: &SourcePiece| match piece {
            SourcePiece::Line(line) => format!("{:?} from {:?}\n", line.text, sources.text(line.span)),
            SourcePiece::Aside(aside) => match &aside.kind {
                StatementKind::Directive(directive) => {
                    format!("directive {} ({})\n", directive.name, directive.argument)
                }
                _ => format!("aside {:?}\n", sources.text(aside.lines)),
            },
        };
        expected.assert_eq(&pieces.iter().map(show).collect::<String>());
    }

    #[test]
    fn comments() {
        check(
            "' one\na /' two '/\n/' three '/ b\n/' four\nfive\nsix '/\nc /' d '/ e\n' @neg x y\n'@startuml\n",
            expect![[r#"
                aside "' one\n"
                "a " from "a "
                " b" from " b"
                aside "/' four\nfive\nsix '/\n"
                "c /' d '/ e" from "c /' d '/ e"
                directive neg (x y)
                aside "'@startuml\n"
            "#]],
        );
    }

    #[test]
    fn continued_lines() {
        check(
            "a -> b : \\\n' no\nmore\nc \\\\\nd\n",
            expect![[r#"
                "a -> b : more" from "a -> b : \\\n' no\nmore"
                "c \\\\" from "c \\\\"
                "d" from "d"
            "#]],
        );
    }
}
