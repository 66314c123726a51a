//! Trigger consistency (P4, D14): what the lifelines of a draft can receive, as an order problem.
//!
//! Every part of the diagram becomes the symbols that the lifelines read in it: a message is read by its receiver, a block as a whole
//! by all lifelines in it. That is exact for fragments directly in the diagram, or in blocks that only put their content in sequence. If a choice
//! lies inside of another block, or a `break` ends something early, orders are tried one by one instead.

use std::collections::{BTreeMap, BTreeSet};

use sequent_kernel::id::{Id, IdVec};
use sequent_kernel::model::{
    Block, Combination, Fragment, Interaction, InteractionId, LifelineId, MachineId, MessageSort, Operator,
    VertexId,
};
use sequent_kernel::triggers::{ActiveStates, Paths};

use super::model::{FileModel, event_name, only_receipt, place};
use crate::merge::draft::{MergeDraft, PlacedChunk};
use crate::merge::order::{
    Acceptor, AcceptorId, Added, OrderElement, OrderProblem, Segment, StateSet, SymbolId,
};
use crate::merge::read::Attachment;
use crate::merge::threeway::{Chunk, ChunkAtom};

/// The choices of one diagram as an order problem.
pub(in crate::merge) struct DiagramProblem {
    /// The diagram in the model of the draft.
    pub interaction: InteractionId,
    /// The chunks that are its choices.
    pub choices: Vec<usize>,
    /// The order problem.
    pub problem: OrderProblem,
    /// The lifelines that limit the order.
    pub limits: IdVec<AcceptorId, LifelineLimit>,
    /// Whether the problem describes all limits.
    pub is_exact: bool,
    /// The additions that hold something of the base.
    pub old: BTreeSet<Added>,
    /// The names of the elements, segment by segment, for each side of a choice.
    pub names: Vec<[Vec<String>; 2]>,
}

/// A lifeline that limits the order.
pub(in crate::merge) struct LifelineLimit {
    /// Its name.
    pub lifeline: String,
    /// Its machine.
    pub machine: MachineId,
    /// The states of the machine, by their numbers in state sets.
    pub states: Vec<VertexId>,
    /// The names of the symbols that stand for one message, received once.
    pub triggers: IdVec<SymbolId, Option<String>>,
}

/// Returns the problems of the diagrams of a draft that have choices, or additions and machines; `left_out` names the lifelines of a
/// diagram whose machines are not asked.
pub(in crate::merge) fn problems(
    draft: &MergeDraft,
    model: &FileModel,
    placed: &[PlacedChunk],
    has_machines: bool,
    left_out: &dyn Fn(InteractionId) -> Vec<String>,
) -> Vec<DiagramProblem> {
    let mut problems = Vec::new();
    let open: BTreeSet<usize> =
        draft.choices().filter(|(_, choice)| choice.is_open()).map(|(number, _)| number).collect();
    for id in model.interactions() {
        let span = model.interaction(id).place.0.range();
        let is_own = |one: &&PlacedChunk| span.start <= one.range.start && one.range.start <= span.end;
        let own: Vec<&PlacedChunk> = placed.iter().filter(is_own).collect();
        let mut choices: Vec<usize> =
            own.iter().filter(|one| one.atom.is_some()).map(|one| one.chunk).collect();
        choices.dedup();
        if choices.is_empty() {
            continue;
        }
        let mut machines = if has_machines { model.machines(id) } else { BTreeMap::new() };
        if !machines.is_empty() {
            let skipped = left_out(id);
            machines.retain(|line, _| !skipped.contains(&model.interaction(id).lifelines[*line].name));
        }
        if has_machines || choices.iter().any(|choice| open.contains(choice)) {
            problems.push(ProblemBuilder::new(draft, model, id, machines).problem(&own, choices));
        }
    }
    problems
}

