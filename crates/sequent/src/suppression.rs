//! Suppressions: comments that leave findings out.
//!
//! ```text
//! ' sequent: allow W203           the next line of the diagram; in Markdown, before a fence, the next diagram
//! A --> B : x /' sequent: allow W203 '/         this line
//! %% sequent: allow-file W2, H208               the whole file
//! ```
//!
//! They are found in the text, whatever the notation: a comment begins with `'`, `/'`, `%%`, `<!--`, `//`, `..` or `#`. One that
//! leaves nothing out is reported, so that none outlives what it was written for.

use sequent_kernel::diagnostic::{Code, Diagnostic, Remedy};
use sequent_kernel::source::{FileId, Source, Span};
use sequent_notation::tree::Document;

use crate::settings::lint::Selector;

const WORD: &str = "sequent:";

/// What begins a comment.
const COMMENTS: &[&str] = &["'", "%%", "<!--", "//", "..", "#"];

/// One comment.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Suppression {
    /// The codes.
    selectors: Vec<Selector>,
    /// Words that are no codes.
    unknown: Vec<String>,
    /// Where findings must begin to be left out.
    range: Span,
    /// The comment.
    place: Span,
}

impl Suppression {
    /// Whether it leaves a finding out.
    fn covers(&self, finding: &Diagnostic) -> bool {
        let Span { file, start, end } = self.range;
        finding.span.file == file
            && start <= finding.span.start
            && finding.span.start <= end
            && self.selectors.iter().any(|selector| selector.covers(finding))
    }
}

/// All comments of a file that leave findings out.
pub(crate) fn all(document: &Document, source: &Source) -> Vec<Suppression> {
    let mut found = Vec::new();
    let mut start = 0;
    for line in source.text.split_inclusive('\n') {
        found.extend(read(document, source, start, line.trim_end_matches(['\n', '\r'])));
        start += line.len();
    }
    found
}

/// Parts findings into those to report and those that comments leave out; comments that leave nothing out are reported.
pub(crate) fn part(
    found: Vec<Diagnostic>,
    suppressions: &[Suppression],
) -> (Vec<Diagnostic>, Vec<Diagnostic>) {
    let is_used = |one: &&Suppression| found.iter().any(|finding| one.covers(finding));
    let idle: Vec<Diagnostic> =
        suppressions.iter().filter(|one| !is_used(one)).map(|one| idle(one.place)).collect();
    let unknown = suppressions.iter().flat_map(|one| one.unknown.iter().map(|word| (one.place, word)));
    let unknown: Vec<Diagnostic> = unknown
        .map(|(place, word)| {
            Diagnostic::new(Code::IdleSuppression, place, format!("`{word}` is not a code"))
                .hint("`sequent explain` lists all codes")
        })
        .collect();
    let (hushed, mut rest): (Vec<_>, Vec<_>) =
        found.into_iter().partition(|finding| suppressions.iter().any(|one| one.covers(finding)));
    rest.extend(idle.into_iter().filter(|one| !unknown.iter().any(|other| other.span == one.span)));
    rest.extend(unknown);
    (rest, hushed)
}

/// That a suppression leaves nothing out.
pub(crate) fn idle(place: Span) -> Diagnostic {
    Diagnostic::new(Code::IdleSuppression, place, "this suppresses no finding")
        .hint("remove it")
        .remedy(Remedy::Remove)
}

/// The comment on a line that starts at an offset.
fn read(document: &Document, source: &Source, start: usize, line: &str) -> Option<Suppression> {
    let at = line.find(WORD)?;
    let before = line[..at].trim_end();
    let comment = COMMENTS.iter().find(|comment| before.ends_with(**comment))?;
    // Prose about such comments shows them as code.
    let is_prose = !document.blocks.iter().any(|block| block.span.contains((start + at) as u32));
    if is_prose && before.matches('`').count() % 2 == 1 {
        return None;
    }
    let said = line[at + WORD.len()..].trim_start();
    let (is_file, codes) = match said.strip_prefix("allow-file") {
        Some(codes) => (true, codes),
        None => (false, said.strip_prefix("allow")?),
    };
    let codes = codes.strip_prefix([' ', '\t', ':'])?;
    let codes = ["-->", "'/"].iter().fold(codes, |codes, end| codes.split(end).next().unwrap_or_default());
    let words = codes.split([',', ' ', '\t']).filter(|word| !word.is_empty());
    let (mut selectors, mut unknown) = (Vec::new(), Vec::new());
    for word in words {
        match Selector::new(word) {
            Some(selector) => selectors.push(selector),
            None => unknown.push(word.to_owned()),
        }
    }
    let place = Span::new(document.file, start + at, start + line.trim_end().len());
    let is_alone = says_nothing(before.trim_end_matches(*comment).trim_end_matches('/'));
    let range = match (is_file, is_alone) {
        (true, _) => Span::new(document.file, 0, source.text.len()),
        (false, false) => Span::new(document.file, start, start + line.len()),
        (false, true) => next(document, source, start + line.len()),
    };
    Some(Suppression { selectors, unknown, range, place })
}

/// Whether a line is blank, the signs of a block quote aside.
fn says_nothing(line: &str) -> bool {
    line.chars().all(|c| c.is_whitespace() || c == '>')
}

/// What follows a comment that stands alone: the next line that says something, or the next diagram if it is outside of one.
fn next(document: &Document, source: &Source, end: usize) -> Span {
    let file: FileId = document.file;
    let blocks = || document.blocks.iter().map(|block| block.span);
    if !blocks().any(|block| block.contains(end.saturating_sub(1) as u32)) {
        let later = blocks().filter(|block| block.start as usize >= end).min_by_key(|block| block.start);
        return later.unwrap_or(Span::new(file, end, end));
    }
    let mut start = end;
    for line in source.text[end..].split_inclusive('\n') {
        let is_said = !says_nothing(line) && !line.contains(WORD);
        if is_said {
            return Span::new(file, start, start + line.len());
        }
        start += line.len();
    }
    Span::new(file, end, end)
}
