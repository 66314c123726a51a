//! Several processes answer as one does: the same runs, the same numbers of states. A worker that is killed is told within
//! seconds, and nothing is decided then.
//!
//! The test starts itself as the workers, so it has no harness. `SEQUENT_RANDOM=1000` looks at more random systems, and kills
//! 50 workers. `cargo test --release -p sequent-cluster --test agreement -- --bench`
//! measures instead, with `--large` systems of ten million states.

mod endless;
mod family;
mod measure;

use std::cell::RefCell;
use std::io::Write;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitCode, Stdio};
use std::rc::Rc;
use std::time::{Duration, Instant};

use family::{Subject, counters, formula, philosophers, random, stairs};
use sequent_cluster::{Circle, Cluster, Hosts, Invitation, Joining, serve};
use sequent_engine::decision::{Decision, Engine, EngineOptions};
use sequent_engine::explicit;
use sequent_engine::graph::StateGraph;
use sequent_engine::packed::Program;
use sequent_engine::property::{is_by_order, observed};
use sequent_engine::search::{self, Limits, Progress, ProgressWatch, SearchAnswer, SearchStop, unwatched};
use sequent_kernel::property::ltl::LtlAutomaton;
use sequent_kernel::question::{Case, Goal, Watcher};
use sequent_kernel::random::Random;
use sequent_kernel::system::{Endless, System};
use sequent_kernel::verdict::Reason;

const WAIT: Duration = Duration::from_secs(60);

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    if let [word, coordinator, process, program, spill @ ..] = arguments.as_slice() {
        if word == "worker" {
            return work(coordinator, process, program, spill.first().map(PathBuf::from));
        }
    }
    if arguments.iter().any(|argument| argument == "--list") {
        return ExitCode::SUCCESS;
    }
    if arguments.iter().any(|argument| argument == "--bench") {
        measure::run(arguments.iter().any(|argument| argument == "--large"));
        return ExitCode::SUCCESS;
    }
    let wanted = |name: &str| {
        let mut words = arguments.iter().filter(|argument| !argument.starts_with('-')).peekable();
        words.peek().is_none() || words.any(|word| name.contains(word.as_str()))
    };
    let tests: [(&str, fn()); 8] = [
        ("answers_do_not_depend_on_the_number_of_processes", answers),
        ("runs_that_go_on_forever_are_found_by_several_processes", cycles),
        ("limits_stop_workers", limits),
        ("states_that_do_not_fit_into_memory_are_put_on_disk", spilled),
        ("a_worker_that_is_killed_is_told", killed),
        ("a_worker_that_hangs_is_told", hanging),
        ("who_does_not_belong_is_not_let_in", strangers),
        ("hosts_that_are_missing_are_told", missing),
    ];
    for (name, test) in tests.into_iter().filter(|(name, _)| wanted(name)) {
        print!("test {name} ... ");
        // The name is to be seen if the test does not end.
        let _ = std::io::stdout().flush();
        test();
        println!("ok");
    }
    ExitCode::SUCCESS
}

fn work(coordinator: &str, process: &str, program: &str, spill: Option<PathBuf>) -> ExitCode {
    let mut token = String::new();
    std::io::stdin().read_line(&mut token).expect("a token is given");
    let joining = Joining {
        coordinator: coordinator.to_owned(),
        process: process.parse().expect("it is a number"),
        address: "127.0.0.1:0".to_owned(),
        circle: Circle { token: token.trim().to_owned(), program: program.to_owned() },
        wait: WAIT,
        spill,
    };
    match serve(&joining, |_| std::process::exit(3)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(_) => ExitCode::from(3),
    }
}

fn start(invitation: &Invitation, program: &str) -> std::io::Result<Child> {
    start_with(invitation, program, None)
}

fn start_with(invitation: &Invitation, program: &str, spill: Option<&Path>) -> std::io::Result<Child> {
    let mut child = Command::new(std::env::current_exe()?)
        .args(["worker", &invitation.coordinator, &invitation.process.to_string(), program])
        .args(spill)
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()?;
    if let Some(mut input) = child.stdin.take() {
        writeln!(input, "{}", invitation.token)?;
    }
    Ok(child)
}