struct ProblemBuilder<'b> {
    draft: &'b MergeDraft,
    model: &'b FileModel,
    id: InteractionId,
    interaction: &'b Interaction,
    /// The fragments in sequence, by their places.
    fragments: BTreeMap<u32, Vec<&'b Fragment>>,
    readers: Vec<LifelineReader<'b>>,
    is_exact: bool,
}

/// A lifeline with a machine.
struct LifelineReader<'b> {
    lifeline: LifelineId,
    machine: MachineId,
    paths: Paths<'b>,
    states: Vec<VertexId>,
    moves: IdVec<SymbolId, Vec<StateSet>>,
    triggers: IdVec<SymbolId, Option<String>>,
    known: BTreeMap<(String, MessageSort, bool), SymbolId>,
}

impl<'b> ProblemBuilder<'b> {
    fn new(
        draft: &'b MergeDraft,
        model: &'b FileModel,
        id: InteractionId,
        machines: BTreeMap<LifelineId, MachineId>,
    ) -> Self {
        let interaction = model.interaction(id);
        let mut fragments: BTreeMap<u32, Vec<&Fragment>> = BTreeMap::new();
        let mut is_exact = true;
        for fragment in in_sequence(&interaction.body) {
            if let Some(span) = place(interaction, fragment) {
                is_exact &= span.file == model.file;
                fragments.entry(span.start).or_default().push(fragment);
            }
            if let Fragment::Combined(combined) = fragment {
                is_exact &= combined.operator.combination() != Combination::Break;
            }
        }
        let reader = |(lifeline, machine): (LifelineId, MachineId)| {
            let paths = Paths::of(&model.reading.model.machines[machine]);
            let states = paths.anywhere().into_iter().collect();
            let (moves, triggers) = (IdVec::new(), IdVec::new());
            LifelineReader { lifeline, machine, paths, states, moves, triggers, known: BTreeMap::new() }
        };
        let readers = machines.into_iter().map(reader).collect();
        ProblemBuilder { draft, model, id, interaction, fragments, readers, is_exact }
    }

    fn problem(mut self, own: &[&PlacedChunk], choices: Vec<usize>) -> DiagramProblem {
        let (mut segments, mut names): (Vec<Segment>, Vec<[Vec<String>; 2]>) = (Vec::new(), Vec::new());
        let mut last = None;
        let mut old = BTreeSet::new();
        for placed in own {
            let (element, name) = self.element(placed);
            let Some((side, _)) = placed.atom else {
                segments.push(Segment::Fixed(element));
                names.push([name, Vec::new()]);
                continue;
            };
            if last.replace(placed.chunk) != Some(placed.chunk) {
                segments.push(Segment::Gap(Default::default()));
                names.push(Default::default());
            }
            let segment = segments.len().saturating_sub(1);
            if let (Some(Segment::Gap(gap)), Some(told)) = (segments.last_mut(), names.last_mut()) {
                let number = gap[side as usize].len();
                old.extend(self.is_old(placed).then_some(Added { segment, side, number }));
                gap[side as usize].push(element);
                told[side as usize].push(name.join(" "));
            }
        }
        let mut acceptors = IdVec::new();
        let mut limits = IdVec::new();
        for reader in self.readers {
            let start = reader.paths.settle(reader.paths.anywhere(), &Default::default());
            acceptors.push(Acceptor { start: numbers(&reader.states, &start), moves: reader.moves });
            let lifeline = self.interaction.lifelines[reader.lifeline].name.clone();
            let LifelineReader { machine, states, triggers, .. } = reader;
            limits.push(LifelineLimit { lifeline, machine, states, triggers });
        }
        let problem = OrderProblem { acceptors, segments };
        DiagramProblem { interaction: self.id, choices, problem, limits, is_exact: self.is_exact, old, names }
    }

