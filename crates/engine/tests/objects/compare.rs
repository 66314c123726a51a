//! Random systems mean the same to the interpreter and to the lowering.

use std::collections::BTreeSet;

use sequent_kernel::model::{Communication, Machine, Model, RegionId, VertexId, VertexKind};
use sequent_kernel::random::Random;
use sequent_kernel::semantics::objects::{Objects, Structure, lower_objects};
use sequent_testing::objects::{NaiveObjects, shape};
use sequent_testing::seeds::{is_more, seeds};

use crate::account::{Account, difference};
use crate::build::{read, structure, with};
use crate::scenario;
use crate::systems::{self, WideCase};

/// More states than this are too many to list: few where it has to be quick.
fn most() -> usize {
    if is_quick() { 60 } else { 400 }
}

/// Whether nobody asks for more than every run of the tests should do.
fn is_quick() -> bool {
    !is_more()
}

/// What a case describes; `None` if it cannot be read.
fn system(case: &WideCase) -> Option<(Model, Structure)> {
    let mut model = with(&read(&case.text)?, case.communication, case.capacity, case.steps);
    model.system.completion = Some(case.completion);
    model.system.closed = Some(case.closed);
    if !model.machines.iter().all(is_well_formed) {
        return None;
    }
    let objects = pairs(&case.objects);
    let links = pairs(&case.links);
    let structure = structure(&model, &objects, &links);
    Some((model, structure))
}

/// Regions begin somewhere, pseudostates lead somewhere, joins and forks have two ways.
fn is_well_formed(machine: &Machine) -> bool {
    let begins = |region: RegionId| {
        shape::initial(machine, region).is_some_and(|initial| !shape::outgoing(machine, initial).is_empty())
    };
    let leads = |vertex: VertexId| {
        let (ways_in, ways_out) =
            (shape::incoming(machine, vertex).len(), shape::outgoing(machine, vertex).len());
        match machine.vertices[vertex].kind {
            VertexKind::Join => ways_in > 1 && ways_out == 1 && joins_regions(machine, vertex),
            VertexKind::Fork => ways_in > 0 && ways_out > 1 && forks_regions(machine, vertex),
            VertexKind::Choice | VertexKind::Junction => ways_out > 1,
            VertexKind::Exit => ways_out == 1 && machine.parent(vertex).is_some(),
            VertexKind::Entry => machine.parent(vertex).is_some(),
            VertexKind::State(_)
            | VertexKind::Initial
            | VertexKind::Final
            | VertexKind::ShallowHistory
            | VertexKind::DeepHistory
            | VertexKind::Terminate => true,
        }
    };
    machine.regions.ids().all(begins) && machine.vertices.ids().all(leads)
}

/// Whether the ways into a join come from different regions of one state.
fn joins_regions(machine: &Machine, join: VertexId) -> bool {
    let firsts = shape::incoming(machine, join);
    let regions: Vec<RegionId> = firsts.iter().map(|first| shape::joining_region(machine, *first)).collect();
    let owner = |region: RegionId| machine.regions[region].owner;
    let is_alone = |at: usize| !regions[..at].contains(&regions[at]);
    let is_like_first = |at: usize| owner(regions[at]).is_some() && owner(regions[at]) == owner(regions[0]);
    (0..regions.len()).all(|at| is_alone(at) && is_like_first(at))
}

/// Whether the ways out of a fork lead into different regions of one state.
fn forks_regions(machine: &Machine, fork: VertexId) -> bool {
    let targets = shape::outgoing(machine, fork).into_iter().map(|way| machine.transitions[way].target);
    let regions: BTreeSet<RegionId> = targets.map(|target| machine.vertices[target].region).collect();
    let owners: BTreeSet<Option<VertexId>> =
        regions.iter().map(|region| machine.regions[*region].owner).collect();
    regions.len() == shape::outgoing(machine, fork).len() && owners.len() == 1 && !owners.contains(&None)
}

fn pairs(pairs: &[(String, String)]) -> Vec<(&str, &str)> {
    pairs.iter().map(|(one, other)| (one.as_str(), other.as_str())).collect()
}

/// What came of a comparison.
pub(crate) enum Outcome {
    Same,
    Skipped,
    /// It has too many ways through one step.
    Refused,
    Different(String),
}

pub(crate) fn compare(case: &WideCase) -> Outcome {
    let Some((model, structure)) = system(case) else { return Outcome::Skipped };
    let naive = NaiveObjects::new(&model, &structure);
    if !naive.has_targets() {
        return Outcome::Skipped;
    }
    let Some(account) = Account::naive(&naive, most()) else { return Outcome::Skipped };
    // The lowering says what is too much for it; that must stay rare.
    let Ok(objects) = lower_objects(&model, &structure, &model.system) else { return Outcome::Refused };
    let Some(lowered) = Account::lowered(&model, &objects, 4 * most()) else {
        return Outcome::Different("the lowered system is far larger".to_owned());
    };
    match difference(&account, &lowered, 2_000) {
        None => scenarios(case, &account, &objects),
        Some(text) => {
            Outcome::Different(format!("{text}\n-- naive\n{}-- lowered\n{}", account.dump(), lowered.dump()))
        }
    }
}

/// A case of which nothing may be different, nor be skipped.
pub(crate) fn assert_same(case: &WideCase) {
    match compare(case) {
        Outcome::Same => {}
        Outcome::Skipped | Outcome::Refused => panic!("it is not compared\n{}", case.dump()),
        Outcome::Different(text) => panic!("{}\n{text}", case.dump()),
    }
}

