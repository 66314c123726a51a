//! What can be seen of the runs of a system: the words of its visible log, as sets.
//!
//! The configurations form a graph without circles in these cases, so the words from each are found once, by the plain
//! interpreter, which no engine shares.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use sequent_kernel::system::{Config, EventKind, Step, System};

/// What is logged in one run, in order.
pub(crate) type Word = Vec<String>;

/// The words of all runs to the end, as far as `shown` lets events be seen. A run that gets stuck, or goes wrong, is an
/// error that says where.
pub(crate) fn words(
    system: &System,
    shown: &dyn Fn(&str) -> Option<String>,
) -> Result<BTreeSet<Word>, String> {
    let mut search = Search { system, shown, known: BTreeMap::new(), open: BTreeSet::new() };
    let words = search.from(&system.initial())?;
    // Inside the search words are kept backwards.
    Ok(words.iter().map(|word| word.iter().rev().cloned().collect()).collect())
}

/// The steps of a configuration; if some are urgent, only those.
pub(crate) fn steps(system: &System, config: &Config) -> Vec<Step> {
    let steps = system.steps(config);
    let is_urgent = |step: &&Step| system.rules[step.0[0]].urgent;
    let urgent: Vec<Step> = steps.iter().filter(is_urgent).cloned().collect();
    if urgent.is_empty() { steps } else { urgent }
}

struct Search<'a> {
    system: &'a System,
    shown: &'a dyn Fn(&str) -> Option<String>,
    known: BTreeMap<Config, Rc<BTreeSet<Word>>>,
    open: BTreeSet<Config>,
}

impl Search<'_> {
    fn from(&mut self, config: &Config) -> Result<Rc<BTreeSet<Word>>, String> {
        if let Some(known) = self.known.get(config) {
            return Ok(known.clone());
        }
        if !self.open.insert(config.clone()) {
            return Err(format!("a run goes round in circles: {}", self.told(config)));
        }
        if self.system.holds(self.system.strained, config) {
            return Err(format!("a run goes wrong: {}", self.told(config)));
        }
        let steps = steps(self.system, config);
        let mut words = BTreeSet::new();
        if steps.is_empty() {
            if self.system.class(config).is_none() {
                return Err(format!("a run gets stuck: {}", self.told(config)));
            }
            words.insert(Word::new());
        }
        for step in steps {
            let next = self.system.take(&step, config).expect("a step that is possible can be taken");
            let seen: Vec<String> = self.seen(&step);
            for rest in self.from(&next)?.iter() {
                words.insert(rest.iter().chain(seen.iter().rev()).cloned().collect());
            }
        }
        let words = Rc::new(words);
        self.open.remove(config);
        self.known.insert(config.clone(), words.clone());
        Ok(words)
    }

    fn seen(&self, step: &Step) -> Vec<String> {
        self.system.events(step).filter_map(|event| (self.shown)(&self.system.events[event].text)).collect()
    }

    /// The variables that have left their first values.
    fn told(&self, config: &Config) -> String {
        let variables = self.system.variables.iter().zip(&config.0);
        let changed = variables.filter(|(variable, value)| variable.initial != **value);
        changed.map(|(variable, value)| format!("{} = {value}", variable.name)).collect::<Vec<_>>().join(", ")
    }
}

/// What may come of a message from outside, after everything it sets off is over: what is logged, and where it ends. With
/// no message, what the system does by itself.
pub(crate) fn drive(
    system: &System,
    config: &Config,
    message: Option<&str>,
    shown: &dyn Fn(&str) -> Option<String>,
) -> BTreeSet<(Word, Config)> {
    let from_outside = |step: &Step| {
        let mut events = system.events(step).map(|event| &system.events[event]);
        events.find(|event| event.kind == EventKind::Send && event.from.is_none())
    };
    let starts = match message {
        None => vec![config.clone()],
        Some(message) => {
            let all = steps(system, config);
            let asked =
                all.iter().filter(|step| from_outside(step).is_some_and(|event| event.message == message));
            asked.filter_map(|step| system.take(step, config)).collect()
        }
    };
    let mut ends = BTreeSet::new();
    let mut open: Vec<(Word, Config)> = starts.into_iter().map(|config| (Word::new(), config)).collect();
    while let Some((word, config)) = open.pop() {
        let own: Vec<Step> =
            steps(system, &config).into_iter().filter(|step| from_outside(step).is_none()).collect();
        if own.is_empty() {
            ends.insert((word, config));
            continue;
        }
        for step in own {
            let seen = system.events(&step).filter_map(|event| shown(&system.events[event].text));
            let word = word.iter().cloned().chain(seen).collect();
            open.push((word, system.take(&step, &config).expect("a step that is possible can be taken")));
        }
    }
    ends
}
