//! The input of exports for model checkers: a System, the texts of its steps, and the question about it.

use std::collections::{BTreeMap, BTreeSet};

use sequent_kernel::property::table::ObserverTable;
use sequent_kernel::system::{ComponentId, EventId, Join, LabelId, RuleId, Step, System, TermId, VariableId};

/// Names for values of variables: states, messages that wait.
pub type Legend = BTreeMap<VariableId, BTreeMap<i32, String>>;

/// What is written.
#[derive(Clone, Copy)]
pub struct WrittenSubject<'a> {
    /// What it does.
    pub system: &'a System,
    /// What it is called.
    pub title: &'a str,
    /// Names for values.
    pub legend: &'a Legend,
    /// What a step does, in words.
    pub note: &'a dyn Fn(&Step) -> String,
}

/// What is looked for.
#[derive(Clone, Copy, Debug)]
pub enum WantedGoal<'w> {
    /// A state without any step that is no proper end.
    Stuck,
    /// A state in which a predicate holds.
    Goal(TermId),
    /// A run that an observer accepts.
    Observed(&'w ObserverTable),
}

/// Why something is not written: it exceeds what the tool, or a reader, can handle.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Unwritten(pub String);

/// More steps than this are not written.
const MOST_STEPS: usize = 20_000;

/// The steps a system may ever take: each rule that acts, with each choice of others that take what it offers.
pub(super) fn steps(system: &System) -> Result<Vec<Step>, Unwritten> {
    let mut takers: BTreeMap<LabelId, Vec<RuleId>> = BTreeMap::new();
    for (id, rule) in system.rules.enumerate() {
        match rule.join {
            Join::Take(label) => takers.entry(label).or_default().push(id),
            Join::Listen(_) => return Err(Unwritten("somebody listens to it already".to_owned())),
            Join::Alone | Join::Offer(_) => {}
        }
    }
    let mut all = Vec::new();
    for (id, rule) in system.rules.enumerate() {
        let labels: &[LabelId] = match &rule.join {
            Join::Alone => &[],
            Join::Offer(labels) => labels,
            Join::Take(_) | Join::Listen(_) => continue,
        };
        let mut ways = vec![vec![id]];
        for label in labels {
            let mut longer = Vec::new();
            for way in &ways {
                let owners: BTreeSet<ComponentId> =
                    way.iter().map(|rule| system.rules[*rule].component).collect();
                let free = takers.get(label).into_iter().flatten();
                for taker in free.filter(|taker| !owners.contains(&system.rules[**taker].component)) {
                    longer.push(way.iter().copied().chain([*taker]).collect());
                }
                if all.len() + longer.len() > MOST_STEPS {
                    return Err(Unwritten(format!(
                        "more than {MOST_STEPS} different steps are possible in it"
                    )));
                }
            }
            ways = longer;
        }
        all.extend(ways.into_iter().map(Step));
        if all.len() > MOST_STEPS {
            return Err(Unwritten(format!("more than {MOST_STEPS} different steps are possible in it")));
        }
    }
    Ok(all)
}

/// Terms that a question looks at.
pub(super) fn terms(system: &System, wanted: &WantedGoal<'_>) -> Vec<TermId> {
    let mut all = vec![system.complete, system.void];
    match wanted {
        WantedGoal::Stuck => {}
        WantedGoal::Goal(goal) => all.push(*goal),
        WantedGoal::Observed(table) => {
            all.extend([system.invalid, system.inconclusive, system.strained]);
            all.extend(table.predicates());
            all.extend(system.endless.iter().flat_map(|endless| endless.rests.iter().copied()));
        }
    }
    all
}

/// The different lists of events that steps show, the first of which is empty; and for each step the number of its list.
pub(super) fn shows(system: &System, steps: &[Step]) -> (Vec<Vec<EventId>>, Vec<usize>) {
    let mut known: BTreeMap<Vec<EventId>, usize> = BTreeMap::from([(Vec::new(), 0)]);
    let mut shows = vec![Vec::new()];
    let mut numbers = Vec::new();
    for step in steps {
        let list: Vec<EventId> = system.events(step).collect();
        numbers.push(*known.entry(list.clone()).or_insert_with(|| {
            shows.push(list);
            shows.len() - 1
        }));
    }
    (shows, numbers)
}
