//! Prints classes and objects as PlantUML.
//!
//! Classes come in the order of the model. One that is only named by relations comes into being where the first of them
//! stands, so relations are printed up to that one before the classes after it.

use std::collections::HashSet;

use sequent_kernel::model::{
    Association, AssociationEnd, AssociationKind, BodyRow, BoxLook, Class, ClassId, ClassKind, ClassRemark,
    EndSign, Flow, LineWay, Link, Model, NoteSide, Object, RelationLook, RemarkOwner,
};

use super::member;
use super::state::{fill, side, way};
use super::text::{caption_text, captions};
use crate::plantuml::common::arrow::without_visibility;
use crate::plantuml::common::scan::is_word;
use crate::plantuml::common::text::escape_line;

/// The classes, relations, objects and links of a model as one diagram.
pub fn print(model: &Model) -> String {
    let mut printer = PlantumlClassPrinter {
        model,
        relations: 0,
        known: HashSet::new(),
        open: Vec::new(),
        opened: HashSet::new(),
        out: String::from("@startuml\n"),
    };
    printer.surroundings();
    for (id, class) in model.classes.enumerate() {
        if class.declared {
            printer.enter(printer.look(id).package);
            printer.class(id, class);
            printer.known.insert(id);
        } else {
            printer.relations_until(id);
            printer.loose(id, class);
        }
    }
    while printer.relation() {}
    for (id, object) in model.objects.enumerate() {
        let look = model.picture.objects.get(&id).cloned().unwrap_or_default();
        printer.enter(look.package);
        printer.object(object, &look);
    }
    printer.enter(None);
    printer.empty_packages();
    (0..model.links.len()).for_each(|number| printer.link(number));
    printer.package_lines();
    printer.notes();
    printer.out + "@enduml\n"
}

struct PlantumlClassPrinter<'a> {
    model: &'a Model,
    /// How many relations have been printed.
    relations: usize,
    /// The classes that exist already.
    known: HashSet<ClassId>,
    /// The packages that are open, outermost first, and those that have been.
    open: Vec<usize>,
    opened: HashSet<usize>,
    out: String,
}

