//! Conditions of a scenario on objects: state invariants, and guards over their data (rule I11).
//!
//! A condition that means something in the system becomes an input of the scenario: a proposition whose value
//! the system determines. The diagrams are rewritten, so that equal conditions about the same objects have
//! one name, and different ones different names; later passes see ordinary propositions.

use std::collections::BTreeSet;

use crate::diagnostic::nearest;
use crate::model::{
    Block, Combination, Condition, Fragment, Guard, Interaction, InteractionId, LifelineId, Model,
};
use crate::semantics::Unsupported;
use crate::semantics::objects::Sense;
use crate::system::TermId;

/// The conditions of a scenario that speak about objects.
#[derive(Clone, Debug, Default)]
pub struct ScenarioData {
    /// What the conditions ask of the system.
    pub inputs: Vec<ConditionInput>,
    /// The diagrams as they are rewritten; `None` if nothing is.
    pub model: Option<Model>,
}

/// A condition about objects as the rewritten diagrams have it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ConditionInput {
    /// The name of the proposition that stands for it.
    pub name: String,
    /// The condition as it is written.
    pub text: String,
    /// What it is in the system.
    pub term: TermId,
}

/// The lifelines that a condition is about, by name.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct ConditionLifelines<'l> {
    /// Those of which it is asked: the lifelines of an invariant, the one on which a guard stands.
    pub own: Vec<&'l str>,
    /// The others of a guard's fragment.
    pub near: Vec<&'l str>,
}

