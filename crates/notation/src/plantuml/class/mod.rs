//! Class and object diagrams as PlantUML reads them.
//!
//! Bodies are read line by line up to a lone `}`; each line is a member, whatever it says, and is interpreted when the
//! diagram is resolved. Elements of other diagrams (`actor`, `usecase` ..) are none of a class diagram here.

mod declaration;
mod relation;

use sequent_kernel::diagnostic::{Code, Diagnostic, Severity};
use sequent_kernel::meter;
use sequent_kernel::source::Span;

use super::common::scan::{Scan, is_space, is_word, trim};
use super::common::{self, text};
use super::note;
use crate::line::Line;
use crate::tree::class::{ClassNote, ClassNoteTarget, ClassStatement};
use crate::tree::{Name, Statement, StatementKind, Text};

/// The words statements of a class diagram start with.
const WORDS: &[&str] = &[
    "class",
    "abstract",
    "interface",
    "enum",
    "annotation",
    "entity",
    "struct",
    "protocol",
    "exception",
    "object",
    "map",
    "package",
    "namespace",
    "note",
    "together",
];

/// Arrows that only relations have.
const HEADS: &[&str] =
    &["<|--", "--|>", "<|..", "..|>", "-->", "<--", "*--", "--*", "o--", "--o", "..>", "<.."];

/// Reads the lines of a class or object diagram.
pub fn read(lines: &[Line], diagnostics: &mut Vec<Diagnostic>) -> Vec<Statement<ClassStatement>> {
    let mut reader = PlantumlClassReader {
        lines,
        at: 0,
        packages: Vec::new(),
        bare: None,
        statements: Vec::new(),
        diagnostics,
    };
    while reader.at < lines.len() && !meter::is_over() {
        if trim(&lines[reader.at].text).is_empty() {
            reader.at += 1;
        } else {
            reader.statement();
        }
    }
    reader.complain_of_unclosed();
    reader.statements
}

struct PlantumlClassReader<'a> {
    lines: &'a [Line],
    at: usize,
    /// The lines at which the open packages begin.
    packages: Vec<usize>,
    /// The line of a declaration without `{` below which only members and what cannot be read has come, and how much was said before.
    bare: Option<(usize, usize)>,
    statements: Vec<Statement<ClassStatement>>,
    diagnostics: &'a mut Vec<Diagnostic>,
}

