//! The statements of a class diagram.

use std::ops::Range;

use sequent_kernel::diagnostic::{Code, Diagnostic, Severity, nearest};
use sequent_kernel::model::{LineLook, NoteLook};

use super::cursor::Cursor;
use super::reader::{ClassProblem, ClassReader};
use crate::mermaid::script::MermaidScript;
use crate::mermaid::text::is_space;
use crate::mermaid::trivia;
use crate::tree::class::{
    ClassDeclaration, ClassKeyword, ClassNote, ClassNoteTarget, ClassStatement, Package, Relation,
    RelationEnd,
};
use crate::tree::{Statement, StatementKind, Text};

/// Arrows that only relations have.
const HEADS: &[&str] =
    &["<|--", "--|>", "<|..", "..|>", " --> ", " <-- ", " *-- ", " --* ", " o-- ", " --o ", " ..> ", " <.. "];

/// Reads a class diagram.
pub fn read(script: &MermaidScript, diagnostics: &mut Vec<Diagnostic>) -> Vec<Statement<ClassStatement>> {
    let cursor = Cursor { text: &script.text, at: 0 };
    let said = diagnostics.len();
    let mut reader =
        ClassReader { script, cursor, statements: Vec::new(), diagnostics, namespaces: 0, said, bare: None };
    reader.diagram();
    reader.statements
}

