//! Diagrams with some of their combined fragments folded: the frame stays, with how many messages are inside of it.

use std::collections::BTreeSet;

use sequent_kernel::model::{
    Block, Combined, End, Fragment, FragmentId, Interaction, LifelineId, MessageId, Note, NotePosition,
    NoteShape, Operand,
};

/// The diagram with these fragments folded. Messages keep their numbers.
pub fn folded(interaction: &Interaction, folded: &BTreeSet<FragmentId>) -> Interaction {
    let mut hidden = BTreeSet::new();
    interaction.walk(&mut |fragment, _| {
        if let Fragment::Combined(combined) = fragment
            && folded.contains(&combined.id)
        {
            hidden.extend(messages(combined));
        }
    });
    if hidden.is_empty() {
        return interaction.clone();
    }
    // Orderings and notes may be about messages that are not drawn.
    let body = interaction.body.replaced(&|fragment| match fragment {
        Fragment::Combined(combined) if folded.contains(&combined.id) => {
            Some(vec![Fragment::Combined(closed(interaction, combined))])
        }
        Fragment::Note(note) if note.message.is_some_and(|id| hidden.contains(&id)) => Some(Vec::new()),
        _ => None,
    });
    Interaction { body, orderings: Vec::new(), timings: Vec::new(), ..interaction.clone() }
}

/// The messages inside of a fragment.
fn messages(combined: &Combined) -> Vec<MessageId> {
    combined.operands.iter().flat_map(|operand| operand.block.messages()).collect()
}

/// The frame with a note in place of what it holds.
fn closed(interaction: &Interaction, combined: &Combined) -> Combined {
    let inside = messages(combined);
    let touched: BTreeSet<LifelineId> = inside
        .iter()
        .flat_map(|id| [interaction.messages[*id].from, interaction.messages[*id].to])
        .filter_map(End::lifeline)
        .collect();
    let count = inside.len();
    let text = format!("… {count} {}", if count == 1 { "message" } else { "messages" });
    let ends: BTreeSet<LifelineId> = touched.first().into_iter().chain(touched.last()).copied().collect();
    let note = Note {
        position: if touched.is_empty() { NotePosition::Across } else { NotePosition::Over },
        lifelines: ends.into_iter().collect(),
        message: None,
        shape: NoteShape::Folded,
        text,
        colour: None,
        place: combined.place,
    };
    let operand = Operand {
        title: combined.operands.first().and_then(|operand| operand.title.clone()),
        ..Operand::plain(Block(vec![Fragment::Note(note)]), combined.place)
    };
    Combined { operands: vec![operand], ..combined.clone() }
}
