//! How often a loop runs, from its text.
//!
//! Bounds are written in many ways, and one that is overlooked makes a loop unbounded, so whatever can only
//! be meant as a bound is read as one:
//!
//! | written | means |
//! |---|---|
//! | `(1,3) text`, `[1,3] text`, `text (1,3)`, `1..3`, `1 to 3` | 1 to 3 times; `*` for any number |
//! | `3`, `3 times`, `3x`, `i = 1 to 3` | exactly 3 times |
//! | `up to 3 times`, `at most 3`, `max 3`, `3 attempts`, `retry (max 3)` | at most 3 times |
//! | `at least 3 times` | 3 times or more |
//! | `(inf)` | without end |
//!
//! Anything else is the guard: `3 times a day`, `2 or more`.

use sequent_kernel::model::Loop;

/// Lower and upper bound; without a number there is none.
type IterationBounds = (Option<u32>, Option<u32>);

/// The bounds in a loop's text, and what else it says.
pub(crate) fn bounds(text: &str, strict: bool) -> (Loop, &str) {
    let text = text.trim();
    let ((min, max), rest) = find(text).unwrap_or(((Some(0), None), text));
    (Loop { min, max, strict }, rest)
}

/// Whether a text would be taken for the bounds of its loop, or begins like some.
pub(crate) fn is_bounded(text: &str) -> bool {
    text.starts_with(|c: char| c == '(' || c.is_ascii_digit()) || find(text.trim()).is_some()
}

/// Whether a loop's text has bounds of which the lower is greater than the upper.
pub(crate) fn is_reversed(text: &str) -> bool {
    let inside = leading(text.trim()).map_or(text.trim(), |(inside, _)| inside);
    let number = |text: &str| text.trim().parse::<u32>().ok();
    let numbers = parted(inside).and_then(|(min, max)| number(min).zip(number(max)));
    numbers.is_some_and(|(min, max)| min > max)
}

/// Whether the text of a `group` is such a loop, and so no loop at all.
pub(crate) fn is_reversed_group(text: &str) -> bool {
    let argument = ["loop", "sloop"].iter().find_map(|word| text.trim().strip_prefix(word));
    argument.is_some_and(|argument| argument.starts_with([' ', '(']) && is_reversed(argument))
}

fn find(text: &str) -> Option<(IterationBounds, &str)> {
    if let Some((inside, rest)) = leading(text) {
        let is_round = text.starts_with('(');
        let found = if is_round { parenthesised(inside) } else { pair(inside) };
        let in_words = || rest.is_empty().then(|| in_words(inside)).flatten();
        return found.or_else(in_words).map(|found| (found, rest));
    }
    if let Some(found) = in_words(text) {
        return Some((found, ""));
    }
    counted(text).map(|found| (found, text)).or_else(|| trailing(text))
}

/// What stands in brackets at the start of a text, and the rest.
fn leading(text: &str) -> Option<(&str, &str)> {
    let close = match text.chars().next()? {
        '(' => ')',
        '[' => ']',
        _ => return None,
    };
    text[1..].split_once(close).map(|(inside, rest)| (inside.trim(), rest.trim()))
}

/// `retry (0,3)`, `retry [max 3]`, `retry up to 3 times`: the bounds stand behind the text.
fn trailing(text: &str) -> Option<(IterationBounds, &str)> {
    let open = match text.chars().next_back()? {
        ')' => '(',
        ']' => '[',
        _ => {
            let (verb, rest) = text.split_once(|c: char| c.is_whitespace() || c == ':' || c == ',')?;
            let is_verb =
                ["retry", "repeat", "try", "poll"].iter().any(|known| known.eq_ignore_ascii_case(verb));
            let rest = rest.trim_start_matches(|c: char| c.is_whitespace() || c == ':' || c == ',');
            // `retry 3` may be the name of a thing; with a word beside the number it is a bound.
            let is_count = rest.contains(char::is_alphabetic);
            return in_words(rest).filter(|_| is_verb && is_count).map(|found| (found, verb));
        }
    };
    let (before, inside) = text[..text.len() - 1].rsplit_once(open)?;
    // `f(1,3)` is a call, `x in (1,3)` a comparison.
    let is_apart = before.ends_with(char::is_whitespace);
    let before = before.trim_end();
    let is_value = before.ends_with(" in") || before.ends_with(|c: char| "=<>,+-*/&|!".contains(c));
    let found = pair(inside).or_else(|| limited(inside)).filter(|_| is_apart && !is_value);
    found.map(|found| (found, before))
}