impl ClassReader<'_> {
    fn diagram(&mut self) {
        self.cursor.skip_space();
        let start = self.cursor.at;
        let is_diagram = self.cursor.take_word("classDiagram-v2") || self.cursor.take_word("classDiagram");
        self.cursor.skip_blanks();
        if is_diagram && self.at_end() {
            self.push(start..self.cursor.at, StatementKind::Presentation);
        } else {
            let problem = self.problem(start, "the first line must be `classDiagram` alone");
            self.give_up(start, problem);
        }
        loop {
            self.cursor.skip_space();
            if self.cursor.rest().is_empty() {
                return self.unclosed();
            }
            let start = self.cursor.at;
            if let Err(problem) = self.statement(start).and_then(|()| self.end()) {
                self.give_up(start, problem);
            }
        }
    }

    fn unclosed(&mut self) {
        if self.namespaces > 0 {
            let end = self.script.text.trim_end().len();
            let problem = self.problem(end, "a namespace is not closed");
            self.diagnostics
                .push(Diagnostic { code: Code::UnclosedBlock, ..problem }.hint("close it with `}`"));
        }
    }

    fn statement(&mut self, start: usize) -> Result<(), ClassProblem> {
        let rest = self.cursor.rest();
        if rest.starts_with("%%") {
            let end = start + self.cursor.take_line().trim_end().len();
            self.push(start..end, trivia::comment(self.script, start..end));
            return Ok(());
        }
        if self.cursor.take("}") {
            return self.close(start);
        }
        if !is_direction(rest) && self.cursor.take_word("class") {
            return self.class(start);
        }
        let bare = self.bare.take();
        let read = self.other(start);
        if read.is_err() || self.is_ignored(start) {
            self.bare = bare;
        }
        read
    }

    /// Statements that neither begin nor end a class.
    fn other(&mut self, start: usize) -> Result<(), ClassProblem> {
        let rest = self.cursor.rest();
        if is_direction(rest) {
            self.cursor.take_line();
            return self.looks(start);
        }
        if self.cursor.take_word("namespace") {
            return self.namespace(start);
        }
        if self.cursor.take_word("note for") {
            return self.note(start, true);
        }
        if self.cursor.take_word("note") {
            return self.note(start, false);
        }
        if ["click", "link", "callback", "cssClass", "style", "classDef"]
            .iter()
            .any(|it| self.cursor.take_word(it))
        {
            self.cursor.take_line();
            return self.looks(start);
        }
        if self.cursor.take("<<") {
            return self.annotation(start);
        }
        if rest.starts_with("accTitle") || rest.starts_with("accDescr") {
            return self.accessible(start);
        }
        self.named(start)
    }

    /// Whether what was read last is a name alone.
    fn is_ignored(&self, start: usize) -> bool {
        self.statements.last().is_some_and(|last| {
            matches!(last.kind, StatementKind::Presentation)
                && last.span == self.script.span(start..self.cursor.at)
        })
    }

    fn looks(&mut self, start: usize) -> Result<(), ClassProblem> {
        self.push(start..self.cursor.at, StatementKind::Presentation);
        Ok(())
    }

    fn accessible(&mut self, start: usize) -> Result<(), ClassProblem> {
        let is_title = self.cursor.take("accTitle");
        let is_description = !is_title && self.cursor.take("accDescr");
        self.cursor.skip_space();
        if is_description && self.cursor.take("{") {
            let close = self.cursor.rest().find('}').map_or(self.cursor.rest().len(), |close| close + 1);
            self.cursor.at += close;
            return self.looks(start);
        }
        if !self.cursor.take(":") {
            return Err(self.problem(start, "a colon is missing").hint("write `accTitle: text`"));
        }
        self.cursor.skip_space();
        let from = self.cursor.at;
        self.cursor.take_line();
        let text = self.text(from..self.cursor.at).text;
        let is_name = is_title && self.script.title.is_none();
        self.push(
            start..self.cursor.at,
            if is_name { StatementKind::Title(text) } else { StatementKind::Presentation },
        );
        Ok(())
    }

    fn close(&mut self, start: usize) -> Result<(), ClassProblem> {
        if self.namespaces == 0 {
            let is_unread = self.is_unread(self.diagnostics.len());
            let bare = self.bare.take().filter(|(_, said)| !self.is_unread(*said));
            if let Some((declaration, said)) = bare {
                self.diagnostics.truncate(said);
                let text = self.text(declaration.clone()).text;
                let span = self.script.span(start..start + 1);
                let problem = self.problem(start, "`{` is missing: a body follows");
                let problem = Diagnostic { span: self.script.span(declaration), ..problem };
                return Err(problem.hint(format!("write `{text} {{`")).label(span, "the body ends here"));
            }
            if is_unread {
                self.push(start..self.cursor.at, StatementKind::Unknown);
                return Ok(());
            }
            let problem = self.problem(start, "this closes nothing: no namespace or class is open here");
            return Err(Diagnostic { code: Code::StrayEnd, ..problem });
        }
        self.namespaces -= 1;
        self.bare = None;
        self.push(start..self.cursor.at, StatementKind::Item(ClassStatement::Close));
        Ok(())
    }

    fn namespace(&mut self, start: usize) -> Result<(), ClassProblem> {
        let name = self.name("the namespace")?;
        let name = self.labelled(name);
        let end = self.cursor.at;
        self.cursor.skip_space();
        if !self.cursor.take("{") {
            self.cursor.at = end;
            let problem = self.problem(start, "`{` is wanted after the namespace");
            return Err(Diagnostic { span: self.script.span(start..end), ..problem });
        }
        self.namespaces += 1;
        let package = Package { name, stereotypes: Vec::new(), colour: None };
        self.push(start..self.cursor.at, StatementKind::Item(ClassStatement::Package(package)));
        // What stands on the same line is a statement of its own.
        Ok(())
    }

    fn class(&mut self, start: usize) -> Result<(), ClassProblem> {
        self.cursor.skip_blanks();
        let taken = self.taken("the class")?;
        let generics = taken.generics.clone();
        let name = self.labelled(self.named_by(&taken));
        let mut stereotypes = Vec::new();
        self.cursor.skip_blanks();
        if self.cursor.take(":::") {
            self.name("the style class")?;
        } else if self.cursor.take("<<") {
            stereotypes.push(self.stereotype()?);
        }
        self.cursor.skip_blanks();
        let opens = self.cursor.take("{");
        let class = ClassDeclaration {
            keyword: ClassKeyword::Class,
            name,
            generics,
            stereotypes,
            colour: None,
            extends: Vec::new(),
            implements: Vec::new(),
            opens,
        };
        self.push(start..self.cursor.at, StatementKind::Item(ClassStatement::Class(class)));
        self.bare = (!opens).then_some((start..self.cursor.at, self.diagnostics.len()));
        if opens { self.body(start) } else { Ok(()) }
    }

    /// The members up to the closing brace.
    fn body(&mut self, class: usize) -> Result<(), ClassProblem> {
        loop {
            self.cursor.skip_space();
            let start = self.cursor.at;
            if self.cursor.take("}") {
                self.push(start..self.cursor.at, StatementKind::Item(ClassStatement::Close));
                return Ok(());
            }
            let rest = self.cursor.rest();
            if rest.is_empty() {
                let problem = self.problem(class, "the class is never closed");
                return Err(Diagnostic { code: Code::UnclosedBlock, ..problem }.hint("close it with `}`"));
            }
            let length = rest.find(['{', '}', '\n']).unwrap_or(rest.len());
            if let Some(problem) = self.body_left(class, start) {
                self.diagnostics.push(problem);
                let end = self.script.text[..start].trim_end_matches(is_space).len();
                self.cursor.at = end;
                self.push(end..end, StatementKind::Item(ClassStatement::Close));
                return Ok(());
            }
            if rest[length..].starts_with('{') {
                let problem = self.problem(start, "a member must not hold `{`");
                self.give_up(start, problem);
                continue;
            }
            self.cursor.at += length;
            let text = self.text(start..start + length);
            let annotation = text.text.strip_prefix("<<").and_then(|text| text.strip_suffix(">>"));
            let item = match annotation {
                Some(word) => ClassStatement::Annotation { owner: None, stereotype: word.trim().to_owned() },
                None => ClassStatement::Member { owner: None, text: typed(text) },
            };
            let end = start + rest[..length].trim_end_matches(is_space).len();
            self.push(start..end, StatementKind::Item(item));
        }
    }

    /// That a line of a body is hardly meant as a member: the `}` before it is missing.
    fn body_left(&self, class: usize, start: usize) -> Option<ClassProblem> {
        let line = self.script.text[start..].lines().next().unwrap_or_default().trim_end();
        let declares = ["class ", "namespace ", "note for "].iter().any(|word| line.starts_with(word));
        let relates = || HEADS.iter().any(|head| line.contains(head));
        if !declares && !relates() {
            return None;
        }
        let first = self.script.text[class..].lines().next().unwrap_or_default().trim_end();
        let problem = self.problem(class, format!("`}}` is missing before `{line}`"));
        let span = self.script.span(class..class + first.len());
        let severity = if line.ends_with('{') { Severity::Error } else { Severity::Warning };
        let problem = Diagnostic { code: Code::UnclosedBlock, span, ..problem }.severity(severity);
        let place = self.script.span(start..start + line.len());
        Some(problem.hint("close it with `}`").label(place, "this is no member"))
    }

    /// `<<interface>> A`
    fn annotation(&mut self, start: usize) -> Result<(), ClassProblem> {
        let stereotype = self.stereotype()?;
        let owner = Some(self.name("the class")?);
        self.push(
            start..self.cursor.at,
            StatementKind::Item(ClassStatement::Annotation { owner, stereotype }),
        );
        Ok(())
    }

    fn stereotype(&mut self) -> Result<String, ClassProblem> {
        let word = self.name("the annotation")?;
        self.cursor.skip_blanks();
        if self.cursor.take(">>") {
            return Ok(word.text);
        }
        Err(self.problem(self.cursor.at, "`>>` is wanted after the annotation"))
    }

    fn note(&mut self, start: usize, attached: bool) -> Result<(), ClassProblem> {
        let target = if attached {
            ClassNoteTarget::Name(self.name("the class")?)
        } else {
            ClassNoteTarget::Floating(None)
        };
        self.cursor.skip_blanks();
        let Some(inside) = self.cursor.take_quoted() else {
            return Err(self.problem(self.cursor.at, "the text of a note stands in quotes"));
        };
        let mut text = self.text(inside);
        text.text = text.text.replace("\\n", "\n");
        self.push(
            start..self.cursor.at,
            StatementKind::Item(ClassStatement::Note(ClassNote { target, look: NoteLook::default(), text })),
        );
        Ok(())
    }

    /// A relation, a member, or a name alone, which says nothing.
    fn named(&mut self, start: usize) -> Result<(), ClassProblem> {
        let left = self.name("a class")?;
        self.cursor.skip_blanks();
        if self.cursor.rest().starts_with(':') && !self.cursor.rest().starts_with(":::") {
            let text = self.label();
            self.push(
                start..self.cursor.at,
                StatementKind::Item(ClassStatement::Member { owner: Some(left), text: typed(text) }),
            );
            return Ok(());
        }
        let left_text = self.cursor.take_quoted();
        self.cursor.skip_blanks();
        if self.at_end() && left_text.is_none() {
            self.wonder(start);
            return self.looks(start);
        }
        let at = self.cursor.at;
        let Some(line) = self.cursor.take_relation() else {
            let problem = self.problem(at, "a relation such as `<|--` or `-->` is wanted here");
            return Err(Diagnostic { code: Code::BadArrow, ..problem });
        };
        self.cursor.skip_blanks();
        let right_text = self.cursor.take_quoted();
        let right = self.name("a class")?;
        self.cursor.skip_blanks();
        let text = self.label();
        let end = |name, head, text: Option<Range<usize>>| RelationEnd {
            name,
            member: None,
            head,
            text: text.map(|range| self.text(range)),
            qualifier: None,
        };
        let ends = [end(left, line.heads[0], left_text), end(right, line.heads[1], right_text)];
        let look = LineLook::default();
        let relation = Relation { ends, dashed: line.dashed, look, stereotypes: Vec::new(), text };
        self.push(start..self.cursor.at, StatementKind::Item(ClassStatement::Relation(Box::new(relation))));
        Ok(())
    }

    /// Warns of words that Mermaid takes for the name of a class about which nothing is said.
    fn wonder(&mut self, start: usize) {
        let words = self.script.text[start..self.cursor.at].trim_end();
        let Some((first, _)) = words.split_once(is_space) else { return };
        let span = self.script.span(start..start + words.len());
        let finding = Diagnostic::new(Code::Syntax, span, format!("Mermaid draws nothing for `{words}`"));
        let known = ["class", "namespace", "note", "direction", "click", "style", "classDef", "cssClass"];
        let finding = finding.severity(Severity::Warning);
        self.diagnostics.push(match nearest(first, known) {
            Some(word) => finding.meant(first, word),
            None => finding.hint("write `class Name`, `Name : member` or `One --> Other`"),
        });
    }

    /// The text after a colon; empty if there is none. Mermaid ends it at the next colon and then gives up.
    fn label(&mut self) -> Text {
        let start = self.cursor.at;
        if !self.cursor.take(":") {
            return Text { text: String::new(), span: self.script.span(start..start) };
        }
        let line = self.cursor.take_line();
        if let Some(stop) = line.find([':', ';']) {
            let at = start + 1 + stop;
            let message = "mermaid does not accept a second colon or a semicolon here";
            let diagnostic = Diagnostic::new(Code::Tolerated, self.script.span(at..at + 1), message);
            self.diagnostics.push(diagnostic.hint("write it as `#58;` or `#59;`, or use a body `{ }`"));
        }
        self.text(start + 1..self.cursor.at)
    }
}

