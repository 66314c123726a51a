//! The worked examples.

use sequent_engine::graph::StateGraph;
use sequent_engine::packed::Program;
use sequent_engine::property::find;
use sequent_engine::search::{Limits, SearchAnswer, unwatched};
use sequent_kernel::id::Id;
use sequent_kernel::model::{InteractionId, Mode, Model};
use sequent_kernel::property::diagram::{DiagramRole, concerns, occurrences, role};
use sequent_kernel::property::{AssertGoal, Assertion, Breach, Negative, Observer, Since};
use sequent_kernel::replay::replay;
use sequent_kernel::semantics::{Assumptions, Switches, lower};
use sequent_kernel::source::Sources;
use sequent_kernel::system::{EventId, Step, System};
use sequent_notation::{Context, resolve};

use crate::simulate::{Reader, runs};

/// A model diagram and a property diagram.
struct Case {
    model: Model,
    assumptions: Assumptions,
    system: System,
}

fn ids() -> [InteractionId; 2] {
    [0, 1].map(InteractionId::from_index)
}

fn case(diagram: &str, property: &str) -> Case {
    case_with(diagram, property, Assumptions::default())
}

/// Two diagrams of PlantUML.
fn case_with(diagram: &str, property: &str, assumptions: Assumptions) -> Case {
    let text = format!("@startuml Model\n{diagram}@enduml\n@startuml Property\n{property}@enduml\n");
    let mut sources = Sources::new();
    let file = sources.add("case.puml", text);
    let mut diagnostics = Vec::new();
    let mut context = Context::without_files(&mut sources, &mut diagnostics);
    let document = sequent_notation::read(file, &mut context);
    let (model, problems) = resolve::resolve(&[document], &sources);
    assert!(diagnostics.is_empty() && problems.is_empty(), "{diagnostics:?} {problems:?}");
    let system = lower(&model, ids()[0], &assumptions).expect("it is lowered");
    Case { model, assumptions, system }
}

impl Case {
    fn negative(&self, mode: Mode) -> Negative {
        Negative::new(&self.model, ids()[1], &self.system, &self.assumptions, mode).expect("it is lowered")
    }

    fn assertion(&self, quest: AssertGoal) -> Assertion {
        Assertion::new(&self.model, ids()[1], &self.system, &self.assumptions, quest).expect("it is lowered")
    }

    /// The runs that an observer accepts.
    fn accepted(&self, observer: &impl Observer) -> Vec<Vec<EventId>> {
        let mut reader = Reader::new(observer);
        runs(&self.system).into_iter().filter(|run| reader.accepts(run)).collect()
    }

    /// How many runs there are, and how many of them contain what is forbidden, strongly and weakly.
    fn unsafe_runs(&self) -> [usize; 3] {
        let [strongly, weakly] = [Mode::Strong, Mode::Weak].map(|mode| {
            let negative = self.negative(mode);
            let found = self.accepted(&negative);
            assert!(!negative.is_strained());
            found.len()
        });
        [runs(&self.system).len(), strongly, weakly]
    }

    /// How many runs there are, and how many of them leave the assertion.
    fn inconsistent_runs(&self) -> [usize; 2] {
        let assertion = self.assertion(AssertGoal::Violation);
        let found = self.accepted(&assertion).len();
        assert!(!assertion.is_strained());
        [runs(&self.system).len(), found]
    }

    fn texts(&self, run: &[EventId]) -> String {
        let texts: Vec<&str> = run.iter().map(|event| self.system.events[*event].text.as_str()).collect();
        texts.join(" ")
    }
}

fn neg(content: &str) -> String {
    format!("group neg\n{content}end\n")
}

const FIGURE_1A: &str = "L1 ->> L2 : m1\nL3 ->> L2 : m2\nL3 ->> L2 : m3\n";

const FIGURE_1B: &str = "L1 ->> L2 : m1\npar [cond1]\nL2 ->> L1 : m2\ncritical [cond3]\nL3 ->> L2 : m3\nL2 ->> L3 : m4\n\
    end\nelse [cond2]\nL1 ->> L2 : m5\nL3 ->> L2 : m6\nend\nL1 ->> L2 : m7\n";

#[test]
fn figure_34() {
    let case = case(FIGURE_1A, &neg("L1 ->> L2 : m1\nL3 ->> L2 : m3\n"));
    assert_eq!(case.unsafe_runs(), [9, 9, 0]);
}

