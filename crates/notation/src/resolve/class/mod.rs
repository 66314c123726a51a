//! Class and object diagrams: statements added to the model's classes, associations, objects and links.
//!
//! Several diagrams may speak of the same class; it is one class by its name, and what each says about it is added up.
//! A class that a relation names exists by that. What a box is comes from its keyword or its stereotype: `signal`,
//! `capsule`, `protocol`, `enumeration` and `interface` make the class one; other keywords (`struct`, `entity` ..) are kept
//! as stereotypes. An object is written `o : C`; its ports are the roles or members at the ends of its links.

mod member;
mod picture;
mod relation;

use std::collections::{HashMap, HashSet};

use sequent_kernel::model::{
    Association, AssociationEnd, AssociationKind, Attribute, Caption, Class, ClassId, ClassKind, Flow, Model,
    Object, ObjectId, RemarkOwner,
};
use sequent_kernel::source::Span;

use self::member::ClassMember;
use crate::tree::class::{self as tree, ClassKeyword, ClassStatement};
use crate::tree::{Name, Statement, StatementKind, Text};

/// What stands around a diagram, and which way it goes.
pub(super) struct ClassSurroundings {
    pub(super) captions: Vec<Caption>,
    pub(super) flow: Option<Flow>,
}

/// Adds what a class or object diagram says to the model. Classes of earlier diagrams that are `known` are meant by their names.
pub(super) fn diagram(
    statements: &[Statement<ClassStatement>],
    around: ClassSurroundings,
    colour: &dyn Fn(&str) -> Option<String>,
    known: &dyn Fn(ClassId) -> bool,
    model: &mut Model,
) {
    let earlier = model.classes.enumerate().filter(|(id, _)| known(*id));
    let classes = earlier.map(|(id, class)| (class.name.clone(), ClassElement::Class(id))).collect();
    let earlier = model.associations.len();
    let mut reading = ClassReading {
        elements: classes,
        open: Vec::new(),
        names: HashMap::new(),
        earlier,
        earlier_packages: model.picture.packages.len(),
        packages: HashMap::new(),
        last: None,
        last_relation: None,
        model,
    };
    let mut titles = Vec::new();
    for statement in statements {
        match &statement.kind {
            StatementKind::Item(item) => reading.item(item, statement.span),
            StatementKind::Title(title) => titles = vec![title.clone()],
            StatementKind::Comment
            | StatementKind::Directive(_)
            | StatementKind::Preprocessor
            | StatementKind::Presentation
            | StatementKind::Caption(_)
            | StatementKind::Unknown => {}
        }
    }
    reading.paint(colour);
    reading.surround(titles, around.captions, around.flow);
}

/// The same without what stands around it.
pub fn classes(statements: &[Statement<ClassStatement>], known: &dyn Fn(ClassId) -> bool, model: &mut Model) {
    let around = ClassSurroundings { captions: Vec::new(), flow: None };
    diagram(statements, around, &|_| None, known, model);
}

/// An attribute from its text: `name : type = value`.
pub(super) fn attribute(text: &str, span: Span) -> Option<Attribute> {
    member::attribute_only(text, span)
}

/// What a name in the diagram stands for.
#[derive(Clone, Copy, PartialEq, Eq)]
enum ClassElement {
    Class(ClassId),
    Object(ObjectId),
    /// A note, by its position in the picture.
    Note(usize),
    /// A package, by its position in the picture.
    Package(usize),
}

struct ClassReading<'a> {
    /// Every name and alias; classes of earlier diagrams too, objects of this one only.
    elements: HashMap<String, ClassElement>,
    /// The bodies and packages that are open; boxes without a name are `None`.
    open: Vec<Option<ClassElement>>,
    /// The names of a class's members, for classes that this diagram says something about.
    names: HashMap<ClassId, HashSet<String>>,
    /// How many associations earlier diagrams have given.
    earlier: usize,
    /// How many packages earlier diagrams have drawn.
    earlier_packages: usize,
    packages: HashMap<String, usize>,
    /// The class or object that was declared last, and the relation.
    last: Option<ClassElement>,
    last_relation: Option<RemarkOwner>,
    model: &'a mut Model,
}

