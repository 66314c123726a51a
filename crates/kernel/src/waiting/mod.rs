//! Waiting: who waits for whom in a configuration, and why; the explanation of a deadlock.
//!
//! On each lifeline some occurrences are next: nothing on the lifeline itself has to come before them. Those that cannot
//! happen yet wait for rules of other lifelines, found by following the false conditions of guards from rule to rule until
//! another lifeline is met. Lifelines whose waiting never ends and that wait for each other form the circle that explains
//! why a run is stuck (rule I10). All of it is read off the [`System`]; diagrams are not needed.

mod future;
mod needs;

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use crate::system::{ComponentId, Config, EventKind, ReasonKind, RuleId, System};
use needs::RuleNeeds;

/// The waits of a configuration.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Waits {
    /// For each lifeline that has something left to do: its next occurrences that cannot happen now.
    pub lifelines: BTreeMap<ComponentId, Vec<Wait>>,
    /// Next occurrences that can happen now.
    pub ready: BTreeMap<ComponentId, Vec<RuleId>>,
    /// Lifelines that wait for each other forever: each for the next one, the last for the first. The
    /// shortest such cycle.
    pub circle: Option<Vec<Wait>>,
}

/// An occurrence that is next on its lifeline and cannot happen.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Wait {
    /// The lifeline that waits.
    pub component: ComponentId,
    /// The occurrence.
    pub rule: RuleId,
    /// What must happen first, on other lifelines wherever that can be said.
    pub first: Vec<RuleId>,
    /// Reasons besides the drawn order: positions in [`System::reasons`].
    pub because: Vec<usize>,
    /// It will never happen.
    pub forever: bool,
}

/// Explains which lifelines wait for what in a configuration.
pub fn explain(system: &System, config: &Config) -> Waits {
    let needs = RuleNeeds::of(system, config);
    let mut waits = Waits::default();
    for component in needs.lifelines.iter().copied() {
        for rule in next(&needs, component) {
            match needs.enabled.contains(&rule) {
                true => waits.ready.entry(component).or_default().push(rule),
                false => waits.lifelines.entry(component).or_default().push(wait(&needs, rule)),
            }
        }
    }
    waits.circle = circle(&needs, &waits);
    waits
}

impl Wait {
    /// In words: `L1 waits for L2 to send rep1, because L1 waits for the reply to m1`.
    pub fn text(&self, system: &System) -> String {
        let name = quoted(&system.components[self.component]);
        let mut text = match self.first.as_slice() {
            [] => format!("{name} waits {}", to_act(system, self.rule)),
            first => {
                let listed: BTreeSet<String> = first.iter().map(|rule| deed(system, *rule)).collect();
                let more = listed.len().saturating_sub(MOST_LISTED);
                let mut listed: Vec<String> = listed.into_iter().take(MOST_LISTED).collect();
                listed.extend((more > 0).then(|| format!("{more} more")));
                format!("{name} waits for {}", listed.join(" and "))
            }
        };
        for reason in self.because.iter().filter_map(|index| system.reasons.get(*index)) {
            text += &format!(", because {}", told(system, &reason.kind));
        }
        text
    }
}

impl Waits {
    /// The cycle as text, if there is one: `L1 waits for L2 to send rep1, L2 waits for L1 to send rep2`.
    pub fn circle_text(&self, system: &System) -> Option<String> {
        let circle = self.circle.as_ref()?;
        let plain = circle.iter().map(|wait| Wait { because: Vec::new(), ..wait.clone() }.text(system));
        Some(plain.collect::<Vec<_>>().join(", "))
    }
}

/// The most that one lifeline is told to wait for.
const MOST_LISTED: usize = 3;

/// What a rule does, after its owner's name: `L2 to send rep1`.
pub fn deed(system: &System, rule: RuleId) -> String {
    let owner = system.rules[rule].component;
    match is_lifeline(system, owner) {
        true => format!("{} {}", quoted(&system.components[owner]), to_act(system, rule)),
        false => "a choice".to_owned(),
    }
}

/// What a rule does: `to send rep1`.
pub(crate) fn to_act(system: &System, rule: RuleId) -> String {
    let Some(event) = system.rules[rule].event.map(|event| &system.events[event]) else {
        return "to go on".to_owned();
    };
    match event.kind {
        EventKind::Send | EventKind::Rendezvous => format!("to send {}", quoted(&event.message)),
        EventKind::Receive => format!("to receive {}", quoted(&event.message)),
        EventKind::Termination => "to end".to_owned(),
    }
}

/// A name in a sentence: in quotes if it is more than a word.
fn quoted(name: &str) -> String {
    if name.contains(char::is_whitespace) { format!("`{name}`") } else { name.to_owned() }
}

/// Why a lifeline waits, as a clause that follows "because".
fn told(system: &System, reason: &ReasonKind) -> String {
    let name = |component: &ComponentId| quoted(&system.components[*component]);
    match reason {
        ReasonKind::Ordering => "a general ordering puts something else first".to_owned(),
        ReasonKind::Call { caller, message } => {
            format!("{} waits for the reply to {}", name(caller), quoted(message))
        }
        ReasonKind::Region { lifeline, word } => format!("the {word} on {} is not over", name(lifeline)),
    }
}

/// Whether a component acts itself, rather than only deciding for others.
pub fn is_lifeline(system: &System, component: ComponentId) -> bool {
    system.rules.iter().any(|rule| rule.component == component && !rule.urgent)
}

