//! Compact automata accept exactly the traces, when they are executed as written; and have the sizes of paper 003.

use std::collections::{BTreeMap, BTreeSet};

use sequent_engine::traces::{SetId, Sets};
use sequent_kernel::counter_automaton::{
    Compact, CounterAutomatonForm, CounterChange, CounterGuard, CounterTransition, CounterValue,
    ValueRelation, compact,
};
use sequent_kernel::id::Id;
use sequent_kernel::model::InteractionId;
use sequent_kernel::semantics::{Assumptions, Switches, lower};
use sequent_testing::diagram;

/// A state and the values of the variables.
type Config = (usize, Vec<u32>);

fn holds(guard: &CounterGuard, values: &[u32]) -> bool {
    let value = |value: &CounterValue| match value {
        CounterValue::Number(number) => *number,
        CounterValue::Counter(counter) => values[*counter],
        CounterValue::Next(counter) => values[*counter] + 1,
    };
    match guard {
        CounterGuard::All(parts) => parts.iter().all(|part| holds(part, values)),
        CounterGuard::Any(parts) => parts.iter().any(|part| holds(part, values)),
        CounterGuard::Bit(bit, is_set) => (values[*bit] == 1) == *is_set,
        CounterGuard::Compare(left, relation, right) => match relation {
            ValueRelation::Less => value(left) < value(right),
            ValueRelation::AtLeast => value(left) >= value(right),
            ValueRelation::Equal => value(left) == value(right),
            ValueRelation::Different => value(left) != value(right),
        },
    }
}

fn take(transition: &CounterTransition, (state, values): &Config) -> Option<Config> {
    let mut next = values.clone();
    for (variable, change) in &transition.action {
        next[*variable] = match change {
            CounterChange::To(value) => *value,
            CounterChange::Up => values[*variable] + 1,
        };
    }
    (transition.from == *state && holds(&transition.guard, values)).then_some((transition.to, next))
}

/// Where an event leads, and then nothing.
fn after(automaton: &Compact, configs: &BTreeSet<Config>, event: &str) -> BTreeSet<Config> {
    let reading = automaton.transitions.iter().filter(|one| one.event.as_deref() == Some(event));
    let next = reading.flat_map(|one| configs.iter().filter_map(|config| take(one, config)));
    settled(automaton, next.collect())
}

fn settled(automaton: &Compact, mut configs: BTreeSet<Config>) -> BTreeSet<Config> {
    loop {
        let silent = automaton.transitions.iter().filter(|one| one.event.is_none());
        let more = silent.flat_map(|one| configs.iter().filter_map(|config| take(one, config)));
        let all: BTreeSet<Config> = configs.iter().cloned().chain(more).collect();
        if all == configs {
            return all;
        }
        configs = all;
    }
}

fn first(automaton: &Compact) -> BTreeSet<Config> {
    settled(automaton, BTreeSet::from([(0, vec![0; automaton.variables.len()])]))
}

fn accepts(automaton: &Compact, configs: &BTreeSet<Config>) -> bool {
    configs.iter().any(|(state, _)| automaton.states[*state].accepting)
}

fn of(text: &str, form: CounterAutomatonForm) -> Result<Compact, String> {
    compact(&diagram::model(text), InteractionId::from_index(0), &Switches::default(), form)
}

fn size(automaton: &Compact) -> (usize, usize) {
    (automaton.states.len(), automaton.transitions.len())
}

/// Both have the same traces of at most so many events.
fn agrees(text: &str, form: CounterAutomatonForm, longest: usize) {
    let automaton = of(text, form).expect("it has this form");
    let assumptions = Assumptions { window: longest.max(1), ..Assumptions::default() };
    let model = diagram::model(text);
    let system = lower(&model, InteractionId::from_index(0), &assumptions).expect("it is lowered");
    let mut sets = Sets::new(&system);
    let mut events: BTreeSet<&str> = system.events.iter().map(|event| event.text.as_str()).collect();
    events.extend(automaton.transitions.iter().filter_map(|one| one.event.as_deref()));
    let mut level: BTreeSet<(Option<SetId>, BTreeSet<Config>)> =
        BTreeSet::from([(Some(sets.first()), first(&automaton))]);
    let mut has_trace = false;
    for length in 0..=longest {
        let mut next = BTreeSet::new();
        for (set, configs) in level {
            let is_trace = set.is_some_and(|set| sets.class(set).is_some());
            has_trace |= is_trace;
            assert_eq!(accepts(&automaton, &configs), is_trace, "{text} {form:?} after {length} events");
            for event in &events {
                let to = set.and_then(|set| sets.after(set, event));
                let configs = after(&automaton, &configs, event);
                if to.is_some() || !configs.is_empty() {
                    next.insert((to, configs));
                }
            }
        }
        level = next;
    }
    assert!(has_trace || text.contains("inf"), "{text}: nothing was compared");
}

const TWO: &str = "a ->> b : p\na ->> b : q\n";

fn looped(bounds: &str, body: &str) -> String {
    format!("loop {bounds}\n{body}end\n")
}

/// A loop of which one iteration is over before the next begins.
fn strictly_looped(bounds: &str, body: &str) -> String {
    format!("group sloop {bounds}\n{body}end\n")
}

#[test]
fn strict_loops_have_one_counter() {
    let one = |form| of(&strictly_looped("(1000,1000)", TWO), form).expect("a loop of messages");
    let counters = one(CounterAutomatonForm::Counters);
    assert_eq!((size(&counters), counters.variables.len()), ((6, 7), 1));
    let bits = one(CounterAutomatonForm::Bits);
    assert_eq!((size(&bits), bits.variables.len()), ((2, 5), 5));
    for (times, expected) in [(1, 2), (2, 4), (3, 8)] {
        let text = strictly_looped(&format!("({times},{times})"), TWO);
        assert_eq!(
            count(&of(&text, CounterAutomatonForm::Bits).expect("a loop of messages"), 4 * times),
            expected
        );
    }
}

