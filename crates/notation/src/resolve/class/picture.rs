//! What a diagram of classes or objects draws for its reader alone: packages, notes, looks.

use sequent_kernel::model::{
    AssociationKind, BodyRow, BoxLook, Caption, ClassRemark, DrawnPackage, EndSign, Flow, LineWay,
    PackageLine, RelationLook, RemarkOwner,
};
use sequent_kernel::source::Span;

use super::{ClassElement, ClassReading, relation};
use crate::tree::class::{self as tree, ClassNoteTarget, RelationHead};

impl ClassReading<'_> {
    /// The texts around the diagram, and which way it goes. A caption that an earlier diagram has is not repeated.
    pub(super) fn surround(&mut self, titles: Vec<String>, captions: Vec<Caption>, flow: Option<Flow>) {
        let picture = &mut self.model.picture;
        for title in titles.into_iter().filter(|title| !title.trim().is_empty()) {
            if !picture.titles.contains(&title) {
                picture.titles.push(title);
            }
        }
        for caption in captions {
            if !picture.captions.contains(&caption) {
                picture.captions.push(caption);
            }
        }
        picture.flow = flow.or(picture.flow);
    }

    /// Gives boxes the colours of their styles.
    pub(super) fn paint(&mut self, colour: &dyn Fn(&str) -> Option<String>) {
        let painted: Vec<(ClassElement, String)> =
            self.elements.iter().filter_map(|(name, element)| Some((*element, colour(name)?))).collect();
        for (element, colour) in painted {
            if let Some(look) = self.look(element) {
                look.colour = Some(colour);
            }
        }
    }

    /// The package that is open where the reading stands.
    fn package(&self) -> Option<usize> {
        self.open.iter().rev().find_map(|open| match open {
            Some(ClassElement::Package(number)) => Some(*number),
            Some(ClassElement::Class(_) | ClassElement::Object(_) | ClassElement::Note(_)) | None => None,
        })
    }

    /// Opens a package; one that was open before is the same one.
    pub(super) fn open_package(&mut self, package: &tree::Package, span: Span) -> Option<usize> {
        let name = package.name.text.clone();
        if name.is_empty() && package.name.label.is_none() {
            return None;
        }
        let parent = self.package();
        let packages = &mut self.model.picture.packages;
        let is_same = |one: &DrawnPackage| one.name == name && one.parent == parent;
        let number = packages[self.earlier_packages..]
            .iter()
            .position(is_same)
            .map(|at| at + self.earlier_packages)
            .unwrap_or_else(|| {
                packages.push(DrawnPackage {
                    label: package.name.label.clone().unwrap_or_else(|| name.clone()),
                    name,
                    parent,
                    stereotypes: Vec::new(),
                    colour: None,
                    place: span.into(),
                });
                packages.len() - 1
            });
        let drawn = &mut packages[number];
        drawn.colour = package.colour.clone().or(drawn.colour.take());
        for word in &package.stereotypes {
            if !drawn.stereotypes.contains(word) {
                drawn.stereotypes.push(word.clone());
            }
        }
        self.packages.insert(package.name.text.clone(), number);
        Some(number)
    }

    fn look(&mut self, element: ClassElement) -> Option<&mut BoxLook> {
        let picture = &mut self.model.picture;
        match element {
            ClassElement::Class(id) => Some(picture.classes.entry(id).or_default()),
            ClassElement::Object(id) => Some(picture.objects.entry(id).or_default()),
            ClassElement::Note(_) | ClassElement::Package(_) => None,
        }
    }

    /// How a declared box looks.
    pub(super) fn dress(&mut self, element: ClassElement, declared: &tree::ClassDeclaration) {
        let generics = declared.generics.clone().filter(|text| !text.is_empty());
        if generics.is_some() || declared.colour.is_some() {
            let Some(look) = self.look(element) else { return };
            look.generics = generics.or(look.generics.take());
            look.colour = declared.colour.clone().or(look.colour.take());
        }
    }

    /// Puts a box that is new, or declared here, into the open package.
    pub(super) fn settle(&mut self, element: ClassElement) {
        if let Some(package) = self.package()
            && let Some(look) = self.look(element)
        {
            look.package.get_or_insert(package);
        }
    }

    /// Remembers the line of a body that was read last; from its first rule on the order of a body counts.
    pub(super) fn row(&mut self, element: ClassElement, rule: Option<&str>) {
        let counts = match element {
            ClassElement::Class(id) => {
                let class = &self.model.classes[id];
                [class.literals.len(), class.attributes.len(), class.operations.len()]
            }
            ClassElement::Object(id) => [0, self.model.objects[id].values.len(), 0],
            ClassElement::Note(_) | ClassElement::Package(_) => return,
        };
        let Some(look) = self.look(element) else { return };
        if rule.is_none() && look.rows.is_empty() {
            return;
        }
        if look.rows.is_empty() {
            let [literals, attributes, operations] = counts;
            look.rows.extend((0..literals).map(BodyRow::Literal));
            look.rows.extend((0..attributes).map(BodyRow::Attribute));
            look.rows.extend((0..operations).map(BodyRow::Operation));
        }
        let makers: [fn(usize) -> BodyRow; 3] = [BodyRow::Literal, BodyRow::Attribute, BodyRow::Operation];
        for (count, make) in counts.into_iter().zip(makers) {
            let last = count.checked_sub(1).map(make).filter(|row| !look.rows.contains(row));
            look.rows.extend(last);
        }
        look.rows.extend(rule.map(|title| BodyRow::Rule(title.to_owned())));
    }

    /// How the relation that was added last looks, and what notes and links after it belong to.
    pub(super) fn dress_relation(&mut self, drawn: &tree::Relation, owner: RemarkOwner, is_turned: bool) {
        self.last_relation = Some(owner);
        let (number, looks) = match owner {
            RemarkOwner::Association(number) => (number, &mut self.model.picture.associations),
            RemarkOwner::Link(number) => (number, &mut self.model.picture.links),
            RemarkOwner::Class(_) | RemarkOwner::Object(_) | RemarkOwner::Package(_) => return,
        };
        let is_link = matches!(owner, RemarkOwner::Link(_));
        let mut look = relation_look(drawn, is_link);
        if is_turned {
            look.line.way = look.line.way.map(LineWay::back);
            look.read_to = look.read_to.map(|end| 1 - end);
            look.signs.reverse();
            look.qualifiers.reverse();
            look.counts.reverse();
        }
        if let Some(association) = self.model.associations.get(number).filter(|_| !is_link) {
            implied(association.kind, &mut look.signs);
        }
        if look != RelationLook::default() {
            looks.insert(number, look);
        }
    }

    /// A line between packages, or between one and a class or object.
    pub(super) fn join_packages(&mut self, drawn: &tree::Relation, elements: [ClassElement; 2]) {
        let [Some(left), Some(right)] = elements.map(Self::owner) else { return };
        let link = relation::text(drawn);
        let look = relation_look(drawn, true);
        self.model.picture.lines.push(PackageLine { ends: [left, right], name: link.0, roles: link.1, look });
    }

    /// A note: beside what it belongs to, or by itself.
    pub(super) fn note(&mut self, note: &tree::ClassNote, span: Span) {
        let owner = match &note.target {
            ClassNoteTarget::Name(name) => {
                // A member's note stands beside its class.
                let class = name.text.split("::").next().unwrap_or(&name.text);
                let found = self.find(&name.text).or_else(|| self.find(class));
                let package = || self.packages.get(&name.text).map(|number| ClassElement::Package(*number));
                Some(found.or_else(package).unwrap_or_else(|| self.element(name)))
            }
            ClassNoteTarget::Last => self.last,
            ClassNoteTarget::LastRelation | ClassNoteTarget::Floating(_) => None,
        };
        let owner = owner.and_then(Self::owner);
        let owner = match note.target {
            ClassNoteTarget::LastRelation => self.last_relation,
            ClassNoteTarget::Name(_) | ClassNoteTarget::Last | ClassNoteTarget::Floating(_) => owner,
        };
        let text = match &note.target {
            ClassNoteTarget::Name(name) => match name.text.split_once("::") {
                Some((_, member)) if !member.is_empty() && self.find(&name.text).is_none() => {
                    format!("**{member}**\n{}", note.text.text)
                }
                Some(_) | None => note.text.text.clone(),
            },
            ClassNoteTarget::Last | ClassNoteTarget::LastRelation | ClassNoteTarget::Floating(_) => {
                note.text.text.clone()
            }
        };
        let notes = &mut self.model.picture.notes;
        if let ClassNoteTarget::Floating(Some(name)) = &note.target {
            self.elements.insert(name.text.clone(), ClassElement::Note(notes.len()));
        }
        notes.push(ClassRemark {
            owners: owner.into_iter().collect(),
            look: note.look.clone(),
            text,
            place: span.into(),
        });
    }

    fn owner(element: ClassElement) -> Option<RemarkOwner> {
        match element {
            ClassElement::Class(id) => Some(RemarkOwner::Class(id)),
            ClassElement::Object(id) => Some(RemarkOwner::Object(id)),
            ClassElement::Package(number) => Some(RemarkOwner::Package(number)),
            ClassElement::Note(_) => None,
        }
    }

    /// A line between a note and something else.
    pub(super) fn tie(&mut self, note: usize, other: ClassElement) {
        let owner = Self::owner(other);
        let owners = &mut self.model.picture.notes[note].owners;
        owners.extend(owner.filter(|owner| !owners.contains(owner)).into_iter().collect::<Vec<_>>());
    }
}

