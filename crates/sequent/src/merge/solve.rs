//! Solves the choices of a draft: which diagrams have choices, what limits each, and the orders that fit.

use num_bigint::BigUint;
use sequent_kernel::model::{Interaction, InteractionId};
use sequent_kernel::verdict::Verdict;
use sequent_report::reason;

use crate::merge::draft::{MergeDraft, Placed, draft};
use crate::merge::explain::{Explanation, Rivals, explain, explain_search, fewest_choices, reasons, rivals};
use crate::merge::machines::{
    Demands, DiagramProblem, FileModel, Fit, OrderSearch, possible, problems, read_sides,
};
use crate::merge::options::{Companions, Environment, Files, Level, MergeOptions};
use crate::merge::order::{Element, MergeGraph, Merges};
use crate::merge::read::decode;
use crate::merge::side::{Interleaving, Side};
use crate::merge::threeway::{Atom, Choice, Chunk, Conflict};

/// The largest graph of choices that nothing limits.
const MOST_FREE: usize = 250_000;

/// The largest graph whose merges are listed if one merge is wanted.
const MOST_LISTED: usize = 10_000;

/// The most memory of a list, in nodes of the graph times changes of side.
const MOST_ROOM: usize = 2_000_000_000;

/// A merge of three versions, with its choices.
pub struct Merge<'a> {
    files: Files<'a>,
    environment: &'a Environment<'a>,
    options: MergeOptions,
    /// The merged file with its choices open.
    pub draft: MergeDraft,
    /// The model of the draft, our additions first.
    model: FileModel,
    /// The diagrams that have choices.
    pub tasks: Vec<Task>,
    /// Notes for the user.
    pub notes: Vec<String>,
}

/// A diagram with choices.
pub struct Task {
    /// The name of the diagram.
    pub name: String,
    diagram: DiagramProblem,
    /// The merges as far as lifelines alone limit them; `None` if there are too many.
    graph: Option<MergeGraph>,
    /// Whether the acceptors read sides instead of messages.
    is_nested: bool,
    /// Whether each merge must still be tried.
    is_tried: bool,
    /// Whether the machines together must be asked.
    is_full: bool,
    /// The index of the diagram in its file.
    ordinal: usize,
}

impl Task {
    fn is_searched(&self) -> bool {
        self.is_tried || self.is_full
    }

    fn is_free(&self) -> bool {
        self.diagram.problem.acceptors.is_empty()
    }
}

/// The merges of a diagram that were found.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct FoundMerges {
    /// Their orders.
    pub orders: Vec<Interleaving>,
    /// Whether these are all.
    pub is_complete: bool,
    /// Why not all are known, where that is so.
    pub doubt: Option<String>,
}

impl<'a> Merge<'a> {
    /// Merges three versions, with choices open.
    pub fn new(files: Files<'a>, environment: &'a Environment<'a>, options: MergeOptions) -> Self {
        let draft = draft(&files, &mut *(environment.loader)(), options.is_distinct);
        let (text, placed) = draft.arranged(&draft.plain_order(Side::Ours), None);
        let has_choices = draft.choices().next().is_some();
        let alone = Environment { companions: &Companions::new(), ..*environment };
        let is_limited = options.level != Level::Order && has_choices;
        let model = FileModel::new(files.name, &text, if is_limited { environment } else { &alone });
        let notes = draft.notes.clone();
        let mut merge = Merge { files, environment, options, draft, model, tasks: Vec::new(), notes };
        let has_machines = is_limited && !merge.model.reading.model.machines.is_empty();
        merge.tasks = merge.plan(&placed, has_machines);
        merge
    }

    fn plan(&mut self, placed: &[Placed], has_machines: bool) -> Vec<Task> {
        let (left_out, is_base_possible) = if has_machines { self.check_base() } else { Default::default() };
        let diagrams = problems(&self.draft, &self.model, placed, has_machines, &left_out);
        diagrams.into_iter().map(|diagram| self.task(diagram, has_machines, &is_base_possible)).collect()
    }

