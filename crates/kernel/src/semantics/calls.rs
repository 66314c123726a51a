//! Calls and replies: which reply answers which call, and callers that wait (rule I10).

use std::collections::BTreeMap;

use super::builder::Happenings;
use super::builder::{LoweredPiece, LoweringBuilder};
use crate::model::{
    Block, Combination, Fragment, Interaction, LifelineId, MessageId, MessageSort, Occurrence,
};
use crate::system::{ReasonKind, RuleId, TermId};

impl LoweringBuilder<'_> {
    /// Records which lifeline waits for which reply, with blocking calls (rule I10).
    pub(super) fn note_calls(&mut self, happenings: &Happenings) {
        for (call, reply) in replies(self.current()) {
            let calls = happenings.get(&Occurrence::Send(call)).cloned().unwrap_or_default();
            let answers = happenings.get(&Occurrence::Receive(reply)).cloned().unwrap_or_default();
            let message = &self.current().messages[call];
            let Some(caller) = message.from.lifeline() else { continue };
            let caller = self.line(caller);
            for ((call, _), (answer, _)) in calls.iter().zip(&answers) {
                let over = self.terms.or([answer.done, answer.dead]);
                let open = self.terms.not(over);
                let waiting = self.terms.and([call.done, open]);
                let may_act = self.terms.not(waiting);
                let why = ReasonKind::Call { caller, message: message.name.clone() };
                self.explain(may_act, why, message.place);
                self.waits.entry(caller).or_default().push((answer.rule, may_act));
            }
        }
    }

    /// A lifeline does nothing between its call and the reply, wherever the call is drawn.
    pub(super) fn block_callers(&mut self, piece: &LoweredPiece) {
        for (caller, waits) in std::mem::take(&mut self.waits) {
            let own = piece.occurrences.iter().filter(|(component, ..)| *component == caller);
            let own: Vec<RuleId> = own.map(|(_, _, rule)| *rule).collect();
            self.block_caller(&own, &waits);
        }
    }

    /// Each rule of a caller waits for all its calls, except that the receipt of a reply does not wait for itself.
    fn block_caller(&mut self, own: &[RuleId], waits: &[(RuleId, TermId)]) {
        let yes = self.terms.truth(true);
        let mut earlier = vec![yes];
        for (_, may_act) in waits {
            let so_far = earlier[earlier.len() - 1];
            earlier.push(self.terms.and([so_far, *may_act]));
        }
        let all = earlier[waits.len()];
        let mut others: BTreeMap<RuleId, TermId> = BTreeMap::new();
        let mut later = yes;
        for (index, (answer, may_act)) in waits.iter().enumerate().rev() {
            others.insert(*answer, self.terms.and([earlier[index], later]));
            later = self.terms.and([later, *may_act]);
        }
        for rule in own {
            let condition = others.get(rule).copied().unwrap_or(all);
            self.demand(*rule, condition);
        }
    }
}

/// Whether callers that wait for their replies might form a circle. Where a caller has nothing to do between its call and
/// the reply, and nothing runs beside anything else, they cannot.
pub fn may_circle(interaction: &Interaction) -> bool {
    let mut is_plain = interaction.orderings.is_empty();
    interaction.walk(&mut |fragment, _| is_plain &= runs_alone(fragment));
    !is_plain || has_busy_caller(interaction, &interaction.body)
}

/// Whether a fragment lets nothing happen beside anything else on a lifeline.
fn runs_alone(fragment: &Fragment) -> bool {
    match fragment {
        Fragment::Combined(combined) => match combined.operator.combination() {
            Combination::Sequence => {
                !combined.operator.facts().is_region && combined.operator.types().is_none()
            }
            Combination::StrictSequence
            | Combination::Choice { .. }
            | Combination::Break
            | Combination::Repetition(_)
            | Combination::Negation => true,
            Combination::Parallel | Combination::Unordered(_) | Combination::Complement => false,
        },
        Fragment::Use(_) => false,
        Fragment::Message(_)
        | Fragment::Stop(_)
        | Fragment::Action(_)
        | Fragment::Invariant(_)
        | Fragment::Execution(_)
        | Fragment::Note(_)
        | Fragment::Separator(_)
        | Fragment::Numbering(_) => true,
    }
}

/// Whether some caller has something to do between its call and the reply.
fn has_busy_caller(interaction: &Interaction, block: &Block) -> bool {
    let fragments = block.unframed();
    let positions = fragments.iter().enumerate().filter_map(|(position, fragment)| match fragment {
        Fragment::Message(id) => Some((*id, position)),
        _ => None,
    });
    let positions: BTreeMap<MessageId, usize> = positions.collect();
    let is_busy = |(call, reply): &(MessageId, MessageId)| {
        let Some(caller) = interaction.messages[*call].from.lifeline() else { return false };
        let between = positions[call] + 1..positions[reply];
        fragments[between].iter().any(|fragment| touches(interaction, fragment, caller))
    };
    let inner = fragments.iter().filter_map(|fragment| match fragment {
        Fragment::Combined(combined) => Some(combined),
        _ => None,
    });
    pairs(interaction, block).iter().any(is_busy)
        || inner
            .flat_map(|combined| &combined.operands)
            .any(|operand| has_busy_caller(interaction, &operand.block))
}

/// Whether something happens on a lifeline in a fragment.
fn touches(interaction: &Interaction, fragment: &Fragment, lifeline: LifelineId) -> bool {
    match fragment {
        Fragment::Message(id) => {
            let message = &interaction.messages[*id];
            [message.from, message.to].iter().any(|end| end.lifeline() == Some(lifeline))
        }
        Fragment::Stop(stop) => stop.lifeline == lifeline,
        Fragment::Action(action) => action.lifeline == lifeline,
        Fragment::Combined(combined) => {
            let mut inner = combined.operands.iter().flat_map(|operand| &operand.block.0);
            inner.any(|fragment| touches(interaction, fragment, lifeline))
        }
        Fragment::Use(_) => true,
        Fragment::Invariant(_)
        | Fragment::Execution(_)
        | Fragment::Note(_)
        | Fragment::Separator(_)
        | Fragment::Numbering(_) => false,
    }
}

/// Calls and their replies, matched innermost first within their block (rule I10).
pub(crate) fn replies(interaction: &Interaction) -> Vec<(MessageId, MessageId)> {
    let mut all = pairs(interaction, &interaction.body);
    interaction.walk(&mut |fragment, _| {
        if let Fragment::Combined(combined) = fragment {
            // What stands in a frame that is only drawn belongs to the block around it.
            if combined.is_drawn_only() {
                return;
            }
            all.extend(combined.operands.iter().flat_map(|operand| pairs(interaction, &operand.block)));
        }
    });
    all
}

/// The calls directly in a block that are answered there, with their replies.
fn pairs(interaction: &Interaction, block: &Block) -> Vec<(MessageId, MessageId)> {
    let mut pairs = Vec::new();
    let mut open: Vec<MessageId> = Vec::new();
    for fragment in block.unframed() {
        let Fragment::Message(id) = fragment else { continue };
        let message = &interaction.messages[*id];
        match message.sort {
            MessageSort::Call => open.push(*id),
            MessageSort::Reply => {
                let answers = |call: &MessageId| {
                    let call = &interaction.messages[*call];
                    call.from == message.to && call.to == message.from
                };
                if let Some(index) = open.iter().rposition(answers) {
                    pairs.push((open.remove(index), *id));
                }
            }
            MessageSort::Signal | MessageSort::Create | MessageSort::Delete => {}
        }
    }
    pairs
}
