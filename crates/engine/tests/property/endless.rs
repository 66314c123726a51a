//! Infinite runs by hand: which count, and what is true of them.

use std::collections::BTreeMap;

use sequent_engine::graph::StateGraph;
use sequent_engine::packed::Program;
use sequent_engine::property::find;
use sequent_engine::search::{Limits, SearchAnswer, unwatched};
use sequent_kernel::property::ltl::{LtlAutomaton, bind};
use sequent_kernel::source::Span;
use sequent_notation::formula::parse;
use sequent_testing::diagram;

fn check(text: &str, formulas: &[(&str, bool)]) {
    let system = diagram::system(text);
    let program = Program::new(&system);
    let mut graph = StateGraph::new(&program);
    for (formula, holds) in formulas {
        let place = Span::new(super::random::place().0.file, 0, formula.len());
        let parsed = parse(formula, place).expect("a formula");
        let bound = bind(&parsed, &system, &BTreeMap::new()).expect("the diagram knows it");
        let observer = LtlAutomaton::violation(&bound).expect("it is small");
        let answer = find(&mut graph, &observer, &Limits::default(), &unwatched).answer;
        assert_eq!(matches!(answer, SearchAnswer::Exhausted), *holds, "{formula}:\n{text}");
    }
}

#[test]
fn a_loop_may_go_on_or_end() {
    check(
        "loop\na ->> b : ping\nb ->> a : pong\nend\na ->> b : bye\n",
        &[
            ("G (sent(ping) -> F received(pong))", true),
            ("F sent(bye)", false),
            ("F end", false),
            ("GF sent(ping) | F sent(bye)", true),
            ("GF sent(ping) -> GF received(pong)", true),
            ("FG !sent(ping)", false),
            ("G (sent(bye) -> G !sent(ping))", true),
        ],
    );
}

#[test]
fn a_loop_that_must_not_end_does_not() {
    check(
        "loop (inf)\na ->> b : ping\nb ->> a : pong\nend\na ->> b : bye\n",
        &[("GF sent(ping)", true), ("G !end", true), ("F sent(bye)", false), ("G !sent(bye)", true)],
    );
}

#[test]
fn what_stands_beside_an_endless_loop_happens() {
    check(
        "par\nloop (inf)\na ->> b : ping\nb ->> a : pong\nend\nelse\nc ->> d : x\nend\n",
        &[
            ("F sent(x)", true),
            ("F received(x)", true),
            ("GF sent(ping)", true),
            ("!sent(ping) W sent(x)", false),
        ],
    );
    // On a lifeline that is kept busy it may happen between two rounds, again and again, and so it does.
    check(
        "par\nloop (inf)\ncritical\na ->> b : ping\nb ->> a : pong\nend\nend\nelse\na ->> c : x\nend\n",
        &[("F sent(x)", true), ("F received(x)", true)],
    );
}

#[test]
fn of_two_endless_loops_none_is_forgotten() {
    check(
        "par\nloop (inf)\na ->> b : p\nb ->> a : q\nend\nelse\nloop (inf)\nc ->> d : r\nd ->> c : s\nend\nend\n",
        &[("GF sent(p) & GF sent(r)", true), ("FG !sent(r)", false), ("G (sent(r) -> F received(s))", true)],
    );
}

#[test]
fn a_loop_in_a_loop_may_keep_the_other_waiting() {
    check(
        "loop\na ->> b : m\nb ->> a : n\nloop\na ->> b : p\nb ->> a : q\nend\nend\n",
        &[
            ("GF sent(m) | F end", false),
            ("GF sent(m) | GF sent(p) | F end", true),
            ("G (sent(m) -> F received(n))", true),
        ],
    );
}
