//! Text and data in HTML, so that nothing a diagram says is taken for markup or script.

use serde_json::Value;

use crate::escape;

/// A text as content or as the value of an attribute; characters that are not seen are named.
pub(crate) fn text(said: &str) -> String {
    let mut out = String::new();
    for character in escape::line(said).chars() {
        match (escape::entity(character), character) {
            (Some(entity), _) => out.push_str(entity),
            (None, '\'') => out.push_str("&#39;"),
            (None, other) => out.push(other),
        }
    }
    out
}

/// Data in whose texts characters that are not seen are named.
pub(crate) fn seen(data: Value) -> Value {
    match data {
        Value::String(text) => Value::String(escape::shown(&text)),
        Value::Array(all) => Value::Array(all.into_iter().map(seen).collect()),
        Value::Object(all) => {
            Value::Object(all.into_iter().map(|(key, value)| (escape::shown(&key), seen(value))).collect())
        }
        Value::Null | Value::Bool(_) | Value::Number(_) => data,
    }
}

/// Data as the content of a script element: no tag can begin in it.
pub(crate) fn script(value: &Value) -> String {
    let mut out = String::new();
    for character in value.to_string().chars() {
        match character {
            '<' | '>' | '&' | '\u{2028}' | '\u{2029}' => {
                out.push_str(&format!("\\u{:04x}", character as u32))
            }
            other => out.push(other),
        }
    }
    escape::without_hashes(&out, "\\u0023")
}

/// `1 error`, `2 errors`
pub(crate) fn plural(number: usize, one: &str, many: &str) -> String {
    format!("{number} {}", if number == 1 { one } else { many })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_tag_begins_in_text_or_data() {
        assert_eq!(text("</script><b a='x'>\u{202e}"), "&lt;/script&gt;&lt;b a=&#39;x&#39;&gt;\\u{202e}");
        let data = script(&serde_json::json!(["</script><!--", "\u{2028}&##[x]"]));
        assert!(!data.contains(['<', '>', '&', '\u{2028}']) && !data.contains("##["));
        assert_eq!(
            seen(serde_json::json!({ "a\u{202e}": ["\u{202e}\n\tb"] })),
            serde_json::json!({ "a\\u{202e}": ["\\u{202e}\n\tb"] })
        );
        let read: Value = serde_json::from_str(&data).expect("it is JSON");
        assert_eq!(read[0], "</script><!--");
    }
}
