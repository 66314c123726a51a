//! Solves the choices of a draft: which diagrams have choices, what limits each, and the orders that fit.

use std::ops::Range;

use num_bigint::BigUint;
use sequent_kernel::model::{Interaction, InteractionId};

use crate::merge::draft::{MergeDraft, PlacedChunk, draft, judged_draft};
use crate::merge::explain::{
    Explanation, Obstacle, explain, explain_search, obstacle, pair_cuts, place_cuts, reasons,
};
use crate::merge::machines::{
    Demands, DiagramProblem, FileModel, Fit, OrderSearch, Versions, problems, read_sides,
};
use crate::merge::options::{Companions, ConsistencyLevel, Environment, MergeOptions, VersionFiles};
use crate::merge::order::{Added, Cut, MergeGraph, Merges, OrderElement};
use crate::merge::side::{Interleaving, RevisionSide};
use crate::merge::taken;
use crate::merge::threeway::{Chunk, Conflict, MergeChoice};

/// The largest graph of choices that nothing limits.
const MOST_FREE: usize = 250_000;

/// The largest graph whose merges are listed if one merge is wanted.
const MOST_LISTED: usize = 10_000;

/// The most pairs of additions, and the most sets of places, that are tried as conflicts where orders had to be searched for.
const MOST_TRIED: usize = 60;

/// The most memory of a list, in nodes of the graph times changes of side.
const MOST_ROOM: usize = 2_000_000_000;

/// A merge of three versions, with its choices.
pub struct Merge<'a> {
    files: VersionFiles<'a>,
    environment: &'a Environment<'a>,
    options: MergeOptions,
    /// The merged file with its choices open.
    pub draft: MergeDraft,
    /// The model of the draft, our additions first.
    model: FileModel,
    /// What the machines say about the versions.
    versions: Versions<'a>,
    /// The diagrams that have choices.
    pub tasks: Vec<MergeTask>,
    /// Notes for the user.
    pub notes: Vec<String>,
}

/// A diagram with choices.
pub struct MergeTask {
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

impl MergeTask {
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
    pub fn new(files: VersionFiles<'a>, environment: &'a Environment<'a>, options: MergeOptions) -> Self {
        let mut draft = draft(&files, &mut *(environment.loader)(), options.is_distinct);
        let alone = Environment { companions: &Companions::new(), ..*environment };
        let around = if options.level == ConsistencyLevel::Order { &alone } else { environment };
        let opened = |draft: &MergeDraft| {
            let (text, placed) = draft.arranged(&draft.plain_order(RevisionSide::Ours), None);
            (FileModel::new(files.name, &text, around), placed)
        };
        let (mut model, mut placed) = opened(&draft);
        let has_machines = !model.reading.model.machines.is_empty();
        let versions = Versions::new(
            files,
            environment,
            if has_machines { options.level } else { ConsistencyLevel::Order },
        );
        let mut unfollowed = None;
        if !versions.is_followed(&draft) {
            let mut is_followed = |draft: &MergeDraft| versions.is_followed(draft);
            let mut loader = (environment.loader)();
            draft = judged_draft(&files, &mut *loader, options.is_distinct, &mut is_followed);
            (model, placed) = opened(&draft);
            unfollowed = (!versions.is_followed(&draft))
                .then(|| "the state machines cannot follow the merged diagram".to_owned());
        }
        model.foreign.clone_from(&versions.foreign);
        let doubts = versions.doubts(&model);
        let notes =
            [draft.notes.clone(), versions.notes(), doubts, unfollowed.into_iter().collect()].concat();
        let mut merge =
            Merge { files, environment, options, draft, model, versions, tasks: Vec::new(), notes };
        merge.tasks = merge.plan(&placed);
        merge
    }

    fn plan(&self, placed: &[PlacedChunk]) -> Vec<MergeTask> {
        let left_out = |id: InteractionId| self.versions.left_out(&self.model, id);
        let has_machines = self.versions.has_machines();
        let diagrams = problems(&self.draft, &self.model, placed, has_machines, &left_out);
        diagrams.into_iter().map(|diagram| self.task(diagram)).collect()
    }

