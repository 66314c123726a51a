//! The result of a check with one line for each finding: for editors and scripts, and as annotations on GitHub.
//!
//! GitHub's form is `::error file=a.puml,line=3,col=1,title=W201::message`; in it `%`, line breaks, and in properties `:` and `,`
//! are written as `%25` and so on.

use sequent_kernel::diagnostic::{Diagnostic, Severity};
use sequent_kernel::source::Span;
use sequent_kernel::verdict::{Answer, Verdict};

use crate::checked::Checked;
use crate::{answers, escape};

/// `file:line:column: CODE message`, for findings and for checks that are not as they should be.
pub fn concise(checked: &Checked<'_>) -> String {
    let one = |row: ReportLine| {
        let (file, line, column) = row.span.map_or(("", 0, 0), |span| checked.place(span));
        escape::line(&format!("{file}:{line}:{column}: {} {}", row.title, row.message)).into_owned() + "\n"
    };
    rows(checked).into_iter().map(one).collect()
}

/// Commands to GitHub that annotate lines of a pull request.
pub fn github(checked: &Checked<'_>) -> String {
    rows(checked).into_iter().map(|row| annotation(checked, &row)).collect()
}

/// A finding, or a check that is not as it should be.
pub(crate) struct ReportLine {
    pub span: Option<Span>,
    pub severity: Severity,
    pub title: String,
    pub message: String,
    pub hint: Option<String>,
}

/// What every report of lines tells.
pub(crate) fn rows(checked: &Checked<'_>) -> Vec<ReportLine> {
    let found = checked.diagnostics.iter().map(|finding: &Diagnostic| ReportLine {
        span: Some(finding.span),
        severity: finding.severity,
        title: finding.name(),
        message: finding.message.clone(),
        hint: finding.hint.clone(),
    });
    let bad = checked.answers.iter().filter(|answer| checked.is_bad(answer));
    let asked = bad.map(|answer: &Answer| ReportLine {
        span: answer.place.map(|place| place.0),
        severity: match &answer.verdict {
            Verdict::Unknown(_) => Severity::Warning,
            Verdict::Holds(_) | Verdict::Fails(_) => Severity::Error,
        },
        title: format!("check/{}", answer.kind),
        message: answers::line(answer).trim_end().to_owned(),
        hint: None,
    });
    found.chain(asked).collect()
}

fn annotation(checked: &Checked<'_>, row: &ReportLine) -> String {
    let level = match row.severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Hint => "notice",
    };
    let place = row.span.map(|span| {
        let (file, line, column) = checked.place(span);
        format!("file={},line={line},col={column},", property(&escape::code(file)))
    });
    let message = match &row.hint {
        Some(hint) => format!("{}\n{}", escape::line(&row.message), escape::line(hint)),
        None => escape::line(&row.message).into_owned(),
    };
    let message = escape::without_hashes(&message, "\\u{23}");
    format!("::{level} {}title={}::{}\n", place.unwrap_or_default(), property(&row.title), data(&message))
}

/// A message within a command.
fn data(text: &str) -> String {
    text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

/// The value of a property of a command. File names keep their line breaks, so that GitHub finds the file.
fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use sequent_kernel::diagnostic::Code;
    use sequent_kernel::source::Sources;

    use super::*;

    #[test]
    fn one_line_for_each() {
        let mut sources = Sources::new();
        let file = sources.add("a,b:50%\u{1b}.puml", "x\nactivate b\n");
        let finding = Diagnostic::new(
            Code::UnbalancedActivation,
            Span::new(file, 2, 12),
            "`a\nb` is 100% ##[x] active",
        )
        .hint("add ::end");
        let checked = Checked {
            answers: &[],
            fixes: &[],
            diagnostics: &[finding],
            stories: &BTreeMap::new(),
            examples: &[],
            sources: &sources,
            denies_vacuous: false,
        };
        assert_eq!(concise(&checked), "a,b:50%\\u{1b}.puml:2:1: W201 `a b` is 100% ##[x] active\n");
        assert_eq!(
            github(&checked),
            "::warning file=a%2Cb%3A50%25\\u{1b}.puml,line=2,col=1,title=W201::`a b` is 100%25 \\u{23}#[x] active%0Aadd ::end\n"
        );
    }
}
