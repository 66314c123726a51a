//! The JSON of `sequent ast` and its schema agree, over models that hold every construct there is.
//!
//! [`everything`] builds a model with every variant of every enum, in a way that does not compile when one is missing.
//! [`Schema`] validates what comes out, and remembers which parts of the schema it met: so neither can the schema lag
//! behind the model nor describe what never comes.

mod everything;

use std::collections::BTreeSet;

use sequent_kernel::model::Model;
use sequent_report::ast;
use sequent_testing::schema::Schema;
use serde_json::Value;

#[test]
fn everything_validates_and_meets_all_of_the_schema() {
    let schema = Schema::new(ast::SCHEMA);
    let (model, sources) = everything::model();
    let mut met = BTreeSet::new();
    for model in everything::media().iter().chain([&model, &Model::default()]) {
        let json = ast::json(model, &sources);
        met.extend(schema.validate(&json).unwrap_or_else(|error| panic!("{error}")));
    }
    let never: Vec<String> = schema.parts().difference(&met).cloned().collect();
    assert!(never.is_empty(), "the schema describes what never comes: {never:#?}");
}

#[test]
fn the_same_model_gives_the_same_bytes_without_null() {
    let (model, sources) = everything::model();
    let text = ast::json(&model, &sources).to_string();
    assert_eq!(text, ast::json(&model, &sources).to_string());
    assert!(!text.contains("null"));
}

#[test]
fn ids_differ_and_references_lead_somewhere() {
    let (model, sources) = everything::model();
    let json = ast::json(&model, &sources);
    for interaction in json["interactions"].as_array().expect("a list") {
        let lifelines = ids(&interaction["lifelines"]);
        let messages = ids(&interaction["messages"]);
        each(interaction, &mut |key, value| match key {
            "lifeline" | "from" | "to" => assert!(lifelines.contains(value), "{key}: {value}"),
            "message" => assert!(messages.contains(value), "{key}: {value}"),
            _ => {}
        });
    }
    for machine in json["machines"].as_array().expect("a list") {
        let vertices = ids(&machine["vertices"]);
        each(machine, &mut |key, value| match key {
            "source" | "vertex" | "parent" => assert!(vertices.contains(value), "{key}: {value}"),
            _ => {}
        });
    }
}

/// The ids in a list, all different.
fn ids(list: &Value) -> BTreeSet<&str> {
    let all: Vec<&str> =
        list.as_array().expect("a list").iter().filter_map(|item| item["id"].as_str()).collect();
    let different: BTreeSet<&str> = all.iter().copied().collect();
    assert_eq!(all.len(), different.len(), "{all:?}");
    different
}

/// Calls `visit` with every key that has a text.
fn each(value: &Value, visit: &mut impl FnMut(&str, &str)) {
    match value {
        Value::Object(fields) => {
            for (key, value) in fields {
                if let Value::String(text) = value {
                    visit(key, text);
                }
                each(value, visit);
            }
        }
        Value::Array(items) => items.iter().for_each(|item| each(item, visit)),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}