#[test]
fn figure_3() {
    let automaton = of(&looped("(4,*)", TWO), CounterAutomatonForm::Counters).expect("a loop of messages");
    assert_eq!(size(&automaton), (6, 12));
    assert_eq!(automaton.states.iter().filter(|state| state.recurrent).count(), 1);
    assert_eq!(automaton.states.iter().filter(|state| state.accepting).count(), 1);
    agrees(&looped("(4,*)", TWO), CounterAutomatonForm::Counters, 18);
    agrees(&looped("(4,*)", TWO), CounterAutomatonForm::Bits, 18);
}

#[test]
fn bits_make_two_states() {
    for count in 1..20 {
        let lines = ["a", "b", "c", "d", "e"];
        let message = |number: usize| {
            format!("{} ->> {} : m{number}\n", lines[number * 3 % 5], lines[(number * 3 + 1) % 5])
        };
        let text: String = (0..count).map(message).collect();
        let automaton = of(&text, CounterAutomatonForm::Bits).expect("messages in a row");
        assert_eq!(diagram::system(&text).rules.len(), 2 * count);
        assert_eq!(size(&automaton), (2, 2 * count + 1));
        if count < 6 {
            agrees(&text, CounterAutomatonForm::Bits, 2 * count + 1);
        }
    }
}

/// The words of a length that are accepted, counted by configuration.
fn count(automaton: &Compact, length: usize) -> usize {
    let events: BTreeSet<&str> =
        automaton.transitions.iter().filter_map(|one| one.event.as_deref()).collect();
    let mut level = BTreeMap::from([(first(automaton), 1)]);
    for _ in 0..length {
        let mut next: BTreeMap<BTreeSet<Config>, usize> = BTreeMap::new();
        for (configs, times) in level {
            for event in &events {
                let to = after(automaton, &configs, event);
                if !to.is_empty() {
                    *next.entry(to).or_default() += times;
                }
            }
        }
        level = next;
    }
    level.iter().filter(|(configs, _)| accepts(automaton, configs)).map(|(_, times)| times).sum()
}

#[test]
fn loops_of_two_messages_have_catalan_many_traces() {
    for (times, expected) in [(1, 2), (2, 14), (3, 132), (4, 1_430), (5, 16_796)] {
        let text = looped(&format!("({times},{times})"), TWO);
        for form in [CounterAutomatonForm::Counters, CounterAutomatonForm::Bits] {
            assert_eq!(count(&of(&text, form).expect("a loop of messages"), 4 * times), expected);
        }
    }
}

#[test]
fn loops_have_the_traces_of_the_diagram() {
    let bodies = [
        TWO,
        "a ->> b : p\nb ->> a : q\n",
        "a ->> b : p\nb ->> c : q\n",
        "a ->> b : p\nc ->> d : q\n",
        "a ->> a : p\na ->> b : q\n",
        "a ->> b : p\na ->> b : p\n",
        "par\na ->> b : p\nelse\na ->> b : q\nend\n",
        "group coregion a\na ->> b : p\na ->> c : q\nend\nb ->> a : r\n",
        "[-> a : p\na ->> b : q\nb ->]: r\n",
    ];
    for body in bodies {
        for bounds in ["(0,1)", "(1,1)", "(0,2)", "(2,2)", "(1,3)", "(0,*)", "(2,*)", "(0,0)"] {
            for form in [CounterAutomatonForm::Counters, CounterAutomatonForm::Bits] {
                agrees(&looped(bounds, body), form, 12);
                agrees(&strictly_looped(bounds, body), form, 12);
            }
        }
        if !body.contains("group") && !body.contains("[->") {
            agrees(body, CounterAutomatonForm::Bits, 8);
        }
    }
}

#[test]
fn a_loop_that_must_not_end_passes_its_recurrent_state() {
    for form in [CounterAutomatonForm::Counters, CounterAutomatonForm::Bits] {
        let text = looped("(inf)", TWO);
        let automaton = of(&text, form).expect("a loop of messages");
        assert!(automaton.states.iter().all(|state| !state.accepting));
        let mut configs = first(&automaton);
        let recurs =
            |configs: &BTreeSet<Config>| configs.iter().any(|(state, _)| automaton.states[*state].recurrent);
        for _ in 0..3 {
            for (event, is_round) in
                [("!a->b:p", false), ("!a->b:q", false), ("?a->b:p", false), ("?a->b:q", true)]
            {
                configs = after(&automaton, &configs, event);
                assert_eq!(recurs(&configs), is_round, "{event}");
            }
            let counters = configs.iter().map(|(_, values)| values[0]).min();
            assert_eq!(counters, Some(0), "counters fall back");
        }
    }
}

#[test]
fn other_diagrams_say_why_not() {
    let check = |text: &str, form, expected: &str| {
        let problem = of(text, form).expect_err(text);
        assert!(problem.contains(expected), "{problem}");
    };
    check(TWO, CounterAutomatonForm::Counters, "and this diagram is none");
    check("alt\na ->> b : p\nelse\na ->> b : q\nend\n", CounterAutomatonForm::Bits, "it holds `alt`");
    check("loop\na ->> b : p\nend\na ->> b : q\n", CounterAutomatonForm::Counters, "it holds `loop`");
    check("loop\nopt\na ->> b : p\nend\nend\n", CounterAutomatonForm::Counters, "it holds `opt`");
    check("loop 2\na ->> b : p\ndestroy b\nend\n", CounterAutomatonForm::Counters, "b ends in the loop");
}
