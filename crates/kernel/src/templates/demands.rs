//! What occurrences wait for besides what is drawn above them on their lifelines, for languages in which lifelines are processes.
//!
//! | rule | what is demanded |
//! |---|---|
//! | messages | what is sent is received later |
//! | strict sequences, `joined=strictly` | all of what comes first is over |
//! | `critical` beside something else | nothing outside happens while the region is open |
//! | `assert` beside something else | the same, from when what precedes it has happened |
//! | general orderings | the earlier one is over |
//! | `calls=blocking` | no caller waits for a reply |
//! | `first=on` | the occurrence right below a guard has happened |
//! | state invariants | all lifelines that meet there have come |

use std::collections::BTreeMap;

use super::condition::RigidCondition;
use super::tree::{
    LineId, NodeId, OccurrenceId, OperandComposition, OperandOrder, Requirement, TemplateNodeKind,
    TemplateTree,
};

/// Some occurrences wait: from a moment on they do not happen until others are over.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct OccurrenceDemand {
    /// Why they do.
    pub why: Why,
    /// From when on.
    pub from: From,
    /// What must be over.
    pub over: Vec<Requirement>,
    /// What waits.
    pub waiting: Vec<OccurrenceId>,
}

/// A reason to wait.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Why {
    /// What comes first strictly.
    Strict,
    /// Lifelines meet.
    Meeting(NodeId),
    /// A lifeline is in a critical region, or an assertion.
    Region(NodeId, LineId),
    /// A general ordering.
    Ordering,
    /// A caller waits for a reply.
    Call(LineId),
    /// What stands right below a guard is first (rule mu of P0).
    First,
}

/// When waiting begins.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum From {
    /// At once.
    Start,
    /// When one of these has happened.
    Any(Vec<OccurrenceId>),
    /// When all of these are over, if a condition holds.
    All(RigidCondition, Vec<Requirement>),
}

impl TemplateTree {
    /// All that is demanded, but that messages are sent before they are received.
    pub fn demands(&self, is_guarded_first: bool) -> Vec<OccurrenceDemand> {
        let mut demands = self.barriers();
        demands.extend(self.regions());
        demands.extend(self.pairs());
        if is_guarded_first {
            demands.extend(self.guarded_firsts());
        }
        demands.retain(|demand| !demand.over.is_empty() && !demand.waiting.is_empty());
        demands
    }

    fn live(&self) -> impl Iterator<Item = NodeId> {
        self.nodes.ids().filter(|node| self.is_live(*node))
    }

    /// An occurrence that is over whenever it happens at all.
    fn whenever(&self, occurrence: OccurrenceId) -> Requirement {
        Requirement { occurrence, when: self.when(occurrence).clone() }
    }

    /// Strict sequences, fragments that are joined strictly, and meetings.
    fn barriers(&self) -> Vec<OccurrenceDemand> {
        let mut strict: BTreeMap<Vec<Requirement>, Vec<OccurrenceId>> = BTreeMap::new();
        let mut met = Vec::new();
        for node in self.live() {
            match &self.nodes[node].kind {
                TemplateNodeKind::Message(..) | TemplateNodeKind::Stop(_) => {
                    strict.entry(self.barrier(node)).or_default().extend(self.ends(node));
                }
                // An invisible meeting orders nothing that is visible.
                TemplateNodeKind::Meeting(_) if self.actions.contains(&node) => {}
                TemplateNodeKind::Meeting(lines) => {
                    let mut over = self.barrier(node);
                    lines.iter().for_each(|line| over.extend(self.before(node, *line)));
                    let when = &self.nodes[node].when;
                    let over = over.into_iter().map(|one| one.and(when)).filter(|one| !one.when.is_never());
                    let waiting = lines.iter().flat_map(|line| self.behind(node, *line)).collect();
                    met.push(OccurrenceDemand {
                        why: Why::Meeting(node),
                        from: From::Start,
                        over: over.collect(),
                        waiting,
                    });
                }
                TemplateNodeKind::Operand(_) | TemplateNodeKind::Fragment(_) => {}
            }
        }
        let strict = strict.into_iter().map(|(over, waiting)| OccurrenceDemand {
            why: Why::Strict,
            from: From::Start,
            over,
            waiting,
        });
        strict.chain(met).collect()
    }

