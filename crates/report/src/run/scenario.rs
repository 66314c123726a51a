//! A drawn run as a scenario that can be asked for: what happens on each lifeline, in the order of the run.
//!
//! States, notes and bars are left out: they tell of the run, and would be demanded of every other. A message that is drawn
//! in two halves stays so: a lost message is its sending alone and a found one its receipt, which is what each half shows.
//! What is repeated forever is there once.

use sequent_kernel::id::IdVec;
use sequent_kernel::model::{Block, Fragment, Interaction};

use super::DrawnRun;

/// What happens in a drawn run as a diagram; `None` if nothing does.
pub fn scenario(drawn: &DrawnRun) -> Option<Interaction> {
    let mut kept =
        Interaction { messages: IdVec::new(), body: Block::default(), ..drawn.interaction.clone() };
    drawn.interaction.walk(&mut |fragment, _| match fragment {
        Fragment::Message(id) => {
            let mut message = drawn.interaction.messages[*id].clone();
            message.text = drawn.labels.get(id).unwrap_or(&message.text).clone();
            let id = kept.messages.push(message);
            kept.body.0.push(Fragment::Message(id));
        }
        Fragment::Stop(_) => kept.body.0.push(fragment.clone()),
        Fragment::Action(_)
        | Fragment::Invariant(_)
        | Fragment::Use(_)
        | Fragment::Combined(_)
        | Fragment::Execution(_)
        | Fragment::Note(_)
        | Fragment::Separator(_)
        | Fragment::Numbering(_) => {}
    });
    (!kept.body.0.is_empty()).then_some(kept)
}
