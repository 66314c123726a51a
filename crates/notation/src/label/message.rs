//! Messages and sends: `name(arguments)`.

use sequent_kernel::model::Argument;

use super::scan;
use crate::expression;

/// A message's label as its name and arguments.
///
/// `result(1, ok = false)`, `result(1) {ok = false}` and `result {ok = false}` have a name (letters, digits, `_`, `.`,
/// `-`) and arguments, where `name = value` is a named one. Any other text, such as `HTTP(S) forward`, is a name as a
/// whole (line breaks as spaces) without arguments. `None` means that no argument list is written.
pub fn message(text: &str) -> (String, Option<Vec<Argument>>) {
    let text = super::one_line(text);
    let (head, constraints) = constraints(&text);
    let (name, listed) = match call(head) {
        Some((name, arguments)) => (name, Some(self::arguments(arguments))),
        None => (head, None),
    };
    let is_name = !name.is_empty() && name.chars().all(is_message_character);
    if !is_name || (listed.is_none() && constraints.is_none()) {
        return (text, None);
    }
    let arguments = [listed, constraints].into_iter().flatten().flatten().collect();
    (name.to_owned(), Some(arguments))
}

fn is_message_character(character: char) -> bool {
    character.is_alphanumeric() || matches!(character, '_' | '.' | '-')
}

/// A text `name(..)` as the text before the bracket and the text inside; the bracket must end the text.
pub(super) fn call(text: &str) -> Option<(&str, &str)> {
    let (before, inside, after) = scan::bracketed(text, '(')?;
    (after.trim().is_empty() && !before.ends_with(char::is_whitespace)).then_some((before, inside))
}

/// A trailing `{name = value, ..}`, cut off and read.
fn constraints(text: &str) -> (&str, Option<Vec<Argument>>) {
    let Some((before, inside, after)) = scan::bracketed(text, '{') else { return (text, None) };
    let constraints = arguments(inside);
    let all_named = !constraints.is_empty() && constraints.iter().all(|argument| argument.name.is_some());
    if after.trim().is_empty() && all_named {
        return (before.trim_end(), Some(constraints));
    }
    (text, None)
}

/// The arguments in a bracket: `x`, `1 + 2`, `ok = false`; one that is left out between two commas has no text.
pub(super) fn arguments(text: &str) -> Vec<Argument> {
    scan::list(text).into_iter().map(argument).collect()
}

fn argument(text: &str) -> Argument {
    let named =
        scan::find(text, '=', |before, after| is_name(before.trim()) && !after.starts_with(['=', '>']));
    let (name, text) = match named {
        Some(at) => (Some(text[..at].trim().to_owned()), text[at + 1..].trim()),
        None => (None, text),
    };
    Argument { name, text: text.to_owned(), value: expression::parse(text).ok() }
}

/// Whether the text is one plain name.
pub(super) fn is_name(text: &str) -> bool {
    text.starts_with(expression::is_name_start) && text.chars().all(expression::is_name_part)
}

#[cfg(test)]
mod tests {
    use expect_test::{Expect, expect};

    use super::*;

    fn check(input: &str, expected: Expect) {
        let (name, arguments) = message(input);
        let shown = arguments.map(|arguments| {
            let one = |argument: &Argument| {
                let name = argument.name.as_ref().map_or(String::new(), |name| format!("{name}="));
                let prose = if argument.value.is_none() { "?" } else { "" };
                format!("{name}{}{prose}", argument.text)
            };
            arguments.iter().map(one).collect::<Vec<_>>().join(" | ")
        });
        expected.assert_eq(&format!("{name:?} {shown:?}"));
    }

    #[test]
    fn messages() {
        check("done", expect![[r#""done" None"#]]);
        check("done()", expect![[r#""done" Some("")"#]]);
        check("bank.debit(id, amt + f(1,2))", expect![[r#""bank.debit" Some("id | amt + f(1,2)")"#]]);
        check("result(ok = false)", expect![[r#""result" Some("ok=false")"#]]);
        check("result(1) {ok=false}", expect![[r#""result" Some("1 | ok=false")"#]]);
        check("result {ok = false}", expect![[r#""result" Some("ok=false")"#]]);
        check("check(a == b)", expect![[r#""check" Some("a == b")"#]]);
        check("log(user name)", expect![[r#""log" Some("user name?")"#]]);
        check("HTTP(S) forward", expect![[r#""HTTP(S) forward" None"#]]);
        check("invoke (x)", expect![[r#""invoke (x)" None"#]]);
        check("GET /a\n{id}", expect![[r#""GET /a {id}" None"#]]);
        check("open(", expect![[r#""open(" None"#]]);
    }
}
