//! Loops in which a lifeline runs ahead of another: H224 (rule I4).
//!
//! Iterations are joined weakly: a lifeline begins its next round when it is through with its own part of this one. What
//! keeps two lifelines together is a message in each direction, directly or through others. Where in some way of running
//! the body the messages lead from one lifeline to another and never back, the first can be any number of rounds ahead
//! (the communication graph is not strongly connected; Alur, Yannakakis: Model checking of message sequence charts, 1999),
//! and whatever keeps the messages in between has no bound.
//!
//! The ways of running a body are listed as sets of directed edges between lifelines; beyond a small number they are taken
//! together, which can only hide a finding. A caller waits for its call to return, drawn or not, so a call binds both
//! sides; an answer that comes in many parts is drawn dashed, and is no finding; a way that leaves the loop is no
//! round. Loops with an upper bound and strict loops are not looked at.

use std::collections::{BTreeMap, BTreeSet};

use crate::diagnostic::{Code, Diagnostic};
use crate::model::{
    Block, Combination, Combined, Fragment, Interaction, LifelineId, Loop, MessageId, MessageSort, TipShape,
};
use crate::scc::components;

use super::{MOST_FINDINGS, MOST_LABELS, title};

/// More ways of running a body are taken together.
const MOST_WAYS: usize = 64;

pub(super) fn check(interaction: &Interaction, findings: &mut Vec<Diagnostic>) {
    let mut rounds = LoopAhead { interaction, told: BTreeSet::new(), findings: Vec::new() };
    rounds.block(&interaction.body, false);
    findings.extend(rounds.findings.into_iter().take(MOST_FINDINGS));
}

/// The senders and receivers of messages.
type Edges = BTreeSet<(LifelineId, LifelineId)>;

/// The communication edges of each way of running a block; `None` outside of loops, where they are not
/// needed.
type BlockEdges = Option<RunWays>;

struct LoopAhead<'a> {
    interaction: &'a Interaction,
    /// The pairs of lifelines already reported: an inner loop reports them for the outer ones.
    told: Edges,
    findings: Vec<Diagnostic>,
}

