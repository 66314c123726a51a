//! Prints classes and objects as PlantUML.
//!
//! Classes come in the order of the model. One that is only named by relations comes into being where the first of them
//! stands, so relations are printed up to that one before the classes after it.

use std::collections::HashSet;

use sequent_kernel::model::{
    Association, AssociationEnd, AssociationKind, Class, ClassId, ClassKind, Link, Model, Object, ObjectId,
};

use super::member;
use crate::plantuml::common::scan::is_word;
use crate::plantuml::common::text::escape_line;
use crate::plantuml::state::without_visibility;

/// The classes, relations, objects and links of a model as one diagram.
pub fn print(model: &Model) -> String {
    let mut printer =
        PlantumlClassPrinter { model, relations: 0, known: HashSet::new(), out: String::from("@startuml\n") };
    for (id, class) in model.classes.enumerate() {
        if class.declared {
            printer.class(class);
            printer.known.insert(id);
        } else {
            printer.relations_until(id);
        }
    }
    while printer.relation() {}
    model.objects.iter().for_each(|one| printer.object(one));
    model.links.iter().for_each(|link| printer.link(link));
    printer.out + "@enduml\n"
}

struct PlantumlClassPrinter<'a> {
    model: &'a Model,
    /// How many relations have been printed.
    relations: usize,
    /// The classes that exist already.
    known: HashSet<ClassId>,
    out: String,
}

impl PlantumlClassPrinter<'_> {
    fn line(&mut self, text: &str) {
        self.out.push_str(text);
        self.out.push('\n');
    }

    /// Prints relations until a class has been named.
    fn relations_until(&mut self, class: ClassId) {
        while !self.known.contains(&class) && self.relation() {}
    }

    /// Prints the next relation, if there is one.
    fn relation(&mut self) -> bool {
        let Some(association) = self.model.associations.get(self.relations) else { return false };
        self.relations += 1;
        self.known.extend(association.ends.iter().map(|end| end.class));
        let text = self.association(association);
        self.line(&text);
        true
    }

    fn class(&mut self, class: &Class) {
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
        let head = format!("{keyword} {name}{stereotype}{}", member::stereotypes(&class.stereotypes));
        let attributes = class.attributes.iter().map(member::attribute);
        let operations = class.operations.iter().map(member::operation);
        self.boxed(&head, class.literals.iter().cloned().chain(attributes).chain(operations).collect());
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

    fn association(&self, association: &Association) -> String {
        let [first, second] = &association.ends;
        let left = if first.navigable { "<" } else { "" };
        let right = if second.navigable { ">" } else { "" };
        let arrow = match association.kind {
            AssociationKind::Association => format!("{left}--{right}"),
            AssociationKind::Aggregation => format!("o--{right}"),
            AssociationKind::Composition => format!("*--{right}"),
            AssociationKind::Generalization => "--|>".to_owned(),
            AssociationKind::Realization => "..|>".to_owned(),
            AssociationKind::Dependency => format!("{left}..{right}"),
        };
        let name = |end: &AssociationEnd| reference(&self.model.classes[end.class].name);
        let (beside_first, beside_second) = (beside(first), beside(second));
        let label = label(association.name.as_deref());
        format!("{}{beside_first} {arrow}{beside_second} {}{label}", name(first), name(second))
    }

    /// `object "o : C" as o`, with its values.
    fn object(&mut self, object: &Object) {
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
        let head = format!("object {name}{}", member::stereotypes(&object.stereotypes));
        self.boxed(&head, object.values.iter().map(value).collect());
    }

    fn link(&mut self, link: &Link) {
        let name = |id: ObjectId| reference(&self.model.objects[id].name);
        let role =
            |role: &Option<String>| role.as_ref().map_or(String::new(), |role| format!(" {}", quoted(role)));
        let [first, second] = link.ends;
        let label = label(link.name.as_deref());
        let text = format!(
            "{}{} --{} {}{label}",
            name(first),
            role(&link.roles[0]),
            role(&link.roles[1]),
            name(second)
        );
        self.line(&text);
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

/// ` "1 role"`
fn beside(end: &AssociationEnd) -> String {
    let words: Vec<&str> = [&end.multiplicity, &end.role].into_iter().flatten().map(String::as_str).collect();
    if words.is_empty() { String::new() } else { format!(" {}", quoted(&words.join(" "))) }
}

/// ` : name`, kept from being taken for a visibility.
fn label(name: Option<&str>) -> String {
    let Some(name) = name else { return String::new() };
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
