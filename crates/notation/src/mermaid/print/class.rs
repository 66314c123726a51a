//! Classes and their relations as a Mermaid `classDiagram`.
//!
//! Classes are ordered by first mention, so a relation that is the first to name a class stands where that class comes,
//! and a declared class is written before whatever names it. Objects and links are not drawn: Mermaid has no diagram
//! for them. Packages are namespaces, which it does not nest: their names are joined.

use sequent_kernel::id::Id;
use sequent_kernel::model::{
    Association, AssociationEnd, AssociationKind, Attribute, Class, ClassId, ClassRemark, EndSign, Flow,
    Model, Operation, Parameter, ParameterDirection, RelationLook, RemarkOwner, Visibility,
};

use super::{PrintedPage, encode};

/// The classes of a model as a Mermaid `classDiagram`.
pub fn class(model: &Model) -> String {
    let picture = &model.picture;
    let titles = picture.titles.join(" / ");
    let first = match titles.is_empty() {
        true => "classDiagram".to_owned(),
        false => format!("---\ntitle: {}\n---\nclassDiagram", encode::yaml(&titles)),
    };
    let mut page = PrintedPage::new(&first);
    match picture.flow {
        Some(Flow::Right) => page.line("direction LR"),
        Some(Flow::Down) => page.line("direction TB"),
        None => {}
    }
    let mut printer = MermaidClassPrinter { model, page, known: vec![false; model.classes.len()] };
    for (number, association) in model.associations.iter().enumerate() {
        printer.association(number, association);
    }
    for (id, _) in model.classes.enumerate() {
        printer.introduce(id);
    }
    for class in model.classes.iter().filter(|class| !class.declared) {
        printer.loose_members(class);
    }
    printer.colours();
    picture.notes.iter().for_each(|note| printer.note(note));
    printer.page.text
}

struct MermaidClassPrinter<'a> {
    model: &'a Model,
    page: PrintedPage,
    known: Vec<bool>,
}

impl MermaidClassPrinter<'_> {
    /// The colours of classes whose names can stand in a style.
    fn colours(&mut self) {
        for (id, look) in &self.model.picture.classes {
            let name = encode::class(&self.model.classes[*id].name);
            let word = look.colour.as_deref().and_then(|colour| colour.strip_prefix('#'));
            let is_word = |text: &str| text.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
            let Some(word) = word.filter(|word| !word.is_empty() && is_word(word) && is_word(&name)) else {
                continue;
            };
            let is_number = matches!(word.len(), 3 | 6) && word.chars().all(|c| c.is_ascii_hexdigit());
            self.page.line(format!("style {name} fill:{}{word}", if is_number { "#" } else { "" }));
        }
    }

    /// A note; one on a relation stands beside its first class.
    fn note(&mut self, note: &ClassRemark) {
        let class = note.owners.iter().find_map(|owner| match owner {
            RemarkOwner::Class(id) => Some(*id),
            RemarkOwner::Association(number) => Some(self.model.associations[*number].ends[0].class),
            RemarkOwner::Object(_) | RemarkOwner::Package(_) | RemarkOwner::Link(_) => None,
        });
        let text = encode::quoted(&note.text);
        self.page.line(match class {
            Some(id) => format!("note for {} \"{text}\"", encode::class(&self.model.classes[id].name)),
            None => format!("note \"{text}\""),
        });
    }

    fn association(&mut self, number: usize, association: &Association) {
        let nothing = RelationLook::default();
        let look = self.model.picture.associations.get(&number).unwrap_or(&nothing);
        let [first, second] = &association.ends;
        let turned = self.is_turned(association);
        let heads = [0, 1].map(|end| look.signs[end].and_then(sign).unwrap_or(head(association, end)));
        let (left, right) = if turned { (second, first) } else { (first, second) };
        let (left_head, right_head) = if turned { (heads[1], heads[0]) } else { (heads[0], heads[1]) };
        let is_first_mention = !self.known[left.class.index()] && !self.model.classes[left.class].declared;
        self.before(left.class);
        // A declaration before this line would come before the class that this line is the first to name.
        if !is_first_mention {
            self.before(right.class);
        }
        let line = match association.kind {
            AssociationKind::Realization | AssociationKind::Dependency => "..",
            AssociationKind::Association
            | AssociationKind::Aggregation
            | AssociationKind::Composition
            | AssociationKind::Generalization => "--",
        };
        let name = |end: &AssociationEnd| encode::class(&self.model.classes[end.class].name);
        let words = look.stereotypes.iter().map(|word| format!("«{word}»")).chain(association.name.clone());
        let label = words.collect::<Vec<_>>().join(" ");
        let label = if label.is_empty() { label } else { format!(" : {}", encode::note(&label)) };
        let keys = &look.qualifiers;
        let keys = if turned { [&keys[1], &keys[0]] } else { [&keys[0], &keys[1]] };
        let (left_text, right_text) = (end_text(left, keys[0]), end_text(right, keys[1]));
        self.page.line(format!(
            "{}{left_text} {}{line}{}{right_text} {}{label}",
            name(left),
            left_head.0,
            right_head.1,
            name(right)
        ));
        self.before(right.class);
    }

    /// Whether the second end stands at the left: the general class conventionally stands there, and two new
    /// classes must keep their order.
    fn is_turned(&self, association: &Association) -> bool {
        let [first, second] = association.ends.each_ref().map(|end| end.class);
        let is_new = |id: ClassId| !self.known[id.index()];
        let is_inheritance =
            matches!(association.kind, AssociationKind::Generalization | AssociationKind::Realization);
        match is_directed(association) {
            true if is_new(first) && is_new(second) => second < first,
            true => is_inheritance,
            false => false,
        }
    }

    /// Makes sure that a class can be named: those before it are introduced, and it is too if it is declared.
    fn before(&mut self, id: ClassId) {
        for (other, _) in self.model.classes.enumerate().take(id.index()) {
            self.introduce(other);
        }
        if self.model.classes[id].declared {
            self.introduce(id);
        }
        self.known[id.index()] = true;
    }

    /// The members of a class that was never declared, each on a line outside of any body.
    fn loose_members(&mut self, class: &Class) {
        let name = encode::class(&class.name);
        for member in members(class) {
            let annotation = member.strip_prefix("<<").and_then(|word| word.strip_suffix(">>"));
            self.page.line(match annotation {
                Some(word) => format!("<<{word}>> {name}"),
                None => format!("{name} : {}", member.replace(':', "#58;")),
            });
        }
    }

    fn introduce(&mut self, id: ClassId) {
        if std::mem::replace(&mut self.known[id.index()], true) {
            return;
        }
        let class = &self.model.classes[id];
        if !class.declared && !members(class).is_empty() {
            return;
        }
        let name = encode::class(&class.name);
        let label = if class.label == class.name {
            String::new()
        } else {
            format!("[\"{}\"]", encode::quoted(&class.label))
        };
        let look = self.model.picture.classes.get(&id);
        let generics = look.and_then(|look| look.generics.as_ref());
        let generics =
            generics.map(|text| format!("~{}~", text.replace(['<', '>'], "~"))).unwrap_or_default();
        let namespace = look.and_then(|look| look.package).map(|package| self.namespace(package));
        let members = members(class);
        if let Some(namespace) = &namespace {
            self.page.line(format!("namespace {} {{", encode::class(namespace)));
            self.page.depth += 1;
        }
        match members.is_empty() {
            true => self.page.line(format!("class {name}{generics}{label}")),
            false => {
                self.page.line(format!("class {name}{generics}{label} {{"));
                self.page.depth += 1;
                members.iter().for_each(|line| self.page.line(line));
                self.page.depth -= 1;
                self.page.line("}");
            }
        }
        if namespace.is_some() {
            self.page.depth -= 1;
            self.page.line("}");
        }
    }

    /// The names of a package and those around it.
    fn namespace(&self, package: usize) -> String {
        let packages = &self.model.picture.packages;
        let chain = std::iter::successors(Some(package), |number| packages[*number].parent);
        let mut names: Vec<&str> = chain.map(|number| packages[number].name.as_str()).collect();
        names.reverse();
        names.join(".")
    }
}