impl LoopAhead<'_> {
    /// The ways of running a block, if it is part of a round; judges the loops in it.
    fn block(&mut self, block: &Block, is_asked: bool) -> BlockEdges {
        let mut always = Edges::new();
        let mut ways = is_asked.then(RunWays::nothing);
        for fragment in &block.0 {
            match fragment {
                Fragment::Message(id) if is_asked => self.message(*id, &mut always),
                Fragment::Combined(combined) => {
                    let inside = self.combined(combined, is_asked);
                    ways = ways.zip(inside).map(|(ways, inside)| ways.then(inside));
                }
                Fragment::Use(used) if is_asked => {
                    let next = used.lifelines.iter().cycle().skip(1);
                    always.extend(used.lifelines.iter().copied().zip(next.copied()));
                }
                Fragment::Message(_)
                | Fragment::Use(_)
                | Fragment::Stop(_)
                | Fragment::Action(_)
                | Fragment::Invariant(_)
                | Fragment::Execution(_)
                | Fragment::Note(_)
                | Fragment::Separator(_)
                | Fragment::Numbering(_) => {}
            }
        }
        ways.map(|ways| ways.then(RunWays::one(always)))
    }

    fn message(&self, id: MessageId, edges: &mut Edges) {
        let message = &self.interaction.messages[id];
        let (Some(from), Some(to)) = (message.from.lifeline(), message.to.lifeline()) else { return };
        if from == to {
            return;
        }
        edges.insert((from, to));
        let returns = match message.sort {
            MessageSort::Call | MessageSort::Create => true,
            MessageSort::Signal | MessageSort::Reply | MessageSort::Delete => false,
        };
        if returns || message.arrow.tail.shape != TipShape::None {
            edges.insert((to, from));
        }
    }

    fn combined(&mut self, combined: &Combined, is_asked: bool) -> BlockEdges {
        let is_asked = is_asked || combined.operator.bounds().is_some();
        let inside: Vec<BlockEdges> =
            combined.operands.iter().map(|operand| self.block(&operand.block, is_asked)).collect();
        let inside: Vec<RunWays> = inside.into_iter().collect::<Option<_>>()?;
        Some(match combined.operator.combination() {
            Combination::Choice { .. } if inside.len() > 1 => RunWays::either(inside),
            Combination::Choice { .. } => RunWays::either(inside.into_iter().chain([RunWays::nothing()])),
            Combination::Repetition(bounds) => {
                let rounds = RunWays::either(inside);
                self.judge(combined, bounds, &rounds.ways);
                let may_be_skipped = bounds.min == Some(0);
                if may_be_skipped { RunWays::either([rounds, RunWays::nothing()]) } else { rounds }
            }
            Combination::Break | Combination::Negation | Combination::Complement => RunWays::nothing(),
            Combination::Sequence
            | Combination::StrictSequence
            | Combination::Parallel
            | Combination::Unordered(_) => inside.into_iter().fold(RunWays::nothing(), RunWays::then),
        })
    }

    fn judge(&mut self, combined: &Combined, bounds: Loop, rounds: &[Edges]) {
        if bounds.max.is_some() || bounds.strict {
            return;
        }
        let one_way: Vec<Edges> = rounds.iter().map(one_way).collect();
        let is_new = one_way.iter().flatten().any(|edge| !self.told.contains(edge));
        if !is_new {
            return;
        }
        let first = self.first_messages(combined);
        let mut ahead: Vec<(MessageId, usize)> = Vec::new();
        for (way, edges) in one_way.iter().enumerate() {
            for edge in edges.iter().filter(|edge| !self.told.contains(edge)) {
                let Some(message) = first.get(edge) else { continue };
                if self.interaction.messages[*message].sort != MessageSort::Reply {
                    ahead.push((*message, way));
                }
            }
        }
        ahead.sort_unstable();
        ahead.dedup_by_key(|(message, _)| *message);
        self.told.extend(one_way.iter().flatten());
        if let Some((_, way)) = ahead.first() {
            let is_always = one_way.iter().all(|edges| !edges.is_empty());
            self.findings.push(finding(self.interaction, combined, &ahead, (&rounds[*way], is_always)));
        }
    }

    /// The first message of a fragment from one lifeline to another, for all of them.
    fn first_messages(&self, combined: &Combined) -> BTreeMap<(LifelineId, LifelineId), MessageId> {
        let mut first = BTreeMap::new();
        combined.walk(&mut |fragment, _| match fragment {
            Fragment::Message(id) => {
                let message = &self.interaction.messages[*id];
                if let Some(ends) = message.from.lifeline().zip(message.to.lifeline()) {
                    first.entry(ends).or_insert(*id);
                }
            }
            Fragment::Combined(_)
            | Fragment::Stop(_)
            | Fragment::Action(_)
            | Fragment::Invariant(_)
            | Fragment::Use(_)
            | Fragment::Execution(_)
            | Fragment::Note(_)
            | Fragment::Separator(_)
            | Fragment::Numbering(_) => {}
        });
        first
    }
}

/// All ways of running something.
struct RunWays {
    ways: Vec<Edges>,
    /// Whether there were too many, and one stands for all.
    is_lump: bool,
}

impl RunWays {
    fn one(edges: Edges) -> Self {
        RunWays { ways: vec![edges], is_lump: false }
    }

    fn nothing() -> Self {
        RunWays::one(Edges::new())
    }

    /// Every way of this followed by every way of the other.
    fn then(mut self, mut other: RunWays) -> Self {
        if self.ways.len() < other.ways.len() {
            std::mem::swap(&mut self, &mut other);
        }
        if self.is_lump || other.is_lump || self.ways.len() * other.ways.len() > MOST_WAYS {
            return RunWays::lump([self, other]);
        }
        if let [only] = other.ways.as_slice() {
            self.ways.iter_mut().for_each(|edges| edges.extend(only));
            return self;
        }
        let pairs = self.ways.iter().flat_map(|one| other.ways.iter().map(move |other| one | other));
        RunWays { ways: pairs.collect(), is_lump: false }.few()
    }

