//! Fixes: what the remedies of findings are in the text.
//!
//! A finding knows what would be right in terms of its place ([`Remedy`]). Here that becomes a change of bytes, made of what stands in
//! the file: a word is changed only where it stands in the place once, a name only if every mention of it can be changed, a line
//! is added with the indentation and the line ending of its neighbours. Everything else stays as it is. What is not plain is not
//! fixed: text that a macro made, included files that are not given, UML models.

use std::collections::BTreeMap;
use std::sync::Arc;

use sequent_kernel::diagnostic::{Code, Diagnostic, Edit, Fix, Remedy, Severity, slip_of};
use sequent_kernel::source::{FileId, Source, Sources, Span};
use sequent_notation::tree::names::names;
use sequent_notation::tree::{DiagramBlock, Document};

use crate::finding::is_unread;

/// Names of so few letters may well be one letter apart.
const SHORT: usize = 5;

/// The words that divide a block, which stand as far to the left as its first line.
const DIVIDERS: &[&str] = &["else", "and", "option", "also", "--", "||"];

/// The change that does away with a finding, if it is known.
pub fn fix(finding: &Diagnostic, documents: &[Arc<Document>], sources: &Sources) -> Option<Fix> {
    let place = finding.span;
    let is_model = |document: &Arc<Document>| document.file == place.file && document.model.is_some();
    if documents.iter().any(is_model) {
        return None;
    }
    let block = documents.iter().flat_map(|document| &document.blocks).find(|one| one.span.encloses(place));
    let is_wrong = finding.own == Severity::Error;
    let changed = |wrong: &str, right: &str, edits: Vec<Edit>| Fix {
        title: format!("Change `{wrong}` to `{right}`"),
        edits,
        is_certain: is_wrong || is_plain_slip(wrong, right),
    };
    let added =
        |line: &str, edit: Edit| Fix { title: format!("Add `{line}`"), edits: vec![edit], is_certain: true };
    match finding.remedy.as_deref()? {
        Remedy::Respell(wrong, right) => {
            let span = only_word(sources, place, wrong)?;
            fits(sources, span, right)
                .then(|| changed(wrong, right, vec![Edit { span, text: right.clone() }]))
        }
        Remedy::Rename(wrong, right) => Some(changed(wrong, right, mentions(block?, sources, wrong, right)?)),
        Remedy::Replace(text) => {
            let old = sources.text(place);
            let is_line = !old.is_empty() && !old.contains('\n');
            let title = match text.as_str() {
                "" => "Remove it".to_owned(),
                text => format!("Change `{old}` to `{text}`"),
            };
            let edits = vec![Edit { span: place, text: text.clone() }];
            is_line.then_some(Fix { title, edits, is_certain: true })
        }
        Remedy::Close(line) => Some(added(line, close(block?, place, sources, line)?)),
        Remedy::Finish(line) => {
            let block = block?;
            let source = sources.get(block.span.file);
            let last = last_line(source, block.span);
            Some(added(line, after(sources, block.span.file, last, quotation(source.line(last)), line)))
        }
        Remedy::Follow(place, line) => {
            let block = block.filter(|block| block.span.encloses(*place))?;
            let source = sources.get(block.span.file);
            let at = source.position(place.end.max(place.start + 1) - 1).line;
            let is_name = |c: char| c.is_alphanumeric() || c == '_' || c == ' ';
            let edit = after(sources, block.span.file, at, indentation(source.line(at)), line);
            line.chars().all(is_name).then(|| added(line, edit))
        }
        Remedy::Remove => {
            let span = whole_line(sources, place)?;
            let edits = vec![Edit { span, text: String::new() }];
            // A statement that does nothing may be meant for something else; a comment is for this command alone.
            let is_certain = finding.code == Code::IdleSuppression;
            Some(Fix { title: "Remove this line".to_owned(), edits, is_certain })
        }
    }
}

/// Whether a fix of a finding lets the lines around be read, in which other findings then come to light. Whether blocks
/// are closed shows before.
pub fn reveals(finding: &Diagnostic, other: &Diagnostic) -> bool {
    let is_of_blocks = [Code::UnclosedBlock, Code::StrayEnd, Code::StrayElse].contains(&other.code);
    is_unread(finding.code) && !is_of_blocks
}

/// The changes of some fixes, in order; a fix that gets in the way of one before it is left out.
pub fn chosen<'f>(fixes: impl IntoIterator<Item = &'f Fix>) -> Vec<Edit> {
    let mut taken: Vec<Edit> = Vec::new();
    for fix in fixes {
        let is_free = |edit: &Edit| taken.iter().all(|other| !overlap(other.span, edit.span));
        if fix.edits.iter().all(is_free) {
            taken.extend(fix.edits.iter().cloned());
        }
    }
    taken.sort();
    taken
}

/// The texts of files after changes that stand in order.
pub fn apply(edits: &[Edit], sources: &Sources) -> BTreeMap<FileId, String> {
    let mut texts = BTreeMap::new();
    for Edit { span, text } in edits.iter().rev() {
        let whole: &mut String =
            texts.entry(span.file).or_insert_with(|| sources.get(span.file).text.to_string());
        whole.replace_range(span.range(), text);
    }
    texts
}

/// Whether two changes get in each other's way; what is added at one place has an order that nothing says.
fn overlap(one: Span, other: Span) -> bool {
    one.file == other.file && one.start <= other.end && other.start <= one.end
}

