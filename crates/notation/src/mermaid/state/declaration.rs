//! What follows the word `state`: names, texts, bodies, and what mermaid makes of other forms.

use sequent_kernel::diagnostic::Code;

use super::kind::StateTokenKind;
use super::reader::{StateProblem, StateReader, state};
use super::token::StateToken;
use crate::mermaid::text::{is_space, is_word, trim};
use crate::tree::{Name, StatementKind};

impl StateReader<'_> {
    /// `state A` with or without a body.
    pub(super) fn composite(&mut self) -> Result<(), StateProblem> {
        let token = self.advance();
        let name = self.name(token.start..token.end);
        let next = self.peek();
        if next.kind == StateTokenKind::Open {
            return self.open(token.start, name);
        }
        if next.kind == StateTokenKind::As {
            let hint = "write `state \"text\" as name`";
            let problem = self.problem(next, "`as` needs a text in quotes before it");
            return Err((problem.0, problem.1.hint(hint)));
        }
        // A brace behind a second word: mermaid wants one word, or reads on into the next line; both are plain.
        let line = &self.script.text[token.start..];
        self.single_word(line, token);
        if next.kind == StateTokenKind::Composite && self.is_same_line() {
            return self.ignored(token, name, next);
        }
        self.push(token.start..token.end, StatementKind::Presentation);
        Ok(())
    }

    /// Mermaid's check that the name of a composite state is one word; it looks beyond the end of the line.
    pub(super) fn single_word(&mut self, rest: &str, token: StateToken) {
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

    /// `state A : text` and the like: mermaid ignores the whole line, which is hardly meant.
    pub(super) fn ignored(
        &mut self,
        token: StateToken,
        name: Name,
        next: StateToken,
    ) -> Result<(), StateProblem> {
        let mut end = next.end;
        while self.peek().kind == StateTokenKind::Composite && self.is_same_line() {
            end = self.advance().end;
        }
        if self.peek().kind == StateTokenKind::Open && self.is_same_line() {
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
            self.push(token.start..end, StatementKind::Item(state(name, stereotypes, None, false)));
            return Ok(());
        }
        self.push(token.start..end, StatementKind::Presentation);
        let message = format!("mermaid ignores this line and what it says about `{}`", name.text);
        let hint = format!("write `{} : text`, or `state \"text\" as {}`", name.text, name.text);
        self.report(Code::Tolerated, token.start..end, message, hint);
        Ok(())
    }

    /// `state "text" as A`, perhaps with a body.
    pub(super) fn described(&mut self) -> Result<(), StateProblem> {
        let token = self.advance();
        let label = self.text(token.start + 1..token.end - 1).text;
        let as_word = self.peek();
        if as_word.kind != StateTokenKind::As {
            let problem = self.problem(as_word, "`as` and a name are wanted after the text");
            return Err((problem.0, problem.1.hint("write `state \"text\" as name`")));
        }
        self.advance();
        let id = self.advance();
        let opens = self.peek().kind == StateTokenKind::Open;
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
        self.push(token.start..id.end, StatementKind::Item(state(name, Vec::new(), description, false)));
        Ok(())
    }

    pub(super) fn open(&mut self, start: usize, name: Name) -> Result<(), StateProblem> {
        let brace = self.advance();
        self.push(start..brace.end, StatementKind::Item(state(name, Vec::new(), None, true)));
        self.open += 1;
        Ok(())
    }
}
