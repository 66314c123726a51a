//! Runs that go on forever: several processes find one where one process does, whatever fairness demands; what they find is a run of the
//! system that violates the formula and is fair, by the definitions.

use std::collections::BTreeSet;
use std::rc::Rc;

use sequent_cluster::Cluster;
use sequent_engine::explicit;
use sequent_engine::graph::StateGraph;
use sequent_engine::packed::Program;
use sequent_engine::search::{Limits, SearchAnswer, unwatched};
use sequent_kernel::formula::{Binary, Unary};
use sequent_kernel::id::{Id, IdVec};
use sequent_kernel::property::ltl::{BoundFormula, BoundPart, LtlAutomaton, Moments, PartId, Says, truth};
use sequent_kernel::property::{Moment, positions};
use sequent_kernel::question::{Case, Goal, Watcher};
use sequent_kernel::random::Random;
use sequent_kernel::replay::{Run, replay};
use sequent_kernel::source::{FileId, Span};
use sequent_kernel::system::{Config, Endless, Fairness, RuleId, Strength, System, TermId};

use super::family::{Subject, counters, philosophers, random};
use super::{Told, decide, sequent_random, told};

/// Systems in which runs go on forever, and formulas about them.
pub(crate) fn check(clusters: &[(usize, Cluster)]) {
    let (mut endless, mut ended, mut nothing, mut only_unfair, mut shared) = (0, 0, 0, 0, 0);
    for seed in 0..sequent_random().unwrap_or(150) {
        let mut dice = Random::new(seed);
        let subject = match seed % 10 {
            0 => philosophers(3 + dice.below(2)),
            1 => counters(2, 3),
            _ => random(seed),
        };
        let system = Rc::new(with_endless(&subject, &mut dice));
        // What urgent steps pass through is no position, which the definitions do not know.
        let is_plain = system.rules.iter().all(|rule| !rule.urgent);
        for number in 0..4 {
            let bound = formula(&subject, &mut dice);
            let Ok(automaton) = LtlAutomaton::violation(&bound) else { continue };
            let case = case_of(&system, &automaton);
            let expected = alone(&case);
            let mut first: Option<Told> = None;
            for (count, cluster) in clusters {
                let before = cluster.traffic();
                let decision = decide(cluster, &case, Limits::default(), &unwatched);
                shared += usize::from(cluster.traffic() != before);
                let several = told(&decision);
                let place =
                    format!("seed {seed}, formula {number}, {count} processes: {:?}", decision.reason);
                match (&several.0, &expected.0) {
                    (SearchAnswer::Found(run), SearchAnswer::Found(_)) => {
                        assert!(!is_plain || is_violation(&system, &bound, run), "{place}: {run:?}");
                    }
                    (_, _) => assert_eq!(several, expected, "{place}"),
                }
                let first = first.get_or_insert_with(|| several.clone());
                assert_eq!(first, &several, "{place}");
            }
            match first.map(|first| first.0) {
                Some(SearchAnswer::Found(run)) if run.cycle.is_some() => endless += 1,
                Some(SearchAnswer::Found(_)) => ended += 1,
                _ => {
                    nothing += 1;
                    only_unfair += usize::from(is_found_unfair(&system, &automaton));
                }
            }
        }
    }
    let seen = format!("{endless} endless, {ended} ended, {nothing} none, {only_unfair} but for fairness");
    assert!(endless > 60 && ended > 30 && nothing > 60 && only_unfair > 3, "{seen}");
    assert!(shared > 200, "workers decide them: {shared}");
}

fn case_of(system: &Rc<System>, automaton: &LtlAutomaton) -> Case {
    Case::new(system, Goal::Accepted(Watcher::Formula(Rc::new(automaton.clone()))))
}

fn alone(case: &Case) -> Told {
    let program = Program::new(&case.system);
    told(&explicit::decide(case, &mut StateGraph::new(&program), &Limits::default(), 1, &unwatched))
}

/// Whether there is a run if no step is owed.
fn is_found_unfair(system: &System, automaton: &LtlAutomaton) -> bool {
    let endless = system.endless.clone().map(|endless| Endless { owed: Vec::new(), ..endless });
    let unfair = Rc::new(System { endless, ..system.clone() });
    matches!(alone(&case_of(&unfair, automaton)).0, SearchAnswer::Found(_))
}

