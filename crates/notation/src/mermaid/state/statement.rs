//! The statements of a state diagram.

use sequent_kernel::diagnostic::{Code, Diagnostic, Severity};
use sequent_kernel::model::{LineLook, NoteLook, NoteSide};

use super::kind::{NoteParts, StateTokenKind};
use super::reader::{StateProblem, StateReader, state};
use super::rules;
use super::token::StateToken;
use crate::mermaid::script::MermaidScript;
use crate::mermaid::text::trim;
use crate::tree::state::{Endpoint, StateNote, StateNoteTarget, StateStatement, TransitionStatement};
use crate::tree::{Name, Statement, StatementKind, Text};

/// Reads a state diagram.
pub fn read(script: &MermaidScript, diagnostics: &mut Vec<Diagnostic>) -> Vec<Statement<StateStatement>> {
    let mut reader = StateReader::new(script, diagnostics);
    reader.diagram();
    let statements = reader.statements;
    rules::labels(&statements, diagnostics);
    statements
}

impl StateReader<'_> {
    fn diagram(&mut self) {
        while self.peek().kind == StateTokenKind::Newline {
            self.advance();
        }
        let first = self.peek();
        if first.kind == StateTokenKind::Diagram {
            self.advance();
            self.push(first.start..first.end, StatementKind::Presentation);
        } else {
            let problem =
                self.problem(first, "the first word must be `stateDiagram` or `stateDiagram-v2` alone");
            self.give_up(first.start, problem);
        }
        while self.peek().kind != StateTokenKind::End {
            let start = self.peek().start;
            if let Err(problem) = self.statement() {
                self.give_up(start, problem);
            }
        }
    }

    fn statement(&mut self) -> Result<(), StateProblem> {
        let token = self.peek();
        match token.kind {
            StateTokenKind::Id | StateTokenKind::Star => return self.transition_or_state(),
            StateTokenKind::Composite => return self.composite(),
            StateTokenKind::Description => return self.described(),
            StateTokenKind::Click => return self.click(),
            StateTokenKind::Newline | StateTokenKind::End | StateTokenKind::Comment => {}
            StateTokenKind::Direction
            | StateTokenKind::Looks
            | StateTokenKind::Style
            | StateTokenKind::AccDescription => {
                self.push(token.start..token.end, StatementKind::Presentation);
            }
            StateTokenKind::StyleDefault => {
                self.push(token.start..token.end, StatementKind::Presentation);
                let message = "mermaid's state diagrams refuse `classDef default`";
                self.report(
                    Code::Tolerated,
                    token.start..token.end,
                    message,
                    "call the class something else",
                );
            }
            StateTokenKind::AccTitle(head) => {
                let text = self.text(token.start + head..token.end).text;
                let kind = if self.script.title.is_none() {
                    StatementKind::Title(text)
                } else {
                    StatementKind::Presentation
                };
                self.push(token.start..token.end, kind);
            }
            StateTokenKind::AccBlock(is_closed) => self.accessible(token, is_closed),
            StateTokenKind::Pseudo(kind, length) => {
                let name = self.name(token.start..token.start + length);
                let stereotypes = vec![kind.to_owned()];
                self.push(token.start..token.end, StatementKind::Item(state(name, stereotypes, None, false)));
            }
            StateTokenKind::Close => {
                // The line that opened it may have been given up.
                let kind = if self.open > 0 {
                    StatementKind::Item(StateStatement::Close)
                } else {
                    StatementKind::Unknown
                };
                self.open = self.open.saturating_sub(1);
                self.push(token.start..token.end, kind);
            }
            StateTokenKind::Divider => self.divider(token),
            StateTokenKind::Note(parts) => self.note(token, parts),
            StateTokenKind::Diagram => {
                let problem = self.problem(token, "a second `stateDiagram` in one block");
                return Err((problem.0, problem.1.hint("put each diagram into a block of its own")));
            }
            StateTokenKind::Href
            | StateTokenKind::Quoted
            | StateTokenKind::Default
            | StateTokenKind::As
            | StateTokenKind::Open
            | StateTokenKind::Label
            | StateTokenKind::Arrow
            | StateTokenKind::ClassMark
            | StateTokenKind::Invalid => return Err(self.stray(token)),
        }
        self.advance();
        Ok(())
    }

    fn accessible(&mut self, token: StateToken, is_closed: bool) {
        self.push(token.start..token.end, StatementKind::Presentation);
        if !is_closed {
            let span = self.script.span(token.start..token.start + "accDescr".len());
            let diagnostic = Diagnostic::new(Code::UnclosedBlock, span, "`accDescr {` is never closed");
            self.diagnostics.push(diagnostic.severity(Severity::Warning).hint("close it with `}`"));
        }
    }

    /// `A`, `A : text`, `A --> B`, `A --> B : text`
    fn transition_or_state(&mut self) -> Result<(), StateProblem> {
        let start = self.peek().start;
        let from = self.endpoint()?;
        if self.peek().kind == StateTokenKind::Arrow {
            self.advance();
            let to = self.endpoint()?;
            let text = self.label();
            let item = StateStatement::Transition(TransitionStatement {
                from,
                to,
                text,
                local: false,
                look: LineLook::default(),
            });
            self.push(start..self.previous_end, StatementKind::Item(item));
            self.colon_missing();
            return Ok(());
        }
        let text = self.label();
        let is_described = !text.text.is_empty();
        let kind = match from {
            Endpoint::Name(name) => {
                self.wonder(&name);
                let item = if is_described {
                    StateStatement::Description { name, text }
                } else {
                    state(name, Vec::new(), None, false)
                };
                StatementKind::Item(item)
            }
            // The initial state alone says nothing.
            _ => StatementKind::Presentation,
        };
        self.push(start..self.previous_end, kind);
        if !is_described {
            self.words_in_a_row(start);
        }
        Ok(())
    }

    /// `--` between regions, which has a line of its own.
    fn divider(&mut self, token: StateToken) {
        self.push(token.start..token.end, StatementKind::Item(StateStatement::Region));
        let text = &self.script.text;
        let before = text[..token.start].rsplit('\n').next().unwrap_or_default();
        let after = text[token.end..].lines().next().unwrap_or_default().trim_start();
        if before.trim().is_empty() && (after.is_empty() || after.starts_with("%%")) {
            return;
        }
        let message = "`--` divides a state into regions here";
        let span = self.script.span(token.start..token.end);
        let finding = Diagnostic::new(Code::Syntax, span, message).severity(Severity::Warning);
        self.diagnostics.push(finding.hint("an arrow is written `-->`"));
    }

    /// Warns of words beside each other, each of which Mermaid takes for a state.
    fn words_in_a_row(&mut self, start: usize) {
        let text = &self.script.text;
        let is_first = text[..start].rsplit('\n').next().is_some_and(|before| before.trim().is_empty());
        let row = text[start..].lines().next().map_or("", trim);
        let is_words = row.split_whitespace().all(|word| word.starts_with(|c: char| c.is_alphanumeric()));
        if is_first && is_words && self.peek().kind == StateTokenKind::Id && self.is_same_line() {
            let word = row.split_whitespace().next().unwrap_or_default();
            let message = format!("Mermaid takes each word of `{row}` for a state");
            let span = self.script.span(start..start + row.len());
            let finding = Diagnostic::new(Code::Syntax, span, message).severity(Severity::Warning);
            self.diagnostics.push(finding.hint(format!("a text below a state is written `{word} : text`")));
        }
    }

    /// Warns of words behind a transition, which Mermaid takes for states.
    fn colon_missing(&mut self) {
        let token = self.peek();
        if token.kind == StateTokenKind::Id && self.is_same_line() {
            let rest = self.script.text[token.start..].lines().next().map_or("", trim);
            if rest.starts_with(['}', ';']) || rest.contains("-->") {
                return;
            }
            let message =
                format!("`{rest}` follows the target without a colon, so Mermaid draws it as states");
            let span = self.script.span(token.start..token.start + rest.len());
            let finding = Diagnostic::new(Code::Syntax, span, message).severity(Severity::Warning);
            self.diagnostics.push(finding.hint(format!("write `: {rest}`")));
        }
    }

    /// Warns of names that mermaid takes for states although they are hardly meant as such.
    fn wonder(&mut self, name: &Name) {
        if let Some(finding) = sign_as_name(name) {
            self.diagnostics.push(finding);
            return;
        }
        let hint = match name.text.as_str() {
            ";" => {
                let message = "Mermaid ends the text at `;`, and draws the rest of the line as states";
                let hint = "write `#59;` for a semicolon in a text; at the end of a statement remove it";
                let finding = Diagnostic::new(Code::Syntax, name.span, message).severity(Severity::Warning);
                self.diagnostics.push(finding.hint(hint));
                return;
            }
            "title" => "a title is written in a front matter: `---`, `title: ..`, `---`",
            _ => return,
        };
        let message = format!("mermaid draws `{}` as a state", name.text);
        self.diagnostics.push(Diagnostic::new(Code::Tolerated, name.span, message).hint(hint));
    }

    /// Warns of a `;` at the end of a statement, which Mermaid takes for a part of the name.
    fn judge_semicolon(&mut self, name: &Name) {
        let Some(bare) = name.text.strip_suffix(';').filter(|bare| !bare.is_empty()) else { return };
        let message = format!("Mermaid takes the `;` for a part of the name `{}`", name.text);
        let finding = Diagnostic::new(Code::Syntax, name.span, message).severity(Severity::Warning);
        self.diagnostics.push(finding.meant(&name.text, bare));
    }

    /// One end of a transition, with the style class behind `:::`.
    fn endpoint(&mut self) -> Result<Endpoint, StateProblem> {
        let token = self.peek();
        let endpoint = match token.kind {
            StateTokenKind::Star => Endpoint::Star,
            StateTokenKind::Id => {
                let end = self.named_end(token);
                if let Endpoint::Name(name) = &end {
                    self.judge_semicolon(name);
                }
                end
            }
            _ => {
                let shown = self.shown(token);
                return Err(self.problem(token, format!("a state is wanted here, not {shown}")));
            }
        };
        self.advance();
        if self.peek().kind == StateTokenKind::ClassMark {
            self.advance();
            let class = self.peek();
            if class.kind != StateTokenKind::Id {
                return Err(self.problem(class, "the name of a style class is wanted after `:::`"));
            }
            self.advance();
        }
        Ok(endpoint)
    }

    /// A state, or by convention a history: `[H]`, `[H*]`, `Composite[H]`.
    fn named_end(&self, token: StateToken) -> Endpoint {
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
        if token.kind != StateTokenKind::Label {
            let span = self.script.span(self.previous_end..self.previous_end);
            return Text { text: String::new(), span };
        }
        self.advance();
        self.text(token.start + 1..token.end)
    }

    fn note(&mut self, token: StateToken, parts: NoteParts) {
        let at = |[start, end]: [usize; 2]| token.start + start..token.start + end;
        let name = self.name(at(parts.name));
        let target =
            if parts.attached { StateNoteTarget::Name(name) } else { StateNoteTarget::Floating(Some(name)) };
        let mut text = self.text(at(parts.text));
        text.text = text.text.lines().map(trim).collect::<Vec<_>>().join("\n");
        // Mermaid reads these words in any case.
        let words: Vec<String> = self.script.text[token.start..token.end]
            .split_whitespace()
            .take(2)
            .map(str::to_ascii_lowercase)
            .collect();
        let side = match words.get(1).map(String::as_str) {
            Some("left") => Some(NoteSide::Left),
            Some("right") => Some(NoteSide::Right),
            Some(_) | None => None,
        };
        let look = NoteLook { side, colour: None };
        self.push(
            token.start..token.end,
            StatementKind::Item(StateStatement::Note(StateNote { target, look, text })),
        );
    }

    /// `click A href "url"`, `click A "url" "tip"`
    fn click(&mut self) -> Result<(), StateProblem> {
        let start = self.advance().start;
        self.endpoint()?;
        let first = self.advance();
        let second = self.advance();
        let fits = matches!(first.kind, StateTokenKind::Href | StateTokenKind::Quoted)
            && second.kind == StateTokenKind::Quoted;
        if !fits {
            let problem = self.problem(first, "a click needs an address");
            return Err((problem.0, problem.1.hint("write `click A href \"address\"`")));
        }
        self.push(start..second.end, StatementKind::Presentation);
        Ok(())
    }

    /// The problem of a token that starts no statement.
    fn stray(&mut self, token: StateToken) -> StateProblem {
        let rest = &self.script.text[token.start..];
        let shown = self.shown(token);
        let (message, hint) = if rest.starts_with("--") {
            ("regions are divided by `--`, inside of a composite state".to_owned(), None)
        } else if rest.starts_with("->") {
            ("`->` is not an arrow of state diagrams".to_owned(), Some("transitions are written `A --> B`"))
        } else if rest.get(..4).is_some_and(|word| word.eq_ignore_ascii_case("note")) {
            (
                "the note has a form that mermaid does not know".to_owned(),
                Some("write `note right of A : text`"),
            )
        } else if rest.starts_with('-') {
            ("the name of a state must not hold `-`".to_owned(), Some("write `state \"text\" as name`"))
        } else if rest.starts_with('"') {
            let line = rest.lines().next().unwrap_or_default();
            let is_open = line.matches('"').count() % 2 == 1;
            let hint = is_open.then_some("close the quote: `state \"text\" as name`");
            (format!("a statement cannot start with {shown}"), hint)
        } else {
            (format!("a statement cannot start with {shown}"), None)
        };
        let (at, diagnostic) = self.problem(token, message);
        (at, hint.into_iter().fold(diagnostic, |diagnostic, hint| diagnostic.hint(hint)))
    }
}

