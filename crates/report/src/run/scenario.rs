//! A drawn run as a scenario that can be asked for: its messages alone, each as one arrow.
//!
//! States, notes and bars are left out: they tell of the run, and would be demanded of every other. A message that is drawn
//! in two halves stands where it is sent; one that is still on its way at the end has not happened as a whole and is left
//! out. What is repeated forever is there once.

use sequent_kernel::id::IdVec;
use sequent_kernel::model::{Block, Fragment, Interaction, Message, MessageId};

use super::HALVES;

/// The messages of a drawn run as a diagram.
pub fn scenario(drawn: &Interaction) -> Interaction {
    let mut messages: Vec<MessageId> = Vec::new();
    let mut stops: Vec<(usize, Fragment)> = Vec::new();
    drawn.walk(&mut |fragment, _| match fragment {
        Fragment::Message(id) => messages.push(*id),
        Fragment::Stop(_) => stops.push((messages.len(), fragment.clone())),
        Fragment::Action(_)
        | Fragment::Invariant(_)
        | Fragment::Use(_)
        | Fragment::Combined(_)
        | Fragment::Execution(_)
        | Fragment::Note(_)
        | Fragment::Separator(_)
        | Fragment::Numbering(_) => {}
    });
    let mut kept = Interaction { messages: IdVec::new(), body: Block::default(), ..drawn.clone() };
    let mut received: Vec<MessageId> = Vec::new();
    for at in 0..=messages.len() {
        let ended = stops.iter().filter(|(moment, _)| *moment == at).map(|(_, stop)| stop.clone());
        kept.body.0.extend(ended);
        let Some(id) = messages.get(at).copied() else { continue };
        if let Some(message) = whole(drawn, &messages[at..], id, &mut received) {
            let id = kept.messages.push(message);
            kept.body.0.push(Fragment::Message(id));
        }
    }
    kept
}

/// A message as one arrow, with what is left of the run from it on; `None` if it is the receipt of one, or is not received.
fn whole(
    drawn: &Interaction,
    rest: &[MessageId],
    id: MessageId,
    received: &mut Vec<MessageId>,
) -> Option<Message> {
    let message = &drawn.messages[id];
    let [sent, taken] = HALVES;
    if message.name.ends_with(taken) && message.from.lifeline().is_none() {
        return None;
    }
    let Some(name) = message.name.strip_suffix(sent).filter(|_| message.to.lifeline().is_none()) else {
        return Some(message.clone());
    };
    let is_receipt = |other: &&MessageId| {
        !received.contains(other) && drawn.messages[**other].name.strip_suffix(taken) == Some(name)
    };
    let receipt = *rest.iter().find(is_receipt)?;
    received.push(receipt);
    let other = &drawn.messages[receipt];
    let text = message.text.strip_suffix(sent).unwrap_or(&message.text).to_owned();
    Some(Message { name: name.to_owned(), text, to: other.to, ..message.clone() })
}
