//! Modules: each unit and each compound as text.
//!
//! An occurrence is a boolean variable that is true in the state to which it leads; `state` says how far a unit has come. What is
//! on another lifeline, or elsewhere on the same, is reached through the lifelines, which are parameters.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

use sequent_kernel::id::IdVec;
use sequent_kernel::source::Place;
use sequent_kernel::templates::{
    LineId, NodeId, OccurrenceId, OperandComposition, OperandOrder, Requirement, RigidCondition, RigidId,
};

use super::super::lexicon::comment;
use super::conditions::Home;
use super::module::{ChoiceSignal, Module, all, any};
use super::units::{LifelineFragment, LifelineUnit, ModulePath, UnitItem, UnitPlan, occurrences};

/// The context for writing modules.
pub(crate) struct ModuleWriter<'a> {
    pub plan: &'a UnitPlan<'a>,
    pub lines: &'a IdVec<LineId, String>,
    pub names: &'a IdVec<OccurrenceId, String>,
    pub homes: &'a BTreeMap<RigidId, Home>,
    /// What occurrences wait for besides what is above them on their lifelines.
    pub waits: &'a BTreeMap<OccurrenceId, Vec<Requirement>>,
    pub at: &'a dyn Fn(Place) -> String,
    /// Compounds that nothing else on their lifelines interrupts.
    pub regions: &'a [(NodeId, ModulePath, &'static str)],
    pub modules: String,
    /// Units that are beside each other, with the one that is chosen around them.
    pub groups: Vec<(ModulePath, Vec<ModulePath>)>,
}

