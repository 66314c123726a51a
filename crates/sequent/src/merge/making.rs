//! Making a merge: the diagrams of a draft that have choices, what limits each, and the orders that fit.

use num_bigint::BigUint;
use sequent_kernel::model::InteractionId;
use sequent_kernel::verdict::Verdict;

use super::arrange::Atoms;
use super::draft::{self, Draft, Files, Placed};
use super::explain::{self, Explanation, Rivals};
use super::nested;
use super::order::{self, Graph, Merges, Order, Side};
use super::repair;
use super::search::{Demands, Fit, Search};
use super::slot::{self, Choice, Conflict, Slot};
use super::stage::{self, Companions, Stage};
use super::trigger::{self, Scene};
use super::{Around, Level, Wishes, form, full};

/// Of choices that nothing limits no larger graph is made.
const MOST_FREE: usize = 250_000;

/// Of larger graphs whoever wants one merge gets one, and no list is begun.
const MOST_LISTED: usize = 10_000;

/// Lists are not made where they would need more room, in nodes of a graph by changes of side.
const MOST_ROOM: usize = 2_000_000_000;

/// A merge with its choices, ready to be made.
pub struct Merge<'a> {
    files: Files<'a>,
    around: &'a Around<'a>,
    wishes: Wishes,
    /// What was woven.
    pub draft: Draft,
    /// The draft with our additions first, read.
    pub stage: Stage,
    /// The diagrams that have choices.
    pub tasks: Vec<Task>,
    /// What should be known besides.
    pub notes: Vec<String>,
}

/// A diagram with choices.
pub struct Task {
    /// What is to be solved.
    pub scene: Scene,
    /// What the diagram is called.
    pub name: String,
    /// The merges as far as lifelines alone limit them; `None` if there are too many to know.
    graph: Option<Graph>,
    /// Whether lifelines have said themselves which orders they accept.
    is_nested: bool,
    /// Whether each merge must still be tried.
    is_tried: bool,
    /// Whether the machines together must be asked.
    is_full: bool,
    /// The number of the diagram in its file.
    ordinal: usize,
}

/// The merges of a diagram, as far as they were looked for.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Found {
    /// They.
    pub orders: Vec<Order>,
    /// Whether these are all.
    pub is_complete: bool,
    /// Why not all are known, where that is so.
    pub doubt: Option<String>,
}

impl<'a> Merge<'a> {
    /// Prepares a merge.
    pub fn new(files: Files<'a>, around: &'a Around<'a>, wishes: Wishes) -> Self {
        let draft = draft::draft(&files, &mut *(around.loader)(), wishes.is_distinct);
        let (text, placed) = draft.arranged(&draft.plain_order(Side::Ours), None);
        // Where nothing is left to choose nobody is asked.
        let is_asked = wishes.level != Level::Order && draft.choices().next().is_some();
        let alone = Around { companions: &Companions::new(), ..*around };
        let stage = Stage::new(files.name, &text, if is_asked { around } else { &alone });
        let mut merge = Merge { files, around, wishes, draft, stage, tasks: Vec::new(), notes: Vec::new() };
        merge.notes.extend(merge.draft.notes.clone());
        merge.tasks = merge.plan(&placed);
        merge
    }

    fn plan(&mut self, placed: &[Placed]) -> Vec<Task> {
        let has_choices = self.draft.choices().next().is_some();
        let has_machines = self.wishes.level != Level::Order && !self.stage.reading.model.machines.is_empty();
        let (left_out, is_base_possible) = match has_choices && has_machines {
            true => self.look_at_base(),
            false => (Vec::new(), Vec::new()),
        };
        let scenes = trigger::scenes(&self.draft, &self.stage, placed, has_machines, &left_out);
        let mut tasks = Vec::new();
        for mut scene in scenes {
            let ordinal = stage::ordinal(&self.stage, scene.interaction);
            let is_full = has_machines
                && self.wishes.level == Level::Full
                && !self.stage.machines(scene.interaction).is_empty()
                && is_base_possible.get(ordinal).copied().unwrap_or(true);
            let is_limited = !scene.limits.is_empty();
            let is_vague = !scene.is_exact && is_limited;
            let is_nested = is_vague
                && self
                    .search(&scene, ordinal, false)
                    .is_some_and(|mut search| nested::spell_out(&mut scene, &mut search));
            let is_tried = is_vague && !is_nested;
            if is_tried {
                scene.problem.threads = Default::default();
                scene.problem.forget();
            }
            if self.wishes.is_whole {
                scene.problem.keep_whole();
            }
            // Without limits all is known, and a large grid would only take time.
            let is_free = scene.problem.threads.is_empty();
            let graph = match is_free {
                true => Graph::within(&scene.problem, MOST_FREE),
                false => Graph::new(&scene.problem),
            };
            let name = self.stage.interaction(scene.interaction).name.clone();
            tasks.push(Task { scene, name, graph, is_nested, is_tried, is_full, ordinal });
        }
        tasks
    }

