//! Watching: an observer as part of the clauses.
//!
//! The memory of the observer is part of the state, one literal per memory. A step reads the events it shows
//! one after the other, each with the state after the step, whose predicates are those of the next position.
//! Events that the observer does not distinguish are not distinguished here either: only the smaller classes
//! of a [`ObserverTable`] are named, the largest is the rest.
//!
//! Where steps happen together at most one of them may show something, unless nothing is read: a patient
//! observer, such as one that waits for a scenario to begin, may keep its memory.

use std::collections::{BTreeMap, BTreeSet};

use sequent_kernel::id::IdVec;
use sequent_kernel::property::Marks;
use sequent_kernel::system::{ComponentId, EventId, Join, LabelId, RuleId, System};

use crate::sat::encode::table::{EventClass, ObserverTable, PredicateValues, TableBranch};
use crate::sat::encode::writer::{ClauseWriter, NEXT};
use crate::sat::encode::{NotEncodable, Pace};
use crate::sat::solver::{FALSE, Literal, TRUE};

/// An observer among the clauses, at the first position.
#[derive(Clone, Debug)]
pub struct EncodedObserver {
    /// For each memory whether it is the one.
    pub memories: Vec<Literal>,
    /// Whether nothing has been read yet, where the observer may begin in several ways: the first position is before the start.
    pub begin: Option<Literal>,
    /// Whether the run may end here, or go on anyhow, and is accepted.
    pub accepted: Literal,
    /// Whether a run is accepted of which nothing more is read from here on.
    pub(crate) accepts_stuck: Literal,
    /// Whether nothing is read although something may be seen.
    pub waits: Literal,
    /// Memories that can be kept whatever is read.
    pub patient: Vec<Literal>,
    /// What shows something that no attempt goes on with; it ends whatever has begun.
    pub strange: Vec<Literal>,
    /// For each mark whether it is seen in the step from here.
    pub marks: Vec<Literal>,
    /// Whether something is read in the step from here.
    pub is_read: Literal,
}

impl EncodedObserver {
    /// Whether runs are looked for that go on forever. Where every run goes on, what is accepted is accepted at once.
    pub(crate) fn asks_for_circles(&self, system: &System, table: &ObserverTable) -> bool {
        let is_safe = table.is_safety && system.is_free() && self.accepts_stuck == FALSE;
        system.endless.is_some() && !is_safe
    }
}

/// What a step shows at one place of it, where it shows several things.
struct StepSlot {
    /// Whether it shows anything there.
    visible: Literal,
    /// Rules that show events by themselves.
    own: BTreeMap<EventId, Vec<Literal>>,
    /// By label and who offers: that it is offered as the one of this slot.
    offers: BTreeMap<(LabelId, ComponentId), Literal>,
}

