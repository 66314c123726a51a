//! Systems to be searched: regular ones of any size, and random ones.

use sequent_kernel::formula::{Binary, Unary};
use sequent_kernel::id::{Id, IdVec};
use sequent_kernel::property::ltl::{BoundFormula, BoundPart, Moments, PartId, Says};
use sequent_kernel::random::Random;
use sequent_kernel::source::{FileId, Span};
use sequent_kernel::system::{
    ComponentId, Event, EventId, Join, LabelId, Rule, System, TermId, Terms, Variable, VariableId,
};

/// A system, and states that may be looked for in it.
pub(crate) struct Subject {
    pub name: String,
    pub system: System,
    pub goals: Vec<TermId>,
}

fn rule(component: usize, guard: TermId, updates: Vec<(VariableId, TermId)>) -> Rule {
    Rule {
        component: ComponentId::from_index(component),
        guard,
        event: None,
        updates,
        join: Join::Alone,
        urgent: false,
        place: Span::new(FileId::from_index(0), 0, 0).into(),
    }
}

/// Variables with so many values each, and a component for each.
fn bare(variables: &[i32]) -> (System, Vec<VariableId>) {
    let mut system = System::bare(Terms::default());
    for (number, values) in variables.iter().enumerate() {
        system.variables.push(Variable::new(format!("v{number}"), 0, values - 1, 0));
        system.components.push(format!("c{number}"));
    }
    let ids = system.variables.ids().collect();
    system.complete = system.terms.truth(false);
    (system, ids)
}

/// Counters that go up and begin anew: all combinations.
pub(crate) fn counters(count: usize, values: i32) -> Subject {
    let (mut system, ids) = bare(&vec![values; count]);
    for (component, id) in ids.iter().enumerate() {
        let terms = &mut system.terms;
        let (now, one, zero) = (terms.variable(*id), terms.constant(1), terms.constant(0));
        let (next, is_last) = (terms.plus(now, one), terms.is(*id, values - 1));
        let next = terms.choose(is_last, zero, next);
        let yes = terms.truth(true);
        system.rules.push(rule(component, yes, vec![(*id, next)]));
    }
    let last: Vec<TermId> = ids.iter().map(|id| system.terms.is(*id, values - 1)).collect();
    let goals = vec![system.terms.and(last), system.terms.truth(false)];
    Subject { name: format!("counters {count} {values}"), system, goals }
}

/// Counters that go up and stop, so that all of them get stuck in the end.
pub(crate) fn stairs(count: usize, values: i32) -> Subject {
    let (mut system, ids) = bare(&vec![values; count]);
    for (component, id) in ids.iter().enumerate() {
        for value in 0..values - 1 {
            let (guard, next) = (system.terms.is(*id, value), system.terms.constant(value + 1));
            system.rules.push(rule(component, guard, vec![(*id, next)]));
        }
    }
    let goals = vec![system.terms.is(ids[0], values - 1)];
    Subject { name: format!("stairs {count} {values}"), system, goals }
}

/// Philosophers who take their left fork first.
pub(crate) fn philosophers(count: usize) -> Subject {
    let (mut system, ids) = bare(&[vec![3; count], vec![2; count]].concat());
    let (people, forks) = ids.split_at(count);
    for (number, person) in people.iter().enumerate() {
        let forks = [forks[number], forks[(number + 1) % count]];
        for step in 0..3 {
            let mut parts = vec![system.terms.is(*person, step)];
            let mut updates = vec![(*person, system.terms.constant((step + 1) % 3))];
            if let Some(fork) = forks.get(step as usize) {
                parts.push(system.terms.is(*fork, 0));
                updates.push((*fork, system.terms.constant(1)));
            } else {
                updates.extend(forks.map(|fork| (fork, system.terms.constant(0))));
            }
            let guard = system.terms.and(parts);
            system.rules.push(rule(number, guard, updates));
        }
    }
    let eating: Vec<TermId> = people.iter().take(2).map(|one| system.terms.is(*one, 2)).collect();
    let goals = vec![system.terms.and(eating), system.terms.is(people[count - 1], 2)];
    Subject { name: format!("philosophers {count}"), system, goals }
}

