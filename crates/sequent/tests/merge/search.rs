//! Orders that had to be searched for, against the definition: every order is written out, read, and judged alone.

use sequent::effort::Effort;
use sequent::merge::draft::ConflictMarks;
use sequent::merge::{
    ConsistencyLevel, Environment, FileModel, Interleaving, Merge, MergeOptions, MergeTask, VersionFiles,
    possible,
};
use sequent::settings::Settings;
use sequent_kernel::random::Random;
use sequent_kernel::verdict::Verdict;
use sequent_notation::{Loader, NoFiles};
use sequent_testing::seeds::seeds;

/// A case of its own: the machines, and three versions.
struct Case {
    machines: String,
    versions: [String; 3],
}

/// Two machines of two or three states that take and send four messages.
fn machines(random: &mut Random) -> String {
    let mut text = String::new();
    for (name, other, own) in [("A", "b", ["m0", "m1"]), ("B", "a", ["m2", "m3"])] {
        text.push_str(&format!("@startuml {name}\n[*] --> s0\n"));
        let states = 2 + random.below(2);
        for _ in 0..2 + random.below(3) {
            let (from, to) = (random.below(states), random.below(states));
            let taken = own[random.below(2)];
            let sent = match random.below(3) {
                0 => format!(
                    " / {other}.{}",
                    if other == "b" { ["m2", "m3"] } else { ["m0", "m1"] }[random.below(2)]
                ),
                _ => String::new(),
            };
            text.push_str(&format!("s{from} --> s{to} : {taken}{sent}\n"));
        }
        text.push_str("@enduml\n");
    }
    text
}

fn line(random: &mut Random) -> String {
    let lines = [
        "u ->> a : m0",
        "u ->> a : m1",
        "u ->> a : m0",
        "u ->> a : m1",
        "u ->> b : m2",
        "u ->> b : m3",
        "a ->> b : m2",
        "b ->> a : m1",
    ];
    format!("{}\n", lines[random.below(lines.len())])
}

fn case(random: &mut Random) -> Case {
    let head = "@startuml\nactor u\nparticipant \"a : A\" as a\nparticipant \"b : B\" as b\nparticipant v\n";
    let base = line(random);
    let mut side = || -> String { (0..1 + random.below(3)).map(|_| line(random)).collect() };
    let (ours, theirs) = (side(), side());
    let frame = ["", "alt yes\n", "loop 2\n", "opt\n", "critical\n"][random.below(5)];
    let end = if frame.is_empty() { "" } else { "u ->> v : y\nend\n" };
    let text = |added: &str| format!("{head}{base}{frame}{added}{end}@enduml\n");
    Case { machines: machines(random), versions: [text(""), text(&ours), text(&theirs)] }
}

fn with_merge<T>(
    case: &Case,
    level: ConsistencyLevel,
    work: impl FnOnce(&Merge<'_>, &Environment<'_>) -> T,
) -> T {
    let companions = vec![("machines.puml".to_owned(), case.machines.clone())];
    let (settings, effort) = (Settings::default(), Effort::default());
    let loader = || Box::new(NoFiles) as Box<dyn Loader>;
    let environment =
        Environment { companions: &companions, settings: &settings, effort: &effort, loader: &loader };
    let [base, ours, theirs] = case.versions.each_ref().map(|text| text.as_bytes());
    let files = VersionFiles { name: "a.puml", base, ours, theirs };
    let options = MergeOptions { level, is_distinct: true, ..MergeOptions::default() };
    work(&Merge::new(files, &environment, options), &environment)
}

fn texts(merge: &Merge<'_>, task: &MergeTask, orders: &[Interleaving]) -> Vec<String> {
    let text = |order: &Interleaving| {
        let bytes = merge.draft.bytes(&merge.whole_order(&[(task, order)]), &ConflictMarks::default());
        String::from_utf8(bytes).expect("UTF-8")
    };
    orders.iter().map(text).collect()
}

/// The texts of all merges, what was noted, and how many were counted.
fn merges(case: &Case, level: ConsistencyLevel) -> (Vec<String>, Vec<String>, Option<String>) {
    with_merge(case, level, |merge, _| {
        let mut notes = merge.notes.clone();
        let texts: Vec<String> = merge
            .tasks
            .iter()
            .flat_map(|task| {
                let found = merge.merges(task, usize::MAX);
                // A queue that may be full leaves it open.
                notes.extend(found.doubt);
                texts(merge, task, &found.orders)
            })
            .collect();
        let count = merge.count().map(|count| count.to_string());
        (texts, notes, count)
    })
}

