//! Deadlocks of systems with an environment, or with message loss, by a solver.
//!
//! Such a system is stuck where no object ever acts again, whatever comes from outside ([`super::stuck`]).
//! What comes from outside, or is lost, is a step as well, an idle one; so a deadlock is more than a state
//! without steps. A solver is asked for a state, other than a proper end, in which no object acts now or
//! after a few idle steps: the condition for that is computed backwards from the guards of the acting rules,
//! rule by rule. It over-approximates the deadlocks. Each state that is found is checked by a walk along all
//! its idle steps; if an object acts after more of them, the next question uses a greater depth. If there is
//! no such state, there is no deadlock.

use std::collections::{BTreeSet, HashMap};

use sequent_engine::search::SearchAnswer;
use sequent_kernel::replay::{Run, replay};
use sequent_kernel::system::{ComponentId, Config, Join, LabelId, RuleId, Step, System, TermId, VariableId};

/// What came of it.
#[derive(Debug)]
pub(crate) enum Judged {
    /// A run that gets stuck.
    Stuck(Run),
    /// Nothing gets stuck.
    Never,
    /// Not decided.
    Open,
}

/// What is idle, and what is no deadlock all the same.
pub(crate) struct IdleStage<'s> {
    /// The system whose runs are searched.
    pub system: &'s System,
    /// Whether the steps of a rule that acts are idle.
    pub is_idle: &'s dyn Fn(RuleId) -> bool,
    /// Whether a state is no deadlock although nothing happens there.
    pub(crate) is_excused: &'s dyn Fn(&Config) -> bool,
}

/// How many states are found that are none of those looked for.
const MOST_TRIES: usize = 20;
/// More ways to take part in steps are not written out.
const MOST_MOVES: usize = 4_096;
/// Longer conditions are not computed.
const MOST_TERMS: usize = 400_000;
/// Walks along idle steps see no more states.
const MOST_STATES: usize = 1_000;

impl IdleStage<'_> {
    /// Looks for a run that gets stuck; `ask` looks for a state in which a predicate holds.
    pub(crate) fn judge(&self, ask: &mut dyn FnMut(&System, TermId) -> SearchAnswer) -> Judged {
        let (mut depth, mut blocked) = (1, Vec::new());
        for _ in 0..MOST_TRIES {
            let mut system = self.system.clone();
            let Some(goal) = self.quiet(&mut system, depth, &blocked) else { return Judged::Open };
            let run = match ask(&system, goal) {
                SearchAnswer::Found(run) => run,
                SearchAnswer::Exhausted => return Judged::Never,
                SearchAnswer::Stopped(_) => return Judged::Open,
            };
            let Some(last) = replay(self.system, &run).ok().and_then(|mut configs| configs.pop()) else {
                return Judged::Open;
            };
            match self.walk(&last) {
                IdleWalk::Acts(steps) if steps > depth => depth = steps,
                IdleWalk::Acts(_) | IdleWalk::Long => return Judged::Open,
                IdleWalk::Dead if (self.is_excused)(&last) => blocked.push(last),
                IdleWalk::Dead => return Judged::Stuck(run),
            }
        }
        Judged::Open
    }

    /// The predicate that no object acts, now or after up to `depth` idle steps, and that this is no end;
    /// `None` if it cannot be written.
    fn quiet(&self, system: &mut System, depth: usize, blocked: &[Config]) -> Option<TermId> {
        let moves = self.moves(system)?;
        let terms = &mut system.terms;
        let acting: Vec<TermId> = moves.iter().filter(|one| !one.is_idle).map(|one| one.guard).collect();
        let acts = terms.or(acting);
        let mut alive = acts;
        for _ in 0..depth {
            let mut parts = vec![acts];
            for one in moves.iter().filter(|one| one.is_idle) {
                let mut others: HashMap<TermId, TermId> = HashMap::new();
                for (variable, value) in &one.updates {
                    others.insert(terms.variable(*variable), *value);
                }
                let after = terms.replace(alive, &others);
                parts.push(terms.and([one.guard, after]));
                if terms.ids().count() > MOST_TERMS {
                    return None;
                }
            }
            alive = terms.or(parts);
        }
        let mut all = vec![terms.not(alive), terms.not(system.complete)];
        for config in blocked {
            let values: Vec<TermId> =
                system.variables.ids().zip(&config.0).map(|(id, value)| terms.is(id, *value)).collect();
            let this = terms.and(values);
            all.push(terms.not(this));
        }
        Some(terms.and(all))
    }

    /// All ways in which rules fire together; `None` if they are too many, or more is to be thought of.
    fn moves(&self, system: &mut System) -> Option<Vec<JointMove>> {
        let is_never_void = system.is_never(system.void);
        let is_plain = system.rules.iter().all(|rule| !rule.urgent && !matches!(rule.join, Join::Listen(_)));
        if !is_never_void || !is_plain {
            return None;
        }
        let mut moves = Vec::new();
        for rule in system.rules.ids() {
            let labels: Vec<LabelId> = match &system.rules[rule].join {
                Join::Alone => Vec::new(),
                Join::Offer(labels) => labels.clone(),
                Join::Take(_) | Join::Listen(_) => continue,
            };
            let mut ways = vec![vec![rule]];
            for label in labels {
                ways = ways.iter().flat_map(|way| taken(system, way, label)).collect();
                if moves.len() + ways.len() > MOST_MOVES {
                    return None;
                }
            }
            let is_idle = (self.is_idle)(rule);
            moves.extend(ways.iter().map(|way| together(system, way, is_idle)));
        }
        Some(moves)
    }

    /// Whether an object acts after idle steps alone.
    fn walk(&self, from: &Config) -> IdleWalk {
        let mut seen: BTreeSet<Config> = BTreeSet::from([from.clone()]);
        let mut here = vec![from.clone()];
        let mut depth = 0;
        while !here.is_empty() {
            let mut next = Vec::new();
            for config in here {
                for (Step(rules), after) in self.system.successors(&config) {
                    if !rules.first().is_some_and(|rule| (self.is_idle)(*rule)) {
                        return IdleWalk::Acts(depth);
                    }
                    if seen.insert(after.clone()) {
                        next.push(after);
                    }
                }
                if seen.len() > MOST_STATES {
                    return IdleWalk::Long;
                }
            }
            here = next;
            depth += 1;
        }
        IdleWalk::Dead
    }
}

