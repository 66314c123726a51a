//! The functions whose names start with `%`.
//!
//! Those that ask for the date, the environment, files or colours are not carried out: what a diagram says must not
//! depend on where and when it is read. Calling one is a warning that names it.

use sequent_kernel::diagnostic::{Code, Diagnostic};

use super::json::Json;
use super::machine::PreprocessorState;
use super::memory::VariableScope;
use super::value::{CallArguments, PreprocessorValue, from_data};
use crate::plantuml::common::text::LINE_BREAK;

/// What `%breakline()` leaves in a line: the line ends there and another begins.
pub(crate) const NEW_LINE: char = '\u{e103}';

/// Names and how many arguments they take at least and at most.
const KNOWN: &[(&str, usize, usize)] = &[
    ("%and", 2, 9),
    ("%backslash", 0, 0),
    ("%boolval", 1, 1),
    ("%breakline", 0, 0),
    ("%call_user_func", 1, 99),
    ("%chr", 1, 1),
    ("%dec2hex", 1, 1),
    ("%dollar", 0, 0),
    ("%eval", 1, 1),
    ("%false", 0, 0),
    ("%feature", 1, 1),
    ("%function_exists", 1, 1),
    ("%get_json_keys", 1, 1),
    ("%get_json_type", 1, 1),
    ("%get_variable_value", 1, 1),
    ("%hex2dec", 1, 1),
    ("%intval", 1, 1),
    ("%invoke_procedure", 1, 99),
    ("%json_key_exists", 2, 2),
    ("%left_align", 0, 0),
    ("%lower", 1, 1),
    ("%mod", 2, 2),
    ("%n", 0, 0),
    ("%nand", 2, 9),
    ("%newline", 0, 0),
    ("%nor", 2, 9),
    ("%not", 1, 1),
    ("%nxor", 2, 9),
    ("%or", 2, 9),
    ("%ord", 1, 1),
    ("%percent", 0, 0),
    ("%retrieve_procedure", 1, 99),
    ("%right_align", 0, 0),
    ("%set_variable_value", 2, 2),
    ("%size", 1, 1),
    ("%splitstr", 2, 2),
    ("%str2json", 1, 1),
    ("%string", 1, 1),
    ("%strlen", 1, 1),
    ("%strpos", 2, 2),
    ("%substr", 2, 3),
    ("%tab", 0, 0),
    ("%true", 0, 0),
    ("%upper", 1, 1),
    ("%variable_exists", 1, 1),
    ("%xor", 2, 9),
];

/// Names of those that are not carried out, with their arguments.
const REFUSED: &[(&str, usize, usize)] = &[
    ("%darken", 2, 2),
    ("%date", 0, 3),
    ("%dirpath", 0, 0),
    ("%file_exists", 1, 1),
    ("%filedate", 0, 0),
    ("%filename", 0, 0),
    ("%filename_no_extension", 0, 0),
    ("%get_all_stdlib", 0, 1),
    ("%get_all_theme", 0, 0),
    ("%get_current_theme", 0, 0),
    ("%get_stdlib", 0, 1),
    ("%getenv", 1, 1),
    ("%hsl_color", 3, 4),
    ("%is_dark", 1, 1),
    ("%is_light", 1, 1),
    ("%json_add", 2, 3),
    ("%json_merge", 2, 2),
    ("%json_remove", 2, 2),
    ("%json_set", 2, 3),
    ("%lighten", 2, 2),
    ("%load_json", 1, 3),
    ("%now", 0, 0),
    ("%random", 0, 2),
    ("%reverse_color", 1, 1),
    ("%reverse_hsluv_color", 1, 1),
    ("%splitstr_regex", 2, 2),
    ("%version", 0, 0),
    ("%xargs", 0, 0),
];

/// Whether a function of that name is built in.
pub(crate) fn is_known(name: &str) -> bool {
    name.starts_with('%') && KNOWN.iter().chain(REFUSED).any(|(known, ..)| *known == name)
}

impl PreprocessorState<'_, '_> {
    /// The value of a built-in function.
    pub(crate) fn builtin(
        &mut self,
        name: &str,
        values: &[PreprocessorValue],
    ) -> Result<PreprocessorValue, String> {
        let entry = KNOWN.iter().chain(REFUSED).find(|(known, ..)| *known == name);
        let fits = entry.is_some_and(|(_, least, most)| (*least..=*most).contains(&values.len()));
        if !fits {
            return Err(format!("`{name}` cannot be called with {} arguments", values.len()));
        }
        if REFUSED.iter().any(|(refused, ..)| *refused == name) {
            return Ok(self.refuse(name, values));
        }
        self.named(name, values)
            .or_else(|| on_text(name, values))
            .or_else(|| logical(name, values))
            .unwrap_or_else(|| Ok(PreprocessorValue::text("")))
    }

    /// Says that the function is not carried out; its first argument stands in for the result.
    fn refuse(&mut self, name: &str, values: &[PreprocessorValue]) -> PreprocessorValue {
        let message = format!("`{name}()` is not carried out");
        self.report(Diagnostic::new(Code::Unsupported, self.here, message));
        values.first().cloned().unwrap_or(PreprocessorValue::text(""))
    }

