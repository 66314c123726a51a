//! UML models with verdicts: JPL's SCA (golden traces of SPIN, the rover property) and the HIPAA diagrams of P0's authors.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use sequent::effort::Effort;
use sequent::pipeline;
use sequent::refinement::{self, ComparedDiagram};
use sequent::settings::Settings;
use sequent_kernel::formula::FormulaWord as Named;
use sequent_kernel::model::{Aspect, Effect, Refines, Subject, Trigger, VertexKind};
use sequent_kernel::semantics::Switches;
use sequent_kernel::source::Sources;
use sequent_kernel::system::{Config, EventKind, Step, System};
use sequent_kernel::verdict::Verdict;

use crate::cases::{ExampleIncludes, ReadCase};
use crate::runs;

/// Models as one system.
fn read(texts: &[(&str, &str)]) -> ReadCase {
    let mut sources = Sources::new();
    let files: Vec<_> = texts.iter().map(|(name, text)| sources.add(*name, *text)).collect();
    let settings = Settings::default();
    let reading = pipeline::read(&files, &mut sources, &mut ExampleIncludes, &settings);
    ReadCase { sources, settings, reading }
}

fn text(path: &Path) -> String {
    std::fs::read_to_string(path).unwrap_or_else(|problem| panic!("{}: {problem}", path.display()))
}

/// A golden trace: the events that were sent, and the calls of each column, which is a process of the original.
struct Golden {
    events: Vec<String>,
    columns: Vec<Vec<String>>,
    column_of: BTreeMap<String, usize>,
}

impl Golden {
    fn new(log: &str) -> Self {
        let mut golden = Golden { events: Vec::new(), columns: Vec::new(), column_of: BTreeMap::new() };
        let mut columns: BTreeMap<usize, usize> = BTreeMap::new();
        for line in log.lines().take_while(|line| !line.starts_with("-----")) {
            let plain = line.replace('\\', "");
            let indent = plain.len() - plain.trim_start().len();
            if let Some(event) = plain.trim().strip_prefix("*** -> ") {
                golden.events.push(event.to_owned());
            } else if let Some(call) = plain.trim().strip_suffix("()") {
                let fresh = columns.len();
                let column = *columns.entry(indent).or_insert(fresh);
                golden.columns.resize(columns.len(), Vec::new());
                golden.columns[column].push(call.to_owned());
                golden.column_of.insert(call.to_owned(), column);
            }
        }
        // Time passes by itself here.
        golden.events.retain(|event| !event.ends_with("TimerEv"));
        golden
    }

    /// Whether some run of a system is sent these events in this order and calls this in each column.
    fn is_run_of(&self, system: &System) -> bool {
        let mut known: BTreeSet<(Config, usize, Vec<usize>)> = BTreeSet::new();
        let mut open = vec![(system.initial(), 0, vec![0; self.columns.len()])];
        while let Some(at) = open.pop() {
            if at.2.iter().zip(&self.columns).all(|(done, all)| *done == all.len()) {
                return true;
            }
            if !known.insert(at.clone()) {
                continue;
            }
            let (config, sent, done) = at;
            for step in runs::steps(system, &config) {
                let mut next = (system.take(&step, &config).expect("possible"), sent, done.clone());
                if self.take(system, &step, &mut next.1, &mut next.2) {
                    open.push(next);
                }
            }
        }
        false
    }

    /// Goes on in the log by what a step shows; `false` if the log says something else.
    fn take(&self, system: &System, step: &Step, sent: &mut usize, done: &mut [usize]) -> bool {
        for event in system.events(step).map(|event| &system.events[event]) {
            if event.kind == EventKind::Send && event.from.is_none() {
                if self.events.get(*sent) != Some(&event.message) {
                    return false;
                }
                *sent += 1;
            } else if let Some((object, call)) =
                event.text.strip_prefix('!').and_then(|text| text.split_once("->:"))
            {
                let call = format!("{object}_{}", call.split('(').next().unwrap_or(call));
                let Some(column) = self.column_of.get(&call) else { return false };
                if self.columns[*column].get(done[*column]) != Some(&call) {
                    return false;
                }
                done[*column] += 1;
            }
        }
        true
    }
}

/// Whether the golden trace of a model of SCA is one of ours.
fn is_golden(folder: &Path, model: &str) -> bool {
    let golden = Golden::new(&text(&folder.join(format!("{model}-expect.txt"))));
    assert!(golden.columns.iter().map(Vec::len).sum::<usize>() > 20, "{model}: there are calls");
    let session = read(&[("model.xml", &text(&folder.join(format!("{model}.xml"))))]);
    let objects = crate::lowered(&session).unwrap_or_else(|problem| panic!("{model}: {problem}"));
    golden.is_run_of(&objects.system)
}