/// What a walk along idle steps comes to.
enum IdleWalk {
    /// An object acts after this many idle steps.
    Acts(usize),
    /// No object ever acts.
    Dead,
    /// There are too many states.
    Long,
}

/// Rules that fire together, as one.
struct JointMove {
    guard: TermId,
    updates: Vec<(VariableId, TermId)>,
    is_idle: bool,
}

/// The rules of a step extended by each rule that takes a label.
fn taken(system: &System, way: &[RuleId], label: LabelId) -> Vec<Vec<RuleId>> {
    let owners: BTreeSet<ComponentId> = way.iter().map(|rule| system.rules[*rule].component).collect();
    let takers = system.rules.enumerate().filter(|(_, rule)| rule.join == Join::Take(label));
    let free = takers.filter(|(_, rule)| !owners.contains(&rule.component));
    free.map(|(taker, _)| way.iter().copied().chain([taker]).collect()).collect()
}

/// Rules as one: their guards hold, values stay in their ranges, and those that write the same variable agree.
fn together(system: &mut System, way: &[RuleId], is_idle: bool) -> JointMove {
    let System { rules, terms, variables, .. } = system;
    let mut guards: Vec<TermId> = way.iter().map(|rule| rules[*rule].guard).collect();
    let mut updates: Vec<(VariableId, TermId)> = Vec::new();
    for (variable, value) in way.iter().flat_map(|rule| &rules[*rule].updates) {
        let (min, max) = (variables[*variable].min, variables[*variable].max);
        match terms.as_constant(*value) {
            Some(constant) => guards.push(terms.truth((min..=max).contains(&constant))),
            None => {
                let (least, most) = (terms.constant(min), terms.constant(max));
                let (below, above) = (terms.less(*value, least), terms.less(most, *value));
                guards.extend([terms.not(below), terms.not(above)]);
            }
        }
        match updates.iter().find(|(known, _)| known == variable) {
            Some((_, other)) => guards.push(terms.equal(*other, *value)),
            None => updates.push((*variable, *value)),
        }
    }
    JointMove { guard: terms.and(guards), updates, is_idle }
}

