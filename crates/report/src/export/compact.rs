//! Compact automata for Graphviz and as JSON (docs/automata.md).

use std::fmt::Write;

use sequent_kernel::counter_automaton::{Change, Compact, Guard, Relation, Role, State, Transition, Value};
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
            Role::Iterations(line) => ("counter", line),
            Role::Happened(event) => ("bit", event),
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

fn told(role: &Role) -> String {
    match role {
        Role::Iterations(line) => format!("iterations of {line}"),
        Role::Happened(event) => event.replace('\n', " "),
    }
}

fn label(number: usize, state: &State) -> String {
    match state.history.as_slice() {
        [] => number.to_string(),
        history => format!("{number}\n{}", history.join("\n")),
    }
}

/// `event [guard] / action`
fn arrow(automaton: &Compact, transition: &Transition) -> String {
    let mut parts: Vec<String> = transition.event.iter().map(|event| event.replace('\n', " ")).collect();
    if transition.guard != Guard::ALWAYS {
        parts.push(format!("[{}]", guard(automaton, &transition.guard)));
    }
    let actions = actions(automaton, transition);
    if !actions.is_empty() {
        parts.push(format!("/ {}", actions.join("; ")));
    }
    parts.join("\n")
}

fn actions(automaton: &Compact, transition: &Transition) -> Vec<String> {
    let action = |(variable, change): &(usize, Change)| {
        let name = &automaton.variables[*variable].name;
        match change {
            Change::To(value) => format!("{name} = {value}"),
            Change::Up => format!("{name}++"),
        }
    };
    transition.action.iter().map(action).collect()
}

/// A guard as in C.
fn guard(automaton: &Compact, shown: &Guard) -> String {
    let name = |variable: usize| automaton.variables[variable].name.clone();
    let part = |part: &Guard| match part {
        Guard::All(parts) | Guard::Any(parts) if parts.len() > 1 => format!("({})", guard(automaton, part)),
        Guard::All(_) | Guard::Any(_) | Guard::Bit(..) | Guard::Compare(..) => guard(automaton, part),
    };
    match shown {
        Guard::All(parts) if parts.is_empty() => "true".to_owned(),
        Guard::Any(parts) if parts.is_empty() => "false".to_owned(),
        Guard::All(parts) => parts.iter().map(part).collect::<Vec<_>>().join(" && "),
        Guard::Any(parts) => parts.iter().map(part).collect::<Vec<_>>().join(" || "),
        Guard::Bit(bit, true) => name(*bit),
        Guard::Bit(bit, false) => format!("!{}", name(*bit)),
        Guard::Compare(left, relation, right) => {
            let value = |value: &Value| match value {
                Value::Number(number) => number.to_string(),
                Value::Counter(counter) => name(*counter),
                Value::Next(counter) => format!("{} + 1", name(*counter)),
            };
            let sign = match relation {
                Relation::Less => "<",
                Relation::AtLeast => ">=",
                Relation::Equal => "==",
                Relation::Different => "!=",
            };
            format!("{} {sign} {}", value(left), value(right))
        }
    }
}