    /// Returns what the lifelines read in a part of the text, and the names of its events.
    fn element(&mut self, placed: &PlacedChunk) -> (OrderElement, Vec<String>) {
        let range = placed.range.start as u32..placed.range.end as u32 + 1;
        let fragments: Vec<&Fragment> =
            self.fragments.range(range).flat_map(|(_, all)| all.iter().copied()).collect();
        if fragments.is_empty() && self.is_event(placed) {
            self.is_exact = false;
        }
        let mut element = OrderElement::new();
        let mut names = Vec::new();
        let asked: BTreeSet<LifelineId> = self.readers.iter().map(|reader| reader.lifeline).collect();
        for fragment in fragments {
            names.extend(event_name(self.interaction, fragment, &asked));
            for (number, reader) in self.readers.iter_mut().enumerate() {
                let symbol = reader.symbol(self.model, self.id, fragment);
                element.extend(symbol.map(|symbol| (AcceptorId::from_index(number), symbol)));
            }
        }
        (element, names)
    }

    fn atom(&self, placed: &PlacedChunk) -> Option<&'b ChunkAtom> {
        let (side, number) = placed.atom?;
        let Chunk::Choice(choice) = &self.draft.chunks[placed.chunk] else { return None };
        choice.sides[side as usize].get(number)
    }

    /// Whether an atom holds something of the base.
    fn is_old(&self, placed: &PlacedChunk) -> bool {
        self.atom(placed).is_some_and(|atom| atom.is_old)
    }

    /// Whether an atom holds an event.
    fn is_event(&self, placed: &PlacedChunk) -> bool {
        let atom = self.atom(placed);
        let mut kinds = atom.into_iter().flat_map(|atom| &atom.lines).map(|lines| lines.kind);
        kinds.any(|kind| kind.attachment() == Attachment::Event)
    }
}

impl<'b> LifelineReader<'b> {
    /// Returns the symbol that the lifeline reads in a fragment; `None` if it reads nothing.
    fn symbol(
        &mut self,
        model: &'b FileModel,
        id: InteractionId,
        fragment: &'b Fragment,
    ) -> Option<SymbolId> {
        let key = match fragment {
            Fragment::Message(message) => {
                let message = &model.interaction(id).messages[*message];
                if message.to.lifeline() != Some(self.lifeline) {
                    return None;
                }
                Some((message.name.clone(), message.sort, message.from == message.to))
            }
            Fragment::Combined(_) | Fragment::Use(_) => None,
            Fragment::Stop(_)
            | Fragment::Action(_)
            | Fragment::Invariant(_)
            | Fragment::Execution(_)
            | Fragment::Note(_)
            | Fragment::Separator(_)
            | Fragment::Numbering(_) => return None,
        };
        if let Some(known) = key.as_ref().and_then(|key| self.known.get(key)) {
            return Some(*known);
        }
        let after = |state: &VertexId| {
            let mut walk = model.walk(&self.paths, id, self.lifeline);
            let after = walk.through(std::slice::from_ref(fragment), ActiveStates::from([*state]));
            numbers(&self.states, &after)
        };
        let row: Vec<StateSet> = self.states.iter().map(after).collect();
        let symbol = self.moves.push(row);
        self.triggers.push(only_receipt(model.interaction(id), fragment, self.lifeline));
        self.known.extend(key.map(|key| (key, symbol)));
        Some(symbol)
    }
}

/// Returns the fragments of a block in sequence, those inside of blocks that only put their content in sequence
/// among them.
fn in_sequence(block: &Block) -> Vec<&Fragment> {
    let mut fragments = Vec::new();
    for fragment in &block.0 {
        match fragment {
            Fragment::Combined(combined) if is_sequence(&combined.operator) => {
                fragments.extend(combined.operands.iter().flat_map(|operand| in_sequence(&operand.block)));
            }
            other => fragments.push(other),
        }
    }
    fragments
}

/// Whether what a lifeline receives in a block of this kind is what it receives in the operands, one after the other.
fn is_sequence(operator: &Operator) -> bool {
    matches!(operator.combination(), Combination::Sequence | Combination::StrictSequence)
}

fn numbers(states: &[VertexId], set: &ActiveStates) -> StateSet {
    states.iter().enumerate().filter(|(_, state)| set.contains(state)).map(|(number, _)| number).collect()
}