/// The lines of a class's body.
fn members(class: &Class) -> Vec<String> {
    let stereotypes = class.kind.stereotype().into_iter().chain(class.stereotypes.iter().map(String::as_str));
    let mut lines: Vec<String> = stereotypes.map(|word| format!("<<{word}>>")).collect();
    lines.extend(class.literals.iter().cloned());
    lines.extend(class.attributes.iter().map(attribute));
    lines.extend(class.operations.iter().map(operation));
    lines.iter().map(|line| line.replace('{', "#123;").replace('}', "#125;").replace('\n', "<br/>")).collect()
}

fn attribute(attribute: &Attribute) -> String {
    let type_name = attribute.type_name.as_ref().map(|text| format!(" : {text}")).unwrap_or_default();
    let multiplicity = attribute.multiplicity.as_ref().map(|text| format!(" [{text}]")).unwrap_or_default();
    let initial = attribute.initial.as_ref().map(|text| format!(" = {text}")).unwrap_or_default();
    let sign = visibility(attribute.visibility);
    let words = stereotypes(&attribute.stereotypes);
    let of_class = if attribute.is_static { "$" } else { "" };
    let type_name = tilded(&type_name);
    format!("{sign}{}{type_name}{multiplicity}{initial}{words}{of_class}", attribute.name)
}

fn operation(operation: &Operation) -> String {
    let parameters: Vec<String> = operation.parameters.iter().map(parameter).collect();
    let result = operation.result.as_ref().map(|text| format!(" {text}")).unwrap_or_default();
    let signal = if operation.is_signal { "signal " } else { "" };
    let sign = visibility(operation.visibility);
    let words = stereotypes(&operation.stereotypes);
    let end = match (operation.is_static, operation.is_abstract) {
        (true, true) => "$*",
        (true, false) => "$",
        (false, true) => "*",
        (false, false) => "",
    };
    let (parameters, result) = (tilded(&parameters.join(", ")), tilded(&result));
    format!("{sign}{signal}{}({parameters}){result}{words}{end}", operation.name)
}

