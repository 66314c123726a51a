//! Values of the preprocessor: whole numbers, texts, and data in JSON.
//!
//! Operators work on numbers where both sides are numbers and on texts otherwise, as PlantUML does; there is no error.

use super::json::Json;

/// Texts beyond this many bytes are taken for the work of a loop without end.
pub(crate) const LONGEST_TEXT: usize = 1 << 15;

/// What a variable holds or an expression yields.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum PreprocessorValue {
    /// A whole number; truth values are 1 and 0.
    Number(i64),
    /// A text.
    Text(String),
    /// A list or map.
    Data(Json),
}

impl PreprocessorValue {
    /// 1 or 0.
    pub(crate) fn truth(holds: bool) -> PreprocessorValue {
        PreprocessorValue::Number(i64::from(holds))
    }

    /// A text.
    pub(crate) fn text(text: impl Into<String>) -> PreprocessorValue {
        PreprocessorValue::Text(text.into())
    }

    /// Whether it counts as true: a number that is not 0, a text that is not empty.
    pub(crate) fn holds(&self) -> bool {
        match self {
            PreprocessorValue::Number(number) => *number != 0,
            PreprocessorValue::Text(text) => !text.is_empty(),
            PreprocessorValue::Data(data) => !data.to_string().is_empty(),
        }
    }

    /// The number, 0 for everything else.
    pub(crate) fn number(&self) -> i64 {
        match self {
            PreprocessorValue::Number(number) => *number,
            PreprocessorValue::Text(_) | PreprocessorValue::Data(_) => 0,
        }
    }

    /// The value as data.
    pub(crate) fn data(&self) -> Json {
        match self {
            PreprocessorValue::Number(number) => Json::Number(number.to_string()),
            PreprocessorValue::Text(text) => Json::Text(text.clone()),
            PreprocessorValue::Data(data) => data.clone(),
        }
    }
}

impl std::fmt::Display for PreprocessorValue {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            PreprocessorValue::Number(number) => write!(f, "{number}"),
            PreprocessorValue::Text(text) => f.write_str(text),
            PreprocessorValue::Data(Json::Text(text)) => f.write_str(text),
            PreprocessorValue::Data(data) => write!(f, "{data}"),
        }
    }
}

/// The operators, with those that bind tightest first.
pub(crate) const OPERATORS: &[&[&str]] =
    &[&["*", "/"], &["+", "-"], &["<=", ">=", "<", ">"], &["==", "!="], &["&&"], &["||"]];

/// Applies one of [`OPERATORS`].
pub(crate) fn apply(
    operator: &str,
    left: &PreprocessorValue,
    right: &PreprocessorValue,
) -> Result<PreprocessorValue, String> {
    if let (PreprocessorValue::Number(a), PreprocessorValue::Number(b)) = (left, right) {
        return numbers(operator, *a, *b);
    }
    let (a, b) = (left.to_string(), right.to_string());
    if a.len() + b.len() > LONGEST_TEXT {
        return Err("the text grows without end".to_owned());
    }
    Ok(match operator {
        "+" | "-" => PreprocessorValue::Text(a + &b),
        "*" | "/" => PreprocessorValue::Text(format!("{a}{operator}{b}")),
        "&&" => PreprocessorValue::truth(left.holds() && right.holds()),
        "||" => PreprocessorValue::truth(left.holds() || right.holds()),
        _ => PreprocessorValue::truth(compare(operator, a.cmp(&b))),
    })
}

fn numbers(operator: &str, a: i64, b: i64) -> Result<PreprocessorValue, String> {
    Ok(match operator {
        "+" => PreprocessorValue::Number(a.wrapping_add(b)),
        "-" => PreprocessorValue::Number(a.wrapping_sub(b)),
        "*" => PreprocessorValue::Number(a.wrapping_mul(b)),
        "/" => PreprocessorValue::Number(a.checked_div(b).ok_or("division by zero")?),
        "&&" => PreprocessorValue::truth(a != 0 && b != 0),
        "||" => PreprocessorValue::truth(a != 0 || b != 0),
        _ => PreprocessorValue::truth(compare(operator, a.cmp(&b))),
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
pub(crate) fn from_data(data: &Json) -> PreprocessorValue {
    match data {
        Json::Number(number) => number
            .parse()
            .map_or_else(|_| PreprocessorValue::text(number.as_str()), PreprocessorValue::Number),
        Json::Text(text) => PreprocessorValue::text(text.as_str()),
        Json::Word(word) => PreprocessorValue::text(word.as_str()),
        Json::List(_) | Json::Map(_) => PreprocessorValue::Data(data.clone()),
    }
}

/// The arguments of a call.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct CallArguments {
    /// By position.
    pub values: Vec<PreprocessorValue>,
    /// By name.
    pub named: Vec<(String, PreprocessorValue)>,
}