#[test]
fn figure_35() {
    let mu = Switches { guarded_first: true, ..Switches::default() };
    for (switches, expected) in [(Switches::default(), [23_747, 20_406]), (mu, [5_867, 5_442])] {
        let guards = ["cond1", "cond2", "cond3"].map(|name| (name.to_owned(), true)).into();
        let assumptions = Assumptions { guards, switches, ..Assumptions::default() };
        let case = case_with(FIGURE_1B, "L1 ->> L2 : m1\ngroup assert\nL2 ->> L1 : m2\nend\n", assumptions);
        let assertion = case.assertion(AssertGoal::Violation);
        assert_eq!([runs(&case.system).len(), case.accepted(&assertion).len()], expected);
        let text = "!L1->L2:m1 ?L1->L2:m1 !L1->L2:m5 ?L1->L2:m5 !L2->L1:m2 !L3->L2:m3 ?L3->L2:m3 !L2->L3:m4 ?L2->L3:m4 \
            ?L2->L1:m2 !L3->L2:m6 ?L3->L2:m6 !L1->L2:m7 ?L1->L2:m7";
        let witness = case.accepted(&assertion).into_iter().find(|run| case.texts(run) == text);
        let breach = assertion.breach(&witness.expect("it is one")).expect("it leaves the assertion");
        assert_eq!((breach.lifeline.as_str(), &breach.since), ("L1", &Since::Event(0)));
        assert_eq!(breach.wrong, Some(2));
        assert_eq!(breach.expected, ["?L2->L1:m2"]);
    }
}

const ISIS_1: &str = "User ->> Client : enterZip\nUser ->> Client : selectType\n\
    par\nClient ->> Server : getTier\nServer ->> Client : setTier\n\
    else\nClient ->> Server : getRate\nServer ->> Client : setRate\nend\n";

#[test]
fn isis_1_a_wrong_rate() {
    let wrong = neg("Client ->> Server : getRate\nServer ->> Client : setTier\n");
    let case_ = case(ISIS_1, &wrong);
    assert_eq!(case_.unsafe_runs(), [140, 106, 2]);
    let weak = case_.negative(Mode::Weak);
    let found = case_.accepted(&weak);
    assert!(found.iter().all(|run| weak.witness(run) == Some(vec![6, 7, 8, 9])));
    for repaired in [
        ISIS_1.replace("par\n", "group seq\n"),
        ISIS_1.replace("par\n", "group strict\n"),
        format!("{ISIS_1}' @order ?setTier < !getRate\n"),
    ] {
        assert_eq!(case(&repaired, &wrong).unsafe_runs(), [2, 0, 0]);
    }
    let displayed = neg("Server ->> Client : setRate\nServer ->> Client : setTier\n");
    assert_eq!(case(ISIS_1, &displayed).unsafe_runs()[1], 50);
    let never = case(ISIS_1, &neg("Client ->> Server : cancel\nServer ->> Client : setTier\n"));
    assert_eq!(never.unsafe_runs(), [140, 0, 0]);
    assert_eq!(
        never.negative(Mode::Strong).strangers(),
        ["!Client->Server:cancel", "?Client->Server:cancel"]
    );
    let empty = case(ISIS_1, "participant Client\ngroup neg\nend\n");
    assert_eq!(empty.unsafe_runs(), [140, 0, 0]);
    assert!(matches!(role(&empty.model, ids()[1]), DiagramRole::Forbidden(part) if part.is_empty));
}

const ISIS_2: &str = "par\nClient ->> EomServer : startEom\nEomServer ->> Billing : seal\nBilling ->> EomServer : sealed\n\
    EomServer ->> Reporter : genReports\nelse\nClient ->> Isis : use\nIsis ->> Client : page\nend\n";

#[test]
fn isis_2_reports_after_sealing() {
    let reports = "Billing ->> EomServer : sealed\ngroup assert\nEomServer ->> Reporter : genReports\nend\n";
    assert_eq!(case(ISIS_2, reports).inconsistent_runs(), [495, 0]);
    assert_eq!(case(&ISIS_2.replace("Isis", "EomServer"), reports).inconsistent_runs(), [495, 105]);
    let apart = ISIS_2.replace("EomServer ->> Reporter", "else\nEomServer ->> Reporter");
    assert_eq!(case(&apart, reports).inconsistent_runs(), [13_860, 13_365]);
    let hazard = neg("EomServer ->> Reporter : genReports\nBilling ->> EomServer : sealed\n");
    assert_eq!(case(&apart, &hazard).unsafe_runs()[1], 13_365);
    assert_eq!(case(ISIS_2, &hazard).unsafe_runs()[1], 0);
}