    fn task(&self, mut diagram: DiagramProblem, has_machines: bool, is_base_possible: &[bool]) -> Task {
        let id = diagram.interaction;
        let ordinal = self.model.ordinal(id);
        let is_full = has_machines
            && self.options.level == Level::Full
            && !self.model.machines(id).is_empty()
            && is_base_possible.get(ordinal).copied().unwrap_or(true);
        let is_vague = !diagram.is_exact && !diagram.limits.is_empty();
        let is_nested = is_vague
            && self
                .search(&diagram, ordinal, false)
                .is_some_and(|mut search| read_sides(&mut diagram, &mut search));
        let is_tried = is_vague && !is_nested;
        if is_tried {
            diagram.problem.acceptors = Default::default();
            diagram.problem.for_each_element(Element::clear);
        }
        if self.options.is_whole {
            diagram.problem.join_additions();
        }
        // Without limits all is known, and a large grid would only take time.
        let graph = match diagram.problem.acceptors.is_empty() {
            true => MergeGraph::within(&diagram.problem, MOST_FREE),
            false => MergeGraph::new(&diagram.problem),
        };
        let name = self.model.interaction(id).name.clone();
        Task { name, diagram, graph, is_nested, is_tried, is_full, ordinal }
    }

    /// Checks the base: lifelines that cannot follow their machines before the merge do not limit it; nor do machines that
    /// cannot do together what the base shows. Returns these lifelines, and whether the machines are asked together, by diagram.
    fn check_base(&mut self) -> (Vec<Vec<String>>, Vec<bool>) {
        let (text, _) = decode(self.files.base, std::str::from_utf8(self.files.base).is_ok());
        let mut base = FileModel::new(self.files.name, &text, self.environment);
        let olds: Vec<InteractionId> = base.interactions().collect();
        let (mut left_out, mut is_possible) = (Vec::new(), Vec::new());
        for (number, id) in self.model.interactions().enumerate() {
            let name = &self.model.interaction(id).name;
            let named = olds.iter().find(|old| base.interaction(**old).name == *name);
            let Some(old) = named.or(olds.get(number)).copied() else {
                left_out.push(Vec::new());
                is_possible.push(true);
                continue;
            };
            let machines = base.machines(old);
            let mut skipped = Vec::new();
            for (lifeline, machine) in &machines {
                if let Some(fault) = base.fault(old, *lifeline, *machine) {
                    let who = base.interaction(old).lifelines[*lifeline].name.clone();
                    self.notes.push(format!(
                        "`{who}` cannot receive `{fault}` even before the merge: its state machine is not asked"
                    ));
                    skipped.push(who);
                }
            }
            left_out.push(skipped);
            let is_asked = self.options.level == Level::Full && !machines.is_empty();
            let Environment { settings, effort, .. } = *self.environment;
            let verdict = is_asked.then(|| possible(&mut base, old, settings, effort).0);
            let note = match verdict {
                None | Some(Verdict::Holds(_)) => None,
                Some(Verdict::Fails(_)) => Some(format!(
                    "the state machines cannot do what `{name}` shows even before the merge: they are not asked together"
                )),
                Some(Verdict::Unknown(reason)) => Some(format!(
                    "whether the state machines can do what `{name}` shows is not known even before the merge ({}): they are not asked together",
                    reason::words(&reason)
                )),
            };
            is_possible.push(note.is_none());
            self.notes.extend(note);
        }
        (left_out, is_possible)
    }

    /// Returns the number of merges; `None` if there are too many to count.
    pub fn count(&self) -> Option<BigUint> {
        self.count_beyond(&[])
    }

    /// Returns the number of merges, given that some merges of each diagram were found already.
    pub fn count_beyond(&self, found: &[FoundMerges]) -> Option<BigUint> {
        let tasks = self.tasks.iter().enumerate();
        let mut counts = tasks.map(|(number, task)| self.count_of(task, found.get(number)));
        counts.try_fold(BigUint::from(1_u32), |product, count| Some(product * count?))
    }

    fn count_of(&self, task: &Task, found: Option<&FoundMerges>) -> Option<BigUint> {
        if !task.is_searched() {
            let free = task.is_free().then(|| task.diagram.problem.count_free());
            return free.or_else(|| task.graph.as_ref().map(MergeGraph::count));
        }
        if let Some(found) = found.filter(|found| found.is_complete) {
            return Some(BigUint::from(found.orders.len()));
        }
        let (graph, mut search) = (task.graph.as_ref()?, self.search_of(task)?);
        search.count(&|beginning| graph.ways(beginning), &|beginning| self.spread(task, beginning.to_vec()))
    }

