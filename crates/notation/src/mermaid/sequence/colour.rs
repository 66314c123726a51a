//! The colour in front of a box's caption: `box Aqua Caption`, `box rgb(33, 66, 99) Caption`.
//!
//! Mermaid asks the browser whether the first word is a colour; here a table answers.

use crate::mermaid::text::{is_space, is_word, trim};

/// Splits the rest of a `box` line into colour and caption.
pub(crate) fn split(rest: &str) -> (Option<&str>, &str) {
    let word = first_part(rest);
    match word {
        "" => (None, trim(rest)),
        _ if is_colour(word) => (Some(word), trim(&rest[word.len()..])),
        _ => (None, trim(rest)),
    }
}

/// A function of `rgb` or `hsl` up to the last bracket of the line, or else a word.
fn first_part(rest: &str) -> &str {
    let word = &rest[..rest.len() - rest.trim_start_matches(is_word).len()];
    let is_function = ["rgb", "rgba", "hsl", "hsla"].iter().any(|name| name.eq_ignore_ascii_case(word));
    let opens = rest[word.len()..].trim_start_matches(is_space).starts_with('(');
    match rest.rfind(')') {
        Some(close) if is_function && opens => &rest[..=close],
        _ => word,
    }
}

fn is_colour(word: &str) -> bool {
    if let Some((_, inside)) = word.split_once('(') {
        return inside.trim_end_matches(')').contains(|c: char| c.is_ascii_digit());
    }
    NAMES.split_ascii_whitespace().any(|name| name.eq_ignore_ascii_case(word))
}

/// The names of CSS, and the words that stand for a colour.
const NAMES: &str = "transparent currentcolor inherit initial unset revert aliceblue antiquewhite aqua aquamarine azure \
    beige bisque black blanchedalmond blue blueviolet brown burlywood cadetblue chartreuse chocolate coral \
    cornflowerblue cornsilk crimson cyan darkblue darkcyan darkgoldenrod darkgray darkgreen darkgrey darkkhaki \
    darkmagenta darkolivegreen darkorange darkorchid darkred darksalmon darkseagreen darkslateblue darkslategray \
    darkslategrey darkturquoise darkviolet deeppink deepskyblue dimgray dimgrey dodgerblue firebrick floralwhite \
    forestgreen fuchsia gainsboro ghostwhite gold goldenrod gray green greenyellow grey honeydew hotpink indianred \
    indigo ivory khaki lavender lavenderblush lawngreen lemonchiffon lightblue lightcoral lightcyan \
    lightgoldenrodyellow lightgray lightgreen lightgrey lightpink lightsalmon lightseagreen lightskyblue \
    lightslategray lightslategrey lightsteelblue lightyellow lime limegreen linen magenta maroon mediumaquamarine \
    mediumblue mediumorchid mediumpurple mediumseagreen mediumslateblue mediumspringgreen mediumturquoise \
    mediumvioletred midnightblue mintcream mistyrose moccasin navajowhite navy oldlace olive olivedrab orange \
    orangered orchid palegoldenrod palegreen paleturquoise palevioletred papayawhip peachpuff peru pink plum \
    powderblue purple rebeccapurple red rosybrown royalblue saddlebrown salmon sandybrown seagreen seashell sienna \
    silver skyblue slateblue slategray slategrey snow springgreen steelblue tan teal thistle tomato turquoise violet \
    wheat white whitesmoke yellow yellowgreen";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colours_come_first() {
        assert_eq!(split("Aqua Group 1"), (Some("Aqua"), "Group 1"));
        assert_eq!(split("rgb(1, 2, 3) G"), (Some("rgb(1, 2, 3)"), "G"));
        assert_eq!(split("Back end"), (None, "Back end"));
        assert_eq!(split("transparent Aqua"), (Some("transparent"), "Aqua"));
    }
}
