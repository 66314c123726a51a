//! What no formula says, as an observer in `main`: what `neg` and `assert` diagrams forbid and demand.
//!
//! The observer was [written out](ForbiddenRuns): it accepts the runs that must not be. Its memory is a variable that reads each
//! occurrence in the step that leads to it, and may be read in several ways; the last value is that of an observer that has lost
//! its way. Runs of lifelines have an end, or get stuck: there it is seen whether the observer accepts.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

use sequent_kernel::id::Id;
use sequent_kernel::templates::ForbiddenRuns;

use super::super::lexicon::set;
use super::main::Main;

/// Longer observers are not written.
const LONGEST: usize = 2_000_000;

impl Main<'_> {
    /// An observer whose variable is called so, and what is asked of it; an error says why it is not written.
    pub(super) fn watch(&self, name: &str, observed: &ForbiddenRuns) -> Result<(String, String), String> {
        let table = &observed.table;
        if !table.predicates().is_empty() {
            return Err("it speaks of states".to_owned());
        }
        let lost = table.memories;
        let mut text =
            format!("VAR\n  {name} : 0..{lost}; -- reads what happens, and accepts what must not be\n");
        let first: BTreeSet<usize> = table.first.iter().map(|memory| *memory as usize).collect();
        let first = if first.is_empty() { lost.to_string() } else { set(&first) };
        let _ = writeln!(text, "ASSIGN\n  init({name}) := {first};\n  next({name}) := case");
        let _ = writeln!(text, "    !next(happens) : {name};");
        let sure: BTreeSet<usize> = (0..table.memories).filter(|memory| table.accepts_all[*memory]).collect();
        if !sure.is_empty() {
            let _ = writeln!(text, "    {name} in {} : {name};", set(&sure));
        }
        for memory in (0..table.memories).filter(|memory| !sure.contains(memory)) {
            let mut alike: BTreeMap<BTreeSet<usize>, Vec<String>> = BTreeMap::new();
            for class in &table.reads[memory] {
                let ways = class.branches.iter().flat_map(|branch| &branch.ways);
                let ways: BTreeSet<usize> = ways.map(|(to, _)| *to as usize).collect();
                let known = class.events.iter().filter_map(|event| observed.events.get(event.index()));
                let known = known.filter_map(|event| self.events.get(event));
                alike.entry(ways).or_default().extend(known.map(|(name, _)| format!("next({name})")));
            }
            for (ways, events) in alike.iter().filter(|(ways, events)| !ways.is_empty() && !events.is_empty())
            {
                let _ = writeln!(text, "    {name} = {memory} & ({}) : {};", events.join(" | "), set(ways));
            }
            if text.len() > LONGEST {
                return Err("it is too long once it is written out".to_owned());
            }
        }
        let _ = writeln!(text, "    TRUE : {lost};\n  esac;");
        let accepts = ["flag_final", "stuck"].iter().zip([0, 1]).filter_map(|(over, kind)| {
            let is_end = |memory: &usize| sure.contains(memory) || !table.ends[*memory][kind].is_empty();
            let ends: BTreeSet<usize> = (0..table.memories).filter(is_end).collect();
            (!ends.is_empty()).then(|| format!("{over} & {name} in {}", set(&ends)))
        });
        let accepts: Vec<String> = accepts.collect();
        let accepts = if accepts.is_empty() { "FALSE".to_owned() } else { accepts.join(" | ") };
        let _ = writeln!(text, "DEFINE\n  {name}_accepts := {accepts};");
        let mut fallen = Vec::new();
        for (guard, value) in &observed.guards {
            let sign = if *value { "" } else { "!" };
            let guard = self.guard(guard).ok_or_else(|| format!("`{guard}` has no one value in a run"))?;
            fallen.push(format!("{sign}{guard}"));
        }
        let guards = if fallen.is_empty() { String::new() } else { format!("({}) -> ", fallen.join(" & ")) };
        Ok((text, format!("LTLSPEC {guards}G !{name}_accepts\n")))
    }
}
