//! Several observers read as one: it accepts what all of them accept.
//!
//! Each has marks of its own, but observers that settle need only one between them: each in the end sees its marks all the
//! time or not at all, so together they do if all do at once.

use std::hash::Hash;

use super::{Marks, Moment, Observer, all_marks};
use crate::system::TermId;

/// Observers of one kind that read the same run.
#[derive(Clone, Debug)]
pub struct Joint<O> {
    members: Vec<O>,
    layout: Layout,
}

/// Two observers of any kinds that read the same run.
#[derive(Clone, Debug)]
pub struct Both<A, B> {
    one: A,
    other: B,
    layout: Layout,
}

/// There would be more than 64 marks.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct TooManyMarks;

/// Where the marks of each member are.
#[derive(Clone, Debug)]
struct Layout {
    /// How many marks each member has, and the first of its own; `None` if it shares mark 0.
    members: Vec<(u32, Option<u32>)>,
    count: u32,
    settles: bool,
}

impl Layout {
    fn new(members: &[(u32, bool)]) -> Result<Self, TooManyMarks> {
        let shares = |(marks, settles): &(u32, bool)| *marks > 0 && *settles;
        let mut count = u32::from(members.iter().any(shares));
        let mut places = Vec::new();
        for member in members {
            let first = (!shares(member)).then_some(count);
            count += first.map_or(0, |_| member.0);
            places.push((member.0, first));
            if count > Marks::BITS {
                return Err(TooManyMarks);
            }
        }
        Ok(Layout { members: places, count, settles: members.iter().all(|(_, settles)| *settles) })
    }

    /// The marks that all members see together, from those that each sees.
    fn join(&self, seen: impl IntoIterator<Item = Marks>) -> Marks {
        let mut joined = 0;
        let mut all_shared = self.members.iter().any(|(_, first)| first.is_none());
        for ((count, first), marks) in self.members.iter().zip(seen) {
            match first {
                Some(first) => joined |= marks.checked_shl(*first).unwrap_or(0),
                None => all_shared &= marks == all_marks(*count),
            }
        }
        joined | Marks::from(all_shared)
    }
}

impl<O: Observer> Joint<O> {
    /// Reads with all members at once.
    pub fn new(members: Vec<O>) -> Result<Self, TooManyMarks> {
        let marks: Vec<(u32, bool)> =
            members.iter().map(|member| (member.marks(), member.settles())).collect();
        Ok(Joint { layout: Layout::new(&marks)?, members })
    }
}

impl<O: Observer> Observer for Joint<O> {
    type State = Vec<O::State>;

    fn marks(&self) -> u32 {
        self.layout.count
    }

    fn first(&self) -> Self::State {
        self.members.iter().map(Observer::first).collect()
    }

    fn read(
        &self,
        state: &Self::State,
        moment: Moment,
        holds: &mut dyn FnMut(TermId) -> bool,
        ways: &mut Vec<(Self::State, Marks)>,
    ) {
        let mut so_far: Vec<(Vec<O::State>, Vec<Marks>)> = vec![(Vec::new(), Vec::new())];
        let mut own = Vec::new();
        for (member, state) in self.members.iter().zip(state) {
            own.clear();
            member.read(state, moment, holds, &mut own);
            let with = |(states, marks): &(Vec<O::State>, Vec<Marks>)| {
                let (states, marks) = (states.clone(), marks.clone());
                let add =
                    move |(state, mark): &(O::State, Marks)| (pushed(&states, state), pushed(&marks, mark));
                own.iter().map(add).collect::<Vec<_>>()
            };
            so_far = so_far.iter().flat_map(with).collect();
        }
        ways.extend(so_far.into_iter().map(|(states, marks)| (states, self.layout.join(marks))));
    }

    fn accepts_all(&self, state: &Self::State) -> bool {
        self.members.iter().zip(state).all(|(member, state)| member.accepts_all(state))
    }

    fn settles(&self) -> bool {
        self.layout.settles
    }
}

fn pushed<T: Clone>(items: &[T], item: &T) -> Vec<T> {
    items.iter().chain([item]).cloned().collect()
}

impl<A: Observer, B: Observer> Both<A, B> {
    /// Reads with both at once.
    pub fn new(one: A, other: B) -> Result<Self, TooManyMarks> {
        let layout = Layout::new(&[(one.marks(), one.settles()), (other.marks(), other.settles())])?;
        Ok(Both { one, other, layout })
    }
}

impl<A: Observer, B: Observer> Observer for Both<A, B>
where
    A::State: Hash,
{
    type State = (A::State, B::State);

    fn marks(&self) -> u32 {
        self.layout.count
    }

    fn first(&self) -> Self::State {
        (self.one.first(), self.other.first())
    }

    fn read(
        &self,
        state: &Self::State,
        moment: Moment,
        holds: &mut dyn FnMut(TermId) -> bool,
        ways: &mut Vec<(Self::State, Marks)>,
    ) {
        let (mut left, mut right) = (Vec::new(), Vec::new());
        self.one.read(&state.0, moment, holds, &mut left);
        self.other.read(&state.1, moment, holds, &mut right);
        for (one, marks) in &left {
            let with = right
                .iter()
                .map(|(other, others)| ((one.clone(), other.clone()), self.layout.join([*marks, *others])));
            ways.extend(with);
        }
    }

    fn accepts_all(&self, state: &Self::State) -> bool {
        self.one.accepts_all(&state.0) && self.other.accepts_all(&state.1)
    }

    fn settles(&self) -> bool {
        self.layout.settles
    }
}
