//! What a lifeline does, statement by statement.

use std::collections::BTreeSet;
use std::fmt::Write;

use sequent_kernel::id::Id;
use sequent_kernel::system::EventKind;
use sequent_kernel::templates::{
    LineId, NodeId, OccurrenceId, OperandComposition, OperandOrder, RigidCondition, TemplateFragment,
    TemplateNodeKind,
};

use super::super::lexicon::comment;
use super::rounds::LoopCounter;
use super::{LifelineWriter, SPELLING};

impl LifelineWriter<'_> {
    /// What a lifeline does in a part of the diagram; empty if nothing.
    pub(super) fn node(&mut self, node: NodeId, line: LineId, depth: usize) -> String {
        let tree = self.tree;
        if !tree.is_live(node) {
            return String::new();
        }
        match &tree.nodes[node].kind {
            TemplateNodeKind::Operand(operand) => {
                operand.items.iter().map(|item| self.node(*item, line, depth)).collect()
            }
            TemplateNodeKind::Message(..) | TemplateNodeKind::Stop(_) => {
                let own = tree.ends(node).into_iter().filter(|end| tree.occurrences[*end].line == line);
                own.map(|end| self.event(end, depth)).collect()
            }
            TemplateNodeKind::Meeting(lines) if lines.contains(&line) => self.meeting(node, depth),
            TemplateNodeKind::Meeting(_) => String::new(),
            TemplateNodeKind::Fragment(fragment) => {
                let code = self.fragment(node, fragment, line, depth);
                if code.is_empty() || fragment.shape == OperandComposition::Ref {
                    return code;
                }
                let at = (self.diagram.at)(tree.nodes[node].place);
                let at = if at.is_empty() { at } else { format!(", {at}") };
                format!("{}/* {}{} */\n{code}", "  ".repeat(depth), fragment.name, comment(&at))
            }
        }
    }

    fn meeting(&self, node: NodeId, depth: usize) -> String {
        match self.guards.meetings.get(&node) {
            Some(name) => format!("{}{name};\n", "  ".repeat(depth)),
            None => String::new(),
        }
    }

    fn fragment(&mut self, node: NodeId, fragment: &TemplateFragment, line: LineId, depth: usize) -> String {
        if fragment.shape == OperandComposition::Coregion(line) {
            return self.coregion(node, fragment, line, depth);
        }
        if self.counts.0.contains_key(&node) {
            return self.counted(node, fragment, line, depth);
        }
        match fragment.shape.order() {
            OperandOrder::Sequence => {
                fragment.operands.iter().map(|operand| self.guarded(*operand, line, depth)).collect()
            }
            OperandOrder::Beside => {
                let mut parts = Vec::new();
                for operand in &fragment.operands {
                    parts.push(self.piece(|author| author.guarded(*operand, line, 1)));
                }
                self.fork((node, &fragment.name), parts, line, depth)
            }
            OperandOrder::Choice if fragment.shape == OperandComposition::Break => {
                self.break_off(&fragment.operands, line, depth)
            }
            OperandOrder::Choice => self.choice(&fragment.operands, line, depth),
        }
    }

    /// Statements that are skipped unless a condition holds.
    fn only_if(&self, when: &RigidCondition, code: String, depth: usize) -> String {
        if when.is_always() || code.is_empty() {
            return code;
        }
        let indent = "  ".repeat(depth);
        let when = SPELLING.condition(&self.words, when);
        format!("{indent}if\n{indent}:: {when} ->\n{code}{indent}:: else\n{indent}fi;\n")
    }

    fn guarded(&mut self, operand: NodeId, line: LineId, depth: usize) -> String {
        let own = self.tree.own_condition(operand);
        let inner = if own.is_always() { depth } else { depth + 1 };
        let code = self.node(operand, line, inner);
        self.only_if(&own, code, depth)
    }

    fn choice(&mut self, operands: &[NodeId], line: LineId, depth: usize) -> String {
        let indent = "  ".repeat(depth);
        let mut ways = String::new();
        for operand in operands {
            let code = self.node(*operand, line, depth + 1);
            if !code.is_empty() {
                let when = SPELLING.condition(&self.words, &self.tree.own_condition(*operand));
                let _ = write!(ways, "{indent}:: {when} ->\n{code}");
            }
        }
        match ways.is_empty() {
            true => ways,
            false => format!("{indent}if\n{ways}{indent}:: else\n{indent}fi;\n"),
        }
    }

    /// The operand of a break, and a jump over the remainder.
    fn break_off(&mut self, operands: &[NodeId], line: LineId, depth: usize) -> String {
        let [taken, rest] = operands else { return self.choice(operands, line, depth) };
        let indent = "  ".repeat(depth);
        let when = self.tree.own_condition(*taken);
        let taken = self.node(*taken, line, depth + 1);
        let rest = self.node(*rest, line, depth);
        if when.is_never() {
            return rest;
        }
        if taken.is_empty() && rest.is_empty() {
            return String::new();
        }
        let label = self.names.give("after_break");
        let when = SPELLING.condition(&self.words, &when);
        format!(
            "{indent}if\n{indent}:: {when} ->\n{taken}{indent}  goto {label}\n{indent}:: else\n{indent}fi;\n{rest}{label}:\n{indent}skip;\n"
        )
    }

    /// On the lifeline of a coregion everything in it is beside everything else.
    fn coregion(&mut self, node: NodeId, fragment: &TemplateFragment, line: LineId, depth: usize) -> String {
        let tree = self.tree;
        let mut leaves = Vec::new();
        tree.visit(node, &mut |one| leaves.push(one));
        let mut parts = Vec::new();
        for leaf in leaves.into_iter().filter(|one| tree.is_live(*one)) {
            let own = tree.nodes[leaf].when.without(&tree.nodes[node].when);
            let inner = if own.is_always() { 1 } else { 2 };
            let ends = tree.ends(leaf).into_iter().filter(|end| tree.occurrences[*end].line == line);
            let mut codes: Vec<String> = ends.map(|end| self.event(end, inner)).collect();
            if matches!(&tree.nodes[leaf].kind, TemplateNodeKind::Meeting(lines) if lines.contains(&line)) {
                codes.push(self.meeting(leaf, inner));
            }
            parts.extend(
                codes.into_iter().map(|code| ProcessPiece {
                    code: self.only_if(&own, code, 1),
                    counting: BTreeSet::new(),
                }),
            );
        }
        self.fork((node, &fragment.name), parts, line, depth)
    }

    /// A loop with a count.
    fn counted(&mut self, node: NodeId, fragment: &TemplateFragment, line: LineId, depth: usize) -> String {
        let inner: String =
            fragment.operands.iter().map(|operand| self.node(*operand, line, depth + 1)).collect();
        if inner.is_empty() {
            return inner;
        }
        self.counting.insert(node);
        let LoopCounter { total, counter, .. } = &self.counts.0[&node];
        let indent = "  ".repeat(depth);
        // SPIN does not let anybody jump to a `d_step`.
        format!(
            "{indent}do\n{indent}:: {counter} < {total} ->\n{inner}{indent}  {counter}++\n{indent}:: else -> {counter} = 0; break\n{indent}od;\n{indent}skip;\n"
        )
    }

    /// One occurrence with its flags, in one step.
    fn event(&self, id: OccurrenceId, depth: usize) -> String {
        let (tree, number) = (self.tree, id.index());
        let event = &tree.occurrences[id];
        let mut guard = self.guards.waits.get(&id).cloned().unwrap_or_default();
        let is_send = event.kind == EventKind::Send;
        let mut steps = Vec::new();
        match self.channels.received(event.node).filter(|_| event.kind == EventKind::Receive) {
            Some(end) => {
                if !end.waits || !guard.is_empty() {
                    guard.push(end.ready);
                }
                steps.push(end.done);
            }
            None => steps.extend(self.channels.sent(event.node).filter(|_| is_send)),
        }
        let message = self.messages.word(event);
        steps.push(format!("send = {}", u8::from(is_send)));
        steps.push(format!("receive = {}", u8::from(event.kind == EventKind::Receive)));
        steps.push(format!("proc1 = {}", event.line.index() + 1));
        steps.push(format!("msg = {message}"));
        steps.push(format!("proc2 = {}", event.partner.map_or(0, |partner| partner.index() + 1)));
        if self.has_beat {
            steps.push("beat = 1 - beat".to_owned());
        }
        if self.guards.remembered.contains(&id) {
            steps.push(format!("done{number} = 1"));
        }
        if self.is_recorded {
            steps.push(format!("record[recorded] = {number}; recorded++"));
        }
        let guard = if guard.is_empty() { guard.join("") } else { format!("{} -> ", guard.join(" && ")) };
        let indent = "  ".repeat(depth);
        format!("{indent}d_step {{ {guard}{} }}; /* {} */\n", steps.join("; "), comment(&event.text))
    }

    /// Pieces beside each other, each written at depth 1: one is done here, the others by sub-instances.
    fn fork(
        &mut self,
        (node, name): (NodeId, &str),
        parts: Vec<ProcessPiece>,
        line: LineId,
        depth: usize,
    ) -> String {
        let indent = "  ".repeat(depth);
        let mut parts = parts.into_iter().filter(|part| !part.code.is_empty());
        let Some(first) = parts.next() else { return String::new() };
        self.counting.extend(first.counting);
        let here: String = first
            .code
            .split_inclusive('\n')
            .map(|text| match text.starts_with(' ') {
                true => format!("{}{text}", "  ".repeat(depth - 1)),
                false => text.to_owned(),
            })
            .collect();
        let others: Vec<ProcessPiece> = parts.collect();
        if others.is_empty() {
            return here;
        }
        let process = self.lines[line].clone();
        let word = name.replace(' ', "");
        let token = self.names.give(&format!("token_{process}_{word}"));
        let around = self.tree.kept_around(node);
        let given = self.counts.declared(around.iter()).join("; ");
        let handed: Vec<&str> = around.iter().map(|one| self.counts.0[one].counter.as_str()).collect();
        let handed = handed.join(", ");
        let mut runs = Vec::new();
        for (number, part) in (2..).zip(&others) {
            let own = self.names.give(&format!("{process}_{word}_{number}"));
            let title = comment(&self.tree.lines[line]);
            let counters = self.counters(part.counting.iter());
            let code = &part.code;
            let _ = write!(
                self.parts,
                "\n/* Lifeline {title} in {name}: part {number} of what is beside each other */\nproctype {own}({given}) {{\n{counters}{code}  {token}!1\n}}\n"
            );
            runs.push(format!("run {own}({handed})"));
        }
        self.started += others.len();
        self.tokens.push((token.clone(), others.len()));
        let waits: String = others.iter().map(|_| format!("{indent}{token}?1;\n")).collect();
        format!("{indent}atomic {{ {} }};\n{here}{waits}", runs.join("; "))
    }

    /// A piece that is written by itself, with the loops that it counts.
    fn piece(&mut self, write: impl FnOnce(&mut Self) -> String) -> ProcessPiece {
        let outer = std::mem::take(&mut self.counting);
        let code = write(self);
        ProcessPiece { code, counting: std::mem::replace(&mut self.counting, outer) }
    }

    /// The counters of some loops, as variables of a process.
    pub(super) fn counters<'n>(&'n self, loops: impl Iterator<Item = &'n NodeId>) -> String {
        self.counts.declared(loops).iter().map(|one| format!("  {one};\n")).collect()
    }
}

/// What a process does in a part of the diagram, and the loops that it counts there.
struct ProcessPiece {
    code: String,
    counting: BTreeSet<NodeId>,
}
