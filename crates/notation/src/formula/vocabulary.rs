//! The words of patterns and the functions of atoms.

use super::token::PATTERN_WORDS;

/// Every function, with its synonyms.
pub(super) const FUNCTIONS: &[&str] =
    &["sent", "send", "sends", "received", "receive", "receives", "event", "in", "inState"];

/// Whether a word belongs to patterns.
pub(super) fn is_word(word: &str) -> bool {
    PATTERN_WORDS.iter().any(|known| known.eq_ignore_ascii_case(word))
}

/// Whether a word makes a pattern of what it stands in.
pub(super) fn is_opener(word: &str) -> bool {
    is_word(word) && !["never", "to"].iter().any(|common| common.eq_ignore_ascii_case(word))
}

/// Whether a word begins a scope.
pub(super) fn is_scope(word: &str) -> bool {
    ["before", "after", "between"].iter().any(|known| known.eq_ignore_ascii_case(word))
}

/// Every pattern.
pub(super) const FORMS: &str = "patterns are `never A`, `A happens`, `always A`, `A precedes B`, `B responds to A`, `A leads to B`, \
    each with `before C`, `after C`, `between C and D` or `after C until D`";