    /// Critical regions and assertions that stand beside something else.
    fn regions(&self) -> Vec<OccurrenceDemand> {
        let mut found = Vec::new();
        for node in self.live() {
            let Some(fragment) = self.fragment(node).filter(|one| one.shape.is_kept_together()) else {
                continue;
            };
            for line in self.lines.ids() {
                let inside = self.enabled_on(node, line);
                let mut waiting = self.enabled_on(self.root, line);
                waiting.retain(|one| !inside.contains(one) && self.is_beside(*one, node, line));
                if inside.is_empty() || waiting.is_empty() {
                    continue;
                }
                let from = match fragment.shape == OperandComposition::Assert {
                    true => {
                        let mut before = self.before(node, line);
                        before.extend(self.barrier(node));
                        From::All(self.nodes[node].when.clone(), before)
                    }
                    false => From::Any(inside),
                };
                let over = self.end_on(node, line);
                found.push(OccurrenceDemand { why: Why::Region(node, line), from, over, waiting });
            }
        }
        found
    }

    /// General orderings, and callers that wait.
    fn pairs(&self) -> Vec<OccurrenceDemand> {
        let mut found = Vec::new();
        let is_live = |one: OccurrenceId| !self.when(one).is_never();
        for (earlier, later) in
            self.orderings.iter().filter(|(earlier, later)| is_live(*earlier) && is_live(*later))
        {
            found.push(OccurrenceDemand {
                why: Why::Ordering,
                from: From::Start,
                over: vec![self.whenever(*earlier)],
                waiting: vec![*later],
            });
        }
        for (call, answer) in self.calls.iter().filter(|(call, answer)| is_live(*call) && is_live(*answer)) {
            let line = self.occurrences[*call].line;
            let mut waiting = self.enabled_on(self.root, line);
            waiting.retain(|other| other != answer && other != call);
            found.push(OccurrenceDemand {
                why: Why::Call(line),
                from: From::Any(vec![*call]),
                over: vec![self.whenever(*answer)],
                waiting,
            });
        }
        found
    }

    /// What stands right below a guard is first.
    fn guarded_firsts(&self) -> Vec<OccurrenceDemand> {
        let mut found = Vec::new();
        for operand in self.live() {
            let Some(first) = self.first_of(operand) else { continue };
            let mut waiting = self.enabled(operand);
            let over = match &self.nodes[first].kind {
                TemplateNodeKind::Meeting(_) => self.ends_of(&[first]),
                TemplateNodeKind::Message(..)
                | TemplateNodeKind::Stop(_)
                | TemplateNodeKind::Operand(_)
                | TemplateNodeKind::Fragment(_) => {
                    if waiting.is_empty() {
                        continue;
                    }
                    vec![self.whenever(waiting.remove(0))]
                }
            };
            found.push(OccurrenceDemand { why: Why::First, from: From::Start, over, waiting });
        }
        found
    }

    /// Whether nothing orders an occurrence and a fragment on a lifeline, though both may happen.
    fn is_beside(&self, occurrence: OccurrenceId, fragment: NodeId, line: LineId) -> bool {
        let (own, other) = (self.around(self.occurrences[occurrence].node), self.around(fragment));
        let common = own.iter().zip(&other).take_while(|(own, other)| own == other).last();
        let Some((common, _)) = common else { return false };
        let is_coregion = |node: NodeId| {
            self.fragment(node).is_some_and(|fragment| fragment.shape == OperandComposition::Coregion(line))
        };
        match self.fragment(*common).map(|fragment| fragment.shape.order()) {
            Some(OperandOrder::Choice) => false,
            Some(OperandOrder::Beside) => true,
            Some(OperandOrder::Sequence) | None => {
                self.coregion(*common, line).is_some() || is_coregion(*common)
            }
        }
    }

    /// A node and all around it, the outermost first.
    fn around(&self, node: NodeId) -> Vec<NodeId> {
        let mut path: Vec<NodeId> =
            std::iter::successors(Some(node), |one| self.nodes[*one].parent).collect();
        path.reverse();
        path
    }
}
