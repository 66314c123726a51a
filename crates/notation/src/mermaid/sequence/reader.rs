//! The state of reading a sequence diagram: tokens, names, texts, and what happens when something is wrong.

use std::collections::HashSet;
use std::ops::Range;

use sequent_kernel::diagnostic::{Code, Diagnostic, Remedy, Severity};
use sequent_kernel::source::Span;

use super::kind::SequenceTokenKind;
use super::numbering::MessageCount;
use super::token::{SequenceLexer, SequenceToken};
use super::word::BLOCK_WORDS;
use crate::keywords::{instead_of, is_foreign_end};
use crate::mermaid::script::MermaidScript;
use crate::mermaid::text::{decode, trim};
use crate::mermaid::trivia;
use crate::tree::sequence::{BlockKeyword, SequenceStatement};
use crate::tree::{Name, Statement, StatementKind, Text};

/// The state of reading.
pub(super) struct SequenceReader<'a> {
    pub(super) script: &'a MermaidScript<'a>,
    lexer: SequenceLexer<'a>,
    peeked: Option<SequenceToken>,
    /// Where the last token that was taken ends.
    pub(super) previous_end: usize,
    pub(super) statements: Vec<Statement<SequenceStatement>>,
    pub(super) diagnostics: &'a mut Vec<Diagnostic>,
    /// Open blocks with the place of their first line; `None` is a box.
    pub(super) open: Vec<(Option<BlockKeyword>, Span)>,
    /// Participants named so far.
    pub(super) named: HashSet<String>,
    pub(super) count: MessageCount,
    /// The statement of an `accTitle` that stands for the missing title.
    pub(super) accessible_title: Option<usize>,
    /// Whether the diagram has a title of its own.
    pub(super) has_title: bool,
    /// Lines that would open a block in other languages (`if`), whose `end` is not yet there.
    pub(super) foreign: usize,
}

/// Why a statement cannot be read, and where.
pub(super) struct SequenceProblem {
    /// The offending token.
    at: usize,
    pub(super) diagnostic: Diagnostic,
}

impl SequenceProblem {
    pub(super) fn code(mut self, code: Code) -> Self {
        self.diagnostic.code = code;
        self
    }

    pub(super) fn hint(mut self, hint: impl Into<String>) -> Self {
        self.diagnostic = self.diagnostic.hint(hint);
        self
    }

    pub(super) fn meant(mut self, wrong: &str, right: &str) -> Self {
        self.diagnostic = self.diagnostic.meant(wrong, right);
        self
    }
}

/// How many lines are looked at for the end of a note.
const LONGEST_NOTE: usize = 100;

impl<'a> SequenceReader<'a> {
    /// A reader at the start of a diagram.
    pub(super) fn new(script: &'a MermaidScript<'a>, diagnostics: &'a mut Vec<Diagnostic>) -> Self {
        SequenceReader {
            script,
            lexer: SequenceLexer::new(&script.text),
            peeked: None,
            previous_end: 0,
            statements: Vec::new(),
            diagnostics,
            open: Vec::new(),
            named: HashSet::new(),
            count: MessageCount::default(),
            accessible_title: None,
            has_title: script.title.is_some(),
            foreign: 0,
        }
    }

    /// Something mermaid skips without a word.
    pub(super) fn skipped(&mut self, token: SequenceToken) {
        self.push(token.start..token.end, StatementKind::Unknown);
        let shown = self.shown(token);
        let span = self.script.span(token.start..token.end);
        let diagnostic =
            Diagnostic::new(Code::Syntax, span, format!("{shown} means nothing here and is skipped"));
        self.diagnostics.push(diagnostic.severity(Severity::Warning));
    }

    /// Reports why a statement cannot be read and goes on with the next line.
    pub(super) fn give_up(&mut self, start: usize, problem: SequenceProblem) {
        let diagnostic = self.told(start, problem.diagnostic);
        self.diagnostics.push(diagnostic);
        self.peeked = None;
        self.lexer.skip_line(problem.at.max(start));
        let end = self.lexer.offset().max(start);
        let text = self.script.text[start..end].trim_end();
        let end = start + text.len();
        let kind = match self.open.last() {
            Some((Some(_), _)) if is_foreign_end(text) => {
                self.open.pop();
                StatementKind::Item(SequenceStatement::Close)
            }
            Some((None, _)) if is_foreign_end(text) => {
                self.open.pop();
                StatementKind::Item(SequenceStatement::BoxEnd)
            }
            Some(_) | None => StatementKind::Unknown,
        };
        self.push(start..end, kind);
        self.previous_end = self.lexer.offset();
    }