    fn task(&self, mut diagram: DiagramProblem) -> MergeTask {
        let id = diagram.interaction;
        let ordinal = self.model.ordinal(id);
        let is_full = self.versions.has_machines()
            && self.versions.is_asked_together(&self.model, id)
            && !self.model.machines(id).is_empty();
        let is_vague = !diagram.is_exact && !diagram.limits.is_empty();
        let is_nested = is_vague
            && self
                .search(&diagram, ordinal, false)
                .is_some_and(|mut search| read_sides(&mut diagram, &mut search));
        let is_tried = is_vague && !is_nested;
        if is_tried {
            diagram.problem.acceptors = Default::default();
            diagram.problem.for_each_element(OrderElement::clear);
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
        MergeTask { name, diagram, graph, is_nested, is_tried, is_full, ordinal }
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

    fn count_of(&self, task: &MergeTask, found: Option<&FoundMerges>) -> Option<BigUint> {
        if !task.is_searched() {
            let free = task.is_free().then(|| task.diagram.problem.count_free());
            return free.or_else(|| task.graph.as_ref().map(MergeGraph::count));
        }
        if let Some(found) = found.filter(|found| found.is_complete) {
            return Some(BigUint::from(found.orders.len()));
        }
        // The lifelines alone allow no merge, whatever the machines do together.
        if task.graph.as_ref().is_some_and(|graph| !graph.is_possible()) {
            return Some(BigUint::ZERO);
        }
        let (graph, mut search) = (task.graph.as_ref()?, self.search_of(task)?);
        search.count(&|beginning| graph.ways(beginning), &|beginning| self.spread(task, beginning.to_vec()))
    }

    /// Returns the search for orders of a diagram; `None` if the merged diagram cannot be read.
    fn search(&self, diagram: &DiagramProblem, ordinal: usize, is_full: bool) -> Option<OrderSearch<'_>> {
        let (text, placed) = self.draft.arranged(&self.draft.plain_order(RevisionSide::Ours), None);
        let model = self.versions.model(&text);
        let id = model.interactions().nth(ordinal)?;
        let lifelines = diagram.limits.iter().map(|limit| limit.lifeline.clone()).collect();
        let demands = Demands { lifelines, is_full };
        Some(OrderSearch::new(model, id, (&placed, &diagram.choices), demands, self.environment))
    }

    fn search_of(&self, task: &MergeTask) -> Option<OrderSearch<'_>> {
        self.search(&task.diagram, task.ordinal, task.is_full)
    }

