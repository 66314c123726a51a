//! Lifelines as modules have the traces of the diagram: what a model of NuSMV does, and what the engine lists.

use std::collections::{BTreeMap, BTreeSet};

use sequent_kernel::model::{InteractionId, Model};
use sequent_kernel::semantics::Assumptions;
use sequent_kernel::templates::cut;
use sequent_report::export::nusmv::{NusmvLifelines, UnfoldedDiagram, lifelines};

use super::at_hand;
use super::nusmv::NusmvProgram;
use super::opinion::traces::{self, listed};
use super::patience::ToolPatience;
use super::reader::{self, State};
use super::samples::{Omitted, random};

/// Diagrams with more traces than this are not compared.
const MOST: usize = 150;

/// The complete traces of a model, read without NuSMV; at most so many different ones are followed.
fn read(made: &NusmvLifelines) -> Option<BTreeSet<Vec<String>>> {
    let mut model = reader::Model::read(&made.text);
    let events: Vec<(String, usize)> =
        made.events.iter().map(|(text, name)| (text.clone(), model.named(name))).collect();
    let (final_, enabled) = (model.named("flag_final"), model.named("enabled"));
    let mut known: BTreeMap<State, Vec<State>> = BTreeMap::new();
    let mut traces = BTreeSet::new();
    let mut open: BTreeMap<Vec<String>, BTreeSet<State>> =
        BTreeMap::from([(Vec::new(), model.initial().into_iter().collect())]);
    while let Some((trace, states)) = open.pop_first() {
        for state in states {
            if model.holds(final_, &state) {
                traces.insert(trace.clone());
                assert!(!model.holds(enabled, &state), "something is enabled after the end\n{}", made.text);
            }
            if !model.holds(enabled, &state) {
                continue;
            }
            for next in known.entry(state.clone()).or_insert_with(|| model.next(&state)).clone() {
                let seen: Vec<&String> = events
                    .iter()
                    .filter(|(_, node)| model.holds(*node, &next))
                    .map(|(text, _)| text)
                    .collect();
                let [event] = seen.as_slice() else { panic!("{seen:?} at once\n{}", made.text) };
                let longer = trace.iter().chain([*event]).cloned().collect();
                open.entry(longer).or_default().insert(next);
            }
        }
        if open.len() > 20 * MOST || known.len() > 20 * MOST {
            return None;
        }
    }
    Some(traces)
}

/// A model that follows the traces in a tree: whether it ends elsewhere, and in which of them it ends.
fn followed(made: &NusmvLifelines, traces: &BTreeSet<Vec<String>>) -> String {
    let mut places: BTreeMap<Vec<&String>, usize> = BTreeMap::from([(Vec::new(), 0)]);
    let mut ends: BTreeSet<usize> = BTreeSet::new();
    for trace in traces {
        for length in 0..=trace.len() {
            let number = places.len();
            places.entry(trace[..length].iter().collect()).or_insert(number);
        }
        ends.insert(places[&trace.iter().collect::<Vec<_>>()]);
    }
    let lost = places.len();
    let mut text = made.text.replacen("\nMODULE ", "\nMODULE_FIRST ", 1);
    let main_end = text.find("\nMODULE ").unwrap_or(text.len());
    let mut more = format!("\nVAR place : 0..{lost};\nASSIGN init(place) := 0;\n next(place) := case\n");
    for (trace, number) in &places {
        if let Some((last, before)) = trace.split_last() {
            more += &format!("  place = {} & next({}) : {number};\n", places[before], made.events[*last]);
        }
    }
    let some: Vec<&str> = made.events.values().map(String::as_str).collect();
    if !some.is_empty() {
        more += &format!("  next({}) : {lost};\n", some.join(" | "));
    }
    more += "  TRUE : place; esac;\n";
    let set: Vec<String> = ends.iter().map(usize::to_string).collect();
    let allowed =
        if set.is_empty() { "FALSE".to_owned() } else { format!("place in {{{}}}", set.join(", ")) };
    more += &format!("INVARSPEC flag_final -> {allowed}\n");
    more += &ends.iter().map(|end| format!("INVARSPEC !(flag_final & place = {end})\n")).collect::<String>();
    text.insert_str(main_end, &more);
    text.replacen("MODULE_FIRST", "MODULE", 1)
}

/// That NuSMV finds these traces and no others; it tells if it has no time for them.
fn confirm(asked: &Asked, made: &NusmvLifelines, traces: &BTreeSet<Vec<String>>, name: &str) {
    let text = followed(made, traces);
    let Some(tool) = &asked.tool else { return };
    let ask = |until| tool.run(&text, &["-ils", "-dcx", "-dynamic"], until);
    let Ok(printed) = asked.patience.ask(name, ask) else { return };
    let said = sequent_report::export::nusmv::said(&printed);
    assert_eq!(said.verdicts.len(), traces.len() + 1, "{name}: {printed}\n{text}");
    assert!(said.verdicts[0], "{name}: NuSMV knows another trace\n{text}");
    assert!(!said.verdicts[1..].contains(&true), "{name}: NuSMV does not know a trace\n{text}");
}

/// NuSMV, where it is there.
struct Asked {
    tool: Option<NusmvProgram>,
    patience: ToolPatience,
}

impl Asked {
    fn new() -> Self {
        Asked { tool: at_hand(), patience: ToolPatience::default() }
    }
}

/// Compares a diagram; why not, if it could not be.
fn compare(
    asked: &Asked,
    model: &Model,
    id: InteractionId,
    assumptions: &Assumptions,
    name: &str,
) -> Result<(), Omitted> {
    let (model, _) = cut(model, id, 1);
    let diagram = UnfoldedDiagram { model: &model, id, assumptions, at: &|_| String::new() };
    let made = lifelines(&diagram, &[]).map_err(|unwritten| unwritten.0)?;
    let listed = listed(&model, id, assumptions, MOST)?;
    let read = read(&made).ok_or("too many states")?;
    assert_eq!(read, listed, "{name}\n{}", made.text);
    confirm(asked, &made, &listed, name);
    Ok(())
}

#[test]
fn random_diagrams_have_the_same_traces() {
    let asked = Asked::new();
    let compare = |model: &_, id, assumptions: &_, name: &_| compare(&asked, model, id, assumptions, name);
    traces::random(&compare, &random::assumptions, 1);
}

#[test]
fn examples_have_the_same_traces() {
    let asked = Asked::new();
    let compare = |model: &_, id, assumptions: &_, name: &_| compare(&asked, model, id, assumptions, name);
    traces::examples(&compare, 10);
}
