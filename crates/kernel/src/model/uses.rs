//! Uses: interactions that refer to others, written out.
//!
//! Whatever an interaction means, its references are replaced by what they refer to, so a few lines can stand for a diagram without
//! end: one that contains itself, a chain of thousands of references, diagrams that each refer twice to the next. [`bound`] cuts
//! such references in the one place through which every model goes; everything after it may follow uses without counting.

use crate::diagnostic::{Code, Diagnostic};
use crate::id::{Id, IdVec};
use crate::scc::components;

use super::{Block, Fragment, Interaction, InteractionId, Model, Use};

/// Blocks and references are nested no deeper than this, together.
pub const DEEPEST: usize = 200;

/// An interaction has no more fragments than this once its references are written out.
pub(crate) const MOST_FRAGMENTS: usize = 20_000;

/// How much an interaction is, written out.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct WrittenExtent {
    fragments: usize,
    depth: usize,
}

/// Why a reference is not followed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum UseCut {
    /// It leads to an interaction that contains itself.
    Circle,
    /// It is too much.
    Unwieldy,
}

/// How much each interaction is; one of which something was cut is not known.
type Extents = IdVec<InteractionId, Result<WrittenExtent, UseCut>>;

/// Cuts the references that lead back to their own interaction, or to more than can be written out, and reports each.
pub fn bound(model: &mut Model) -> Vec<Diagnostic> {
    let targets: Vec<Vec<usize>> = model.interactions.iter().map(targets).collect();
    let components = components(&targets);
    let mut order: Vec<InteractionId> = model.interactions.ids().collect();
    // Components are numbered so that what is used comes before what uses it.
    order.sort_by_key(|id| (components[id.index()], id.index()));
    let mut extents: Extents = order.iter().map(|_| Err(UseCut::Circle)).collect();
    let mut findings = Vec::new();
    for id in order {
        let is_own = |target: InteractionId| components[target.index()] == components[id.index()];
        let mut cutter = UseCutter { extents: &extents, is_own: &is_own, cut: None, findings: &mut findings };
        let extent = cutter.block(&mut model.interactions[id].body, 0);
        extents[id] = cutter.cut.map_or(Ok(extent), Err);
    }
    findings
}

/// The interactions that one uses.
fn targets(interaction: &Interaction) -> Vec<usize> {
    let mut found = Vec::new();
    interaction.walk(&mut |fragment, _| {
        if let Fragment::Use(Use { target: Some(target), .. }) = fragment {
            found.push(target.index());
        }
    });
    found
}

/// Looks at the uses of one interaction.
struct UseCutter<'a> {
    /// What is known of those that are used.
    extents: &'a Extents,
    /// Whether an interaction leads back to this one.
    is_own: &'a dyn Fn(InteractionId) -> bool,
    /// Why something was cut.
    cut: Option<UseCut>,
    findings: &'a mut Vec<Diagnostic>,
}

impl UseCutter<'_> {
    /// Cuts what is too much in a block at this depth; the extent of the rest.
    fn block(&mut self, block: &mut Block, depth: usize) -> WrittenExtent {
        let mut all = WrittenExtent { fragments: block.0.len(), depth };
        for fragment in &mut block.0 {
            match fragment {
                Fragment::Combined(combined) => {
                    for operand in &mut combined.operands {
                        let inner = self.block(&mut operand.block, depth + 1);
                        all.fragments = all.fragments.saturating_add(inner.fragments);
                        all.depth = all.depth.max(inner.depth);
                    }
                }
                Fragment::Use(used) => self.follow(used, depth, &mut all),
                Fragment::Message(_)
                | Fragment::Stop(_)
                | Fragment::Action(_)
                | Fragment::Invariant(_)
                | Fragment::Execution(_)
                | Fragment::Note(_)
                | Fragment::Separator(_)
                | Fragment::Numbering(_) => {}
            }
        }
        all
    }

    /// Adds what a use stands for, or cuts it.
    fn follow(&mut self, used: &mut Use, depth: usize, all: &mut WrittenExtent) {
        let Some(target) = used.target else { return };
        let inner = if (self.is_own)(target) { Err(UseCut::Circle) } else { self.extents[target] };
        match inner.and_then(|inner| joined(*all, inner, depth)) {
            Ok(larger) => *all = larger,
            Err(cut) => {
                used.target = None;
                self.cut = Some(cut);
                self.findings.push(finding(used, cut, (self.is_own)(target)));
            }
        }
    }
}

/// What an interaction is together with one that it uses at this depth.
fn joined(all: WrittenExtent, inner: WrittenExtent, depth: usize) -> Result<WrittenExtent, UseCut> {
    let larger = WrittenExtent {
        fragments: all.fragments.saturating_add(inner.fragments),
        depth: all.depth.max(depth + 1 + inner.depth),
    };
    let is_wieldy = larger.fragments <= MOST_FRAGMENTS && larger.depth <= DEEPEST;
    if is_wieldy { Ok(larger) } else { Err(UseCut::Unwieldy) }
}

fn finding(used: &Use, cut: UseCut, is_own: bool) -> Diagnostic {
    let name = used.name.replace('\n', " ");
    match cut {
        UseCut::Circle => {
            let message = match is_own {
                true => format!("`{name}` leads back to the interaction it stands in"),
                false => format!("`{name}` leads to an interaction that contains itself"),
            };
            Diagnostic::new(Code::RecursiveUse, used.place.0, message)
                .hint("an interaction cannot contain itself; use a loop")
        }
        UseCut::Unwieldy => {
            let message = format!("`{name}` is more than can be written out here");
            Diagnostic::new(Code::UnwieldyUse, used.place.0, message).hint(format!(
                "with its references written out, an interaction has at most {MOST_FRAGMENTS} fragments, nested at most {DEEPEST} deep"
            ))
        }
    }
}