    /// Returns the first merges of a diagram.
    pub fn merges(&self, task: &MergeTask, most: usize) -> FoundMerges {
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
        task: &MergeTask,
        graph: &MergeGraph,
        mut search: OrderSearch<'_>,
        most: usize,
    ) -> FoundMerges {
        let mut found = FoundMerges { is_complete: true, ..FoundMerges::default() };
        let mut merges = Merges::new(graph, self.options.first);
        loop {
            let mut is_open =
                |beginning: &[RevisionSide]| search.is_open(&self.spread(task, beginning.to_vec()));
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

    fn choices(&self, task: &MergeTask) -> impl Iterator<Item = (usize, &MergeChoice)> {
        self.draft.choices().filter(|(number, _)| task.diagram.choices.contains(number))
    }

    /// Returns an order of single atoms for one of whole additions.
    fn spread(&self, task: &MergeTask, order: Interleaving) -> Interleaving {
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

    /// Whether there is more than one way to put the additions of a diagram in an order, as far as the sides alone tell.
    pub fn has_choice(&self, task: &MergeTask) -> bool {
        self.choices(task).any(|(_, choice)| choice.is_open())
    }

    /// Returns the order of all choices of the file, with those of some diagrams given.
    pub fn whole_order(&self, given: &[(&MergeTask, &Interleaving)]) -> Interleaving {
        let given: Vec<(&[usize], &[RevisionSide])> =
            given.iter().map(|(task, order)| (task.diagram.choices.as_slice(), order.as_slice())).collect();
        whole_order(&self.draft, given, self.options.first)
    }

    /// Makes conflicts of the fewest additions of a diagram without a merge; returns the order of the others, if any
    /// are left.
    pub fn give_up(&mut self, task: usize, why: &str) -> Option<Interleaving> {
        let (cuts, order) = self.obstacle(&self.tasks[task]);
        let divided = self.divided(&cuts, why);
        for task in &mut self.tasks {
            task.diagram.choices = renumbered(&task.diagram.choices, &cuts);
        }
        self.draft = divided;
        order
    }

    /// Returns the parts of choices of a diagram without a merge that must be conflicts, by chunk, and the order of the rest.
    fn obstacle(&self, task: &MergeTask) -> (Vec<Cut>, Option<Interleaving>) {
        let diagram = &task.diagram;
        let is_limited = task.graph.as_ref().is_some_and(|graph| !graph.is_possible());
        if is_limited && !task.is_nested && !self.options.is_whole {
            let Obstacle { mut cuts, order } = obstacle(diagram, &self.model, self.options.first);
            let gaps = diagram.problem.gaps();
            for cut in &mut cuts {
                cut.segment = diagram.choices[gaps.iter().filter(|gap| **gap < cut.segment).count()];
            }
            if !task.is_full || self.is_followed(task, &cuts, order.as_ref()) {
                return (cuts, order);
            }
        }
        let sizes: Vec<(usize, [usize; 2])> = self
            .choices(task)
            .map(|(chunk, choice)| (chunk, choice.sides.each_ref().map(Vec::len)))
            .collect();
        let atoms = |side: RevisionSide| {
            let all = self.choices(task).flat_map(move |(segment, choice)| {
                let own = choice.sides[side as usize].iter().enumerate();
                own.map(move |(number, atom)| (Added { segment, side, number }, atom.is_old))
            });
            all.filter(|(_, is_old)| !is_old).map(|(added, _)| added)
        };
        let pairs = atoms(RevisionSide::Ours)
            .flat_map(|ours| atoms(RevisionSide::Theirs).map(move |theirs| [ours, theirs]));
        let pairs = pairs.take(MOST_TRIED).filter_map(|pair| pair_cuts(&sizes, pair).into_iter().next());
        let all =
            sizes.iter().map(|(segment, sizes)| Cut { segment: *segment, ranges: sizes.map(|size| 0..size) });
        let places = place_cuts(&sizes).into_iter().take(MOST_TRIED);
        let mut tried = pairs.filter(|_| !self.options.is_whole).chain(places);
        let found = tried.find(|cuts| self.is_followed(task, cuts, None));
        (found.unwrap_or_else(|| all.collect()), None)
    }

    /// Whether the machines can follow a diagram with parts of its choices as conflicts, whichever side is taken, and the rest in an order.
    fn is_followed(&self, task: &MergeTask, cuts: &[Cut], order: Option<&Interleaving>) -> bool {
        let draft = self.divided(cuts, "");
        let whole = match order {
            Some(order) => {
                let choices = renumbered(&task.diagram.choices, cuts);
                whole_order(&draft, vec![(choices.as_slice(), order.as_slice())], self.options.first)
            }
            None => draft.plain_order(self.options.first),
        };
        RevisionSide::BOTH.into_iter().all(|side| {
            let text = draft.resolved_for(side).text(&whole);
            self.versions.is_diagram_followed_as(&text, side, task.ordinal)
        })
    }

    /// Adds to the conflicts what the state machines say about taking their sides, with all choices in an order.
    pub fn judge_conflicts(&mut self, order: &[RevisionSide]) {
        if self.versions.has_machines() {
            taken::judge(&mut self.draft, order, self.files.name, self.environment, &self.versions);
        }
    }

    /// Returns the draft with parts of choices as conflicts, given by chunk.
    fn divided(&self, cuts: &[Cut], why: &str) -> MergeDraft {
        let mut draft = self.draft.clone();
        let mut sorted: Vec<&Cut> = cuts.iter().collect();
        sorted.sort_by_key(|cut| std::cmp::Reverse(cut.segment));
        for cut in sorted {
            let Chunk::Choice(choice) = &draft.chunks[cut.segment] else { continue };
            let part = |range: fn(&Range<usize>, usize) -> Range<usize>| {
                let own = |side: RevisionSide| {
                    let atoms = &choice.sides[side as usize];
                    atoms[range(&cut.ranges[side as usize], atoms.len())].to_vec()
                };
                Chunk::Choice(MergeChoice { sides: RevisionSide::BOTH.map(own) })
            };
            let taken = |side: RevisionSide| {
                let [own, others] = [side, side.other()]
                    .map(|side| &choice.sides[side as usize][cut.ranges[side as usize].clone()]);
                let atoms = own.iter().chain(others.iter().filter(|atom| atom.is_old));
                atoms.flat_map(|atom| &atom.lines).map(|lines| lines.text.clone()).collect()
            };
            let conflict =
                Conflict { sides: RevisionSide::BOTH.map(taken), base: Vec::new(), why: why.to_owned() };
            let parts = [
                part(|range, _| 0..range.start),
                Chunk::Conflict(conflict),
                part(|range, length| range.end..length),
            ];
            draft.chunks.splice(cut.segment..=cut.segment, parts);
        }
        draft
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
    pub fn messages(&self, task: &MergeTask, order: &Interleaving) -> Vec<String> {
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

/// Returns the chunks of choices after parts of some became conflicts: the part before a conflict, the conflict and the part after it are a chunk each.
fn renumbered(choices: &[usize], cuts: &[Cut]) -> Vec<usize> {
    let parts = choices.iter().flat_map(|number| {
        let first = number + 2 * cuts.iter().filter(|cut| cut.segment < *number).count();
        let is_cut = cuts.iter().any(|cut| cut.segment == *number);
        [Some(first), is_cut.then_some(first + 2)].into_iter().flatten()
    });
    parts.collect()
}

/// Returns the order of all choices of a draft, with those of some chunks given.
fn whole_order(
    draft: &MergeDraft,
    mut given: Vec<(&[usize], &[RevisionSide])>,
    first: RevisionSide,
) -> Interleaving {
    let mut whole = Interleaving::new();
    for (number, choice) in draft.choices() {
        let own = given
            .iter_mut()
            .find(|(choices, order)| choices.contains(&number) && order.len() >= choice.count());
        match own {
            Some((_, order)) => {
                let (here, later) = order.split_at(choice.count());
                whole.extend(here);
                *order = later;
            }
            None => whole.extend(choice.plain_order(first)),
        }
    }
    whole
}
