//! Class and object diagrams: statements added to the model's classes, associations, objects and links.
//!
//! Several diagrams may speak of the same class; it is one class by its name, and what each says about it is added up.
//! A class that a relation names exists by that. What a box is comes from its keyword or its stereotype: `signal`,
//! `capsule`, `protocol`, `enumeration` and `interface` make the class one; other keywords (`struct`, `entity` ..) are kept
//! as stereotypes. An object is written `o : C`; its ports are the roles or members at the ends of its links.

mod member;
mod relation;

use std::collections::{HashMap, HashSet};

use sequent_kernel::model::{
    Association, AssociationEnd, AssociationKind, Attribute, Class, ClassId, ClassKind, Model, Object,
    ObjectId,
};
use sequent_kernel::source::Span;

use self::member::Member;
use crate::tree::class::{self as tree, Item, Keyword};
use crate::tree::{Kind, Name, Statement, Text};

/// Adds what a class or object diagram says to the model. Classes of earlier diagrams that are `known` are meant by their names.
pub fn classes(statements: &[Statement<Item>], known: &dyn Fn(ClassId) -> bool, model: &mut Model) {
    let earlier = model.classes.enumerate().filter(|(id, _)| known(*id));
    let classes = earlier.map(|(id, class)| (class.name.clone(), Element::Class(id))).collect();
    let earlier = model.associations.len();
    let mut reading = Reading { elements: classes, open: Vec::new(), names: HashMap::new(), earlier, model };
    for statement in statements {
        if let Kind::Item(item) = &statement.kind {
            reading.item(item, statement.span);
        }
    }
}

/// An attribute from its text: `name : type = value`.
pub(super) fn attribute(text: &str, span: Span) -> Option<Attribute> {
    member::attribute_only(text, span)
}

/// What a name in the diagram stands for.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Element {
    Class(ClassId),
    Object(ObjectId),
}

struct Reading<'a> {
    /// Every name and alias; classes of earlier diagrams too, objects of this one only.
    elements: HashMap<String, Element>,
    /// The bodies and packages that are open; packages are `None`.
    open: Vec<Option<Element>>,
    /// The names of a class's members, for classes that this diagram says something about.
    names: HashMap<ClassId, HashSet<String>>,
    /// How many associations earlier diagrams have given.
    earlier: usize,
    model: &'a mut Model,
}

