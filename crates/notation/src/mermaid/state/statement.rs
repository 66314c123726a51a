//! The statements of a state diagram.

use std::collections::{HashMap, HashSet};
use std::ops::Range;

use sequent_kernel::diagnostic::{Code, Diagnostic, Severity};
use sequent_kernel::source::Span;

use super::note::Parts;
use super::token::{Lexer, Token, TokenKind};
use crate::mermaid::script::Script;
use crate::mermaid::text::{decode_escapes, is_space, is_word, trim};
use crate::mermaid::trivia;
use crate::tree::state::{Endpoint, Item, Note, NoteTarget, State, Transition};
use crate::tree::{Kind, Name, Statement, Text};

/// Reads a state diagram.
pub fn read(script: &Script, diagnostics: &mut Vec<Diagnostic>) -> Vec<Statement<Item>> {
    let mut reader = Reader {
        script,
        lexer: Lexer::new(&script.text),
        peeked: None,
        previous_end: 0,
        statements: Vec::new(),
        diagnostics,
        open: 0,
    };
    reader.diagram();
    let statements = reader.statements;
    labels(&statements, diagnostics);
    statements
}

/// A composite state has one text; mermaid refuses to draw one with more.
fn labels(statements: &[Statement<Item>], diagnostics: &mut Vec<Diagnostic>) {
    let mut texts: HashMap<&str, Vec<Span>> = HashMap::new();
    let mut composites = HashSet::new();
    for statement in statements {
        let Kind::Item(item) = &statement.kind else { continue };
        let (name, is_text) = match item {
            Item::State(state) => (&state.name, state.name.label.is_some()),
            Item::Description { name, text } => (name, !text.text.is_empty()),
            Item::Close | Item::Region | Item::Transition(_) | Item::Note(_) | Item::Separator(_) => continue,
        };
        if is_text {
            texts.entry(&name.text).or_default().push(statement.span);
        }
        if matches!(item, Item::State(state) if state.opens) {
            composites.insert(name.text.as_str());
        }
    }
    let mut seconds: Vec<(&str, &Vec<Span>)> = texts
        .iter()
        .filter(|(name, spans)| spans.len() > 1 && composites.contains(*name))
        .map(|(name, spans)| (*name, spans))
        .collect();
    seconds.sort();
    for (name, spans) in seconds {
        let message =
            format!("the composite state `{name}` has more than one text: mermaid does not draw it");
        diagnostics
            .push(Diagnostic::new(Code::Syntax, spans[1], message).label(spans[0], "the first is here"));
    }
}

/// The state of reading.
struct Reader<'a> {
    script: &'a Script<'a>,
    lexer: Lexer<'a>,
    peeked: Option<Token>,
    /// Where the last token that was taken ends.
    previous_end: usize,
    statements: Vec<Statement<Item>>,
    diagnostics: &'a mut Vec<Diagnostic>,
    /// How many composite states are open.
    open: usize,
}

/// Why a statement cannot be read: the offending token's place, and what to say.
type Problem = (usize, Diagnostic);

