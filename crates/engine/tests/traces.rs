//! Traces: endless ones, forbidden ones, and walking along a given one.

use std::cell::Cell;
use std::ops::ControlFlow;

use sequent_engine::search::{Progress, SearchStop, unwatched};
use sequent_engine::traces::{self, Sets, TraceCount, TraceLimits, Traces};
use sequent_kernel::system::{System, TraceClass};
use sequent_testing::diagram;

fn explore(system: &System) -> Traces<'_> {
    Traces::explore(system, TraceLimits::default()).expect("it is small")
}

/// The number of traces as it is counted in the whole, and by parts if there are any.
fn count(text: &str, class: TraceClass) -> String {
    let whole = explore(&diagram::system(text)).count_of(class);
    assert_eq!(apart(text, class, TraceLimits::default()), Ok(whole.clone()), "{text}");
    told(&whole)
}

fn apart(text: &str, class: TraceClass, limits: TraceLimits) -> Result<TraceCount, SearchStop> {
    traces::count(&diagram::system(text), class, limits, &unwatched).map(|counted| counted.count)
}

fn told(count: &TraceCount) -> String {
    match count {
        TraceCount::Finite(count) => count.to_string(),
        TraceCount::Infinite => "infinite".to_owned(),
        TraceCount::Beyond => panic!("these have few traces"),
    }
}

/// The traces of a class without their signs, one to a line.
fn list(text: &str, class: TraceClass, max: usize) -> (Vec<String>, bool) {
    let system = diagram::system(text);
    let (traces, is_all) = explore(&system).list_of(class, max);
    (traces.iter().map(|trace| trace.join(" ")).collect(), is_all)
}

#[test]
fn an_endless_loop_has_infinitely_many_traces_the_shorter_first() {
    let text = "loop (0,*)\na ->> b : p\nb ->> a : q\nend\n";
    assert_eq!(count(text, TraceClass::Valid), "infinite");
    let (traces, is_all) = list(text, TraceClass::Valid, 3);
    let round = "!a->b:p ?a->b:p !b->a:q ?b->a:q";
    assert_eq!(traces, ["".to_owned(), round.to_owned(), format!("{round} {round}")]);
    assert!(!is_all);
}

#[test]
fn a_circle_that_leads_to_no_end_makes_nothing_infinite() {
    let text = "loop (inf)\na ->> b : p\nb ->> a : q\nend\n";
    assert_eq!(count(text, TraceClass::Valid), "0");
    assert_eq!(list(text, TraceClass::Valid, 5), (Vec::new(), true));
}

#[test]
fn what_a_neg_forbids_is_invalid_and_not_valid() {
    let text = "a ->> b : p\ngroup neg\na ->> b : q\nend\n";
    assert_eq!(count(text, TraceClass::Valid), "1");
    assert_eq!(count(text, TraceClass::Invalid), "2");
    let (traces, is_all) = list(text, TraceClass::Invalid, 9);
    assert_eq!(traces, ["!a->b:p !a->b:q ?a->b:p ?a->b:q", "!a->b:p ?a->b:p !a->b:q ?a->b:q"]);
    assert!(is_all);
}

/// Messages of pairs of lifelines that know nothing of each other, as operands of a `par`.
fn pairs(number: usize) -> String {
    let operands: Vec<String> = (0..number).map(|pair| format!("a{pair} ->> b{pair} : m\n")).collect();
    format!("par\n{}end\n", operands.join("else\n"))
}

#[test]
fn what_does_not_touch_is_counted_apart() {
    // Few sets are enough: there are 3^16 of the whole.
    let limits = TraceLimits { sets: 100, ..TraceLimits::default() };
    let sixteen = apart(&pairs(16), TraceClass::Valid, limits).expect("each part is small");
    // 32! / 2^16
    assert_eq!(told(&sixteen), "4015057936610313875842560000000");
    assert_eq!(Traces::explore(&diagram::system(&pairs(16)), limits).err(), Some(SearchStop::States));
}

