//! Values of the preprocessor: whole numbers, texts, and data in JSON.
//!
//! Operators work on numbers where both sides are numbers and on texts otherwise, as PlantUML does; there is no error.

use super::json::Json;

/// Texts beyond this many bytes are taken for the work of a loop without end.
pub const LONGEST_TEXT: usize = 1 << 15;

/// What a variable holds or an expression yields.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Value {
    /// A whole number; truth values are 1 and 0.
    Number(i64),
    /// A text.
    Text(String),
    /// A list or map.
    Data(Json),
}

impl Value {
    /// 1 or 0.
    pub fn truth(holds: bool) -> Value {
        Value::Number(i64::from(holds))
    }

    /// A text.
    pub fn text(text: impl Into<String>) -> Value {
        Value::Text(text.into())
    }

    /// Whether it counts as true: a number that is not 0, a text that is not empty.
    pub fn holds(&self) -> bool {
        match self {
            Value::Number(number) => *number != 0,
            Value::Text(text) => !text.is_empty(),
            Value::Data(data) => !data.to_string().is_empty(),
        }
    }

    /// The number, 0 for everything else.
    pub fn number(&self) -> i64 {
        match self {
            Value::Number(number) => *number,
            Value::Text(_) | Value::Data(_) => 0,
        }
    }

    /// The value as data.
    pub fn data(&self) -> Json {
        match self {
            Value::Number(number) => Json::Number(number.to_string()),
            Value::Text(text) => Json::Text(text.clone()),
            Value::Data(data) => data.clone(),
        }
    }
}

impl std::fmt::Display for Value {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Value::Number(number) => write!(f, "{number}"),
            Value::Text(text) => f.write_str(text),
            Value::Data(Json::Text(text)) => f.write_str(text),
            Value::Data(data) => write!(f, "{data}"),
        }
    }
}

/// The operators, with those that bind tightest first.
pub const OPERATORS: &[&[&str]] =
    &[&["*", "/"], &["+", "-"], &["<=", ">=", "<", ">"], &["==", "!="], &["&&"], &["||"]];

/// Applies one of [`OPERATORS`].
pub fn apply(operator: &str, left: &Value, right: &Value) -> Result<Value, String> {
    if let (Value::Number(a), Value::Number(b)) = (left, right) {
        return numbers(operator, *a, *b);
    }
    let (a, b) = (left.to_string(), right.to_string());
    if a.len() + b.len() > LONGEST_TEXT {
        return Err("the text grows without end".to_owned());
    }
    Ok(match operator {
        "+" | "-" => Value::Text(a + &b),
        "*" | "/" => Value::Text(format!("{a}{operator}{b}")),
        "&&" => Value::truth(left.holds() && right.holds()),
        "||" => Value::truth(left.holds() || right.holds()),
        _ => Value::truth(compare(operator, a.cmp(&b))),
    })
}

fn numbers(operator: &str, a: i64, b: i64) -> Result<Value, String> {
    Ok(match operator {
        "+" => Value::Number(a.wrapping_add(b)),
        "-" => Value::Number(a.wrapping_sub(b)),
        "*" => Value::Number(a.wrapping_mul(b)),
        "/" => Value::Number(a.checked_div(b).ok_or("division by zero")?),
        "&&" => Value::truth(a != 0 && b != 0),
        "||" => Value::truth(a != 0 || b != 0),
        _ => Value::truth(compare(operator, a.cmp(&b))),
    })
}

fn compare(operator: &str, ordering: std::cmp::Ordering) -> bool {
    match operator {
        "<=" => ordering.is_le(),
        ">=" => ordering.is_ge(),
        "<" => ordering.is_lt(),
        ">" => ordering.is_gt(),
        "==" => ordering.is_eq(),
        _ => ordering.is_ne(),
    }
}

/// A value from data; numbers and strings become plain values.
pub fn from_data(data: &Json) -> Value {
    match data {
        Json::Number(number) => number.parse().map_or_else(|_| Value::text(number.as_str()), Value::Number),
        Json::Text(text) => Value::text(text.as_str()),
        Json::Word(word) => Value::text(word.as_str()),
        Json::List(_) | Json::Map(_) => Value::Data(data.clone()),
    }
}

/// The arguments of a call.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Arguments {
    /// By position.
    pub values: Vec<Value>,
    /// By name.
    pub named: Vec<(String, Value)>,
}
