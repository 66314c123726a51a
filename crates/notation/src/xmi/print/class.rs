//! Classes, their relations, objects and links.

use sequent_kernel::id::Id;
use sequent_kernel::model::{
    Association, AssociationEnd, AssociationKind, Attribute, Class, ClassId, ClassKind, LifelineKind, Link,
    Model, ObjectId, Operation, ParameterDirection, Visibility,
};

use super::{XmiWriter, class_id, machine_id, owns_behaviour};
use crate::xmi::class::{ACTOR, KINDS};
use crate::xmi::reader::KEYWORDS;

impl XmiWriter<'_> {
    pub(super) fn classes(&mut self) {
        let model = self.model;
        for (id, class) in model.classes.enumerate() {
            self.class(id, class);
        }
        for (index, association) in model.associations.iter().enumerate() {
            self.association(index, association);
        }
        self.objects();
    }

    fn class(&mut self, id: ClassId, class: &Class) {
        let own = class_id(id.index());
        let lifelines = || self.model.interactions.iter().flat_map(|one| one.lifelines.iter());
        let is_actor = lifelines().any(|line| {
            line.kind == LifelineKind::Actor && line.class.as_deref() == Some(class.name.as_str())
        });
        // Actors of UML have neither attributes nor operations.
        let is_plain = class.attributes.is_empty() && class.operations.is_empty();
        let kind = match class.kind {
            ClassKind::Class if is_actor && is_plain => "uml:Actor",
            ClassKind::Class | ClassKind::Abstract | ClassKind::Capsule | ClassKind::Protocol => "uml:Class",
            ClassKind::Interface => "uml:Interface",
            ClassKind::Enumeration => "uml:Enumeration",
            ClassKind::Signal => "uml:Signal",
        };
        let is_abstract = if class.kind == ClassKind::Abstract { "true" } else { "" };
        let behaviour = self.behaviour_of(&class.name);
        let attributes = [
            ("xmi:type", kind),
            ("xmi:id", own.as_str()),
            ("name", class.label.as_str()),
            ("isAbstract", is_abstract),
            ("classifierBehavior", behaviour.as_deref().unwrap_or_default()),
        ];
        self.open("packagedElement", &attributes);
        let word = KINDS.iter().find(|(_, kind)| *kind == class.kind).map(|(word, _)| (*word).to_owned());
        let actor = (is_actor && kind != "uml:Actor").then(|| ACTOR.to_owned());
        let words: Vec<String> = class.stereotypes.iter().cloned().chain(word).chain(actor).collect();
        self.keywords(&own, &words);
        for (index, attribute) in class.attributes.iter().enumerate() {
            self.attribute(&format!("{own}_a{index}"), attribute);
        }
        // A signal of UML has attributes alone.
        let operations = class.operations.iter().filter(|_| class.kind != ClassKind::Signal);
        for (index, operation) in operations.enumerate() {
            self.member(&format!("{own}_o{index}"), operation);
        }
        for (index, literal) in class.literals.iter().enumerate() {
            let literal_id = format!("{own}_l{index}");
            self.empty(
                "ownedLiteral",
                &[("xmi:type", "uml:EnumerationLiteral"), ("xmi:id", &literal_id), ("name", literal)],
            );
        }
        self.generalizations(id, &own);
        self.machines_of(&class.name);
        self.close("packagedElement");
    }

    /// Stereotypes, as the keywords of Eclipse UML2, which need no profile.
    fn keywords(&mut self, id: &str, words: &[String]) {
        if words.is_empty() {
            return;
        }
        let own = format!("{id}_k");
        self.open(
            "eAnnotations",
            &[("xmi:type", "ecore:EAnnotation"), ("xmi:id", &own), ("source", KEYWORDS)],
        );
        for (index, word) in words.iter().enumerate() {
            let key = format!("{own}{index}");
            let kind = "ecore:EStringToStringMapEntry";
            self.empty("details", &[("xmi:type", kind), ("xmi:id", &key), ("key", word)]);
        }
        self.close("eAnnotations");
    }

    /// The class of a name, if the model has one.
    fn classifier(&self, name: &str) -> Option<String> {
        let id = self.model.classes.find(|class| class.name == name);
        id.map(|id| class_id(id.index()))
    }

    /// The type of a value, if it is no type of UML's own: a class of the model, or a primitive type such as `0..2`.
    fn typed(&mut self, type_name: &str) -> Option<String> {
        let class = self.classifier(type_name);
        if class.is_some() || type_name.is_empty() || LIBRARY.contains(&type_name) {
            return class;
        }
        Some(type_id(position(&mut self.types, type_name)))
    }

    /// Writes the primitive types that values have.
    pub(super) fn primitive_types(&mut self) {
        for (index, name) in std::mem::take(&mut self.types).iter().enumerate() {
            let id = type_id(index);
            self.empty(
                "packagedElement",
                &[("xmi:type", "uml:PrimitiveType"), ("xmi:id", &id), ("name", name)],
            );
        }
    }

    pub(super) fn attribute(&mut self, id: &str, attribute: &Attribute) {
        let type_name = attribute.type_name.clone().unwrap_or_default();
        let known = self.typed(&type_name).unwrap_or_default();
        let kind = if attribute.is_port() { "uml:Port" } else { "uml:Property" };
        let is_conjugated =
            attribute.is_port() && attribute.stereotypes.iter().any(|one| one == "conjugated");
        let written = [
            ("xmi:type", kind),
            ("xmi:id", id),
            ("name", attribute.name.as_str()),
            ("visibility", visibility(attribute.visibility)),
            ("type", known.as_str()),
            ("isConjugated", if is_conjugated { "true" } else { "" }),
            ("isStatic", if attribute.is_static { "true" } else { "" }),
        ];
        self.open("ownedAttribute", &written);
        let words = attribute.stereotypes.iter().filter(|one| !one.eq_ignore_ascii_case("port"));
        let words = words.filter(|one| !is_conjugated || *one != "conjugated");
        self.keywords(id, &words.cloned().collect::<Vec<_>>());
        self.type_elsewhere(&type_name, &known);
        self.multiplicity(id, attribute.multiplicity.as_deref());
        if let Some(initial) = &attribute.initial {
            self.expression("defaultValue", &format!("{id}_d"), initial);
        }
        self.close("ownedAttribute");
    }

    /// A type of UML's own.
    fn type_elsewhere(&mut self, type_name: &str, known: &str) {
        if known.is_empty() && !type_name.is_empty() {
            let href = format!("pathmap://UML_LIBRARIES/UMLPrimitiveTypes.library.uml#{type_name}");
            self.empty("type", &[("xmi:type", "uml:PrimitiveType"), ("href", &href)]);
        }
    }

    fn multiplicity(&mut self, id: &str, written: Option<&str>) {
        let Some(written) = written else { return };
        let (lower, upper) =
            written.split_once("..").unwrap_or((if written == "*" { "0" } else { written }, written));
        for (role, suffix, kind, bound) in [
            ("lowerValue", "u0", "uml:LiteralInteger", lower),
            ("upperValue", "u1", "uml:LiteralUnlimitedNatural", upper),
        ] {
            // `n` is no number.
            let is_number = bound.parse::<u32>().is_ok() || role == "upperValue" && bound == "*";
            let (id, kind) = (format!("{id}_{suffix}"), if is_number { kind } else { "uml:LiteralString" });
            self.empty(role, &[("xmi:type", kind), ("xmi:id", &id), ("value", bound)]);
        }
    }

    fn member(&mut self, id: &str, operation: &Operation) {
        let seen = visibility(operation.visibility);
        if operation.is_signal {
            let signal = self.signal(&operation.name).unwrap_or_default();
            let written = [
                ("xmi:type", "uml:Reception"),
                ("xmi:id", id),
                ("name", &operation.name),
                ("visibility", seen),
                ("signal", &signal),
            ];
            let of_signal = self
                .model
                .classes
                .iter()
                .find(|one| one.kind == ClassKind::Signal && one.name == operation.name);
            let names = |one: &Class| one.attributes.iter().map(|own| own.name.clone()).collect::<Vec<_>>();
            let own: Vec<String> = operation.parameters.iter().map(|one| one.name.clone()).collect();
            let is_own = of_signal.map(names).unwrap_or_default() != own;
            if !is_own && operation.stereotypes.is_empty() {
                self.empty("ownedReception", &written);
                return;
            }
            self.open("ownedReception", &written);
            self.keywords(id, &operation.stereotypes);
            if is_own {
                self.parameters(id, operation);
            }
            self.close("ownedReception");
            return;
        }
        let written = [
            ("xmi:type", "uml:Operation"),
            ("xmi:id", id),
            ("name", operation.name.as_str()),
            ("visibility", seen),
            ("isStatic", if operation.is_static { "true" } else { "" }),
            ("isAbstract", if operation.is_abstract { "true" } else { "" }),
        ];
        self.open("ownedOperation", &written);
        self.keywords(id, &operation.stereotypes);
        self.parameters(id, operation);
        if let Some(result) = &operation.result {
            self.parameter(&format!("{id}_r"), "", "return", result);
        }
        self.close("ownedOperation");
    }

    fn parameters(&mut self, id: &str, operation: &Operation) {
        for (index, parameter) in operation.parameters.iter().enumerate() {
            let direction = match parameter.direction {
                Some(ParameterDirection::Out) => "out",
                Some(ParameterDirection::InOut) => "inout",
                Some(ParameterDirection::In) | None => "",
            };
            let type_name = parameter.type_name.clone().unwrap_or_default();
            self.parameter(&format!("{id}_p{index}"), &parameter.name, direction, &type_name);
        }
    }

    fn parameter(&mut self, id: &str, name: &str, direction: &str, type_name: &str) {
        let known = self.typed(type_name).unwrap_or_default();
        let written = [
            ("xmi:type", "uml:Parameter"),
            ("xmi:id", id),
            ("name", name),
            ("type", &known),
            ("direction", direction),
        ];
        self.open("ownedParameter", &written);
        self.type_elsewhere(type_name, &known);
        self.close("ownedParameter");
    }

    fn generalizations(&mut self, id: ClassId, own: &str) {
        let model = self.model;
        for (index, association) in
            model.associations.iter().enumerate().filter(|(_, one)| one.ends[0].class == id)
        {
            let [relation, general] =
                [format!("{own}_g{index}"), class_id(association.ends[1].class.index())];
            match association.kind {
                AssociationKind::Generalization => {
                    self.empty(
                        "generalization",
                        &[("xmi:type", "uml:Generalization"), ("xmi:id", &relation), ("general", &general)],
                    );
                }
                AssociationKind::Realization if self.is_contract(association) => {
                    let written = [
                        ("xmi:type", "uml:InterfaceRealization"),
                        ("xmi:id", relation.as_str()),
                        ("client", own),
                        ("supplier", &general),
                        ("contract", &general),
                    ];
                    self.empty("interfaceRealization", &written);
                }
                AssociationKind::Association
                | AssociationKind::Aggregation
                | AssociationKind::Composition
                | AssociationKind::Realization
                | AssociationKind::Dependency => {}
            }
        }
    }

    /// Whether a class realizes an interface; all else that is realized stands beside both.
    fn is_contract(&self, association: &Association) -> bool {
        let [client, supplier] = association.ends.each_ref().map(|end| self.model.classes[end.class].kind);
        owns_behaviour(client) && supplier == ClassKind::Interface
    }

    fn association(&mut self, index: usize, association: &Association) {
        let aggregation = match association.kind {
            AssociationKind::Association => "",
            AssociationKind::Aggregation => "shared",
            AssociationKind::Composition => "composite",
            AssociationKind::Generalization => return,
            AssociationKind::Realization if self.is_contract(association) => return,
            AssociationKind::Realization | AssociationKind::Dependency => {
                let is_realized = association.kind == AssociationKind::Realization;
                let kind = if is_realized { "uml:Realization" } else { "uml:Dependency" };
                let [from, to] = [0, 1].map(|end| class_id(association.ends[end].class.index()));
                let id = format!("_d{index}");
                self.empty(
                    "packagedElement",
                    &[("xmi:type", kind), ("xmi:id", &id), ("client", &from), ("supplier", &to)],
                );
                return;
            }
        };
        let id = format!("_s{index}");
        let ends = [0, 1].map(|end| format!("{id}_{end}"));
        let navigable: Vec<&str> = [0, 1]
            .into_iter()
            .filter(|end| association.ends[*end].navigable)
            .map(|end| ends[end].as_str())
            .collect();
        let written = [
            ("xmi:type", "uml:Association"),
            ("xmi:id", id.as_str()),
            ("name", association.name.as_deref().unwrap_or_default()),
            ("memberEnd", &ends.join(" ")),
            ("navigableOwnedEnd", &navigable.join(" ")),
        ];
        self.open("packagedElement", &written);
        for (at, end) in association.ends.iter().enumerate() {
            let kind = if at == 1 { aggregation } else { "" };
            self.end(&ends[at], &id, end, kind);
        }
        self.close("packagedElement");
    }

    fn end(&mut self, id: &str, association: &str, end: &AssociationEnd, aggregation: &str) {
        let class = class_id(end.class.index());
        let written = [
            ("xmi:type", "uml:Property"),
            ("xmi:id", id),
            ("name", end.role.as_deref().unwrap_or_default()),
            ("type", class.as_str()),
            ("aggregation", aggregation),
            ("association", association),
        ];
        self.open("ownedEnd", &written);
        self.multiplicity(id, end.multiplicity.as_deref());
        self.close("ownedEnd");
    }

    /// Objects, their values, and links: those that a class has a property for are values of slots, others stand by themselves.
    fn objects(&mut self) {
        let model = self.model;
        for (id, object) in model.objects.enumerate() {
            let own = object_id(id);
            let class = object.class.as_ref().map(|name| self.class_of_object(name)).unwrap_or_default();
            let written = [
                ("xmi:type", "uml:InstanceSpecification"),
                ("xmi:id", own.as_str()),
                ("name", &object.name),
                ("classifier", &class),
            ];
            self.open("packagedElement", &written);
            self.keywords(&own, &object.stereotypes);
            for (index, (attribute, value)) in object.values.iter().enumerate() {
                let feature = self.property(object.class.as_deref(), attribute);
                let slot = format!("{own}_t{index}");
                self.open(
                    "slot",
                    &[("xmi:type", "uml:Slot"), ("xmi:id", &slot), ("definingFeature", &feature)],
                );
                self.expression("value", &format!("{slot}_v"), value);
                self.close("slot");
            }
            for (index, link) in model.links.iter().enumerate().filter(|(_, link)| link.ends[0] == id) {
                if let Some(role) = self.slot_of(link) {
                    self.link_end(&format!("{own}_k{index}"), &role, link.ends[1]);
                }
            }
            self.close("packagedElement");
        }
        for (index, link) in model.links.iter().enumerate() {
            if self.slot_of(link).is_none() {
                self.link(&format!("_k{index}"), link);
            }
        }
    }

    /// The property of its first object that a link is a value of; empty if it has no name. `None` if a slot would not say all of it.
    fn slot_of(&self, link: &Link) -> Option<String> {
        let class = self.model.objects[link.ends[0]].class.as_deref();
        match (&link.name, &link.roles) {
            (None, [None, None]) => Some(String::new()),
            (None, [None, Some(role)]) => self.feature(class, role),
            (_, _) => None,
        }
    }

    /// A link with what it is called at both of its ends.
    fn link(&mut self, own: &str, link: &Link) {
        let name = link.name.as_deref().unwrap_or_default();
        self.open(
            "packagedElement",
            &[("xmi:type", "uml:InstanceSpecification"), ("xmi:id", own), ("name", name)],
        );
        for (at, (end, role)) in link.ends.iter().zip(&link.roles).enumerate() {
            let class = self.model.objects[*end].class.as_deref();
            let role = role.as_deref().map(|role| self.property(class, role)).unwrap_or_default();
            self.link_end(&format!("{own}_{at}"), &role, *end);
        }
        self.close("packagedElement");
    }

    /// A slot whose value is an object.
    fn link_end(&mut self, slot: &str, role: &str, object: ObjectId) {
        self.open("slot", &[("xmi:type", "uml:Slot"), ("xmi:id", slot), ("definingFeature", role)]);
        let (value, target) = (format!("{slot}_v"), object_id(object));
        self.empty("value", &[("xmi:type", "uml:InstanceValue"), ("xmi:id", &value), ("instance", &target)]);
        self.close("slot");
    }

    /// What an object is an instance of: a class, else the machine of that name, else a type that is no class.
    fn class_of_object(&mut self, name: &str) -> String {
        let machine = || self.model.machines.find(|one| one.name == *name).map(machine_id);
        let known = self.classifier(name).or_else(machine);
        known.unwrap_or_else(|| type_id(position(&mut self.types, name)))
    }

    /// The property of a class under a name, else one that is written for it.
    fn property(&mut self, class: Option<&str>, name: &str) -> String {
        self.feature(class, name).unwrap_or_else(|| format!("_u{}", position(&mut self.properties, name)))
    }

    /// The attribute that a class or its machine has under a name, inherited ones included, or such an end of an association.
    fn feature(&self, class: Option<&str>, name: &str) -> Option<String> {
        let attribute = |class: ClassId| {
            let at = self.model.classes[class].attributes.iter().position(|one| one.name == name)?;
            Some(format!("{}_a{at}", class_id(class.index())))
        };
        let of_machine = || {
            let mut machines = self.model.machines.enumerate();
            machines.find_map(|(id, machine)| {
                let is_own =
                    class.is_some_and(|class| machine.class.as_deref().unwrap_or(&machine.name) == class);
                let at = machine.attributes.iter().position(|one| is_own && one.name == name)?;
                Some(format!("{}_a{at}", machine_id(id)))
            })
        };
        let ends = self.model.associations.iter().enumerate();
        let mut ends = ends.flat_map(|(index, one)| [0, 1].map(|end| (index, end, &one.ends[end])));
        let end = || {
            ends.find(|(_, _, end)| end.role.as_deref() == Some(name))
                .map(|(index, end, _)| format!("_s{index}_{end}"))
        };
        let own = self.model.classes.find(|one| Some(one.name.as_str()) == class);
        let lineage = own.map(|own| lineage(self.model, own)).unwrap_or_default();
        lineage.into_iter().find_map(attribute).or_else(of_machine).or_else(end)
    }

    /// Writes the properties of objects that no class has.
    pub(super) fn missing_properties(&mut self) {
        let properties = std::mem::take(&mut self.properties);
        if properties.is_empty() {
            return;
        }
        // A class without a name is none of the model's.
        self.open("packagedElement", &[("xmi:type", "uml:Class"), ("xmi:id", "_u")]);
        for (index, name) in properties.iter().enumerate() {
            let id = format!("_u{index}");
            self.empty("ownedAttribute", &[("xmi:type", "uml:Property"), ("xmi:id", &id), ("name", name)]);
        }
        self.close("packagedElement");
    }
}