/// The events of the first run that leaves an assertion, and where it does.
fn left(case: &Case) -> (String, Breach) {
    let assertion = case.assertion(AssertGoal::Violation);
    let run = case.accepted(&assertion).remove(0);
    (case.texts(&run), assertion.breach(&run).expect("it leaves the assertion"))
}

#[test]
fn nothing_stands_above_on_one_lifeline() {
    let reports = "Billing ->> EomServer : sealed\ngroup assert\nEomServer ->> Reporter : genReports\nend\n";
    let count = |diagram: &str| case(diagram, reports).inconsistent_runs();
    let sealed = "Billing ->> EomServer : sealed\n";
    let report = "EomServer ->> Reporter : genReports\n";
    // Without sealing no report need come.
    let opt = format!("opt\n{sealed}{report}end\nClient ->> EomServer : use\n");
    assert_eq!(count(&opt)[1], 0);
    assert_eq!(count(report), [1, 0]);
    assert_eq!(count("Client ->> Isis : use\n"), [1, 0]);
    // Those that seal must report.
    let forgotten = case(&format!("Client ->> EomServer : use\nopt\n{sealed}end\n"), reports);
    let [all, violating] = forgotten.inconsistent_runs();
    assert!(violating > 0 && violating < all);
    // The reports come, and more should.
    let lost = case(
        &format!("{sealed}{report}"),
        &reports.replace("genReports\nend", "genReports\nEomServer ->> Reporter : more\nend"),
    );
    assert_eq!(lost.inconsistent_runs(), [1, 1]);
    let (_, breach) = left(&lost);
    assert_eq!((breach.lifeline.as_str(), breach.since, breach.wrong), ("EomServer", Since::Event(1), None));
    // Nothing else may come first on the reporter, sealed or not.
    let ping = "Client ->> Reporter : ping\n";
    assert_eq!(count(ping), [1, 1]);
    let (_, breach) = left(&case(ping, reports));
    assert_eq!((breach.lifeline.as_str(), breach.since, breach.wrong), ("Reporter", Since::Early, Some(1)));
    assert_eq!(breach.expected, ["?EomServer->Reporter:genReports"]);
    // Afterwards anything may.
    assert_eq!(count(&format!("{sealed}{report}Reporter ->> EomServer : done\n")), [1, 0]);
}

#[test]
fn due_elsewhere() {
    // What the server must do is left to choice, what the reporter must do is not.
    let property = "b ->> s : sealed\ngroup assert\nopt p\ns ->> b : ok\nend\nc ->> r : report\nend\n";
    assert_eq!(case("b ->> s : other\n", property).inconsistent_runs(), [1, 0]);
    let sealed = case("b ->> s : sealed\n", property);
    assert_eq!(sealed.inconsistent_runs(), [1, 1]);
    let (run, breach) = left(&sealed);
    assert_eq!(run, "!b->s:sealed ?b->s:sealed");
    assert_eq!((breach.since, breach.wrong), (Since::Elsewhere(0, "b".to_owned()), None));
    // It may come in part before it is due; the rest is due then.
    let parts = "b ->> s : sealed\ngroup assert\nc ->> r : one\nc ->> r : two\ns ->> b : ok\nend\n";
    assert_eq!(case("c ->> r : one\n", parts).inconsistent_runs(), [1, 0]);
    let [all, violating] = case("c ->> r : one\nb ->> s : sealed\ns ->> b : ok\n", parts).inconsistent_runs();
    assert_eq!(all, violating);
    let whole = "c ->> r : one\nc ->> r : two\nb ->> s : sealed\ns ->> b : ok\n";
    assert_eq!(case(whole, parts).inconsistent_runs()[1], 0);
    // What stands above it is on none of its lifelines: it is due from the start.
    let apart = "a ->> b : x\ngroup assert\nc ->> d : y\nend\n";
    assert_eq!(case("e ->> f : z\n", apart).inconsistent_runs(), [1, 1]);
    assert_eq!(left(&case("e ->> f : z\n", apart)).1.since, Since::Start);
}

