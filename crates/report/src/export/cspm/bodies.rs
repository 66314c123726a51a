//! What each object of a system does by itself: its places, and how it goes from one to the other.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use sequent_kernel::system::{
    ComponentId, EventId, Join, LabelId, RuleId, System, TermId, VariableId, VariableRole,
};

use super::super::promela::read;
use super::parties::{OwnRule, PartyDeed, Shares, StepParty};
use super::steps::within;
use super::{Legend, Unwritten};

/// More states of one object than this are not written.
const MOST_PLACES: usize = 2_000;

/// Variables that never change, and their values.
pub(crate) fn still(system: &System) -> BTreeMap<VariableId, i32> {
    let written: BTreeSet<VariableId> =
        system.rules.iter().flat_map(|rule| &rule.updates).map(|(variable, _)| *variable).collect();
    let all = system.variables.enumerate();
    all.filter(|(id, domain)| domain.min == domain.max || !written.contains(id))
        .map(|(id, domain)| (id, domain.initial))
        .collect()
}

/// Variables and their values as terms.
pub(crate) fn values(system: &mut System, known: &BTreeMap<VariableId, i32>) -> HashMap<TermId, TermId> {
    let terms = &mut system.terms;
    known.iter().map(|(id, value)| (terms.variable(*id), terms.constant(*value))).collect()
}

/// The rules of each object under rendezvous; fails if they depend on variables of other objects.
pub(crate) fn own(system: &mut System) -> Result<Shares, Unwritten> {
    let no = |why: &str| Unwritten(why.to_owned());
    let known = still(system);
    let still = values(system, &known);
    let mut all: BTreeMap<StepParty, Vec<OwnRule>> = BTreeMap::new();
    let mut owners: BTreeMap<VariableId, ComponentId> = BTreeMap::new();
    let mut labels: BTreeMap<EventId, LabelId> = BTreeMap::new();
    for (id, rule) in system.rules.clone().enumerate() {
        if rule.urgent {
            return Err(no("something in it is decided at once"));
        }
        let mut parts = vec![system.terms.replace(rule.guard, &still)];
        let mut updates = Vec::new();
        for (variable, term) in &rule.updates {
            let term = system.terms.replace(*term, &still);
            if !known.contains_key(variable) {
                parts.extend(within(system, *variable, term));
                updates.push((*variable, term));
            }
        }
        let guard = system.terms.and(parts);
        // An object without own steps synchronises on the events of others with it, too.
        let own = all.entry(StepParty::Object(rule.component)).or_default();
        if system.terms.as_constant(guard) == Some(0) {
            continue;
        }
        let mut used: BTreeSet<VariableId> = read(system, guard);
        for (variable, term) in &updates {
            used.insert(*variable);
            used.extend(read(system, *term));
        }
        for variable in used {
            let owner = *owners.entry(variable).or_insert(rule.component);
            if owner != rule.component {
                let name = &system.variables[variable].name;
                return Err(Unwritten(format!("several objects have to do with `{name}`")));
            }
        }
        let events = events(system, id, &mut labels)?.into_iter();
        let deeds = events.map(|event| event.map(PartyDeed::Event)).collect();
        own.push(OwnRule { rule: id, guard, updates, deeds });
    }
    Ok(Shares { own: all, ..Shares::default() })
}

/// The events of a rule: under rendezvous, one for each partner.
fn events(
    system: &System,
    id: RuleId,
    labels: &mut BTreeMap<EventId, LabelId>,
) -> Result<Vec<Option<EventId>>, Unwritten> {
    let rule = &system.rules[id];
    let no = |why: &str| Err(Unwritten(why.to_owned()));
    let (label, is_offer) = match &rule.join {
        Join::Alone => return Ok(vec![rule.event]),
        Join::Offer(labels) => match labels.as_slice() {
            [] => return Ok(vec![rule.event]),
            [label] => (*label, true),
            _ => return no("several messages are sent in one step"),
        },
        Join::Take(label) => (*label, false),
        Join::Listen(_) => return no("somebody listens to it already"),
    };
    if rule.event.is_some() {
        return no("several things are seen in one step");
    }
    let others: BTreeSet<ComponentId> = system
        .rules
        .iter()
        .filter(|other| match &other.join {
            Join::Offer(labels) => !is_offer && labels.contains(&label),
            Join::Take(known) => is_offer && *known == label,
            Join::Alone | Join::Listen(_) => false,
        })
        .map(|other| other.component)
        .filter(|other| *other != rule.component)
        .collect();
    let mut events = Vec::new();
    for other in others {
        let ends = if is_offer { (rule.component, other) } else { (other, rule.component) };
        let Some(event) = system.meetings.get(&(label, ends.0, ends.1)).copied() else {
            return no("objects meet and nothing is seen");
        };
        if *labels.entry(event).or_insert(label) != label {
            return no("a message of one name means different things to its receiver");
        }
        events.push(Some(event));
    }
    Ok(events)
}

