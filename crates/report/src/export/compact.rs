//! Compact automata for Graphviz and as JSON (docs/automata.md).

use std::fmt::Write;

use sequent_kernel::counter_automaton::{
    Compact, CounterChange, CounterGuard, CounterRole, CounterState, CounterTransition, CounterValue,
    ValueRelation,
};
use serde_json::json;

use super::dot::quoted;

/// A compact automaton as a Graphviz file.
pub fn dot(automaton: &Compact, name: &str) -> String {
    let mut text = format!("digraph {} {{\n", quoted(name));
    text += "  rankdir=LR;\n  node [shape=circle];\n  start [shape=point, label=\"\"];\n";
    for (number, state) in automaton.states.iter().enumerate() {
        let shape = if state.accepting { ", shape=doublecircle" } else { "" };
        let style = if state.recurrent { ", style=bold" } else { "" };
        let _ = writeln!(text, "  {number} [label={}{shape}{style}];", quoted(&label(number, state)));
    }
    let legend: Vec<String> =
        automaton.variables.iter().map(|one| format!("{}: {}", one.name, told(&one.role))).collect();
    if !legend.is_empty() {
        let _ = writeln!(text, "  legend [shape=note, label={}];", quoted(&legend.join("\n")));
    }
    if !automaton.states.is_empty() {
        text += "  start -> 0;\n";
    }
    for transition in &automaton.transitions {
        let label = quoted(&arrow(automaton, transition));
        let _ = writeln!(text, "  {} -> {} [label={label}];", transition.from, transition.to);
    }
    text + "}\n"
}

/// A compact automaton as one JSON object.
pub fn json(automaton: &Compact, name: &str) -> serde_json::Value {
    let variables = automaton.variables.iter().map(|variable| {
        let (kind, of) = match &variable.role {
            CounterRole::Iterations(line) => ("counter", line),
            CounterRole::Happened(event) => ("bit", event),
        };
        json!({ "name": variable.name, "kind": kind, "of": of })
    });
    let states = automaton.states.iter().map(|state| {
        json!({ "history": state.history, "accepting": state.accepting, "recurrent": state.recurrent })
    });
    let transitions = automaton.transitions.iter().map(|transition| {
        json!({
            "from": transition.from,
            "to": transition.to,
            "event": transition.event,
            "guard": guard(automaton, &transition.guard),
            "action": actions(automaton, transition),
        })
    });
    json!({
        "interaction": name,
        "initial": 0,
        "variables": variables.collect::<Vec<_>>(),
        "states": states.collect::<Vec<_>>(),
        "transitions": transitions.collect::<Vec<_>>(),
    })
}

fn told(role: &CounterRole) -> String {
    match role {
        CounterRole::Iterations(line) => format!("iterations of {line}"),
        CounterRole::Happened(event) => event.replace('\n', " "),
    }
}

fn label(number: usize, state: &CounterState) -> String {
    match state.history.as_slice() {
        [] => number.to_string(),
        history => format!("{number}\n{}", history.join("\n")),
    }
}

/// `event [guard] / action`
fn arrow(automaton: &Compact, transition: &CounterTransition) -> String {
    let mut parts: Vec<String> = transition.event.iter().map(|event| event.replace('\n', " ")).collect();
    if transition.guard != CounterGuard::ALWAYS {
        parts.push(format!("[{}]", guard(automaton, &transition.guard)));
    }
    let actions = actions(automaton, transition);
    if !actions.is_empty() {
        parts.push(format!("/ {}", actions.join("; ")));
    }
    parts.join("\n")
}

fn actions(automaton: &Compact, transition: &CounterTransition) -> Vec<String> {
    let action = |(variable, change): &(usize, CounterChange)| {
        let name = &automaton.variables[*variable].name;
        match change {
            CounterChange::To(value) => format!("{name} = {value}"),
            CounterChange::Up => format!("{name}++"),
        }
    };
    transition.action.iter().map(action).collect()
}

/// A guard as in C.
fn guard(automaton: &Compact, shown: &CounterGuard) -> String {
    let name = |variable: usize| automaton.variables[variable].name.clone();
    let part = |part: &CounterGuard| match part {
        CounterGuard::All(parts) | CounterGuard::Any(parts) if parts.len() > 1 => {
            format!("({})", guard(automaton, part))
        }
        CounterGuard::All(_) | CounterGuard::Any(_) | CounterGuard::Bit(..) | CounterGuard::Compare(..) => {
            guard(automaton, part)
        }
    };
    match shown {
        CounterGuard::All(parts) if parts.is_empty() => "true".to_owned(),
        CounterGuard::Any(parts) if parts.is_empty() => "false".to_owned(),
        CounterGuard::All(parts) => parts.iter().map(part).collect::<Vec<_>>().join(" && "),
        CounterGuard::Any(parts) => parts.iter().map(part).collect::<Vec<_>>().join(" || "),
        CounterGuard::Bit(bit, true) => name(*bit),
        CounterGuard::Bit(bit, false) => format!("!{}", name(*bit)),
        CounterGuard::Compare(left, relation, right) => {
            let value = |value: &CounterValue| match value {
                CounterValue::Number(number) => number.to_string(),
                CounterValue::Counter(counter) => name(*counter),
                CounterValue::Next(counter) => format!("{} + 1", name(*counter)),
            };
            let sign = match relation {
                ValueRelation::Less => "<",
                ValueRelation::AtLeast => ">=",
                ValueRelation::Equal => "==",
                ValueRelation::Different => "!=",
            };
            format!("{} {sign} {}", value(left), value(right))
        }
    }
}