/// Strongly unsafe runs of m1 and m2 one after the other, under some switches and guards.
fn forbidden(property: &str, settings: &[&str], guards: &[(&str, bool)]) -> usize {
    let mut switches = Switches::default();
    for setting in settings {
        let (name, value) = setting.split_once('=').expect("a name and a value");
        switches.set(name, value).expect("a switch");
    }
    let guards = guards.iter().map(|(name, value)| ((*name).to_owned(), *value)).collect();
    let assumptions = Assumptions { switches, guards, ..Assumptions::default() };
    let case = case_with("L1 ->> L2 : m1\nL3 ->> L2 : m2\n", property, assumptions);
    case.accepted(&case.negative(Mode::Strong)).len()
}

#[test]
fn variations_of_negation() {
    let negated = "group neg [cond1]\nL1 ->> L2 : m1\nL3 ->> L2 : m2\nend\n";
    assert_eq!(forbidden(negated, &[], &[("cond1", true)]), 3);
    assert_eq!(forbidden(negated, &[], &[]), 3);
    assert_eq!(forbidden(negated, &[], &[("cond1", false)]), 0);
    assert_eq!(forbidden(negated, &["false-neg=invalid"], &[("cond1", false)]), 3);
    // The inner one alone is more than the outer one forbids by itself.
    let nested = "group neg [cond1]\ngroup neg [cond2]\nL1 ->> L2 : m1\nL3 ->> L2 : m2\nend\nend\n";
    let both = [("cond1", true), ("cond2", true)];
    assert_eq!(forbidden(nested, &[], &both), 3);
    assert_eq!(forbidden(nested, &["double-neg=valid"], &both), 0);
    assert_eq!(forbidden(nested, &["double-neg=inconclusive"], &both), 0);
    assert_eq!(forbidden(nested, &[], &[("cond1", false), ("cond2", true)]), 0);
    assert_eq!(forbidden(nested, &["false-neg=invalid"], &[("cond1", false), ("cond2", true)]), 3);
    assert_eq!(forbidden(nested, &[], &[("cond1", true), ("cond2", false)]), 0);
    // What stands beside the inner one is forbidden with and without it.
    let beside = "group neg\nL1 ->> L2 : m1\ngroup neg\nL3 ->> L2 : m2\nend\nend\n";
    assert_eq!(forbidden(beside, &[], &[]), 3);
    assert_eq!(forbidden(beside, &["double-neg=valid"], &[]), 3);
}

#[test]
fn what_is_ignored_or_considered_in_a_property() {
    let row = "a ->> b : x\nb ->> a : beat\na ->> b : y\n";
    let plain = "a ->> b : x\na ->> b : y\n";
    assert_eq!(case(row, &neg(plain)).unsafe_runs(), [1, 1, 0]);
    let ignoring = format!("group ignore {{beat}}\n{plain}end\n");
    assert_eq!(case(row, &neg(&ignoring)).unsafe_runs(), [1, 1, 1]);
    let considering = format!("group consider {{x, y}}\n{plain}end\n");
    assert_eq!(case(row, &neg(&considering)).unsafe_runs(), [1, 1, 1]);
    let with_beat = format!("group consider {{x, y, beat}}\n{plain}end\n");
    assert_eq!(case(row, &neg(&with_beat)).unsafe_runs(), [1, 0, 0]);
    // Before the fragment begins and after it is over the type may happen.
    let around = format!("b ->> a : beat\n{plain}b ->> a : beat\n");
    assert_eq!(case(&around, &neg(&with_beat)).unsafe_runs()[1..], [2, 2]);
    let asserted = |content: &str| format!("a ->> b : x\ngroup assert\n{content}end\n");
    let follows = asserted("a ->> b : y\n");
    assert_eq!(case(row, &follows).inconsistent_runs(), [1, 1]);
    let ignoring = asserted("group ignore {beat}\na ->> b : y\nend\n");
    assert_eq!(case(row, &ignoring).inconsistent_runs(), [1, 0]);
}

#[test]
fn messages_are_matched_by_type_lifelines_and_given_arguments() {
    let row = "atm ->> bank : verify(7)\nbank ->> atm : result(code=3, ok=false)\n";
    let count = |property: &str| case(row, &neg(property)).unsafe_runs()[1];
    assert_eq!(count("atm ->> bank : verify\nbank ->> atm : result(ok=false)\n"), 1);
    assert_eq!(count("atm ->> bank : verify(7)\n"), 1);
    assert_eq!(count("atm ->> bank : verify(8)\n"), 0);
    assert_eq!(count("bank ->> atm : result(ok=true)\n"), 0);
    assert_eq!(count("atm ->> client : verify\n"), 0);
    assert_eq!(count("[->> bank : verify\n"), 1);
    assert_eq!(count("bank ->> atm : verify\n"), 0);
}

