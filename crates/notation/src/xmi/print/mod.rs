//! UML models as text: UML 2.5.1 in XMI as Eclipse UML2 writes it, so that Papyrus and other tools open it.
//!
//! Ids follow from the place of an element in the model, so the same model gives the same bytes. What UML has no element for (colours,
//! numbering, notes' positions, strict loops) is left out; what is written reads as the same model again.

mod class;
mod interaction;
mod machine;

use std::fmt::Write;

use sequent_kernel::diagnostic::Code;
use sequent_kernel::id::Id;
use sequent_kernel::model::{ClassKind, MachineId, Model, Subject};

/// A model as a document of a name.
pub fn model(model: &Model, name: &str) -> String {
    let mut writer = XmiWriter {
        model,
        text: String::new(),
        depth: 0,
        events: Vec::new(),
        types: Vec::new(),
        observed: Vec::new(),
        bounds: Vec::new(),
        properties: Vec::new(),
    };
    writer.text.push_str("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
    let opening = [
        ("xmi:version", "20131001"),
        ("xmlns:xmi", "http://www.omg.org/spec/XMI/20131001"),
        ("xmlns:ecore", if has_keywords(model) { "http://www.eclipse.org/emf/2002/Ecore" } else { "" }),
        ("xmlns:uml", "http://www.eclipse.org/uml2/5.0.0/UML"),
        ("xmi:id", "_model"),
        ("name", name),
    ];
    writer.open("uml:Model", &opening);
    writer.questions("_model", None);
    writer.classes();
    writer.machines();
    writer.interactions();
    writer.events();
    writer.times();
    writer.missing_properties();
    writer.primitive_types();
    writer.close("uml:Model");
    writer.text
}

/// Whether stereotypes are written.
fn has_keywords(model: &Model) -> bool {
    model.classes.iter().any(|class| {
        matches!(class.kind, ClassKind::Capsule | ClassKind::Protocol)
            || !class.stereotypes.is_empty()
            || class.attributes.iter().any(|one| !one.stereotypes.is_empty())
            || class.operations.iter().any(|one| !one.stereotypes.is_empty())
    }) || model.objects.iter().any(|object| !object.stereotypes.is_empty())
        || model
            .machines
            .iter()
            .flat_map(|machine| &machine.attributes)
            .any(|one| !one.stereotypes.is_empty())
}

/// An event that triggers refer to: its type, its id, its attributes, what it holds.
struct XmiEvent {
    kind: &'static str,
    signal: Option<String>,
    value: Option<(&'static str, String)>,
}

/// An observation of a time or of a duration.
struct WrittenObservation {
    kind: String,
    id: String,
    name: String,
    event: String,
}

struct XmiWriter<'m> {
    model: &'m Model,
    text: String,
    depth: usize,
    events: Vec<XmiEvent>,
    /// The names of types that are no classes.
    types: Vec<String>,
    /// What is observed of times and durations.
    observed: Vec<WrittenObservation>,
    /// The bounds of times and durations: their types and texts.
    bounds: Vec<(&'static str, String)>,
    /// The names of properties of objects that no class has.
    properties: Vec<String>,
}

impl XmiWriter<'_> {
    fn indent(&mut self) {
        self.text.extend(std::iter::repeat_n("  ", self.depth));
    }

    fn tag(&mut self, name: &str, attributes: &[(&str, &str)], end: &str) {
        self.indent();
        let _ = write!(self.text, "<{name}");
        for (key, value) in attributes.iter().filter(|(key, value)| !value.is_empty() || *key == "value") {
            let _ = write!(self.text, " {key}=\"{}\"", escaped(value));
        }
        self.text.push_str(end);
        self.text.push('\n');
    }

    /// An element without content.
    fn empty(&mut self, name: &str, attributes: &[(&str, &str)]) {
        self.tag(name, attributes, "/>");
    }

    fn open(&mut self, name: &str, attributes: &[(&str, &str)]) {
        self.tag(name, attributes, ">");
        self.depth += 1;
    }

    fn close(&mut self, name: &str) {
        self.depth -= 1;
        self.indent();
        let _ = writeln!(self.text, "</{name}>");
    }

    /// An element that holds a text.
    fn leaf(&mut self, name: &str, text: &str) {
        self.indent();
        let _ = writeln!(self.text, "<{name}>{}</{name}>", escaped(text));
    }

    /// What is asked about a diagram, as a comment that is read as directives.
    fn questions(&mut self, own: &str, subject: Option<Subject>) {
        let model = self.model;
        let lines: Vec<String> = model.directives(subject).map(directive).collect();
        self.directive_lines(own, &lines);
    }

    /// A comment of directives.
    fn directive_lines(&mut self, own: &str, lines: &[String]) {
        if lines.is_empty() {
            return;
        }
        let id = format!("{own}_directives");
        self.open("ownedComment", &[("xmi:type", "uml:Comment"), ("xmi:id", &id)]);
        self.leaf("body", &lines.join("\n"));
        self.close("ownedComment");
    }

    /// A constraint with its text.
    fn constraint(&mut self, role: &str, id: &str, text: &str) {
        self.open(role, &[("xmi:type", "uml:Constraint"), ("xmi:id", id)]);
        self.expression("specification", &format!("{id}_s"), text);
        self.close(role);
    }

    fn expression(&mut self, role: &str, id: &str, text: &str) {
        self.open(role, &[("xmi:type", "uml:OpaqueExpression"), ("xmi:id", id)]);
        self.leaf("body", text);
        self.close(role);
    }

    /// The signal of a name, if the model has one.
    fn signal(&self, name: &str) -> Option<String> {
        let mut classes = self.model.classes.enumerate();
        let found = classes.find(|(_, class)| class.kind == ClassKind::Signal && class.name == name);
        found.map(|(id, _)| class_id(id.index()))
    }

    /// The operation of a name, if a class of the model has one.
    fn operation(&self, name: &str) -> Option<String> {
        let mut classes = self.model.classes.enumerate();
        classes.find_map(|(id, class)| {
            let at = class.operations.iter().position(|one| one.name == name && !one.is_signal)?;
            Some(format!("{}_o{at}", class_id(id.index())))
        })
    }

    /// A bound of an interval of times or durations.
    fn bound(&mut self, kind: &'static str, text: &str) -> String {
        let one = (kind, text.to_owned());
        let at = self.bounds.iter().position(|known| *known == one).unwrap_or_else(|| {
            self.bounds.push(one);
            self.bounds.len() - 1
        });
        format!("_x{at}")
    }

    /// Writes what constraints on times refer to, and what is observed.
    fn times(&mut self) {
        for (index, (kind, text)) in std::mem::take(&mut self.bounds).into_iter().enumerate() {
            let [id, expr] = [format!("_x{index}"), format!("_x{index}_e")];
            self.open("packagedElement", &[("xmi:type", kind), ("xmi:id", &id)]);
            self.empty("expr", &[("xmi:type", "uml:LiteralString"), ("xmi:id", &expr), ("value", &text)]);
            self.close("packagedElement");
        }
        for one in std::mem::take(&mut self.observed) {
            let WrittenObservation { kind, id, name, event } = &one;
            let written = [("xmi:type", kind.as_str()), ("xmi:id", id), ("name", name), ("event", event)];
            self.empty("packagedElement", &written);
        }
    }

    /// Writes the events that triggers refer to.
    fn events(&mut self) {
        for (index, event) in std::mem::take(&mut self.events).into_iter().enumerate() {
            let id = format!("_e{index}");
            let kind = format!("uml:{}", event.kind);
            let signal = event.signal.unwrap_or_default();
            let relative = if event.kind == "TimeEvent" { "true" } else { "" };
            let attributes =
                [("xmi:type", kind.as_str()), ("xmi:id", &id), ("signal", &signal), ("isRelative", relative)];
            match event.value {
                None => self.empty("packagedElement", &attributes),
                Some(("when", text)) => {
                    self.open("packagedElement", &attributes);
                    let when = format!("{id}_w");
                    self.open("when", &[("xmi:type", "uml:TimeExpression"), ("xmi:id", &when)]);
                    let expr = format!("{id}_x");
                    self.empty(
                        "expr",
                        &[("xmi:type", "uml:LiteralString"), ("xmi:id", &expr), ("value", &text)],
                    );
                    self.close("when");
                    self.close("packagedElement");
                }
                Some((role, text)) => {
                    self.open("packagedElement", &attributes);
                    self.expression(role, &format!("{id}_x"), &text);
                    self.close("packagedElement");
                }
            }
        }
    }
}

/// A directive in a comment. A finding that is expected is one of another notation, so it need not come here.
fn directive(text: &str) -> String {
    let code = text.strip_prefix("expect ").filter(|word| Code::from_name(word).is_some());
    code.map_or_else(|| format!("@{text}"), |code| format!("@allow {code}"))
}

/// Whether a class of a kind may have a state machine in UML.
fn owns_behaviour(kind: ClassKind) -> bool {
    match kind {
        ClassKind::Class | ClassKind::Abstract | ClassKind::Capsule | ClassKind::Protocol => true,
        ClassKind::Interface | ClassKind::Enumeration | ClassKind::Signal => false,
    }
}

fn machine_id(id: MachineId) -> String {
    format!("_m{}", id.index())
}

fn class_id(index: usize) -> String {
    format!("_c{index}")
}

/// A text inside of XML; characters that XML does not know are left out.
fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\n' => out.push_str("&#10;"),
            '\t' => out.push_str("&#9;"),
            '\r' => out.push_str("&#13;"),
            '\u{fffe}' | '\u{ffff}' => {}
            character if character.is_control() && (character as u32) < 0x20 => {}
            character => out.push(character),
        }
    }
    out
}