/// A member with its types as other languages write them: `List~int~` is `List<int>`.
fn typed(text: Text) -> Text {
    let is_word = |c: char| c.is_alphanumeric() || c == '_' || c == ']';
    let (mut out, mut depth, mut before) = (String::new(), 0, ' ');
    let mut rest = text.text.chars().peekable();
    while let Some(c) = rest.next() {
        let next = rest.peek().copied().unwrap_or(' ');
        let sign = match c {
            '~' if is_word(before) && (next.is_alphanumeric() || next == '_') => {
                depth += 1;
                '<'
            }
            '~' if depth > 0 => {
                depth -= 1;
                '>'
            }
            other => other,
        };
        out.push(sign);
        before = c;
    }
    if depth == 0 { Text { text: out, ..text } } else { text }
}

/// Whether a line holds `direction LR` or the like, which makes it one.
fn is_direction(rest: &str) -> bool {
    let line = &rest[..rest.find('\n').unwrap_or(rest.len())];
    line.match_indices("direction").any(|(at, word)| {
        let after = &line[at + word.len()..];
        let value = after.trim_start_matches(is_space);
        value.len() < after.len() && ["TB", "BT", "RL", "LR"].iter().any(|known| value.starts_with(known))
    })
}

#[cfg(test)]
mod tests {
    use expect_test::{Expect, expect};