impl Reader<'_> {
    fn diagram(&mut self) {
        while self.peek().kind == TokenKind::Newline {
            self.advance();
        }
        let first = self.peek();
        if first.kind == TokenKind::Diagram {
            self.advance();
            self.push(first.start..first.end, Kind::Presentation);
        } else {
            let problem =
                self.problem(first, "the first word must be `stateDiagram` or `stateDiagram-v2` alone");
            self.give_up(first.start, problem);
        }
        while self.peek().kind != TokenKind::End {
            let start = self.peek().start;
            if let Err(problem) = self.statement() {
                self.give_up(start, problem);
            }
        }
    }

    fn statement(&mut self) -> Result<(), Problem> {
        let token = self.peek();
        match token.kind {
            TokenKind::Id | TokenKind::Star => return self.transition_or_state(),
            TokenKind::Composite => return self.composite(),
            TokenKind::Description => return self.described(),
            TokenKind::Click => return self.click(),
            TokenKind::Newline | TokenKind::End | TokenKind::Comment => {}
            TokenKind::Direction | TokenKind::Looks | TokenKind::Style | TokenKind::AccDescription => {
                self.push(token.start..token.end, Kind::Presentation);
            }
            TokenKind::StyleDefault => {
                self.push(token.start..token.end, Kind::Presentation);
                let message = "mermaid's state diagrams refuse `classDef default`";
                self.report(
                    Code::Tolerated,
                    token.start..token.end,
                    message,
                    "call the class something else",
                );
            }
            TokenKind::AccTitle(head) => {
                let text = self.text(token.start + head..token.end).text;
                let kind = if self.script.title.is_none() { Kind::Title(text) } else { Kind::Presentation };
                self.push(token.start..token.end, kind);
            }
            TokenKind::AccBlock(is_closed) => self.accessible(token, is_closed),
            TokenKind::Pseudo(kind, length) => {
                let name = self.name(token.start..token.start + length);
                let stereotypes = vec![kind.to_owned()];
                self.push(token.start..token.end, Kind::Item(state(name, stereotypes, None, false)));
            }
            TokenKind::Close => {
                // The line that opened it may have been given up.
                let kind = if self.open > 0 { Kind::Item(Item::Close) } else { Kind::Unknown };
                self.open = self.open.saturating_sub(1);
                self.push(token.start..token.end, kind);
            }
            TokenKind::Divider => self.push(token.start..token.end, Kind::Item(Item::Region)),
            TokenKind::Note(parts) => self.note(token, parts),
            TokenKind::Diagram => {
                let problem = self.problem(token, "a second `stateDiagram` in one block");
                return Err((problem.0, problem.1.hint("put each diagram into a block of its own")));
            }
            TokenKind::Href
            | TokenKind::Quoted
            | TokenKind::Default
            | TokenKind::As
            | TokenKind::Open
            | TokenKind::Label
            | TokenKind::Arrow
            | TokenKind::ClassMark
            | TokenKind::Invalid => return Err(self.stray(token)),
        }
        self.advance();
        Ok(())
    }

    fn accessible(&mut self, token: Token, is_closed: bool) {
        self.push(token.start..token.end, Kind::Presentation);
        if !is_closed {
            let span = self.script.span(token.start..token.start + "accDescr".len());
            let diagnostic = Diagnostic::new(Code::UnclosedBlock, span, "`accDescr {` is never closed");
            self.diagnostics.push(diagnostic.severity(Severity::Warning).hint("close it with `}`"));
        }
    }

    /// `A`, `A : text`, `A --> B`, `A --> B : text`
    fn transition_or_state(&mut self) -> Result<(), Problem> {
        let start = self.peek().start;
        let from = self.endpoint()?;
        if self.peek().kind == TokenKind::Arrow {
            self.advance();
            let to = self.endpoint()?;
            let text = self.label();
            let item = Item::Transition(Transition { from, to, text });
            self.push(start..self.previous_end, Kind::Item(item));
            return Ok(());
        }
        let text = self.label();
        let is_described = !text.text.is_empty();
        let kind = match from {
            Endpoint::Name(name) => {
                self.wonder(&name);
                let item = if is_described {
                    Item::Description { name, text }
                } else {
                    state(name, Vec::new(), None, false)
                };
                Kind::Item(item)
            }
            // The initial state alone says nothing.
            _ => Kind::Presentation,
        };
        self.push(start..self.previous_end, kind);
        Ok(())
    }

    /// Names that mermaid takes for states although people mean something else.
    fn wonder(&mut self, name: &Name) {
        let hint = match name.text.as_str() {
            "}" => "no composite state is open here; remove the bracket",
            ";" => "statements need no semicolon; remove it",
            "title" => "a title is written in a front matter: `---`, `title: ..`, `---`",
            _ => return,
        };
        let message = format!("mermaid draws `{}` as a state", name.text);
        self.diagnostics.push(Diagnostic::new(Code::Tolerated, name.span, message).hint(hint));
    }

    /// One end of a transition, with the style class behind `:::`.
    fn endpoint(&mut self) -> Result<Endpoint, Problem> {
        let token = self.peek();
        let endpoint = match token.kind {
            TokenKind::Star => Endpoint::Star,
            TokenKind::Id => self.named_end(token),
            _ => {
                let shown = self.shown(token);
                return Err(self.problem(token, format!("a state is wanted here, not {shown}")));
            }
        };
        self.advance();
        if self.peek().kind == TokenKind::ClassMark {
            self.advance();
            let class = self.peek();
            if class.kind != TokenKind::Id {
                return Err(self.problem(class, "the name of a style class is wanted after `:::`"));
            }
            self.advance();
        }
        Ok(endpoint)
    }

    /// A state, or by convention a history: `[H]`, `[H*]`, `Composite[H]`.
    fn named_end(&self, token: Token) -> Endpoint {
        let text = &self.script.text[token.start..token.end];
        let history = [("[H]", false), ("[H*]", true)].into_iter().find(|(mark, _)| text.ends_with(mark));
        match history {
            None => Endpoint::Name(self.name(token.start..token.end)),
            Some((mark, deep)) if mark.len() == text.len() => Endpoint::History { deep },
            Some((mark, deep)) => {
                Endpoint::HistoryOf { name: self.name(token.start..token.end - mark.len()), deep }
            }
        }
    }

    /// The text after a colon; empty if there is none.
    fn label(&mut self) -> Text {
        let token = self.peek();
        if token.kind != TokenKind::Label {
            let span = self.script.span(self.previous_end..self.previous_end);
            return Text { text: String::new(), span };
        }
        self.advance();
        self.text(token.start + 1..token.end)
    }

    /// `state A` with or without a body.
    fn composite(&mut self) -> Result<(), Problem> {
        let token = self.advance();
        let name = self.name(token.start..token.end);
        let next = self.peek();
        if next.kind == TokenKind::Open {
            return self.open(token.start, name);
        }
        if next.kind == TokenKind::As {
            let hint = "write `state \"text\" as name`";
            let problem = self.problem(next, "`as` needs a text in quotes before it");
            return Err((problem.0, problem.1.hint(hint)));
        }
        // A brace behind a second word: mermaid wants one word, or reads on into the next line; both are plain.
        let line = &self.script.text[token.start..];
        self.single_word(line, token);
        if next.kind == TokenKind::Composite && self.is_same_line() {
            return self.ignored(token, name, next);
        }
        self.push(token.start..token.end, Kind::Presentation);
        Ok(())
    }

    /// Mermaid's check that the name of a composite state is one word; it looks beyond the end of the line.
    fn single_word(&mut self, rest: &str, token: Token) {
        let after_word = rest.trim_start_matches(is_word);
        let second = after_word.trim_start_matches(is_space);
        let third = second.trim_start_matches(is_word);
        let has_words =
            after_word.len() < rest.len() && second.len() < after_word.len() && third.len() < second.len();
        let brace = third[..third.find('\n').unwrap_or(third.len())].contains('{');
        if has_words && brace {
            let message = "mermaid takes this and the next composite state for one name of several words";
            let hint = "remove the line: a state needs no declaration";
            self.report(Code::Tolerated, token.start..token.end, message, hint);
        }
    }

    /// `state A : text` and the like: mermaid ignores the whole line, and with it what people mean.
    fn ignored(&mut self, token: Token, name: Name, next: Token) -> Result<(), Problem> {
        let mut end = next.end;
        while self.peek().kind == TokenKind::Composite && self.is_same_line() {
            end = self.advance().end;
        }
        if self.peek().kind == TokenKind::Open && self.is_same_line() {
            let range = token.start..end;
            let message = "the name of a composite state must be one word";
            let hint = format!("write `state \"{}\" as name {{`", trim(&self.script.text[range.clone()]));
            self.report(Code::Tolerated, range.clone(), message, hint);
            let name = Name { text: trim(&self.script.text[range]).to_owned(), ..name };
            return self.open(token.start, name);
        }
        let rest = trim(&self.script.text[token.end..end]);
        if let Some(word) = rest.strip_prefix("<<").and_then(|rest| rest.strip_suffix(">>")) {
            // Mermaid knows three such words; the others are read by convention.
            let stereotypes = vec![word.to_owned()];
            self.push(token.start..end, Kind::Item(state(name, stereotypes, None, false)));
            return Ok(());
        }
        self.push(token.start..end, Kind::Presentation);
        let message = format!("mermaid ignores this line and what it says about `{}`", name.text);
        let hint = format!("write `{} : text`, or `state \"text\" as {}`", name.text, name.text);
        self.report(Code::Tolerated, token.start..end, message, hint);
        Ok(())
    }

    /// `state "text" as A`, perhaps with a body.
    fn described(&mut self) -> Result<(), Problem> {
        let token = self.advance();
        let label = self.text(token.start + 1..token.end - 1).text;
        let as_word = self.peek();
        if as_word.kind != TokenKind::As {
            let problem = self.problem(as_word, "`as` and a name are wanted after the text");
            return Err((problem.0, problem.1.hint("write `state \"text\" as name`")));
        }
        self.advance();
        let id = self.advance();
        let opens = self.peek().kind == TokenKind::Open;
        let text = &self.script.text[id.start..id.end];
        let name_end = if opens { id.end } else { id.start + text.find(':').unwrap_or(text.len()) };
        let mut name = self.name(id.start..name_end);
        name.label = Some(label);
        if opens {
            return self.open(token.start, name);
        }
        // Of several texts after colons mermaid takes the first.
        let rest = text.get(name_end - id.start + 1..).map(|rest| rest.split(':').next().unwrap_or_default());
        let description = rest.map(|rest| self.text(name_end + 1..name_end + 1 + rest.len()));
        let description = description.filter(|text| !text.text.is_empty());
        self.push(token.start..id.end, Kind::Item(state(name, Vec::new(), description, false)));
        Ok(())
    }

    fn open(&mut self, start: usize, name: Name) -> Result<(), Problem> {
        let brace = self.advance();
        self.push(start..brace.end, Kind::Item(state(name, Vec::new(), None, true)));
        self.open += 1;
        Ok(())
    }

    fn note(&mut self, token: Token, parts: Parts) {
        let at = |[start, end]: [usize; 2]| token.start + start..token.start + end;
        let name = self.name(at(parts.name));
        let target = if parts.attached { NoteTarget::Name(name) } else { NoteTarget::Floating(Some(name)) };
        let mut text = self.text(at(parts.text));
        text.text = text.text.lines().map(trim).collect::<Vec<_>>().join("\n");
        self.push(token.start..token.end, Kind::Item(Item::Note(Note { target, text })));
    }

    /// `click A href "url"`, `click A "url" "tip"`
    fn click(&mut self) -> Result<(), Problem> {
        let start = self.advance().start;
        self.endpoint()?;
        let first = self.advance();
        let second = self.advance();
        let fits =
            matches!(first.kind, TokenKind::Href | TokenKind::Quoted) && second.kind == TokenKind::Quoted;
        if !fits {
            let problem = self.problem(first, "a click needs an address");
            return Err((problem.0, problem.1.hint("write `click A href \"address\"`")));
        }
        self.push(start..second.end, Kind::Presentation);
        Ok(())
    }

    /// The problem of a token that starts no statement.
    fn stray(&mut self, token: Token) -> Problem {
        let rest = &self.script.text[token.start..];
        let shown = self.shown(token);
        let (message, hint) = if rest.starts_with("--") {
            ("regions are divided by `--`, inside of a composite state".to_owned(), None)
        } else if rest.starts_with("->") {
            ("`->` is no arrow of a state diagram".to_owned(), Some("transitions are written `A --> B`"))
        } else if rest.get(..4).is_some_and(|word| word.eq_ignore_ascii_case("note")) {
            (
                "the note has a form that mermaid does not know".to_owned(),
                Some("write `note right of A : text`"),
            )
        } else if rest.starts_with('-') {
            ("the name of a state must not hold `-`".to_owned(), Some("write `state \"text\" as name`"))
        } else {
            (format!("a statement cannot start with {shown}"), None)
        };
        let (at, diagnostic) = self.problem(token, message);
        (at, hint.into_iter().fold(diagnostic, |diagnostic, hint| diagnostic.hint(hint)))
    }

    /// Reports why a statement cannot be read and goes on with the next line.
    fn give_up(&mut self, start: usize, (at, diagnostic): Problem) {
        self.diagnostics.push(diagnostic);
        self.peeked = None;
        self.lexer.skip_line(at.max(start));
        let end = start + self.script.text[start..self.lexer.offset()].trim_end().len();
        self.push(start..end, Kind::Unknown);
        self.previous_end = self.lexer.offset();
    }

    /// The next token, comments aside.
    fn peek(&mut self) -> Token {
        loop {
            if let Some(token) = self.peeked {
                return token;
            }
            let token = self.lexer.next();
            if token.kind == TokenKind::Comment {
                self.push(token.start..token.end, trivia::comment(self.script, token.start..token.end));
            } else {
                self.peeked = Some(token);
            }
        }
    }

    /// Whether the next token stands on the line of the last one.
    fn is_same_line(&mut self) -> bool {
        let next = self.peek().start;
        !self.script.text[self.previous_end..next].contains('\n')
    }

    /// Takes the next token.
    fn advance(&mut self) -> Token {
        let token = self.peek();
        self.peeked = None;
        if !matches!(token.kind, TokenKind::Newline | TokenKind::End) {
            self.previous_end = token.end;
        }
        token
    }

    fn push(&mut self, range: Range<usize>, kind: Kind<Item>) {
        let span = self.script.span(range.clone());
        let lines = self.script.whole_lines(range);
        self.statements.push(Statement { span, lines, kind });
    }

    fn report(
        &mut self,
        code: Code,
        range: Range<usize>,
        message: impl Into<String>,
        hint: impl Into<String>,
    ) {
        let span = self.script.span(range);
        self.diagnostics.push(Diagnostic::new(code, span, message).hint(hint));
    }

    fn problem(&self, token: Token, message: impl Into<String>) -> Problem {
        let end = token.start + self.script.text[token.start..token.end].trim_end().len();
        (token.start, Diagnostic::new(Code::Syntax, self.script.span(token.start..end), message))
    }

    fn name(&self, range: Range<usize>) -> Name {
        let text = self.text(range);
        Name { text: text.text, label: None, span: text.span }
    }

    /// A text without blanks around it.
    fn text(&self, range: Range<usize>) -> Text {
        let whole = &self.script.text[range.clone()];
        let text = trim(whole);
        let start = range.start + (text.as_ptr() as usize - whole.as_ptr() as usize);
        Text { text: decode_escapes(text), span: self.script.span(start..start + text.len()) }
    }

    fn shown(&self, token: Token) -> String {
        match token.kind {
            TokenKind::Newline => "the end of the line".to_owned(),
            TokenKind::End => "the end".to_owned(),
            _ => format!("`{}`", decode_escapes(trim(&self.script.text[token.start..token.end]))),
        }
    }
}

fn state(name: Name, stereotypes: Vec<String>, description: Option<Text>, opens: bool) -> Item {
    Item::State(State { name, stereotypes, colour: None, description, opens })
}