    /// A problem in the words of what was probably meant: a semicolon in a text, or a block of another language.
    fn told(&mut self, start: usize, diagnostic: Diagnostic) -> Diagnostic {
        let before = self.script.text[..start].trim_end_matches([' ', '\t']);
        if before.ends_with("//") && before.lines().next_back().is_some_and(|line| line.trim() == "//") {
            // Both slashes were skipped with a warning each.
            let mark = self.script.span(before.len() - 2..before.len());
            let is_mark = |one: &Diagnostic| {
                one.span.file == mark.file && mark.start <= one.span.start && one.span.end <= mark.end
            };
            self.diagnostics.retain(|one| !is_mark(one));
            let end =
                start + self.script.text[start..].lines().next().map_or(0, |line| line.trim_end().len());
            let span = self.script.span(before.len() - 2..end);
            let message = "`//` does not begin a comment in Mermaid";
            return Diagnostic::new(Code::Syntax, span, message).hint("write `%%` before a comment");
        }
        if let Some(before) = before.strip_suffix(';') {
            let span = self.script.span(before.len()..before.len() + 1);
            return Diagnostic::new(
                Code::Syntax,
                span,
                "`;` ends the statement here, and what follows is not a statement",
            )
            .hint("write `#59;` for a semicolon in a text")
            .remedy(Remedy::Replace("#59;".to_owned()));
        }
        let line = self.script.text[start..].lines().next().unwrap_or_default().trim_end();
        if is_foreign_end(line) && !self.open.is_empty() {
            return diagnostic.meant(line, "end");
        }
        if let Some(Remedy::Respell(_, word)) = diagnostic.remedy.as_deref()
            && BLOCK_WORDS.contains(&word.as_str())
        {
            self.foreign += 1;
            return diagnostic;
        }
        let word = self.script.text[start..].split(|c: char| !c.is_alphanumeric()).next().unwrap_or_default();
        let Some(instead) = instead_of(word).filter(|_| diagnostic.code == Code::Syntax) else {
            return diagnostic;
        };
        self.foreign += 1;
        let message = format!("Mermaid has no `{word}`");
        Diagnostic { message, ..diagnostic }.hint(instead)
    }

    /// The next token, comments aside.
    pub(super) fn peek(&mut self) -> SequenceToken {
        if let Some(token) = self.peeked {
            return token;
        }
        loop {
            let token = self.lexer.next();
            if matches!(token.kind, SequenceTokenKind::Comment) {
                self.push(token.start..token.end, trivia::comment(self.script, token.start..token.end));
                continue;
            }
            self.peeked = Some(token);
            return token;
        }
    }

    /// Takes the next token.
    pub(super) fn advance(&mut self) -> SequenceToken {
        let token = self.peek();
        self.peeked = None;
        if !matches!(token.kind, SequenceTokenKind::Newline | SequenceTokenKind::End) {
            self.previous_end = token.end;
        }
        token
    }

    /// A participant's name.
    pub(super) fn name(&mut self, what: &str) -> Result<Name, SequenceProblem> {
        let token = self.peek();
        if !matches!(token.kind, SequenceTokenKind::Name) {
            let shown = self.shown(token);
            let problem = self.problem(token, format!("{what} is wanted here, not {shown}"));
            let is_word = matches!(token.kind, SequenceTokenKind::Word(_));
            return Err(if is_word { problem.hint(KEYWORD_HINT) } else { problem });
        }
        self.advance();
        let text = self.text_between(token.start..token.end);
        Ok(Name { text: text.text, label: None, span: text.span })
    }

    /// Remembers that a participant was named.
    pub(super) fn mentioned(&mut self, name: &Name) {
        if !self.named.contains(&name.text) {
            self.named.insert(name.text.clone());
        }
    }

