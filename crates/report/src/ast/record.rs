//! JSON objects, put together key by key.
//!
//! The one rule of the format that concerns every type is kept here: what is not there is left out, and what is a list is
//! always there.

use serde_json::{Map, Value};

/// A JSON object under construction.
#[derive(Default)]
pub(super) struct JsonRecord(Map<String, Value>);

impl JsonRecord {
    /// An object without keys.
    pub(super) fn new() -> Self {
        Self::default()
    }

    /// An object that first says which of several forms it has.
    pub(super) fn kind(kind: &str) -> Self {
        Self::new().put("kind", kind)
    }

    /// The same with one more key, unless its value is `None`.
    pub(super) fn put(mut self, key: &str, value: impl Into<Value>) -> Self {
        match value.into() {
            Value::Null => self,
            value => {
                self.0.insert(key.to_owned(), value);
                self
            }
        }
    }

    /// The same with a list under `key`: the results of `show` for all items.
    pub(super) fn list<I: IntoIterator, V: Into<Value>>(
        self,
        key: &str,
        items: I,
        show: impl FnMut(I::Item) -> V,
    ) -> Self {
        self.put(key, list(items, show))
    }

    /// The same with a list of texts under `key`.
    pub(super) fn texts(self, key: &str, texts: &[String]) -> Self {
        self.list(key, texts, String::as_str)
    }

    /// The finished object.
    pub(super) fn done(self) -> Value {
        Value::Object(self.0)
    }
}

/// A JSON array of the results of `show` for all items.
pub(super) fn list<I: IntoIterator, V: Into<Value>>(items: I, show: impl FnMut(I::Item) -> V) -> Value {
    Value::Array(items.into_iter().map(show).map(Into::into).collect())
}
