//! The statements of a sequence diagram.
//!
//! Recursive descent over the tokens, one function per statement, blocks kept on a stack. A statement that mermaid's
//! grammar does not allow is reported and skipped to the end of its line; mermaid gives up there, we go on so that all
//! problems of a diagram are found in one run.

use sequent_kernel::diagnostic::{Code, Diagnostic, Severity};
use sequent_kernel::model::{LifelineKind, NotePosition, NoteShape, Numbering};

use super::kind::{MermaidKeyword, SequenceTokenKind};
use super::reader::{KEYWORD_HINT, SequenceProblem, SequenceReader};
use super::token::SequenceToken;
use crate::mermaid::script::MermaidScript;
use crate::tree::sequence::{Participant, SequenceNote, SequenceStatement};
use crate::tree::{Statement, StatementKind};

/// Reads all statements.
pub(crate) fn read(
    script: &MermaidScript,
    diagnostics: &mut Vec<Diagnostic>,
) -> Vec<Statement<SequenceStatement>> {
    let mut reader = SequenceReader::new(script, diagnostics);
    reader.diagram();
    reader.statements
}

impl SequenceReader<'_> {
    fn diagram(&mut self) {
        while matches!(self.peek().kind, SequenceTokenKind::Newline) {
            self.advance();
        }
        let first = self.peek();
        if matches!(first.kind, SequenceTokenKind::Word(MermaidKeyword::Diagram)) {
            self.advance();
            self.push(first.start..first.end, StatementKind::Presentation);
        } else {
            let problem = self.problem(first, "the first word must be `sequenceDiagram` alone");
            self.give_up(first.start, problem);
        }
        while !matches!(self.peek().kind, SequenceTokenKind::End) {
            let start = self.peek().start;
            if let Err(problem) = self.statement(start) {
                self.give_up(start, problem);
            }
        }
        self.unclosed();
    }

    /// Reads one statement, or skips what may stand between statements.
    fn statement(&mut self, start: usize) -> Result<(), SequenceProblem> {
        let token = self.peek();
        let leaves_box = matches!(self.open.last(), Some((None, _))) && !fits_box(token.kind);
        // A line that begins with a name may be a declaration with a slip.
        let is_name = matches!(token.kind, SequenceTokenKind::Name);
        if leaves_box && !is_name {
            self.leave_box(token);
        }
        match token.kind {
            SequenceTokenKind::Newline | SequenceTokenKind::End => {
                self.advance();
                Ok(())
            }
            SequenceTokenKind::Invalid => {
                self.advance();
                self.skipped(token);
                Ok(())
            }
            SequenceTokenKind::Name => {
                self.message(start)?;
                if leaves_box {
                    self.leave_box(token);
                }
                Ok(())
            }
            SequenceTokenKind::Title(head) => self.title(token, head),
            SequenceTokenKind::AccTitle(head) => self.title(token, head),
            SequenceTokenKind::AccDescription | SequenceTokenKind::AccBlock(true) => {
                self.advance();
                self.push(token.start..token.end, StatementKind::Presentation);
                Ok(())
            }
            SequenceTokenKind::AccBlock(false) => {
                self.advance();
                self.push(token.start..token.end, StatementKind::Presentation);
                let span = self.script.span(token.start..token.start + "accDescr".len());
                let diagnostic = Diagnostic::new(Code::UnclosedBlock, span, "`accDescr {` is never closed");
                self.diagnostics.push(diagnostic.severity(Severity::Warning).hint("close it with `}`"));
                Ok(())
            }
            SequenceTokenKind::Word(word) => self.keyword(token, word),
            SequenceTokenKind::Number
            | SequenceTokenKind::ConfigStart
            | SequenceTokenKind::Config
            | SequenceTokenKind::ConfigEnd
            | SequenceTokenKind::Rest
            | SequenceTokenKind::Arrow(_)
            | SequenceTokenKind::Text
            | SequenceTokenKind::Comma
            | SequenceTokenKind::Plus
            | SequenceTokenKind::Minus
            | SequenceTokenKind::Central
            | SequenceTokenKind::Comment
            | SequenceTokenKind::Unreadable => {
                let shown = self.shown(token);
                Err(self.problem(token, format!("a statement cannot start with {shown}")))
            }
        }
    }

    /// Says that something stands in a box that must not. The box is read as if it ended here, so that this is said once; its own `end`
    /// closes nothing then.
    fn leave_box(&mut self, token: SequenceToken) {
        let problem = self.problem(token, "a box may hold declarations of participants only");
        self.diagnostics.push(problem.hint("end the box with `end` before anything else").diagnostic);
        self.open.pop();
        self.foreign += 1;
    }

    fn keyword(&mut self, token: SequenceToken, word: MermaidKeyword) -> Result<(), SequenceProblem> {
        self.advance();
        let start = token.start;
        match word {
            MermaidKeyword::Participant => self.declaration(start, LifelineKind::Participant, false),
            MermaidKeyword::Actor => self.declaration(start, LifelineKind::Actor, false),
            MermaidKeyword::Create => self.creation(start),
            MermaidKeyword::Destroy => {
                let name = self.name("a participant's name")?;
                self.end_item(start, SequenceStatement::Destroy(name))
            }
            MermaidKeyword::Activate => {
                let name = self.name("a participant's name")?;
                self.end_item(start, SequenceStatement::Activate { name, colour: None })
            }
            MermaidKeyword::Deactivate => {
                let name = self.name("a participant's name")?;
                self.end_item(start, SequenceStatement::Deactivate(Some(name)))
            }
            MermaidKeyword::Box => self.box_start(start),
            MermaidKeyword::Open(keyword) => self.open(start, keyword),
            MermaidKeyword::Divide(divider) => self.divide(token, divider),
            MermaidKeyword::End => self.close(token),
            MermaidKeyword::Note => self.note(start),
            MermaidKeyword::Link => self.link(start),
            MermaidKeyword::AutoNumber => self.autonumber(start),
            MermaidKeyword::Diagram => Err(self
                .problem(token, "a second `sequenceDiagram` in one block")
                .hint("put each diagram into a block of its own")),
            MermaidKeyword::As
            | MermaidKeyword::LeftOf
            | MermaidKeyword::RightOf
            | MermaidKeyword::Over
            | MermaidKeyword::Off => {
                let shown = self.shown(token);
                Err(self.problem(token, format!("a statement cannot start with {shown}")).hint(KEYWORD_HINT))
            }
        }
    }

    fn declaration(&mut self, start: usize, kind: LifelineKind, create: bool) -> Result<(), SequenceProblem> {
        let participant = self.participant(kind, create)?;
        self.named.insert(participant.name.text.clone());
        self.push(start..self.previous_end, StatementKind::Item(SequenceStatement::Participant(participant)));
        Ok(())
    }

    /// `create participant a`; mermaid's grammar takes `create destroy a` for the same.
    fn creation(&mut self, start: usize) -> Result<(), SequenceProblem> {
        let token = self.peek();
        let kind = match token.kind {
            SequenceTokenKind::Word(MermaidKeyword::Participant | MermaidKeyword::Destroy) => {
                LifelineKind::Participant
            }
            SequenceTokenKind::Word(MermaidKeyword::Actor) => LifelineKind::Actor,
            _ => {
                return Err(self
                    .problem(token, "`create` must be followed by `participant` or `actor`")
                    .hint("write `create participant name`"));
            }
        };
        self.advance();
        self.declaration(start, kind, true)
    }

    fn note(&mut self, start: usize) -> Result<(), SequenceProblem> {
        let token = self.advance();
        let position = match token.kind {
            SequenceTokenKind::Word(MermaidKeyword::LeftOf) => NotePosition::Left,
            SequenceTokenKind::Word(MermaidKeyword::RightOf) => NotePosition::Right,
            SequenceTokenKind::Word(MermaidKeyword::Over) => NotePosition::Over,
            _ => {
                return Err(self
                    .problem(token, "a note stands `left of`, `right of` or `over` participants")
                    .hint("write `note over a: text`"));
            }
        };
        let mut names = vec![self.name("a participant's name")?];
        if position == NotePosition::Over && matches!(self.peek().kind, SequenceTokenKind::Comma) {
            self.advance();
            names.push(self.name("a participant's name")?);
        }
        let next = self.peek();
        if matches!(next.kind, SequenceTokenKind::Comma) {
            let first = &names[0].text;
            return Err(self
                .problem(next, "a note stands over one or two participants")
                .hint(format!("name the first and the last: `note over {first},last: text`")));
        }
        let text = self.label("the note", ": text").map_err(|problem| self.note_of_lines(problem))?;
        names.iter().for_each(|name| self.mentioned(name));
        let shape = NoteShape::Folded;
        self.end_item(
            start,
            SequenceStatement::Note(SequenceNote {
                position,
                names,
                shape,
                text,
                colour: None,
                aligned: false,
            }),
        )
    }

    /// `link a: ..` and its like say nothing but name a participant, who comes into being if it is new.
    fn link(&mut self, start: usize) -> Result<(), SequenceProblem> {
        let name = self.name("a participant's name")?;
        self.label("the link", ": text")?;
        self.newline()?;
        self.push(start..self.previous_end, StatementKind::Presentation);
        if self.named.insert(name.text.clone()) {
            let participant = Participant {
                name,
                kind: LifelineKind::Participant,
                stereotypes: Vec::new(),
                colour: None,
                order: 0,
                create: false,
            };
            self.push(
                start..self.previous_end,
                StatementKind::Item(SequenceStatement::Participant(participant)),
            );
        }
        Ok(())
    }

    fn autonumber(&mut self, start: usize) -> Result<(), SequenceProblem> {
        let mut numbers = [None, None];
        let mut off = false;
        for number in &mut numbers {
            let token = self.peek();
            match token.kind {
                SequenceTokenKind::Number => *number = Some(&self.script.text[token.start..token.end]),
                SequenceTokenKind::Word(MermaidKeyword::Off) => off = true,
                _ => break,
            }
            self.advance();
            if off {
                break;
            }
        }
        let item = if off { Numbering::Stop } else { self.count.start(numbers[0], numbers[1]) };
        self.end_item(start, SequenceStatement::AutoNumber(item))
    }

    /// `title` and `accTitle`; the latter is never drawn and names the diagram only if nothing else does.
    fn title(&mut self, token: SequenceToken, head: usize) -> Result<(), SequenceProblem> {
        self.advance();
        let text = self.text_between(token.start + head..token.end).text;
        if matches!(token.kind, SequenceTokenKind::Title(_)) {
            if let Some(earlier) = self.accessible_title.take() {
                self.statements[earlier].kind = StatementKind::Presentation;
            }
            self.has_title = true;
            self.push(token.start..token.end, StatementKind::Title(text));
        } else if self.has_title || self.accessible_title.is_some() {
            self.push(token.start..token.end, StatementKind::Presentation);
        } else {
            self.accessible_title = Some(self.statements.len());
            self.push(token.start..token.end, StatementKind::Title(text));
        }
        Ok(())
    }
}

