//! A sequence diagram as processes: paper 001's shape, with sending and receiving apart.
//!
//! - A lifeline is a process that does what is drawn on it; its alphabet is what happens on it.
//! - A message is a process too: it is sent before it is received. What strict sequencing and general orderings demand is of
//!   the same kind; a critical region watches over its lifeline.
//! - All of them are put in parallel, each with its alphabet.
//! - Choices are made first, inwardly, so that all lifelines decide alike.
//!
//! Occurrences that look alike have numbers inside, and their names outside. Loops are written out, so that everything
//! happens at most once.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

use sequent_kernel::model::{Aspect, InteractionId, Model};
use sequent_kernel::source::Place;
use sequent_kernel::system::EventKind;

use super::alphabet::{Alphabet, Seen};
use super::author::{Author, Words};
use super::names::names;
use super::steps::capital;
use super::tree::{Action, Event, Tree, tree};
use super::{Cspm, Unwritten, comment};

/// A sequence diagram, and what is to be written of it.
#[derive(Clone, Copy)]
pub struct Diagram<'a> {
    /// The model.
    pub model: &'a Model,
    /// The diagram.
    pub id: InteractionId,
    /// Values of propositions that are fixed.
    pub fixed: &'a BTreeMap<String, bool>,
    /// Where something stands, in words: `line 12`.
    pub at: &'a dyn Fn(Place) -> String,
}

/// Whether one diagram of a script does only what another does.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Refines {
    /// The number of the diagram that says what may be done.
    pub specification: usize,
    /// The number of the one that is held against it.
    pub implementation: usize,
    /// What is compared.
    pub aspect: Aspect,
    /// Messages that are not seen: their texts, with or without arguments, or those of their events.
    pub hidden: Vec<String>,
}

/// Writes diagrams, and questions about them; the first is the whole.
pub fn lifelines(diagrams: &[Diagram<'_>], questions: &[Refines]) -> Result<Cspm, Unwritten> {
    let mut trees = Vec::new();
    for diagram in diagrams {
        let fixed: BTreeSet<String> = diagram.fixed.keys().cloned().collect();
        trees.push(tree(diagram.model, diagram.id, &fixed, diagram.at)?);
    }
    let mut names = names();
    let choices = trees.iter().map(|tree| tree.choices.len()).max().unwrap_or(0);
    (0..choices).for_each(|number| _ = names.give(&format!("choice{number}")));
    let mut all: Vec<Words> = Vec::new();
    for diagram in diagrams {
        let whole = names.give(&capital(&diagram.model.interactions[diagram.id].name));
        all.push(Words::new(whole, &mut names));
    }
    let mut seen: Vec<Seen> = Vec::new();
    let mut known: BTreeSet<Seen> = BTreeSet::new();
    for one in trees.iter().flat_map(|tree| &tree.events).map(self::seen) {
        if known.insert(one.clone()) {
            seen.push(one);
        }
    }
    let alphabet = Alphabet::new(&seen, &BTreeSet::new(), &mut names);
    let titles: Vec<&str> =
        diagrams.iter().map(|diagram| diagram.model.interactions[diagram.id].name.as_str()).collect();
    let mut text = format!(
        "-- Sequence diagram {}\n--\n-- Lifelines are processes beside each other; what is sent is on its way until it is received.\n\n",
        comment(&titles.join(", "))
    );
    text += &alphabet.declarations;
    text += &helpers(&trees);
    let mut wholes = Vec::new();
    for ((diagram, tree), words) in diagrams.iter().zip(&trees).zip(all) {
        let (written, renamed) = occurrences(tree, &alphabet, &words.occurrence);
        wholes.push(words.whole.clone());
        text += &Author { diagram, tree, words, written, renamed }.write(&mut names)?;
    }
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
    let process = wholes.into_iter().next().unwrap_or_else(|| "STOP".to_owned());
    Ok(Cspm { text, process, events: alphabet.all() })
}

/// How occurrences are written inside of a diagram, and those that look alike with how they are seen.
fn occurrences(tree: &Tree, alphabet: &Alphabet, channel: &str) -> (Vec<String>, Vec<(String, String)>) {
    let mut times: BTreeMap<&str, usize> = BTreeMap::new();
    tree.events.iter().for_each(|event| *times.entry(&event.text).or_default() += 1);
    let mut written: Vec<String> = Vec::new();
    let mut renamed: Vec<(String, String)> = Vec::new();
    for event in &tree.events {
        let outside = alphabet.event(&event.text).to_owned();
        match times[event.text.as_str()] {
            1 => written.push(outside),
            _ => {
                let inside = format!("{channel}.{}", renamed.len());
                renamed.push((inside.clone(), outside));
                written.push(inside);
            }
        }
    }
    (written, renamed)
}

fn helpers(trees: &[Tree]) -> String {
    let mut text = String::from(
        "\n-- Each of some events once.\nOnce(events) = ||| e : events @ e -> SKIP\n\n-- Some events before others.\nFirst(before, after) = Once(before) ; Once(after)\n",
    );
    if trees.iter().any(|tree| !tree.criticals.is_empty()) {
        text += "\n-- Once one of the events inside has happened, none outside happens until all inside are over.\nCritical(inside, outer) =\n  if inside == {} then Once(outer)\n  else ([] e : outer @ e -> Critical(inside, diff(outer, {e})))\n    [] ([] e : inside @ e -> Inside(diff(inside, {e}), outer))\nInside(inside, outer) =\n  if inside == {} then Once(outer)\n  else [] e : inside @ e -> Inside(diff(inside, {e}), outer)\n";
    }
    text
}

fn assertion(
    question: &Refines,
    wholes: &[String],
    titles: &[&str],
    seen: &[Seen],
    alphabet: &Alphabet,
) -> String {
    let Refines { specification, implementation, aspect, hidden } = question;
    let is_hidden = |one: &&Seen| {
        let name = one.message.split_once('(').map_or(one.message.as_str(), |(name, _)| name).trim_end();
        hidden.iter().any(|word| [one.text.as_str(), one.message.as_str(), name].contains(&word.as_str()))
    };
    let events: Vec<&str> = seen.iter().filter(is_hidden).map(|one| alphabet.event(&one.text)).collect();
    let of = |number: &usize| match events.as_slice() {
        [] => wholes[*number].clone(),
        events => format!("{} \\ {{{}}}", wholes[*number], events.join(", ")),
    };
    let (sign, word) = match aspect {
        Aspect::Traces => ("[T=", "show"),
        Aspect::Failures => ("[F=", "show or refuse"),
        Aspect::FailuresDivergences => ("[FD=", "show or refuse, or go on unseen as"),
    };
    format!(
        "\n-- True: {} does nothing that {} may not {word}.\nassert {} {sign} {}\n",
        comment(titles[*implementation]),
        comment(titles[*specification]),
        of(specification),
        of(implementation)
    )
}

/// An occurrence as it is seen.
fn seen(event: &Event) -> Seen {
    let partner = event.partner.clone().unwrap_or_default();
    let (kind, from, to) = match event.action {
        Action::Send => (EventKind::Send, event.lifeline.clone(), partner),
        Action::Receive => (EventKind::Receive, partner, event.lifeline.clone()),
        Action::End => (EventKind::Termination, event.lifeline.clone(), String::new()),
    };
    let plain = event.text.get(1..).unwrap_or_default();
    let message = match event.action {
        Action::End => "",
        Action::Send | Action::Receive => {
            plain.strip_prefix(&format!("{from}->{to}:")).unwrap_or(&event.message)
        }
    };
    Seen { kind, from, to, message: message.to_owned(), text: event.text.clone() }
}
