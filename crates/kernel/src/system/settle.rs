//! Settling: the closure of configurations under invisible steps.
//!
//! An observer of the visible events takes invisible steps at once, and keeps the set of configurations that
//! they lead to. Urgent steps are taken first and alone, as everywhere. Events can be made invisible too.

use std::collections::BTreeSet;

use super::{Config, ConfigurationCursor, Step, System};

/// Which events are not seen.
pub enum Hidden<'h> {
    /// All are seen.
    None,
    /// These steps are not seen. One after the other, in every order.
    Any(&'h dyn Fn(&Step) -> bool),
    /// These steps are not seen, and none of them takes anything away from another: each is taken at once, and only the
    /// configurations are kept in which none is left.
    Monotone(&'h dyn Fn(&Step) -> bool),
}

/// Configurations in which no urgent step is left.
pub struct Settled {
    /// Those that count: choices that contradict each other were dropped.
    pub configs: BTreeSet<Config>,
    /// Whether something waits for a loop's window in one of them.
    pub is_strained: bool,
}

impl System {
    /// The urgent steps without a rival among those that are possible: they decide nothing.
    pub fn forced(&self, steps: &[Step]) -> Vec<Step> {
        let is_urgent = |step: &&Step| step.0.iter().all(|rule| self.rules[*rule].urgent);
        let urgent: Vec<&Step> = steps.iter().filter(is_urgent).collect();
        let rivals = |step: &Step| {
            let actor = self.actor(step);
            urgent.iter().filter(|other| self.actor(other) == actor).count()
        };
        urgent.iter().filter(|step| rivals(step) == 1).map(|step| (*step).clone()).collect()
    }

    /// All that invisible steps lead to from some configurations; the cursor is one of this system.
    pub fn settle(
        &self,
        cursor: &mut ConfigurationCursor,
        configs: impl IntoIterator<Item = Config>,
        hidden: &Hidden<'_>,
    ) -> Settled {
        let mut settled = Settled { configs: BTreeSet::new(), is_strained: false };
        let (mut seen, mut passed) = (BTreeSet::new(), BTreeSet::new());
        let mut open: Vec<Config> = configs.into_iter().collect();
        while let Some(config) = open.pop() {
            if cursor.holds(self, self.void, &config) || !seen.insert(config.clone()) {
                continue;
            }
            let steps = cursor.steps(self, &config);
            let is_silent = |step: &Step| self.events(step).next().is_none();
            let is_hidden = |step: &Step| match hidden {
                Hidden::None => false,
                Hidden::Any(hides) | Hidden::Monotone(hides) => !is_silent(step) && hides(step),
            };
            let urgent = steps.iter().find(|step| is_silent(step) && self.rules[step.0[0]].urgent);
            if let Some(actor) = urgent.map(|step| self.actor(step)) {
                let rivals = steps.iter().filter(|step| is_silent(step) && self.actor(step) == actor);
                open.extend(rivals.filter_map(|step| cursor.take(self, step, &config)));
                continue;
            }
            settled.is_strained |= cursor.holds(self, self.strained, &config);
            if let Hidden::Monotone(_) = hidden {
                if let Some(step) = steps.iter().find(|step| is_hidden(step)) {
                    open.extend(cursor.take(self, step, &config));
                    passed.insert(config);
                    continue;
                }
            }
            let unseen = steps.iter().filter(|step| is_silent(step) || is_hidden(step));
            open.extend(unseen.filter_map(|step| cursor.take(self, step, &config)));
            settled.configs.insert(config);
        }
        // Hidden steps may go round forever; then any of what they passed will do.
        if settled.configs.is_empty() {
            settled.configs = passed;
        }
        settled
    }
}