impl ModuleWriter<'_> {
    /// Writes the module of a lifeline; which lifelines it reaches.
    pub(crate) fn lifeline(
        &mut self,
        unit: &LifelineUnit,
        blocks: &[(OccurrenceId, OccurrenceId)],
    ) -> Vec<String> {
        let start = self.modules.len();
        let mut module = Module::default();
        module.declare("chosen : boolean");
        let mut blocked = Vec::new();
        for (number, (call, answer)) in (1..).zip(blocks) {
            let when = self.plan.tree.when(*answer).clone();
            let mut parts = vec![self.done(*call, Some(&unit.path), &mut module.uses)];
            parts.push(format!("!({})", self.done(*answer, Some(&unit.path), &mut module.uses)));
            parts.extend(self.literals(&when, &mut module.uses));
            let name = format!("waits{number}");
            module.define(&name, &all(&parts));
            blocked.push(name);
        }
        if !blocked.is_empty() {
            module.define("isBlock", &any(&blocked));
        }
        self.unit(unit, &mut module, &ChoiceSignal::Own, None, false);
        let line = &self.lines[unit.path.line];
        let title = format!("Lifeline {}", self.plan.tree.lines[unit.path.line]);
        let parameters: Vec<String> = module.uses.iter().cloned().collect();
        self.modules.insert_str(start, &module.text(&title, line, &parameters));
        parameters
    }

    /// What a unit is made of. `condition` decides whether it runs; `ready` tells whether it may begin.
    fn unit(
        &mut self,
        unit: &LifelineUnit,
        module: &mut Module,
        chosen: &ChoiceSignal,
        condition: Option<&RigidCondition>,
        is_watched: bool,
    ) {
        let is_root = unit.path.names.is_empty();
        let start: Vec<String> = if is_root { Vec::new() } else { vec!["ready".to_owned()] };
        let own = occurrences(&unit.items);
        if !own.is_empty() {
            let names: Vec<&str> = own.iter().map(|one| self.names[*one].as_str()).collect();
            module.declare(&format!("state : {{sinit, {}}}", names.join(", ")));
        }
        let parts: Vec<&UnitItem> = unit
            .items
            .iter()
            .filter(|item| matches!(item, UnitItem::Single(_) | UnitItem::Compound(_)))
            .collect();
        let is_group = unit.is_free && parts.len() > 1;
        if is_group {
            let paths = parts.iter().map(|item| match item {
                UnitItem::Single(one) => one.path.clone(),
                UnitItem::Compound(one) => one.path.clone(),
                UnitItem::Occurrence(_) | UnitItem::Meeting(_) => unit.path.clone(),
            });
            self.groups.push((chosen.chooser(&unit.path), paths.collect()));
        }
        // What must be over before the next item.
        let mut before = start.clone();
        let mut last: Option<OccurrenceId> = None;
        let (mut enabled, mut final_, mut begun) = (Vec::new(), Vec::new(), Vec::new());
        for item in &unit.items {
            if unit.is_free {
                before = start.clone();
            }
            match item {
                UnitItem::Occurrence(one) => {
                    enabled.push(self.occurrence(*one, last, &before, &unit.path, module));
                    let position = own.iter().position(|other| other == one).unwrap_or(0);
                    before = vec![self.at_or_after(&own[position..])];
                    last = Some(*one);
                }
                UnitItem::Single(single) => {
                    let inner = if is_group { ChoiceSignal::Own } else { chosen.inherit(&unit.path) };
                    self.single(single, module, &inner, is_watched);
                    enabled.push(format!("{}.enabled", single.name));
                    final_.push(format!("{}.flag_final", single.name));
                    begun.push(format!("{}.begun", single.name));
                }
                UnitItem::Compound(compound) => {
                    let inner = if is_group { ChoiceSignal::Own } else { chosen.inherit(&unit.path) };
                    self.compound(compound, module, &all(&before), &inner, is_watched);
                    enabled.push(format!("{}.enabled", compound.name));
                    before.push(format!("{}.flag_final", compound.name));
                    final_.push(format!("{}.flag_final", compound.name));
                    begun.push(format!("{}.begun", compound.name));
                }
                UnitItem::Meeting(node) => {
                    let name = self.meeting(*node);
                    module.define(&name, &all(&before));
                    let all_there = self.met(*node, &unit.path, &mut module.uses);
                    before.push(all_there.clone());
                    final_.push(all_there);
                }
            }
        }
        if let Some(last) = last {
            final_.insert(0, format!("state = {}", self.names[last]));
            begun.insert(0, "state != sinit".to_owned());
        }
        module.define("enabled", &any(&enabled));
        let over = all(&final_);
        let over = match condition.map(|condition| self.literals(condition, &mut module.uses)) {
            Some(literals) if !literals.is_empty() => format!("!({}) | {over}", all(&literals)),
            Some(_) | None => over,
        };
        module.define("flag_final", &over);
        if is_watched {
            module.define("begun", &any(&begun));
        }
        self.assign(&own, module);
    }

    fn assign(&self, own: &[OccurrenceId], module: &mut Module) {
        let mut cases = String::new();
        for one in own {
            let name = &self.names[*one];
            let _ = writeln!(module.assignments, "  init(OS_{name}) := FALSE;");
            let _ = writeln!(module.assignments, "  next(OS_{name}) := chosen & {name}_enabled;");
            let _ = write!(cases, " next(OS_{name}) : {name};");
        }
        if !own.is_empty() {
            let _ = writeln!(
                module.assignments,
                "  init(state) := sinit;\n  next(state) := case{cases} TRUE : state; esac;"
            );
        }
    }

    /// One of a coregion, as a module in a unit.
    fn single(
        &mut self,
        single: &LifelineUnit,
        around: &mut Module,
        chosen: &ChoiceSignal,
        is_watched: bool,
    ) {
        let start = self.modules.len();
        let mut module = Module::default();
        self.unit(single, &mut module, chosen, None, is_watched);
        let Some(one) = occurrences(&single.items).first().copied() else { return };
        let occurrence = &self.plan.tree.occurrences[one];
        let title = format!(
            "{} in a coregion of {}, {}",
            occurrence.text,
            self.plan.tree.lines[single.path.line],
            (self.at)(self.plan.tree.nodes[occurrence.node].place)
        );
        let name = format!("coregion_{}", single.name);
        self.instance([&single.name, &name, &title], (module, start), around, ("ready", "ready"), chosen);
    }

    /// Writes a module down and its instance into the one around it.
    fn instance(
        &mut self,
        [name, kind, title]: [&str; 3],
        (mut module, start): (Module, usize),
        around: &mut Module,
        (parameter, value): (&str, &str),
        chosen: &ChoiceSignal,
    ) {
        let (mut parameters, mut values) = (vec![parameter.to_owned()], vec![value.to_owned()]);
        match chosen {
            ChoiceSignal::Own => module.variables.insert_str(0, "  chosen : boolean;\n"),
            ChoiceSignal::Around(_) => {
                parameters.push("chosen".to_owned());
                values.push("chosen".to_owned());
            }
        }
        parameters.extend(module.uses.iter().cloned());
        values.extend(module.uses.iter().cloned());
        around.uses.extend(module.uses.iter().cloned());
        around.declare(&format!("{name} : {kind}({})", values.join(", ")));
        // What holds others stands before them.
        self.modules.insert_str(start, &module.text(title, kind, &parameters));
    }

    fn compound(
        &mut self,
        compound: &LifelineFragment,
        around: &mut Module,
        ready: &str,
        chosen: &ChoiceSignal,
        is_watched: bool,
    ) {
        let tree = self.plan.tree;
        let line = compound.path.line;
        let start = self.modules.len();
        let mut module = Module::default();
        for (rigid, home) in self.homes.iter().filter(|(_, home)| home.path.as_ref() == Some(&compound.path))
        {
            let _ =
                writeln!(module.frozen, "  {} : boolean; -- {}", home.name, comment(&tree.rigids[*rigid]));
        }
        let order = compound.shape.order();
        let is_side = order == OperandOrder::Beside || compound.is_free && order != OperandOrder::Choice;
        let is_group = is_side && compound.units.len() > 1;
        if is_group {
            let paths = compound.units.iter().map(|(_, unit)| unit.path.clone()).collect();
            self.groups.push((chosen.chooser(&compound.path), paths));
        }
        let is_region = matches!(compound.shape, OperandComposition::Critical | OperandComposition::Assert);
        let is_watched = is_watched || is_region;
        let (mut enabled, mut final_, mut begun) = (Vec::new(), Vec::new(), Vec::new());
        for (number, unit) in &compound.units {
            let mut before = vec!["ready".to_owned()];
            if order == OperandOrder::Sequence && !compound.is_free {
                before.extend(final_.iter().cloned());
            }
            if compound.shape.is_strict() {
                before.extend(self.strictly(compound, *number, &mut module.uses));
            }
            let own = tree.operand(unit.operand).and_then(|operand| operand.own.clone());
            let literals = own.as_ref().map(|own| self.literals(own, &mut module.uses)).unwrap_or_default();
            let eva = format!("{}_eva", unit.name);
            let value = match literals.is_empty() {
                true => format!("{} ? 1 : -1", all(&before)),
                false => format!("{} ? ({} ? 1 : 0) : -1", all(&before), all(&literals)),
            };
            module.define(&eva, &value);
            let inner = if is_group { ChoiceSignal::Own } else { chosen.inherit(&compound.path) };
            let first = self.modules.len();
            let mut content = Module::default();
            self.unit(unit, &mut content, &inner, own.as_ref(), is_watched);
            content.definitions.insert_str(0, "  ready := op_eva = 1;\n");
            let kind = format!("{}_{}_{}", compound.name, unit.name, self.lines[line]);
            let fragment = tree.fragment(compound.fragment);
            let word = match compound.shape {
                OperandComposition::Loop | OperandComposition::StrictLoop => "iteration",
                _ => "operand",
            };
            let title = format!(
                "{word} {number} of {} on {}, {}",
                fragment.map_or("", |fragment| &fragment.name),
                tree.lines[line],
                (self.at)(tree.nodes[unit.operand].place)
            );
            let content = (content, first);
            self.instance([&unit.name, &kind, &title], content, &mut module, ("op_eva", &eva), &inner);
            enabled.push(format!("{}.enabled", unit.name));
            final_.push(format!("{}.flag_final", unit.name));
            begun.push(format!("{}.begun", unit.name));
        }
        module.define("enabled", &any(&enabled));
        module.define("flag_final", &all(&final_));
        if is_watched {
            module.define("begun", &any(&begun));
        }
        match compound.shape {
            OperandComposition::Critical => module.define("isCritical", "begun & !flag_final"),
            OperandComposition::Assert => {
                // What it is joined to strictly is over first.
                let joined = tree.barrier(compound.fragment).into_iter().filter(|_| tree.is_joined_strictly);
                let joined = joined.map(|one| self.over(&one, &compound.path, &mut module.uses));
                let open: Vec<String> = ["ready".to_owned()].into_iter().chain(joined).collect();
                module.define("isAssert", &format!("{} & !flag_final", all(&open)));
            }
            _ => {}
        }
        let kind = format!("{}_{}", compound.name, self.lines[line]);
        let title = format!(
            "{} on {}, {}",
            tree.fragment(compound.fragment).map_or("", |fragment| &fragment.name),
            tree.lines[line],
            (self.at)(tree.nodes[compound.fragment].place)
        );
        self.instance([&compound.name, &kind, &title], (module, start), around, ("ready", ready), chosen);
    }

    /// That all earlier operands of a strict sequence are over on all lifelines.
    fn strictly(
        &self,
        compound: &LifelineFragment,
        number: usize,
        uses: &mut BTreeSet<String>,
    ) -> Vec<String> {
        let tree = self.plan.tree;
        let operands = tree.children(compound.fragment);
        let earlier = operands.iter().take(number - 1).flat_map(|operand| self.plan.operands.get(operand));
        let others = earlier.flatten().filter(|path| path.line != compound.path.line || compound.is_free);
        others.map(|path| format!("{}.flag_final", self.reach(path, uses))).collect()
    }

    /// That something has happened, or is not asked for.
    fn over(&self, required: &Requirement, path: &ModulePath, uses: &mut BTreeSet<String>) -> String {
        let done = self.done(required.occurrence, Some(path), uses);
        let unless = self.literals(&required.when, uses);
        match unless.is_empty() {
            true => done,
            false => format!("({done} | !({}))", all(&unless)),
        }
    }

    /// The definition of an occurrence; the name of what says that it may happen.
    fn occurrence(
        &self,
        one: OccurrenceId,
        last: Option<OccurrenceId>,
        before: &[String],
        path: &ModulePath,
        module: &mut Module,
    ) -> String {
        let tree = self.plan.tree;
        let name = &self.names[one];
        module.declare(&format!("OS_{name} : boolean"));
        // The state says already that the one before is done.
        let known = usize::from(last.is_some());
        let last = last.map_or("sinit", |last| self.names[last].as_str());
        let mut parts = vec![format!("state = {last}")];
        parts.extend(before.iter().skip(known).cloned());
        for wait in self.waits.get(&one).into_iter().flatten() {
            parts.push(self.over(wait, path, &mut module.uses));
        }
        for (node, region, word) in self.regions.iter().filter(|(_, region, _)| region.line == path.line) {
            let is_inside = path.names.len() > region.names.len() && path.names.starts_with(&region.names);
            if !is_inside && self.plan.is_beside(tree.occurrences[one].node, *node, path.line) {
                parts.push(format!("!{}.{word}", self.reach(region, &mut module.uses)));
            }
        }
        let own: Vec<(OccurrenceId, OccurrenceId)> = self.calls(path.line);
        if !own.is_empty() {
            let line = match path.names.is_empty() {
                true => String::new(),
                false => {
                    format!(
                        "{}.",
                        self.reach(&ModulePath { line: path.line, names: Vec::new() }, &mut module.uses)
                    )
                }
            };
            let mut allowed = vec![format!("!{line}isBlock")];
            for (number, (_, answer)) in (1..).zip(&own) {
                allowed.extend((*answer == one).then(|| format!("{line}waits{number}")));
            }
            parts.push(if allowed.len() > 1 { format!("({})", any(&allowed)) } else { any(&allowed) });
        }
        let enabled = format!("{name}_enabled");
        let _ = writeln!(module.definitions, "  -- {}", comment(&tree.occurrences[one].text));
        module.define(&enabled, &all(&parts));
        enabled
    }
}
