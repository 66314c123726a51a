//! `sequent merge`: two revisions of a file become one.

use std::io::{BufRead, Write};
use std::path::{Path, PathBuf};

use num_bigint::BigUint;
use sequent::effort::Effort;
use sequent::merge::draft::ConflictMarks;
use sequent::merge::explain::Explanation;
use sequent::merge::{
    Companions, ConsistencyLevel, Environment, FoundMerges, Interleaving, Merge, MergeOptions, MergeTask,
    RevisionSide, VersionFiles,
};
use sequent_engine::search::Limits;
use sequent_kernel::diagnostic::Code;
use sequent_kernel::semantics::event_text;
use sequent_kernel::source::{FileId, Sources};
use sequent_notation::{Loader, xmi};
use sequent_report::{draw, escape};
use serde_json::{Value, json};

use super::driver::{self, CONFLICT};
use super::subject::UNDECIDED;
use crate::cli::{self, Common, FormatArgument, MergeLevel, MergeSide};
use crate::files::{self, IncludedFiles};
use crate::output;
use crate::roots::Roots;
use crate::watch::ProgressPrinter;

pub(crate) fn run(options: &cli::MergeArguments, common: &Common) -> Result<u8, String> {
    if options.install_driver {
        return driver::install(options.models);
    }
    let (paths, machines) = arguments(options)?;
    let [base, ours, theirs] = [files::bytes(&paths[0])?, files::bytes(&paths[1])?, files::bytes(&paths[2])?];
    if [&base, &ours, &theirs].iter().any(|bytes| xmi::is_archive(bytes)) {
        return Err("archives are not merged: save the model as text (.mdxml, .uml, .xmi)".to_owned());
    }
    let name = files::display(options.path.as_ref().unwrap_or(&paths[1]));
    let files = VersionFiles { name: &name, base: &base, ours: &ours, theirs: &theirs };
    let attempt = || made(options, common, &machines, files);
    match (&options.path, &options.output) {
        (Some(_), Some(output)) => {
            driver::spare(&files, output, &|problem| complain(options, problem), attempt)
        }
        (_, _) => attempt(),
    }
}

/// Merges and answers.
fn made(
    options: &cli::MergeArguments,
    common: &Common,
    machines: &[PathBuf],
    files: VersionFiles<'_>,
) -> Result<u8, String> {
    let name = files.name.to_owned();
    let mut sources = Sources::new();
    let roots = Roots::new(std::slice::from_ref(&name), &common.include_root)?;
    let (settings, _) = super::read_settings(std::slice::from_ref(&name), common, &roots, &mut sources)?;
    let companions = companions(machines, options.path.as_deref(), &roots)?;
    let watcher = ProgressPrinter::new(&options.work);
    let limits = Limits { bytes: watcher.bytes(), ..Limits::default() };
    watcher.see(|watch| {
        let effort = Effort {
            limits,
            looks: watcher.looks(50),
            threads: watcher.threads(),
            watch,
            ..Effort::default()
        };
        let loader = || Box::new(IncludedFiles(roots.clone())) as Box<dyn Loader>;
        let environment =
            Environment { companions: &companions, settings: &settings, effort: &effort, loader: &loader };
        let merge = Merge::new(files, &environment, merge_options(options));
        answer(options, merge)
    })
}

/// The three files, and those with machines: if `--machines` comes first it takes all files, and those that
/// are missing are taken from its end.
fn arguments(options: &cli::MergeArguments) -> Result<([PathBuf; 3], Vec<PathBuf>), String> {
    let mut machines = options.machines.clone();
    let missing = 3 - options.files.len().min(3);
    let taken = machines.split_off(machines.len() - missing.min(machines.len()));
    let all: Vec<PathBuf> = taken.into_iter().chain(options.files.iter().cloned()).collect();
    let files = all.try_into().map_err(|_| "give three files: BASE OURS THEIRS".to_owned())?;
    Ok((files, machines))
}

