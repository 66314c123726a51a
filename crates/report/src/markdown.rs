//! The result of a check as Markdown: a comment on a pull request, in which runs that go wrong are drawn.
//!
//! Code hosts draw blocks of Mermaid, so a comment needs no picture that is stored elsewhere. A comment may be 65,536
//! characters long: what does not fit is counted.
//!
//! Texts of diagrams must stay text: every character that means something to Markdown is escaped, names of
//! users (`@name`) are put into code, so that the host notifies no user, and the fence of a block is longer
//! than any in it.

use sequent_kernel::diagnostic::Severity;
use sequent_kernel::verdict::{Story, Verdict};

use crate::answers;
use crate::checked::Checked;
use crate::escape;
use crate::lines::{self, ReportLine};

/// The longest comment, in bytes; GitHub takes a little more.
const LIMIT: usize = 60_000;

/// Findings and checks that are not as they should be, and their runs; `draw` writes a run in Mermaid.
pub fn check(checked: &Checked<'_>, draw: &dyn Fn(&Story) -> String) -> String {
    let rows = lines::rows(checked);
    let mut comment = Comment::new(format!("### Sequent: {}\n", summary(checked)));
    if !rows.is_empty() {
        comment.text += "\n| | where | what |\n|---|---|---|\n";
    }
    for row in &rows {
        comment.add(&cells(checked, row));
    }
    comment.close("\n", ["finding is", "findings are"]);
    for (title, story) in runs(checked) {
        let heading = format!("<details open><summary>{}</summary>", text(&title));
        let drawing = answers::captioned(story, &story.drawing.name);
        let diagram = draw(&Story { drawing, ..story.clone() });
        comment.add(&format!("\n{heading}\n\n{}\n</details>\n", block(&diagram)));
    }
    comment.close("\n", ["run is", "runs are"]);
    comment.text
}

/// A text that grows up to the limit.
struct Comment {
    text: String,
    missing: usize,
}

impl Comment {
    fn new(text: String) -> Comment {
        Comment { text, missing: 0 }
    }

    /// Adds a part if it fits.
    fn add(&mut self, part: &str) {
        if self.text.len() + part.len() <= LIMIT {
            self.text += part;
        } else {
            self.missing += 1;
        }
    }

    /// Tells how many parts did not fit.
    fn close(&mut self, before: &str, [one, many]: [&str; 2]) {
        if self.missing > 0 {
            let what = if self.missing == 1 { one } else { many };
            self.text += &format!("{before}{} more {what} not shown here.\n", self.missing);
        }
        self.missing = 0;
    }
}

fn summary(checked: &Checked<'_>) -> String {
    let bad = || checked.answers.iter().filter(|answer| checked.is_bad(answer));
    let open = bad().filter(|answer| matches!(answer.verdict, Verdict::Unknown(_))).count();
    let found = |severity| checked.diagnostics.iter().filter(|finding| finding.severity == severity).count();
    let numbers = [
        (bad().count() - open, "check failed", "checks failed"),
        (open, "check undecided", "checks undecided"),
        (found(Severity::Error), "error", "errors"),
        (found(Severity::Warning), "warning", "warnings"),
        (found(Severity::Hint), "hint", "hints"),
    ];
    let some = numbers.iter().filter(|(number, ..)| *number > 0);
    let told: Vec<String> = some
        .map(|(number, one, many)| format!("{number} {}", if *number == 1 { one } else { many }))
        .collect();
    if told.is_empty() { "no problems found".to_owned() } else { told.join(", ") }
}

fn cells(checked: &Checked<'_>, row: &ReportLine) -> String {
    let place = row.span.map(|span| {
        let (file, line, _) = checked.place(span);
        text(&format!("{file}:{line}"))
    });
    let hint = row.hint.as_ref().map(|hint| format!("<br>{}", text(hint))).unwrap_or_default();
    let (severity, title) = (row.severity.name(), text(&row.title));
    format!("| {severity} {title} | {} | {}{hint} |\n", place.unwrap_or_default(), text(&row.message))
}