impl<'a> PlantumlClassReader<'a> {
    fn line(&self) -> &'a Line {
        &self.lines[self.at]
    }

    /// Adds a statement that takes `count` lines, and goes on behind it.
    fn push(&mut self, kind: StatementKind<ClassStatement>, count: usize) {
        self.statements.push(common::statement(self.lines, self.at, count, kind));
        self.at += count;
    }

    /// Adds an item that shares its line with the item before it.
    fn push_beside(&mut self, item: ClassStatement) {
        self.statements.push(common::statement(self.lines, self.at - 1, 1, StatementKind::Item(item)));
    }

    fn statement(&mut self) {
        if is_presentation(&self.line().text) {
            return self.push(StatementKind::Presentation, 1);
        }
        if self.member() || self.class() || self.close() {
            return;
        }
        let bare = self.bare.take();
        if self.package() {
            return;
        }
        if let Some(relation) = relation::read(self.line()) {
            let kind = relation.map_or(StatementKind::Presentation, |relation| {
                StatementKind::Item(ClassStatement::Relation(Box::new(relation)))
            });
            return self.push(kind, 1);
        }
        if let Some((owner, stereotype)) = annotation(self.line()) {
            return self
                .push(StatementKind::Item(ClassStatement::Annotation { owner: Some(owner), stereotype }), 1);
        }
        if self.note() || self.association_class() {
            return;
        }
        match common::read(self.lines, self.at) {
            Some((kind, count)) => self.push(kind, count),
            None => {
                self.bare = bare;
                self.not_understood();
            }
        }
    }

    /// `A : member`, with white space around the colon.
    fn member(&mut self) -> bool {
        let line = self.line();
        let mut scan = Scan::new(&line.text);
        let name = scan
            .quoted()
            .or_else(|| Some(scan.take_while(|c| is_word(c) || c == '.')).filter(|name| !name.is_empty()));
        let Some(name) = name else { return false };
        if !(scan.spaces() && scan.literal(":") && (scan.spaces() || scan.is_done())) {
            return false;
        }
        let owner = Some(Name { text: name.to_owned(), label: None, span: line.span_of_part(name) });
        let text = Text { text: scan.rest().to_owned(), span: line.span_of_part(scan.rest()) };
        self.push(StatementKind::Item(ClassStatement::Member { owner, text }), 1);
        true
    }

    /// A declaration, with its body if it has one.
    fn class(&mut self) -> bool {
        let Some((class, closes)) = declaration::class(self.line(), self.diagnostics) else { return false };
        let opens = class.opens;
        let start = self.at;
        self.bare = (!opens && !closes).then_some((start, self.diagnostics.len()));
        self.push(StatementKind::Item(ClassStatement::Class(class)), 1);
        if closes {
            self.push_beside(ClassStatement::Close);
        } else if opens {
            self.body(start);
        }
        true
    }

    /// The members of a body up to its `}`.
    fn body(&mut self, start: usize) {
        let mut is_told = false;
        while self.at < self.lines.len() {
            let line = self.line();
            let text = trim(&line.text);
            if text == "}" {
                return self.push(StatementKind::Item(ClassStatement::Close), 1);
            }
            if !is_told && let Some(complaint) = self.body_left(start, line) {
                self.diagnostics.push(complaint);
                is_told = true;
            }
            match text {
                "" => self.at += 1,
                _ => match separator(text) {
                    Some(title) => {
                        self.push(StatementKind::Item(ClassStatement::Separator(title.to_owned())), 1)
                    }
                    None => {
                        let text = Text { text: text.to_owned(), span: line.span_of_part(text) };
                        self.push(StatementKind::Item(ClassStatement::Member { owner: None, text }), 1);
                    }
                },
            }
        }
        if !is_told {
            self.never_closed(start);
        }
    }

    /// That a line of a body is hardly meant as a member, although PlantUML takes it for one: the `}` before it is missing.
    fn body_left(&self, start: usize, line: &Line) -> Option<Diagnostic> {
        let text = trim(&line.text);
        let span = line.span_of_part(text);
        if text.starts_with('}') {
            let message = format!("`{text}` does not close the body, and is a member of it");
            let complaint = Diagnostic::new(Code::Syntax, span, message).severity(Severity::Warning);
            return Some(complaint.hint("`}` stands alone on its line"));
        }
        let declares = text.ends_with('{')
            && (declaration::class(line, &mut Vec::new()).is_some() || declaration::package(line).is_some());
        let relates =
            || HEADS.iter().any(|head| text.contains(head)) && matches!(relation::read(line), Some(Some(_)));
        if !declares && !relates() {
            return None;
        }
        let first = &self.lines[start];
        let opening = trim(&first.text);
        let message = format!("`}}` is missing: `{text}` is a member of this");
        let complaint = Diagnostic::new(Code::UnclosedBlock, first.span_of_part(opening), message);
        Some(complaint.severity(Severity::Warning).label(span, "this is a member"))
    }

    fn package(&mut self) -> bool {
        let Some((package, closes)) = declaration::package(self.line()) else { return false };
        if !closes {
            self.packages.push(self.at);
        }
        self.push(StatementKind::Item(ClassStatement::Package(package)), 1);
        if closes {
            self.push_beside(ClassStatement::Close);
        }
        true
    }

    fn close(&mut self) -> bool {
        let text = trim(&self.line().text);
        let closes_more = text.starts_with('}') && text != "}";
        if !text.starts_with('}')
            && !common::is_end_of(text, "package")
            && !common::is_end_of(text, "namespace")
        {
            return false;
        }
        let span = self.line().span_of_part(text);
        if closes_more {
            let complaint = common::not_understood(self.line(), "class diagram", WORDS);
            self.diagnostics.push(complaint.hint("`}` stands alone on its line"));
        }
        if self.packages.pop().is_none() {
            self.closes_nothing(span);
        }
        self.bare = None;
        self.push(StatementKind::Item(ClassStatement::Close), 1);
        true
    }

    /// A `}` that closes nothing: the `{` of a declaration above is missing, or a line that could not be read has it.
    fn closes_nothing(&mut self, span: Span) {
        let is_fine = |said: &[Diagnostic]| said.iter().all(|one| one.severity != Severity::Error);
        if let Some((at, said)) = self.bare.filter(|(_, said)| is_fine(&self.diagnostics[..*said])) {
            self.diagnostics.truncate(said);
            let line = &self.lines[at];
            let text = trim(&line.text);
            let complaint =
                Diagnostic::new(Code::Syntax, line.span_of_part(text), "`{` is missing: a body follows");
            self.diagnostics
                .push(complaint.hint(format!("write `{text} {{`")).label(span, "the body ends here"));
        } else if is_fine(&self.diagnostics[..]) {
            let message = "this closes nothing: no package is open";
            self.diagnostics.push(Diagnostic::new(Code::StrayEnd, span, message));
        }
    }

    fn note(&mut self) -> bool {
        let is_entity = |c: char| !is_space(c) && !matches!(c, '{' | '}' | '"' | '<' | '>');
        let note = note::read(self.lines, self.at, is_entity).or_else(|| note::data(self.lines, self.at));
        let Some(note) = note else { return false };
        let target = match note.target {
            note::NoteAnchor::Of(name) => ClassNoteTarget::Name(name),
            note::NoteAnchor::Last => ClassNoteTarget::Last,
            note::NoteAnchor::LastLink => ClassNoteTarget::LastRelation,
            note::NoteAnchor::Floating(name) => ClassNoteTarget::Floating(Some(name)),
        };
        self.push(
            StatementKind::Item(ClassStatement::Note(ClassNote { target, look: note.look, text: note.text })),
            note.count,
        );
        true
    }

    /// `(A, B) .. C`, which the model has no place for.
    fn association_class(&mut self) -> bool {
        let line = self.line();
        let text = trim(&line.text);
        let couple = |text: &str| text.starts_with('(') && text.contains(',') && text.contains(')');
        let is_line = text.contains("--") || text.contains("..");
        let ends_so = text.rfind('(').is_some_and(|at| couple(&text[at..]) && text.ends_with(')'));
        if !is_line || !(couple(text) || ends_so) {
            return false;
        }
        let message = "association classes are not kept in the model";
        self.diagnostics.push(Diagnostic::new(Code::Unsupported, line.span_of_part(text), message));
        self.push(StatementKind::Presentation, 1);
        true
    }

    fn not_understood(&mut self) {
        let line = self.line();
        let (count, complaint) =
            common::unread(self.lines, self.at, || common::not_understood(line, "class diagram", WORDS));
        self.diagnostics.push(complaint);
        self.push(StatementKind::Unknown, count);
    }

    fn never_closed(&mut self, start: usize) {
        let line = &self.lines[start];
        let text = trim(&line.text);
        let message = format!("`{text}` is never closed: `}}` is missing");
        self.diagnostics.push(Diagnostic::new(Code::UnclosedBlock, line.span_of_part(text), message));
    }

    fn complain_of_unclosed(&mut self) {
        for start in std::mem::take(&mut self.packages) {
            self.never_closed(start);
        }
    }
}

