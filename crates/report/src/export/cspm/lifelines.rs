//! A sequence diagram as processes: paper 001's shape, with sending and receiving apart or, as in the paper, as one event.
//!
//! - A lifeline is a process that does what is drawn on it; its alphabet is what happens on it.
//! - A message is a process too: it is sent before it is received. What strict sequencing and general orderings demand is of
//!   the same kind; critical regions, assertions and callers watch over their lifelines.
//! - All of them are put in parallel, each with its alphabet.
//! - [Jointly](joint) a message is one event of the two lifelines, which have it in their alphabets; no process stands for it.
//! - Guards and choices are made first, inwardly, so that all lifelines decide alike.
//!
//! Occurrences that look alike have numbers inside, and their names outside. It is written from the
//! [tree](sequent_kernel::templates) that the templates of P0 are made from: loops are written out, so that everything happens
//! at most once.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

use sequent_kernel::id::{Id, IdVec};
use sequent_kernel::model::Aspect;
use sequent_kernel::semantics::Assumptions;
use sequent_kernel::system::EventKind;
use sequent_kernel::templates::{
    NodeId, OccurrenceId, TemplateNodeKind, TemplateOccurrence, TemplateTree, Why, plain,
};

use super::super::unfolded::{UnfoldedDiagram, unfolded};
use super::alphabet::{ScriptAlphabet, SeenEvent};
use super::author::{DiagramWriter, EventForm, OccurrenceForm, ScriptWords};
use super::comparisons::sign;
use super::names::names;
use super::steps::capital;
use super::{Cspm, Unwritten, comment};

/// Whether one diagram of a script does only what another does.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LifelineRefinement {
    /// The number of the diagram that says what may be done.
    pub specification: usize,
    /// The number of the one that is held against it.
    pub implementation: usize,
    /// What is compared.
    pub aspect: Aspect,
    /// Messages that are not seen: their texts, with or without arguments, or those of their events.
    pub hidden: Vec<String>,
}

/// More occurrences than this are not written.
const MOST_EVENTS: usize = 200;