    /// The text after a colon.
    pub(super) fn label(&mut self, what: &str, form: &str) -> Result<Text, SequenceProblem> {
        let token = self.peek();
        if !matches!(token.kind, SequenceTokenKind::Text) {
            return Err(self.problem(token, format!("{what} has no text")).hint(format!("add `{form}`")));
        }
        self.advance();
        Ok(self.text_of(token.start + 1..token.end))
    }

    /// The problem of a note without text that has it on the lines below, as PlantUML's notes do: these belong to it, up to `end note`.
    pub(super) fn note_of_lines(&self, problem: SequenceProblem) -> SequenceProblem {
        let mut at = problem.at;
        for line in self.script.text[problem.at..].split_inclusive('\n').take(LONGEST_NOTE) {
            let text = trim(line);
            if text.eq_ignore_ascii_case("end note") || text.eq_ignore_ascii_case("endnote") {
                return SequenceProblem { at, ..problem }.hint(
                    "Mermaid's notes have one line: `note over a: first<br/>second`, without `end note`",
                );
            }
            if text.contains("->") {
                break;
            }
            at += line.len();
        }
        problem
    }

    /// The end of a statement. A blank before a line break swallows it in mermaid; what was meant is plain.
    pub(super) fn newline(&mut self) -> Result<(), SequenceProblem> {
        let token = self.peek();
        match token.kind {
            SequenceTokenKind::Newline | SequenceTokenKind::End => {
                self.advance();
                Ok(())
            }
            _ if self.script.text[self.previous_end..token.start].contains('\n') => {
                let span = self.script.span(self.previous_end..self.previous_end + 1);
                let message = "a blank at the end of this line makes mermaid read on in the next line";
                let diagnostic = Diagnostic::new(Code::Tolerated, span, message)
                    .hint("remove the blank")
                    .remedy(Remedy::Replace(String::new()));
                self.diagnostics.push(diagnostic);
                Ok(())
            }
            _ => {
                let shown = self.shown(token);
                Err(self.problem(token, format!("the statement should end before {shown}")))
            }
        }
    }

    pub(super) fn end_item(&mut self, start: usize, item: SequenceStatement) -> Result<(), SequenceProblem> {
        self.newline()?;
        self.push(start..self.previous_end, StatementKind::Item(item));
        Ok(())
    }

    pub(super) fn push(&mut self, range: Range<usize>, kind: StatementKind<SequenceStatement>) {
        let span = self.script.span(range.clone());
        let lines = self.script.whole_lines(range);
        self.statements.push(Statement { span, lines, kind });
    }

    pub(super) fn problem(&self, token: SequenceToken, message: impl Into<String>) -> SequenceProblem {
        let end = token.start + self.script.text[token.start..token.end].trim_end().len();
        let span = self.script.span(token.start..end);
        SequenceProblem { at: token.start, diagnostic: Diagnostic::new(Code::Syntax, span, message) }
    }

    /// A text without blanks around it and without `wrap:` in front.
    pub(super) fn text_of(&self, range: Range<usize>) -> Text {
        let text = trim(&self.script.text[range.clone()]);
        let bare = text.strip_prefix(':').unwrap_or(text);
        let bare = bare.strip_prefix("wrap:").or_else(|| bare.strip_prefix("nowrap:"));
        let text = bare.map_or(text, trim);
        let start = text.as_ptr() as usize - self.script.text.as_ptr() as usize;
        self.text_between(start..start + text.len())
    }

    pub(super) fn text_between(&self, range: Range<usize>) -> Text {
        let whole = &self.script.text[range.clone()];
        let text = trim(whole);
        let start = range.start + (text.as_ptr() as usize - whole.as_ptr() as usize);
        Text { text: decode(text), span: self.script.span(start..start + text.len()) }
    }

    /// A token as messages name it.
    pub(super) fn shown(&self, token: SequenceToken) -> String {
        match token.kind {
            SequenceTokenKind::Newline => "the end of the line".to_owned(),
            SequenceTokenKind::End | SequenceTokenKind::Unreadable => "the end".to_owned(),
            _ => format!("`{}`", decode(trim(&self.script.text[token.start..token.end]))),
        }
    }
}

pub(super) const KEYWORD_HINT: &str =
    "it is a keyword; call the participant something else and show the word with `participant x as ..`";