/// The place of a name in a list, to which it is added if it is new.
fn position(names: &mut Vec<String>, name: &str) -> usize {
    names.iter().position(|one| one == name).unwrap_or_else(|| {
        names.push(name.to_owned());
        names.len() - 1
    })
}

/// A class and those that it inherits from, nearest first.
fn lineage(model: &Model, class: ClassId) -> Vec<ClassId> {
    let mut lineage = vec![class];
    let mut next = 0;
    while let Some(at) = lineage.get(next).copied() {
        let is_above = |kind: AssociationKind| {
            matches!(kind, AssociationKind::Generalization | AssociationKind::Realization)
        };
        let above = model.associations.iter().filter(|one| is_above(one.kind) && one.ends[0].class == at);
        for general in above.map(|one| one.ends[1].class) {
            if !lineage.contains(&general) {
                lineage.push(general);
            }
        }
        next += 1;
    }
    lineage
}

fn object_id(id: ObjectId) -> String {
    format!("_b{}", id.index())
}

/// The types that UML's own library has.
const LIBRARY: [&str; 5] = ["Boolean", "Integer", "Real", "String", "UnlimitedNatural"];

fn type_id(index: usize) -> String {
    format!("_y{index}")
}

fn visibility(visibility: Option<Visibility>) -> &'static str {
    match visibility {
        None => "",
        Some(Visibility::Public) => "public",
        Some(Visibility::Private) => "private",
        Some(Visibility::Protected) => "protected",
        Some(Visibility::Package) => "package",
    }
}
