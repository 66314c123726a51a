//! JSON as the preprocessor needs it: lists to loop over, maps to look things up.

use std::fmt;

/// A JSON value. Maps keep their order.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Json {
    /// `null`, `true`, `false`, as written.
    Word(String),
    /// A number as written.
    Number(String),
    /// A string.
    Text(String),
    /// An array.
    List(Vec<Json>),
    /// An object.
    Map(Vec<(String, Json)>),
}

impl Json {
    /// Parses a whole text.
    pub(crate) fn parse(text: &str) -> Result<Json, String> {
        let mut parser = JsonParser { rest: text, depth: 0 };
        let value = parser.value()?;
        parser.spaces();
        if parser.rest.is_empty() { Ok(value) } else { Err(format!("`{}` follows the data", parser.rest)) }
    }

    /// The element with this number or name.
    pub(crate) fn get(&self, key: &str) -> Option<&Json> {
        match self {
            Json::List(items) => items.get(key.trim().parse::<usize>().ok()?),
            Json::Map(entries) => entries.iter().find(|(name, _)| name == key).map(|(_, value)| value),
            Json::Word(_) | Json::Number(_) | Json::Text(_) => None,
        }
    }

    /// How many elements there are.
    pub(crate) fn len(&self) -> usize {
        match self {
            Json::List(items) => items.len(),
            Json::Map(entries) => entries.len(),
            Json::Word(_) | Json::Number(_) | Json::Text(_) => 0,
        }
    }

    /// What a loop over it goes through: the elements of a list, the names of a map.
    pub(crate) fn elements(&self) -> Vec<Json> {
        match self {
            Json::List(items) => items.clone(),
            Json::Map(entries) => entries.iter().map(|(name, _)| Json::Text(name.clone())).collect(),
            Json::Word(_) | Json::Number(_) | Json::Text(_) => Vec::new(),
        }
    }

    /// The word PlantUML has for the type.
    pub(crate) fn kind(&self) -> &'static str {
        match self {
            Json::Word(_) => "boolean",
            Json::Number(_) => "number",
            Json::Text(_) => "string",
            Json::List(_) => "array",
            Json::Map(_) => "object",
        }
    }
}

impl fmt::Display for Json {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Json::Word(text) | Json::Number(text) => f.write_str(text),
            Json::Text(text) => write!(f, "{text:?}"),
            Json::List(items) => {
                let items: Vec<String> = items.iter().map(Json::to_string).collect();
                write!(f, "[{}]", items.join(","))
            }
            Json::Map(entries) => {
                let entries: Vec<String> =
                    entries.iter().map(|(name, value)| format!("{name:?}:{value}")).collect();
                write!(f, "{{{}}}", entries.join(","))
            }
        }
    }
}

struct JsonParser<'a> {
    rest: &'a str,
    depth: u32,
}

impl JsonParser<'_> {
    fn spaces(&mut self) {
        self.rest = self.rest.trim_start();
    }

    fn take(&mut self, mark: char) -> bool {
        self.spaces();
        let found = self.rest.strip_prefix(mark);
        self.rest = found.unwrap_or(self.rest);
        found.is_some()
    }

    fn value(&mut self) -> Result<Json, String> {
        self.depth += 1;
        if self.depth > 60 {
            return Err("the data is nested too deeply".to_owned());
        }
        self.spaces();
        let value = match self.rest.chars().next() {
            Some('[') => Json::List(self.items(']', Self::value)?),
            Some('{') => Json::Map(self.items('}', Self::entry)?),
            Some('"') => Json::Text(self.string()?),
            Some(_) => self.word()?,
            None => return Err("the data ends too early".to_owned()),
        };
        self.depth -= 1;
        Ok(value)
    }

    fn items<T>(
        &mut self,
        close: char,
        item: impl Fn(&mut Self) -> Result<T, String>,
    ) -> Result<Vec<T>, String> {
        self.rest = &self.rest[1..];
        let mut items = Vec::new();
        if self.take(close) {
            return Ok(items);
        }
        loop {
            items.push(item(self)?);
            if self.take(close) {
                return Ok(items);
            }
            if !self.take(',') {
                return Err(format!("`,` or `{close}` is missing in the data"));
            }
        }
    }

    fn entry(&mut self) -> Result<(String, Json), String> {
        self.spaces();
        let name = self.string()?;
        if !self.take(':') {
            return Err("`:` is missing in the data".to_owned());
        }
        Ok((name, self.value()?))
    }

    fn string(&mut self) -> Result<String, String> {
        let mut out = String::new();
        let mut chars = self.rest.char_indices();
        if chars.next().map(|(_, c)| c) != Some('"') {
            return Err("a quoted string is missing in the data".to_owned());
        }
        while let Some((at, c)) = chars.next() {
            match c {
                '"' => {
                    self.rest = &self.rest[at + 1..];
                    return Ok(out);
                }
                '\\' => match chars.next().map(|(_, c)| c) {
                    Some('n') => out.push('\n'),
                    Some('t') => out.push('\t'),
                    Some(c) => out.push(c),
                    None => break,
                },
                c => out.push(c),
            }
        }
        Err("a string in the data is never closed".to_owned())
    }

    fn word(&mut self) -> Result<Json, String> {
        let end = self.rest.find([',', ']', '}', ' ', ':']).unwrap_or(self.rest.len());
        let (word, rest) = self.rest.split_at(end);
        self.rest = rest;
        if word.parse::<f64>().is_ok() {
            return Ok(Json::Number(word.to_owned()));
        }
        match word {
            "true" | "false" | "null" => Ok(Json::Word(word.to_owned())),
            _ => Err(format!("`{word}` is not JSON data")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn data_is_read_and_written() {
        for text in [r#"["a",1,true]"#, r#"{"a":[1,2],"b":{"c":"d"}}"#, "[]", "{}"] {
            assert_eq!(Json::parse(text).map(|json| json.to_string()), Ok(text.to_owned()));
        }
        assert!(Json::parse("[1").is_err());
        assert!(Json::parse(&"[".repeat(1000)).is_err());
        assert_eq!(Json::parse(r#"{"a": 5}"#).expect("it is JSON").get("a"), Some(&Json::Number("5".into())));
    }
}