    /// Functions that look at variables and functions.
    fn named(
        &mut self,
        name: &str,
        values: &[PreprocessorValue],
    ) -> Option<Result<PreprocessorValue, String>> {
        let first = values.first().map(PreprocessorValue::to_string).unwrap_or_default();
        Some(match name {
            "%variable_exists" => Ok(PreprocessorValue::truth(self.memory.get(&first).is_some())),
            "%function_exists" => {
                Ok(PreprocessorValue::truth(is_known(&first) || !self.memory.functions(&first).is_empty()))
            }
            "%get_variable_value" => {
                self.memory.get(&first).cloned().ok_or_else(|| format!("there is no variable `{first}`"))
            }
            "%set_variable_value" => {
                self.memory.set(&first, values[1].clone(), VariableScope::Open);
                Ok(PreprocessorValue::text(""))
            }
            "%call_user_func" => {
                let arguments = CallArguments { values: values[1..].to_vec(), named: Vec::new() };
                self.call(&first, arguments)
            }
            "%retrieve_procedure" => self.retrieve(&first, values[1..].to_vec()),
            "%eval" => self.evaluate(&first).map(|value| PreprocessorValue::Number(value.number())),
            _ => return None,
        })
    }
}

/// Functions on texts, numbers and data.
fn on_text(name: &str, values: &[PreprocessorValue]) -> Option<Result<PreprocessorValue, String>> {
    let text = |index: usize| values.get(index).map(PreprocessorValue::to_string).unwrap_or_default();
    let number = |index: usize| values.get(index).map_or(0, PreprocessorValue::number);
    Some(Ok(match name {
        "%newline" | "%n" | "%left_align" | "%right_align" => PreprocessorValue::text(LINE_BREAK),
        "%breakline" => PreprocessorValue::text(NEW_LINE),
        "%tab" => PreprocessorValue::text("\t"),
        "%backslash" => PreprocessorValue::text("\\"),
        "%dollar" => PreprocessorValue::text("$"),
        "%percent" => PreprocessorValue::text("%"),
        "%string" => PreprocessorValue::text(text(0)),
        "%strlen" => PreprocessorValue::Number(count(&text(0))),
        "%strpos" => PreprocessorValue::Number(position(&text(0), &text(1))),
        "%substr" => PreprocessorValue::text(substring(
            &text(0),
            number(1),
            values.get(2).map(PreprocessorValue::number),
        )),
        "%upper" => PreprocessorValue::text(text(0).to_uppercase()),
        "%lower" => PreprocessorValue::text(text(0).to_lowercase()),
        "%intval" => {
            return Some(
                text(0).trim().parse().map(PreprocessorValue::Number).map_err(|_| not_a_number(&text(0))),
            );
        }
        "%boolval" => return Some(boolean(&text(0))),
        "%chr" => {
            PreprocessorValue::text(u32::try_from(number(0)).ok().and_then(char::from_u32).unwrap_or('\0'))
        }
        "%ord" => PreprocessorValue::Number(text(0).chars().next().map_or(0, |c| i64::from(u32::from(c)))),
        "%dec2hex" => PreprocessorValue::text(format!("{:x}", number(0))),
        "%hex2dec" => PreprocessorValue::Number(i64::from_str_radix(&text(0), 16).unwrap_or(0)),
        "%mod" => {
            return Some(
                number(0)
                    .checked_rem(number(1))
                    .map(PreprocessorValue::Number)
                    .ok_or("division by zero".into()),
            );
        }
        "%size" => PreprocessorValue::Number(match &values[0] {
            PreprocessorValue::Number(_) => 0,
            PreprocessorValue::Text(text) => count(text),
            PreprocessorValue::Data(data) => data.len() as i64,
        }),
        "%splitstr" => PreprocessorValue::Data(split(&text(0), &text(1))),
        "%str2json" => return Some(Json::parse(&text(0)).map(|data| from_data(&data))),
        "%get_json_keys" => PreprocessorValue::Data(Json::List(values[0].data().elements())),
        "%get_json_type" => PreprocessorValue::text(values[0].data().kind()),
        "%json_key_exists" => PreprocessorValue::truth(values[0].data().get(&text(1)).is_some()),
        "%feature" => PreprocessorValue::truth(false),
        _ => return None,
    }))
}

/// Functions on truth values.
fn logical(name: &str, values: &[PreprocessorValue]) -> Option<Result<PreprocessorValue, String>> {
    let all = values.iter().all(PreprocessorValue::holds);
    let any = values.iter().any(PreprocessorValue::holds);
    let odd = values.iter().filter(|value| value.holds()).count() % 2 == 1;
    Some(Ok(PreprocessorValue::truth(match name {
        "%true" => true,
        "%false" => false,
        "%not" => !all,
        "%and" => all,
        "%nand" => !all,
        "%or" => any,
        "%nor" => !any,
        "%xor" => odd,
        "%nxor" => !odd,
        _ => return None,
    })))
}

fn count(text: &str) -> i64 {
    text.chars().count() as i64
}

fn position(text: &str, part: &str) -> i64 {
    text.find(part).map_or(-1, |at| count(&text[..at]))
}

fn substring(text: &str, start: i64, length: Option<i64>) -> String {
    let rest = text.chars().skip(usize::try_from(start).unwrap_or(0));
    let length = length.map_or(usize::MAX, |length| usize::try_from(length).unwrap_or(0));
    rest.take(length).collect()
}

fn boolean(text: &str) -> Result<PreprocessorValue, String> {
    match text.to_lowercase().as_str() {
        "true" | "1" | "yes" => Ok(PreprocessorValue::truth(true)),
        "false" | "0" | "no" | "" => Ok(PreprocessorValue::truth(false)),
        _ => Err(format!("`{text}` is not a truth value")),
    }
}

fn not_a_number(text: &str) -> String {
    format!("`{text}` is not a number")
}

/// The pieces between any of the characters in `separators`; empty ones are left out.
fn split(text: &str, separators: &str) -> Json {
    let pieces = text.split(|c| separators.contains(c)).filter(|piece| !piece.is_empty());
    Json::List(pieces.map(|piece| Json::Text(piece.to_owned())).collect())
}