/// The runs of errors and of checks that are not as they should be, each once.
fn runs<'a>(checked: &Checked<'a>) -> Vec<(String, &'a Story)> {
    let bad = checked.answers.iter().filter(|answer| checked.is_bad(answer));
    let asked = bad.filter_map(|answer| Some((answers::line(answer), answer.verdict.story()?)));
    let errors = checked.diagnostics.iter().filter(|finding| finding.severity == Severity::Error);
    let found = errors
        .filter_map(|finding| Some((finding.message.clone(), checked.stories.get(&finding.identity())?)));
    let mut runs: Vec<(String, &Story)> = Vec::new();
    for (title, story) in asked.chain(found) {
        if !runs.iter().any(|(_, other)| *other == story) {
            runs.push((title.trim_end().to_owned(), story));
        }
    }
    runs
}

/// A block of Mermaid.
fn block(diagram: &str) -> String {
    let longest = diagram.split(|c| c != '`').map(str::len).max().unwrap_or_default();
    let fence = "`".repeat(3.max(longest + 1));
    format!("{fence}mermaid\n{}\n{fence}\n", escape::code(diagram.trim_end()))
}

/// A text within a line of Markdown. What stands in backticks becomes code, if every backtick has a partner.
fn text(words: &str) -> String {
    let words = escape::line(words);
    let parts: Vec<&str> = words.split('`').collect();
    if parts.len().is_multiple_of(2) {
        return plain(&words);
    }
    let one = |(at, part): (usize, &&str)| if at % 2 == 1 { code(part) } else { plain(part) };
    parts.iter().enumerate().map(one).collect()
}

/// Words that are neither markup nor the name of a user.
fn plain(words: &str) -> String {
    let one = |c: char| match c {
        '@' => "<code>@</code>".to_owned(),
        '<' => "&lt;".to_owned(),
        '>' => "&gt;".to_owned(),
        '&' => "&amp;".to_owned(),
        sign @ ('.' | ',' | '\'' | '-' | '(' | ')' | '"' | '?' | '=' | '/') => sign.to_string(),
        sign if sign.is_ascii_punctuation() => format!("\\{sign}"),
        letter => letter.to_string(),
    };
    // An address in a text is no link.
    words.chars().map(one).collect::<String>().replace("www.", "www\\.")
}

/// Code, as HTML: in a table and in a heading it is the same everywhere.
fn code(words: &str) -> String {
    let one = |c: char| match c {
        '<' => "&lt;".to_owned(),
        '>' => "&gt;".to_owned(),
        '&' => "&amp;".to_owned(),
        sign if sign.is_ascii_punctuation() => format!("&#{};", u32::from(sign)),
        letter => letter.to_string(),
    };
    format!("<code>{}</code>", words.chars().map(one).collect::<String>())
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use sequent_kernel::diagnostic::{Code, Diagnostic};
    use sequent_kernel::source::{Sources, Span};

    use super::*;

    fn told(messages: &[String]) -> String {
        let mut sources = Sources::new();
        let file = sources.add("a|b.puml", "x\nactivate b\n");
        let one = |message: &String| {
            Diagnostic::new(Code::UnbalancedActivation, Span::new(file, 2, 12), message).hint("end `it`")
        };
        let diagnostics: Vec<Diagnostic> = messages.iter().map(one).collect();
        let checked = Checked {
            answers: &[],
            fixes: &[],
            diagnostics: &diagnostics,
            stories: &BTreeMap::new(),
            examples: &[],
            sources: &sources,
            denies_vacuous: false,
        };
        check(&checked, &|_| String::new())
    }

    #[test]
    fn what_diagrams_say_stays_text() {
        let hostile = "`<b>|` is ![x](https://x.y) for @team, www.x.y\n# </details>";
        assert_eq!(
            told(&[hostile.to_owned()]),
            "### Sequent: 1 warning\n\n| | where | what |\n|---|---|---|\n\
             | warning W201 | a\\|b.puml\\:2 | <code>&lt;b&gt;&#124;</code> is \\!\\[x\\](https\\://x.y) for \
             <code>@</code>team, www\\.x.y \\# &lt;/details&gt;<br>end <code>it</code> |\n"
        );
        assert_eq!(told(&[]), "### Sequent: no problems found\n");
    }

    #[test]
    fn a_fence_is_longer_than_those_inside() {
        assert_eq!(block("a\n````\n"), "`````mermaid\na\n````\n`````\n");
    }

    #[test]
    fn what_does_not_fit_is_counted() {
        let comment = told(&vec!["long ".repeat(1000); 20]);
        assert!(comment.len() < 65_536);
        assert!(comment.ends_with("\n9 more findings are not shown here.\n"), "{comment}");
    }
}