#[test]
fn parts_of_a_diagram_have_as_many_traces_as_the_whole() {
    let parts = [
        "a ->> b : m\n",
        "opt\na ->> b : m\nend\n",
        "opt x\na ->> b : m\nend\n",
        "alt x\na ->> b : m\nelse\na ->> b : n\nend\n",
        "loop 2 times\na ->> b : m\nend\n",
        "loop 0,2\na ->> b : m\nb ->> a : n\nend\n",
        "loop (0,*)\na ->> b : m\nb ->> a : n\nend\n",
        "loop (inf)\na ->> b : m\nb ->> a : n\nend\n",
        "a ->> b : k\ngroup neg\na ->> b : m\nend\n",
        "group assert\na ->> b : m\nend\n",
        "group critical\na ->> b : m\nend\n",
        "loop 0,2\na ->> b : m\nbreak x\nb ->> a : n\nend\nend\n",
        "hnote over a : x\na ->> b : m\n",
        "hnote over a : false\na ->> b : m\n",
    ];
    for one in parts {
        for other in parts {
            let other =
                other.replace("a ->> b", "c ->> d").replace("b ->> a", "d ->> c").replace("over a", "over c");
            for apart in [true, false] {
                let other = if apart { other.replace(" x\n", " y\n") } else { other.clone() };
                for text in [format!("{one}{other}"), format!("par\n{one}else\n{other}end\n")] {
                    count(&text, TraceClass::Valid);
                    count(&text, TraceClass::Invalid);
                    count(&text, TraceClass::Inconclusive);
                }
            }
        }
    }
}

#[test]
fn traces_are_listed_in_the_order_of_their_texts() {
    let text = "par\na ->> b : p\nelse\na ->> b : q\nend\n";
    let (traces, is_all) = list(text, TraceClass::Valid, usize::MAX);
    let mut sorted = traces.clone();
    sorted.sort();
    assert_eq!(traces, sorted);
    assert_eq!((traces.len(), is_all), (6, true));
    let (some, is_all) = list(text, TraceClass::Valid, 4);
    assert_eq!((some.as_slice(), is_all), (&traces[..4], false));
}

#[test]
fn a_given_trace_is_walked_without_exploring_the_rest() {
    let text: String = (0..40).map(|number| format!("a{number} ->> b{number} : m\n")).collect();
    let system = diagram::system(&text);
    let mut sets = Sets::new(&system);
    let mut at = sets.first();
    assert_eq!(sets.next(at).count(), 40);
    for event in ["!a7->b7:m", "?a7->b7:m"] {
        at = sets.after(at, event).expect("it may happen");
        assert_eq!(sets.configs(at).len(), 1);
        assert_eq!(sets.class(at), None);
    }
    assert_eq!(sets.after(at, "?a7->b7:m"), None);
    assert_eq!(sets.after(at, "?a8->b8:m"), None);
    assert!(sets.len() < 200);
}

#[test]
fn a_frame_that_is_only_drawn_changes_nothing() {
    let broken = "loop 2 times\na ->> b : m1\nbreak stop\na ->> b : b1\nend\na ->> b : m2\nend\n";
    let framed =
        "loop 2 times\ngroup Text\na ->> b : m1\nbreak stop\na ->> b : b1\nend\nend\na ->> b : m2\nend\n";
    assert_eq!(count(framed, TraceClass::Valid), count(broken, TraceClass::Valid));
    assert_eq!(count(broken, TraceClass::Valid), "30");
}

/// Invisible choices that may be made at any time: few sets, and many states in each of them.
fn of_many_choices() -> System {
    let choices: String = (0..12).map(|number| format!("opt\na ->> b : m{number}\nend\n")).collect();
    diagram::system(&choices)
}

#[test]
fn large_sets_are_watched_while_they_are_made() {
    let system = of_many_choices();
    let watched = |most: usize| {
        let calls = Cell::new(0);
        let watch = |_: &Progress| {
            calls.set(calls.get() + 1);
            if calls.get() > most { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        };
        let stop = Traces::explore_watched(&system, TraceLimits::default(), &watch).err();
        (stop, calls.get())
    };
    assert_eq!(watched(0), (Some(SearchStop::Watch), 1));
    let (stop, calls) = watched(usize::MAX);
    assert_eq!(stop, None);
    assert!(calls > explore(&system).sets() / 64 + 1, "{calls}");
}

#[test]
fn a_limit_of_work_stops_large_sets() {
    let system = of_many_choices();
    let limits = TraceLimits { looks: 5_000, ..TraceLimits::default() };
    assert_eq!(Traces::explore(&system, limits).err(), Some(SearchStop::States));
}