/// So many workers, which are asked at once, and their processes.
fn cluster(processes: usize) -> (Cluster, Vec<u32>) {
    let started = RefCell::new(Vec::new());
    let start = |invitation: &Invitation| {
        let child = start(invitation, "same")?;
        started.borrow_mut().push(child.id());
        Ok(child)
    };
    let cluster = Cluster::local(processes, "same", WAIT, &start).expect("they come together");
    (cluster.with_quick_look(0), started.into_inner())
}

fn cases(subject: &Subject) -> Vec<Case> {
    let system = Rc::new(subject.system.clone());
    let goals = [Goal::Stuck].into_iter().chain(subject.goals.iter().map(|goal| Goal::State(*goal)));
    goals.map(|goal| Case::new(&system, goal)).collect()
}

pub(crate) type Told = (SearchAnswer, usize, bool, &'static str);

fn told(decision: &Decision<'_>) -> Told {
    (decision.answer.clone(), decision.states, decision.is_truncated, decision.engine)
}

/// What one process says that does not look nearby first, and whether it looks at the states level by level.
fn alone(case: &Case) -> (Told, bool) {
    let program = Program::new(&case.system);
    let mut graph = StateGraph::new(&program);
    if let Goal::Accepted(Watcher::Formula(automaton)) = &case.goal
        && !is_by_order(&case.system, &**automaton)
        && let Some(finding) = observed::find(
            &mut graph,
            automaton,
            &search::SearchOptions { threads: 1, ..Default::default() },
            &unwatched,
        )
    {
        return ((finding.answer, finding.progress.states, finding.is_strained, explicit::NAME), true);
    }
    let goes_deep = matches!(case.goal, Goal::Accepted(_)) && case.system.endless.is_some();
    (told(&explicit::decide(case, &mut graph, &Limits::default(), 1, &unwatched)), !goes_deep)
}

/// Formulas about it, where runs end and where they may go on forever.
fn formulas(subject: &Subject, dice: &mut Random) -> Vec<Case> {
    let endless = System { endless: Some(Endless::default()), ..subject.system.clone() };
    let mut cases = Vec::new();
    for system in [Rc::new(subject.system.clone()), Rc::new(endless)] {
        for _ in 0..3 {
            let Ok(automaton) = LtlAutomaton::violation(&formula(subject, dice)) else { continue };
            cases.push(Case::new(&system, Goal::Accepted(Watcher::Formula(Rc::new(automaton)))));
        }
    }
    cases
}

fn decide<'c>(engine: &Cluster, case: &'c Case, limits: Limits, watch: ProgressWatch<'_>) -> Decision<'c> {
    let program = Program::new(&case.system);
    let options = EngineOptions { limits, threads: 1, within: None, is_patient: true, watch, time: None };
    engine.decide(case, &mut StateGraph::new(&program), &options)
}

fn subjects() -> Vec<Subject> {
    let count = sequent_random().unwrap_or(60);
    let mut subjects: Vec<Subject> = (0..count).map(random).collect();
    subjects.extend((3..8).map(philosophers));
    subjects.extend([counters(1, 2), counters(1, 500), counters(2, 40), counters(3, 12), counters(5, 5)]);
    subjects.extend([counters(40, 1), stairs(2, 30), stairs(4, 8), stairs(5, 6), stairs(3, 17)]);
    subjects
}

fn sequent_random() -> Option<u64> {
    std::env::var("SEQUENT_RANDOM").ok()?.parse().ok()
}

fn answers() {
    let clusters: Vec<(usize, Cluster)> = [1, 2, 3, 4].map(|count| (count, cluster(count).0)).into();
    let (mut found, mut shared, mut dice) = (0, 0, Random::new(11));
    for subject in subjects() {
        let cases: Vec<Case> = cases(&subject).into_iter().chain(formulas(&subject, &mut dice)).collect();
        for (number, case) in cases.iter().enumerate() {
            let (one, is_by_levels) = alone(case);
            found += usize::from(matches!(one.0, SearchAnswer::Found(_)));
            for (count, cluster) in &clusters {
                let before = cluster.traffic();
                let several = decide(cluster, case, Limits::default(), &unwatched);
                let is_formula = matches!(case.goal, Goal::Accepted(_));
                shared += usize::from(is_formula && cluster.traffic() != before);
                if !is_by_levels
                    && matches!((&several.answer, &one.0), (SearchAnswer::Found(_), SearchAnswer::Found(_)))
                {
                    // Which run is found, and after how many states, may differ.
                    continue;
                }
                assert_eq!(
                    told(&several),
                    one,
                    "{}, question {number}, {count} processes: {:?}",
                    subject.name,
                    several.reason
                );
            }
        }
    }
    assert!(found > 50, "most questions are answered by a run");
    assert!(shared > 100, "workers decide formulas: {shared}");
}

fn cycles() {
    let clusters: Vec<(usize, Cluster)> = [1, 2, 3].map(|count| (count, cluster(count).0)).into();
    endless::check(&clusters);
}

fn limits() {
    let (cluster, _) = cluster(2);
    let subject = counters(5, 8);
    let case = &cases(&subject)[2];
    let limits = Limits { states: 2_000, ..Limits::default() };
    assert_eq!(decide(&cluster, case, limits, &unwatched).answer, SearchAnswer::Stopped(SearchStop::States));
    let limits = Limits { bytes: 100_000, ..Limits::default() };
    assert_eq!(decide(&cluster, case, limits, &unwatched).answer, SearchAnswer::Stopped(SearchStop::Memory));
    let limits = Limits { depth: 3, ..Limits::default() };
    assert_eq!(decide(&cluster, case, limits, &unwatched).answer, SearchAnswer::Stopped(SearchStop::Depth));
    let over = |_: &Progress| ControlFlow::Break(());
    assert_eq!(
        decide(&cluster, case, Limits::default(), &over).answer,
        SearchAnswer::Stopped(SearchStop::Watch)
    );
    // Workers that were stopped search again.
    let whole = decide(&cluster, case, Limits::default(), &unwatched);
    assert_eq!((whole.answer, whole.states), (SearchAnswer::Exhausted, 8_usize.pow(5)));
}

fn spilled() {
    let folder = std::env::temp_dir().join(format!("sequent-spill-test-{}", std::process::id()));
    for (subject, processes) in [(counters(4, 9), 1), (counters(3, 17), 3)] {
        let start = |invitation: &Invitation| start_with(invitation, "same", Some(&folder));
        let cluster = Cluster::local(processes, "same", WAIT, &start).expect("they come together");
        let (on_disk, (in_memory, _)) = (cluster.with_quick_look(0), self::cluster(processes));
        let limits = Limits { bytes: 80_000, ..Limits::default() };
        let mut is_full = false;
        for case in cases(&subject) {
            let whole = decide(&in_memory, &case, Limits::default(), &unwatched);
            let small = decide(&in_memory, &case, limits, &unwatched);
            is_full |= small.answer == SearchAnswer::Stopped(SearchStop::Memory);
            let spilled = decide(&on_disk, &case, limits, &unwatched);
            assert_eq!(told(&spilled), told(&whole), "{}, {processes} processes", subject.name);
        }
        assert!(is_full, "{} does not fit into memory", subject.name);
    }
    std::fs::remove_dir(&folder).expect("no file is left");
}

/// Sends a signal. Every shell has `kill`; a program of that name is not everywhere.
fn signal(name: &str, process: u32) {
    let sent = Command::new("sh").args(["-c", &format!("kill {name} {process}")]).status();
    assert!(sent.is_ok_and(|status| status.success()), "the signal is sent");
}

fn killed() {
    let mut dice = Random::new(7);
    let subject = counters(6, 12);
    let case = &cases(&subject)[2];
    let times = if sequent_random().is_some() { 50 } else { 5 };
    let mut told = 0;
    for _ in 0..times {
        let (cluster, workers) = cluster(3);
        let victim = workers[dice.below(3)];
        let when = Duration::from_millis(dice.below(1_500) as u64);
        let start = Instant::now();
        let killer = std::thread::spawn(move || {
            std::thread::sleep(when);
            signal("-KILL", victim);
            Instant::now()
        });
        let decision = decide(&cluster, case, Limits::default(), &unwatched);
        let end = Instant::now();
        let killed = killer.join().expect("it is sent");
        match decision.answer {
            // It may have been too late.
            SearchAnswer::Exhausted => assert_eq!(decision.states, 12_usize.pow(6)),
            SearchAnswer::Found(_) => panic!("there is nothing to be found"),
            SearchAnswer::Stopped(_) => {
                told += 1;
                let Some(Reason::Tool(why)) = &decision.reason else { panic!("{:?}", decision.reason) };
                assert!(why.contains("worker") && why.contains("signal: 9"), "{why}");
                assert!(end.duration_since(killed) < Duration::from_secs(8), "after {:?}", start.elapsed());
                let again = decide(&cluster, case, Limits::default(), &unwatched);
                assert_eq!(again.reason, decision.reason, "nothing is decided any more");
            }
        }
    }
    assert!(told * 2 > times, "most are killed in time");
}

fn hanging() {
    let (cluster, workers) = cluster(2);
    let subject = counters(6, 12);
    signal("-STOP", workers[1]);
    let start = Instant::now();
    let case = &cases(&subject)[2];
    let decision = decide(&cluster, case, Limits::default(), &unwatched);
    let Some(Reason::Tool(why)) = &decision.reason else { panic!("{:?}", decision.reason) };
    assert!(why.contains("worker 1 has not answered"), "{why}");
    assert!(start.elapsed() < Duration::from_secs(20), "{:?}", start.elapsed());
}

fn strangers() {
    let wait = Duration::from_millis(1_500);
    let other = |invitation: &Invitation| start(invitation, "another program");
    let why = Cluster::local(2, "same", wait, &other).err().expect("they differ");
    assert!(why.contains("the programs differ") || why.contains("has ended"), "{why}");
    let guess = |invitation: &Invitation| {
        let token = "0".repeat(invitation.token.len());
        start(&Invitation { token, ..invitation.clone() }, "same")
    };
    let why = Cluster::local(2, "same", wait, &guess).err().expect("they do not know the token");
    assert!(why.contains("token") || why.contains("has ended"), "{why}");
    // Who says nothing that can be read does no harm.
    let noisy = |invitation: &Invitation| {
        let mut stream = std::net::TcpStream::connect(&invitation.coordinator)?;
        stream.write_all(b"GET / HTTP/1.1\r\n\r\n")?;
        start(invitation, "same")
    };
    let cluster = Cluster::local(2, "same", WAIT, &noisy).expect("it comes together all the same");
    let subject = stairs(3, 4);
    assert!(
        decide(&cluster.with_quick_look(0), &cases(&subject)[0], Limits::default(), &unwatched).is_decided()
    );
}

fn missing() {
    let hosts =
        Hosts::parse("token 0123456789abcdef\n127.0.0.1:17401\n127.0.0.1:17402\n").expect("it is well");
    let begun = Instant::now();
    let own = |invitation: &Invitation| start(invitation, "same");
    let why = Cluster::hosts(&hosts, "same", Duration::from_secs(1), &own).err().expect("one is missing");
    assert!(why.contains("worker 1 (127.0.0.1:17402) has not joined within 1 seconds"), "{why}");
    assert!(begun.elapsed() < Duration::from_secs(8));
    let circle = Circle { token: hosts.token, program: "same".to_owned() };
    let [coordinator, address] = [&hosts.addresses[0], &hosts.addresses[1]].map(|one| one.to_owned());
    let wait = Duration::from_secs(1);
    let joining = Joining { coordinator, process: 1, address, circle, wait, spill: None };
    let why = serve(&joining, |_| std::process::exit(3)).expect_err("nobody is there");
    assert!(why.contains("`127.0.0.1:17401` cannot be reached"), "{why}");
}