impl PlantumlClassPrinter<'_> {
    fn line(&mut self, text: &str) {
        self.out.push_str(&"  ".repeat(self.open.len()));
        self.out.push_str(text);
        self.out.push('\n');
    }

    fn surroundings(&mut self) {
        let picture = &self.model.picture;
        if !picture.titles.is_empty() {
            self.line(&format!("title {}", caption_text(&picture.titles.join("\n"))));
        }
        captions(&picture.captions).for_each(|line| self.line(&line));
        match picture.flow {
            Some(Flow::Right) => self.line("left to right direction"),
            Some(Flow::Down) => self.line("top to bottom direction"),
            None => {}
        }
    }

    fn look(&self, class: ClassId) -> BoxLook {
        self.model.picture.classes.get(&class).cloned().unwrap_or_default()
    }

    /// Closes and opens packages up to this one.
    fn enter(&mut self, package: Option<usize>) {
        let packages = &self.model.picture.packages;
        let mut wanted: Vec<usize> =
            std::iter::successors(package, |number| packages.get(*number).and_then(|one| one.parent))
                .collect();
        wanted.reverse();
        let common = self.open.iter().zip(&wanted).take_while(|(one, other)| one == other).count();
        while self.open.len() > common {
            self.open.pop();
            self.line("}");
        }
        for number in wanted.drain(common..) {
            let Some(one) = packages.get(number) else { return };
            let name = match one.name == one.label {
                true => quoted(&one.name),
                false => format!("{} as {}", quoted(&one.label), one.name),
            };
            let is_first = self.opened.insert(number);
            let words = if is_first { member::stereotypes(&one.stereotypes) } else { String::new() };
            let colour = one.colour.as_deref().filter(|_| is_first).map(|colour| format!(" {colour}"));
            self.line(&format!("package {name}{words}{} {{", colour.unwrap_or_default()));
            self.open.push(number);
        }
    }

    /// Packages that hold nothing.
    fn empty_packages(&mut self) {
        for number in 0..self.model.picture.packages.len() {
            if !self.opened.contains(&number) {
                self.enter(Some(number));
            }
        }
        self.enter(None);
    }

    /// The members of a class that was never declared; if nothing else names it, they do.
    fn loose(&mut self, id: ClassId, class: &Class) {
        let is_new = self.known.insert(id);
        self.enter(if is_new { self.look(id).package } else { None });
        let name = if is_code(&class.name) { class.name.clone() } else { quoted(&class.name) };
        for word in class.kind.stereotype().into_iter().chain(class.stereotypes.iter().map(String::as_str)) {
            self.line(&format!("{name} <<{word}>>"));
        }
        members(class).iter().for_each(|line| self.line(&format!("{name} : {line}")));
    }

    /// Prints relations until a class has been named.
    fn relations_until(&mut self, class: ClassId) {
        while !self.known.contains(&class) && self.relation() {}
    }

    /// Prints the next relation, if there is one.
    fn relation(&mut self) -> bool {
        let Some(association) = self.model.associations.get(self.relations) else { return false };
        let number = self.relations;
        self.relations += 1;
        let new = association.ends.iter().map(|end| end.class).find(|class| !self.known.contains(class));
        self.enter(new.and_then(|class| self.look(class).package));
        self.known.extend(association.ends.iter().map(|end| end.class));
        let text = self.association(number, association);
        self.line(&text);
        self.notes_on(RemarkOwner::Association(number));
        true
    }

    fn class(&mut self, id: ClassId, class: &Class) {
        let (keyword, stereotype) = match class.kind {
            ClassKind::Class => ("class", ""),
            ClassKind::Abstract => ("abstract class", ""),
            ClassKind::Interface => ("interface", ""),
            ClassKind::Enumeration => ("enum", ""),
            ClassKind::Signal => ("class", " <<signal>>"),
            ClassKind::Capsule => ("class", " <<capsule>>"),
            ClassKind::Protocol => ("protocol", ""),
        };
        let name = if !is_code(&class.name) {
            quoted(&class.name)
        } else if class.label == class.name {
            class.name.clone()
        } else {
            format!("{} as {}", quoted(&class.label), class.name)
        };
        let look = self.look(id);
        let generics = look.generics.as_ref().map(|text| format!("<{text}>")).unwrap_or_default();
        let words = member::stereotypes(&class.stereotypes);
        let colour = look.colour.as_ref().map(|colour| format!(" {colour}")).unwrap_or_default();
        self.boxed(&format!("{keyword} {name}{generics}{stereotype}{words}{colour}"), rows(class, &look));
    }

    /// A head and the lines of its body, in braces if there are any.
    fn boxed(&mut self, head: &str, body: Vec<String>) {
        if body.is_empty() {
            return self.line(head);
        }
        self.line(&format!("{head} {{"));
        body.iter().for_each(|line| self.line(&format!("  {line}")));
        self.line("}");
    }

    fn association(&self, number: usize, association: &Association) -> String {
        let nothing = RelationLook::default();
        let look = self.model.picture.associations.get(&number).unwrap_or(&nothing);
        let arrow = |end: &AssociationEnd| end.navigable.then_some(EndSign::Arrow);
        let [first, second] = &association.ends;
        let (mut signs, is_dashed) = match association.kind {
            AssociationKind::Association => ([arrow(first), arrow(second)], false),
            AssociationKind::Aggregation => ([Some(EndSign::OpenDiamond), arrow(second)], false),
            AssociationKind::Composition => ([Some(EndSign::Diamond), arrow(second)], false),
            AssociationKind::Generalization => ([None, Some(EndSign::Triangle)], false),
            AssociationKind::Realization => ([None, Some(EndSign::Triangle)], true),
            AssociationKind::Dependency => ([arrow(first), arrow(second)], true),
        };
        for (sign, own) in signs.iter_mut().zip(look.signs) {
            *sign = own.or(*sign);
        }
        let names = [first, second].map(|end| reference(&self.model.classes[end.class].name));
        let texts = [first, second].map(|end| vec![end.multiplicity.clone(), end.role.clone()]);
        relation(names, texts, (signs, is_dashed), association.name.as_deref(), look)
    }

    /// Lines that begin or end at packages.
    fn package_lines(&mut self) {
        for line in &self.model.picture.lines {
            let names = line.ends.map(|end| self.owner(end));
            let look = &line.look;
            let texts = [0, 1].map(|end| vec![look.counts[end].clone(), line.roles[end].clone()]);
            let text = relation(names, texts, (look.signs, look.is_dashed), line.name.as_deref(), look);
            self.line(&text);
        }
    }

    /// What a note or line belongs to, by its name.
    fn owner(&self, owner: RemarkOwner) -> String {
        let name = match owner {
            RemarkOwner::Class(id) => &self.model.classes[id].name,
            RemarkOwner::Object(id) => &self.model.objects[id].name,
            RemarkOwner::Package(number) => &self.model.picture.packages[number].name,
            RemarkOwner::Association(_) | RemarkOwner::Link(_) => return String::new(),
        };
        reference(name)
    }

    /// The notes on a relation, behind it.
    fn notes_on(&mut self, owner: RemarkOwner) {
        for note in self.model.picture.notes.iter().filter(|note| note.owners == [owner]) {
            let side = note.look.side.map(|one| format!("{} ", side(one))).unwrap_or_default();
            self.note(&format!("note {side}on link{}", fill(&note.look)), &note.text);
        }
    }

    /// Notes beside boxes, and those that have a box of their own.
    fn notes(&mut self) {
        let picture = &self.model.picture;
        for (number, note) in picture.notes.iter().enumerate() {
            match note.owners[..] {
                [RemarkOwner::Association(_) | RemarkOwner::Link(_)] => {}
                [owner] => {
                    let place = side(note.look.side.unwrap_or(NoteSide::Right));
                    let head = format!("note {place} of {}{}", self.owner(owner), fill(&note.look));
                    self.note(&head, &note.text);
                }
                _ => self.free_note(number, note),
            }
        }
    }

    fn free_note(&mut self, number: usize, note: &ClassRemark) {
        let is_taken = |name: &String| {
            self.model.classes.iter().any(|one| &one.name == name)
                || self.model.objects.iter().any(|one| &one.name == name)
        };
        let mut names = (number + 1..).map(|number| format!("N{number}"));
        let Some(name) = names.find(|name| !is_taken(name)) else { return };
        self.block(&format!("note as {name}{}", fill(&note.look)), &note.text);
        for owner in &note.owners {
            let line = format!("{name} .. {}", self.owner(*owner));
            self.line(&line);
        }
    }

    fn note(&mut self, head: &str, text: &str) {
        match text.contains('\n') || text.is_empty() {
            true => self.block(head, text),
            false => self.line(&format!("{head} : {}", escape_line(text))),
        }
    }

    fn block(&mut self, head: &str, text: &str) {
        self.line(head);
        text.split('\n').for_each(|line| self.line(line));
        self.line("end note");
    }

    /// `object "o : C" as o`, with its values.
    fn object(&mut self, object: &Object, look: &BoxLook) {
        let is_plain = is_code(&object.name) && !object.name.contains(':');
        let name = match &object.class {
            None if is_plain => object.name.clone(),
            None => quoted(&object.name),
            Some(class) if is_plain => {
                format!("{} as {}", quoted(&format!("{} : {class}", object.name)), object.name)
            }
            Some(class) => quoted(&format!("{} : {class}", object.name)),
        };
        let value = |(name, value): &(String, String)| {
            if value.is_empty() { name.clone() } else { format!("{name} = {value}") }
        };
        let colour = look.colour.as_ref().map(|colour| format!(" {colour}")).unwrap_or_default();
        let head = format!("object {name}{}{colour}", member::stereotypes(&object.stereotypes));
        let row = |row: &BodyRow| match row {
            BodyRow::Attribute(number) => object.values.get(*number).map(value),
            BodyRow::Rule(title) => Some(rule(title)),
            BodyRow::Literal(_) | BodyRow::Operation(_) => None,
        };
        let body = match look.rows.is_empty() {
            true => object.values.iter().map(value).collect(),
            false => look.rows.iter().filter_map(row).collect(),
        };
        self.boxed(&head, body);
    }

    fn link(&mut self, number: usize) {
        let nothing = RelationLook::default();
        let look = self.model.picture.links.get(&number).unwrap_or(&nothing);
        let Link { ends, roles, name, .. } = &self.model.links[number];
        let names = ends.map(|id| reference(&self.model.objects[id].name));
        let texts = [0, 1].map(|end| vec![look.counts[end].clone(), roles[end].clone()]);
        let text = relation(names, texts, (look.signs, look.is_dashed), name.as_deref(), look);
        self.line(&text);
        self.notes_on(RemarkOwner::Link(number));
    }
}