/// Bounds that are the whole of a text without brackets.
fn in_words(text: &str) -> Option<IterationBounds> {
    limited(text).or_else(|| match parted(text) {
        Some(_) => ranged(text),
        None => exactly(text),
    })
}

/// `1..3`, `1 to 3`, `1 - 3 times`.
fn ranged(text: &str) -> Option<IterationBounds> {
    match text.rsplit_once(char::is_whitespace) {
        Some((range, unit)) if is_unit(unit) => pair(range),
        Some(_) | None => is_range(text).then(|| pair(text)).flatten(),
    }
}

/// Whether a text has one of the signs that stand between the ends of a range and nowhere else.
fn is_range(text: &str) -> bool {
    text.contains("..") || text.contains(" to ")
}

/// `3`, `3 times`, `3x`.
fn exactly(text: &str) -> Option<IterationBounds> {
    let (count, unit) = number_first(text)?;
    let is_exact = ["", "times", "time", "x", "×", "iterations", "rounds"]
        .iter()
        .any(|known| known.eq_ignore_ascii_case(unit));
    is_exact.then_some((Some(count), Some(count)))
}

/// `up to 3 times`, `max 3`, `at least 2 times`, `3 attempts`.
fn limited(text: &str) -> Option<IterationBounds> {
    const MOST: &[&str] =
        &["up to", "upto", "at most", "max", "max.", "max:", "maximum", "maximum of", "no more than"];
    let at = text.find(|c: char| c.is_ascii_digit())?;
    let (count, unit) = number_first(&text[at..])?;
    let before = text[..at].trim().to_lowercase();
    let is_attempts = ["tries", "attempts", "retries"].iter().any(|known| known.eq_ignore_ascii_case(unit));
    let is_unit = unit.is_empty() || is_unit(unit);
    match before.as_str() {
        "" if is_attempts => Some((Some(0), Some(count))),
        word if is_unit && MOST.contains(&word) => Some((Some(0), Some(count))),
        "at least" if is_unit => Some((Some(count), None)),
        _ => None,
    }
}

/// `i = 1 to 3`, `for i in 1..3`: a variable counts.
fn counted(text: &str) -> Option<IterationBounds> {
    let text = text.strip_prefix("for ").unwrap_or(text).trim();
    let name_end = text.find(|c: char| !c.is_alphanumeric() && c != '_')?;
    let behind = text[name_end..].trim_start();
    let range = ["=", "in ", "from "].iter().find_map(|sign| behind.strip_prefix(sign))?;
    match pair(range) {
        Some((Some(first), Some(last))) if name_end > 0 && is_range(range) => {
            let count = (last - first).checked_add(1);
            count.map(|count| (Some(count), Some(count)))
        }
        _ => None,
    }
}

fn is_unit(word: &str) -> bool {
    const UNITS: &[&str] = &[
        "times",
        "time",
        "x",
        "×",
        "iterations",
        "rounds",
        "tries",
        "try",
        "attempts",
        "attempt",
        "retries",
        "retry",
    ];
    UNITS.iter().any(|known| known.eq_ignore_ascii_case(word))
}

/// A number at the start of a text, and the rest.
fn number_first(text: &str) -> Option<(u32, &str)> {
    let digits = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
    text[..digits].parse().ok().map(|count| (count, text[digits..].trim()))
}

/// Lower and upper bound of `1,*`, `2,5`, `3`, `inf`.
fn parenthesised(text: &str) -> Option<IterationBounds> {
    match parted(text) {
        Some(_) => pair(text),
        None if text.trim() == "*" => Some((Some(0), None)),
        None => bound(text).map(|count| (count, count)),
    }
}