/// Writes diagrams, and questions about them; the first is the whole.
pub fn lifelines(
    diagrams: &[UnfoldedDiagram<'_>],
    questions: &[LifelineRefinement],
) -> Result<Cspm, Unwritten> {
    written(diagrams, questions, EventForm::Apart)
}

/// The same with one event for each message, of sender and receiver.
pub fn joint(diagrams: &[UnfoldedDiagram<'_>], questions: &[LifelineRefinement]) -> Result<Cspm, Unwritten> {
    written(diagrams, questions, EventForm::Joint)
}

fn written(
    diagrams: &[UnfoldedDiagram<'_>],
    questions: &[LifelineRefinement],
    form: EventForm,
) -> Result<Cspm, Unwritten> {
    let trees = diagrams.iter().map(tree).collect::<Result<Vec<TemplateTree>, Unwritten>>()?;
    if form == EventForm::Joint {
        diagrams.iter().zip(&trees).try_for_each(|(diagram, tree)| joinable(diagram, tree))?;
    }
    let mut names = names();
    let mut all: Vec<ScriptWords> = Vec::new();
    for diagram in diagrams {
        let whole = names.give(&capital(diagram.title()));
        all.push(ScriptWords::new(whole, &mut names));
    }
    let mut seen: Vec<SeenEvent> = Vec::new();
    let mut known: BTreeSet<SeenEvent> = BTreeSet::new();
    for one in trees.iter().flat_map(|tree| tree.occurrences.iter().map(|one| self::seen(tree, one, form))) {
        if known.insert(one.clone()) {
            seen.push(one);
        }
    }
    let alphabet = ScriptAlphabet::new(&seen, &BTreeSet::new(), &mut names);
    let titles: Vec<&str> = diagrams.iter().map(UnfoldedDiagram::title).collect();
    let told = match form {
        EventForm::Apart => "what is sent is on its way until it is received",
        EventForm::Joint => "a message is one event of its sender and its receiver",
    };
    let titled = comment(&titles.join(", "));
    let mut text = format!(
        "-- Sequence diagram {titled}\n--\n-- Lifelines are processes beside each other; {told}.\n\n"
    );
    text += &alphabet.declarations;
    let (mut wholes, mut written) = (Vec::new(), String::new());
    for ((diagram, tree), words) in diagrams.iter().zip(&trees).zip(all) {
        wholes.push(words.whole.clone());
        let looks = looks(tree, &alphabet, form);
        written += &DiagramWriter::new(diagram, tree, words, &looks, &mut names).write(form, &mut names);
    }
    text += &helpers(&written);
    text += &written;
    for (whole, title) in wholes.iter().zip(&titles) {
        let _ = writeln!(
            text,
            "\n-- True: {} never gets stuck.\nassert {whole} :[deadlock free [F]]",
            comment(title)
        );
    }
    for question in questions {
        text += &assertion(question, &wholes, &titles, &seen, &alphabet);
    }
    Ok(Cspm { text, processes: wholes, events: alphabet.all() })
}

/// The tree of a diagram.
fn tree(diagram: &UnfoldedDiagram<'_>) -> Result<TemplateTree, Unwritten> {
    let assumptions = Assumptions { without_negatives: true, ..plain(diagram.assumptions) };
    unfolded(diagram, &assumptions, MOST_EVENTS)
}

/// Fails if sending and receiving must be apart in a diagram.
fn joinable(diagram: &UnfoldedDiagram<'_>, tree: &TemplateTree) -> Result<(), Unwritten> {
    let apart = |what: &str| Err(Unwritten(format!("a message is one event here, and {what}")));
    for node in tree.nodes.ids() {
        if let TemplateNodeKind::Message(Some(send), Some(receive)) = tree.nodes[node].kind
            && tree.occurrences[send].line == tree.occurrences[receive].line
        {
            return apart("a message to oneself is no event of two lifelines");
        }
    }
    for demand in tree.demands(diagram.assumptions.switches.guarded_first) {
        let nodes = |ends: &mut dyn Iterator<Item = OccurrenceId>| -> BTreeSet<NodeId> {
            ends.map(|one| tree.occurrences[one].node).collect()
        };
        let over = nodes(&mut demand.over.iter().map(|one| one.occurrence));
        let waiting = nodes(&mut demand.waiting.iter().copied());
        match demand.why {
            Why::Strict | Why::Meeting(_) | Why::Ordering if over.is_disjoint(&waiting) => {}
            Why::Strict | Why::Meeting(_) | Why::Ordering => {
                return apart("an order stands between sending and receiving");
            }
            Why::Region(..) => return apart("a region keeps sending and receiving apart"),
            Why::Call(_) => return apart("callers wait"),
            Why::First => return apart("something is first below a guard"),
        }
    }
    Ok(())
}

/// How occurrences are seen, and whether others look alike.
fn looks(
    tree: &TemplateTree,
    alphabet: &ScriptAlphabet,
    form: EventForm,
) -> IdVec<OccurrenceId, OccurrenceForm> {
    let event = |id: OccurrenceId| match form {
        EventForm::Apart => id.index(),
        EventForm::Joint => tree.occurrences[id].node.index(),
    };
    let text = |one: &TemplateOccurrence| seen(tree, one, form).text;
    let mut alike: BTreeMap<String, BTreeSet<usize>> = BTreeMap::new();
    for (id, one) in tree.occurrences.enumerate() {
        alike.entry(text(one)).or_default().insert(event(id));
    }
    let look = |(id, one): (OccurrenceId, &TemplateOccurrence)| {
        let text = text(one);
        let link = match form {
            EventForm::Apart => None,
            EventForm::Joint => Some(alphabet.link(&text).to_owned()),
        };
        OccurrenceForm {
            outside: alphabet.event(&text).to_owned(),
            link,
            is_alike: alike[&text].len() > 1,
            event: event(id),
        }
    };
    tree.occurrences.enumerate().map(look).collect()
}

/// Processes that diagrams are made of, as far as a text uses them.
const HELPERS: &[(&str, &str)] = &[
    ("Once(", "-- Each of some events once.\nOnce(events) = ||| e : events @ e -> SKIP\n"),
    ("First(", "-- Some events before others.\nFirst(before, after) = Once(before) ; Once(after)\n"),
    (
        "Region(",
        "-- Once one of the events inside has happened, none outside happens until the last ones have.\nRegion(inside, last, outer) =\n  if union(inside, union(last, outer)) == {} then SKIP\n  else ([] e : inside @ e -> Open(diff(inside, {e}), diff(last, {e}), outer))\n    [] ([] e : diff(union(last, outer), inside) @ e -> Region(inside, diff(last, {e}), diff(outer, {e})))\n",
    ),
    (
        "After(",
        "-- Once all events before have happened, none outside happens until the last ones have.\nAfter(before, last, outer) =\n  if before == {} then Open({}, last, outer)\n  else [] e : union(before, union(last, outer)) @ e -> After(diff(before, {e}), diff(last, {e}), diff(outer, {e}))\n",
    ),
    (
        "Open(",
        "-- None outside until the last ones have happened.\nOpen(inside, last, outer) =\n  if last == {} then Once(union(inside, outer))\n  else [] e : union(inside, last) @ e -> Open(diff(inside, {e}), diff(last, {e}), outer)\n",
    ),
];

/// The processes that a text uses, and those that they use.
fn helpers(text: &str) -> String {
    let is_used = |call: &str| text.contains(call);
    let has_regions = is_used("Region(") || is_used("After(");
    let has_once = has_regions || is_used("Once(") || is_used("First(");
    let mut written = String::new();
    for (call, helper) in HELPERS {
        if is_used(call) || *call == "Open(" && has_regions || *call == "Once(" && has_once {
            let _ = write!(written, "\n{helper}");
        }
    }
    written
}

fn assertion(
    question: &LifelineRefinement,
    wholes: &[String],
    titles: &[&str],
    seen: &[SeenEvent],
    alphabet: &ScriptAlphabet,
) -> String {
    let LifelineRefinement { specification, implementation, aspect, hidden } = question;
    let is_hidden =
        |one: &&SeenEvent| hidden.iter().any(|word| [&one.text, &one.message, &one.name].contains(&word));
    let events: Vec<&str> = seen.iter().filter(is_hidden).map(|one| alphabet.event(&one.text)).collect();
    let of = |number: &usize| match events.as_slice() {
        [] => wholes[*number].clone(),
        events => format!("{} \\ {{{}}}", wholes[*number], events.join(", ")),
    };
    let (sign, word) = sign(*aspect);
    format!(
        "\n-- True: {} does nothing that {} may not {word}.\nassert {} {sign} {}\n",
        comment(titles[*implementation]),
        comment(titles[*specification]),
        of(specification),
        of(implementation)
    )
}

/// An occurrence as it is seen.
fn seen(tree: &TemplateTree, one: &TemplateOccurrence, form: EventForm) -> SeenEvent {
    let own = tree.lines[one.line].clone();
    let partner = one.partner.map(|line| tree.lines[line].clone()).unwrap_or_default();
    let (from, to) = match one.kind {
        EventKind::Send => (own, partner),
        EventKind::Receive => (partner, own),
        EventKind::Rendezvous | EventKind::Termination => (own, String::new()),
    };
    let is_joint = form == EventForm::Joint && matches!(one.kind, EventKind::Send | EventKind::Receive);
    let text = if is_joint { one.kind.unsigned(&one.event) } else { one.event.as_str() };
    SeenEvent {
        kind: if is_joint { EventKind::Rendezvous } else { one.kind },
        from,
        to,
        message: one.label.clone(),
        name: one.message.clone(),
        arguments: one.arguments.clone(),
        text: text.to_owned(),
    }
}
