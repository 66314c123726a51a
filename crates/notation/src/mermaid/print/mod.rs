//! The model as canonical Mermaid text; reading it again gives the same model if it came from Mermaid.
//!
//! What Mermaid cannot draw is said by the conventions that its readers here know: a directive before a block for its
//! operator, `note over a: {condition}` for an invariant, the participants `[` and `]` for the borders of the diagram.
//! What has no convention (colours of messages, stereotypes of lifelines) is left out.

mod block;
mod class;
mod encode;
mod note;
mod participants;
mod placement;
mod sequence;
mod state;
mod vertex;

pub use class::{class, sign};
pub use sequence::sequence;
pub use state::state;

/// Text under construction, line by line.
#[derive(Default)]
struct PrintedPage {
    text: String,
    depth: usize,
}

impl PrintedPage {
    fn new(first: &str) -> Self {
        PrintedPage { text: format!("{first}\n"), depth: 1 }
    }

    fn line(&mut self, line: impl AsRef<str>) {
        for _ in 0..self.depth {
            self.text.push_str("    ");
        }
        self.text.push_str(encode::disarmed(line.as_ref()).trim_end());
        self.text.push('\n');
    }
}