#[test]
fn what_must_come_does_come() {
    let property = "a ->> b : ask\ngroup assert\nb ->> a : answer\nend\n";
    assert_eq!(case("a ->> b : ask\n", property).inconsistent_runs(), [1, 1]);
    assert_eq!(case("a ->> b : ask\nb ->> a : answer\n", property).inconsistent_runs(), [1, 0]);
    let again = "a ->> b : ask\nb ->> a : answer\na ->> b : ask\n";
    assert_eq!(case(again, property).inconsistent_runs(), [1, 1]);
    assert_eq!(case(&format!("{again}b ->> a : answer\n"), property).inconsistent_runs(), [1, 0]);
    // Nothing precedes it: it is due when the run begins, and not again.
    let first = "group assert\na ->> b : hello\nend\n";
    assert_eq!(case("a ->> b : hello\na ->> b : ask\n", first).inconsistent_runs(), [2, 0]);
    assert_eq!(case("a ->> b : ask\na ->> b : hello\n", first).inconsistent_runs(), [2, 2]);
    // Of a choice either will do.
    let either =
        "a ->> b : ask\ngroup assert\nalt yes\nb ->> a : answer\nelse no\nb ->> a : sorry\nend\nend\n";
    assert_eq!(case("a ->> b : ask\nb ->> a : sorry\n", either).inconsistent_runs(), [1, 0]);
}

#[test]
fn a_guard_has_one_value_in_the_trigger_and_the_assertion() {
    let property = "opt p\na ->> b : x\nend\na ->> b : y\ngroup assert\nopt p\nb ->> a : z\nend\nend\n";
    assert_eq!(case("a ->> b : x\na ->> b : y\nb ->> a : z\n", property).inconsistent_runs(), [2, 0]);
    assert_eq!(case("a ->> b : y\n", property).inconsistent_runs(), [1, 0]);
}

#[test]
fn whether_an_assertion_is_due_at_all() {
    let property = "a ->> b : ask\ngroup assert\nb ->> a : answer\nend\n";
    let triggered = |diagram: &str, property: &str| {
        let case = case(diagram, property);
        case.accepted(&case.assertion(AssertGoal::Trigger)).len()
    };
    assert_eq!(triggered("a ->> b : ask\n", property), 1);
    assert_eq!(triggered("b ->> a : answer\n", property), 0);
    assert_eq!(triggered("b ->> a : answer\n", "group assert\nb ->> a : answer\nend\n"), 1);
}

#[test]
fn roles() {
    let roles = |property: &str| {
        let case = case("a ->> b : m\n", property);
        (
            role(&case.model, ids()[1]),
            concerns(&occurrences(&case.model, ids()[1]), &occurrences(&case.model, ids()[0])),
        )
    };
    assert!(
        matches!(roles("title T\nnote over a : n\ngroup neg\na ->> b : m\nend\n"), (DiagramRole::Forbidden(part), true) if !part.is_empty)
    );
    assert!(matches!(
        roles("group Frame\ngroup neg\na ->> b : x\nend\nend\n"),
        (DiagramRole::Forbidden(_), false)
    ));
    assert!(matches!(roles("a ->> b : x\ngroup neg\na ->> b : m\nend\n"), (DiagramRole::Model, true)));
    assert!(matches!(
        roles("a ->> b : x\ngroup assert\na ->> b : m\nend\nb ->> a : y\n"),
        (DiagramRole::Mandatory(_), true)
    ));
    assert!(
        matches!(roles("a ->> b : x\ngroup assert\nend\n"), (DiagramRole::Mandatory(part), false) if part.is_empty)
    );
    assert!(matches!(roles("opt\ngroup assert\na ->> b : m\nend\nend\n"), (DiagramRole::Model, true)));
}

/// The events of a run that an observer accepts, and those of its cycle, found by a search.
fn searched(case: &Case, observer: &impl Observer) -> Option<[String; 2]> {
    let program = Program::new(&case.system);
    let mut graph = StateGraph::new(&program);
    let SearchAnswer::Found(run) = find(&mut graph, observer, &Limits::default(), &unwatched).answer else {
        return None;
    };
    replay(&case.system, &run).expect("the run is one");
    let told = |steps: &[Step]| {
        let events: Vec<EventId> = steps.iter().flat_map(|step| case.system.events(step)).collect();
        case.texts(&events)
    };
    let (prefix, cycle) = run.steps.split_at(run.cycle.unwrap_or(run.steps.len()));
    Some([told(prefix), told(cycle)])
}

