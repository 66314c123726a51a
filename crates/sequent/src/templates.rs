//! Templates against the lowering: proves that the two definitions of a diagram's traces agree
//! (docs/templates.md).
//!
//! The templates of P0 define the traces of a diagram by formulas, the lowering by a System. For every
//! valuation of choices and guards the formulas become automata; a word of occurrences that only one side has
//! would be an error in one of them. Unbounded loops are cut, on both sides alike: a difference is real, but
//! agreement says nothing about longer runs.

use std::collections::BTreeMap;

use sequent_engine::equivalence::{EquivalenceResult, WordSide, compare};
use sequent_engine::explicit;
use sequent_engine::search::{Limits, SearchStop};
use sequent_kernel::formula::{Formula, FormulaNode};
use sequent_kernel::log::Log;
use sequent_kernel::model::{InteractionId, Model};
use sequent_kernel::property::ltl::{LtlAutomaton, bind};
use sequent_kernel::semantics::{Assumptions, Switches, lower};
use sequent_kernel::system::{EventId, System, distinguish};
use sequent_kernel::templates::{
    TemplateLetter, TemplateOptions, Templates, Tense, cut, from_start, instantiate, plain, resolutions,
    templates,
};
use sequent_kernel::verdict::{Answer, Evidence, Reason, Story, Verdict};

use crate::effort::Effort;

/// Iterations of a loop without bound that are looked at, besides those that it must have.
pub(crate) const ITERATIONS: u32 = 2;

/// More occurrences are too many: there are automata for each of them, and words of that length.
const MOST_OCCURRENCES: usize = 256;

/// Where fewer pairs of sets could be looked at it is no use to begin.
const FEWEST_PAIRS: usize = 200;

/// More valuations are not tried.
const MOST_VALUATIONS: usize = 4_096;

/// Whether the templates of a diagram and its System have the same traces.
pub fn agree(model: &Model, id: InteractionId, switches: &Switches, effort: &Effort) -> Answer {
    let begun = effort.clock.map(|clock| clock());
    let (model, is_cut) = cut(model, id, ITERATIONS);
    let mut question = TemplateQuestion { model: &model, id, switches, effort, states: None };
    let verdict = match question.answer().unwrap_or_else(Verdict::Unknown) {
        // Of what was cut off nothing is known.
        Verdict::Holds(_) if is_cut => Verdict::Unknown(Reason::Templates(format!(
            "loops without bound were cut after {ITERATIONS} iterations more than they must have; so far the traces are the same"
        ))),
        verdict => verdict,
    };
    let name = "templates and lowering have the same traces".to_owned();
    let answer = Answer::new(name, "templates", Some(model.interactions[id].name.clone()), verdict);
    let millis = effort.clock.zip(begun).map(|(clock, begun)| clock().saturating_sub(begun));
    Answer { engine: Some(explicit::NAME), states: question.states, millis, ..answer }
}

struct TemplateQuestion<'q> {
    model: &'q Model,
    id: InteractionId,
    switches: &'q Switches,
    effort: &'q Effort<'q>,
    states: Option<usize>,
}

/// Automata, and for each valuation which of them must accept.
struct TemplateAutomata {
    automata: Vec<LtlAutomaton>,
    alternatives: Vec<Vec<usize>>,
}

/// Why there are no automata.
enum TemplateTrouble {
    /// One of them would be too large.
    TooLarge,
    /// There are more ways through the diagram than these.
    TooMany(usize),
    Other(String),
}

impl TemplateTrouble {
    fn reason(self) -> Reason {
        Reason::Templates(match self {
            TemplateTrouble::TooLarge => "the automaton of a template would be too large".to_owned(),
            TemplateTrouble::TooMany(ways) => format!("there are more than {ways} ways through it"),
            TemplateTrouble::Other(reason) => reason,
        })
    }
}

