//! Combined fragments, written out.

use sequent_kernel::model::{Combined, Condition, Fragment, Guard, LifelineId, Loop, Operand, Operator};
use sequent_kernel::semantics::{is_compound, propositions};
use sequent_kernel::source::Place;

use super::super::Unwritten;
use super::{Builder, Choice, Context, MOST_EVENTS, Node, Test, condition, unable};

impl<'m> Builder<'m> {
    pub(super) fn combined(
        &mut self,
        combined: &'m Combined,
        context: &Context,
    ) -> Result<Vec<Node>, Unwritten> {
        self.place = combined.place;
        let takes_guards = combined.operator.takes_guards()
            || matches!(combined.operator, Operator::Seq | Operator::Strict | Operator::Par);
        if !takes_guards && combined.operands.iter().any(|operand| operand.guard != Guard::Absent) {
            return Err(unable(&format!("a guard of `{}`", combined.operator.word())));
        }
        if combined.operands.len() > 1
            && combined.operator.takes_one_operand()
            && combined.operator != Operator::Opt
        {
            return Err(unable(&format!("several operands of `{}`", combined.operator.word())));
        }
        let all = |builder: &mut Self, context: &Context| {
            let mut nodes = Vec::new();
            for operand in &combined.operands {
                nodes.extend(builder.guarded(combined, operand, context)?);
            }
            Ok::<Vec<Node>, Unwritten>(nodes)
        };
        match &combined.operator {
            Operator::Seq => all(self, context),
            Operator::Strict => self.strict(combined, context),
            Operator::Par => self.parallel(combined, context),
            Operator::Alt | Operator::Opt if combined.operands.len() > 1 => {
                self.alternative(combined, context)
            }
            Operator::Alt | Operator::Opt | Operator::Break => {
                let choice = self.option(combined, context)?;
                let inside = self.inside(context, choice, 1);
                let Some(operand) = combined.operands.first() else { return Ok(Vec::new()) };
                let nodes = self.block(&operand.block, &inside, None)?;
                Ok(vec![Node::Choice(choice, vec![(1, Node::Seq(nodes))])])
            }
            Operator::Loop(bounds) => self.repeat(combined, *bounds, context),
            Operator::Critical => {
                let first = self.tree.events.len();
                let nodes = all(self, context)?;
                if context.is_beside {
                    self.tree.criticals.push((first..self.tree.events.len()).collect());
                }
                Ok(nodes)
            }
            Operator::Assert if context.is_beside => Err(unable("an `assert` beside something else")),
            Operator::Assert => all(self, context),
            // Valid runs skip it.
            Operator::Neg => Ok(Vec::new()),
            Operator::Coregion(lifeline) => self.coregion(combined, *lifeline, context),
            Operator::Ignore(_) | Operator::Consider(_) | Operator::Not => {
                Err(unable(&format!("`{}`", combined.operator.word())))
            }
        }
    }

    /// An operand outside of alternatives: it runs unless its guard is false.
    fn guarded(
        &mut self,
        combined: &'m Combined,
        operand: &'m Operand,
        context: &Context,
    ) -> Result<Vec<Node>, Unwritten> {
        let Some(condition) = condition(operand) else { return self.block(&operand.block, context, None) };
        let values = match self.is_lasting(std::slice::from_ref(condition), context)? {
            true => {
                vec![(1, Some(Test::Is(condition.clone()))), (2, Some(Test::None(vec![condition.clone()])))]
            }
            false => vec![(1, None), (2, None)],
        };
        let choice = self.choose(combined.operator.word(), operand.place, context, values, None);
        let nodes = self.block(&operand.block, &self.inside(context, choice, 1), None)?;
        Ok(vec![Node::Choice(choice, vec![(1, Node::Seq(nodes))])])
    }