/// The lines of a class's body, in the order of its author where lines divide them.
fn rows(class: &Class, look: &BoxLook) -> Vec<String> {
    let row = |row: &BodyRow| match row {
        BodyRow::Literal(number) => class.literals.get(*number).cloned(),
        BodyRow::Attribute(number) => class.attributes.get(*number).map(member::attribute),
        BodyRow::Operation(number) => class.operations.get(*number).map(member::operation),
        BodyRow::Rule(title) => Some(rule(title)),
    };
    if look.rows.is_empty() { members(class) } else { look.rows.iter().filter_map(row).collect() }
}

fn members(class: &Class) -> Vec<String> {
    let attributes = class.attributes.iter().map(member::attribute);
    let operations = class.operations.iter().map(member::operation);
    class.literals.iter().cloned().chain(attributes).chain(operations).collect()
}

/// A line across a body.
fn rule(title: &str) -> String {
    if title.is_empty() { "--".to_owned() } else { format!("-- {title} --") }
}

/// A relation between two names, with the words beside its ends and what stands there.
fn relation(
    names: [String; 2],
    texts: [Vec<Option<String>>; 2],
    (signs, is_dashed): ([Option<EndSign>; 2], bool),
    name: Option<&str>,
    look: &RelationLook,
) -> String {
    let texts = texts.map(|words| {
        let words: Vec<String> = words.into_iter().flatten().collect();
        if words.is_empty() { String::new() } else { format!(" {}", quoted(&words.join(" "))) }
    });
    let keys =
        look.qualifiers.each_ref().map(|key| key.as_ref().map(|key| format!(" [{key}]")).unwrap_or_default());
    let dash = if is_dashed { "." } else { "-" };
    let colour = look.line.colour.as_ref().map(|colour| format!("[{colour}]")).unwrap_or_default();
    let line = match look.line.way {
        Some(LineWay::Right) if colour.is_empty() && !is_dashed => dash.to_owned(),
        way => format!("{dash}{colour}{}{dash}", way.map_or("", self::way)),
    };
    let [left, right] = signs;
    let arrow = format!(
        "{}{line}{}",
        left.map_or("", |sign| written(sign).0),
        right.map_or("", |sign| written(sign).1)
    );
    let words = member::stereotypes(&look.stereotypes);
    let label = label(name, look.read_to);
    let [first, second] = names;
    format!("{first}{}{} {arrow}{}{} {second}{words}{label}", keys[0], texts[0], texts[1], keys[1])
}

