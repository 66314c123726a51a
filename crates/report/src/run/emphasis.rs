//! Emphasis in notations: what a drawing marks by itself must be said in the text of a diagram.
//!
//! PlantUML has coloured arrows. Mermaid has none, but it can fill the background behind some rows.

use sequent_kernel::model::{
    Block, Combined, Fragment, Frame, Guard, Interaction, MessageSort, Operand, Operator,
};

use super::Drawn;

/// The diagram with its marked messages as red arrows.
pub fn coloured(drawn: &Drawn) -> Interaction {
    let mut interaction = drawn.interaction.clone();
    for id in &drawn.marked {
        interaction.messages[*id].arrow.colour = Some("#red".to_owned());
    }
    interaction
}

/// The diagram with a red background behind its marked messages.
pub fn framed(drawn: &Drawn) -> Interaction {
    let mut interaction = drawn.interaction.clone();
    interaction.body = shaded(drawn, &interaction.body);
    interaction
}

fn shaded(drawn: &Drawn, block: &Block) -> Block {
    let mut fragments = Vec::new();
    for fragment in &block.0 {
        fragments.push(match fragment {
            Fragment::Message(id) if drawn.marked.contains(id) && !creates(drawn, fragment) => {
                background(fragment.clone(), drawn)
            }
            Fragment::Combined(combined) => {
                let mut combined = combined.clone();
                for operand in &mut combined.operands {
                    operand.block = shaded(drawn, &operand.block);
                }
                Fragment::Combined(combined)
            }
            Fragment::Message(_)
            | Fragment::Stop(_)
            | Fragment::Action(_)
            | Fragment::Invariant(_)
            | Fragment::Use(_)
            | Fragment::Execution(_)
            | Fragment::Note(_)
            | Fragment::Separator(_)
            | Fragment::Numbering(_) => fragment.clone(),
        });
    }
    Block(fragments)
}

/// Whether a message creates its receiver, whose head must not stand in a block.
fn creates(drawn: &Drawn, fragment: &Fragment) -> bool {
    match fragment {
        Fragment::Message(id) => drawn.interaction.messages[*id].sort == MessageSort::Create,
        Fragment::Stop(_)
        | Fragment::Action(_)
        | Fragment::Invariant(_)
        | Fragment::Use(_)
        | Fragment::Combined(_)
        | Fragment::Execution(_)
        | Fragment::Note(_)
        | Fragment::Separator(_)
        | Fragment::Numbering(_) => false,
    }
}

fn background(fragment: Fragment, drawn: &Drawn) -> Fragment {
    let place = drawn.interaction.place;
    let operand = Operand { guard: Guard::Absent, title: None, block: Block(vec![fragment]), place };
    let colour = Some("rgb(255, 224, 224)".to_owned());
    let frame = Frame { keyword: "rect".to_owned(), title: None, subtitle: None, colour };
    Fragment::Combined(Combined::new(Operator::Seq, vec![operand], frame, place))
}