    fn strict(&mut self, combined: &'m Combined, context: &Context) -> Result<Vec<Node>, Unwritten> {
        let first = self.tree.events.len();
        let mut context = context.clone();
        let mut nodes = Vec::new();
        for operand in &combined.operands {
            nodes.extend(self.guarded(combined, operand, &context)?);
            self.tree.barriers.push((first..self.tree.events.len()).collect());
            context.waits.push(self.tree.barriers.len() - 1);
        }
        Ok(nodes)
    }

    fn parallel(&mut self, combined: &'m Combined, context: &Context) -> Result<Vec<Node>, Unwritten> {
        let context = Context { is_beside: true, ..context.clone() };
        let mut parts = Vec::new();
        for operand in &combined.operands {
            parts.push(Node::Seq(self.guarded(combined, operand, &context)?));
        }
        Ok(vec![Node::Par(None, parts)])
    }

    fn coregion(
        &mut self,
        combined: &'m Combined,
        lifeline: LifelineId,
        context: &Context,
    ) -> Result<Vec<Node>, Unwritten> {
        let context = Context { is_beside: true, ..context.clone() };
        let mut parts = Vec::new();
        for operand in &combined.operands {
            for fragment in &operand.block.0 {
                match fragment {
                    Fragment::Message(_) | Fragment::Stop(_) => {
                        parts.extend(self.fragment(fragment, &context)?)
                    }
                    Fragment::Action(_)
                    | Fragment::Execution(_)
                    | Fragment::Note(_)
                    | Fragment::Separator(_)
                    | Fragment::Numbering(_) => {}
                    Fragment::Invariant(_) | Fragment::Use(_) | Fragment::Combined(_) => {
                        return Err(unable("a coregion of more than messages"));
                    }
                }
            }
        }
        Ok(vec![Node::Par(Some(self.name(lifeline)), parts)])
    }

    /// A loop, iteration by iteration.
    fn repeat(
        &mut self,
        combined: &'m Combined,
        bounds: Loop,
        context: &Context,
    ) -> Result<Vec<Node>, Unwritten> {
        let (Some(min), Some(max)) = (bounds.min, bounds.max) else {
            return Err(unable("a loop without bound that is not cut"));
        };
        let Some(operand) = combined.operands.first() else { return Ok(Vec::new()) };
        if condition(operand)
            .is_some_and(|one| propositions(one).iter().any(|name| self.tree.lasting.contains(name)))
        {
            return Err(unable("a loop whose guard something else asks for too"));
        }
        let is_break = |fragment: &Fragment| matches!(fragment, Fragment::Combined(inner) if inner.operator == Operator::Break);
        let has_break = operand.block.0.iter().any(is_break);
        if bounds.strict && has_break {
            return Err(unable("a `break` out of a `sloop`"));
        }
        let context = Context { is_looped: true, ..context.clone() };
        self.iteration(combined, operand, (1, min, max, bounds.strict), &context)
    }

    fn iteration(
        &mut self,
        combined: &'m Combined,
        operand: &'m Operand,
        (number, min, max, is_strict): (u32, u32, u32, bool),
        context: &Context,
    ) -> Result<Vec<Node>, Unwritten> {
        if number > max {
            return Ok(Vec::new());
        }
        // Deeper than there may be occurrences no loop goes.
        if number as usize > MOST_EVENTS {
            return Err(unable("so many iterations"));
        }
        let choice = (number > min).then(|| {
            let values = vec![(1, None), (2, None)];
            self.choose("loop", combined.place, context, values, None)
        });
        let around = choice.map_or_else(|| context.clone(), |choice| self.inside(context, choice, 1));
        let mut inside = around.clone();
        // A loop is told from others by where it stands in memory.
        inside.path.push((std::ptr::from_ref(combined) as usize, number));
        let first = self.tree.events.len();
        let mut next = |builder: &mut Self, context: &Context| {
            let mut context = context.clone();
            context.path.pop();
            if is_strict {
                builder.tree.barriers.push((first..builder.tree.events.len()).collect());
                context.waits.push(builder.tree.barriers.len() - 1);
            }
            builder.iteration(combined, operand, (number + 1, min, max, is_strict), &context)
        };
        let nodes = self.block(&operand.block, &inside, Some(&mut next))?;
        Ok(match choice {
            Some(choice) => vec![Node::Choice(choice, vec![(1, Node::Seq(nodes))])],
            None => nodes,
        })
    }

