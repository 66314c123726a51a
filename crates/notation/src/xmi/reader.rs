//! What all parts of the reader share: the elements, the tool, findings, and names that are given once.

use std::collections::{HashMap, HashSet};

use sequent_kernel::diagnostic::{Code, Diagnostic, Severity};
use sequent_kernel::model::Condition;
use sequent_kernel::source::Span;

use super::dialect::ModelingTool;
use super::text;
use super::tree::{ElementReference, NodeId, XmiTree};
use crate::expression;

/// What a file says once may stand in its machines several times: in each use of a submachine, in each machine that extends another. Machines
/// with which there would be more such copies of vertices in a file are not read to the end.
pub(crate) const MOST_COPIES: usize = 20_000;

/// What stands in interactions may be written out where they are used: no more elements than this in a file.
const MOST_WRITTEN_OUT: usize = 200_000;

/// The elements of a file, and what was found out while reading them.
pub(crate) struct XmiReader<'t, 'd> {
    /// The elements.
    pub tree: &'t XmiTree<'d>,
    /// Which tool wrote the file.
    pub tool: ModelingTool,
    /// Whether the file holds UML, rather than another metamodel.
    pub(crate) is_uml: bool,
    /// Findings.
    pub diagnostics: Vec<Diagnostic>,
    /// Elements that were read although others of their type are not.
    pub read: HashSet<NodeId>,
    /// Vertices that stand in a machine.
    vertices: HashSet<NodeId>,
    /// How many vertices stand in machines besides.
    copies: usize,
    /// How many elements of interactions are written out where they are used.
    written_out: usize,
    /// Signals and operations by type and name.
    named: HashSet<(&'d str, &'d str)>,
    /// The stereotypes that are applied to elements.
    applied: HashMap<NodeId, Vec<&'d str>>,
    /// What elements redefine.
    redefined: HashMap<NodeId, NodeId>,
    /// What is said about the times of interactions.
    timings: HashMap<NodeId, Vec<NodeId>>,
}

impl<'t, 'd> XmiReader<'t, 'd> {
    /// A reader of elements.
    pub(crate) fn new(tree: &'t XmiTree<'d>, tool: ModelingTool, elements: &[NodeId]) -> Self {
        let named = elements.iter().map(|node| (tree.kind(*node), tree.name(*node)));
        let named = named.filter(|(kind, _)| matches!(*kind, "Signal" | "Operation")).collect();
        XmiReader {
            tree,
            tool,
            is_uml: true,
            diagnostics: Vec::new(),
            read: HashSet::new(),
            vertices: HashSet::new(),
            copies: 0,
            written_out: 0,
            named,
            applied: applied(tree, elements),
            redefined: tree.ids().filter_map(|node| Some((node, redefined(tree, node)?))).collect(),
            timings: timings(tree, elements),
        }
    }

    /// Notes that a vertex stands in a machine; false if the file has too many copies.
    pub(crate) fn has_room(&mut self, vertex: NodeId) -> bool {
        let is_first = self.vertices.insert(vertex);
        self.copies += usize::from(!is_first);
        is_first || self.copies <= MOST_COPIES
    }

    /// Notes that so many elements are written out once more; false if the file has too many of them.
    pub(crate) fn may_write_out(&mut self, elements: usize) -> bool {
        self.written_out += elements;
        self.written_out <= MOST_WRITTEN_OUT
    }

    /// What an element redefines.
    pub(crate) fn redefined(&self, node: NodeId) -> Option<NodeId> {
        self.redefined.get(&node).copied()
    }

    /// The elements that say something about times in an interaction.
    pub(crate) fn timings(&self, interaction: NodeId) -> Vec<NodeId> {
        self.timings.get(&interaction).cloned().unwrap_or_default()
    }

