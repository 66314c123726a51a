//! What a lifeline does in a sequence diagram, and the conditions under which it does.

use sequent_kernel::templates::{
    LineId, NodeId, OperandComposition, OperandOrder, RigidCondition, TemplateFragment, TemplateNodeKind,
};

use super::author::{DiagramWriter, SPELLING};

/// What does nothing.
const NOTHING: &str = "SKIP";

impl DiagramWriter<'_> {
    /// What a lifeline does in a part of the diagram.
    pub(crate) fn on(&self, node: NodeId, line: LineId) -> String {
        let mut pieces = Pieces::default();
        self.add(node, line, &mut pieces);
        pieces.text()
    }

    fn add(&self, node: NodeId, line: LineId, pieces: &mut Pieces) {
        let tree = self.tree;
        if !tree.is_live(node) {
            return;
        }
        match &tree.nodes[node].kind {
            TemplateNodeKind::Operand(operand) => {
                operand.items.iter().for_each(|item| self.add(*item, line, pieces))
            }
            TemplateNodeKind::Message(..) | TemplateNodeKind::Stop(_) => {
                let own = tree.ends(node).into_iter().filter(|end| tree.occurrences[*end].line == line);
                own.for_each(|end| pieces.chain.push(self.written[end].clone()));
            }
            // A lifeline that waits for others at a meeting is synchronised by a separate process.
            TemplateNodeKind::Meeting(_) => {}
            TemplateNodeKind::Fragment(fragment) => self.fragment(node, fragment, line, pieces),
        }
    }

    fn fragment(&self, node: NodeId, fragment: &TemplateFragment, line: LineId, pieces: &mut Pieces) {
        if fragment.shape == OperandComposition::Coregion(line) {
            pieces.put(beside(self.coregion(node, line)));
            return;
        }
        let operands = fragment.operands.iter();
        match fragment.shape.order() {
            OperandOrder::Sequence => {
                for operand in operands {
                    match self.tree.own_condition(*operand).is_always() {
                        true => self.add(*operand, line, pieces),
                        false => pieces.put(self.guarded(*operand, line)),
                    }
                }
            }
            OperandOrder::Beside => {
                pieces.put(beside(operands.map(|operand| self.guarded(*operand, line)).collect()))
            }
            OperandOrder::Choice => {
                let mut text = String::new();
                for operand in operands.filter(|operand| self.tree.is_live(**operand)) {
                    let code = self.on(*operand, line);
                    if code != NOTHING {
                        let when = SPELLING.condition(&self.rigids, &self.tree.own_condition(*operand));
                        text += &format!("if {when} then {code} else ");
                    }
                }
                pieces.put(if text.is_empty() { NOTHING.to_owned() } else { format!("({text}SKIP)") });
            }
        }
    }

    /// What a lifeline does in an operand, if that runs.
    fn guarded(&self, operand: NodeId, line: LineId) -> String {
        self.only_if(&self.tree.own_condition(operand), self.on(operand, line))
    }

    /// A process that is left out unless a condition holds.
    pub(crate) fn only_if(&self, when: &RigidCondition, process: String) -> String {
        match when.is_always() || process == NOTHING {
            true => process,
            false => format!("(if {} then {process} else SKIP)", SPELLING.condition(&self.rigids, when)),
        }
    }

    /// On the lifeline of a coregion everything in it is beside everything else.
    fn coregion(&self, node: NodeId, line: LineId) -> Vec<String> {
        let tree = self.tree;
        let around = &tree.nodes[node].when;
        let one = |end: &_| {
            let own = tree.when(*end).without(around);
            self.only_if(&own, format!("{} -> SKIP", self.written[*end]))
        };
        tree.enabled_on(node, line).iter().map(one).collect()
    }
}

/// Processes beside each other.
fn beside(mut parts: Vec<String>) -> String {
    parts.retain(|part| part != NOTHING);
    let bracketed = |part: &String| match part.starts_with('(') && part.ends_with(')') {
        true => part.clone(),
        false => format!("({part})"),
    };
    match parts.as_slice() {
        [] => NOTHING.to_owned(),
        [one] => bracketed(one),
        _ => format!("({})", parts.iter().map(bracketed).collect::<Vec<_>>().join(" ||| ")),
    }
}

/// What is done one after the other: events, and processes between them.
#[derive(Default)]
struct Pieces {
    done: Vec<String>,
    /// The events since the last process.
    chain: Vec<String>,
}

impl Pieces {
    /// One more process, in brackets.
    fn put(&mut self, process: String) {
        if process != NOTHING {
            self.link();
            self.done.push(process);
        }
    }

    fn link(&mut self) {
        let chain = std::mem::take(&mut self.chain);
        if !chain.is_empty() {
            self.done.push(format!("{} -> SKIP", chain.join(" -> ")));
        }
    }

    fn text(mut self) -> String {
        self.link();
        if self.done.is_empty() { NOTHING.to_owned() } else { self.done.join(" ; ") }
    }
}