/// What is read beside the merged file: what was named, or else what lies in its folder.
pub(crate) fn companions(
    machines: &[PathBuf],
    path: Option<&Path>,
    roots: &Roots,
) -> Result<Companions, String> {
    let inputs = match (machines, path) {
        ([], Some(path)) => {
            let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
            let entries = std::fs::read_dir(folder.unwrap_or(Path::new("."))).into_iter().flatten().flatten();
            let files = entries.map(|entry| entry.path());
            let mut beside: Vec<PathBuf> = files
                .filter(|file| files::has_ending(file) && file.is_file())
                .filter(|file| file.file_name() != path.file_name())
                .collect();
            beside.sort();
            files::read_files(&beside, roots)
        }
        (machines, _) => {
            files::read(&machines.iter().map(|file| files::display(file)).collect::<Vec<_>>(), roots)
        }
    };
    if let Some(problem) = inputs.diagnostics.iter().find(|problem| problem.code == Code::UnreadableFile) {
        return Err(problem.message.clone());
    }
    let content = |file: &FileId| {
        let source = inputs.sources.get(*file);
        (source.name.clone(), source.text.to_string())
    };
    Ok(inputs.files.iter().map(content).collect())
}

fn merge_options(options: &cli::MergeArguments) -> MergeOptions {
    MergeOptions {
        level: match options.level {
            MergeLevel::Order => ConsistencyLevel::Order,
            MergeLevel::Trigger => ConsistencyLevel::Trigger,
            MergeLevel::Full => ConsistencyLevel::Full,
        },
        first: match options.prefer {
            MergeSide::Ours => RevisionSide::Ours,
            MergeSide::Theirs => RevisionSide::Theirs,
        },
        is_whole: options.together,
        is_distinct: options.distinct,
    }
}

/// What was found out about a merge.
#[derive(Default)]
pub(crate) struct MergeOutcome {
    /// How many ways there are.
    pub count: Option<BigUint>,
    /// Those that were asked for, diagram by diagram.
    pub listed: Vec<FoundMerges>,
    /// Why it cannot be done, or not decided.
    pub conflicts: Vec<String>,
    /// Why no order suits, and what would help, by task.
    pub explanations: Vec<(usize, Explanation)>,
    /// Whether it is not known if it can be done.
    pub(crate) is_undecided: bool,
}

fn answer(options: &cli::MergeArguments, mut merge: Merge<'_>) -> Result<u8, String> {
    let wanted = match (options.all || options.interactive, options.pick) {
        (true, _) => options.max,
        (false, Some(0)) => return Err("--pick 0: merges are numbered from 1".to_owned()),
        (false, Some(number)) => number,
        (false, None) => 1,
    };
    let listed: Vec<FoundMerges> = merge.tasks.iter().map(|task| merge.merges(task, wanted)).collect();
    let is_counted = options.count || options.format == FormatArgument::Json;
    let mut outcome = MergeOutcome {
        count: if is_counted { merge.count_beyond(&listed) } else { None },
        listed,
        conflicts: Vec::new(),
        explanations: Vec::new(),
        is_undecided: false,
    };
    let rest = give_up(&mut merge, &mut outcome);
    merge.notes.iter().for_each(|note| complain(options, note));
    let number = match chosen(options, &merge, &outcome)? {
        Some(number) => number,
        None => return Ok(CONFLICT),
    };
    let whole = ordered(&merge, &outcome.listed, &rest, number)
        .ok_or_else(|| format!("there is no merge number {number}"))?;
    merge.judge_conflicts(&whole);
    outcome.conflicts.extend(merge.draft.conflicts().map(|conflict| conflict.why.clone()));
    outcome.conflicts.dedup();
    if !outcome.conflicts.is_empty() && !outcome.is_undecided {
        outcome.count = outcome.count.map(|_| BigUint::ZERO);
    }
    let marks = ConflictMarks { base: options.diff3.then(|| "base".to_owned()), ..ConflictMarks::default() };
    let bytes = merge.draft.bytes(&whole, &marks);
    if let Some(path) = &options.output {
        output::write(path, &bytes)?;
    }
    match options.format {
        FormatArgument::Json => output::print_json(&to_json(options, &merge, &outcome)),
        FormatArgument::Text => tell(options, &merge, &outcome, &bytes),
    }
    Ok(match (outcome.is_undecided, outcome.conflicts.is_empty()) {
        (true, _) => UNDECIDED,
        (false, true) => 0,
        (false, false) => CONFLICT,
    })
}