    fn alternative(&mut self, combined: &'m Combined, context: &Context) -> Result<Vec<Node>, Unwritten> {
        let conditions: Vec<Condition> = combined.operands.iter().filter_map(condition).cloned().collect();
        let is_lasting = self.is_lasting(&conditions, context)?;
        let has_else = combined.operands.iter().any(|operand| operand.guard == Guard::Else);
        let is_open = combined.operands.iter().any(|operand| operand.guard == Guard::Absent);
        let is_literal = conditions.iter().any(is_compound);
        let mut values: Vec<(usize, Option<Test>)> = Vec::new();
        for (number, operand) in (1..).zip(&combined.operands) {
            let test = match &operand.guard {
                Guard::Absent => None,
                Guard::Else => Some(Test::None(conditions.clone())),
                Guard::Condition(condition) => Some(Test::Is(condition.clone())),
            };
            values.push((number, test.filter(|_| is_lasting)));
        }
        let must = (is_lasting && !is_literal).then(|| Test::One(conditions.clone(), has_else || is_open));
        if is_lasting && is_literal && !has_else && !is_open {
            values.push((combined.operands.len() + 1, Some(Test::None(conditions))));
        }
        if is_lasting && is_open && !is_literal {
            return Err(unable("guards that exclude each other beside an operand without guard"));
        }
        let choice = self.choose(combined.operator.word(), combined.place, context, values, must);
        let mut parts = Vec::new();
        for (number, operand) in (1..).zip(&combined.operands) {
            let inside = self.inside(context, choice, number);
            parts.push((number, Node::Seq(self.block(&operand.block, &inside, None)?)));
        }
        Ok(vec![Node::Choice(choice, parts)])
    }

    /// A choice to run one operand (1) or to skip it (2).
    pub(super) fn option(&mut self, combined: &'m Combined, context: &Context) -> Result<usize, Unwritten> {
        let conditions: Vec<Condition> = combined.operands.iter().filter_map(condition).cloned().collect();
        let is_lasting = self.is_lasting(&conditions, context)?;
        let is_always = combined.operator == Operator::Alt && conditions.is_empty();
        let values = match (conditions.first(), is_lasting) {
            (None, _) if is_always => vec![(1, None)],
            (Some(condition), true) => {
                vec![(1, Some(Test::Is(condition.clone()))), (2, Some(Test::None(conditions.clone())))]
            }
            (None, _) | (Some(_), false) => vec![(1, None), (2, None)],
        };
        Ok(self.choose(combined.operator.word(), combined.place, context, values, None))
    }

    /// Whether guards ask for propositions that last; in loops they have a value for each iteration, which is not written.
    fn is_lasting(&self, conditions: &[Condition], context: &Context) -> Result<bool, Unwritten> {
        let mut names = conditions.iter().flat_map(propositions);
        let is_lasting = names.any(|name| self.tree.lasting.contains(&name));
        match is_lasting && context.is_looped {
            true => Err(unable("a guard in a loop that something else asks for too")),
            false => Ok(is_lasting),
        }
    }

    fn choose(
        &mut self,
        word: &'static str,
        place: Place,
        context: &Context,
        values: Vec<(usize, Option<Test>)>,
        must: Option<Test>,
    ) -> usize {
        self.tree.choices.push(Choice { word, place, alive: context.alive.clone(), values, must });
        self.tree.choices.len() - 1
    }

    pub(super) fn inside(&self, context: &Context, choice: usize, value: usize) -> Context {
        let mut inside = context.clone();
        inside.alive.push((choice, value));
        inside
    }
}