/// Both bounds of `2,5`, `2..5`, `2 to 5`, in order.
fn pair(text: &str) -> Option<IterationBounds> {
    let (min, max) = parted(text)?;
    let (min, max) = (bound(min)?, bound(max)?);
    let in_order = match (min, max) {
        (Some(min), Some(max)) => min <= max,
        (_, None) => true,
        (None, Some(_)) => false,
    };
    in_order.then_some((min, max))
}

/// The texts of two bounds.
fn parted(text: &str) -> Option<(&str, &str)> {
    [",", "..", " to ", " - "].iter().find_map(|sign| text.split_once(sign))
}

fn bound(text: &str) -> Option<Option<u32>> {
    match text.trim() {
        "*" | "inf" | "∞" => Some(None),
        number => number.parse().ok().map(Some),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> (Option<u32>, Option<u32>, &str) {
        let (bounds, rest) = bounds(text, false);
        (bounds.min, bounds.max, rest)
    }

    #[test]
    fn bounds_in_brackets() {
        assert_eq!(read("(1,*) until done"), (Some(1), None, "until done"));
        assert_eq!(read("(2, 5)"), (Some(2), Some(5), ""));
        assert_eq!(read("(inf)"), (None, None, ""));
        assert_eq!(read("[1,3] busy"), (Some(1), Some(3), "busy"));
        assert_eq!(read("[3 times]"), (Some(3), Some(3), ""));
        assert_eq!(read("(max 3)"), (Some(0), Some(3), ""));
        assert_eq!(read("retry (0,3)"), (Some(0), Some(3), "retry"));
        assert_eq!(read("while busy (max 3)"), (Some(0), Some(3), "while busy"));
    }

    #[test]
    fn bounds_in_words() {
        for text in ["3 times", "3", "3x", "3 x", "3 Times"] {
            assert_eq!(read(text), (Some(3), Some(3), ""), "{text}");
        }
        for text in [
            "up to 3 times",
            "at most 3 times",
            "max 3",
            "Max. 3 tries",
            "3 attempts",
            "maximum of 3",
            "0..3",
        ] {
            assert_eq!(read(text), (Some(0), Some(3), ""), "{text}");
        }
        for text in ["1..3", "1..3 times", "1 to 3", "1 to 3 times", "1 - 3 times"] {
            assert_eq!(read(text), (Some(1), Some(3), ""), "{text}");
        }
        assert_eq!(read("2..*"), (Some(2), None, ""));
        assert_eq!(read("at least 2 times"), (Some(2), None, ""));
        assert_eq!(read("retry up to 3 times"), (Some(0), Some(3), "retry"));
        assert_eq!(read("i = 1 to 3"), (Some(3), Some(3), "i = 1 to 3"));
        assert_eq!(read("for i in 0..3"), (Some(4), Some(4), "for i in 0..3"));
    }

    #[test]
    fn other_texts_are_guards() {
        for text in [
            "(every minute) poll",
            "2 or more",
            "3 times a day",
            "f(1,3)",
            "1..n",
            "1 to n",
            "i < 3",
            "[busy]",
            "actionsLeft > 0",
            "max",
            "retry 3",
            "for Node1, Node2",
            "response is \"200\"",
            "(3,1)",
            "3..1",
            "5 - 3",
            "99999999999 times",
            "x in (1,3)",
            "every 5 minutes",
            "max 3 nodes",
            "up to 3 of 5",
            "",
            "]",
            ")",
            "i = 0 to 4294967295",
        ] {
            assert_eq!(read(text), (Some(0), None, text), "{text}");
        }
        assert!(is_reversed("(3,1) x") && is_reversed("3..1") && is_reversed("[3,1]"));
        assert!(!is_reversed("(1,3)") && !is_reversed("busy"));
        assert!(is_reversed_group("sloop (3,1)") && is_reversed_group("loop(3,1) x"));
        assert!(!is_reversed_group("sloop (1,3)") && !is_reversed_group("loops (3,1)"));
    }
}
