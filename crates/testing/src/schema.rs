//! A strict validator for the part of JSON Schema (draft 2020-12) that `docs/ast.schema.json` uses.
//!
//! The crates that know all of JSON Schema bring some eighty others; the keywords used here are a dozen. An unknown
//! keyword is a panic, so the schema cannot say more than is checked. Besides validating, it notes which properties
//! (there and left out), words and forms were met, each by its path in the schema.

use std::collections::BTreeSet;

use serde_json::{Map, Value};

/// A schema, checked to be one that this validator understands.
pub struct Schema {
    root: Value,
}

/// Parts of a schema: `/$defs/message/properties/sort/enum/call`.
pub(crate) type SchemaParts = BTreeSet<String>;

impl Schema {
    /// Reads a schema.
    pub fn new(text: &str) -> Self {
        Self { root: serde_json::from_str(text).expect("the schema is JSON") }
    }

    /// Everything of the schema that a value can meet.
    pub fn parts(&self) -> SchemaParts {
        let mut parts = SchemaParts::new();
        collect("", &self.root, &mut parts);
        parts
    }

    /// The parts of the schema that `value` meets, or the first thing that is wrong with it.
    pub fn validate(&self, value: &Value) -> Result<SchemaParts, String> {
        let mut met = SchemaParts::new();
        self.check("", &self.root, value, &mut met).map(|()| met)
    }

    fn check(&self, path: &str, schema: &Value, value: &Value, met: &mut SchemaParts) -> Result<(), String> {
        let keywords = match schema {
            Value::Bool(true) => return Ok(()),
            Value::Bool(false) => return Err(format!("{path}: not allowed here: {value}")),
            schema => schema.as_object().expect("a schema is an object or a boolean"),
        };
        for (keyword, wanted) in keywords {
            self.keyword(path, keywords, keyword, wanted, value, met)?;
        }
        Ok(())
    }

    fn keyword(
        &self,
        path: &str,
        keywords: &Map<String, Value>,
        keyword: &str,
        wanted: &Value,
        value: &Value,
        met: &mut SchemaParts,
    ) -> Result<(), String> {
        let demand =
            |holds: bool| if holds { Ok(()) } else { Err(format!("{path}: {keyword} {wanted}: {value}")) };
        let number = || wanted.as_i64().expect("a number");
        let length = || value.as_array().map_or(0, |items| items.len() as i64);
        match keyword {
            "$schema" | "$id" | "$defs" | "title" | "description" | "then" | "else" => Ok(()),
            "$ref" => {
                let path =
                    wanted.as_str().and_then(|path| path.strip_prefix('#')).expect("a path in this schema");
                let schema = self.root.pointer(path).expect("the path leads somewhere");
                self.check(path, schema, value, met)
            }
            "type" => demand(wanted.as_str() == Some(type_of(value))),
            "const" => demand(wanted == value),
            "enum" => {
                met.insert(format!("{path}/enum/{value}"));
                demand(wanted.as_array().expect("a list").contains(value))
            }
            "minimum" => demand(value.as_i64().is_none_or(|value| value >= number())),
            "minItems" => demand(length() >= number()),
            "maxItems" => demand(length() <= number()),
            "items" => {
                let mut items = value.as_array().into_iter().flatten();
                items.try_for_each(|item| self.check(&format!("{path}/items"), wanted, item, met))
            }
            "required" => {
                let mut names = wanted.as_array().expect("a list").iter().filter_map(Value::as_str);
                demand(names.all(|name| value.get(name).is_some()))
            }
            "properties" => self.properties(path, wanted, value, met),
            "additionalProperties" => {
                assert_eq!(wanted, &Value::Bool(false), "{path}: objects are closed");
                let known = keywords["properties"].as_object().expect("an object");
                demand(
                    value.as_object().is_none_or(|fields| fields.keys().all(|key| known.contains_key(key))),
                )
            }
            "oneOf" => self.one_of(path, wanted, value, met),
            "allOf" => wanted
                .as_array()
                .expect("a list")
                .iter()
                .try_for_each(|part| self.check(path, part, value, met)),
            "if" => {
                let branch = if self.check(path, wanted, value, &mut SchemaParts::new()).is_ok() {
                    "then"
                } else {
                    "else"
                };
                self.check(path, &keywords[branch], value, &mut SchemaParts::new())
            }
            unknown => panic!("{path}: the validator does not know the keyword {unknown}"),
        }
    }