/// Anything: joined and urgent rules, values that leave their range, several words.
pub(crate) fn random(seed: u64) -> Subject {
    let mut dice = Random::new(seed);
    let count = 4 + dice.below(4);
    let wide = dice.below(3) == 0;
    let values: Vec<i32> = (0..count).map(|_| 2 + dice.below(4) as i32).collect();
    let (mut system, ids) = bare(&values);
    if wide {
        // Most of a word lies between the others.
        system.variables =
            system.variables.iter().map(|one| Variable { min: -(1 << 30), ..one.clone() }).collect();
    }
    system.labels = (0..2).map(|number| format!("l{number}")).collect();
    let event = |number| Event::termination(ComponentId::from_index(0), &format!("e{number}"));
    system.events = (0..2).map(event).collect::<IdVec<EventId, Event>>();
    for number in 0..6 + dice.below(8) {
        let component = dice.below(count);
        let guard = predicate(&mut system, &ids, &values, &mut dice);
        let updates = (0..1 + dice.below(2)).map(|_| update(&mut system, &ids, &values, &mut dice)).collect();
        let mut rule = rule(component, guard, updates);
        rule.event = (dice.below(2) == 0).then(|| EventId::from_index(dice.below(2)));
        rule.join = match dice.below(9) {
            0 => Join::Offer(vec![LabelId::from_index(dice.below(2))]),
            1 => Join::Take(LabelId::from_index(dice.below(2))),
            2 => Join::Listen(EventId::from_index(dice.below(2))),
            _ => Join::Alone,
        };
        rule.urgent = number == 0 && dice.below(3) == 0 && rule.join == Join::Alone;
        system.rules.push(rule);
    }
    system.complete = predicate(&mut system, &ids, &values, &mut dice);
    system.strained = predicate(&mut system, &ids, &values, &mut dice);
    let goals = (0..3).map(|_| {
        let parts: Vec<TermId> = (0..2).map(|_| predicate(&mut system, &ids, &values, &mut dice)).collect();
        system.terms.and(parts)
    });
    let goals = goals.collect();
    Subject { name: format!("random {seed}"), system, goals }
}

fn predicate(system: &mut System, ids: &[VariableId], values: &[i32], dice: &mut Random) -> TermId {
    let at = dice.below(ids.len());
    let value = dice.below(values[at] as usize) as i32;
    let literal = system.terms.is(ids[at], value);
    let (variable, other) =
        (system.terms.variable(ids[at]), system.terms.variable(ids[(at + 1) % ids.len()]));
    match dice.below(4) {
        0 => literal,
        1 => system.terms.not(literal),
        2 => system.terms.less(variable, other),
        _ => {
            let less = system.terms.less(other, variable);
            system.terms.or([literal, less])
        }
    }
}

fn update(
    system: &mut System,
    ids: &[VariableId],
    values: &[i32],
    dice: &mut Random,
) -> (VariableId, TermId) {
    let at = dice.below(ids.len());
    let terms = &mut system.terms;
    let (now, one) = (terms.variable(ids[at]), terms.constant(1));
    let next = match dice.below(3) {
        0 => terms.constant(dice.below(values[at] as usize) as i32),
        1 => terms.plus(now, one),
        _ => {
            let is_last = terms.is(ids[at], values[at] - 1);
            let (zero, next) = (terms.constant(0), terms.plus(now, one));
            terms.choose(is_last, zero, next)
        }
    };
    (ids[at], next)
}

/// A formula about the events and goals of a subject, most of them violated after finitely many positions.
pub(crate) fn formula(subject: &Subject, dice: &mut Random) -> BoundFormula {
    let events = subject.system.events.len();
    let mut parts: IdVec<PartId, BoundPart> = IdVec::new();
    let whole = operand(subject, dice, 2, &mut parts);
    add(&mut parts, Says::Unary(Unary::Globally, whole));
    BoundFormula::of_parts(parts, events).expect("operands come first")
}

fn add(parts: &mut IdVec<PartId, BoundPart>, says: Says) -> PartId {
    parts.push(BoundPart { says, place: Span::new(FileId::from_index(0), 0, 0).into() })
}

fn operand(
    subject: &Subject,
    dice: &mut Random,
    depth: usize,
    parts: &mut IdVec<PartId, BoundPart>,
) -> PartId {
    let events = subject.system.events.len();
    let says = match dice.below(if depth == 0 { 2 } else { 6 }) {
        0 if events > 0 => {
            // Events come after the moments that are none.
            let number = 4 + dice.below(events);
            Says::Moments(Moments::of_numbers(&[number], events).expect("it is an event"))
        }
        0 | 1 => Says::Holds(subject.goals[dice.below(subject.goals.len())]),
        2 | 3 => {
            let all = [Unary::Not, Unary::Next, Unary::Previous, Unary::Once, Unary::Historically];
            let part = operand(subject, dice, depth - 1, parts);
            Says::Unary(all[dice.below(all.len())], part)
        }
        _ => {
            let all = [Binary::And, Binary::Or, Binary::Implies, Binary::WeakUntil, Binary::Since];
            let left = operand(subject, dice, depth - 1, parts);
            let right = operand(subject, dice, depth - 1, parts);
            Says::Binary(all[dice.below(all.len())], left, right)
        }
    };
    add(parts, says)
}
