//! Texts of diagrams in Promela: in comments, and in `printf`.

/// A text that does not end the comment it stands in, on one line.
pub(crate) fn comment(text: &str) -> String {
    text.replace("*/", "* /").replace("/*", "/ *").replace(['\n', '\r'], " ")
}

/// A text that `printf` prints as it is, as far as SPIN knows letters.
pub(crate) fn printed(text: &str) -> String {
    let plain = |letter: char| match letter {
        '%' => "%%".to_owned(),
        '"' => "'".to_owned(),
        '\\' => "/".to_owned(),
        ' '..='~' => letter.to_string(),
        _ => "?".to_owned(),
    };
    text.chars().take(200).map(plain).collect()
}