    fn properties(
        &self,
        path: &str,
        wanted: &Value,
        value: &Value,
        met: &mut SchemaParts,
    ) -> Result<(), String> {
        for (name, schema) in wanted.as_object().expect("an object") {
            let path = format!("{path}/properties/{name}");
            match value.get(name) {
                Some(value) => {
                    self.check(&path, schema, value, met)?;
                    met.insert(path);
                }
                None => {
                    met.insert(format!("{path} left out"));
                }
            }
        }
        Ok(())
    }

    fn one_of(&self, path: &str, forms: &Value, value: &Value, met: &mut SchemaParts) -> Result<(), String> {
        let mut fitting = Vec::new();
        let mut errors = Vec::new();
        for (index, form) in forms.as_array().expect("a list").iter().enumerate() {
            let path = format!("{path}/oneOf/{index}");
            let mut parts = SchemaParts::from([path.clone()]);
            match self.check(&path, form, value, &mut parts) {
                Ok(()) => fitting.push(parts),
                Err(error) => errors.push(error),
            }
        }
        if fitting.len() != 1 {
            return Err(format!("{path}: fits {} forms: {value}\n{}", fitting.len(), errors.join("\n")));
        }
        met.extend(fitting.into_iter().flatten());
        Ok(())
    }
}

/// Every property, word and form below `path`; also demands that objects are closed and properties described.
fn collect(path: &str, schema: &Value, parts: &mut SchemaParts) {
    let Some(keywords) = schema.as_object() else { return };
    let fields = |key: &str| keywords.get(key).and_then(Value::as_object).into_iter().flatten();
    let items = |key: &str| keywords.get(key).and_then(Value::as_array).into_iter().flatten().enumerate();
    if keywords.contains_key("properties") {
        assert!(keywords.contains_key("additionalProperties"), "{path}: open object");
    }
    for (name, schema) in fields("properties") {
        let path = format!("{path}/properties/{name}");
        assert!(schema.get("description").is_some(), "{path}: no description");
        collect(&path, schema, parts);
        if !items("required").any(|(_, required)| required == name) {
            parts.insert(format!("{path} left out"));
        }
        parts.insert(path);
    }
    for (name, schema) in fields("$defs") {
        assert!(schema.get("description").is_some(), "{name}: no description");
        collect(&format!("{path}/$defs/{name}"), schema, parts);
    }
    parts.extend(items("enum").map(|(_, word)| format!("{path}/enum/{word}")));
    parts.extend(items("oneOf").map(|(index, _)| format!("{path}/oneOf/{index}")));
    if let Some(schema) = keywords.get("items") {
        collect(&format!("{path}/items"), schema, parts);
    }
}

fn type_of(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "boolean",
        Value::Number(number) if number.is_i64() || number.is_u64() => "integer",
        Value::Number(_) => "number",
        Value::String(_) => "string",
        Value::Array(_) => "array",
        Value::Object(_) => "object",
    }
}

#[test]
fn what_is_wrong_is_refused() {
    let schema = Schema::new(
        r##"{ "type": "object", "properties": { "a": { "enum": ["x", "y"] }, "b": { "type": "array", "maxItems": 1 } },
              "required": ["a"], "additionalProperties": false,
              "if": { "properties": { "a": { "enum": ["x"] } } }, "then": { "required": ["b"] }, "else": { "properties": { "b": false } } }"##,
    );
    let accepts = |text: &str| schema.validate(&serde_json::from_str(text).expect("JSON")).is_ok();
    assert!(accepts(r#"{ "a": "x", "b": [1] }"#) && accepts(r#"{ "a": "y" }"#));
    assert!(
        !accepts(r#"{ "a": "z" }"#) && !accepts(r#"{ "a": "x" }"#) && !accepts(r#"{ "a": "y", "b": [] }"#)
    );
    assert!(
        !accepts(r#"{ "a": "x", "b": [1, 2] }"#) && !accepts(r#"{ "a": "y", "c": 1 }"#) && !accepts("[]")
    );
}