    /// Returns the search for orders of a diagram; `None` if the merged diagram cannot be read.
    fn search(&self, diagram: &DiagramProblem, ordinal: usize, is_full: bool) -> Option<OrderSearch<'_>> {
        let (text, placed) = self.draft.arranged(&self.draft.plain_order(Side::Ours), None);
        let model = FileModel::new(self.files.name, &text, self.environment);
        let id = model.interactions().nth(ordinal)?;
        let lifelines = diagram.limits.iter().map(|limit| limit.lifeline.clone()).collect();
        let demands = Demands { lifelines, is_full };
        Some(OrderSearch::new(model, id, (&placed, &diagram.choices), demands, self.environment))
    }

    fn search_of(&self, task: &Task) -> Option<OrderSearch<'_>> {
        self.search(&task.diagram, task.ordinal, task.is_full)
    }

    /// Returns the first merges of a diagram.
    pub fn merges(&self, task: &Task, most: usize) -> FoundMerges {
        let doubt = |reason: &str| FoundMerges { doubt: Some(reason.to_owned()), ..FoundMerges::default() };
        let first = self.options.first;
        let Some(graph) = &task.graph else {
            if task.is_free() && !task.is_searched() {
                let own = self.choices(task);
                let orders = vec![own.flat_map(|(_, choice)| choice.plain_order(first)).collect()];
                return FoundMerges { orders, ..FoundMerges::default() };
            }
            return doubt("there are too many ways to know them all");
        };
        if task.is_searched() {
            return match self.search_of(task) {
                Some(search) => self.searched(task, graph, search, most),
                None => doubt("the merged diagram cannot be read"),
            };
        }
        let is_large = most == 1 && graph.size() > MOST_LISTED;
        if is_large || graph.size().saturating_mul(task.diagram.problem.length()) > MOST_ROOM {
            let order = graph.first(first).map(|order| self.spread(task, order));
            let is_complete = order.is_none();
            return FoundMerges { orders: order.into_iter().collect(), is_complete, doubt: None };
        }
        let mut merges = Merges::new(graph, first);
        let orders = merges.by_ref().take(most).map(|order| self.spread(task, order)).collect();
        FoundMerges { orders, is_complete: merges.next().is_none(), doubt: None }
    }

    fn searched(
        &self,
        task: &Task,
        graph: &MergeGraph,
        mut search: OrderSearch<'_>,
        most: usize,
    ) -> FoundMerges {
        let mut found = FoundMerges { is_complete: true, ..FoundMerges::default() };
        let mut merges = Merges::new(graph, self.options.first);
        loop {
            let mut is_open = |beginning: &[Side]| search.is_open(&self.spread(task, beginning.to_vec()));
            let Some(order) = merges.next_open(&mut is_open) else { return found };
            let order = self.spread(task, order);
            match search.fit(&order) {
                Fit::Yes if found.orders.len() == most => return FoundMerges { is_complete: false, ..found },
                Fit::Yes => found.orders.push(order),
                Fit::No(_) => {}
                Fit::Unknown(reason) => {
                    found = FoundMerges { is_complete: false, doubt: Some(reason), ..found };
                }
            }
            // If one merge is wanted it does not matter whether there are more.
            if search.is_spent() || (most == 1 && found.orders.len() == 1) {
                return FoundMerges { is_complete: false, ..found };
            }
        }
    }

    fn choices(&self, task: &Task) -> impl Iterator<Item = (usize, &Choice)> {
        self.draft.choices().filter(|(number, _)| task.diagram.choices.contains(number))
    }

    /// Returns an order of single atoms for one of whole additions.
    fn spread(&self, task: &Task, order: Interleaving) -> Interleaving {
        if !self.options.is_whole {
            return order;
        }
        let mut sides = order.into_iter();
        let mut spread = Interleaving::new();
        for (_, choice) in self.choices(task) {
            for side in sides.by_ref().take(2) {
                spread.extend(std::iter::repeat_n(side, choice.sides[side as usize].len()));
            }
        }
        spread
    }

    /// Returns the order of all choices of the file, with those of some diagrams given.
    pub fn whole_order(&self, given: &[(&Task, &Interleaving)]) -> Interleaving {
        let mut rest: Vec<(&Task, &[Side])> =
            given.iter().map(|(task, order)| (*task, order.as_slice())).collect();
        let mut whole = Interleaving::new();
        for (number, choice) in self.draft.choices() {
            let own = rest.iter_mut().find(|(task, order)| {
                task.diagram.choices.contains(&number) && order.len() >= choice.count()
            });
            match own {
                Some((_, order)) => {
                    let (here, later) = order.split_at(choice.count());
                    whole.extend(here);
                    *order = later;
                }
                None => whole.extend(choice.plain_order(self.options.first)),
            }
        }
        whole
    }

    /// Makes conflicts of the fewest choices of a diagram without a merge; returns the order of the others, if any
    /// are left.
    pub fn give_up(&mut self, task: usize, why: &str) -> Option<Interleaving> {
        let Task { diagram, is_nested, .. } = &self.tasks[task];
        let is_plain = !(*is_nested || self.tasks[task].is_searched() || self.options.is_whole);
        if let Some(rivals) = is_plain.then(|| rivals(diagram, &self.model)).flatten() {
            return self.divide(task, &rivals, why);
        }
        let given = match is_plain {
            false => (0..diagram.choices.len()).collect(),
            true => fewest_choices(&diagram.problem),
        };
        let gaps = diagram.problem.gaps();
        let emptied: Vec<usize> = given.iter().map(|number| gaps[*number]).collect();
        let graph = MergeGraph::new(&diagram.problem.emptied(&emptied));
        let rest = graph.and_then(|graph| graph.first(self.options.first));
        let chunks: Vec<usize> = given.iter().map(|number| diagram.choices[*number]).collect();
        for number in &chunks {
            if let Chunk::Choice(choice) = &self.draft.chunks[*number] {
                self.draft.chunks[*number] = conflict(choice.sides.each_ref().map(Vec::as_slice), why);
            }
        }
        let choices = &mut self.tasks[task].diagram.choices;
        choices.retain(|choice| !chunks.contains(choice));
        rest.filter(|_| !choices.is_empty())
    }

    /// Makes a conflict of two additions alone; those before and after them in their gap keep their choice.
    fn divide(&mut self, task: usize, rivals: &Rivals, why: &str) -> Option<Interleaving> {
        let diagram = &self.tasks[task].diagram;
        let gaps = diagram.problem.gaps();
        let number = diagram.choices[gaps.iter().filter(|gap| **gap < rivals.segment).count()];
        let Chunk::Choice(choice) = &self.draft.chunks[number] else { return None };
        let part = |range: fn(&[Atom], usize) -> &[Atom]| {
            [0, 1].map(|side| range(&choice.sides[side], rivals.numbers[side]))
        };
        let open = |sides: [&[Atom]; 2]| Chunk::Choice(Choice { sides: sides.map(<[Atom]>::to_vec) });
        let parts = [
            open(part(|atoms, at| &atoms[..at])),
            conflict(part(|atoms, at| &atoms[at..=at]), why),
            open(part(|atoms, at| &atoms[at + 1..])),
        ];
        self.draft.chunks.splice(number..=number, parts);
        for other in &mut self.tasks {
            other.diagram.choices.iter_mut().filter(|at| **at > number).for_each(|at| *at += 2);
        }
        let own = &mut self.tasks[task].diagram.choices;
        own.push(number + 2);
        own.sort_unstable();
        MergeGraph::new(&rivals.rest).and_then(|graph| graph.first(self.options.first))
    }

    /// Explains why a diagram has no merge, and what would help.
    pub fn explain(&self, task: usize) -> Explanation {
        let task = &self.tasks[task];
        let is_limited = task.graph.as_ref().is_some_and(|graph| !graph.is_possible());
        let searched =
            || self.search_of(task).map(|search| explain_search(search, task.is_full)).unwrap_or_default();
        match (is_limited && !task.is_nested, task.is_full) {
            (true, false) => explain(&task.diagram, &self.model),
            // What helps each lifeline need not help them together.
            (true, true) => {
                Explanation { proposals: searched().proposals, ..reasons(&task.diagram, &self.model) }
            }
            (false, _) => searched(),
        }
    }

    /// Returns the diagram of a task, our additions first.
    pub fn diagram(&self, task: usize) -> &Interaction {
        self.model.interaction(self.tasks[task].diagram.interaction)
    }

    /// Returns the messages of a diagram, as texts, in a merge.
    pub fn messages(&self, task: &Task, order: &Interleaving) -> Vec<String> {
        let text = self.draft.text(&self.whole_order(&[(task, order)]));
        let alone = Environment { companions: &Companions::new(), ..*self.environment };
        let model = FileModel::new(self.files.name, &text, &alone);
        let id = model.interactions().nth(task.ordinal);
        id.map(|id| model.messages(id)).unwrap_or_default()
    }

    /// Returns the messages of all diagrams, as texts, if there is no choice.
    pub fn all_messages(&self) -> Vec<String> {
        self.model.interactions().flat_map(|id| self.model.messages(id)).collect()
    }
}

/// Returns a conflict of additions.
fn conflict(sides: [&[Atom]; 2], why: &str) -> Chunk {
    let text = |atoms: &[Atom]| -> Vec<String> {
        atoms.iter().flat_map(|atom| &atom.0).map(|lines| lines.text.clone()).collect()
    };
    Chunk::Conflict(Conflict { sides: sides.map(text), base: Vec::new(), why: why.to_owned() })
}