    use crate::mermaid::testing::told;

    fn check(input: &str, expected: Expect) {
        expected.assert_eq(&told(&format!("classDiagram\n{input}")));
    }

    #[test]
    fn classes_and_members() {
        check(
            "class A~T~[\"An A\"] {\n  <<interface>>\n  +int x\n  +run() bool\n}\nB : +name\n<<enum>> B\nnamespace N {\n class `a b`\n}",
            expect![[r#"
                1 presentation
                2 Class(ClassDeclaration { keyword: Class, name: Name { "A", label: Some("An A") }, generics: Some("T"), opens: true })
                3 Annotation { owner: None, stereotype: "interface" }
                4 Member { owner: None, text: Text { "+int x" } }
                5 Member { owner: None, text: Text { "+run() bool" } }
                6 Close
                7 Member { owner: Some(Name { "B" }), text: Text { "+name" } }
                8 Annotation { owner: Some(Name { "B" }), stereotype: "enum" }
                9 Package(Package { name: Name { "N" } })
                10 Class(ClassDeclaration { keyword: Class, name: Name { "a b" }, opens: false })
                11 Close
            "#]],
        );
    }

    #[test]
    fn relations_and_notes() {
        check(
            "A <|-- B : is\nA \"1\" o--> \"0..*\" C\nA ..|> D\nnote for A \"hi\"\ndirection LR\nclick A href \"x\"",
            expect![[r#"
                1 presentation
                2 Relation(Relation { ends: [RelationEnd { name: Name { "A" }, head: Triangle, text: None }, RelationEnd { name: Name { "B" }, head: Plain, text: None }], dashed: false, text: Text { "is" } })
                3 Relation(Relation { ends: [RelationEnd { name: Name { "A" }, head: OpenDiamond, text: Some(Text { "1" }) }, RelationEnd { name: Name { "C" }, head: Arrow, text: Some(Text { "0..*" }) }], dashed: false, text: Text { "" } })
                4 Relation(Relation { ends: [RelationEnd { name: Name { "A" }, head: Plain, text: None }, RelationEnd { name: Name { "D" }, head: Triangle, text: None }], dashed: true, text: Text { "" } })
                5 Note(ClassNote { target: Name(Name { "A" }), text: Text { "hi" } })
                6 presentation
                7 presentation
            "#]],
        );
    }

    #[test]
    fn what_mermaid_refuses() {
        check(
            "A => B\n}\nB : x: int\nclass C {",
            expect![[r#"
            1 presentation
            2 unknown
            3 unknown
            4 Member { owner: Some(Name { "B" }), text: Text { "x: int" } }
            5 Class(ClassDeclaration { keyword: Class, name: Name { "C" }, opens: true })
            5 unknown
            2 E105 at "=>": a relation such as `<|--` or `-->` is wanted here
            4 W116 at ":": mermaid does not accept a second colon or a semicolon here
            5 E102 at "class": the class is never closed
        "#]],
        );
    }
}
