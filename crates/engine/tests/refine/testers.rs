//! The testers of paper 001: a word is found in some run, or in every run, by refinement; compared with a direct look at
//! the product of a process and the automaton that recognises the word.

use std::collections::{BTreeMap, BTreeSet};

use sequent_engine::packed::Program;
use sequent_engine::refine::{Party, RefinementAnswer, RefinementModel, check, text};
use sequent_engine::search::{Limits, unwatched};
use sequent_kernel::random::Random;
use sequent_kernel::system::{Event, System};

use super::process::{Composition, Part, Process, name};

/// A letter of a word stands for any of these events.
type Word = Vec<BTreeSet<usize>>;

/// How much of a word was just seen, in all ways: several, as a letter stands for a set (correction 2 of the case).
type Active = BTreeSet<usize>;

fn read(word: &Word, active: &Active, event: usize) -> Active {
    let further = active.iter().filter(|length| word.get(**length).is_some_and(|set| set.contains(&event)));
    further.map(|length| length + 1).chain([0]).collect()
}

/// What a tester does once it has seen the word.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Then {
    /// It says so.
    Match,
    /// It goes on invisibly forever.
    Diverge,
    /// It never gets so far: it refuses the last event.
    Refuse,
}

fn tester(word: &Word, letters: usize, then: Then) -> Process {
    let mut numbers: BTreeMap<Active, usize> = BTreeMap::from([(Active::from([0]), 0)]);
    let mut open = vec![Active::from([0])];
    let mut edges = Vec::new();
    while let Some(active) = open.pop() {
        let from = numbers[&active];
        if active.contains(&word.len()) {
            continue;
        }
        for event in 0..letters {
            let next = read(word, &active, event);
            if then == Then::Refuse && next.contains(&word.len()) {
                continue;
            }
            let number = numbers.len();
            let to = *numbers.entry(next.clone()).or_insert_with(|| {
                open.push(next);
                number
            });
            edges.push((from, Some(event), to));
        }
    }
    let stop = numbers.len();
    for (active, number) in &numbers {
        if active.contains(&word.len()) {
            match then {
                Then::Match => edges.push((*number, Some(letters), stop)),
                Then::Diverge => edges.push((*number, None, *number)),
                Then::Refuse => {}
            }
        }
    }
    Process { edges, ends: vec![false; stop + 1] }
}

/// A process and a tester that follows it.
fn tested(process: &Process, word: &Word, letters: usize, then: Then) -> System {
    let tester = tester(word, letters, then);
    Composition::new(letters).with(process, Part::Leads).with(&tester, Part::Follows).done(&[])
}

fn refines(
    specification: (&System, &Hiding),
    implementation: (&System, &Hiding),
    model: RefinementModel,
) -> bool {
    let programs = [Program::new(specification.0), Program::new(implementation.0)];
    let parties = [
        Party { program: &programs[0], name: specification.1, has_ends: true },
        Party { program: &programs[1], name: implementation.1, has_ends: true },
    ];
    match check(parties[0], parties[1], model, &Limits::default(), &unwatched).answer {
        RefinementAnswer::Holds => true,
        RefinementAnswer::Fails(_) => false,
        RefinementAnswer::Stopped(stop) => panic!("{stop:?}"),
    }
}

type Hiding<'h> = dyn Fn(&Event) -> Option<String> + 'h;

/// `(P || S_match) \ E` is refined by `match -> STOP`.
fn exists(process: &Process, word: &Word, letters: usize) -> bool {
    let hidden = |event: &Event| Some(event.text.clone()).filter(|text| *text == name(letters));
    let says = Process { edges: vec![(0, Some(letters), 1)], ends: vec![false; 2] };
    let tested = tested(process, word, letters, Then::Match);
    refines((&tested, &hidden), (&says.system(letters), &text), RefinementModel::Traces)
}

/// `P || S_div` is free of deadlock, and `(P || S_not) \ E` of divergence.
fn for_all(process: &Process, word: &Word, letters: usize) -> bool {
    // In one invisible step it decides on a letter, and takes it in the next.
    let choices = (0..letters).flat_map(|letter| [(0, None, letter + 1), (letter + 1, Some(letter), 0)]);
    let free = Process { edges: choices.collect(), ends: vec![false; letters + 1] };
    let diverging = tested(process, word, letters, Then::Diverge);
    let is_free_of_deadlock =
        refines((&free.system(letters), &text), (&diverging, &text), RefinementModel::Failures);
    let stop = Process { edges: Vec::new(), ends: vec![false] };
    let refusing = tested(process, word, letters, Then::Refuse);
    let nothing = |_: &Event| None;
    let stop = stop.system(letters);
    is_free_of_deadlock
        && refines((&stop, &text), (&refusing, &nothing), RefinementModel::FailuresDivergences)
}

