//! Trigger consistency (P4, D14): what the lifelines of a draft can receive, as a problem of orders.
//!
//! Every element of the diagram becomes what the lifelines read in it: a message is read by its receiver, a block as a whole
//! by all it touches. That is exact for what stands directly in the diagram, or in blocks that only put their content in sequence. Where a choice
//! lies inside of another block, or a `break` ends something early, orders are tried one by one instead.

use std::collections::BTreeMap;

use sequent_kernel::id::{Id, IdVec};
use sequent_kernel::model::{
    Block, Fragment, Interaction, InteractionId, LifelineId, MachineId, MessageSort, Operator, VertexId,
};
use sequent_kernel::receive::{Paths, States, Walk};
use sequent_kernel::semantics::event_text;

use super::draft::{Draft, Placed};
use super::order::{Acceptor, Item, Problem, Set, Side, Slot, SymbolId, ThreadId};
use super::piece::Word;
use super::slot;
use super::stage::{Stage, place};

/// The choices of one diagram as a problem.
pub struct Scene {
    /// The diagram in the reading of the draft.
    pub interaction: InteractionId,
    /// The numbers of its slots that are choices.
    pub choices: Vec<usize>,
    /// What is to be solved.
    pub problem: Problem,
    /// The lifelines that limit the order, by thread.
    pub limits: IdVec<ThreadId, Limit>,
    /// Whether the problem says all there is to say.
    pub is_exact: bool,
    /// What the elements are called, slot by slot, for each side of a choice.
    pub names: Vec<[Vec<String>; 2]>,
}

/// A lifeline that limits the order.
pub struct Limit {
    /// Its name.
    pub lifeline: String,
    /// Its machine.
    pub machine: MachineId,
    /// The states of the machine, by their numbers in sets.
    pub states: Vec<VertexId>,
}

/// The scenes of a draft that have choices; `left_out` names lifelines that do not count, by the diagram's number.
pub fn scenes(
    draft: &Draft,
    stage: &Stage,
    placed: &[Placed],
    has_machines: bool,
    left_out: &[Vec<String>],
) -> Vec<Scene> {
    let mut scenes = Vec::new();
    for (number, id) in stage.interactions().enumerate() {
        let span = stage.interaction(id).place.0.range();
        let own: Vec<&Placed> = placed
            .iter()
            .filter(|one| span.start <= one.range.start && one.range.start <= span.end)
            .collect();
        let is_choice = |one: &&&Placed| one.atom.is_some();
        let mut choices: Vec<usize> = own.iter().filter(is_choice).map(|one| one.slot).collect();
        choices.dedup();
        if choices.is_empty() {
            continue;
        }
        let none = Vec::new();
        let skipped = left_out.get(number).unwrap_or(&none);
        scenes.push(Builder::new(draft, stage, id, has_machines, skipped).scene(&own, choices));
    }
    scenes
}

struct Builder<'b> {
    draft: &'b Draft,
    stage: &'b Stage,
    id: InteractionId,
    interaction: &'b Interaction,
    /// What stands directly in the diagram, by where it stands.
    fragments: BTreeMap<u32, Vec<&'b Fragment>>,
    readers: Vec<Reader<'b>>,
    is_exact: bool,
}

/// A lifeline with a machine.
struct Reader<'b> {
    lifeline: LifelineId,
    machine: MachineId,
    paths: Paths<'b>,
    states: Vec<VertexId>,
    moves: IdVec<SymbolId, Vec<Set>>,
    known: BTreeMap<(String, MessageSort, bool), SymbolId>,
}

impl<'b> Builder<'b> {
    fn new(
        draft: &'b Draft,
        stage: &'b Stage,
        id: InteractionId,
        has_machines: bool,
        skipped: &[String],
    ) -> Self {
        let interaction = stage.interaction(id);
        let mut fragments: BTreeMap<u32, Vec<&Fragment>> = BTreeMap::new();
        let mut is_exact = true;
        for fragment in in_sequence(&interaction.body) {
            if let Some(span) = place(interaction, fragment) {
                is_exact &= span.file == stage.file;
                fragments.entry(span.start).or_default().push(fragment);
            }
            if let Fragment::Combined(combined) = fragment {
                is_exact &= combined.operator != Operator::Break;
            }
        }
        let machines = if has_machines { stage.machines(id) } else { BTreeMap::new() };
        let counts = |line: &LifelineId| !skipped.contains(&interaction.lifelines[*line].name);
        let machines = machines.into_iter().filter(|(line, _)| counts(line));
        let reader = |(lifeline, machine): (LifelineId, MachineId)| {
            let paths = Paths::of(&stage.reading.model.machines[machine]);
            let states = paths.anywhere().into_iter().collect();
            Reader { lifeline, machine, paths, states, moves: IdVec::new(), known: BTreeMap::new() }
        };
        let readers = machines.map(reader).collect();
        Builder { draft, stage, id, interaction, fragments, readers, is_exact }
    }