fn is_good(case: &Case, text: &str, level: ConsistencyLevel) -> bool {
    with_merge(case, ConsistencyLevel::Order, |_, environment| {
        let mut model = FileModel::new("a.puml", text, environment);
        let id = model.interactions().next().expect("there is a diagram");
        let follows = model.first_fault(id, &[]).is_none();
        follows
            && match level {
                ConsistencyLevel::Order | ConsistencyLevel::Trigger => true,
                ConsistencyLevel::Full => {
                    let (verdict, _) = possible(&mut model, id, environment.settings, environment.effort);
                    matches!(verdict, Verdict::Holds(_))
                }
            }
    })
}

#[test]
fn searched_orders_are_those_of_the_definition() {
    let mut seen = [0; 3];
    // In the last one the lifelines alone allow no merge, and what the machines could do together is not known.
    for seed in seeds(40).chain([7216]) {
        let case = case(&mut Random::new(seed));
        let (all, ..) = merges(&case, ConsistencyLevel::Order);
        for level in [ConsistencyLevel::Trigger, ConsistencyLevel::Full] {
            let (found, notes, count) = merges(&case, level);
            let is_open = notes.iter().any(|note| !note.contains("by itself"));
            if is_open || all.is_empty() {
                continue;
            }
            let expected: Vec<&String> = all.iter().filter(|text| is_good(&case, text, level)).collect();
            assert_eq!(
                found.iter().collect::<Vec<_>>(),
                expected,
                "seed {seed} {level:?}\n{}",
                case.machines
            );
            assert_eq!(count, Some(expected.len().to_string()), "seed {seed} {level:?}");
            seen[if expected.is_empty() { 0 } else { 1 + usize::from(expected.len() < all.len()) }] += 1;
        }
    }
    assert!(seen.iter().all(|number| *number > 2), "{seen:?}");
}

/// Many messages to lifelines that have nothing to do with each other: counted, although there are too many to try.
#[test]
fn what_lifelines_do_not_share_is_not_tried() {
    let head = "@startuml\nactor u\nparticipant \"a : A\" as a\nparticipant \"b : B\" as b\nalt yes\n";
    let lines = |to: &str| (0..8).map(|at| format!("u ->> {to} : m{}\n", at % 2)).collect::<String>();
    let text = |added: &str| format!("{head}{added}u ->> v : y\nend\n@enduml\n");
    let machine =
        |name: &str| format!("@startuml {name}\n[*] --> s0\ns0 --> s1 : m0\ns1 --> s0 : m1\n@enduml\n");
    let case = Case {
        machines: machine("A") + &machine("B"),
        versions: [text(""), text(&lines("a")), text(&lines("b"))],
    };
    with_merge(&case, ConsistencyLevel::Trigger, |merge, _| {
        assert_eq!(merge.count().map(|count| count.to_string()).as_deref(), Some("12870"));
    });
}

/// At level full orders are found although most begin in vain.
#[test]
fn a_needle_is_found() {
    let head = "@startuml\nactor u\nparticipant \"a : A\" as a\nparticipant \"b : B\" as b\nu ->> a : m0\n";
    // A answers each m0 by m2; each must be taken before the next is sent.
    let machines = "@startuml A\n[*] --> s0\ns0 --> s0 : m0 / b.m2\n@enduml\n\
                    @startuml B\n[*] --> s0\ns0 --> s0 : m2\n@enduml\n";
    let asks: String = "u ->> a : m0\n".repeat(3);
    let answers: String = "a ->> b : m2\n".repeat(4);
    let text = |added: &str| format!("{head}{added}@enduml\n");
    let case = Case {
        machines: machines.to_owned(),
        versions: [text("a ->> b : m2\n"), text(&format!("a ->> b : m2\n{asks}")), text(&answers)],
    };
    let (found, ..) = with_merge(&case, ConsistencyLevel::Full, |merge, _| {
        let task = &merge.tasks[0];
        let found = merge.merges(task, 1);
        (texts(merge, task, &found.orders), found.doubt)
    });
    assert_eq!(found.len(), 1);
    assert!(is_good(&case, &found[0], ConsistencyLevel::Full), "{}", found[0]);
}