    /// The stereotypes of an element: those applied to it, and the keywords that Eclipse UML2 writes.
    pub(crate) fn stereotypes(&self, node: NodeId) -> Vec<String> {
        let tree = self.tree;
        let notes = tree.parts(node, "eAnnotations");
        let notes = notes.filter(|note| tree.attribute(*note, "source") == Some(KEYWORDS));
        let keywords = notes.flat_map(|note| tree.parts(note, "details"));
        let keywords = keywords.filter_map(|one| tree.attribute(one, "key"));
        let applied = self.applied.get(&node).into_iter().flatten().copied();
        // UML 1 refers to the stereotype itself.
        let referred = if tree.is_old(node) { tree.all(node, "stereotype") } else { Vec::new() };
        let referred = referred.into_iter().map(|one| tree.name(one)).filter(|name| !name.is_empty());
        applied.chain(keywords).chain(referred).map(str::to_owned).collect()
    }

    /// Adds a finding.
    pub(crate) fn report(&mut self, finding: Diagnostic) {
        self.diagnostics.push(finding);
    }

    /// A condition as it is written in brackets, as a statement, or plainly. One in a formal language that is not read is told: it is a
    /// proposition, which may be true at any time.
    pub(crate) fn condition(&mut self, text: &str, span: Span) -> Condition {
        self.condition_in(text, span, false)
    }

    /// The condition in a constraint, of which the text is known.
    pub(crate) fn constraint(&mut self, node: NodeId, text: &str) -> Condition {
        self.condition_in(text, self.tree.span(node), text::is_built(self.tree, node))
    }

    /// What stands for the guard that an element refers to and that is not there: it may be true at any time.
    pub(crate) fn missing_guard(&self, owner: NodeId, roles: &[&str]) -> Option<Condition> {
        let missing = roles.iter().find_map(|role| self.tree.missing(owner, role))?;
        let (ElementReference::Id(id) | ElementReference::Elsewhere(_, id)) = missing;
        Some(unknown(&format!("missing guard {id}"), self.tree.span(owner)))
    }

    /// What stands for a guard without text: nothing, unless it says something that is not read.
    pub(crate) fn silent_guard(&mut self, guard: NodeId) -> Option<Condition> {
        let tree = self.tree;
        let specification = tree.first(guard, "specification")?;
        let is_blank = BLANK.contains(&tree.kind(specification))
            && tree.missing(specification, "behavior").is_none()
            && tree.first(specification, "behavior").is_none();
        if is_blank {
            return None;
        }
        let message = "what the guard says is not read: it may be true at any time";
        self.report(Diagnostic::new(Code::Unsupported, tree.span(guard), message));
        Some(unknown("unread guard", tree.span(guard)))
    }

    fn condition_in(&mut self, text: &str, span: Span, is_built: bool) -> Condition {
        let text = text.trim();
        let text = text.strip_prefix('[').and_then(|text| text.strip_suffix(']')).unwrap_or(text).trim();
        let returned = text.strip_prefix("return").filter(|rest| rest.starts_with([' ', '(']));
        let statement = returned.unwrap_or(text).trim_end_matches(';').trim();
        let condition = expression::condition(text, span);
        if condition.expression.is_some() || statement.is_empty() {
            return condition;
        }
        let plain = expression::condition(statement, span);
        if plain.expression.is_some() {
            return plain;
        }
        if is_built || FORMAL.iter().any(|sign| text.contains(sign)) {
            let message = format!("the condition `{}` is not read as an expression", condition.text);
            let finding = Diagnostic::new(Code::Unsupported, span, message).severity(Severity::Hint);
            self.report(
                finding.hint("it counts as a proposition of that text, which may be true at any time"),
            );
        }
        condition
    }

    /// Whether an element of this type has this name.
    pub(crate) fn is_name_of(&self, kind: &str, name: &str) -> bool {
        self.named.contains(&(kind, name))
    }
}

/// A proposition of a text that no expression has.
fn unknown(text: &str, span: Span) -> Condition {
    Condition { text: text.to_owned(), expression: None, place: span.into() }
}