    fn scene(mut self, own: &[&Placed], choices: Vec<usize>) -> Scene {
        let (mut slots, mut names): (Vec<Slot>, Vec<[Vec<String>; 2]>) = (Vec::new(), Vec::new());
        let mut last = None;
        for placed in own {
            let (item, name) = self.item(placed);
            let Some((side, _)) = placed.atom else {
                slots.push(Slot::Fixed(item));
                names.push([name, Vec::new()]);
                continue;
            };
            if last.replace(placed.slot) != Some(placed.slot) {
                slots.push(Slot::Gap { ours: Vec::new(), theirs: Vec::new() });
                names.push([Vec::new(), Vec::new()]);
            }
            if let (Some(Slot::Gap { ours, theirs }), Some(told)) = (slots.last_mut(), names.last_mut()) {
                let atoms = if side == Side::Ours { ours } else { theirs };
                atoms.push(item);
                told[side as usize].push(name.join(" "));
            }
        }
        let mut threads = IdVec::new();
        let mut limits = IdVec::new();
        for reader in self.readers {
            let start = reader.paths.settle(reader.paths.anywhere(), &Default::default());
            threads.push(Acceptor { start: numbers(&reader.states, &start), moves: reader.moves });
            let lifeline = self.interaction.lifelines[reader.lifeline].name.clone();
            limits.push(Limit { lifeline, machine: reader.machine, states: reader.states });
        }
        let problem = Problem { threads, slots };
        Scene { interaction: self.id, choices, problem, limits, is_exact: self.is_exact, names }
    }

    /// What the lifelines read in a part of the text, and what happens there.
    fn item(&mut self, placed: &Placed) -> (Item, Vec<String>) {
        let range = placed.range.start as u32..placed.range.end as u32 + 1;
        let fragments: Vec<&Fragment> =
            self.fragments.range(range).flat_map(|(_, all)| all.iter().copied()).collect();
        if fragments.is_empty() && self.is_event(placed) {
            self.is_exact = false;
        }
        let mut item = Item::new();
        let mut names = Vec::new();
        for fragment in fragments {
            names.extend(self.name(fragment));
            for (number, reader) in self.readers.iter_mut().enumerate() {
                let symbol = reader.symbol(self.stage, self.id, fragment);
                item.extend(symbol.map(|symbol| (ThreadId::from_index(number), symbol)));
            }
        }
        (item, names)
    }

    fn name(&self, fragment: &Fragment) -> Option<String> {
        match fragment {
            Fragment::Message(id) => Some(event_text(self.interaction, &self.interaction.messages[*id])),
            Fragment::Use(used) => Some(format!("ref {}", used.name)),
            Fragment::Combined(combined) => Some(combined.operator.word().to_owned()),
            Fragment::Stop(_)
            | Fragment::Action(_)
            | Fragment::Invariant(_)
            | Fragment::Execution(_)
            | Fragment::Note(_)
            | Fragment::Separator(_)
            | Fragment::Numbering(_) => None,
        }
    }

    /// Whether an atom holds something that happens.
    fn is_event(&self, placed: &Placed) -> bool {
        let Some((side, number)) = placed.atom else { return false };
        let slot::Slot::Choice(choice) = &self.draft.slots[placed.slot] else { return false };
        let atoms = if side == Side::Ours { &choice.ours } else { &choice.theirs };
        let words = atoms.get(number).into_iter().flat_map(|atom| &atom.0).map(|element| element.word);
        words
            .into_iter()
            .any(|word| matches!(word, Word::Message | Word::Return | Word::Reference | Word::Open))
    }
}

impl<'b> Reader<'b> {
    /// What the lifeline reads in a fragment; `None` if it changes nothing.
    fn symbol(&mut self, stage: &'b Stage, id: InteractionId, fragment: &'b Fragment) -> Option<SymbolId> {
        let interaction = stage.interaction(id);
        let key = match fragment {
            Fragment::Message(message) => {
                let message = &interaction.messages[*message];
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
        let row: Vec<Set> = self.states.iter().map(|state| self.after(stage, id, fragment, *state)).collect();
        let symbol = self.moves.push(row);
        if let Some(key) = key {
            self.known.insert(key, symbol);
        }
        Some(symbol)
    }

    fn after(&self, stage: &Stage, id: InteractionId, fragment: &Fragment, state: VertexId) -> Set {
        let model = &stage.reading.model;
        let mut walk = Walk::strict(model, &self.paths, (id, self.lifeline));
        let before = States::from([state]);
        let after = walk.through(std::slice::from_ref(fragment), before);
        numbers(&self.states, &after)
    }
}

/// What happens one after the other: the fragments of a block, those inside of blocks that only put their content in sequence
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
    match operator {
        Operator::Seq
        | Operator::Strict
        | Operator::Critical
        | Operator::Assert
        | Operator::Ignore(_)
        | Operator::Consider(_) => true,
        Operator::Par
        | Operator::Alt
        | Operator::Opt
        | Operator::Break
        | Operator::Loop(_)
        | Operator::Neg
        | Operator::Coregion(_)
        | Operator::Not => false,
    }
}

fn numbers(states: &[VertexId], set: &States) -> Set {
    states.iter().enumerate().filter(|(_, state)| set.contains(state)).map(|(number, _)| number).collect()
}
