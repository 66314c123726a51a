//! The names in questions: in formulas, goals and events that are written out.

use sequent_kernel::expression::Expression;
use sequent_kernel::formula::{Atom, Formula, FormulaNode, FormulaWord};
use sequent_kernel::model::{Check, Interaction, InteractionId, Model, Property, Question, Subject};

use super::condition::ConditionOwner;
use super::{IndexMaker, MentionRole, Symbol};

impl IndexMaker<'_> {
    pub(super) fn checks(&mut self, checks: &[Check], model: &Model) {
        for check in checks {
            let about = match check.subject {
                Some(Subject::Interaction(id)) => Some((id, &model.interactions[id])),
                Some(Subject::Machine(_)) | None => None,
            };
            match &check.question {
                Question::Ltl(property) => self.property(property, about),
                Question::Reachable(goal) => {
                    self.property(&goal.goal, about);
                    goal.from.iter().for_each(|from| self.property(from, about));
                }
                Question::Refines(refines) => {
                    for FormulaWord { text, place } in &refines.hidden {
                        self.add(place.0, Symbol::Message(message_name(text).to_owned()), MentionRole::Uses);
                    }
                }
                Question::Scenario(_)
                | Question::Deadlock
                | Question::Safe(..)
                | Question::Consistent(_)
                | Question::Fragments
                | Question::Triggers(_) => {}
            }
        }
    }

    fn property(&mut self, property: &Property, about: Option<(InteractionId, &Interaction)>) {
        let mut open: Vec<&Formula> = vec![&property.formula];
        while let Some(part) = open.pop() {
            open.extend(part.parts());
            let FormulaNode::Atom(atom) = &part.node else { continue };
            match atom {
                Atom::Event(pattern) => {
                    if let Some(FormulaWord { text, place }) = &pattern.message {
                        self.add(place.0, Symbol::Message(message_name(text).to_owned()), MentionRole::Uses);
                    }
                    let ends = [&pattern.from, &pattern.to, &pattern.actor, &pattern.partner];
                    ends.into_iter().flatten().for_each(|end| self.lifeline(end, about));
                }
                Atom::Exactly(word) => self.event(word, about),
                Atom::In(object, state) => {
                    self.lifeline(object, about);
                    let symbol = Symbol::Said(Some(object.text.clone()), state.text.clone());
                    self.add(state.place.0, symbol, MentionRole::Uses);
                }
                Atom::Name(word) if word.text.contains(':') => self.event(word, about),
                Atom::Name(FormulaWord { text, place }) => {
                    let name = Expression::Name(text.split('.').map(str::to_owned).collect());
                    self.said(&name, place.0, ConditionOwner::Nobody, about);
                }
                Atom::Data(expression) => {
                    self.said(expression, part.place.0, ConditionOwner::Nobody, about);
                }
                Atom::Start | Atom::End => {}
            }
        }
    }

    /// A participant that a question names.
    fn lifeline(&mut self, word: &FormulaWord, about: Option<(InteractionId, &Interaction)>) {
        let FormulaWord { text, place } = word;
        self.add(place.0, self.participant(text, about), MentionRole::Uses);
    }

    /// What is called so in what a question is about.
    pub(super) fn participant(&self, name: &str, about: Option<(InteractionId, &Interaction)>) -> Symbol {
        match about.filter(|(_, drawn)| drawn.lifelines.iter().any(|one| one.name == name)) {
            Some((id, _)) => Symbol::Lifeline(self.file, id, name.to_owned()),
            None => Symbol::Object(name.to_owned()),
        }
    }

    /// The names in an event that is written out: `!a->b:m(1)`.
    fn event(&mut self, word: &FormulaWord, about: Option<(InteractionId, &Interaction)>) {
        let FormulaWord { text, place } = word;
        let Some((ends, message)) = text.split_once(':') else { return };
        for name in ends.trim_start_matches(['!', '?']).split("->").filter(|name| !name.is_empty()) {
            self.add_all(place.0, &self.participant(name, about));
        }
        let name = message_name(message.split('#').next().unwrap_or_default());
        self.add_all(place.0, &Symbol::Message(name.to_owned()));
    }
}

/// The name of a message, without its arguments: `elect(1)`.
pub(super) fn message_name(text: &str) -> &str {
    text.split('(').next().unwrap_or_default().trim()
}
