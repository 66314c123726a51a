//! The auxiliary functions of P0's table I and the deconstruction of section III, on figure 1b.

use sequent_kernel::id::Id;
use sequent_kernel::model::InteractionId;
use sequent_kernel::templates::{
    ExecutionUnit, LineId, NodeId, OccurrenceId, OperandComposition, TemplateTree, UnitPart, unfold,
};

use crate::diagram::model;
use crate::figures::{FIGURE_1B, assume};

fn figure(guards: &[(&str, bool)]) -> TemplateTree {
    unfold(&model(FIGURE_1B), InteractionId::from_index(0), &assume(guards, &[])).expect("it is small")
}

/// `s1` for the sending of m1.
fn short(tree: &TemplateTree, occurrence: OccurrenceId) -> String {
    let text = &tree.occurrences[occurrence].text;
    let sign = if text.starts_with('!') { 's' } else { 'r' };
    format!("{sign}{}", text.rsplit_once(":m").expect("messages are m1, m2 ..").1)
}

fn all(tree: &TemplateTree, occurrences: &[OccurrenceId]) -> String {
    occurrences.iter().map(|one| short(tree, *one)).collect::<Vec<_>>().join(" ")
}

fn before(tree: &TemplateTree, node: NodeId, line: LineId) -> String {
    tree.before(node, line).iter().map(|one| short(tree, one.occurrence)).collect::<Vec<_>>().join(" ")
}

/// The lifelines L1, L2, L3.
fn lines() -> [LineId; 3] {
    [0, 1, 2].map(LineId::from_index)
}

const TRUE: [(&str, bool); 3] = [("cond1", true), ("cond2", true), ("cond3", true)];

#[test]
fn what_stands_where() {
    let tree = figure(&TRUE);
    let [cf1] = tree.nested(tree.root)[..] else { panic!("one fragment stands at the top") };
    let [cf2] = tree.nested(cf1)[..] else { panic!("one fragment stands in it") };
    assert_eq!(tree.lifelines(cf1).into_iter().collect::<Vec<_>>(), lines());
    assert_eq!(tree.lifelines(cf2).into_iter().collect::<Vec<_>>(), lines()[1..]);
    let sends = |node: NodeId| -> Vec<OccurrenceId> {
        tree.messages(node).into_iter().filter_map(|message| tree.sending(message)).collect()
    };
    assert_eq!(all(&tree, &sends(tree.root)), "s1 s7");
    assert_eq!(all(&tree, &sends(cf1)), "s2 s5 s6");
    let receipts: Vec<OccurrenceId> =
        tree.messages(cf2).into_iter().filter_map(|message| tree.receipt(message)).collect();
    assert_eq!(all(&tree, &receipts), "r3 r4");
    assert_eq!(all(&tree, &tree.enabled(cf2)), "s3 r3 s4 r4");
    assert_eq!(all(&tree, &tree.enabled_on(tree.root, lines()[1])), "r1 s2 r3 s4 r5 r6 r7");
    let operands = tree.live_operands(cf1);
    assert_eq!(operands.len(), 2);
    assert_eq!(tree.later_operands(cf1), operands[1..]);
    assert_eq!(all(&tree, &tree.direct_on(operands[1], lines()[1])), "r5 r6");
    let first = tree.first_of(operands[0]).and_then(|message| tree.sending(message));
    assert_eq!(first.map(|first| short(&tree, first)).as_deref(), Some("s2"));
    let units: Vec<String> =
        tree.basic_units(tree.root, lines()[1]).iter().map(|unit| all(&tree, unit)).collect();
    assert_eq!(units, ["r1", "r7"]);
}

#[test]
fn what_comes_before_and_behind() {
    let tree = figure(&TRUE);
    let cf1 = tree.nested(tree.root)[0];
    let cf2 = tree.nested(cf1)[0];
    let [l1, l2, l3] = lines();
    assert_eq!((before(&tree, cf1, l1).as_str(), all(&tree, &tree.behind(cf1, l1)).as_str()), ("s1", "s7"));
    assert_eq!((before(&tree, cf1, l2).as_str(), all(&tree, &tree.behind(cf1, l2)).as_str()), ("r1", "r7"));
    assert_eq!((before(&tree, cf1, l3).as_str(), all(&tree, &tree.behind(cf1, l3)).as_str()), ("", ""));
    assert_eq!((before(&tree, cf2, l2).as_str(), all(&tree, &tree.behind(cf2, l2)).as_str()), ("s2", "r7"));
    let operands = tree.live_operands(cf1);
    assert_eq!(tree.before_operand(operands[0], l2).len(), 0);
    // With the parallel out of the way, what precedes m7 is m1.
    let without = figure(&[("cond1", false), ("cond2", false)]);
    let cf1 = without.nested(without.root)[0];
    assert!(without.live_operands(cf1).is_empty() && without.nested(cf1).is_empty());
    assert!(without.enabled(cf1).is_empty());
    // Left open, whatever may come right before does.
    let open = figure(&[]);
    let last = *open.messages(open.root).last().expect("m7 stands there");
    assert_eq!(before(&open, last, l2), "r1 s2 s4 r6");
}

fn unit(tree: &TemplateTree, own: &ExecutionUnit) -> String {
    match own {
        ExecutionUnit::Basic(own) => format!("BEU{{{}}}", all(tree, own)),
        ExecutionUnit::Hierarchical(parts) => {
            let parts = parts.iter().map(|part| match part {
                UnitPart::Basic(own) => format!("BEU{{{}}}", all(tree, own)),
                UnitPart::Compound(compound) => {
                    let units: Vec<String> = compound.units.iter().map(|one| unit(tree, one)).collect();
                    assert!(matches!(compound.shape, OperandComposition::Par | OperandComposition::Critical));
                    format!("CEU {}[{}]", compound.shape.word(), units.join(", "))
                }
            });
            format!("HEU[{}]", parts.collect::<Vec<_>>().join(", "))
        }
    }
}

#[test]
fn figure_2_deconstruction() {
    let tree = figure(&TRUE);
    let shown = lines().map(|line| unit(&tree, &tree.project(tree.root, line)));
    assert_eq!(
        shown,
        [
            "HEU[BEU{s1}, CEU par[BEU{r2}, BEU{s5}], BEU{s7}]",
            "HEU[BEU{r1}, CEU par[HEU[BEU{s2}, CEU critical[BEU{r3 s4}]], BEU{r5 r6}], BEU{r7}]",
            "HEU[CEU par[HEU[CEU critical[BEU{s3 r4}]], BEU{s6}]]",
        ]
    );
}