/// All that is drawn of a relation; what the model itself keeps of associations is left out of theirs.
fn relation_look(drawn: &tree::Relation, is_link: bool) -> RelationLook {
    RelationLook {
        line: drawn.look.clone(),
        is_dashed: is_link && drawn.dashed,
        stereotypes: drawn.stereotypes.clone(),
        read_to: relation::read_to(drawn),
        signs: drawn.ends.each_ref().map(|end| sign(end.head)),
        qualifiers: drawn.ends.each_ref().map(|end| end.qualifier.clone()),
        counts: drawn.ends.each_ref().map(|end| relation::multiplicity(end).filter(|_| is_link)),
    }
}

fn sign(head: RelationHead) -> Option<EndSign> {
    match head {
        RelationHead::Plain => None,
        RelationHead::Arrow => Some(EndSign::Arrow),
        RelationHead::Triangle => Some(EndSign::Triangle),
        RelationHead::Diamond => Some(EndSign::Diamond),
        RelationHead::OpenDiamond => Some(EndSign::OpenDiamond),
        RelationHead::Other(sign) => Some(sign),
    }
}

/// Leaves the signs that the kind of a relation does not imply already.
fn implied(kind: AssociationKind, signs: &mut [Option<EndSign>; 2]) {
    let (arrows, implied) = match kind {
        AssociationKind::Association | AssociationKind::Dependency => (true, [None, None]),
        AssociationKind::Aggregation => (true, [Some(EndSign::OpenDiamond), None]),
        AssociationKind::Composition => (true, [Some(EndSign::Diamond), None]),
        AssociationKind::Generalization | AssociationKind::Realization => {
            (false, [None, Some(EndSign::Triangle)])
        }
    };
    for (sign, implied) in signs.iter_mut().zip(implied) {
        if *sign == implied || (arrows && *sign == Some(EndSign::Arrow)) {
            *sign = None;
        }
    }
}
