//! Contradictory orders: E212, H213.
//!
//! The vertical order of a drawing is acyclic, so only a general ordering can close a cycle or let messages
//! overtake; a diagram without one is not checked. The order drawn is kept as direct edges between
//! occurrences: along a lifeline from the last occurrences of what precedes to the first of what follows
//! (rule I2), from send to receive (I1).

use std::collections::BTreeMap;

use crate::diagnostic::{Code, Diagnostic};
use crate::id::Id;
use crate::model::{
    Block, Combination, Combined, Fragment, GeneralOrdering, Interaction, LifelineId, MessageId, Occurrence,
};
use crate::scc::components;

pub(super) fn check(interaction: &Interaction, findings: &mut Vec<Diagnostic>) {
    if interaction.orderings.is_empty() {
        return;
    }
    let mut graph = OrderGraph { interaction, edges: vec![Vec::new(); 2 * interaction.messages.len()] };
    graph.block(&interaction.body, &mut BTreeMap::new(), None);
    for ordering in &interaction.orderings {
        graph.edges[node(ordering.before)].push(node(ordering.after));
    }
    let components = components(&graph.edges);
    let contradicts =
        |ordering: &&GeneralOrdering| components[node(ordering.before)] == components[node(ordering.after)];
    let mut wrong = interaction.orderings.iter().filter(contradicts).peekable();
    if wrong.peek().is_none() {
        // Each of these needs a search of its own, so their number is limited.
        interaction
            .orderings
            .iter()
            .take(MOST_SEARCHES)
            .for_each(|ordering| graph.overtaking(ordering, findings));
    }
    findings.extend(wrong.map(|ordering| contradiction(interaction, ordering)));
}

/// How many orderings are looked at for overtaking.
const MOST_SEARCHES: usize = 200;

fn contradiction(interaction: &Interaction, ordering: &GeneralOrdering) -> Diagnostic {
    let message = |occurrence| match occurrence {
        Occurrence::Send(id) | Occurrence::Receive(id) => &interaction.messages[id],
    };
    let (before, after) = (message(ordering.before), message(ordering.after));
    Diagnostic::new(
        Code::OrderCycle,
        ordering.place.0,
        "this order can never be kept: the diagram draws the opposite",
    )
    .label(before.place.0, "this would have to come first")
    .label(after.place.0, "and this later, but it is drawn to precede the other")
    .hint("remove the ordering or one of the orders that contradict it")
}

/// The node of an occurrence: two per message.
fn node(occurrence: Occurrence) -> usize {
    match occurrence {
        Occurrence::Send(id) => 2 * id.index(),
        Occurrence::Receive(id) => 2 * id.index() + 1,
    }
}

/// The last occurrences so far on each lifeline.
type LastOccurrences = BTreeMap<LifelineId, Vec<usize>>;

struct OrderGraph<'a> {
    interaction: &'a Interaction,
    edges: Vec<Vec<usize>>,
}

