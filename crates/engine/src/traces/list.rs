//! Listing traces: in the order of their texts, or by length first if there is no end to them.
//!
//! In the order of the texts a finite set is listed from the first to the last. An infinite one may have infinitely many
//! traces before the second (`a` before `b`, after any number of `a`), so shorter ones come first there. Only ways that
//! lead to an end are followed: to any end, or to one after as many events as the length asks for.

use sequent_kernel::system::TraceClass;

use super::{TraceLetter, TraceNode, Traces};

impl<'a> Traces<'a> {
    /// The valid traces, `max` of them at most, and whether these are all.
    pub fn list(&self, max: usize) -> (Vec<Vec<&'a str>>, bool) {
        self.list_of(TraceClass::Valid, max)
    }

    /// The traces of a class, `max` of them at most, and whether these are all.
    pub fn list_of(&self, class: TraceClass, max: usize) -> (Vec<Vec<&'a str>>, bool) {
        let alive = self.alive(class);
        match self.ends_first(&alive) {
            Some(_) => self.in_order(class, &alive, max),
            None => (self.by_length(class, max), false),
        }
    }

    fn in_order(&self, class: TraceClass, alive: &[bool], max: usize) -> (Vec<Vec<&'a str>>, bool) {
        let mut traces = Vec::new();
        let finished = self.walk(
            |node, _| alive[node],
            |node, path| {
                if self.is_end(node, class) {
                    if traces.len() == max {
                        return false;
                    }
                    traces.push(self.told(path));
                }
                true
            },
        );
        (traces, finished)
    }

    /// The first `max` traces of an infinite set, the shorter first.
    fn by_length(&self, class: TraceClass, max: usize) -> Vec<Vec<&'a str>> {
        let mut traces = Vec::new();
        // For each number of events: the nodes from which a trace can end after exactly as many.
        let mut within: Vec<Vec<bool>> =
            vec![(0..self.sets()).map(|node| self.is_end(node, class)).collect()];
        while traces.len() < max {
            let length = within.len() - 1;
            self.walk(
                |node, depth| depth <= length && within[length - depth][node],
                |_, path| {
                    if path.len() == length {
                        if traces.len() == max {
                            return false;
                        }
                        traces.push(self.told(path));
                    }
                    true
                },
            );
            let last = &within[length];
            let more = (0..self.sets()).map(|node| self.edges(node).any(|(_, next)| last[next])).collect();
            within.push(more);
        }
        traces
    }

    fn told(&self, path: &[TraceLetter]) -> Vec<&'a str> {
        path.iter().map(|letter| self.text(*letter)).collect()
    }

    /// Follows all ways through nodes that are wanted at their depth, in order, until `visit` says no; whether it never did.
    fn walk(
        &self,
        is_wanted: impl Fn(TraceNode, usize) -> bool,
        mut visit: impl FnMut(TraceNode, &[TraceLetter]) -> bool,
    ) -> bool {
        let mut path: Vec<TraceLetter> = Vec::new();
        if !is_wanted(0, 0) {
            return true;
        }
        if !visit(0, &path) {
            return false;
        }
        // For each node on the way what is still to be followed.
        let mut stack = vec![self.edges(0)];
        while let Some(edges) = stack.last_mut() {
            match edges.find(|(_, next)| is_wanted(*next, path.len() + 1)) {
                Some((letter, next)) => {
                    path.push(letter);
                    if !visit(next, &path) {
                        return false;
                    }
                    stack.push(self.edges(next));
                }
                None => {
                    stack.pop();
                    path.pop();
                }
            }
        }
        true
    }
}
