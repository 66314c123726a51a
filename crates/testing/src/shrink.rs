//! Makes an interaction smaller while something stays true of it.

use std::collections::BTreeMap;

use sequent_evaluation::generate::interaction::messages;
use sequent_kernel::id::IdVec;
use sequent_kernel::model::{
    Block, Combined, Fragment, Guard, Interaction, MessageId, Model, Occurrence, Operator,
};

/// The smallest model that `is_kept` and from which no single step leads to another one.
pub fn shrink(mut model: Model, is_kept: impl Fn(&Model) -> bool) -> Model {
    let smaller = |model: &Model| {
        let mut smaller = Vec::new();
        for (id, interaction) in model.interactions.enumerate() {
            for variant in variants(interaction) {
                let mut model = model.clone();
                model.interactions[id] = variant;
                smaller.push(model);
            }
        }
        smaller
    };
    while let Some(smaller) = smaller(&model).into_iter().find(|smaller| is_kept(smaller)) {
        model = smaller;
    }
    model
}

/// Interactions that are one step smaller.
fn variants(interaction: &Interaction) -> Vec<Interaction> {
    let mut variants: Vec<Interaction> = blocks(&interaction.body)
        .into_iter()
        .map(|body| tidy(Interaction { body, ..interaction.clone() }))
        .collect();
    for index in 0..interaction.orderings.len() {
        let mut smaller = interaction.clone();
        smaller.orderings.remove(index);
        variants.push(smaller);
    }
    variants
}

/// Blocks that are one step smaller.
fn blocks(block: &Block) -> Vec<Block> {
    let mut variants = Vec::new();
    for (index, fragment) in block.0.iter().enumerate() {
        let mut replace = |by: Vec<Fragment>| {
            let mut fragments = block.0.clone();
            fragments.splice(index..=index, by);
            variants.push(Block(fragments));
        };
        replace(Vec::new());
        if let Fragment::Combined(combined) = fragment {
            combined.operands.iter().for_each(|operand| replace(operand.block.0.clone()));
            fragments(combined).into_iter().for_each(|smaller| replace(vec![Fragment::Combined(smaller)]));
        }
    }
    variants
}

/// Combined fragments that are one step smaller.
fn fragments(combined: &Combined) -> Vec<Combined> {
    let mut variants = Vec::new();
    let mut change = |change: &dyn Fn(&mut Combined)| {
        let mut smaller = combined.clone();
        change(&mut smaller);
        if smaller != *combined && !matches!(smaller.operands[..], [ref only] if only.guard == Guard::Else) {
            variants.push(smaller);
        }
    };
    for (index, operand) in combined.operands.iter().enumerate() {
        if combined.operands.len() > 1 {
            change(&|smaller| drop(smaller.operands.remove(index)));
        }
        change(&|smaller| smaller.operands[index].guard = Guard::Absent);
        for block in blocks(&operand.block) {
            change(&|smaller| smaller.operands[index].block = block.clone());
        }
    }
    if let Operator::Loop(bounds) = combined.operator {
        let size = |max: Option<u32>, min: Option<u32>| (max.unwrap_or(u32::MAX), min.unwrap_or(u32::MAX));
        for (min, max) in [(1, Some(1)), (0, Some(1)), (2, Some(2)), (1, Some(2)), (0, None), (1, None)] {
            if size(max, Some(min)) < size(bounds.max, bounds.min) {
                let bounds = sequent_kernel::model::Loop { min: Some(min), max, ..bounds };
                change(&|smaller| smaller.operator = Operator::Loop(bounds));
            }
        }
    }
    variants
}

/// Forgets messages that are drawn no longer.
pub fn tidy(mut interaction: Interaction) -> Interaction {
    let mut drawn = Vec::new();
    messages(&interaction.body, &mut drawn);
    let mut table = IdVec::new();
    let mut new: BTreeMap<MessageId, MessageId> = BTreeMap::new();
    for id in drawn {
        new.insert(id, table.push(interaction.messages[id].clone()));
    }
    renumber(&mut interaction.body, &new);
    interaction.messages = table;
    let moved = |occurrence: &mut Occurrence| {
        let (Occurrence::Send(id) | Occurrence::Receive(id)) = occurrence;
        new.get(id).map(|new| *id = *new).is_some()
    };
    interaction.orderings.retain_mut(|one| moved(&mut one.before) && moved(&mut one.after));
    interaction.timings.retain_mut(|one| moved(&mut one.from) && one.to.as_mut().is_none_or(moved));
    interaction
}

fn renumber(block: &mut Block, new: &BTreeMap<MessageId, MessageId>) {
    for fragment in &mut block.0 {
        match fragment {
            Fragment::Message(id) => *id = new[id],
            Fragment::Combined(combined) => {
                combined.operands.iter_mut().for_each(|operand| renumber(&mut operand.block, new));
            }
            _ => {}
        }
    }
}