    /// Lifelines that cannot follow their machines before anything is merged do not limit it; nor do machines that
    /// cannot do together what the common ancestor shows.
    fn look_at_base(&mut self) -> (Vec<Vec<String>>, Vec<bool>) {
        let (text, _) = form::strip(self.files.base, std::str::from_utf8(self.files.base).is_ok());
        let mut base = Stage::new(self.files.name, &text, self.around);
        let olds: Vec<InteractionId> = base.interactions().collect();
        let (mut left_out, mut is_possible) = (Vec::new(), Vec::new());
        for (number, id) in self.stage.interactions().enumerate() {
            let name = &self.stage.interaction(id).name;
            let named = olds.iter().find(|old| base.interaction(**old).name == *name);
            let Some(old) = named.or(olds.get(number)).copied() else {
                left_out.push(Vec::new());
                is_possible.push(true);
                continue;
            };
            let mut skipped = Vec::new();
            for (lifeline, machine) in base.machines(old) {
                if let Some(fault) = base.fault(old, lifeline, machine) {
                    let who = base.interaction(old).lifelines[lifeline].name.clone();
                    self.notes.push(format!(
                        "`{who}` cannot receive `{fault}` even before the merge: its state machine is not asked"
                    ));
                    skipped.push(who);
                }
            }
            left_out.push(skipped);
            let is_asked = self.wishes.level == Level::Full && !base.machines(old).is_empty();
            let verdict =
                is_asked.then(|| full::possible(&mut base, old, self.around.settings, self.around.effort).0);
            let is_known = matches!(verdict, None | Some(Verdict::Holds(_)));
            match verdict {
                None | Some(Verdict::Holds(_)) => {}
                Some(Verdict::Fails(_)) => self.notes.push(format!(
                    "the state machines cannot do what `{name}` shows even before the merge: they are not asked together"
                )),
                Some(Verdict::Unknown(reason)) => self.notes.push(format!(
                    "whether the state machines can do what `{name}` shows is not known even before the merge ({reason}): they are not asked together"
                )),
            }
            is_possible.push(is_known);
        }
        (left_out, is_possible)
    }

    /// How many ways there are to merge; `None` if there are too many to find out.
    pub fn count(&self) -> Option<BigUint> {
        self.count_beyond(&[])
    }

    /// The same where some merges of each diagram were found already.
    pub fn count_beyond(&self, found: &[Found]) -> Option<BigUint> {
        let tasks = self.tasks.iter().enumerate();
        let counts = tasks.map(|(number, task)| self.count_of(task, found.get(number)));
        counts.into_iter().try_fold(BigUint::from(1_u32), |product, count| Some(product * count?))
    }

    fn count_of(&self, task: &Task, found: Option<&Found>) -> Option<BigUint> {
        if !task.is_tried && !task.is_full {
            return match task.scene.problem.threads.is_empty() {
                true => Some(task.scene.problem.count_free()),
                false => task.graph.as_ref().map(Graph::count),
            };
        }
        if let Some(found) = found.filter(|found| found.is_complete) {
            return Some(BigUint::from(found.orders.len()));
        }
        let (graph, mut search) =
            (task.graph.as_ref()?, self.search(&task.scene, task.ordinal, task.is_full)?);
        search.count(&|beginning| graph.ways(beginning), &|beginning| self.spread(task, beginning.to_vec()))
    }

