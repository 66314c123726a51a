//! Making a merge: the diagrams of a draft that have choices, what limits each, and the orders that fit.

use num_bigint::BigUint;
use sequent_kernel::model::InteractionId;

use super::draft::{self, Draft, Files, Placed};
use super::explain::{self, Explanation, Rivals};
use super::full::{self, Judgement};
use super::order::{self, Graph, Merges, Order, Side};
use super::slot::{self, Choice, Conflict, Slot};
use super::stage::{self, Companions, Stage};
use super::trigger::{self, Scene};
use super::{Around, Level, Wishes, form};

/// More orders than this are not tried one by one.
const MOST_TRIES: usize = 3_000;

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
        merge.notes.extend(merge.draft.renamed.clone());
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
            if self.wishes.is_whole {
                scene.problem.keep_whole();
            }
            let ordinal = stage::ordinal(&self.stage, scene.interaction);
            let is_full = has_machines
                && self.wishes.level == Level::Full
                && !self.stage.machines(scene.interaction).is_empty()
                && is_base_possible.get(ordinal).copied().unwrap_or(true);
            let is_limited = !scene.limits.is_empty();
            let is_tried = !scene.is_exact && is_limited;
            if is_tried {
                scene.problem.threads = Default::default();
            }
            let graph = Graph::new(&scene.problem);
            let name = self.stage.interaction(scene.interaction).name.clone();
            tasks.push(Task { scene, name, graph, is_tried, is_full, ordinal });
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
            let judgement =
                is_asked.then(|| full::judge(&mut base, old, self.around.settings, self.around.effort));
            let is_known = matches!(judgement, None | Some(Judgement::Possible));
            match judgement {
                None | Some(Judgement::Possible) => {}
                Some(Judgement::Impossible { .. }) => self.notes.push(format!(
                    "the state machines cannot do what `{name}` shows even before the merge: they are not asked together"
                )),
                Some(Judgement::Unknown(reason)) => self.notes.push(format!(
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
            return task.graph.as_ref().map(Graph::count);
        }
        if let Some(found) = found.filter(|found| found.is_complete) {
            return Some(BigUint::from(found.orders.len()));
        }
        let found = self.merges(task, usize::MAX);
        found.is_complete.then(|| BigUint::from(found.orders.len()))
    }

    /// The first merges of a diagram.
    pub fn merges(&self, task: &Task, most: usize) -> Found {
        let doubt = |reason: &str| Found { doubt: Some(reason.to_owned()), ..Found::default() };
        let Some(graph) = &task.graph else { return doubt("there are too many ways to know them all") };
        let mut found = Found { is_complete: true, ..Found::default() };
        let mut barred: Vec<Vec<Side>> = Vec::new();
        let mut tries = 0;
        for order in Merges::new(graph, self.wishes.first) {
            if found.orders.len() == most {
                found.is_complete = false;
                break;
            }
            let order = self.spread(task, order);
            if barred.iter().any(|beginning| order.starts_with(beginning)) {
                continue;
            }
            if task.is_tried || task.is_full {
                tries += 1;
                if tries > MOST_TRIES {
                    return Found {
                        is_complete: false,
                        ..found.doubting("too many orders would have to be tried")
                    };
                }
                match self.try_order(task, &order) {
                    Trial::Fits => {}
                    Trial::Fails(beginning) => {
                        barred.push(order[..beginning].to_vec());
                        continue;
                    }
                    Trial::Unknown(reason) => {
                        found.doubt = Some(reason);
                        found.is_complete = false;
                        continue;
                    }
                }
            }
            found.orders.push(order);
        }
        found
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

    fn try_order(&self, task: &Task, order: &Order) -> Trial {
        let (text, placed) = self.draft.arranged(&self.whole_order(&[(task, order)]), None);
        let mut stage = Stage::new(self.files.name, &text, self.around);
        let Some(id) = stage.interactions().nth(task.ordinal) else {
            return Trial::Unknown("the merged diagram cannot be read".to_owned());
        };
        if task.is_tried {
            let asked: Vec<&String> = task.scene.limits.iter().map(|limit| &limit.lifeline).collect();
            let lifelines = stage.interaction(id).lifelines.iter();
            let left_out: Vec<String> =
                lifelines.map(|line| line.name.clone()).filter(|name| !asked.contains(&name)).collect();
            if stage.first_fault(id, &left_out).is_some() {
                return Trial::Fails(order.len());
            }
        }
        if !task.is_full {
            return Trial::Fits;
        }
        match full::judge(&mut stage, id, self.around.settings, self.around.effort) {
            Judgement::Possible => Trial::Fits,
            Judgement::Unknown(reason) => Trial::Unknown(reason),
            Judgement::Impossible { beginning, .. } => {
                let end = full::end_of(&stage, id, beginning);
                let is_before = |one: &&Placed| {
                    one.atom.is_some() && task.scene.choices.contains(&one.slot) && one.range.start < end
                };
                Trial::Fails(placed.iter().filter(is_before).count())
            }
        }
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
        let is_plain = !(self.tasks[task].is_tried || self.tasks[task].is_full || self.wishes.is_whole);
        let scene = &self.tasks[task].scene;
        let rivals = is_plain.then(|| explain::rivals(scene, &self.stage.reading.model)).flatten();
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
            .and_then(|graph| Merges::new(&graph, self.wishes.first).next());
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
        Graph::new(&rivals.rest).and_then(|graph| Merges::new(&graph, self.wishes.first).next())
    }

    /// Why a diagram has no merge, and what would help.
    pub fn explain(&self, task: usize) -> Explanation {
        let task = &self.tasks[task];
        let is_limited = task.graph.as_ref().is_some_and(|graph| !graph.is_possible());
        if is_limited {
            return explain::explain(&task.scene, &self.stage.reading.model);
        }
        let plain = Explanation::default();
        let Some(order) = task.graph.as_ref().and_then(|graph| Merges::new(graph, self.wishes.first).next())
        else {
            return plain;
        };
        let order = self.spread(task, order);
        let (text, _) = self.draft.arranged(&self.whole_order(&[(task, &order)]), None);
        let mut stage = Stage::new(self.files.name, &text, self.around);
        let Some(id) = stage.interactions().nth(task.ordinal) else { return plain };
        let fault = match task.is_tried {
            true => stage.first_fault(id, &[]),
            false => None,
        };
        let fault =
            fault.or_else(|| match full::judge(&mut stage, id, self.around.settings, self.around.effort) {
                Judgement::Impossible { message, .. } if task.is_full => message,
                Judgement::Impossible { .. } | Judgement::Possible | Judgement::Unknown(_) => None,
            });
        let reason = fault.iter().map(|fault| match task.is_full {
            true => format!("each lifeline could receive its messages, but the machines together cannot do `{fault}`, in whatever order"),
            false => format!("`{fault}` cannot be received, in whatever order"),
        });
        Explanation { reasons: reason.collect(), messages: fault.iter().cloned().collect(), ..plain }
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

impl Found {
    fn doubting(self, reason: &str) -> Self {
        Found { doubt: Some(reason.to_owned()), ..self }
    }
}

/// What became of an order that was tried.
enum Trial {
    Fits,
    /// No order that begins with so many of its sides fits.
    Fails(usize),
    Unknown(String),
}