/// A sign at the left and at the right end of a line.
fn written(sign: EndSign) -> (&'static str, &'static str) {
    match sign {
        EndSign::Arrow => ("<", ">"),
        EndSign::Triangle => ("<|", "|>"),
        EndSign::Diamond => ("*", "*"),
        EndSign::OpenDiamond => ("o", "o"),
        EndSign::Circle => ("()", "()"),
        EndSign::Cross => ("x", "x"),
        EndSign::Square => ("#", "#"),
        EndSign::Plus => ("+", "+"),
        EndSign::Many => ("}", "{"),
        EndSign::ManyOrNone => ("}o", "o{"),
        EndSign::OneOrMany => ("}|", "|{"),
        EndSign::OneOrNone => ("|o", "o|"),
        EndSign::ExactlyOne => ("||", "||"),
    }
}

/// Whether a declaration can use the name without quotes.
fn is_code(name: &str) -> bool {
    !name.is_empty()
        && !name.contains(|c: char| c.is_whitespace() || matches!(c, '{' | '}' | '"' | '<' | '>'))
}

/// A name in a relation.
fn reference(name: &str) -> String {
    let is_plain = name.chars().all(|c| is_word(c) || c == '$');
    if is_plain { name.to_owned() } else { quoted(name) }
}

fn quoted(text: &str) -> String {
    format!("\"{}\"", escape_line(text).replace('"', "'"))
}