impl Reading<'_> {
    fn item(&mut self, item: &Item, span: Span) {
        match item {
            Item::Class(class) => self.declare(class, span),
            Item::Package(_) => self.open.push(None),
            Item::Close => {
                self.open.pop();
            }
            Item::Member { owner, text } => {
                let element =
                    owner.as_ref().map(|owner| self.element(owner)).or(self.open.last().copied().flatten());
                if let Some(element) = element {
                    self.member(element, text);
                }
            }
            Item::Annotation { owner, stereotype } => {
                let element =
                    owner.as_ref().map(|owner| self.element(owner)).or(self.open.last().copied().flatten());
                if let Some(element) = element {
                    self.stereotype(element, stereotype);
                }
            }
            Item::Relation(relation) => self.relate(relation, span),
            Item::Separator(_) | Item::Note(_) => {}
        }
    }

    fn declare(&mut self, declared: &tree::Class, span: Span) {
        let element = match declared.keyword {
            Keyword::Object | Keyword::Map => Element::Object(self.object(&declared.name, span)),
            _ => Element::Class(self.class(declared, span)),
        };
        for stereotype in &declared.stereotypes {
            self.stereotype(element, stereotype);
        }
        let parents = [
            (&declared.extends, AssociationKind::Generalization),
            (&declared.implements, AssociationKind::Realization),
        ];
        if let Element::Class(class) = element {
            for (names, kind) in parents {
                for name in names {
                    self.inherit(class, name, kind, span);
                }
            }
        }
        if declared.opens {
            self.open.push(Some(element));
        }
    }

    fn class(&mut self, declared: &tree::Class, span: Span) -> ClassId {
        let (kind, word) = kind_of(declared.keyword);
        let id = match self.find(&declared.name.text) {
            Some(Element::Class(id)) => id,
            Some(Element::Object(_)) | None => self.add_class(&declared.name, span),
        };
        let class = &mut self.model.classes[id];
        if !class.declared {
            class.place = span.into();
        }
        class.declared = true;
        if kind != ClassKind::Class {
            class.kind = kind;
        }
        if let Some(label) = &declared.name.label {
            class.label = label.clone();
        }
        let words = word.map(str::to_owned).into_iter();
        class.stereotypes.extend(words.filter(|word| !class.stereotypes.contains(word)).collect::<Vec<_>>());
        id
    }

    fn add_class(&mut self, name: &Name, span: Span) -> ClassId {
        let id = self.model.classes.push(Class {
            name: name.text.clone(),
            label: name.label.clone().unwrap_or_else(|| name.text.clone()),
            kind: ClassKind::Class,
            stereotypes: Vec::new(),
            attributes: Vec::new(),
            operations: Vec::new(),
            literals: Vec::new(),
            declared: false,
            place: span.into(),
        });
        self.elements.insert(name.text.clone(), Element::Class(id));
        id
    }

    /// An object; `a1 : ATM` in its name or label tells its class, and its own name if there is one before the colon.
    fn object(&mut self, name: &Name, span: Span) -> ObjectId {
        let shown = name.label.as_ref().unwrap_or(&name.text);
        let (own, class) = match shown.split_once(':') {
            Some((own, class)) => {
                (own.trim(), Some(class.trim().to_owned()).filter(|class| !class.is_empty()))
            }
            None => (name.text.as_str(), None),
        };
        let own = if own.is_empty() { name.text.as_str() } else { own };
        if let Some(Element::Object(id)) = self.find(&name.text) {
            let object = &mut self.model.objects[id];
            object.class = class.or(object.class.take());
            return id;
        }
        let id = self.model.objects.push(Object {
            name: own.to_owned(),
            class,
            values: Vec::new(),
            stereotypes: Vec::new(),
            place: span.into(),
        });
        self.elements.insert(own.to_owned(), Element::Object(id));
        self.elements.insert(name.text.clone(), Element::Object(id));
        id
    }

    /// What a name stands for: itself, or the class at the end of a path.
    fn find(&self, name: &str) -> Option<Element> {
        let last = || {
            let at = name.rfind(['.', ':', '\\', '/'])?;
            self.elements.get(&name[at + 1..])
        };
        self.elements.get(name).or_else(last).copied()
    }

    /// The element of a name, made a class if there is none.
    fn element(&mut self, name: &Name) -> Element {
        self.find(&name.text).unwrap_or_else(|| Element::Class(self.add_class(name, name.span)))
    }

    fn member(&mut self, element: Element, text: &Text) {
        match element {
            Element::Object(id) => {
                let (name, value) = value(&text.text);
                self.model.objects[id].values.push((name, value));
            }
            Element::Class(id) => self.class_member(id, text),
        }
    }

    fn class_member(&mut self, id: ClassId, text: &Text) {
        let class = &mut self.model.classes[id];
        if class.kind == ClassKind::Enumeration {
            if let Some(literal) = member::literal(&text.text) {
                if !class.literals.contains(&literal) {
                    class.literals.push(literal);
                }
                return;
            }
        }
        let Some(member) = member::member(&text.text, text.span) else { return };
        let names = self.names.entry(id).or_insert_with(|| {
            let attributes = class.attributes.iter().map(|attribute| attribute.name.clone());
            attributes.chain(class.operations.iter().map(|operation| operation.name.clone())).collect()
        });
        // Most members are the first of their name, and need not be compared with all others.
        let is_new = names.insert(match &member {
            Member::Attribute(attribute) => attribute.name.clone(),
            Member::Operation(operation) => operation.name.clone(),
        });
        match member {
            Member::Attribute(attribute) if is_new || !class.attributes.contains(&attribute) => {
                class.attributes.push(attribute);
            }
            Member::Operation(operation) if is_new || !class.operations.contains(&operation) => {
                class.operations.push(operation);
            }
            Member::Attribute(_) | Member::Operation(_) => {}
        }
    }

    /// A stereotype tells what a class is, or is kept.
    fn stereotype(&mut self, element: Element, stereotype: &str) {
        for word in stereotype.split(">> <<") {
            match element {
                Element::Object(id) => self.model.objects[id].stereotypes.push(word.to_owned()),
                Element::Class(id) => {
                    let class = &mut self.model.classes[id];
                    match kind_of_stereotype(word) {
                        Some(kind) => become_kind(class, kind),
                        None if class.stereotypes.iter().any(|other| other == word) => {}
                        None => class.stereotypes.push(word.to_owned()),
                    }
                }
            }
        }
    }

    fn inherit(&mut self, class: ClassId, parent: &Name, kind: AssociationKind, span: Span) {
        let Element::Class(parent) = self.element(parent) else { return };
        let end = |class| AssociationEnd { class, role: None, multiplicity: None, navigable: false };
        self.associate(Association { kind, name: None, ends: [end(class), end(parent)], place: span.into() });
    }

    fn relate(&mut self, drawn: &tree::Relation, span: Span) {
        let elements = [self.element(&drawn.ends[0].name), self.element(&drawn.ends[1].name)];
        match elements {
            [Element::Class(left), Element::Class(right)] => {
                self.associate(relation::association(drawn, [left, right], span));
            }
            [Element::Object(left), Element::Object(right)] => {
                self.model.links.push(relation::link(drawn, [left, right], span));
            }
            [Element::Object(object), Element::Class(class)]
            | [Element::Class(class), Element::Object(object)] => {
                let name = self.model.classes[class].name.clone();
                self.model.objects[object].class.get_or_insert(name);
            }
        }
    }

    /// Adds a relation unless another diagram has said the same.
    fn associate(&mut self, association: Association) {
        if !self.model.associations[..self.earlier].contains(&association) {
            self.model.associations.push(association);
        }
    }
}