/// Makes conflicts of diagrams that no order suits; the orders of what is left of them.
pub(crate) fn give_up(merge: &mut Merge<'_>, outcome: &mut MergeOutcome) -> Vec<Option<Interleaving>> {
    let mut rest: Vec<Option<Interleaving>> = Vec::new();
    for number in 0..merge.tasks.len() {
        let found = &outcome.listed[number];
        if !found.orders.is_empty() {
            rest.push(None);
            continue;
        }
        let name = &merge.tasks[number].name;
        let why = match &found.doubt {
            Some(doubt) => {
                outcome.is_undecided = true;
                format!("undecided: {doubt}")
            }
            None => {
                let why = format!("no order of these suits the state machines of `{name}`");
                outcome.explanations.push((number, merge.explain(number)));
                why
            }
        };
        rest.push(merge.give_up(number, &why));
    }
    rest
}

/// The number of the merge that is taken; `None` if nothing is to be done.
fn chosen(
    options: &cli::MergeArguments,
    merge: &Merge<'_>,
    outcome: &MergeOutcome,
) -> Result<Option<usize>, String> {
    match (options.pick, options.interactive) {
        (Some(number), _) => Ok(Some(number)),
        (None, true) => ask(merge, outcome),
        (None, false) => Ok(Some(1)),
    }
}

/// The order of all choices in the merge of this number; `rest` has the orders of what is left of diagrams without one.
pub(crate) fn ordered(
    merge: &Merge<'_>,
    listed: &[FoundMerges],
    rest: &[Option<Interleaving>],
    number: usize,
) -> Option<Interleaving> {
    let orders = pick(listed, number)?.into_iter().zip(rest).map(|(order, rest)| order.or(rest.as_ref()));
    let tasks = merge.tasks.iter().zip(orders);
    let given: Vec<(&MergeTask, &Interleaving)> =
        tasks.filter_map(|(task, order)| Some((task, order?))).collect();
    Some(merge.whole_order(&given))
}

/// The combination of this number, from 1; the last diagram varies first. Diagrams without any order have none.
pub(crate) fn pick(listed: &[FoundMerges], number: usize) -> Option<Vec<Option<&Interleaving>>> {
    let mut rest = number - 1;
    let mut orders: Vec<Option<&Interleaving>> = Vec::new();
    for found in listed.iter().rev() {
        let count = found.orders.len().max(1);
        orders.push(found.orders.get(rest % count));
        rest /= count;
    }
    orders.reverse();
    (rest == 0).then_some(orders)
}

fn ask(merge: &Merge<'_>, outcome: &MergeOutcome) -> Result<Option<usize>, String> {
    let total = outcome.listed.iter().map(|found| found.orders.len().max(1)).product::<usize>();
    if total <= 1 {
        return Ok(Some(1));
    }
    let mut error = std::io::stderr().lock();
    let mut lines = std::io::stdin().lock().lines();
    let mut say = |text: &str| error.write_all(text.as_bytes()).map_err(|problem| problem.to_string());
    for number in 1..=total.min(20) {
        say(&format!("{number}:\n"))?;
        for text in spelled(merge, &outcome.listed, number) {
            say(&format!("   {text}\n"))?;
        }
    }
    loop {
        say(&format!("which one, 1 to {total}, or q? "))?;
        let Some(Ok(line)) = lines.next() else { return Ok(None) };
        match line.trim().parse() {
            Ok(number) if (1..=total).contains(&number) => return Ok(Some(number)),
            _ if line.trim() == "q" => return Ok(None),
            _ => {}
        }
    }
}

/// The messages of all diagrams with choices, in one of the merges.
pub(crate) fn spelled(merge: &Merge<'_>, listed: &[FoundMerges], number: usize) -> Vec<String> {
    if !merge.tasks.iter().any(|task| merge.has_choice(task)) {
        return merge.all_messages();
    }
    let orders = pick(listed, number).unwrap_or_default();
    let tasks = merge.tasks.iter().zip(orders).filter(|(task, _)| merge.has_choice(task));
    tasks
        .flat_map(|(task, order)| order.map(|order| merge.messages(task, order)).unwrap_or_default())
        .collect()
}