/// What an object does, place by place.
pub(crate) struct ProcessBody {
    pub party: StepParty,
    /// The variables that tell where it is.
    pub(crate) locating: Vec<VariableId>,
    /// Its other variables.
    pub others: Vec<VariableId>,
    /// Where it may be: the values of the first, beginning with where it begins.
    pub places: Vec<Vec<i32>>,
    pub moves: Vec<BodyMove>,
}

/// Something that an object may do at a place.
pub(crate) struct BodyMove {
    pub rule: RuleId,
    pub from: usize,
    pub to: usize,
    pub deed: Option<PartyDeed>,
    pub guard: TermId,
    pub updates: BTreeMap<VariableId, TermId>,
}

impl ProcessBody {
    pub(crate) fn new(
        system: &mut System,
        legend: &Legend,
        party: StepParty,
        rules: &[OwnRule],
    ) -> Result<Self, Unwritten> {
        let mut used: BTreeSet<VariableId> = BTreeSet::new();
        for rule in rules {
            used.extend(read(system, rule.guard));
            for (variable, term) in &rule.updates {
                used.insert(*variable);
                used.extend(read(system, *term));
            }
        }
        let is_locating = |variable: &VariableId| {
            let role = system.variables[*variable].role;
            legend.contains_key(variable) || matches!(role, VariableRole::Progress | VariableRole::Completion)
        };
        let mut locating: Vec<VariableId> = used.iter().copied().filter(is_locating).collect();
        loop {
            match ProcessBody::explore(system, party, rules, &used, &locating)? {
                Ok(body) => return Ok(body),
                // Where it goes depends on data: the variable is a parameter.
                Err(variable) => locating.retain(|other| *other != variable),
            }
        }
    }

    fn explore(
        system: &mut System,
        party: StepParty,
        rules: &[OwnRule],
        used: &BTreeSet<VariableId>,
        locating: &[VariableId],
    ) -> Result<Result<Self, VariableId>, Unwritten> {
        let others = used.iter().copied().filter(|variable| !locating.contains(variable)).collect();
        let first: Vec<i32> = locating.iter().map(|variable| system.variables[*variable].initial).collect();
        let mut body = ProcessBody {
            party,
            locating: locating.to_vec(),
            others,
            places: vec![first.clone()],
            moves: Vec::new(),
        };
        let mut numbers: BTreeMap<Vec<i32>, usize> = BTreeMap::from([(first, 0)]);
        let mut from = 0;
        while from < body.places.len() {
            let place = body.places[from].clone();
            let here: HashMap<TermId, TermId> = locating
                .iter()
                .zip(&place)
                .map(|(variable, value)| (system.terms.variable(*variable), system.terms.constant(*value)))
                .collect();
            for rule in rules {
                let guard = system.terms.replace(rule.guard, &here);
                if system.terms.as_constant(guard) == Some(0) {
                    continue;
                }
                let mut next = place.clone();
                let mut updates = BTreeMap::new();
                for (variable, term) in &rule.updates {
                    let term = system.terms.replace(*term, &here);
                    match (
                        locating.iter().position(|known| known == variable),
                        system.terms.as_constant(term),
                    ) {
                        (Some(at), Some(value)) => next[at] = value,
                        (Some(_), None) => return Ok(Err(*variable)),
                        (None, _) => _ = updates.insert(*variable, term),
                    }
                }
                let number = numbers.len();
                let to = *numbers.entry(next.clone()).or_insert_with(|| {
                    body.places.push(next);
                    number
                });
                for deed in &rule.deeds {
                    let updates = updates.clone();
                    body.moves.push(BodyMove { rule: rule.rule, from, to, deed: *deed, guard, updates });
                }
            }
            if body.places.len() > MOST_PLACES {
                return Err(Unwritten(format!("an object has more than {MOST_PLACES} states")));
            }
            from += 1;
        }
        Ok(Ok(body))
    }

    pub(crate) fn terms(&self) -> Vec<TermId> {
        let moves = self.moves.iter();
        moves.flat_map(|one| one.updates.values().copied().chain([one.guard])).collect()
    }

    pub(crate) fn has(&self, variable: VariableId) -> bool {
        self.others.contains(&variable)
    }
}