/// A sign that Mermaid takes for a state: a `}` that closes nothing, an arrow that is none.
fn sign_as_name(name: &Name) -> Option<Diagnostic> {
    let text = name.text.as_str();
    if text == "}" {
        let message = "`}` closes nothing, and Mermaid draws it as a state";
        let finding = Diagnostic::new(Code::StrayEnd, name.span, message).severity(Severity::Warning);
        return Some(
            finding.hint("no composite state is open here; remove the bracket, or add the `{` before it"),
        );
    }
    let is_sign = |c: char| matches!(c, '=' | '~' | '>' | '<' | '.' | '–' | '—' | '→' | '⇒' | '|' | '_');
    if !text.chars().all(is_sign) || !text.contains(['>', '<', '→', '⇒']) {
        return None;
    }
    let message = format!("`{text}` is not an arrow, and Mermaid draws it as a state");
    let finding = Diagnostic::new(Code::BadArrow, name.span, message).severity(Severity::Warning);
    Some(finding.hint("transitions are written `A --> B`"))
}

#[cfg(test)]
mod tests {
    use expect_test::{Expect, expect};

    use crate::mermaid::testing::told;

    fn check(input: &str, expected: Expect) {
        expected.assert_eq(&told(&format!("stateDiagram-v2\n{input}")));
    }