/// Verdicts about a few scenarios, each with some settings; runs that end in a fault prove nothing.
fn scenarios(case: &WideCase, account: &Account, objects: &Objects) -> Outcome {
    if account.views.iter().any(|view| view.fault) {
        return Outcome::Same;
    }
    let mut numbers = Random::new(case.text.len() as u64);
    for _ in 0..if is_quick() { 1 } else { 2 } {
        let Some(text) = scenario::diagram(case, account, &mut numbers) else { return Outcome::Same };
        let Some(diagram) = read(&text) else { return Outcome::Same };
        let knobs = scenario::knobs();
        for _ in 0..4 {
            let asked = knobs[numbers.below(knobs.len())];
            let Some(expected) = scenario::verdict(account, &diagram, case, objects, asked) else { continue };
            let verdict = scenario::lowered_verdict(objects, &diagram, asked);
            if verdict != expected {
                return Outcome::Different(format!(
                    "{asked:?} naively {expected}, lowered {verdict}\n{text}\n{}",
                    account.dump()
                ));
            }
        }
    }
    Outcome::Same
}

/// The case with as few lines as it takes to be different.
fn smaller(mut case: WideCase) -> WideCase {
    loop {
        let lines: Vec<&str> = case.text.lines().collect();
        let without = |at: usize, many: usize| {
            let is_kept = |line: &str| line.contains('@');
            let rest = lines.iter().enumerate();
            let rest = rest.filter(|(line, text)| !(at..at + many).contains(line) || is_kept(text));
            let text: String = rest.map(|(_, line)| format!("{line}\n")).collect();
            WideCase { text, ..case.clone() }
        };
        let starts: Vec<usize> = (1..lines.len()).filter(|at| lines[*at].starts_with("@startuml")).collect();
        let fewer_machines = starts.iter().map(|start| {
            let end = (*start..lines.len()).find(|at| lines[*at] == "@enduml").unwrap_or(lines.len());
            let rest = lines.iter().enumerate().filter(|(at, _)| !(*start..=end).contains(at));
            WideCase { text: rest.map(|(_, line)| format!("{line}\n")).collect(), ..case.clone() }
        });
        let fewer_links = (0..case.links.len()).map(|at| {
            let mut less = case.clone();
            less.links.remove(at);
            less
        });
        let fewer_objects = (0..case.objects.len()).map(|at| {
            let mut less = case.clone();
            less.objects.remove(at);
            less
        });
        let plainer = (0..lines.len()).filter_map(|at| plainer(lines[at]).map(|line| (at, line))).flat_map(
            |(at, new)| {
                let lines = lines.clone();
                let case = case.clone();
                new.into_iter().map(move |new| {
                    let mut lines = lines.clone();
                    lines[at] = &new;
                    WideCase { text: lines.iter().map(|line| format!("{line}\n")).collect(), ..case.clone() }
                })
            },
        );
        // What types there are stays: a model with unknown ones is wrong.
        let kept = lines.iter().skip(1).position(|line| line.starts_with("@startuml")).unwrap_or(0);
        let blocks =
            [12, 6, 3, 2, 1].into_iter().flat_map(|many| (kept..lines.len()).map(move |at| (at, many)));
        let smaller = fewer_machines
            .chain(blocks.map(|(at, many)| without(at, many)))
            .chain(plainer)
            .chain(fewer_links)
            .chain(fewer_objects);
        let is_different = |case: &WideCase| {
            std::panic::catch_unwind(|| matches!(compare(case), Outcome::Different(_))).unwrap_or(false)
        };
        let Some(next) = smaller.filter(|smaller| *smaller != case).find(is_different) else { return case };
        case = next;
    }
}

/// A transition without its guard, its effects, or one of them.
fn plainer(line: &str) -> Option<Vec<String>> {
    let mut all = Vec::new();
    if let (Some(from), Some(to)) = (line.find(" ["), line.find(']')) {
        if to > from && !line.contains("[*]") {
            all.push(format!("{}{}", &line[..from], &line[to + 1..]));
        }
    }
    if let Some((head, effects)) = line.split_once(" / ") {
        all.push(head.to_owned());
        let effects: Vec<&str> = effects.split("; ").collect();
        for at in 0..effects.len() {
            let rest: Vec<&str> =
                effects.iter().enumerate().filter(|(other, _)| *other != at).map(|(_, one)| *one).collect();
            if !rest.is_empty() {
                all.push(format!("{head} / {}", rest.join("; ")));
            }
        }
    }
    (!all.is_empty()).then_some(all)
}

/// As many random systems as there should be, in twentieths of all.
fn agree(communication: Communication, share: u64) {
    let seeds = seeds(800);
    let wanted = (seeds.count_left() * share).div_ceil(20);
    let (mut same, mut refused, mut seen) = (0, 0, 0);
    for seed in seeds.and_on() {
        if same >= wanted {
            break;
        }
        seen += 1;
        let case = systems::case(seed, communication, is_quick());
        match compare(&case) {
            Outcome::Same => same += 1,
            Outcome::Skipped => {}
            Outcome::Refused => {
                refused += 1;
                assert!(refused <= 1 + seen / 1_000, "seed {seed}: {refused} systems are not lowered");
            }
            Outcome::Different(text) => {
                let case = smaller(case);
                let Outcome::Different(small) = compare(&case) else { panic!("seed {seed}: {text}") };
                panic!("seed {seed} ({same} were the same)\n{}\n{small}", case.dump());
            }
        }
    }
    println!("{same} of {seen}, {refused} not lowered, the others are too large or wrong");
}

#[test]
fn random_meetings() {
    agree(Communication::Rendezvous, 10);
}

#[test]
fn random_queues() {
    agree(Communication::Queue, 8);
}

#[test]
fn random_bags() {
    agree(Communication::Bag, 2);
}
