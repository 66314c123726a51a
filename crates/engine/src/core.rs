//! Unsatisfiable cores: which conditions of drawn transitions make the goal of a case unreachable.

use sequent_kernel::question::Names;
use sequent_kernel::source::Span;
use sequent_kernel::system::{ComponentId, VariableId};

use crate::decision::Ground;
use crate::sat::encode::question::EncodedQuestion;
use crate::sat::outcome::{ExclusionReason, UnboundedOutcome};
use crate::sat::prove::reasons::{self, ReasonCondition};
use crate::sat::solver::Patience;
use crate::sat::{bounded::depth, prove::ic3};

/// Conditions that rule something out, and within how many steps.
#[derive(Clone, Default)]
pub struct Core {
    /// `None` for runs of any length.
    pub within: Option<usize>,
    /// One rule for each condition, and the variable it looks at.
    pub conditions: Vec<ReasonCondition>,
}

/// Where nothing is proved, runs of this many steps are looked at.
const FEW: usize = 12;

/// The conditions that rule out that a run gets further than the deepest, or to its end if none is known. That an object
/// finishes what it has begun is not drawn: it is one condition for each.
pub fn core(
    question: &EncodedQuestion<'_>,
    ground: Option<&Ground>,
    deepest: Option<usize>,
    names: &Names,
    patience: Patience<'_>,
) -> Option<Core> {
    let deeper = deepest.and_then(|depth| depth::beyond(question, depth));
    let asked = deeper.as_ref().unwrap_or(question);
    let mut groups: Vec<(CoreKey, ReasonCondition)> = Vec::new();
    let system = asked.encoding.system;
    let mut grouping = |condition: ReasonCondition| {
        let rule = &system.rules[condition.0];
        if !names.machines.contains(&rule.component) {
            return None;
        }
        let drawn = names.is_drawn(rule.place, condition.1).then_some((rule.place.0, condition.1));
        let key = (rule.component, drawn);
        let known = groups.iter().position(|(known, _)| *known == key);
        Some(known.unwrap_or_else(|| {
            groups.push((key, condition));
            groups.len() - 1
        }))
    };
    let (within, core) = match ground {
        Some(Ground::Bounded(most) | Ground::Enough(most)) => {
            (Some(*most), reasons::within(asked, *most, &mut grouping, patience)?)
        }
        Some(Ground::Argument(_) | Ground::Begins(_)) | None => {
            let known = match (ground, &deeper) {
                (Some(Ground::Argument(ExclusionReason::Invariant(clauses))), None) => Some(clauses.clone()),
                (_, _) => match ic3::prove(&asked.encoding, asked.wanted, patience).0 {
                    UnboundedOutcome::Proved(ExclusionReason::Invariant(clauses)) => Some(clauses),
                    UnboundedOutcome::Proved(_) | UnboundedOutcome::Found(..) | UnboundedOutcome::Stopped => {
                        None
                    }
                },
            };
            match known {
                Some(clauses) => {
                    (None, reasons::of_invariant(&asked.encoding, &clauses, &mut grouping, patience)?)
                }
                None => (Some(FEW), reasons::within(asked, FEW, &mut grouping, patience)?),
            }
        }
    };
    let conditions = core.into_iter().map(|group| groups[group].1).collect();
    Some(Core { within, conditions })
}

/// Conditions of one transition of one object that look at the same thing.
type CoreKey = (ComponentId, Option<(Span, Option<VariableId>)>);