/// Whether a token may start something inside a box.
fn fits_box(kind: SequenceTokenKind) -> bool {
    use SequenceTokenKind::{Newline, Word as Keyword};
    matches!(
        kind,
        Newline
            | Keyword(
                MermaidKeyword::Participant
                    | MermaidKeyword::Actor
                    | MermaidKeyword::Destroy
                    | MermaidKeyword::End
            )
    )
}

#[cfg(test)]
mod tests {
    use expect_test::{Expect, expect};

    use crate::mermaid::testing::told;

    fn check(input: &str, expected: Expect) {
        expected.assert_eq(&told(&format!("sequenceDiagram\n{input}")));
    }

    #[test]
    fn participants_and_boxes() {
        check(
            "participant A as Alice<br/>Smith\nactor B\nparticipant D@{ \"type\": \"database\", \"alias\": \"Data\" }\nbox Aqua Inside\nparticipant C\nend",
            expect![[r#"
                1 presentation
                2 Participant(Participant { name: Name { "A", label: Some("Alice\nSmith") }, kind: Participant })
                3 Participant(Participant { name: Name { "B" }, kind: Actor })
                4 Participant(Participant { name: Name { "D", label: Some("Data") }, kind: Database })
                5 BoxStart { label: "Inside", colour: Some("Aqua") }
                6 Participant(Participant { name: Name { "C" }, kind: Participant })
                7 BoxEnd
            "#]],
        );
    }

    #[test]
    fn messages() {
        check(
            "A->>+B: call(1)\nB-->>-A: wrap: done #35;1\nA-)back-end:async; A()<<->>()B : both",
            expect![[r#"
                1 presentation
                2 Message(MessageStatement { from: Name(Name { "A" }), to: Name(Name { "B" }), text: Text { "call(1)" }, arrow: Arrow { dashed: false, head: Tip { shape: Filled }, tail: Tip { shape: None } }, sort: Call, life: LifeShorthand { activate: true, deactivate: false, destroy: false } })
                3 Message(MessageStatement { from: Name(Name { "B" }), to: Name(Name { "A" }), text: Text { "done #1" }, arrow: Arrow { dashed: true, head: Tip { shape: Filled }, tail: Tip { shape: None } }, sort: Reply, life: LifeShorthand { activate: false, deactivate: true, destroy: false } })
                4 Message(MessageStatement { from: Name(Name { "A" }), to: Name(Name { "back-end" }), text: Text { "async" }, arrow: Arrow { dashed: false, head: Tip { shape: Open }, tail: Tip { shape: None } }, sort: Signal })
                4 Message(MessageStatement { from: Name(Name { "A" }), to: Name(Name { "B" }), text: Text { "both" }, arrow: Arrow { dashed: false, head: Tip { shape: Filled, circle: true }, tail: Tip { shape: Filled, circle: true } }, sort: Call })
            "#]],
        );
    }

    #[test]
    fn blocks_notes_and_numbers() {
        check(
            "autonumber 10 5\nALT is it\nnote over A,B: text\nelse\nrect rgb(1,2,3)\nend\nend\ntitle A title",
            expect![[r#"
                1 presentation
                2 AutoNumber(Start { start: Some("10"), step: Some(5), format: None })
                3 Open(BlockOpening { keyword: Alt, text: Text { "is it" } })
                4 Note(SequenceNote { position: Over, names: [Name { "A" }, Name { "B" }], text: Text { "text" } })
                5 Divide(Divide { keyword: Else, text: Text { "" } })
                6 Open(BlockOpening { keyword: Rect, text: Text { "" }, colour: Some("rgb(1,2,3)") })
                7 Close
                8 Close
                9 title "A title"
            "#]],
        );
    }

    #[test]
    fn comments_and_directives() {
        check(
            "%% a comment\n%% @order !a < ?b\n# other\nlink A: B @ C\naccDescr {\n two lines\n}",
            expect![[r#"
                1 presentation
                2 comment
                3 @order "!a < ?b"
                4 comment
                5 presentation
                5 Participant(Participant { name: Name { "A" }, kind: Participant })
                6 presentation
            "#]],
        );
    }

    #[test]
    fn what_mermaid_refuses() {
        check(
            "A->>B\nA==>>B: x\nend\nelse x\nparticpant A\nA->>End user: x\nnote A: x\ncreate A\nautonumber \nB->>-A: x",
            expect![[r#"
                1 presentation
                2 unknown
                3 unknown
                4 unknown
                5 unknown
                6 unknown
                7 unknown
                8 unknown
                9 unknown
                10 AutoNumber(Start { start: None, step: None, format: None })
                11 Message(MessageStatement { from: Name(Name { "B" }), to: Name(Name { "A" }), text: Text { "x" }, arrow: Arrow { dashed: false, head: Tip { shape: Filled }, tail: Tip { shape: None } }, sort: Call, life: LifeShorthand { activate: false, deactivate: true, destroy: false } })
                2 E101 at "": the message has no text
                3 E105 at "==>>": `==>>` after `A` is not an arrow
                4 E103 at "end": `end` closes nothing: no block is open here
                5 E104 at "else": `else` stands outside of any block, it belongs into `alt`
                6 E101 at "particpant A": `particpant A` is not a valid statement in a sequence diagram
                7 E101 at "End": a receiver is wanted here, not `End`
                8 E101 at "A": a note stands `left of`, `right of` or `over` participants
                9 E101 at "A": `create` must be followed by `participant` or `actor`
                10 W116 at " ": a blank at the end of this line makes mermaid read on in the next line
                11 E111 at "B": `B` is not active here and cannot be deactivated
            "#]],
        );
    }
}