/// Tells what a condition is for some lifelines, or what is wrong with it.
pub(crate) type ConditionJudge<'j> =
    dyn FnMut(&Condition, &ConditionLifelines<'_>) -> Result<Sense, String> + 'j;

/// Rewrites an interaction and those it uses; `sense` tells what a condition is for some lifelines, or what is wrong with it.
pub fn data(
    model: &Model,
    interaction: InteractionId,
    sense: &mut ConditionJudge<'_>,
) -> Result<ScenarioData, Unsupported> {
    let mut rewriter = Rewriter { model, sense, inputs: Vec::new(), open: vec![interaction] };
    let mut rewritten = model.clone();
    let mut at = 0;
    while let Some(id) = rewriter.open.get(at).copied() {
        let mut body = model.interactions[id].body.clone();
        rewriter.block(id, &mut body, false)?;
        rewritten.interactions[id].body = body;
        at += 1;
    }
    let model = (!rewriter.inputs.is_empty()).then_some(rewritten);
    Ok(ScenarioData { inputs: rewriter.inputs, model })
}

struct Rewriter<'r, 'j> {
    model: &'r Model,
    sense: &'r mut ConditionJudge<'j>,
    inputs: Vec<ConditionInput>,
    open: Vec<InteractionId>,
}

impl Rewriter<'_, '_> {
    /// The state or attribute of a machine that a word is nearly the name of.
    fn near(&self, word: &str) -> Option<&str> {
        let machines = self.model.machines.iter();
        let names = machines.flat_map(|machine| {
            let states = machine.vertices.iter().map(|vertex| vertex.name.as_str());
            states.chain(machine.attributes.iter().map(|attribute| attribute.name.as_str()))
        });
        nearest(word, names)
    }

    fn block(&mut self, id: InteractionId, block: &mut Block, in_not: bool) -> Result<(), Unsupported> {
        let diagram = &self.model.interactions[id];
        for fragment in &mut block.0 {
            match fragment {
                Fragment::Invariant(invariant) => {
                    let text = invariant.condition.text.trim().to_owned();
                    let standing =
                        ConditionLifelines { own: names(diagram, &invariant.lifelines), near: Vec::new() };
                    if !self.condition(&mut invariant.condition, &standing, in_not)? {
                        let near = self.near(&text).map(|near| format!("; did you mean `{near}`?"));
                        let what = format!(
                            "the state invariant `{text}` (no object knows such a state or attribute{})",
                            near.unwrap_or_default()
                        );
                        return Err(Unsupported { what, place: invariant.condition.place });
                    }
                }
                Fragment::Combined(combined) => {
                    let in_not = in_not || combined.operator.combination() == Combination::Complement;
                    let covered = covered(diagram, combined.operands.iter().map(|operand| &operand.block));
                    for operand in &mut combined.operands {
                        if let Guard::Condition(condition) = &mut operand.guard {
                            let first = self.model.first_drawn(&mut vec![id], &operand.block);
                            let own: Vec<&str> = first.map(|line| line.name.as_str()).into_iter().collect();
                            let near = names(diagram, &covered);
                            self.condition(condition, &ConditionLifelines { own, near }, in_not)?;
                        }
                        self.block(id, &mut operand.block, in_not)?;
                    }
                }
                Fragment::Use(use_) => {
                    let target = use_.target.filter(|target| !self.open.contains(target));
                    self.open.extend(target);
                }
                Fragment::Message(_)
                | Fragment::Stop(_)
                | Fragment::Action(_)
                | Fragment::Execution(_)
                | Fragment::Note(_)
                | Fragment::Separator(_)
                | Fragment::Numbering(_) => {}
            }
        }
        Ok(())
    }

    /// Whether a condition says something about objects; then it becomes an input.
    fn condition(
        &mut self,
        condition: &mut Condition,
        standing: &ConditionLifelines<'_>,
        in_not: bool,
    ) -> Result<bool, Unsupported> {
        let place = condition.place;
        let term = match (self.sense)(condition, standing) {
            Ok(Sense::Nothing) => return Ok(false),
            Ok(Sense::Holds(term)) => term,
            Err(what) => return Err(Unsupported { what, place }),
        };
        if in_not {
            let what = "a condition about objects inside a `not`".to_owned();
            return Err(Unsupported { what, place });
        }
        let known = self.inputs.iter().find(|input| input.term == term).map(|input| input.name.clone());
        let name = known.unwrap_or_else(|| {
            // No reader makes a text of this form.
            let name = format!("\u{0}{} {}", self.inputs.len(), condition.text);
            let text = condition.text.trim().to_owned();
            self.inputs.push(ConditionInput { name: name.clone(), text, term });
            name
        });
        *condition = Condition { text: name, expression: None, place };
        Ok(true)
    }
}

/// The names of some lifelines.
fn names<'d>(diagram: &'d Interaction, lifelines: &[LifelineId]) -> Vec<&'d str> {
    lifelines.iter().map(|line| diagram.lifelines[*line].name.as_str()).collect()
}

/// The lifelines that some blocks touch, in order of declaration.
fn covered<'b>(diagram: &Interaction, blocks: impl Iterator<Item = &'b Block>) -> Vec<LifelineId> {
    let mut found: BTreeSet<LifelineId> = BTreeSet::new();
    let mut open: Vec<&Block> = blocks.collect();
    while let Some(block) = open.pop() {
        for fragment in &block.0 {
            match fragment {
                Fragment::Message(id) => {
                    let message = &diagram.messages[*id];
                    found.extend([message.from, message.to].into_iter().filter_map(|end| end.lifeline()));
                }
                Fragment::Stop(stop) => {
                    found.insert(stop.lifeline);
                }
                Fragment::Action(action) => {
                    found.insert(action.lifeline);
                }
                Fragment::Invariant(invariant) => found.extend(invariant.lifelines.iter().copied()),
                Fragment::Use(use_) => found.extend(use_.lifelines.iter().copied()),
                Fragment::Combined(combined) => {
                    open.extend(combined.operands.iter().map(|operand| &operand.block));
                }
                Fragment::Execution(_)
                | Fragment::Note(_)
                | Fragment::Separator(_)
                | Fragment::Numbering(_) => {}
            }
        }
    }
    found.into_iter().collect()
}