/// Types with parameters as Mermaid writes them: `List~int~`.
fn tilded(text: &str) -> String {
    text.replace(['<', '>'], "~")
}

/// How Mermaid writes a sign at the end of a relation, on its left and on its right, if it has it.
pub fn sign(sign: EndSign) -> Option<(&'static str, &'static str)> {
    Some(match sign {
        EndSign::Arrow => ("<", ">"),
        EndSign::Triangle => ("<|", "|>"),
        EndSign::Diamond => ("*", "*"),
        EndSign::OpenDiamond => ("o", "o"),
        EndSign::Circle => ("()", "()"),
        EndSign::Cross
        | EndSign::Square
        | EndSign::Plus
        | EndSign::Many
        | EndSign::ManyOrNone
        | EndSign::OneOrMany
        | EndSign::OneOrNone
        | EndSign::ExactlyOne => return None,
    })
}

fn parameter(parameter: &Parameter) -> String {
    let direction = match parameter.direction {
        None => "",
        Some(ParameterDirection::In) => "in ",
        Some(ParameterDirection::Out) => "out ",
        Some(ParameterDirection::InOut) => "inout ",
    };
    match &parameter.type_name {
        Some(type_name) if parameter.name.is_empty() => format!("{direction}{type_name}"),
        Some(type_name) => format!("{direction}{} : {type_name}", parameter.name),
        None => format!("{direction}{}", parameter.name),
    }
}

fn visibility(visibility: Option<Visibility>) -> &'static str {
    match visibility {
        None => "",
        Some(Visibility::Public) => "+",
        Some(Visibility::Private) => "-",
        Some(Visibility::Protected) => "#",
        Some(Visibility::Package) => "~",
    }
}

fn stereotypes(words: &[String]) -> String {
    words.iter().map(|word| format!(" <<{word}>>")).collect()
}

/// Whether the signs of a relation tell its first end from its second.
fn is_directed(association: &Association) -> bool {
    match association.kind {
        AssociationKind::Aggregation
        | AssociationKind::Composition
        | AssociationKind::Generalization
        | AssociationKind::Realization => true,
        AssociationKind::Association | AssociationKind::Dependency => {
            !association.ends[0].navigable && association.ends[1].navigable
        }
    }
}

/// What is drawn at an end: how it is written at the left and at the right of the line.
fn head(association: &Association, end: usize) -> (&'static str, &'static str) {
    let sign = match (association.kind, end) {
        (AssociationKind::Generalization | AssociationKind::Realization, 1) => Some(("<|", "|>")),
        (AssociationKind::Composition, 0) => Some(("*", "*")),
        (AssociationKind::Aggregation, 0) => Some(("o", "o")),
        _ => None,
    };
    sign.unwrap_or(if association.ends[end].navigable { ("<", ">") } else { ("", "") })
}

/// Role and multiplicity beside an end.
fn end_text(end: &AssociationEnd, key: &Option<String>) -> String {
    let key = key.as_ref().map(|key| format!("[{key}]"));
    let words: Vec<&str> =
        [&end.role, &end.multiplicity, &key].into_iter().flatten().map(String::as_str).collect();
    if words.is_empty() { String::new() } else { format!(" \"{}\"", encode::quoted(&words.join(" "))) }
}

#[cfg(test)]
mod tests {
    use expect_test::{Expect, expect};
    use sequent_kernel::source::Sources;

    use super::*;
    use crate::tree::Document;
    use crate::{Context, mermaid, resolve};

    fn read(text: &str) -> Model {
        let mut sources = Sources::new();
        let file = sources.add("a.mmd", text);
        let mut diagnostics = Vec::new();
        let mut context = Context::without_files(&mut sources, &mut diagnostics);
        let blocks = mermaid::read_file(file, &mut context);
        assert_eq!(diagnostics, []);
        resolve::resolve(&[Document::new(file, blocks)], &sources).0
    }

    fn check(input: &str, expected: Expect) {
        let model = read(input);
        let printed = class(&model);
        expected.assert_eq(&printed);
        let again = read(&printed);
        assert_eq!((again.classes, again.associations), (model.classes, model.associations));
    }

    #[test]
    fn classes_read_as_printed() {
        check(
            "classDiagram\n  Animal <|-- Duck : is a\n  class Duck[\"A #quot;duck#quot;\"] {\n    <<interface>>\n    +String beak = yellow\n    +swim(int depth) bool\n  }\n  Duck \"1\" o-- \"many 0..*\" Egg\n  Pond ..> Duck\n  class `big pond`\n  class Colour {\n<<enumeration>>\nRED\nBLUE }\n",
            expect![[r#"
                classDiagram
                    Animal <|-- Duck : is a
                    class Duck["A #quot;duck#quot;"] {
                        <<interface>>
                        +beak : String = yellow
                        +swim(depth : int) bool
                    }
                    Duck "1" o-- "many 0..*" Egg
                    Pond ..> Duck
                    class `big pond`
                    class Colour {
                        <<enumeration>>
                        RED
                        BLUE
                    }
            "#]],
        );
    }
}