/// How many merges are listed.
fn total(options: &cli::MergeArguments, outcome: &MergeOutcome) -> usize {
    if !outcome.conflicts.is_empty() {
        return 0;
    }
    let count = |found: &FoundMerges| found.orders.len();
    outcome.listed.iter().map(count).fold(1_usize, usize::saturating_mul).min(options.max)
}

fn to_json(options: &cli::MergeArguments, merge: &Merge<'_>, outcome: &MergeOutcome) -> Value {
    let mut value = json!({
        "count": outcome.count.as_ref().map(BigUint::to_string),
        "conflict": conflict(outcome),
    });
    if options.all {
        let numbers = 1..=total(options, outcome);
        value["merges"] = numbers.map(|number| spelled(merge, &outcome.listed, number)).collect();
        let is_complete = outcome.listed.iter().all(|found| found.is_complete);
        let is_all =
            outcome.listed.iter().map(|found| found.orders.len()).fold(1_usize, usize::saturating_mul)
                <= options.max;
        value["complete"] = json!(is_complete && is_all);
    }
    if !merge.notes.is_empty() {
        value["notes"] = json!(merge.notes);
    }
    value
}

fn conflict(outcome: &MergeOutcome) -> Value {
    let all = |read: fn(&Explanation) -> &Vec<String>| -> Vec<&String> {
        outcome.explanations.iter().flat_map(|(_, one)| read(one)).collect()
    };
    match outcome.conflicts.is_empty() {
        true => Value::Null,
        false => json!({
            "message": outcome.conflicts.join("; "),
            "undecided": outcome.is_undecided,
            "reasons": all(|one| &one.reasons),
            "proposals": all(|one| &one.proposals),
        }),
    }
}

/// Draws a diagram that no order suits, ours first, with the messages that exclude each other marked.
fn draw_conflict(merge: &Merge<'_>, task: usize, explanation: &Explanation) -> String {
    let mut drawing = merge.diagram(task).clone();
    let ids: Vec<_> = drawing.messages.ids().collect();
    for message in ids {
        let text = event_text(&drawing, &drawing.messages[message]);
        if explanation.messages.contains(&text) {
            let message = &mut drawing.messages[message];
            message.text = format!("! {}", message.text);
        }
    }
    draw::text(&drawing, &draw::TextStyle { width: output::width(), ..draw::TextStyle::default() })
}

/// Prints a warning; as git merges many files, it names the file.
fn complain(options: &cli::MergeArguments, text: &str) {
    match &options.path {
        Some(path) => output::complain(&format!("{}: {text}", escape::line(&files::display(path)))),
        None => output::complain(text),
    }
}

fn tell(options: &cli::MergeArguments, merge: &Merge<'_>, outcome: &MergeOutcome, bytes: &[u8]) {
    for conflict in &outcome.conflicts {
        complain(options, conflict);
    }
    for (task, explanation) in &outcome.explanations {
        explanation.reasons.iter().for_each(|reason| complain(options, &format!("because {reason}")));
        explanation.proposals.iter().for_each(|one| complain(options, &format!("perhaps {one}")));
        if options.draw {
            output::warn(&draw_conflict(merge, *task, explanation));
        }
    }
    if options.count {
        output::print(&match &outcome.count {
            Some(count) => format!("{count}\n"),
            None => "unknown\n".to_owned(),
        });
    } else if options.all {
        for number in 1..=total(options, outcome) {
            output::print(&format!("{number}:\n"));
            let lines = spelled(merge, &outcome.listed, number);
            output::print(&lines.iter().map(|line| format!("   {line}\n")).collect::<String>());
        }
        if outcome.listed.iter().any(|found| !found.is_complete) {
            output::complain("there are more; --max lists them");
        }
    } else if options.output.is_none() {
        output::print_source(bytes);
    }
}
