//! The module `main`: lifelines, what ties their choices together, and what is asked.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

use sequent_kernel::formula::Atom;
use sequent_kernel::id::IdVec;
use sequent_kernel::templates::{LineId, RigidId};

use super::super::formula::written;
use super::super::lexicon::comment;
use super::conditions::Home;
use super::module::{all, any};
use super::units::{ModulePath, UnitPlan};
use super::{Events, LifelineClaim, UnfoldedDiagram};

/// The module of the whole.
pub(crate) struct Main<'a> {
    pub diagram: &'a UnfoldedDiagram<'a>,
    pub claims: &'a [LifelineClaim],
    pub plan: &'a UnitPlan<'a>,
    pub lines: &'a IdVec<LineId, String>,
    pub homes: &'a BTreeMap<RigidId, Home>,
    pub events: &'a Events,
}

impl Main<'_> {
    /// Its text.
    pub(crate) fn text(
        &self,
        instances: &[(LineId, Vec<String>)],
        groups: &[(ModulePath, Vec<ModulePath>)],
    ) -> String {
        let mut text = format!("-- Sequence diagram {}\n--\n", comment(self.diagram.title()));
        text +=
            "-- One thing happens in each step: an occurrence is true in the state to which it leads. Once\n";
        text += "-- everything is over, or stuck, the last state is repeated.\n";
        text += "MODULE main\n";
        text += "VAR\n";
        if self.homes.values().any(|home| home.path.is_none()) {
            text += "  conditions : guards;\n";
        }
        for (line, parameters) in instances {
            let name = &self.lines[*line];
            let values: Vec<String> = parameters
                .iter()
                .map(|one| if one == "conditions" { one.clone() } else { format!("l_{one}") })
                .collect();
            let list = if values.is_empty() { String::new() } else { format!("({})", values.join(", ")) };
            let _ = writeln!(text, "  l_{name} : {name}{list};");
        }
        if instances.is_empty() {
            text += "  nothing : boolean;\n";
        }
        let each = |word: &str| -> Vec<String> {
            instances.iter().map(|(line, _)| format!("l_{}.{word}", self.lines[*line])).collect()
        };
        let _ = writeln!(text, "DEFINE\n  enabled := {};", any(&each("enabled")));
        let _ = writeln!(text, "  flag_final := {};", all(&each("flag_final")));
        text += "  stuck := !enabled & !flag_final;\n";
        for (event, (name, variables)) in self.events {
            let _ = writeln!(text, "  {name} := {}; -- {}", any(variables), comment(event));
        }
        if !instances.is_empty() {
            text += "\n-- One lifeline is chosen, of those that are enabled.\n";
            text += &format!("INVAR {}\n", one_of(&each("chosen"), &each("enabled"), None));
        }
        for (around, parts) in groups {
            let each = |word: &str| -> Vec<String> {
                parts.iter().map(|path| format!("{}.{word}", self.instance(path))).collect()
            };
            let around = format!("{}.chosen", self.instance(around));
            let _ = writeln!(text, "\n-- And one of what is beside each other there.");
            let _ = writeln!(text, "INVAR {}", one_of(&each("chosen"), &each("enabled"), Some(&around)));
        }
        text += &self.rules();
        text + &self.specifications()
    }

    /// A module, seen from `main`.
    fn instance(&self, path: &ModulePath) -> String {
        format!("l_{}{}", self.lines[path.line], path.inner())
    }

    /// How conditions and choices belong together.
    fn rules(&self) -> String {
        let tree = self.plan.tree;
        let mut text = String::new();
        let mut last = "";
        for rule in &tree.rules {
            let Some(formula) = written(&rule.formula, &|atom| self.condition(atom)) else { continue };
            if rule.about != last {
                let _ = writeln!(text, "\n-- Conditions and choices: {}", comment(&rule.about));
            }
            last = &rule.about;
            let _ = writeln!(text, "INVAR {formula}");
        }
        text
    }

    fn condition(&self, atom: &Atom) -> Option<String> {
        match atom {
            Atom::Name(word) => self.rigid(&word.text),
            Atom::Event(_) | Atom::Exactly(_) | Atom::In(..) | Atom::Data(_) | Atom::Start | Atom::End => {
                None
            }
        }
    }

    /// A guard that has one value throughout a run.
    pub(super) fn guard(&self, text: &str) -> Option<String> {
        match self.diagram.assumptions.guards.get(text) {
            Some(true) => Some("TRUE".to_owned()),
            Some(false) => Some("FALSE".to_owned()),
            None => self.rigid(text),
        }
    }

    fn rigid(&self, text: &str) -> Option<String> {
        let found = self.plan.tree.rigids.enumerate().find(|(_, known)| **known == text);
        let home = &self.homes[&found?.0];
        let place = home.path.as_ref().map_or_else(|| "conditions".to_owned(), |path| self.instance(path));
        Some(format!("{place}.{}", home.name))
    }

    fn specifications(&self) -> String {
        let mut text = String::from("\n-- It never gets stuck.\nLTLSPEC G !stuck\n");
        let mut watches = 0;
        for claim in self.claims {
            let title = comment(&claim.title);
            let said = claim.formula.as_ref().and_then(|formula| written(formula, &|atom| self.atom(atom)));
            if let Some(formula) = said {
                let _ = write!(text, "\n-- {title}\nLTLSPEC {formula}\n");
                continue;
            }
            match self.watched(claim, &mut watches) {
                Ok(watched) => text += &watched,
                Err(reason) => {
                    let _ = write!(text, "\n-- {title}\n-- It is left out: {}.\n", comment(&reason));
                }
            }
        }
        text
    }

    /// The observers of a claim, each under a name of its own.
    fn watched(&self, claim: &LifelineClaim, watches: &mut usize) -> Result<String, String> {
        let mut text = String::new();
        for observed in claim.observers.as_ref()? {
            if *watches == 0 {
                let names: Vec<String> = self.events.values().map(|(name, _)| name.clone()).collect();
                let _ = write!(text, "\nDEFINE\n  happens := {};\n", any(&names));
            }
            *watches += 1;
            let (watch, asked) = self.watch(&format!("watch{watches}"), observed)?;
            let _ = write!(text, "\n{watch}-- {}\n{asked}", comment(&claim.title));
        }
        Ok(text)
    }

    /// An atom of a formula.
    fn atom(&self, atom: &Atom) -> Option<String> {
        match atom {
            Atom::Exactly(word) => {
                Some(self.events.get(&word.text).map_or_else(|| "FALSE".to_owned(), |(name, _)| name.clone()))
            }
            Atom::Start => Some("!(Y TRUE)".to_owned()),
            Atom::End => {
                let quiet: BTreeSet<String> =
                    self.events.values().map(|(name, _)| format!("!{name}")).collect();
                let quiet: Vec<String> = quiet.into_iter().collect();
                Some(format!("(flag_final & Y TRUE & {})", all(&quiet)))
            }
            Atom::Name(word) => self.guard(&word.text),
            Atom::Event(_) | Atom::In(..) | Atom::Data(_) => None,
        }
    }

    /// Conditions that decide about several fragments, or about none.
    pub(crate) fn conditions(&self) -> String {
        let tree = self.plan.tree;
        let own = self.homes.iter().filter(|(_, home)| home.path.is_none());
        let mut text = String::new();
        for (rigid, home) in own {
            let _ = writeln!(text, "  {} : boolean; -- {}", home.name, comment(&tree.rigids[*rigid]));
        }
        match text.is_empty() {
            true => text,
            false => format!(
                "\n-- Conditions that more than one fragment asks for.\nMODULE guards\nFROZENVAR\n{text}"
            ),
        }
    }
}

/// Exactly one is chosen, of those that are enabled; none where none is, or where what is around them is not chosen.
fn one_of(chosen: &[String], enabled: &[String], around: Option<&str>) -> String {
    let only = |own: usize| {
        let signs = chosen.iter().enumerate().map(|(at, name)| match at == own {
            true => name.clone(),
            false => format!("!{name}"),
        });
        format!("({})", signs.collect::<Vec<String>>().join(" & "))
    };
    let mut ways: Vec<String> = (0..chosen.len()).map(only).collect();
    let none: Vec<String> = chosen.iter().map(|name| format!("!{name}")).collect();
    let idle = match around {
        None => format!("!({})", any(enabled)),
        Some(around) => format!("!({around} & ({}))", any(enabled)),
    };
    ways.push(format!("({} & {idle})", all(&none)));
    let mut parts = vec![format!("({})", ways.join(" | "))];
    parts.extend(chosen.iter().zip(enabled).map(|(chosen, enabled)| format!("({chosen} -> {enabled})")));
    parts.extend(around.map(|around| format!("({} -> {around})", any(chosen))));
    parts.join(" & ")
}