/// The kind of a keyword, and the stereotype it stands for if the model has no such kind.
fn kind_of(keyword: Keyword) -> (ClassKind, Option<&'static str>) {
    match keyword {
        Keyword::Class | Keyword::Object | Keyword::Map => (ClassKind::Class, None),
        Keyword::Abstract => (ClassKind::Abstract, None),
        Keyword::Interface | Keyword::Circle => (ClassKind::Interface, None),
        Keyword::Enum => (ClassKind::Enumeration, None),
        Keyword::Protocol => (ClassKind::Protocol, None),
        Keyword::Annotation => (ClassKind::Class, Some("annotation")),
        Keyword::Entity => (ClassKind::Class, Some("entity")),
        Keyword::Struct => (ClassKind::Class, Some("struct")),
        Keyword::Exception => (ClassKind::Class, Some("exception")),
        Keyword::MetaClass => (ClassKind::Class, Some("metaclass")),
        Keyword::Stereotype => (ClassKind::Class, Some("stereotype")),
        Keyword::DataClass => (ClassKind::Class, Some("dataclass")),
        Keyword::Record => (ClassKind::Class, Some("record")),
        Keyword::Diamond => (ClassKind::Class, Some("diamond")),
    }
}

fn kind_of_stereotype(word: &str) -> Option<ClassKind> {
    Some(match word.to_lowercase().as_str() {
        "signal" => ClassKind::Signal,
        "capsule" => ClassKind::Capsule,
        "protocol" => ClassKind::Protocol,
        "enumeration" | "enum" => ClassKind::Enumeration,
        "interface" => ClassKind::Interface,
        "abstract" => ClassKind::Abstract,
        _ => return None,
    })
}

/// Members read before a class proved to be an enumeration become its literals.
fn become_kind(class: &mut Class, kind: ClassKind) {
    class.kind = kind;
    if kind == ClassKind::Enumeration {
        let (literals, others) = std::mem::take(&mut class.attributes)
            .into_iter()
            .partition(|one: &Attribute| one.type_name.is_none() && one.visibility.is_none());
        class.attributes = others;
        let literals: Vec<Attribute> = literals;
        class.literals.extend(literals.into_iter().map(|one| one.name));
    }
}

/// `x = 1`, `key => value`, or a text without value.
fn value(text: &str) -> (String, String) {
    let (name, value) = text.split_once("=>").or_else(|| text.split_once('=')).unwrap_or((text, ""));
    (name.trim().to_owned(), value.trim().to_owned())
}

#[cfg(test)]
mod tests;
