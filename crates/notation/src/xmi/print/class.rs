//! Classes, their relations, objects and links.

use sequent_kernel::id::Id;
use sequent_kernel::model::{
    Association, AssociationEnd, AssociationKind, Attribute, Class, ClassId, ClassKind, LifelineKind,
    Operation, ParameterDirection, Visibility,
};

use super::{XmiWriter, class_id};
use crate::xmi::class::KINDS;
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
        let kind = match class.kind {
            ClassKind::Class if is_actor => "uml:Actor",
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
        let words: Vec<String> = class.stereotypes.iter().cloned().chain(word).collect();
        self.keywords(&own, &words);
        for (index, attribute) in class.attributes.iter().enumerate() {
            self.attribute(&format!("{own}_a{index}"), attribute);
        }
        for (index, operation) in class.operations.iter().enumerate() {
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
        let known = self.types.iter().position(|one| one == type_name);
        let index = known.unwrap_or_else(|| {
            self.types.push(type_name.to_owned());
            self.types.len() - 1
        });
        Some(type_id(index))
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

    fn attribute(&mut self, id: &str, attribute: &Attribute) {
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
        let [low, up] = ["u0", "u1"].map(|suffix| format!("{id}_{suffix}"));
        self.empty("lowerValue", &[("xmi:type", "uml:LiteralInteger"), ("xmi:id", &low), ("value", lower)]);
        self.empty(
            "upperValue",
            &[("xmi:type", "uml:LiteralUnlimitedNatural"), ("xmi:id", &up), ("value", upper)],
        );
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
                AssociationKind::Realization => {
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
                | AssociationKind::Dependency => {}
            }
        }
    }

    fn association(&mut self, index: usize, association: &Association) {
        let aggregation = match association.kind {
            AssociationKind::Association => "",
            AssociationKind::Aggregation => "shared",
            AssociationKind::Composition => "composite",
            AssociationKind::Generalization | AssociationKind::Realization => return,
            AssociationKind::Dependency => {
                let [from, to] = [0, 1].map(|end| class_id(association.ends[end].class.index()));
                let id = format!("_d{index}");
                self.empty(
                    "packagedElement",
                    &[("xmi:type", "uml:Dependency"), ("xmi:id", &id), ("client", &from), ("supplier", &to)],
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

    /// Objects, and links as values of slots.
    fn objects(&mut self) {
        let model = self.model;
        for (id, object) in model.objects.enumerate() {
            let own = format!("_b{}", id.index());
            let class = object.class.as_ref().and_then(|name| self.classifier(name)).unwrap_or_default();
            let written = [
                ("xmi:type", "uml:InstanceSpecification"),
                ("xmi:id", own.as_str()),
                ("name", &object.name),
                ("classifier", &class),
            ];
            self.open("packagedElement", &written);
            for (index, (attribute, value)) in object.values.iter().enumerate() {
                let Some(feature) = self.feature(object.class.as_deref(), attribute) else { continue };
                let slot = format!("{own}_t{index}");
                self.open(
                    "slot",
                    &[("xmi:type", "uml:Slot"), ("xmi:id", &slot), ("definingFeature", &feature)],
                );
                self.expression("value", &format!("{slot}_v"), value);
                self.close("slot");
            }
            for (index, link) in model.links.iter().enumerate().filter(|(_, link)| link.ends[0] == id) {
                let slot = format!("{own}_k{index}");
                let role =
                    link.roles[1].as_deref().and_then(|role| self.feature(object.class.as_deref(), role));
                let (value, target) = (format!("{slot}_v"), format!("_b{}", link.ends[1].index()));
                self.open(
                    "slot",
                    &[
                        ("xmi:type", "uml:Slot"),
                        ("xmi:id", &slot),
                        ("definingFeature", role.as_deref().unwrap_or_default()),
                    ],
                );
                self.empty(
                    "value",
                    &[("xmi:type", "uml:InstanceValue"), ("xmi:id", &value), ("instance", &target)],
                );
                self.close("slot");
            }
            self.close("packagedElement");
        }
    }

    /// The attribute or the end of an association that a class has under a name.
    fn feature(&self, class: Option<&str>, name: &str) -> Option<String> {
        let id = self.model.classes.find(|one| Some(one.name.as_str()) == class)?;
        let attribute = self.model.classes[id].attributes.iter().position(|one| one.name == name);
        let ends = self.model.associations.iter().enumerate();
        let mut ends = ends.flat_map(|(index, one)| [0, 1].map(|end| (index, end, &one.ends[end])));
        let end = || {
            ends.find(|(_, _, end)| end.role.as_deref() == Some(name))
                .map(|(index, end, _)| format!("_s{index}_{end}"))
        };
        attribute.map(|at| format!("{}_a{at}", class_id(id.index()))).or_else(end)
    }
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
