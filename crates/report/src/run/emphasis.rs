//! Emphasis in notations: what a drawing marks by itself must be said in the text of a diagram.
//!
//! PlantUML has coloured arrows. Mermaid has none, but it can fill the background behind some rows.

use std::collections::BTreeSet;

use sequent_kernel::model::{
    Block, Combined, Fragment, Frame, Interaction, MessageId, MessageSort, Operand, Operator,
};
use sequent_kernel::source::Place;

/// The diagram with its marked messages as red arrows.
pub fn coloured(drawing: &Interaction, marked: &BTreeSet<MessageId>) -> Interaction {
    let mut interaction = drawing.clone();
    for id in marked {
        interaction.messages[*id].arrow.colour = Some("#red".to_owned());
    }
    interaction
}

/// The diagram with a red background behind its marked messages.
pub fn framed(drawing: &Interaction, marked: &BTreeSet<MessageId>) -> Interaction {
    let mut interaction = drawing.clone();
    // The head of a lifeline that a message creates must not stand in a block.
    let creates = |id: MessageId| drawing.messages[id].sort == MessageSort::Create;
    interaction.body = interaction.body.replaced(&|fragment| match fragment {
        Fragment::Message(id) if marked.contains(id) && !creates(*id) => {
            Some(vec![background(fragment.clone(), drawing.place)])
        }
        _ => None,
    });
    interaction
}

fn background(fragment: Fragment, place: Place) -> Fragment {
    let operand = Operand::plain(Block(vec![fragment]), place);
    let colour = Some("rgb(255, 224, 224)".to_owned());
    let frame = Frame { keyword: "rect".to_owned(), title: None, subtitle: None, colour };
    Fragment::Combined(Combined::new(Operator::Seq, vec![operand], frame, place))
}