impl ClauseWriter<'_> {
    /// How many literals an observer needs.
    pub(crate) fn memories(table: &ObserverTable) -> usize {
        // One more for a position before the start.
        table.memories + usize::from(table.first.len() != 1)
    }

    /// What can be said about an observer without a step. Where it accepts what is stuck, deadlocks must be known.
    pub(crate) fn watch(&mut self, table: &ObserverTable) -> Result<EncodedObserver, NotEncodable> {
        let memories = self.state.memories[..table.memories].to_vec();
        let begin = self.state.memories.get(table.memories).copied();
        let patient: Vec<Literal> = (0..table.memories)
            .filter(|memory| table.is_patient(*memory as u32))
            .map(|memory| memories[memory])
            .collect();
        let is_free = self.system.is_free();
        let mut accepted = Vec::new();
        let mut ends: [Vec<Literal>; 2] = [Vec::new(), Vec::new()];
        for (memory, literal) in memories.iter().enumerate() {
            if table.accepts_all[memory] && is_free {
                // Nothing needs to be known about ends then, which would cost more than all the rest.
                accepted.push(*literal);
                continue;
            }
            for (ends, kinds) in ends.iter_mut().zip(&table.ends[memory]) {
                for conditions in kinds {
                    let holds = self.conditions(conditions, 0);
                    let here = self.clauses.and(holds.into_iter().chain([*literal]));
                    ends.push(here);
                }
            }
        }
        let [over, stuck] = ends;
        let [accepts_over, accepts_stuck] = [over, stuck].map(|ways| self.clauses.or(ways));
        let [complete, strained] = [self.system.complete, self.system.strained].map(|term| self.truth(term));
        // If `is_free`, a run ends only where no step is possible, and not where it is strained: its
        // continuation is unknown.
        let may_end = match accepts_stuck != FALSE || is_free && accepts_over != FALSE {
            true => self.stuck()?,
            false => TRUE,
        };
        let over = [accepts_over, complete, if is_free { may_end } else { TRUE }];
        let stuck = [accepts_stuck, !complete, may_end];
        for end in [over, stuck] {
            let goes_on = if is_free { !strained } else { TRUE };
            accepted.push(self.clauses.and(end.into_iter().chain([goes_on])));
        }
        // Runs that are no longer valid do not count.
        let lost = [self.system.invalid, self.system.inconclusive].map(|term| self.truth(term));
        let accepted = self.clauses.or(accepted);
        let accepted = self.clauses.and([accepted, !lost[0], !lost[1]]);
        Ok(EncodedObserver {
            memories,
            begin,
            accepted,
            accepts_stuck,
            waits: FALSE,
            patient,
            strange: Vec::new(),
            marks: Vec::new(),
            is_read: FALSE,
        })
    }

    /// Literals of predicates that have some values, moved by `by` to a later position.
    fn conditions(&mut self, conditions: &PredicateValues, by: i32) -> Vec<Literal> {
        let value = |(term, value): &(_, bool)| {
            let literal = self.truth(*term).moved(by);
            if *value { literal } else { !literal }
        };
        conditions.iter().map(value).collect()
    }

    /// The transition of the observer in a step.
    pub(crate) fn reading(
        &mut self,
        table: &ObserverTable,
        watch: &mut EncodedObserver,
        fires: &IdVec<RuleId, Literal>,
        pace: Pace,
    ) -> Result<(), NotEncodable> {
        if self.system.rules.iter().any(|rule| matches!(rule.join, Join::Listen(_))) {
            return Err(NotEncodable("somebody listens already".to_owned()));
        }
        let is_position = table.counts_steps || !table.watched.is_empty();
        if pace != Pace::Single {
            if is_position || table.marks > 0 && !table.is_safety {
                return Err(NotEncodable("the question depends on the order of steps".to_owned()));
            }
            watch.waits = self.patience(watch, fires);
        }
        for lost in [self.system.invalid, self.system.inconclusive] {
            let lost = self.truth(lost);
            self.clauses.add([!lost]);
        }
        let mut slots = self.slots(fires)?;
        if slots.is_empty() && is_position {
            // No rule shows anything, but steps are read.
            slots.push(StepSlot { visible: FALSE, own: BTreeMap::new(), offers: BTreeMap::new() });
        }
        watch.strange = self.strange(table, &slots);
        let is_visible = self.clauses.or(slots.iter().map(|slot| slot.visible));
        let changes = self.changes(table);
        watch.is_read = self.clauses.or([is_visible, changes]);
        let next: Vec<Literal> = watch.memories.iter().map(|literal| literal.moved(NEXT)).collect();
        let (waits, begin) = (watch.waits, watch.begin.unwrap_or(FALSE));
        let mut ways: Vec<(Literal, Marks)> = Vec::new();
        let mut from = watch.memories.clone();
        for (number, slot) in slots.iter().enumerate() {
            let to = match number + 1 == slots.len() {
                true => next.clone(),
                false => self.fresh_memories(from.len()),
            };
            for memory in 0..table.memories {
                let here = [!from[memory], waits];
                self.read_events(table, memory, slot, (&here, &to), fires, &mut ways);
                // What shows nothing in this place is not read in it.
                let mut unless = vec![!from[memory], waits, slot.visible, to[memory]];
                if number == 0 && is_position {
                    let mut branches = here.to_vec();
                    branches.extend([is_visible, !changes]);
                    self.branches(&table.silent[memory], &branches, &to, &mut ways);
                    unless.push(changes);
                    self.clauses.add([!from[memory], waits, slot.visible, !is_visible, to[memory]]);
                }
                self.clauses.add(unless);
            }
            from = to;
        }
        for (here, next) in watch.memories.iter().zip(&next) {
            let unless = if slots.is_empty() { FALSE } else { !waits };
            self.clauses.add([unless, !*here, *next]);
        }
        self.begins(table, begin, &next);
        for mark in 0..table.marks {
            let seen = self.clauses.variable();
            let marked = ways.iter().filter(|(_, marks)| marks >> mark & 1 == 1).map(|way| way.0);
            let marked: Vec<Literal> = marked.collect();
            self.clauses.add(marked.into_iter().chain([!seen]));
            watch.marks.push(seen);
        }
        Ok(())
    }

    /// Before the start: nothing happens, and the observer begins in any of its ways. Afterwards it is never before the start.
    fn begins(&mut self, table: &ObserverTable, begin: Literal, next: &[Literal]) {
        if begin == FALSE {
            return;
        }
        let first: Vec<Literal> = table.first.iter().map(|memory| next[*memory as usize]).collect();
        self.clauses.add(first.into_iter().chain([!begin]));
        self.clauses.add([!begin.moved(NEXT)]);
    }

    fn fresh_memories(&mut self, count: usize) -> Vec<Literal> {
        let fresh: Vec<Literal> = (0..count).map(|_| self.clauses.variable()).collect();
        self.clauses.at_most_one(&fresh);
        fresh
    }

    /// Whether a step that shows nothing is a position.
    fn changes(&mut self, table: &ObserverTable) -> Literal {
        if table.counts_steps {
            return TRUE;
        }
        let changed: Vec<Literal> = table
            .watched
            .iter()
            .map(|term| {
                let here = self.truth(*term);
                self.clauses.differ(here, here.moved(NEXT))
            })
            .collect();
        self.clauses.or(changed)
    }

    /// What comes of the events of a slot.
    fn read_events(
        &mut self,
        table: &ObserverTable,
        memory: usize,
        slot: &StepSlot,
        (here, to): (&[Literal], &[Literal]),
        fires: &IdVec<RuleId, Literal>,
        ways: &mut Vec<(Literal, Marks)>,
    ) {
        let Some((largest, others)) = table.reads[memory].split_first() else { return };
        let mut named = Vec::new();
        for class in others {
            let events: Vec<Literal> =
                class.events.iter().map(|event| self.shows(slot, *event, fires)).collect();
            let any = self.clauses.or(events);
            named.push(any);
            let unless: Vec<Literal> = here.iter().copied().chain([!any]).collect();
            self.branches(&class.branches, &unless, to, ways);
        }
        let other: Vec<Literal> = here.iter().copied().chain([!slot.visible]).chain(named).collect();
        self.branches(&largest.branches, &other, to, ways);
    }

    /// One of the ways of each branch is taken, unless one of some literals holds or the branch is another.
    fn branches(
        &mut self,
        branches: &[TableBranch],
        unless: &[Literal],
        to: &[Literal],
        ways: &mut Vec<(Literal, Marks)>,
    ) {
        for branch in branches {
            let conditions = self.conditions(&branch.conditions, NEXT);
            let mut clause: Vec<Literal> = unless.to_vec();
            clause.extend(conditions.iter().map(|condition| !*condition));
            for (memory, marks) in &branch.ways {
                let target = to[*memory as usize];
                if *marks == 0 {
                    clause.push(target);
                    continue;
                }
                // A way with marks is chosen; only where it may be.
                let way = self.clauses.variable();
                self.clauses.add([!way, target]);
                unless.iter().for_each(|literal| self.clauses.add([!way, !*literal]));
                conditions.iter().for_each(|condition| self.clauses.add([!way, *condition]));
                ways.push((way, *marks));
                clause.push(way);
            }
            self.clauses.add(clause);
        }
    }

    /// Whether a slot shows an event.
    fn shows(&mut self, slot: &StepSlot, event: EventId, fires: &IdVec<RuleId, Literal>) -> Literal {
        let mut ways = slot.own.get(&event).cloned().unwrap_or_default();
        let system = self.system;
        let meetings = system.meetings.iter().filter(|meeting| *meeting.1 == event);
        for ((label, from, to), _) in meetings {
            let Some(offered) = slot.offers.get(&(*label, *from)) else { continue };
            let takes = self.sides(*label, fires).takes.remove(to).unwrap_or_default();
            let taken = self.clauses.or(takes);
            ways.push(self.clauses.and([*offered, taken]));
        }
        self.clauses.or(ways)
    }

    /// What steps show, place by place: what the actor shows, then for each label what its taker shows and what is seen of
    /// their meeting.
    fn slots(&mut self, fires: &IdVec<RuleId, Literal>) -> Result<Vec<StepSlot>, NotEncodable> {
        let system = self.system;
        let mut slots = vec![self.own_slot(fires, |rule| match rule.join {
            Join::Alone | Join::Offer(_) => Some(TRUE),
            Join::Take(_) | Join::Listen(_) => None,
        })];
        let width = |rule: &sequent_kernel::system::Rule| match &rule.join {
            Join::Offer(labels) => labels.len(),
            Join::Alone | Join::Take(_) | Join::Listen(_) => 0,
        };
        for place in 0..system.rules.iter().map(width).max().unwrap_or(0) {
            let mut offered: BTreeMap<(LabelId, ComponentId), Vec<Literal>> = BTreeMap::new();
            for (id, rule) in system.rules.enumerate() {
                let Join::Offer(labels) = &rule.join else { continue };
                let Some(label) = labels.get(place) else { continue };
                if labels.iter().filter(|other| *other == label).count() > 1 {
                    return Err(NotEncodable("a message is sent twice at once".to_owned()));
                }
                offered.entry((*label, rule.component)).or_default().push(fires[id]);
            }
            let offers: BTreeMap<(LabelId, ComponentId), Literal> =
                offered.into_iter().map(|(key, rules)| (key, self.clauses.or(rules))).collect();
            let mut by_label: BTreeMap<LabelId, Vec<Literal>> = BTreeMap::new();
            offers
                .iter()
                .for_each(|((label, _), literal)| by_label.entry(*label).or_default().push(*literal));
            let by_label: BTreeMap<LabelId, Literal> =
                by_label.into_iter().map(|(label, all)| (label, self.clauses.or(all))).collect();
            slots.push(self.own_slot(fires, |rule| match rule.join {
                Join::Take(label) => by_label.get(&label).copied(),
                Join::Alone | Join::Offer(_) | Join::Listen(_) => None,
            }));
            slots.push(self.meeting_slot(offers, fires));
        }
        slots.retain(|slot| slot.visible != FALSE);
        Ok(slots)
    }

    fn own_slot(
        &mut self,
        fires: &IdVec<RuleId, Literal>,
        when: impl Fn(&sequent_kernel::system::Rule) -> Option<Literal>,
    ) -> StepSlot {
        let mut own: BTreeMap<EventId, Vec<Literal>> = BTreeMap::new();
        for (id, rule) in self.system.rules.enumerate() {
            if let (Some(event), Some(when)) = (rule.event, when(rule)) {
                let fires = self.clauses.and([fires[id], when]);
                own.entry(event).or_default().push(fires);
            }
        }
        let visible = self.clauses.or(own.values().flatten().copied().collect::<Vec<_>>());
        StepSlot { visible, own, offers: BTreeMap::new() }
    }

    fn meeting_slot(
        &mut self,
        offers: BTreeMap<(LabelId, ComponentId), Literal>,
        fires: &IdVec<RuleId, Literal>,
    ) -> StepSlot {
        let system = self.system;
        let mut visible = Vec::new();
        for ((label, from), offered) in &offers {
            let seen: BTreeSet<ComponentId> = system
                .meetings
                .keys()
                .filter(|(known, by, _)| known == label && by == from)
                .map(|(_, _, to)| *to)
                .collect();
            let mut takes = self.sides(*label, fires).takes;
            takes.remove(from);
            if takes.keys().all(|taker| seen.contains(taker)) {
                visible.push(*offered);
                continue;
            }
            for (_, rules) in takes.into_iter().filter(|(taker, _)| seen.contains(taker)) {
                let taken = self.clauses.or(rules);
                visible.push(self.clauses.and([*offered, taken]));
            }
        }
        StepSlot { visible: self.clauses.or(visible), own: BTreeMap::new(), offers }
    }

    /// What is shown that no memory goes on with, other than one that waits for a beginning.
    fn strange(&self, table: &ObserverTable, slots: &[StepSlot]) -> Vec<Literal> {
        let mut known: BTreeSet<EventId> = BTreeSet::new();
        for (memory, classes) in table.reads.iter().enumerate() {
            let goes_on = |class: &&EventClass| {
                let mut ways = class.branches.iter().flat_map(|branch| &branch.ways);
                ways.any(|(to, _)| !table.is_patient(memory as u32) || *to as usize != memory)
            };
            // What accepts everything has nothing to lose.
            if memory > 0 && !table.accepts_all[memory] {
                known.extend(classes.iter().filter(goes_on).flat_map(|class| &class.events));
            }
        }
        let met: BTreeSet<(LabelId, ComponentId)> = self
            .system
            .meetings
            .iter()
            .filter(|(_, event)| known.contains(event))
            .map(|((label, from, _), _)| (*label, *from))
            .collect();
        let own = slots.iter().flat_map(|slot| &slot.own).filter(|(event, _)| !known.contains(event));
        let offers = slots.iter().flat_map(|slot| &slot.offers).filter(|(key, _)| !met.contains(key));
        // An offer that shows nothing is not strange.
        let shows: BTreeSet<(LabelId, ComponentId)> =
            self.system.meetings.keys().map(|(label, from, _)| (*label, *from)).collect();
        let offers = offers.filter(|(key, _)| shows.contains(key)).map(|(_, literal)| *literal);
        own.flat_map(|(_, literals)| literals.iter().copied()).chain(offers).collect()
    }

    /// Whether nothing is read, which only a patient observer may do; otherwise at most one step shows something.
    fn patience(&mut self, watch: &EncodedObserver, fires: &IdVec<RuleId, Literal>) -> Literal {
        let system = self.system;
        let waits = if watch.patient.is_empty() { FALSE } else { self.clauses.variable() };
        self.clauses.add(watch.patient.iter().copied().chain([!waits]));
        let met: BTreeSet<LabelId> = system.meetings.keys().map(|(label, _, _)| *label).collect();
        let told: BTreeSet<LabelId> = system
            .rules
            .iter()
            .filter_map(|rule| match (&rule.join, rule.event) {
                (Join::Take(label), Some(_)) => Some(*label),
                (Join::Alone | Join::Offer(_) | Join::Take(_) | Join::Listen(_), _) => None,
            })
            .collect();
        let is_seen = |rule: &RuleId| {
            let rule = &system.rules[*rule];
            match &rule.join {
                Join::Alone => rule.event.is_some(),
                Join::Offer(labels) => {
                    let is_seen = |label| met.contains(label) || told.contains(label);
                    rule.event.is_some() || labels.iter().any(is_seen)
                }
                Join::Take(_) | Join::Listen(_) => false,
            }
        };
        let seen: Vec<RuleId> = system.rules.ids().filter(is_seen).collect();
        let second = self.two_act(&seen, fires);
        self.clauses.add([waits, !second]);
        waits
    }
}