impl ClassReading<'_> {
    fn item(&mut self, item: &ClassStatement, span: Span) {
        match item {
            ClassStatement::Class(class) => self.declare(class, span),
            ClassStatement::Package(package) => {
                let number = self.open_package(package, span);
                self.open.push(number.map(ClassElement::Package));
            }
            ClassStatement::Close => {
                self.open.pop();
            }
            ClassStatement::Member { owner, text } => {
                let element =
                    owner.as_ref().map(|owner| self.element(owner)).or(self.open.last().copied().flatten());
                if let Some(element) = element {
                    self.member(element, text);
                    self.row(element, None);
                }
            }
            ClassStatement::Annotation { owner, stereotype } => {
                let element =
                    owner.as_ref().map(|owner| self.element(owner)).or(self.open.last().copied().flatten());
                if let Some(element) = element {
                    self.stereotype(element, stereotype);
                }
            }
            ClassStatement::Relation(relation) => self.relate(relation, span),
            ClassStatement::Separator(title) => {
                if let Some(element) = self.open.last().copied().flatten() {
                    self.row(element, Some(title));
                }
            }
            ClassStatement::Note(note) => self.note(note, span),
        }
    }

    fn declare(&mut self, declared: &tree::ClassDeclaration, span: Span) {
        let element = match declared.keyword {
            ClassKeyword::Object | ClassKeyword::Map => {
                ClassElement::Object(self.object(&declared.name, span))
            }
            _ => ClassElement::Class(self.class(declared, span)),
        };
        self.last = Some(element);
        self.dress(element, declared);
        self.settle(element);
        for stereotype in &declared.stereotypes {
            self.stereotype(element, stereotype);
        }
        let parents = [
            (&declared.extends, AssociationKind::Generalization),
            (&declared.implements, AssociationKind::Realization),
        ];
        if let ClassElement::Class(class) = element {
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

    fn class(&mut self, declared: &tree::ClassDeclaration, span: Span) -> ClassId {
        let (kind, word) = kind_of(declared.keyword);
        let id = match self.find(&declared.name.text) {
            Some(ClassElement::Class(id)) => id,
            Some(ClassElement::Object(_) | ClassElement::Note(_) | ClassElement::Package(_)) | None => {
                self.add_class(&declared.name, span)
            }
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
        self.elements.insert(name.text.clone(), ClassElement::Class(id));
        self.settle(ClassElement::Class(id));
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
        if let Some(ClassElement::Object(id)) = self.find(&name.text) {
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
        self.elements.insert(own.to_owned(), ClassElement::Object(id));
        self.elements.insert(name.text.clone(), ClassElement::Object(id));
        id
    }

    /// What a name stands for: itself, or the class at the end of a path.
    fn find(&self, name: &str) -> Option<ClassElement> {
        let last = || {
            let at = name.rfind(['.', ':', '\\', '/'])?;
            self.elements.get(&name[at + 1..])
        };
        self.elements.get(name).or_else(last).copied()
    }

    /// The element of a name, made a class if there is none.
    fn element(&mut self, name: &Name) -> ClassElement {
        let package = || self.packages.get(&name.text).map(|number| ClassElement::Package(*number));
        let found = self.find(&name.text).or_else(package);
        found.unwrap_or_else(|| ClassElement::Class(self.add_class(name, name.span)))
    }

    fn member(&mut self, element: ClassElement, text: &Text) {
        match element {
            ClassElement::Object(id) => {
                let (name, value) = value(&text.text);
                self.model.objects[id].values.push((name, value));
            }
            ClassElement::Class(id) => self.class_member(id, text),
            ClassElement::Note(_) | ClassElement::Package(_) => {}
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
            ClassMember::Attribute(attribute) => attribute.name.clone(),
            ClassMember::Operation(operation) => operation.name.clone(),
        });
        match member {
            ClassMember::Attribute(attribute) if is_new || !class.attributes.contains(&attribute) => {
                class.attributes.push(attribute);
            }
            ClassMember::Operation(operation) if is_new || !class.operations.contains(&operation) => {
                class.operations.push(operation);
            }
            ClassMember::Attribute(_) | ClassMember::Operation(_) => {}
        }
    }

    /// A stereotype tells what a class is, or is kept.
    fn stereotype(&mut self, element: ClassElement, stereotype: &str) {
        for word in stereotype.split(">> <<") {
            match element {
                ClassElement::Object(id) => self.model.objects[id].stereotypes.push(word.to_owned()),
                ClassElement::Class(id) => {
                    let class = &mut self.model.classes[id];
                    match kind_of_stereotype(word) {
                        Some(kind) => become_kind(class, kind),
                        None if class.stereotypes.iter().any(|other| other == word) => {}
                        None => class.stereotypes.push(word.to_owned()),
                    }
                }
                ClassElement::Note(_) | ClassElement::Package(_) => {}
            }
        }
    }

    fn inherit(&mut self, class: ClassId, parent: &Name, kind: AssociationKind, span: Span) {
        let ClassElement::Class(parent) = self.element(parent) else { return };
        let end = |class| AssociationEnd { class, role: None, multiplicity: None, navigable: false };
        self.associate(Association { kind, name: None, ends: [end(class), end(parent)], place: span.into() });
    }

    fn relate(&mut self, drawn: &tree::Relation, span: Span) {
        let elements = [self.element(&drawn.ends[0].name), self.element(&drawn.ends[1].name)];
        match elements {
            [ClassElement::Class(left), ClassElement::Class(right)] => {
                if let Some(number) = self.associate(relation::association(drawn, [left, right], span)) {
                    let is_turned = relation::is_turned(drawn);
                    self.dress_relation(drawn, RemarkOwner::Association(number), is_turned);
                }
            }
            [ClassElement::Object(left), ClassElement::Object(right)] => {
                self.model.links.push(relation::link(drawn, [left, right], span));
                let number = self.model.links.len() - 1;
                self.dress_relation(drawn, RemarkOwner::Link(number), false);
            }
            [ClassElement::Note(note), other] | [other, ClassElement::Note(note)] => self.tie(note, other),
            [ClassElement::Object(object), ClassElement::Class(class)]
            | [ClassElement::Class(class), ClassElement::Object(object)] => {
                let name = self.model.classes[class].name.clone();
                self.model.objects[object].class.get_or_insert(name);
            }
            [ClassElement::Package(_), _] | [_, ClassElement::Package(_)] => {
                self.join_packages(drawn, elements)
            }
        }
    }

    /// Adds a relation unless another diagram has said the same; its number.
    fn associate(&mut self, association: Association) -> Option<usize> {
        let is_new = !self.model.associations[..self.earlier].contains(&association);
        is_new.then(|| {
            self.model.associations.push(association);
            self.model.associations.len() - 1
        })
    }
}

/// The kind of a keyword, and the stereotype it stands for if the model has no such kind.
fn kind_of(keyword: ClassKeyword) -> (ClassKind, Option<&'static str>) {
    match keyword {
        ClassKeyword::Class | ClassKeyword::Object | ClassKeyword::Map => (ClassKind::Class, None),
        ClassKeyword::Abstract => (ClassKind::Abstract, None),
        ClassKeyword::Interface | ClassKeyword::Circle => (ClassKind::Interface, None),
        ClassKeyword::Enum => (ClassKind::Enumeration, None),
        ClassKeyword::Protocol => (ClassKind::Protocol, None),
        ClassKeyword::Annotation => (ClassKind::Class, Some("annotation")),
        ClassKeyword::Entity => (ClassKind::Class, Some("entity")),
        ClassKeyword::Struct => (ClassKind::Class, Some("struct")),
        ClassKeyword::Exception => (ClassKind::Class, Some("exception")),
        ClassKeyword::MetaClass => (ClassKind::Class, Some("metaclass")),
        ClassKeyword::Stereotype => (ClassKind::Class, Some("stereotype")),
        ClassKeyword::DataClass => (ClassKind::Class, Some("dataclass")),
        ClassKeyword::Record => (ClassKind::Class, Some("record")),
        ClassKeyword::Diamond => (ClassKind::Class, Some("diamond")),
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