/// ` : name`, kept from being taken for a visibility, with the sign for the direction in which it is read.
fn label(name: Option<&str>, read_to: Option<usize>) -> String {
    let Some(name) = name else { return String::new() };
    match read_to {
        Some(0) => return format!(" : < {}", escape_line(name)),
        Some(_) => return format!(" : {} >", escape_line(name)),
        None => {}
    }
    let text = escape_line(name);
    let sign = if text.starts_with('+') { "-" } else { "+" };
    let guard = if without_visibility(&text) == text { "" } else { sign };
    format!(" : {guard}{text}")
}

#[cfg(test)]
mod tests {
    use expect_test::{Expect, expect};
    use sequent_kernel::source::Sources;

    use super::*;
    use crate::line;

    fn read(input: &str) -> Model {
        let mut sources = Sources::new();
        let file = sources.add("a.puml", input);
        let lines = line::cut(file, sources.get(file), 0..input.len());
        let lines: Vec<_> = lines.into_iter().filter(|line| !line.text.starts_with('@')).collect();
        let (mut model, mut diagnostics) = (Model::default(), Vec::new());
        let statements = crate::plantuml::class::read(&lines, &mut diagnostics);
        crate::resolve::class::classes(&statements, &|_| true, &mut model);
        model
    }

    fn check(input: &str, expected: Expect) {
        let model = read(input);
        let printed = print(&model);
        expected.assert_eq(&printed);
        assert_eq!(read(&printed), model);
    }

    #[test]
    fn classes() {
        check(
            "class A {\n +x : int[2] = 1\n -f(in y : T, Z z) : R\n signal go\n {field} odd(x)\n n = f(1)\n}\nA --> B : uses\nabstract class \"Long name\" as C <<q>>\nenum E {\n R\n G\n + v : int\n}\nclass \"my class\"\nC \"1\" *-- \"0..* parts\" \"my class\" : -has\nA <|-- D\ninterface I\nD ..|> I\nprotocol P\nclass S <<signal>>\nclass K <<capsule>> {\n wd : P <<port>>\n}\nE <-- A\nstruct T extends A\n",
            expect![[r#"
                @startuml
                class A {
                  +x[2] : int = 1
                  {field} odd(x)
                  n = f(1)
                  -f(in y : T, z : Z) : R
                  signal go()
                }
                A --> B : uses
                abstract class "Long name" as C <<q>>
                enum E {
                  R
                  G
                  +v : int
                }
                class "my class"
                C "1" *-- "0..* parts" "my class" : has
                D --|> A
                interface I
                protocol P
                class S <<signal>>
                class K <<capsule>> {
                  wd : P <<port>>
                }
                class T <<struct>>
                D ..|> I
                A --> E
                T --|> A
                @enduml
            "#]],
        );
    }

    #[test]
    fn objects() {
        check(
            "object \"b : Bank\" as b {\n x = 1\n flag\n}\nobject a1\nobject \"the box\"\nb::wd -- a1 : line\n\"the box\" \"p\" -- b\n",
            expect![[r#"
                @startuml
                object "b : Bank" as b {
                  x = 1
                  flag
                }
                object a1
                object "the box"
                b "wd" -- a1 : line
                "the box" "p" -- b
                @enduml
            "#]],
        );
    }
}