/// The product, written out: the word is seen somewhere; and before it is, nothing ends and nothing goes round.
fn direct(process: &Process, word: &Word) -> (bool, bool) {
    let mut seen: BTreeSet<(usize, Active)> = BTreeSet::new();
    let mut open = vec![(0, Active::from([0]))];
    let mut edges: BTreeMap<(usize, Active), Vec<(usize, Active)>> = BTreeMap::new();
    let mut is_found = word.is_empty();
    while let Some((state, active)) = open.pop() {
        if active.contains(&word.len()) {
            is_found = true;
            continue;
        }
        if !seen.insert((state, active.clone())) {
            continue;
        }
        let steps = process.edges.iter().filter(|edge| edge.0 == state);
        let next = steps.map(|(_, letter, to)| {
            (*to, letter.map_or_else(|| active.clone(), |letter| read(word, &active, letter)))
        });
        let next: Vec<_> = next.collect();
        open.extend(next.iter().cloned());
        edges.insert((state, active), next);
    }
    let has_end = edges.values().any(Vec::is_empty);
    // Without those from which only others without a circle are reached, nothing is left.
    loop {
        let open: BTreeSet<_> = edges.keys().cloned().collect();
        edges.retain(|_, next| next.iter().any(|next| open.contains(next)));
        if edges.len() == open.len() {
            break;
        }
    }
    (is_found, !has_end && edges.is_empty())
}

fn agree(process: &Process, word: &Word, letters: usize) -> (bool, bool) {
    let expected = direct(process, word);
    let found = (exists(process, word, letters), for_all(process, word, letters));
    assert_eq!(found, expected, "{process:?} {word:?}");
    found
}

fn plain(word: &[usize]) -> Word {
    word.iter().map(|letter| BTreeSet::from([*letter])).collect()
}

fn chain(events: &[usize]) -> Process {
    let edges = events.iter().enumerate().map(|(at, event)| (at, Some(*event), at + 1));
    Process { edges: edges.collect(), ends: vec![false; events.len() + 1] }
}

#[test]
fn a_prefix_that_begins_again_is_not_missed() {
    // A A D R M: the printed tester goes back to its start at the second A, and would miss the word.
    let word = plain(&[0, 1, 2, 3]);
    assert_eq!(agree(&chain(&[0, 0, 1, 2, 3]), &word, 5), (true, true));
    assert_eq!(agree(&chain(&[0, 1, 0, 1, 2, 3]), &word, 5), (true, true));
    assert_eq!(agree(&chain(&[0, 1, 2, 4, 3]), &word, 5), (false, false));
    // The check of the case: after a b a, b leaves a b.
    let word = plain(&[0, 1, 0, 2]);
    let [mut active, seen] = [Active::from([0]), Active::from([0, 2])];
    for event in [0, 1, 0, 1] {
        active = read(&word, &active, event);
    }
    assert_eq!(active, seen);
}

#[test]
fn wildcards_are_sets() {
    // Anything of 0 or 1, then 1, then 2: after 0 1 1 both ways of reading are open.
    let word = vec![BTreeSet::from([0, 1]), BTreeSet::from([1]), BTreeSet::from([2])];
    assert_eq!(agree(&chain(&[0, 1, 1, 2]), &word, 3), (true, true));
    assert_eq!(agree(&chain(&[0, 2, 1, 1]), &word, 3), (false, false));
}

#[test]
fn every_run_is_more_than_some_run() {
    // It may go round forever before the word, or go on invisibly, or end.
    let word = plain(&[0, 1]);
    let with = |edge| Process { edges: vec![(0, Some(0), 1), (1, Some(1), 2), edge], ends: vec![false; 4] };
    assert_eq!(agree(&with((2, Some(2), 0)), &word, 3), (true, true));
    assert_eq!(agree(&with((0, Some(2), 0)), &word, 3), (true, false));
    assert_eq!(agree(&with((1, None, 1)), &word, 3), (true, false));
    assert_eq!(agree(&with((1, Some(2), 3)), &word, 3), (true, false));
}

#[test]
fn random_processes_and_words() {
    let mut answers: BTreeMap<(bool, bool), usize> = BTreeMap::new();
    for seed in 0..3_000 {
        let mut dice = Random::new(seed);
        let letters = 2 + dice.below(2);
        let mut process = Process::random(&mut dice, letters, 20, 0);
        // Runs that end are rarely all of them good.
        for state in 0..process.ends.len() {
            if dice.percent(70) && !process.edges.iter().any(|edge| edge.0 == state) {
                process.edges.push((state, Some(dice.below(letters)), dice.below(process.ends.len())));
            }
        }
        let set = |dice: &mut Random| -> BTreeSet<usize> {
            let one = dice.below(letters);
            (0..letters).filter(|letter| *letter == one || dice.percent(25)).collect()
        };
        let word = (0..1 + dice.below(3)).map(|_| set(&mut dice)).collect();
        *answers.entry(agree(&process, &word, letters)).or_default() += 1;
    }
    assert!(answers.len() == 3 && answers.values().all(|times| *times > 100), "{answers:?}");
}