/// Live rules of a lifeline that wait for no other of the same lifeline; of several that wait for each other the first.
fn next(needs: &RuleNeeds, component: ComponentId) -> Vec<RuleId> {
    let rules = &needs.system.rules;
    let own: Vec<RuleId> = needs
        .future
        .live
        .iter()
        .copied()
        .filter(|rule| rules[*rule].component == component && !rules[*rule].urgent)
        .collect();
    let before = |rule: RuleId| -> BTreeSet<RuleId> {
        reach(rule, |rule| {
            let order = needs.order.get(&rule).into_iter().flatten().copied();
            order.filter(|other| rules[*other].component == component).collect()
        })
    };
    // Whoever waits for a rule that is not next, or for one that does not wait for it, is not next. Rules mostly wait for those
    // that are drawn above them, so that one look is enough.
    let mut known: BTreeSet<RuleId> = BTreeSet::new();
    let mut next = Vec::new();
    for rule in own {
        let waits_for_known = || {
            let mut first = needs.order.get(&rule).into_iter().flatten();
            first.any(|other| known.contains(other))
        };
        if known.contains(&rule) || waits_for_known() {
            known.insert(rule);
            continue;
        }
        let all = before(rule);
        let waits_back = |other: &RuleId| rules[*other].urgent || before(*other).contains(&rule);
        if all.iter().all(|other| *other == rule || waits_back(other)) {
            next.extend(all.first().filter(|first| **first == rule));
            known.extend(all);
        }
        known.insert(rule);
    }
    next
}

/// Everything that is reached from a rule, itself included.
fn reach(start: RuleId, next: impl Fn(RuleId) -> Vec<RuleId>) -> BTreeSet<RuleId> {
    let mut reached = BTreeSet::from([start]);
    let mut open = vec![start];
    while let Some(rule) = open.pop() {
        open.extend(next(rule).into_iter().filter(|other| reached.insert(*other)));
    }
    reached
}

fn wait(needs: &RuleNeeds, rule: RuleId) -> Wait {
    let component = needs.system.rules[rule].component;
    let because = needs.reasons[&rule].iter().map(|(reason, _)| *reason).collect();
    let forever = needs.future.stuck.contains(&rule);
    Wait { component, rule, first: first(needs, rule, forever), because, forever }
}

/// The nearest rules of other lifelines that a rule waits for: through rules of its own lifeline and through choices. What
/// will never happen because of something else that will never happen waits for that.
fn first(needs: &RuleNeeds, rule: RuleId, forever: bool) -> Vec<RuleId> {
    let system = needs.system;
    let component = system.rules[rule].component;
    let mut seen = BTreeSet::from([rule]);
    let mut open = vec![rule];
    let mut first = BTreeSet::new();
    while let Some(rule) = open.pop() {
        for other in needs.all(rule).into_iter().filter(|other| seen.insert(*other)) {
            if forever && !needs.future.stuck.contains(&other) {
                continue;
            }
            let owner = system.rules[other].component;
            let is_foreign = owner != component && needs.lifelines.contains(&owner);
            if is_foreign || (owner != component && needs.enabled.contains(&other)) {
                first.insert(other);
            } else {
                open.push(other);
            }
        }
    }
    // If the wait for a choice leads to rules of other lifelines, only these are named.
    let is_of_lifeline = |rule: &RuleId| needs.lifelines.contains(&system.rules[*rule].component);
    if first.iter().any(is_of_lifeline) {
        first.retain(is_of_lifeline);
    }
    if first.is_empty() {
        first.extend(needs.all(rule));
    }
    first.into_iter().collect()
}

/// The shortest cycle of lifelines that wait for each other forever.
fn circle(needs: &RuleNeeds, waits: &Waits) -> Option<Vec<Wait>> {
    let rules = &needs.system.rules;
    let mut edges: BTreeMap<ComponentId, BTreeMap<ComponentId, Wait>> = BTreeMap::new();
    for wait in waits.lifelines.values().flatten().filter(|wait| wait.forever) {
        let mut targets: BTreeMap<ComponentId, Vec<RuleId>> = BTreeMap::new();
        for rule in wait.first.iter().filter(|rule| needs.future.stuck.contains(*rule)) {
            targets.entry(rules[*rule].component).or_default().push(*rule);
        }
        for (target, first) in targets {
            let edge = Wait { first, ..wait.clone() };
            edges.entry(wait.component).or_default().entry(target).or_insert(edge);
        }
    }
    let circles = edges.keys().filter_map(|start| way_back(&edges, *start));
    circles.min_by_key(Vec::len)
}

/// The shortest way from a lifeline back to itself.
fn way_back(
    edges: &BTreeMap<ComponentId, BTreeMap<ComponentId, Wait>>,
    start: ComponentId,
) -> Option<Vec<Wait>> {
    let mut ways: VecDeque<(ComponentId, Vec<Wait>)> = VecDeque::from([(start, Vec::new())]);
    let mut seen = BTreeSet::new();
    while let Some((at, way)) = ways.pop_front() {
        for (target, wait) in edges.get(&at).into_iter().flatten() {
            let way: Vec<Wait> = way.iter().cloned().chain([wait.clone()]).collect();
            if *target == start {
                return Some(way);
            }
            if seen.insert(*target) {
                ways.push_back((*target, way));
            }
        }
    }
    None
}

#[cfg(test)]
mod tests;