#[test]
fn runs_that_never_end() {
    let asked = "a ->> b : ask\nloop (inf)\na ->> b : tick\nb ->> a : tock\nend\n";
    let property = "a ->> b : ask\ngroup assert\nb ->> a : answer\nend\n";
    let case_ = case(asked, property);
    let found = searched(&case_, &case_.assertion(AssertGoal::Violation)).expect("it never answers");
    assert!(found[0].starts_with("!a->b:ask"), "{found:?}");
    // Whoever waits on another lifeline waits in vain.
    let elsewhere = "a ->> b : ask\nloop (inf)\nc ->> d : tick\nd ->> c : tock\nend\n";
    let case_ = case(elsewhere, property);
    assert!(searched(&case_, &case_.assertion(AssertGoal::Violation)).is_some());
    let answered = "loop (inf)\na ->> b : ask\nb ->> a : answer\nend\n";
    let case_ = case(answered, property);
    assert_eq!(searched(&case_, &case_.assertion(AssertGoal::Violation)), None);
    assert!(searched(&case_, &case_.assertion(AssertGoal::Trigger)).is_some());
    // What may lie in between may also be what must come.
    let ignoring =
        |content: &str| format!("a ->> b : ask\ngroup assert\ngroup ignore {{answer}}\n{content}end\nend\n");
    let once = "a ->> b : ask\nb ->> a : answer\nloop (inf)\nc ->> d : tick\nend\n";
    let case_ = case(once, &ignoring("b ->> a : answer\n"));
    assert_eq!(searched(&case_, &case_.assertion(AssertGoal::Violation)), None);
    let forever = "a ->> b : ask\nloop (inf)\nb ->> a : answer\nend\n";
    let case_ = case(forever, &ignoring("b ->> a : answer\nb ->> a : bye\n"));
    assert!(searched(&case_, &case_.assertion(AssertGoal::Violation)).is_some());
    // Where nothing stands above it, it waits in vain once it is due elsewhere, and not before.
    let reports = "a ->> b : sealed\ngroup assert\nb ->> c : report\nend\n";
    let beside = |above: &str| {
        let case = case(&format!("{above}loop (inf)\nd ->> e : tick\nend\n"), reports);
        searched(&case, &case.assertion(AssertGoal::Violation))
    };
    assert_eq!(beside(""), None);
    assert!(beside("a ->> b : sealed\n").is_some());
    assert_eq!(beside("a ->> b : sealed\nb ->> c : report\n"), None);
    let twice = case(answered, &neg("a ->> b : ask\na ->> b : ask\n"));
    assert!(searched(&twice, &twice.negative(Mode::Strong)).is_some());
    assert_eq!(searched(&twice, &twice.negative(Mode::Weak)), None);
}

#[test]
fn properties_with_loops_without_bound() {
    let row = "a ->> b : x\na ->> b : x\na ->> b : x\nb ->> a : y\n";
    let many = neg("loop (2,*)\na ->> b : x\nend\nb ->> a : y\n");
    let strong = |diagram: &str, window: usize| {
        let case = case_with(diagram, &many, Assumptions { window, ..Assumptions::default() });
        let negative = case.negative(Mode::Weak);
        (case.accepted(&negative).len(), runs(&case.system).len(), negative.is_strained())
    };
    // The sender may be three iterations ahead of the receiver: a narrow window says that it is narrow.
    assert!(strong(row, 1).2);
    assert_eq!(strong(row, 4), (5, 5, false));
    assert_eq!(strong("a ->> b : x\nb ->> a : y\n", 4).0, 0);
    let follows = "a ->> b : go\ngroup assert\nloop (0,*)\na ->> b : x\nend\na ->> b : stop\nend\n";
    let consistent = |diagram: &str| {
        let case = case(diagram, follows);
        let assertion = case.assertion(AssertGoal::Violation);
        let found = case.accepted(&assertion).len();
        assert!(!assertion.is_strained());
        found
    };
    assert_eq!(consistent("a ->> b : go\na ->> b : x\na ->> b : x\na ->> b : stop\n"), 0);
    assert_ne!(consistent("a ->> b : go\na ->> b : x\nb ->> a : y\na ->> b : stop\n"), 0);
}