#[test]
fn golden_traces_of_sca() {
    let Some(folder) = crate::verdicts() else { return };
    let all = [
        ("Simple1", "Simple", true),
        ("Composite1", "Hsm", true),
        ("Composite3", "OrthoRegion", true),
        ("Composite5", "Timers", true),
        ("Composite7", "InternalTransFix", true),
        // SCA does not follow histories and terminations: the golden trace stays where it was.
        ("Composite8", "PseudostateEntryFix", false),
    ];
    for (number, model, agrees) in all {
        let folder = folder.join(format!("jpl-sca-spin__{number}"));
        assert_eq!(is_golden(&folder, model), agrees, "{model}");
    }
}

/// What the driver of the original publishes: each event goes to all machines that know it.
const GROUND: &str = "@startuml Ground\n[*] --> run\nrun --> run : / Rover.Drive()\nrun --> run : / Rover.Stop()\n\
    run --> run : / Rover.DeployArm(); Arm.DeployArm()\nrun --> run : / Rover.StowArm(); Arm.StowArm()\n\
    run --> run : / Rover.Error()\nrun --> run : / Rover.Reset()\n@enduml\n";

/// Whether the rover can drive while its arm is deployed.
fn is_dangerous(model: &Path) -> bool {
    let mut session = read(&[("rover.xml", &text(model)), ("ground.puml", GROUND)]);
    let machines = &mut session.reading.model.machines;
    let known: BTreeSet<String> = machines
        .iter()
        .flat_map(|machine| machine.transitions.iter())
        .flat_map(|transition| &transition.triggers)
        .filter_map(|trigger| match trigger {
            Trigger::Event { name, .. } => Some(name.clone()),
            Trigger::After(_) | Trigger::When(_) | Trigger::Any => None,
        })
        .collect();
    // Functions of the implementation are called by nobody else.
    let is_sent = |effect: &Effect| match effect {
        Effect::Send(send) => known.contains(&send.name),
        Effect::Assign(_) | Effect::Opaque { .. } => false,
    };
    for machine in machines.iter_mut() {
        machine.transitions.iter_mut().for_each(|one| one.effects.retain(is_sent));
        for vertex in machine.vertices.iter_mut() {
            if let VertexKind::State(body) = &mut vertex.kind {
                [&mut body.entry, &mut body.exit, &mut body.activity]
                    .into_iter()
                    .for_each(|effects| effects.retain(is_sent));
            }
        }
    }
    session.reading.model.system.closed = Some(true);
    session.reading.model.system.capacity = Some(1);
    let mut objects =
        crate::lowered(&session).unwrap_or_else(|problem| panic!("{}: {problem}", model.display()));
    let states = [("Rover", "Driving"), ("Arm", "Deployed")].map(|(object, state)| {
        let object = objects.named(object).expect("the object");
        objects.in_state(&session.reading.model, object, state).expect("the state")
    });
    let system = &objects.system;
    let mut known: BTreeSet<Config> = BTreeSet::new();
    let mut open = vec![system.initial()];
    while let Some(config) = open.pop() {
        if !known.insert(config.clone()) {
            continue;
        }
        assert!(known.len() < 200_000, "there are few states");
        if states.iter().all(|state| system.holds(*state, &config)) {
            return true;
        }
        open.extend(runs::steps(system, &config).iter().filter_map(|step| system.take(step, &config)));
    }
    false
}

#[test]
fn the_rover_drives_with_its_arm_out_until_it_is_fixed() {
    let Some(folder) = crate::verdicts() else { return };
    let dangerous = ["Rover", "Rover-fixed"]
        .map(|name| is_dangerous(&folder.join(format!("jpl-sca-logscope__{name}/Rover.xml"))));
    assert_eq!(dangerous, [true, false]);
}

/// Whether a hospital does only what the rule says, as far as the rule speaks of it.
fn complies(folder: &Path, hospital: &str) -> bool {
    let read_one = |file: &str| {
        // One of the diagrams calls the individual `1` instead of `q`.
        read(&[("model.uml", &text(&folder.join(file)).replace("\"1-Individual\"", "\"q-Individual\""))])
    };
    let sessions = [read_one("basicHipaa.uml"), read_one(hospital)];
    let sides = sessions.each_ref().map(|session| {
        let model = &session.reading.model;
        let diagram = model.interactions.ids().next().expect("one diagram");
        ComparedDiagram { model, subject: Subject::Interaction(diagram) }
    });
    let place = sides[0].model.interactions.iter().next().expect("one diagram").place;
    let specification = Named { text: sides[0].name().to_owned(), place };
    let hidden = ["startTimer", "checkTimer", "notExpired"]
        .map(|name| Named { text: name.to_owned(), place })
        .to_vec();
    let question = Refines { specification, aspect: Aspect::Traces, hidden };
    match refinement::answer(sides, &question, &Switches::default(), &Effort::default()).verdict {
        Verdict::Holds(_) => true,
        Verdict::Fails(_) => false,
        Verdict::Unknown(reason) => panic!("{hospital}: {reason:?}"),
    }
}

#[test]
fn hospitals_comply_or_not() {
    let Some(folder) = crate::verdicts() else { return };
    let folder = folder.join("rslavin-hipaa");
    assert!(complies(&folder, "basicHospitalComplies.uml"));
    assert!(!complies(&folder, "basicHospitalNotComply.uml"));
}