impl TemplateQuestion<'_> {
    /// The verdict, or why there is none.
    fn answer(&mut self) -> Result<Verdict, Reason> {
        let assumptions = plain(&Assumptions { switches: self.switches.clone(), ..Assumptions::default() });
        let system = lower(self.model, self.id, &assumptions).map_err(|other| Reason::NotRun(other.what))?;
        let system = distinguish(&system);
        if system.events.len() > MOST_OCCURRENCES {
            let why = format!("there are more than {MOST_OCCURRENCES} occurrences");
            return Err(Reason::Templates(why));
        }
        // What is too much to remember need not be remembered by formulas that do not look back.
        let automata = match self.automata(&system, &assumptions, Tense::Past) {
            Ok(automata) => automata,
            Err(TemplateTrouble::TooLarge) => {
                self.automata(&system, &assumptions, Tense::Future).map_err(TemplateTrouble::reason)?
            }
            Err(other) => return Err(other.reason()),
        };
        let TemplateAutomata { automata, alternatives } = automata;
        // Each pair of sets is looked at by all automata of all valuations.
        let eyes = alternatives.iter().map(Vec::len).sum::<usize>().max(1);
        let Limits { states, .. } = self.effort.limits;
        let limits = Limits { states: states.min(self.effort.looks / eyes), ..self.effort.limits };
        match compare(&system, &automata, &alternatives, &limits, self.effort.watch) {
            EquivalenceResult::Same(states) => {
                self.states = Some(states);
                Ok(Verdict::Holds(Evidence::Exhaustive))
            }
            EquivalenceResult::Differs(word, side) => Ok(Verdict::Fails(self.evidence(&system, &word, side))),
            EquivalenceResult::Stopped(SearchStop::States, pairs) => Err(Reason::Templates(format!(
                "after {pairs} states {eyes} automata are still at work; --time SECONDS lets them go on"
            ))),
            EquivalenceResult::Stopped(stop, pairs) => Err(Reason::Stopped(stop, pairs)),
        }
    }

    fn automata(
        &self,
        system: &System,
        assumptions: &Assumptions,
        tense: Tense,
    ) -> Result<TemplateAutomata, TemplateTrouble> {
        let wishes = TemplateOptions { tense, ..TemplateOptions::default() };
        let templates = templates(self.model, self.id, assumptions, wishes)
            .map_err(|other| TemplateTrouble::Other(format!("there are no templates for {}", other.what)))?;
        let valuations =
            resolutions(&templates, MOST_VALUATIONS).ok_or(TemplateTrouble::TooMany(MOST_VALUATIONS))?;
        let mut known: BTreeMap<Formula, usize> = BTreeMap::new();
        let mut automata = TemplateAutomata { automata: Vec::new(), alternatives: Vec::new() };
        let mut eyes = 0;
        for valuation in &valuations {
            let Some(formulas) = conjuncts(&templates, valuation) else { continue };
            let mut alternative = Vec::new();
            for formula in formulas {
                let place = match known.get(&formula) {
                    Some(place) => *place,
                    None => {
                        automata.automata.push(automaton(&formula, system)?);
                        known.insert(formula, automata.automata.len() - 1);
                        automata.automata.len() - 1
                    }
                };
                alternative.push(place);
            }
            alternative.sort_unstable();
            alternative.dedup();
            eyes += alternative.len();
            if eyes > self.effort.looks / FEWEST_PAIRS {
                return Err(TemplateTrouble::TooMany(automata.alternatives.len()));
            }
            automata.alternatives.push(alternative);
        }
        automata.alternatives.sort();
        automata.alternatives.dedup();
        Ok(automata)
    }

    fn evidence(&self, system: &System, word: &[EventId], side: WordSide) -> Evidence {
        let because = match side {
            WordSide::System => "it is a trace of the System, and the templates forbid it",
            WordSide::Observers => "the templates allow it, and it is not a trace of the System",
        };
        Evidence::Run(Box::new(Story {
            prefix: word.iter().map(|event| system.events[*event].text.clone()).collect(),
            cycle: Vec::new(),
            drawing: self.model.interactions[self.id].clone(),
            marked: Default::default(),
            moments: Default::default(),
            scenario: None,
            log: Log::default(),
            because: vec![because.to_owned()],
        }))
    }
}

/// What must hold under a valuation, seen from the start of a run; `None` if it cannot.
fn conjuncts(templates: &Templates, valuation: &BTreeMap<String, bool>) -> Option<Vec<Formula>> {
    let mut formulas = Vec::new();
    for template in &templates.list {
        match template.letter {
            // The valuation obeys the rules, and does not change.
            TemplateLetter::Exe | TemplateLetter::Rigid | TemplateLetter::Omega => continue,
            TemplateLetter::Alpha
            | TemplateLetter::Beta
            | TemplateLetter::Gamma
            | TemplateLetter::Eta
            | TemplateLetter::Epsilon
            | TemplateLetter::Delta
            | TemplateLetter::Kappa
            | TemplateLetter::Lambda
            | TemplateLetter::Chi
            | TemplateLetter::Nu
            | TemplateLetter::Mu
            | TemplateLetter::Upsilon
            | TemplateLetter::Xi
            | TemplateLetter::Iota
            | TemplateLetter::Cond => {}
        }
        // Small automata are read together at less cost than one of their conjunction is made.
        for formula in instantiate(&template.formula, valuation).conjuncts() {
            match formula.node {
                FormulaNode::Constant(true) => {}
                FormulaNode::Constant(false) => return None,
                FormulaNode::Atom(_) | FormulaNode::Unary(..) | FormulaNode::Binary(..) => {
                    formulas.push(from_start(formula))
                }
            }
        }
    }
    Some(formulas)
}

fn automaton(formula: &Formula, system: &System) -> Result<LtlAutomaton, TemplateTrouble> {
    let bound = bind(formula, system, &BTreeMap::new())
        .map_err(|_| TemplateTrouble::Other("a formula speaks of what is not there".to_owned()))?;
    LtlAutomaton::of(&bound).map_err(|_| TemplateTrouble::TooLarge)
}
