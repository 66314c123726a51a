//! A sequence diagram as NuSMV: paper 000's shape (section VII).
//!
//! - A lifeline is a module; a combined fragment on it is one in it (CEU), and an operand of that one again (EU). They are named
//!   as in the paper: `enabled`, `flag_final`, `op1_eva`, `exe1`, `cond1`, `isCritical`, `isBlock`.
//! - In each state one lifeline is `chosen` that is `enabled`, and within a `par` one operand: so exactly one thing happens.
//! - Conditions and choices are frozen: they have one value throughout a run, which lifelines come to know
//!   when they are ready for it. In the paper they may change until then, which makes more states and no
//!   other traces, except for lifelines that wait until another one is ready.
//! - Loops are written out; a `neg` is skipped.
//!
//! Once everything is over, or stuck, nothing changes any more.

mod conditions;
mod main;
mod module;
mod modules;
mod reach;
mod units;
mod watch;

use std::collections::BTreeMap;

use sequent_kernel::id::IdVec;
use sequent_kernel::semantics::Assumptions;
use sequent_kernel::system::EventKind;
use sequent_kernel::templates::{
    LineId, NodeId, OccurrenceId, OperandComposition, Requirement, RigidCondition, TemplateNodeKind,
    TemplateOccurrence, TemplateTree,
};

use super::super::claim::LifelineClaim;
use super::super::names::Identifiers;
use super::super::question::Unwritten;
use super::super::unfolded::{UnfoldedDiagram, unfolded};
use super::lexicon::fresh;
use conditions::homes;
use main::Main;
use modules::ModuleWriter;
use units::{ModulePath, UnitPlan};

/// A diagram as a model for NuSMV.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NusmvLifelines {
    /// The model.
    pub text: String,
    /// For each event, by its text, the name by which `main` knows that it happens.
    pub events: BTreeMap<String, String>,
}

/// Writes a diagram, and what must hold in it; the formulas tell events by their texts.
pub fn lifelines(
    diagram: &UnfoldedDiagram<'_>,
    claims: &[LifelineClaim],
) -> Result<NusmvLifelines, Unwritten> {
    let mut assumptions = Assumptions { without_negatives: true, ..diagram.assumptions.clone() };
    // What a formula names is chosen even where nothing in the diagram asks for it.
    assumptions.chosen = claims.iter().flat_map(LifelineClaim::names).map(|name| (name, true)).collect();
    let tree = unfolded(diagram, &assumptions, usize::MAX)?;
    if tree.is_contradictory() {
        // There would be no first state, and NuSMV would say that everything is true.
        return Err(Unwritten("its guards contradict each other, so it has no run".to_owned()));
    }
    let mut names = fresh();
    reserve(&tree, &mut names);
    let observers = claims.iter().flat_map(|claim| &claim.observers).map(Vec::len).sum::<usize>();
    (1..=observers).for_each(|number| _ = names.give(&format!("watch{number}")));
    let own: IdVec<OccurrenceId, String> =
        tree.occurrences.iter().map(|one| occurrence_name(&tree, one, &mut names)).collect();
    let lines: IdVec<LineId, String> = tree.lines.iter().map(|line| names.give(line)).collect();
    let plan = UnitPlan::new(&tree, &own);
    let homes = homes(&plan);
    let waits = waits(&tree, assumptions.switches.guarded_first);
    let regions = regions(&plan);
    let mut author = ModuleWriter {
        plan: &plan,
        lines: &lines,
        names: &own,
        homes: &homes,
        waits: &waits,
        at: diagram.at,
        regions: &regions,
        modules: String::new(),
        groups: Vec::new(),
    };
    let mut instances = Vec::new();
    for unit in &plan.lines {
        let calls = author.calls(unit.path.line);
        let parameters = author.lifeline(unit, &calls);
        instances.push((unit.path.line, parameters));
    }
    let events = events(&plan, &own, &lines, &mut names);
    let main = Main { diagram, claims, plan: &plan, lines: &lines, homes: &homes, events: &events };
    let text = main.text(&instances, &author.groups) + &author.modules + &main.conditions();
    Ok(NusmvLifelines { text, events: events.into_iter().map(|(text, (name, _))| (text, name)).collect() })
}