/// A line across a body: `--`, `.. title ..`, `==`, `__`; its title.
fn separator(line: &str) -> Option<&str> {
    let sign = line.get(..2).filter(|sign| matches!(*sign, "--" | ".." | "==" | "__"))?;
    let inside = line.trim_matches(|c| sign.starts_with(c)).trim();
    (line.ends_with(sign)).then_some(inside)
}

/// `A <<stereotype>>`
fn annotation(line: &Line) -> Option<(Name, String)> {
    let mut scan = Scan::new(&line.text);
    let name = match scan.quoted() {
        Some(name) => name,
        None => Some(scan.take_while(|c| is_word(c) || c == '.')).filter(|name| !name.is_empty())?,
    };
    let stereotypes = scan.stereotypes();
    let name = Name { text: text::unescape(name), label: None, span: line.span_of_part(name) };
    (scan.is_done() && !stereotypes.is_empty()).then(|| (name, stereotypes.join(">> <<")))
}

/// Statements that concern only how the diagram looks.
fn is_presentation(line: &str) -> bool {
    let mut scan = Scan::new(line);
    let hides = scan.one_of(&["hide", "show", "remove", "restore"]).is_some() && scan.spaces();
    let text = trim(line);
    let mixing =
        ["allowmixing", "allow_mixing", "newpage"].iter().any(|word| text.eq_ignore_ascii_case(word));
    let constraint = Scan::new(line).keyword("constraint") && text.contains(':');
    (hides && !scan.rest().starts_with(':'))
        || mixing
        || constraint
        || note::is_presentation(line)
        || note::separator(line).is_some()
}

#[cfg(test)]
mod tests;