impl OrderGraph<'_> {
    /// Adds the order inside a block; `free` is the lifeline whose occurrences a coregion leaves unordered.
    fn block(&mut self, block: &Block, last: &mut LastOccurrences, free: Option<LifelineId>) {
        let before = free.and_then(|lifeline| last.get(&lifeline).cloned());
        let mut unordered = Vec::new();
        for fragment in &block.0 {
            match fragment {
                Fragment::Message(id) => self.message(*id, last, free, before.as_deref(), &mut unordered),
                Fragment::Combined(combined) => self.combined(combined, last),
                Fragment::Stop(_)
                | Fragment::Action(_)
                | Fragment::Invariant(_)
                | Fragment::Use(_)
                | Fragment::Execution(_)
                | Fragment::Note(_)
                | Fragment::Separator(_)
                | Fragment::Numbering(_) => {}
            }
        }
        if let (Some(lifeline), false) = (free, unordered.is_empty()) {
            last.insert(lifeline, unordered);
        }
    }

    fn message(
        &mut self,
        id: MessageId,
        last: &mut LastOccurrences,
        free: Option<LifelineId>,
        before: Option<&[usize]>,
        unordered: &mut Vec<usize>,
    ) {
        let message = &self.interaction.messages[id];
        let (send, receive) = (node(Occurrence::Send(id)), node(Occurrence::Receive(id)));
        self.edges[send].push(receive);
        for (end, at) in [(message.from, send), (message.to, receive)] {
            let Some(lifeline) = end.lifeline() else { continue };
            if free == Some(lifeline) {
                before.unwrap_or_default().iter().for_each(|earlier| self.edges[*earlier].push(at));
                unordered.push(at);
            } else {
                let earlier = last.insert(lifeline, vec![at]).unwrap_or_default();
                earlier.into_iter().for_each(|earlier| self.edges[earlier].push(at));
            }
        }
    }

    fn combined(&mut self, combined: &Combined, last: &mut LastOccurrences) {
        match combined.operator.combination() {
            Combination::Choice { .. }
            | Combination::Parallel
            | Combination::Break
            | Combination::Negation
            | Combination::Complement => {
                self.beside_each_other(combined, last);
            }
            Combination::Unordered(lifeline) => {
                combined.operands.iter().for_each(|operand| self.block(&operand.block, last, Some(lifeline)));
            }
            Combination::StrictSequence => self.strictly(combined, last),
            Combination::Sequence | Combination::Repetition(_) => {
                combined.operands.iter().for_each(|operand| self.block(&operand.block, last, None));
            }
        }
    }

    /// Between two operands stands a node of its own: after everything in the first, before everything in the second.
    fn strictly(&mut self, combined: &Combined, last: &mut LastOccurrences) {
        let mut barrier: Option<usize> = None;
        for operand in &combined.operands {
            let ends = |id| [node(Occurrence::Send(id)), node(Occurrence::Receive(id))];
            let inside: Vec<usize> = operand.block.messages().into_iter().flat_map(ends).collect();
            if let Some(barrier) = barrier {
                self.edges[barrier].extend(&inside);
            }
            self.block(&operand.block, last, None);
            let next = self.edges.len();
            self.edges.push(Vec::new());
            inside.iter().for_each(|at| self.edges[*at].push(next));
            if let Some(barrier) = barrier {
                self.edges[barrier].push(next);
            }
            barrier = Some(next);
        }
    }

    /// Operands that are not ordered among each other: each begins after what precedes the fragment.
    fn beside_each_other(&mut self, combined: &Combined, last: &mut LastOccurrences) {
        let before = last.clone();
        let may_be_skipped = combined.operator.combination() != Combination::Parallel;
        let mut after: LastOccurrences = if may_be_skipped { before.clone() } else { LastOccurrences::new() };
        for operand in &combined.operands {
            let mut inside = before.clone();
            self.block(&operand.block, &mut inside, None);
            for (lifeline, ends) in inside {
                let all = after.entry(lifeline).or_default();
                all.extend(ends.into_iter().filter(|end| !all.contains(end)).collect::<Vec<_>>());
            }
        }
        *last = after;
    }

    fn reaches(&self, from: usize, to: usize) -> bool {
        let mut seen = vec![false; self.edges.len()];
        let mut open = vec![from];
        while let Some(at) = open.pop() {
            if at == to {
                return true;
            }
            if !std::mem::replace(&mut seen[at], true) {
                open.extend(&self.edges[at]);
            }
        }
        false
    }

    /// A general ordering by which the later sent of two messages arrives first.
    fn overtaking(&self, ordering: &GeneralOrdering, findings: &mut Vec<Diagnostic>) {
        let (Occurrence::Receive(first), Occurrence::Receive(second)) = (ordering.before, ordering.after)
        else {
            return;
        };
        let ends = |id| (self.interaction.messages[id].from, self.interaction.messages[id].to);
        let (sent_first, sent_second) = (node(Occurrence::Send(second)), node(Occurrence::Send(first)));
        if ends(first) == ends(second) && self.reaches(sent_first, sent_second) {
            let name = |id: MessageId| &self.interaction.messages[id].name;
            let text = format!("`{}` is sent after `{}` and received before it", name(first), name(second));
            findings.push(
                Diagnostic::new(Code::Overtaking, ordering.place.0, text)
                    .hint("that needs a channel that does not keep the order of messages"),
            );
        }
    }
}
