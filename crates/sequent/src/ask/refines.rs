//! The diagrams that a refinement compares, by their names.

use sequent_kernel::diagnostic::{Code, Diagnostic, Severity, nearest};
use sequent_kernel::formula::FormulaWord;
use sequent_kernel::model::{Check, Model, Question, Refines, Subject};

/// The diagram of a name: a sequence diagram or a state machine.
pub fn find(model: &Model, name: &str) -> Result<Subject, UnknownDiagram> {
    let interaction = model.interactions.find(|interaction| interaction.name.eq_ignore_ascii_case(name));
    let machine = model.machines.find(|machine| machine.name.eq_ignore_ascii_case(name));
    match (interaction, machine) {
        (Some(id), _) => Ok(Subject::Interaction(id)),
        (None, Some(id)) => Ok(Subject::Machine(id)),
        (None, None) => {
            let interactions = model.interactions.iter().map(|interaction| interaction.name.as_str());
            let names = interactions.chain(model.machines.iter().map(|machine| machine.name.as_str()));
            let near = nearest(name, names).map(str::to_owned);
            Err(UnknownDiagram { name: name.to_owned(), near })
        }
    }
}

/// The name of a diagram.
pub fn name(model: &Model, subject: Subject) -> &str {
    match subject {
        Subject::Interaction(id) => &model.interactions[id].name,
        Subject::Machine(id) => &model.machines[id].name,
    }
}

/// A name that no diagram has.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct UnknownDiagram {
    /// The name.
    pub name: String,
    /// One that is meant perhaps.
    pub near: Option<String>,
}

/// What is wrong with the names of a check.
pub fn problems(check: &Check, model: &Model) -> Vec<Diagnostic> {
    let words = match &check.question {
        Question::Refines(refines) => [Some(&refines.specification), check.target.as_ref()],
        Question::Triggers(named) => [named.as_ref(), None],
        Question::Scenario(_)
        | Question::Ltl(_)
        | Question::Reachable(_)
        | Question::Deadlock
        | Question::Safe(..)
        | Question::Consistent(_)
        | Question::Fragments => return Vec::new(),
    };
    let unknown = words.into_iter().flatten().filter_map(|word| Some((find(model, &word.text).err()?, word)));
    let problem = |(unknown, word): (UnknownDiagram, &FormulaWord)| {
        let diagnostic = Diagnostic::new(Code::BadSetting, word.place.0, unknown.message());
        match unknown.near {
            Some(near) => diagnostic.meant(&*word.text, near),
            None => diagnostic
                .severity(Severity::Hint)
                .hint("give the file that holds it on the command line too"),
        }
    };
    unknown.map(problem).collect()
}

impl UnknownDiagram {
    /// That it is none.
    pub fn message(&self) -> String {
        format!("no diagram is called `{}`", self.name)
    }
}

/// What is asked, in words.
pub fn words(refines: &Refines) -> String {
    let hidden = match refines.hidden.as_slice() {
        [] => String::new(),
        hidden => {
            let names: Vec<&str> = hidden.iter().map(|word| word.text.as_str()).collect();
            format!(", without {}", names.join(", "))
        }
    };
    format!("refines {} in {}{hidden}", refines.specification.text, refines.aspect.word())
}

/// The diagrams that a check compares, the one that says what may be done first; `None` if one was not read.
pub(crate) fn compared(model: &Model, check: &Check, refines: &Refines) -> Option<[Subject; 2]> {
    let found = |word: &FormulaWord| find(model, &word.text).ok();
    Some([found(&refines.specification)?, found(check.target.as_ref()?)?])
}
