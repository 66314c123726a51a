//! Runs in the Informal Trace Format of Apalache (ADR 015 there): JSON that trace viewers and model-based testers read.
//!
//! A state has a variable for each column of the log, a record of states, attributes and waiting messages, and `event` for
//! what led to it. Values that are numbers are numbers, all others texts.

use sequent_kernel::log::{Column, Log, ObjectStatus};
use serde_json::{Map, Value, json};

/// The variable that tells what happened.
const EVENT: &str = "event";

/// A run as ITF.
pub fn itf(log: &Log) -> Value {
    let columns = names(&log.columns);
    let mut variables = vec![EVENT.to_owned()];
    variables.extend(columns.iter().cloned());
    let state = |(index, row): (usize, &sequent_kernel::log::LogRow)| {
        let mut state = Map::new();
        state.insert("#meta".to_owned(), json!({ "index": index }));
        state.insert(EVENT.to_owned(), json!(row.deed));
        for (name, standing) in columns.iter().zip(&row.standings) {
            state.insert(name.clone(), record(standing));
        }
        Value::Object(state)
    };
    let states: Vec<Value> = log.rows.iter().enumerate().map(state).collect();
    let meta = json!({
        "format": "ITF",
        "format-description": "https://apalache-mc.org/docs/adr/015adr-trace.html",
        "description": "made by Sequent",
    });
    let mut value = json!({ "#meta": meta, "vars": variables, "states": states });
    if let Some(cycle) = log.cycle {
        value["loop"] = json!(cycle);
    }
    value
}

/// Names that differ from each other and from the variable of the event.
fn names(columns: &[Column]) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    for column in columns {
        let mut name = column.name.clone();
        while name == EVENT || names.contains(&name) {
            name.push('\'');
        }
        names.push(name);
    }
    names
}

fn record(standing: &ObjectStatus) -> Value {
    let value = |text: &str| match text.parse::<i64>() {
        Ok(number) => json!(number),
        Err(_) => match text {
            "true" => json!(true),
            "false" => json!(false),
            text => json!(text),
        },
    };
    let attributes: Map<String, Value> =
        standing.attributes.iter().map(|(name, text)| (name.clone(), value(text))).collect();
    json!({ "states": standing.states, "attributes": attributes, "waiting": standing.waiting })
}