/// Names that are written as they are.
fn reserve(tree: &TemplateTree, names: &mut Identifiers) {
    let mut widest = tree.calls.len().max(tree.nodes.len().min(50));
    for node in tree.nodes.ids() {
        if let Some(fragment) = tree.fragment(node) {
            names.give(&fragment.name.replace(' ', ""));
            widest = widest.max(fragment.operands.len());
        }
    }
    for word in ["begun", "conditions", "guards", "happens", "nothing", "op_eva"] {
        names.give(word);
    }
    for number in 1..=widest {
        for word in ["op", "exe", "cond", "waits", "at_meeting"] {
            names.give(&format!("{word}{number}"));
        }
        names.give(&format!("op{number}_eva"));
    }
}

/// `s_m` for the sending of m, `r_m` for its receipt, `x_a` for the end of a, as P0 has s1 and r1.
fn occurrence_name(tree: &TemplateTree, one: &TemplateOccurrence, names: &mut Identifiers) -> String {
    let (sign, what) = match one.kind {
        EventKind::Send => ("s", &one.label),
        EventKind::Receive => ("r", &one.label),
        EventKind::Rendezvous | EventKind::Termination => ("x", &tree.lines[one.line]),
    };
    let copy = one.copy.map(|copy| format!("#{copy}")).unwrap_or_default();
    loop {
        let name = names.give(&format!("{sign} {what}{copy}"));
        let forms = [format!("OS_{name}"), format!("{name}_enabled")];
        if !forms.iter().any(|form| names.has(form)) {
            forms.iter().for_each(|form| _ = names.give(form));
            return name;
        }
    }
}

/// The occurrences that an occurrence waits for besides those above it: the sending of its message, and
/// explicit orders.
fn waits(tree: &TemplateTree, is_guarded_first: bool) -> BTreeMap<OccurrenceId, Vec<Requirement>> {
    let mut waits: BTreeMap<OccurrenceId, Vec<Requirement>> = BTreeMap::new();
    let always = |occurrence| Requirement { occurrence, when: RigidCondition::ALWAYS };
    for (id, node) in tree.nodes.enumerate() {
        if let TemplateNodeKind::Message(Some(send), Some(receive)) = node.kind {
            waits.entry(receive).or_default().push(always(send));
        }
        if tree.is_joined_strictly {
            for end in tree.ends(id) {
                waits.entry(end).or_default().extend(tree.barrier(id));
            }
        }
        let Some(first) = tree.first_of(id).filter(|_| is_guarded_first) else { continue };
        let own = tree.ends(first);
        let before = match own.first() {
            Some(first) => vec![always(*first)],
            None => tree.ends_of(&[first]),
        };
        for later in tree.enabled(id).into_iter().filter(|later| Some(later) != own.first()) {
            waits.entry(later).or_default().extend(before.iter().cloned());
        }
    }
    for (earlier, later) in &tree.orderings {
        let when = tree.when(*earlier).clone();
        if !when.is_never() {
            waits.entry(*later).or_default().push(Requirement { occurrence: *earlier, when });
        }
    }
    waits
}

/// Compounds that nothing else on their lifelines interrupts.
fn regions(plan: &UnitPlan<'_>) -> Vec<(NodeId, ModulePath, &'static str)> {
    let mut regions = Vec::new();
    for (node, paths) in &plan.compounds {
        let word = match plan.tree.fragment(*node).map(|fragment| fragment.shape) {
            Some(OperandComposition::Critical) => "isCritical",
            Some(OperandComposition::Assert) => "isAssert",
            Some(_) | None => continue,
        };
        regions.extend(paths.iter().map(|path| (*node, path.clone(), word)));
    }
    regions
}

/// For each event its name, and what makes it happen.
type Events = BTreeMap<String, (String, Vec<String>)>;

fn events(
    plan: &UnitPlan<'_>,
    own: &IdVec<OccurrenceId, String>,
    lines: &IdVec<LineId, String>,
    names: &mut Identifiers,
) -> Events {
    let mut events = Events::new();
    for (id, occurrence) in plan.tree.occurrences.enumerate() {
        let Some((path, _)) = plan.done.get(&id) else { continue };
        let variable = format!("l_{}{}.OS_{}", lines[path.line], path.inner(), own[id]);
        let known = events.entry(occurrence.event.clone());
        let (_, variables) = known.or_insert_with(|| (names.give(&occurrence.event), Vec::new()));
        variables.push(variable);
    }
    events
}
