//! Which variable is decided next: the one that took part in a conflict last.
//!
//! Variables are a list; those of a conflict go to its end. Decisions are searched from the end on, and the place where the search
//! has come to is kept while nothing behind it is open: so an assignment of all variables costs one walk through the list, where a
//! heap of activities took two fifths of the time of all calls. After A. Biere, A. Froehlich, "Evaluating CDCL variable scoring
//! schemes" (SAT 2015).

/// Variables, those of the last conflicts at the end.
#[derive(Default)]
pub(super) struct DecisionOrder {
    links: Vec<ListLink>,
    /// The last variable.
    last: Option<u32>,
    /// All variables behind this one are assigned.
    at: Option<u32>,
    /// How often variables have gone to the end.
    moves: u64,
}

/// The place of a variable.
struct ListLink {
    before: Option<u32>,
    behind: Option<u32>,
    /// The number of the move that has brought it to the end.
    stamp: u64,
}

impl DecisionOrder {
    /// Takes one more variable in, at the end.
    pub(super) fn variable(&mut self) {
        let variable = self.links.len() as u32;
        self.links.push(ListLink { before: None, behind: None, stamp: 0 });
        self.append(variable);
        self.at = Some(variable);
    }

    /// When a variable went to the end.
    pub(super) fn stamp(&self, variable: usize) -> u64 {
        self.links[variable].stamp
    }

    /// A variable is not assigned any more.
    pub(super) fn opens(&mut self, variable: usize) {
        if self.at.is_none_or(|at| self.links[at as usize].stamp < self.links[variable].stamp) {
            self.at = Some(variable as u32);
        }
    }

    /// The last variable that is open.
    pub(super) fn next(&mut self, is_open: impl Fn(usize) -> bool) -> Option<usize> {
        while let Some(at) = self.at {
            if is_open(at as usize) {
                return Some(at as usize);
            }
            self.at = self.links[at as usize].before;
        }
        None
    }

    /// An assigned variable takes part in a conflict: it goes to the end.
    pub(super) fn bump(&mut self, variable: usize) {
        let ListLink { before, behind, .. } = self.links[variable];
        let Some(behind) = behind else { return };
        self.links[behind as usize].before = before;
        if let Some(before) = before {
            self.links[before as usize].behind = Some(behind);
        }
        if self.at == Some(variable as u32) {
            self.at = Some(behind);
        }
        self.append(variable as u32);
    }

    fn append(&mut self, variable: u32) {
        self.moves += 1;
        if let Some(last) = self.last {
            self.links[last as usize].behind = Some(variable);
        }
        self.links[variable as usize] = ListLink { before: self.last, behind: None, stamp: self.moves };
        self.last = Some(variable);
    }
}