#[cfg(test)]
mod tests {
    use std::ops::ControlFlow;

    use sequent_engine::packed::Program;
    use sequent_engine::sat::bounded::reach::{self};
    use sequent_engine::sat::encode::Pace;
    use sequent_engine::sat::encode::question::EncodedQuestion;
    use sequent_engine::sat::outcome::Bounded;
    use sequent_engine::sat::outcome::UnboundedOutcome;
    use sequent_engine::sat::prove::ic3;
    use sequent_engine::search::{Limits, SearchStop, unwatched};
    use sequent_engine::survey::Survey;
    use sequent_kernel::model::Communication;
    use sequent_kernel::semantics::objects::{lower_objects, structure};
    use sequent_kernel::source::{Folders, Sources};
    use sequent_notation::NoFiles;

    use super::super::{ObjectGroup, stuck};
    use super::*;
    use crate::{pipeline, settings};
    use sequent_evaluation::generate::wide;
    use sequent_testing::seeds::seeds;

    /// IC3, or runs of some steps.
    fn ask(system: &System, goal: TermId, is_bounded: bool) -> SearchAnswer {
        let patience = |_| ControlFlow::Continue(());
        let Ok(question) = EncodedQuestion::goal(system, Pace::Single, goal) else {
            return SearchAnswer::Stopped(SearchStop::Watch);
        };
        if is_bounded {
            return match reach::reach(&question.encoding, question.wanted, 12, &patience) {
                Bounded::Found(run, _) => SearchAnswer::Found(run),
                Bounded::Nothing(_) | Bounded::Stopped(_) => SearchAnswer::Stopped(SearchStop::Watch),
                Bounded::Proved(_) => SearchAnswer::Exhausted,
            };
        }
        match ic3::prove(&question.encoding, question.wanted, &patience).0 {
            UnboundedOutcome::Found(run, _) => SearchAnswer::Found(run),
            UnboundedOutcome::Proved(_) => SearchAnswer::Exhausted,
            UnboundedOutcome::Stopped => SearchAnswer::Stopped(SearchStop::Watch),
        }
    }

    /// What a solver finds out about random open systems is what a survey of their states says.
    #[test]
    fn surveys_agree() {
        let mut seen = [0; 3];
        for seed in seeds(40) {
            let media = [Communication::Queue, Communication::Bag, Communication::Rendezvous];
            let case = wide::case(seed, media[seed as usize % 3], true);
            let mut sources = Sources::new();
            let file = sources.add("system.puml", case.text.as_str());
            let toml = sources.add("sequent.toml", case.settings("test"));
            let (settings, _) = settings::read(toml, sources.get(toml));
            let reading = pipeline::read(&[file], &mut sources, &mut NoFiles, &settings);
            let model = &reading.model;
            let folders: Folders =
                model.machines.iter().map(|one| (one.place.0.file, String::new())).collect();
            let (structure, _) = structure(model, &folders, "", None);
            let Ok(objects) = lower_objects(model, &structure, &model.system) else { continue };
            let program = Program::new(&objects.system);
            let limits = Limits { states: 400, ..Limits::default() };
            let survey = Survey::explore(&program, &|_| false, &limits, &unwatched);
            let group = ObjectGroup { model, objects: &objects, survey: &survey, has_gaps: false };
            if !survey.is_whole() || stuck::is_closed(&objects) || !group.moves() {
                continue;
            }
            let expected = stuck::deadlock(&group).is_some();
            for is_bounded in [false, true] {
                let judged = stuck::judged(&group, &mut |system, goal| ask(system, goal, is_bounded));
                match judged {
                    Judged::Stuck(_) => assert!(expected, "seed {seed}\n{}", case.text),
                    Judged::Never => assert!(!expected, "seed {seed}\n{}", case.text),
                    Judged::Open => {}
                }
                seen[match judged {
                    Judged::Stuck(_) => 0,
                    Judged::Never => 1,
                    Judged::Open => 2,
                }] += 1;
            }
        }
        assert!(seen[0] > 3 && seen[1] > 3, "{seen:?}");
        eprintln!("{seen:?}");
    }
}