/// Whether one name is evidently a misspelling of the other.
fn is_plain_slip(wrong: &str, right: &str) -> bool {
    let is_near = wrong.chars().count() >= SHORT && slip_of(wrong, [right]).is_some();
    is_near || wrong.to_lowercase() == right.to_lowercase()
}

/// Where a word stands in a place, if it stands there once.
pub(crate) fn only_word(sources: &Sources, place: Span, word: &str) -> Option<Span> {
    let found = words(sources, place, word);
    <[Span; 1]>::try_from(found).ok().map(|[only]| only)
}

/// All places where a word stands by itself.
pub fn words(sources: &Sources, place: Span, word: &str) -> Vec<Span> {
    let text = sources.text(place);
    let is_part = |c: char| c.is_alphanumeric() || c == '_';
    let (first, last) = (word.starts_with(is_part), word.ends_with(is_part));
    let mut found = Vec::new();
    for (at, _) in text.match_indices(word).filter(|_| !word.is_empty()) {
        let end = at + word.len();
        let is_begun = first && text[..at].ends_with(is_part);
        let is_continued = last && text[end..].starts_with(is_part);
        if !is_begun && !is_continued {
            let start = place.start as usize;
            found.push(Span::new(place.file, start + at, start + end));
        }
    }
    found
}

/// Whether a text can stand where a word stands: one with other signs than a word has only in quotes.
fn fits(sources: &Sources, span: Span, text: &str) -> bool {
    let whole = &sources.get(span.file).text;
    let is_quoted = whole[..span.range().start].ends_with(['"', '\''])
        && whole[span.range().end..].starts_with(['"', '\'']);
    is_quoted || text.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '-' | '.'))
}

/// All mentions of a name in a diagram; none if one of them is not written out.
pub fn mentions(block: &DiagramBlock, sources: &Sources, name: &str, new: &str) -> Option<Vec<Edit>> {
    let mut edits = Vec::new();
    for mention in names(&block.content).into_iter().filter(|mention| mention.text == name) {
        let span = only_word(sources, mention.span, name).filter(|span| block.span.encloses(*span))?;
        edits.push(Edit { span, text: new.to_owned() });
    }
    edits.sort();
    edits.dedup();
    (!edits.is_empty()).then_some(edits)
}

/// What stands before the first word of a line: blanks, and the signs of a block quote.
pub fn indentation(line: &str) -> &str {
    &line[..line.len() - line.trim_start_matches(is_before).len()]
}

/// The signs of a block quote before a line, with the blank behind them.
fn quotation(line: &str) -> &str {
    let indentation = indentation(line);
    let end = indentation.rfind('>').map_or(0, |at| at + 1);
    if indentation[end..].starts_with(' ') && end > 0 { &line[..end + 1] } else { &line[..end] }
}

fn is_before(c: char) -> bool {
    c.is_whitespace() || c == '>'
}

/// The number of the last line of a diagram that says something.
fn last_line(source: &Source, block: Span) -> u32 {
    let mut last = source.position(block.end.max(block.start + 1) - 1).line;
    let first = source.position(block.start).line;
    while last > first && source.line(last).trim_matches(is_before).is_empty() {
        last -= 1;
    }
    last
}

/// A line behind another.
fn after(sources: &Sources, file: FileId, line: u32, indentation: &str, text: &str) -> Edit {
    let source = sources.get(file);
    let ending = if source.text.contains("\r\n") { "\r\n" } else { "\n" };
    let at = source.line_start(line + 1) as usize;
    let text = match source.text[..at].ends_with('\n') {
        true => format!("{indentation}{text}{ending}"),
        false => format!("{ending}{indentation}{text}"),
    };
    Edit { span: Span::new(file, at, at), text }
}

/// The last line of a block that has none. It stands behind the lines that are indented deeper than the first, or at the end of the
/// diagram if none is.
fn close(block: &DiagramBlock, place: Span, sources: &Sources, text: &str) -> Option<Edit> {
    let source = sources.get(place.file);
    let open = source.position(place.start).line;
    let indent = indentation(source.line(open));
    let mut last = last_line(source, block.span);
    if source.line(last).trim_start_matches(is_before).starts_with("@end") {
        last -= 1;
    }
    let is_inside = |line: &str| {
        let own = indentation(line);
        let word = &line[own.len()..];
        own.len() > indent.len() || own == indent && DIVIDERS.iter().any(|divider| word.starts_with(divider))
    };
    let mut end = None;
    for number in open + 1..=last {
        let line = source.line(number);
        let is_blank = line.trim_matches(is_before).is_empty();
        match is_blank || is_inside(line) {
            true if is_blank => {}
            true => end = Some(number),
            false => break,
        }
    }
    (open <= last).then(|| after(sources, place.file, end.unwrap_or(last), indent, text))
}

/// A line with its ending, if nothing stands in it but a place and the signs of a comment.
fn whole_line(sources: &Sources, place: Span) -> Option<Span> {
    let source = sources.get(place.file);
    let number = source.position(place.start).line;
    let (start, end) = (source.line_start(number), source.line_start(number + 1));
    let before = source.text.get(start as usize..place.start as usize)?;
    let behind = source.text.get(place.end as usize..end as usize)?;
    let is_sign = |c: char| c.is_whitespace() || "'%<!-/.#>".contains(c);
    (before.chars().all(is_sign) && behind.chars().all(is_sign))
        .then(|| Span::new(place.file, start as usize, end as usize))
}
