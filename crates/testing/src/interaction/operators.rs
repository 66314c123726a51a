//! Combined fragments (rules I3 to I9), and what `neg` and false guards make of a run (I7, I12).

use std::collections::BTreeSet;
use std::rc::Rc;

use sequent_evaluation::generate::interaction::combined as fragment;
use sequent_kernel::model::{
    Block, Combined, Condition, Fragment, Guard, Interaction, LifelineId, Loop, MessageType, Operand,
    Operator,
};
use sequent_kernel::system::TraceClass;

use super::run::{ChosenInteraction, OccurrenceSet, PartRun, is_compound};
use super::{TraceSet, text};

impl ChosenInteraction<'_> {
    pub(super) fn combined(&mut self, interaction: &Interaction, combined: &Combined) -> PartRun {
        let operands = &combined.operands[..];
        match &combined.operator {
            Operator::Alt => self.alternative(interaction, operands),
            // With several operands it is an alternative.
            Operator::Opt if operands.len() > 1 => self.alternative(interaction, operands),
            // Without a guard a break is a free choice (UML 2.5.1, 17.6.3.9), as an option is.
            Operator::Opt | Operator::Break => {
                let runs = match operands[0].guard {
                    Guard::Absent | Guard::Else => (self.choose(2) == 1).then_some(TraceClass::Valid),
                    Guard::Condition(_) => self.runs(&operands[0].guard),
                };
                match runs {
                    Some(class) => {
                        let part = self.contents(interaction, operands, true);
                        PartRun { broken: true, ..under(part, class) }
                    }
                    None => PartRun::nothing(),
                }
            }
            Operator::Loop(bounds) => self.repeat(interaction, operands, bounds),
            Operator::Neg => self.negative(interaction, operands),
            Operator::Seq => self.joined(interaction, operands, Self::weakly),
            Operator::Strict => self.joined(interaction, operands, Self::strictly),
            Operator::Par => self.joined(interaction, operands, |_, _, _| {}),
            Operator::Critical => {
                let part = self.joined(interaction, operands, Self::weakly);
                self.criticals.push(part.set.clone());
                part
            }
            Operator::Assert => {
                let part = self.joined(interaction, operands, Self::weakly);
                self.asserts.push(part.set.clone());
                part
            }
            Operator::Coregion(lifeline) => {
                self.coregion(interaction, operands, &interaction.lifelines[*lifeline].name)
            }
            Operator::Ignore(_) | Operator::Consider(_) => {
                self.mixed(interaction, operands, &combined.operator)
            }
            Operator::Not => self.complement(interaction, operands),
        }
    }

    /// I9: takes back what weak sequencing asks for on one lifeline.
    fn coregion(&mut self, interaction: &Interaction, operands: &[Operand], name: &String) -> PartRun {
        let before = self.drawn.clone();
        let part = self.joined(interaction, operands, Self::weakly);
        let on = |index: usize| &self.happenings[index].lifelines;
        let strict = &self.strict;
        self.drawn.retain(|pair| {
            let [first, second] = [on(pair.0), on(pair.1)];
            let is_elsewhere = first.iter().any(|line| line != name && second.contains(line));
            let is_here = first.contains(name) && second.contains(name);
            before.contains(pair) || strict.contains(pair) || is_elsewhere || !is_here
        });
        part
    }

    /// Whether an operand runs as its guard says, and what it is worth then: one whose guard is known to be false may run
    /// too where that is invalid rather than impossible.
    fn runs(&mut self, guard: &Guard) -> Option<TraceClass> {
        let Guard::Condition(condition) = guard else { return Some(TraceClass::Valid) };
        if self.holds(condition) {
            return Some(TraceClass::Valid);
        }
        self.runs_although_false(condition).then_some(TraceClass::Invalid)
    }

    fn runs_although_false(&mut self, condition: &Condition) -> bool {
        self.switches().invalid_if_false && self.known(condition) == Some(false) && self.choose(2) == 1
    }

    /// All operands whose guard is true, joined.
    fn joined(
        &mut self,
        interaction: &Interaction,
        operands: &[Operand],
        join: impl Fn(&mut Self, &OccurrenceSet, &OccurrenceSet),
    ) -> PartRun {
        let mut parts = Vec::new();
        for operand in operands {
            if let Some(class) = self.runs(&operand.guard) {
                parts.push(under(self.content(interaction, operand, true), class));
            }
        }
        self.together(parts, operands.len() > 1, join)
    }

    /// What an operator that takes one operand has: the first, already let in, then those that are too many.
    fn contents(&mut self, interaction: &Interaction, operands: &[Operand], encloses: bool) -> PartRun {
        let mut parts = vec![self.content(interaction, &operands[0], encloses)];
        for operand in &operands[1..] {
            if let Some(class) = self.runs(&operand.guard) {
                parts.push(under(self.content(interaction, operand, encloses), class));
            }
        }
        // A break behind a divider ends no loop.
        let broken = parts[0].broken;
        let whole = self.together(parts, encloses && operands.len() > 1, Self::weakly);
        PartRun { broken, ..whole }
    }

    fn together(
        &mut self,
        parts: Vec<PartRun>,
        encloses: bool,
        join: impl Fn(&mut Self, &OccurrenceSet, &OccurrenceSet),
    ) -> PartRun {
        let classes: Vec<TraceClass> = parts.iter().map(|part| part.class).collect();
        let mut whole = PartRun::nothing();
        whole.class = self.worth(&classes, encloses);
        for (index, later) in parts.iter().enumerate() {
            for earlier in &parts[..index] {
                join(self, &earlier.set, &later.set);
            }
            whole.set.extend(&later.set);
        }
        whole
    }

    /// I7: it may be skipped, or run. What it is worth then says the table of variations (P0, section V-D).
    fn negative(&mut self, interaction: &Interaction, operands: &[Operand]) -> PartRun {
        if self.choose(2) == 0 {
            return PartRun::nothing();
        }
        let is_true = match &operands[0].guard {
            Guard::Condition(condition) => self.holds(condition),
            Guard::Absent | Guard::Else => true,
        };
        // As everywhere, what runs although its guard is false is no run of the diagram, unless a switch says more.
        self.is_cut |= !is_true && !self.switches().invalid_if_neg_false;
        let part = self.contents(interaction, operands, false);
        let class = match (part.class, is_true) {
            (TraceClass::Inconclusive, _) => TraceClass::Inconclusive,
            (TraceClass::Valid | TraceClass::Invalid, false) => TraceClass::Invalid,
            (TraceClass::Valid, true) => TraceClass::Invalid,
            (TraceClass::Invalid, true) => self.switches().double_negation,
        };
        PartRun { class, broken: false, ..part }
    }

    /// P3: any events of the diagram, one after the other, but not exactly a trace of the operand.
    fn complement(&mut self, interaction: &Interaction, operands: &[Operand]) -> PartRun {
        let Some(class) = self.runs(&operands[0].guard) else { return PartRun::nothing() };
        let Some(forbidden) = self.language(interaction, operands) else {
            self.is_too_big = true;
            self.is_cut = true;
            return PartRun::nothing();
        };
        let mut word: Vec<Rc<str>> = Vec::new();
        let mut set: OccurrenceSet = Vec::new();
        loop {
            let letter = self.choose(1 + self.whole.alphabet.len());
            if letter == 0 || self.is_cut {
                break;
            }
            let (text, lifeline) = &self.whole.alphabet[letter - 1];
            let index = self.happen(Some(text.to_string()), vec![lifeline.clone()], None);
            set.last().map(|last| self.enforced.insert((*last, index)));
            set.push(index);
            word.push(text.clone());
        }
        self.is_cut |= forbidden.contains(&word);
        PartRun { set, class, broken: false }
    }

    /// The traces of the operands by themselves.
    fn language(&self, interaction: &Interaction, operands: &[Operand]) -> Option<Rc<TraceSet>> {
        let key = format!("{} {:?}", interaction.name, operands);
        if let Some(known) = self.whole.languages.borrow().get(&key) {
            return known.clone();
        }
        let mut first = operands[0].clone();
        first.guard = Guard::Absent;
        let body = match operands {
            [_] => first.block,
            [_, rest @ ..] => {
                let operands = [first].into_iter().chain(rest.iter().cloned()).collect();
                Block(vec![Fragment::Combined(fragment(Operator::Seq, operands))])
            }
            [] => Block::default(),
        };
        let alone = Interaction { body, ..interaction.clone() };
        let language = self.whole.list(&alone).map(|classes| Rc::new(classes.valid));
        self.whole.languages.borrow_mut().insert(key, language.clone());
        language
    }

    /// I8: besides what is drawn inside, ignored messages may happen: any number of each, or as many as a switch says.
    fn mixed(&mut self, interaction: &Interaction, operands: &[Operand], operator: &Operator) -> PartRun {
        let Some(class) = self.runs(&operands[0].guard) else { return PartRun::nothing() };
        let mut part = under(self.contents(interaction, operands, true), class);
        let enough = u32::try_from(self.whole.bounds.length).unwrap_or(u32::MAX).saturating_add(1);
        let most = self.switches().ignored.unwrap_or(enough);
        for (from, to, message) in self.extras(operator) {
            let mut earlier: OccurrenceSet = Vec::new();
            for _ in 0..most {
                if self.is_cut || self.choose(2) == 0 {
                    break;
                }
                let ends = [('!', &from), ('?', &to)].into_iter().filter(|(_, end)| !end.is_empty());
                let set: OccurrenceSet = ends
                    .map(|(sign, end)| {
                        self.happen(Some(format!("{sign}{from}->{to}:{message}")), vec![end.clone()], None)
                    })
                    .collect();
                if let [send, receive] = set[..] {
                    self.enforced.insert((send, receive));
                }
                self.weakly(&earlier, &set);
                part.set.extend(&set);
                earlier.extend(set);
            }
        }
        part
    }

    /// Sender, receiver and text of each message that is ignored: drawn in a diagram of the family, known to it, or written
    /// into the list.
    fn extras(&self, operator: &Operator) -> BTreeSet<(String, String, String)> {
        let mut all: BTreeSet<(String, String, String, String)> = BTreeSet::new();
        for diagram in &self.whole.diagrams {
            let name = |line: LifelineId| diagram.lifelines[line].name.clone();
            let end = |line: Option<LifelineId>| line.map(name).unwrap_or_default();
            for (id, message) in diagram.messages.enumerate() {
                let text = text(diagram, id);
                let text = text.split_once(':').map(|(_, text)| text.to_owned()).unwrap_or_default();
                let [from, to] = [message.from, message.to].map(|one| end(one.lifeline()));
                all.insert((from, to, message.name.clone(), text));
            }
            for known in &diagram.known {
                all.insert((end(known.from), end(known.to), known.name.clone(), known.name.clone()));
            }
        }
        let is_of = |types: &[MessageType], (from, to, name, _): &(String, String, String, String)| {
            types.iter().any(|one| {
                one.name == *name && one.ends.as_ref().is_none_or(|ends| ends[0] == *from && ends[1] == *to)
            })
        };
        match operator {
            Operator::Consider(types) => all.retain(|one| !is_of(types, one)),
            Operator::Ignore(types) => {
                all.retain(|one| is_of(types, one));
                for one in types {
                    let Some([from, to]) = &one.ends else { continue };
                    if !all.iter().any(|(f, t, name, _)| (f, t, name) == (from, to, &one.name)) {
                        all.insert((from.clone(), to.clone(), one.name.clone(), one.name.clone()));
                    }
                }
            }
            other => unreachable!("`{}` ignores nothing", other.word()),
        }
        all.into_iter().map(|(from, to, _, text)| (from, to, text)).collect()
    }

    /// I4: iterations joined weakly, or strictly in a `sloop`.
    ///
    /// A trace of n events has at most n iterations in which something happens, and others may be left out
    /// above the lower bound: that many are unrolled. A loop that must not end has no trace unless a break
    /// ends it.
    fn repeat(&mut self, interaction: &Interaction, operands: &[Operand], bounds: &Loop) -> PartRun {
        // A body without lifelines does nothing, however often.
        if !operands.iter().any(|operand| self.touches(&operand.block)) {
            return PartRun::nothing();
        }
        let enough = u32::try_from(self.whole.bounds.length).unwrap_or(u32::MAX).saturating_add(1);
        let min = bounds.min.unwrap_or(enough);
        let max = bounds.max.unwrap_or(u32::MAX);
        let last = if bounds.min.is_some() { max.min(min.max(enough)) } else { enough };
        let mut all: OccurrenceSet = Vec::new();
        let mut classes = Vec::new();
        // What goes on after the last is longer, or never ends.
        let mut has_ended = bounds.min.is_some() && last == max;
        for number in 0..last {
            self.iteration_count += 1;
            self.iterations.push((operands.as_ptr() as usize, self.iteration_count));
            let goes_on =
                if number < min { Some(TraceClass::Valid) } else { self.goes_on(&operands[0].guard) };
            let Some(class) = goes_on.filter(|_| !self.is_cut) else {
                self.iterations.pop();
                has_ended = true;
                break;
            };
            let part = under(self.contents(interaction, operands, true), class);
            self.iterations.pop();
            if bounds.strict {
                self.strictly(&all, &part.set);
            } else {
                self.weakly(&all, &part.set);
            }
            all.extend(part.set);
            classes.push(part.class);
            if part.broken {
                has_ended = true;
                break;
            }
        }
        self.is_cut |= !has_ended;
        PartRun { set: all, class: self.worth(&classes, true), broken: false }
    }

    /// Whether some lifeline takes part in a block.
    fn touches(&self, block: &Block) -> bool {
        block.0.iter().any(|fragment| match fragment {
            Fragment::Message(_) | Fragment::Stop(_) | Fragment::Action(_) => true,
            Fragment::Invariant(invariant) => !invariant.lifelines.is_empty(),
            Fragment::Use(used) => used.target.is_some_and(|target| {
                let used = &self.whole.model.interactions[target];
                self.touches(&used.body)
            }),
            Fragment::Combined(combined) => {
                let has_more = match &combined.operator {
                    Operator::Ignore(_) | Operator::Consider(_) => {
                        !self.extras(&combined.operator).is_empty()
                    }
                    Operator::Not => !self.whole.alphabet.is_empty(),
                    _ => false,
                };
                has_more || combined.operands.iter().any(|operand| self.touches(&operand.block))
            }
            Fragment::Execution(_) | Fragment::Note(_) | Fragment::Separator(_) | Fragment::Numbering(_) => {
                false
            }
        })
    }

    /// I11: the guard of a loop is a fresh proposition in each iteration.
    fn goes_on(&mut self, guard: &Guard) -> Option<TraceClass> {
        match guard {
            Guard::Absent | Guard::Else => (self.choose(2) == 1).then_some(TraceClass::Valid),
            Guard::Condition(_) => self.runs(guard),
        }
    }

    /// I3, I11: the operand of an alternative that runs.
    fn alternative(&mut self, interaction: &Interaction, operands: &[Operand]) -> PartRun {
        let chosen = match operands {
            [only] => self.runs(&only.guard).map(|class| (only, class)),
            several => self.chosen(several),
        };
        match chosen {
            Some((operand, class)) => under(self.content(interaction, operand, true), class),
            None => PartRun::nothing(),
        }
    }

    fn chosen<'o>(&mut self, operands: &'o [Operand]) -> Option<(&'o Operand, TraceClass)> {
        let mut texts: Vec<(&Condition, bool)> = Vec::new();
        for operand in operands {
            if let Guard::Condition(condition) = &operand.guard {
                let value = self.holds(condition);
                texts.push((condition, value));
            }
        }
        // What the user says is true or false is so; what is left open excludes each other, unless a guard joins words.
        let is_data = texts.iter().any(|(condition, _)| is_compound(condition));
        if !self.switches().independent_guards && !is_data {
            let trues = texts.iter().filter(|(_, value)| *value).count();
            let is_open = |condition: &Condition| self.known(condition).is_none();
            let clashes = trues > 1 && texts.iter().any(|(text, value)| *value && is_open(text));
            let is_complete = texts.len() == operands.len();
            let misses = trues == 0 && is_complete && texts.iter().any(|(text, _)| is_open(text));
            self.is_cut |= clashes || misses;
        }
        // Beside operands without text (`alt` / `else`), an `else` is one more of them; where guards are taken at their
        // word what has none is true.
        let is_taken_at_word = self.switches().independent_guards || is_data;
        let is_one_absent = operands.iter().any(|operand| operand.guard == Guard::Absent);
        let is_any_true = texts.iter().any(|(_, value)| *value) || is_taken_at_word && is_one_absent;
        let mut open: Vec<(&Operand, TraceClass)> = Vec::new();
        for operand in operands {
            let is_true = match &operand.guard {
                Guard::Absent => true,
                Guard::Else => !is_any_true,
                Guard::Condition(condition) => self.holds(condition),
            };
            let may_not = matches!(&operand.guard, Guard::Condition(condition)
                if self.switches().invalid_if_false && self.known(condition) == Some(false));
            if is_true {
                open.push((operand, TraceClass::Valid));
            } else if may_not {
                open.push((operand, TraceClass::Invalid));
            }
        }
        let is_some_true = open.iter().any(|(_, class)| *class == TraceClass::Valid);
        let ways = open.len() + usize::from(!is_some_true);
        open.get(self.choose(ways)).copied()
    }
}

/// A part that runs although its guard is false is invalid, whatever is in it.
fn under(part: PartRun, class: TraceClass) -> PartRun {
    PartRun { class: if class == TraceClass::Invalid { TraceClass::Invalid } else { part.class }, ..part }
}
