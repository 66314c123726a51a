//! `sequent ast` over real files: what it prints fits the schema, and the page about it is true.

use sequent::pipeline;
use sequent_kernel::source::Sources;
use sequent_report::ast;
use sequent_testing::cases::{self, ExampleIncludes};
use sequent_testing::schema::Schema;
use serde_json::{Value, json};

#[test]
fn every_example_fits_the_schema() {
    let schema = Schema::new(ast::SCHEMA);
    for case in cases::all() {
        let session = cases::read(&case);
        let json = ast::json(&session.reading.model, &session.sources);
        schema.validate(&json).unwrap_or_else(|error| panic!("{}: {error}", case.name));
    }
}

#[test]
fn the_example_in_the_documentation_is_true() {
    let page = std::fs::read_to_string(cases::root().join("docs/ast.md")).expect("the page is there");
    let mut sources = Sources::new();
    let file = sources.add("door.mmd", fenced(&page, "mermaid"));
    let reading = pipeline::read(&[file], &mut sources, &mut ExampleIncludes, &Default::default());
    let interaction = &ast::json(&reading.model, &sources)["interactions"][0];
    let shown = json!({ "messages": interaction["messages"], "body": interaction["body"] });
    let written: Value = serde_json::from_str(fenced(&page, "json")).expect("the example is JSON");
    assert_eq!(written, without(shown, &["place", "labelPlace", "arrow"]));
}

/// The content of the first fenced block in `language`.
fn fenced<'a>(page: &'a str, language: &str) -> &'a str {
    let (_, rest) = page.split_once(&format!("```{language}\n")).expect("the block is there");
    rest.split_once("```").expect("the block is closed").0
}

/// The value without `keys`, at any depth.
fn without(value: Value, keys: &[&str]) -> Value {
    match value {
        Value::Object(fields) => {
            let kept = fields.into_iter().filter(|(key, _)| !keys.contains(&key.as_str()));
            kept.map(|(key, value)| (key, without(value, keys))).collect::<serde_json::Map<_, _>>().into()
        }
        Value::Array(items) => items.into_iter().map(|item| without(item, keys)).collect(),
        plain @ (Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_)) => plain,
    }
}