    /// Each way of any of these.
    fn either(choices: impl IntoIterator<Item = RunWays>) -> Self {
        let mut all = RunWays { ways: Vec::new(), is_lump: false };
        for one in choices {
            all.is_lump |= one.is_lump;
            all.ways.extend(one.ways);
        }
        all.few()
    }

    fn few(mut self) -> Self {
        self.ways.sort_unstable();
        self.ways.dedup();
        if self.is_lump || self.ways.len() > MOST_WAYS { RunWays::lump([self]) } else { self }
    }

    fn lump(all: impl IntoIterator<Item = RunWays>) -> Self {
        let mut sets: Vec<Edges> = all.into_iter().flat_map(|one| one.ways).collect();
        sets.sort_by_key(BTreeSet::len);
        let mut largest = sets.pop().unwrap_or_default();
        sets.into_iter().for_each(|edges| largest.extend(edges));
        RunWays { ways: vec![largest], is_lump: true }
    }
}

fn finding(
    interaction: &Interaction,
    combined: &Combined,
    ahead: &[(MessageId, usize)],
    (round, is_always): (&Edges, bool),
) -> Diagnostic {
    let name = |lifeline: LifelineId| interaction.lifelines[lifeline].name.as_str();
    let ends = |id: MessageId| {
        let message = &interaction.messages[id];
        message.from.lifeline().zip(message.to.lifeline()).expect("an edge joins two lifelines")
    };
    let first = ahead[0].0;
    let (from, to) = ends(first);
    let message = title(&interaction.messages[first]);
    let text = format!(
        "`{}` may send {message} any number of times before `{}` takes the first: nothing comes back {}",
        name(from),
        name(to),
        if is_always { "in this loop" } else { "in some rounds of this loop" }
    );
    let finding = Diagnostic::new(Code::RunAhead, combined.place.0.at_start(), text)
        .label(interaction.messages[first].place.0, format!("`{}` does not wait here", name(from)));
    let finding = ahead.iter().skip(1).take(MOST_LABELS).fold(finding, |finding, (id, _)| {
        let (from, to) = ends(*id);
        finding.label(
            interaction.messages[*id].place.0,
            format!("here `{}` runs ahead of `{}` too", name(from), name(to)),
        )
    });
    finding.hint(format!(
        "let `{}` answer `{}` in every round, or give the loop an upper bound",
        name(last(round, from, to)),
        name(from)
    ))
}

/// The lifeline at the far end of what follows from one, the receiver if it will do: its answer binds all in between.
fn last(round: &Edges, from: LifelineId, to: LifelineId) -> LifelineId {
    let graph = LifelineGraph::of(round);
    let start = graph.numbers[&from];
    let mut reached = vec![false; graph.edges.len()];
    let mut open = vec![start];
    while let Some(at) = open.pop() {
        if !std::mem::replace(&mut reached[at], true) {
            open.extend(&graph.edges[at]);
        }
    }
    // Components are numbered from the far end.
    let components = components(&graph.edges);
    let ends = graph.numbers.iter().filter(|(_, number)| reached[**number]);
    let far = ends.min_by_key(|(lifeline, number)| (components[**number], **lifeline != to));
    far.map_or(to, |(lifeline, _)| *lifeline)
}

/// Edges between lifelines, numbered for a search.
struct LifelineGraph {
    numbers: BTreeMap<LifelineId, usize>,
    edges: Vec<Vec<usize>>,
}

impl LifelineGraph {
    fn of(round: &Edges) -> Self {
        let lifelines: BTreeSet<LifelineId> = round.iter().flat_map(|(from, to)| [*from, *to]).collect();
        let numbers: BTreeMap<LifelineId, usize> = lifelines.into_iter().zip(0..).collect();
        let mut edges = vec![Vec::new(); numbers.len()];
        round.iter().for_each(|(from, to)| edges[numbers[from]].push(numbers[to]));
        LifelineGraph { numbers, edges }
    }
}

/// The edges from which no way leads back.
fn one_way(round: &Edges) -> Edges {
    let graph = LifelineGraph::of(round);
    let components = components(&graph.edges);
    let component = |lifeline| components[graph.numbers[lifeline]];
    round.iter().filter(|(from, to)| component(from) != component(to)).copied().collect()
}
