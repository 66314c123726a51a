//! Liveness as safety: an infinite run is a run that returns to a stored state (A. Biere, C. Artho, V.
//! Schuppan, "Liveness checking as safety checking", 2002).
//!
//! The state gets a copy of itself, which is stored once, at a position that the solver chooses, and a flag
//! for every obligation that must be met infinitely often. A run is accepted where the state equals the
//! stored one and all flags are set: the steps since then can be repeated forever. So every reachability
//! engine also finds cycles.

use sequent_kernel::system::{Endless, Fairness, RuleId, Strength, TermId};

use crate::sat::encode::NotEncodable;
use crate::sat::encode::encoding::Encoding;
use crate::sat::encode::wide::WideEncoding;
use crate::sat::encode::writer::NEXT;
use crate::sat::solver::{FALSE, Literal};

/// A question about infinite runs as one about states.
pub(crate) struct Liveness<'s> {
    /// The system with its memory of a state.
    pub encoding: Encoding<'s>,
    /// Whether a run that is accepted is complete here: it ends, or has gone round.
    pub accepted: Literal,
}

/// An obligation of a cycle: at a step or in the state before it.
struct LivenessNeed {
    met: Literal,
    flag: Literal,
}

impl<'s> Liveness<'s> {
    /// Asks for infinite runs too, as the system and its observer count them.
    pub(crate) fn new(encoding: &Encoding<'s>, endless: &Endless) -> Result<Liveness<'s>, NotEncodable> {
        let watch = encoding.watch.clone().ok_or_else(|| NotEncodable("there is no observer".to_owned()))?;
        let flags = |fairness: &Fairness| match fairness.strength {
            Strength::Weak => 1,
            Strength::Strong => 2,
        };
        let owed: usize = endless.owed.iter().map(flags).sum();
        let needs = 1 + watch.marks.len() + endless.rests.len() + owed;
        let width = encoding.state.width;
        let mut wide = WideEncoding::new(encoding, 1 + width + needs as i32);
        let moved = |literal: Literal, wide: &WideEncoding<'_, '_>| wide.literal(literal);
        let (is_saved, first_shadow) = (Literal(width + 1), width + 2);
        let mut flags = (width + 2 + width..).map(Literal);
        let mut need =
            |met: Literal| LivenessNeed { met, flag: flags.next().expect("there is no end of them") };
        let read = need(moved(watch.is_read, &wide));
        let marks: Vec<LivenessNeed> = watch.marks.iter().map(|mark| need(moved(*mark, &wide))).collect();
        let truth = |term: TermId, wide: &WideEncoding<'_, '_>| {
            let known =
                encoding.truth(term).ok_or_else(|| NotEncodable("a predicate was not named".to_owned()))?;
            Ok::<Literal, NotEncodable>(wide.literal(known))
        };
        let mut rests = Vec::new();
        for rest in &endless.rests {
            rests.push(need(truth(*rest, &wide)?));
        }
        let mut owed: Vec<(LivenessNeed, LivenessNeed)> = Vec::new();
        for (fairness, may) in endless.owed.iter().zip(encoding.enabled()) {
            let may = moved(*may, &wide);
            let fires = |rule: &RuleId| moved(encoding.fires[*rule], &wide);
            let paid: Vec<Literal> = fairness.payers.iter().map(fires).collect();
            match fairness.strength {
                Strength::Weak => rests.push(need(wide.steps.or(paid.into_iter().chain([!may])))),
                Strength::Strong => {
                    let paid = wide.steps.or(paid);
                    owed.push((need(may), need(paid)));
                }
            }
        }
        let is_same = wide.same(width, first_shadow);
        let kept: Vec<Literal> = rests.iter().map(|need| need.flag).collect();
        let fair: Vec<Literal> =
            owed.iter().map(|(may, paid)| wide.definitions.or([!may.flag, paid.flag])).collect();
        let round: Vec<Literal> = [is_saved, is_same].into_iter().chain(kept).chain(fair).collect();
        let seen: Vec<Literal> = marks.iter().map(|need| need.flag).chain([read.flag]).collect();
        let visible = wide.definitions.and(round.iter().copied().chain(seen));
        let unread = match endless.is_seen {
            true => FALSE,
            false => {
                let stuck = moved(watch.accepts_stuck, &wide);
                wide.definitions.and(round.iter().copied().chain([!read.flag, stuck]))
            }
        };
        let ended = moved(watch.accepted, &wide);
        let accepted = wide.definitions.or([ended, visible, unread]);
        let pairs = owed.into_iter().flat_map(|(may, paid)| [may, paid]);
        let needs: Vec<LivenessNeed> = [read].into_iter().chain(marks).chain(rests).chain(pairs).collect();
        let begin = watch.begin.map_or(FALSE, |begin| moved(begin, &wide));
        let remembers = wide.remember(width, is_saved, first_shadow, &needs, begin);
        let encoding = wide.finish(Some(remembers));
        Ok(Liveness { encoding, accepted })
    }
}

impl WideEncoding<'_, '_> {
    /// Whether the state is the one that is remembered.
    fn same(&mut self, width: i32, shadow: i32) -> Literal {
        let same: Vec<Literal> = (1..=width)
            .map(|bit| !self.definitions.differ(Literal(bit), Literal(shadow + bit - 1)))
            .collect();
        self.definitions.and(same)
    }

    /// When the state is remembered, and what of the flags becomes. Whether it is remembered at this position.
    fn remember(
        &mut self,
        width: i32,
        is_saved: Literal,
        shadow: i32,
        needs: &[LivenessNeed],
        begin: Literal,
    ) -> Literal {
        let steps = &mut self.steps;
        let next = |literal: Literal| literal.moved(NEXT);
        let remembers = steps.variable();
        steps.add([!remembers, !is_saved]);
        // Before the start there is nothing to come back to.
        steps.add([!remembers, !begin]);
        let goes_on = steps.or([remembers, is_saved]);
        steps.add([!goes_on, next(is_saved)]);
        steps.add([goes_on, !next(is_saved)]);
        for bit in 1..=width {
            let (own, old, new) = (Literal(bit), Literal(shadow + bit - 1), next(Literal(shadow + bit - 1)));
            for (when, value) in [(remembers, own), (is_saved, old)] {
                steps.add([!when, !value, new]);
                steps.add([!when, value, !new]);
            }
            steps.add([goes_on, !new]);
        }
        for need in needs {
            let (old, new) = (need.flag, next(need.flag));
            let raised = steps.and([is_saved, old]);
            let met = steps.and([goes_on, need.met]);
            let raised = steps.or([raised, met]);
            steps.add([!raised, new]);
            steps.add([raised, !new]);
        }
        remembers
    }
}