fn with_endless(subject: &Subject, dice: &mut Random) -> System {
    let rules: Vec<RuleId> = subject.system.rules.ids().collect();
    let owed = (0..dice.below(4)).map(|_| {
        let mut some = |many: usize| -> BTreeSet<RuleId> {
            (0..1 + dice.below(many)).map(|_| rules[dice.below(rules.len())]).collect()
        };
        let when = some(2);
        let payers = &when | &some(2);
        let strength = if dice.below(2) == 0 { Strength::Weak } else { Strength::Strong };
        Fairness { when, payers, strength }
    });
    let owed = owed.collect();
    let rests = if dice.below(3) == 0 { vec![subject.goals[0]] } else { Vec::new() };
    let endless = Some(Endless { owed, rests, is_seen: dice.below(2) == 0 });
    System { endless, ..subject.system.clone() }
}

/// Any formula about the events and goals of a subject.
fn formula(subject: &Subject, dice: &mut Random) -> BoundFormula {
    let mut parts: IdVec<PartId, BoundPart> = IdVec::new();
    let whole = operand(subject, dice, 3, &mut parts);
    let outer = [Unary::Globally, Unary::Finally][dice.below(2)];
    add(&mut parts, Says::Unary(outer, whole));
    BoundFormula::of_parts(parts, subject.system.events.len()).expect("operands come first")
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
            let part = operand(subject, dice, depth - 1, parts);
            Says::Unary(Unary::ALL[dice.below(Unary::ALL.len())], part)
        }
        _ => {
            let left = operand(subject, dice, depth - 1, parts);
            let right = operand(subject, dice, depth - 1, parts);
            Says::Binary(Binary::ALL[dice.below(Binary::ALL.len())], left, right)
        }
    };
    add(parts, says)
}

/// Whether a run is one of the system, violates a formula, and counts.
fn is_violation(system: &System, bound: &BoundFormula, run: &Run) -> bool {
    let Ok(configs) = replay(system, run) else { return false };
    let all = positions(system, run, &configs, &bound.terms());
    let start = run.cycle.unwrap_or(run.steps.len());
    let moments = |is_prefix: bool| {
        all.iter().filter(move |(at, _)| (*at < start) == is_prefix).map(|(_, moment)| *moment)
    };
    let prefix: Vec<Moment> = [Moment::Start].into_iter().chain(moments(true)).collect();
    let mut cycle: Vec<Moment> = moments(false).collect();
    let last = configs.last().expect("a run begins somewhere");
    if run.cycle.is_none() {
        // A run that is shown up to where every way to go on is a violation has no end.
        if system.is_free() && !system.steps(last).is_empty() {
            return true;
        }
        cycle.push(if system.holds(system.complete, last) { Moment::End } else { Moment::Stuck });
    } else if cycle.is_empty() {
        cycle.push(Moment::Stuck);
    }
    let config = |position: usize| match position.checked_sub(1) {
        None => &configs[0],
        Some(at) => all.get(at).map_or(last, |(number, _)| &configs[number + 1]),
    };
    let holds = |position: usize, term: TermId| system.holds(term, config(position));
    !truth(bound, &prefix, &cycle, holds).holds() && is_fair(system, run, &configs)
}

/// Whether what is repeated forever meets fairness, and what holds again and again.
fn is_fair(system: &System, run: &Run, configs: &[Config]) -> bool {
    let (Some(start), Some(endless)) = (run.cycle, &system.endless) else { return run.cycle.is_none() };
    let round = &configs[start..configs.len() - 1];
    let may_fire = |config: &Config, rules: &BTreeSet<RuleId>| {
        system.steps(config).iter().flat_map(|step| &step.0).any(|rule| rules.contains(rule))
    };
    let is_met = |owed: &Fairness| {
        let mut fired = run.steps[start..].iter().flat_map(|step| &step.0);
        let is_due = match owed.strength {
            Strength::Weak => round.iter().all(|config| may_fire(config, &owed.when)),
            Strength::Strong => round.iter().any(|config| may_fire(config, &owed.when)),
        };
        !is_due || fired.any(|rule| owed.payers.contains(rule))
    };
    let rests = endless.rests.iter().all(|rest| round.iter().any(|config| system.holds(*rest, config)));
    rests && endless.owed.iter().all(is_met)
}