    #[test]
    fn states_and_transitions() {
        check(
            "[*] --> A\nA:::big --> B : go [x > 1] / y#59; z\nB : two\\nlines\nstate \"Long text\" as C\nstate D <<choice>>\nE",
            expect![[r#"
                1 presentation
                2 Transition(TransitionStatement { from: Star, to: Name(Name { "A" }), text: Text { "" }, local: false })
                3 Transition(TransitionStatement { from: Name(Name { "A" }), to: Name(Name { "B" }), text: Text { "go [x > 1] / y; z" }, local: false })
                4 Description { name: Name { "B" }, text: Text { "two\nlines" } }
                5 State(VertexDeclaration { name: Name { "C", label: Some("Long text") }, opens: false })
                6 State(VertexDeclaration { name: Name { "D" }, stereotypes: ["choice"], opens: false })
                7 State(VertexDeclaration { name: Name { "E" }, opens: false })
            "#]],
        );
    }

    #[test]
    fn composites_regions_and_notes() {
        check(
            "state A {\n  [*] --> B\n  --\n  C\n}\nnote right of A : text\nnote left of B\n  more\n  text\nend note\nX --> A[H*]",
            expect![[r#"
                1 presentation
                2 State(VertexDeclaration { name: Name { "A" }, opens: true })
                3 Transition(TransitionStatement { from: Star, to: Name(Name { "B" }), text: Text { "" }, local: false })
                4 Region
                5 State(VertexDeclaration { name: Name { "C" }, opens: false })
                6 Close
                7 Note(StateNote { target: Name(Name { "A" }), look: NoteLook { side: Some(Right) }, text: Text { "text" } })
                8 Note(StateNote { target: Name(Name { "B" }), look: NoteLook { side: Some(Left) }, text: Text { "more\ntext" } })
                12 Transition(TransitionStatement { from: Name(Name { "X" }), to: HistoryOf { name: Name { "A" }, deep: true }, text: Text { "" }, local: false })
            "#]],
        );
    }

    #[test]
    fn what_mermaid_refuses_or_takes_otherwise() {
        check(
            "A -> B\nstate A as B\n---\nstate X\nstate Y {\n}\nstate Z : ignored\nA-B --> C\n}\nclassDef default x",
            expect![[r#"
                1 presentation
                2 State(VertexDeclaration { name: Name { "A" }, opens: false })
                2 unknown
                3 unknown
                4 unknown
                5 presentation
                6 State(VertexDeclaration { name: Name { "Y" }, opens: true })
                7 Close
                8 presentation
                9 State(VertexDeclaration { name: Name { "A" }, opens: false })
                9 unknown
                10 State(VertexDeclaration { name: Name { "}" }, opens: false })
                11 presentation
                2 E101 at "-": `->` is not an arrow of state diagrams
                3 E101 at "as": `as` needs a text in quotes before it
                4 E101 at "-": regions are divided by `--`, inside of a composite state
                5 W116 at "X": mermaid takes this and the next composite state for one name of several words
                8 W116 at "Z : ignored": mermaid ignores this line and what it says about `Z`
                9 E101 at "-": the name of a state must not hold `-`
                10 W103 at "}": `}` closes nothing, and Mermaid draws it as a state
                11 W116 at "classDef default x": mermaid's state diagrams refuse `classDef default`
            "#]],
        );
    }
}