    /// What tells for a diagram which orders fit; `None` if the merged diagram cannot be read.
    fn search(&self, scene: &Scene, ordinal: usize, is_full: bool) -> Option<Search<'_>> {
        let (text, placed) = self.draft.arranged(&self.draft.plain_order(Side::Ours), None);
        let stage = Stage::new(self.files.name, &text, self.around);
        let id = stage.interactions().nth(ordinal)?;
        let atoms = Atoms::new(stage.file, &placed, &scene.choices);
        let lifelines = scene.limits.iter().map(|limit| limit.lifeline.clone()).collect();
        let demands = Demands { lifelines, is_full };
        Some(Search::new(stage, id, atoms, demands, self.around.settings, self.around.effort))
    }

    /// The first merges of a diagram.
    pub fn merges(&self, task: &Task, most: usize) -> Found {
        let doubt = |reason: &str| Found { doubt: Some(reason.to_owned()), ..Found::default() };
        let is_searched = task.is_tried || task.is_full;
        let Some(graph) = &task.graph else {
            if task.scene.problem.threads.is_empty() && !is_searched {
                return Found { orders: vec![self.plain(task)], ..Found::default() };
            }
            return doubt("there are too many ways to know them all");
        };
        let is_large = most == 1 && graph.len() > MOST_LISTED;
        if !is_searched && (is_large || graph.len().saturating_mul(task.scene.problem.length()) > MOST_ROOM) {
            let first = graph.first(self.wishes.first).map(|order| self.spread(task, order));
            let is_complete = first.is_none();
            return Found { orders: first.into_iter().collect(), is_complete, doubt: None };
        }
        if !is_searched {
            let mut orders = Merges::new(graph, self.wishes.first);
            let first = orders.by_ref().take(most).map(|order| self.spread(task, order)).collect();
            return Found { orders: first, is_complete: orders.next().is_none(), doubt: None };
        }
        match self.search(&task.scene, task.ordinal, task.is_full) {
            Some(search) => self.searched(task, graph, search, most),
            None => doubt("the merged diagram cannot be read"),
        }
    }

    /// One side after the other in each choice.
    fn plain(&self, task: &Task) -> Order {
        let own = self.draft.choices().filter(|(number, _)| task.scene.choices.contains(number));
        let sides = [self.wishes.first, self.wishes.first.other()];
        own.flat_map(|(_, choice)| {
            let count = |side: Side| if side == Side::Ours { choice.ours.len() } else { choice.theirs.len() };
            sides.into_iter().flat_map(move |side| vec![side; count(side)])
        })
        .collect()
    }

    fn searched(&self, task: &Task, graph: &Graph, mut search: Search<'_>, most: usize) -> Found {
        let mut found = Found { is_complete: true, ..Found::default() };
        let mut orders = Merges::new(graph, self.wishes.first);
        loop {
            let mut is_open = |beginning: &[Side]| search.is_open(&self.spread(task, beginning.to_vec()));
            let Some(order) = orders.next_open(&mut is_open) else { return found };
            let order = self.spread(task, order);
            match search.fit(&order) {
                Fit::Yes if found.orders.len() == most => return Found { is_complete: false, ..found },
                Fit::Yes => found.orders.push(order),
                Fit::No(_) => {}
                Fit::Unknown(reason) => {
                    found = Found { is_complete: false, doubt: Some(reason), ..found };
                }
            }
            // Whoever wants one merge does not care whether there are more.
            if search.is_spent() || (most == 1 && found.orders.len() == 1) {
                return Found { is_complete: false, ..found };
            }
        }
    }

    /// An order of single elements for one of whole additions.
    fn spread(&self, task: &Task, order: Order) -> Order {
        if !self.wishes.is_whole {
            return order;
        }
        let mut sides = order.into_iter();
        let mut spread = Order::new();
        for (number, choice) in self.draft.choices() {
            if task.scene.choices.contains(&number) {
                for side in sides.by_ref().take(2) {
                    let count = if side == Side::Ours { choice.ours.len() } else { choice.theirs.len() };
                    spread.extend(std::iter::repeat_n(side, count));
                }
            }
        }
        spread
    }

    /// The order of all choices of the file, with those of some diagrams given.
    pub fn whole_order(&self, given: &[(&Task, &Order)]) -> Order {
        let mut rest: Vec<(&Task, &[Side])> =
            given.iter().map(|(task, order)| (*task, order.as_slice())).collect();
        let mut whole = Order::new();
        for (number, choice) in self.draft.choices() {
            let own = rest
                .iter_mut()
                .find(|(task, order)| task.scene.choices.contains(&number) && order.len() >= choice.len());
            match own {
                Some((_, order)) => {
                    let (here, later) = order.split_at(choice.len());
                    whole.extend(here);
                    *order = later;
                }
                None => {
                    let count =
                        |side: Side| if side == Side::Ours { choice.ours.len() } else { choice.theirs.len() };
                    let sides = [self.wishes.first, self.wishes.first.other()];
                    whole.extend(sides.into_iter().flat_map(|side| vec![side; count(side)]));
                }
            }
        }
        whole
    }

    /// Makes conflicts of the fewest choices of a diagram for which there is no order; the order of the others, if any
    /// are left.
    pub fn give_up(&mut self, task: usize, why: &str) -> Option<Order> {
        let own = &self.tasks[task];
        let is_plain = !(own.is_nested || own.is_tried || own.is_full || self.wishes.is_whole);
        let scene = &self.tasks[task].scene;
        let rivals = is_plain.then(|| explain::rivals(scene, &self.stage)).flatten();
        if let Some(rivals) = rivals {
            return self.divide(task, &rivals, why);
        }
        let given = match is_plain {
            false => (0..scene.choices.len()).collect(),
            true => explain::smallest(scene),
        };
        let gaps: Vec<usize> = (0..scene.problem.slots.len())
            .filter(|slot| matches!(scene.problem.slots[*slot], order::Slot::Gap { .. }))
            .collect();
        let emptied: Vec<usize> = given.iter().map(|number| gaps[*number]).collect();
        let rest = Graph::new(&explain::emptied(&scene.problem, &emptied))
            .and_then(|graph| graph.first(self.wishes.first));
        let slots: Vec<usize> = given.iter().map(|number| scene.choices[*number]).collect();
        for number in &slots {
            let Slot::Choice(choice) = &self.draft.slots[*number] else { continue };
            let text = |atoms: &[slot::Atom]| -> Vec<String> {
                atoms.iter().flat_map(|atom| &atom.0).map(|element| element.text.clone()).collect()
            };
            let (ours, theirs) = (text(&choice.ours), text(&choice.theirs));
            let conflict = Conflict { ours, base: Vec::new(), theirs, why: why.to_owned() };
            self.draft.slots[*number] = Slot::Conflict(conflict);
        }
        self.tasks[task].scene.choices.retain(|choice| !slots.contains(choice));
        rest.filter(|_| !self.tasks[task].scene.choices.is_empty())
    }

    /// Makes a conflict of two additions alone; what stands before and after them in their gap keeps its choice.
    fn divide(&mut self, task: usize, rivals: &Rivals, why: &str) -> Option<Order> {
        let scene = &self.tasks[task].scene;
        let gaps =
            (0..rivals.slot).filter(|slot| matches!(scene.problem.slots[*slot], order::Slot::Gap { .. }));
        let slot = scene.choices[gaps.count()];
        let Slot::Choice(choice) = self.draft.slots[slot].clone() else { return None };
        let text = |atom: &slot::Atom| atom.0.iter().map(|element| element.text.clone()).collect();
        let conflict = Conflict {
            ours: text(&choice.ours[rivals.ours]),
            base: Vec::new(),
            theirs: text(&choice.theirs[rivals.theirs]),
            why: why.to_owned(),
        };
        let part = |ours: &[slot::Atom], theirs: &[slot::Atom]| {
            Slot::Choice(Choice { ours: ours.to_vec(), theirs: theirs.to_vec() })
        };
        let parts = [
            part(&choice.ours[..rivals.ours], &choice.theirs[..rivals.theirs]),
            Slot::Conflict(conflict),
            part(&choice.ours[rivals.ours + 1..], &choice.theirs[rivals.theirs + 1..]),
        ];
        self.draft.slots.splice(slot..=slot, parts);
        for other in &mut self.tasks {
            other.scene.choices.iter_mut().filter(|number| **number > slot).for_each(|number| *number += 2);
        }
        let own = &mut self.tasks[task].scene.choices;
        own.push(slot + 2);
        own.sort_unstable();
        Graph::new(&rivals.rest).and_then(|graph| graph.first(self.wishes.first))
    }

    /// Why a diagram has no merge, and what would help.
    pub fn explain(&self, task: usize) -> Explanation {
        let task = &self.tasks[task];
        let is_limited = task.graph.as_ref().is_some_and(|graph| !graph.is_possible());
        let searched = || match self.search(&task.scene, task.ordinal, task.is_full) {
            Some(search) => repair::explain(search, task.is_full),
            None => Explanation::default(),
        };
        match (is_limited && !task.is_nested, task.is_full) {
            (true, false) => explain::explain(&task.scene, &self.stage),
            // What helps each lifeline need not help them together.
            (true, true) => {
                Explanation { proposals: searched().proposals, ..explain::reasons(&task.scene, &self.stage) }
            }
            (false, _) => searched(),
        }
    }

    /// The messages of a diagram, as texts, if it is merged in this order.
    pub fn messages(&self, task: &Task, order: &Order) -> Vec<String> {
        let (text, _) = self.draft.arranged(&self.whole_order(&[(task, order)]), None);
        let alone = Around { companions: &Companions::new(), ..*self.around };
        let stage = Stage::new(self.files.name, &text, &alone);
        let id = stage.interactions().nth(task.ordinal);
        id.map(|id| stage.messages(id)).unwrap_or_default()
    }
}

impl Merge<'_> {
    /// The messages of all diagrams, as texts, where nothing is left to choose.
    pub fn all_messages(&self) -> Vec<String> {
        self.stage.interactions().flat_map(|id| self.stage.messages(id)).collect()
    }
}