/// Types of values that say nothing where nothing is written in them.
const BLANK: &[&str] =
    &["", "Expression", "LiteralNull", "LiteralString", "OpaqueExpression", "StringExpression"];

/// Signs of formal languages.
const FORMAL: &[&str] = &["=", "<", ">", "&&", "||", ";", "::"];

/// The source of the annotation in which Eclipse UML2 keeps keywords.
pub(crate) const KEYWORDS: &str = "http://www.eclipse.org/uml2/2.0.0/UML";

/// What an element of a state machine redefines. A machine may say so by a generalization.
fn redefined(tree: &XmiTree, node: NodeId) -> Option<NodeId> {
    let kind = class(tree.kind(node));
    let kinds = ["Region", "State", "Pseudostate", "ConnectionPointReference", "StateMachine", "Transition"];
    if !kinds.contains(&kind) {
        return None;
    }
    let generals = tree.parts(node, "generalization").filter_map(|one| tree.first(one, "general"));
    let mut named = REDEFINITIONS.iter().filter_map(|role| tree.first(node, role)).chain(generals);
    named.find(|other| class(tree.kind(*other)) == kind)
}

/// Machines of both kinds may redefine each other, and so may states and transitions.
fn class(kind: &str) -> &str {
    match kind {
        "ProtocolStateMachine" => "StateMachine",
        "ProtocolTransition" => "Transition",
        "FinalState" => "State",
        kind => kind,
    }
}

/// Properties that name what an element redefines, in the versions of UML.
const REDEFINITIONS: &[&str] = &[
    "extendedStateMachine",
    "redefinedBehavior",
    "redefinedClassifier",
    "extendedRegion",
    "redefinedState",
    "redefinedVertex",
    "redefinedTransition",
];

/// The types of elements that speak about time in interactions.
const TIMES: &[&str] = &["DurationConstraint", "DurationObservation", "TimeConstraint", "TimeObservation"];

/// The elements that speak about time, by the interaction that they speak about.
fn timings(tree: &XmiTree, elements: &[NodeId]) -> HashMap<NodeId, Vec<NodeId>> {
    let mut timings: HashMap<NodeId, Vec<NodeId>> = HashMap::new();
    for node in elements.iter().filter(|node| TIMES.contains(&tree.kind(**node))) {
        let about = ["constrainedElement", "event"].iter().find_map(|role| tree.first(*node, role));
        let interaction =
            about.and_then(|about| tree.around(about).find(|outer| tree.kind(*outer) == "Interaction"));
        if let Some(interaction) = interaction.filter(|_| !tree.is_reference(*node)) {
            timings.entry(interaction).or_default().push(*node);
        }
    }
    timings
}

/// The stereotypes (`<SysML:Block base_Class="..."/>`) by what they are applied to.
fn applied<'d>(tree: &XmiTree<'d>, elements: &[NodeId]) -> HashMap<NodeId, Vec<&'d str>> {
    let mut applied: HashMap<NodeId, Vec<&'d str>> = HashMap::new();
    for node in elements.iter().filter(|node| tree.node(**node).parent.is_none()) {
        for base in tree.bases(*node).into_iter().flat_map(|base| tree.all(*node, base)) {
            applied.entry(base).or_default().push(tree.kind(*node));
        }
    }
    applied
}

/// Names of one scope, each given once.
#[derive(Default)]
pub(crate) struct UniqueNames(HashMap<String, usize>);

impl UniqueNames {
    /// The name if it is free, else with a number behind it.
    pub(crate) fn unique(&mut self, name: &str, divider: &str) -> String {
        let mut chosen = name.to_owned();
        while self.0.contains_key(&chosen) {
            let count = self.0.entry(name.to_owned()).or_insert(1);
            *count += 1;
            chosen = format!("{name}{divider}{count}");
        }
        self.0.insert(chosen.clone(), 1);
        chosen
    }

    /// Whether a name was given.
    pub(crate) fn has(&self, name: &str) -> bool {
        self.0.contains_key(name)
    }
}
