//! `[[check]]`: one question of a settings file.
//!
//! A check asks one question, and its other settings must belong to that: an unused `mode` would mislead the
//! author, so it is reported.

use sequent_kernel::diagnostic::{Code, Severity};
use sequent_kernel::formula::FormulaWord;
use sequent_kernel::model::{
    Alphabet, Anchor, Aspect, Check, Effects, Expectation, Mode, Property, Quantifier, Question, Refines,
    Scenario, Scheduling, StateGoal,
};
use sequent_kernel::source::Place;
use sequent_notation::formula;
use sequent_notation::resolve::directive::set_knob;
use toml::de::{DeTable, DeValue};

use super::{SettingValue, SettingsReader, TextRange, key, number};

/// Keys that ask something.
const QUESTIONS: &[&str] = &[
    "possible",
    "forbidden",
    "required",
    "whenever",
    "ltl",
    "safe",
    "consistent",
    "triggers",
    "reachable",
    "refines",
];

/// Keys that belong to some questions only.
const KNOBS: &[(&str, &[&str])] = &[
    ("mode", &["safe"]),
    ("anchor", &["possible", "forbidden", "required", "whenever"]),
    ("alphabet", &["possible", "forbidden", "required", "whenever"]),
    ("effects", &["possible", "forbidden", "required", "whenever"]),
    ("preset", &["possible", "forbidden", "required", "whenever"]),
    ("within", &["possible", "forbidden", "required", "reachable"]),
    ("fairness", &["possible", "forbidden", "required", "whenever", "ltl"]),
    ("from", &["reachable"]),
    ("model", &["refines"]),
    ("hide", &["refines"]),
];

/// What a check says, key by key.
struct CheckDraft {
    name: Option<String>,
    target: Option<FormulaWord>,
    question: Option<Question>,
    scenario: Scenario,
    from: Option<Property>,
    mode: Mode,
    aspect: Aspect,
    hidden: Vec<FormulaWord>,
    fairness: Option<Scheduling>,
    expected: Option<Expectation>,
}

impl SettingsReader<'_> {
    pub(super) fn check(&mut self, table: &DeTable, range: TextRange) {
        let mut draft = CheckDraft {
            name: None,
            target: None,
            question: None,
            scenario: Scenario {
                interaction: None,
                quantifier: Quantifier::Possible,
                anchor: Anchor::Anywhere,
                alphabet: Alphabet::All,
                within: None,
                effects: Effects::default(),
            },
            from: None,
            mode: Mode::Strong,
            aspect: Aspect::Traces,
            hidden: Vec::new(),
            fairness: None,
            expected: None,
        };
        if let Some(preset) = self.preset {
            preset.turn(&mut draft.scenario);
        }
        let told = self.diagnostics.len();
        // What a preset says is overridden by single settings, wherever they stand.
        let presets = table.iter().filter(|(key, _)| key.get_ref() == "preset");
        for (key, value) in presets.chain(table.iter().filter(|(key, _)| key.get_ref() != "preset")) {
            let name = key.get_ref().as_ref();
            let known = key::of("check");
            if !known.contains(&name) {
                self.unknown(key.span(), name, &known);
                continue;
            }
            if !self.set(&mut draft, name, value) {
                let message =
                    format!("this is not a value for `{name}`: it is {}", key::values("check", name));
                self.report(Code::BadSetting, value.span(), message);
            }
        }
        let asks_one_thing = self.asks_one_thing(table, &range);
        // With what is left of a question that has errors another one would be answered.
        if asks_one_thing && self.diagnostics[told..].iter().all(|one| one.severity < Severity::Error) {
            self.finish(draft, range);
        }
    }

    /// Takes the value of a key that is known; false if it is none of its values.
    fn set(&mut self, draft: &mut CheckDraft, key: &str, value: &SettingValue) -> bool {
        if key == "within" {
            draft.scenario.within = number(value);
            return draft.scenario.within.is_some();
        }
        if key == "hide" {
            let Some(hidden) = self.words(value) else { return false };
            draft.hidden = hidden;
            return true;
        }
        let Some(text) = self.word(value) else { return false };
        let place = self.inside(value, &text).into();
        match key {
            "name" => draft.name = Some(text),
            "target" => draft.target = Some(FormulaWord { text, place }),
            "ltl" => match formula::parse(&text, place.0) {
                Ok(formula) => {
                    draft.question = Some(Question::Ltl(Property { text, formula: Box::new(formula) }));
                }
                Err(problem) => self.diagnostics.push(problem),
            },
            "reachable" => match formula::goal(&text, place.0) {
                Ok(formula) => {
                    let goal = Property { text, formula: Box::new(formula) };
                    draft.question = Some(Question::Reachable(StateGoal { goal, from: None, within: None }));
                }
                Err(problem) => self.diagnostics.push(problem),
            },
            "from" => match formula::goal(&text, place.0) {
                Ok(formula) => draft.from = Some(Property { text, formula: Box::new(formula) }),
                Err(problem) => self.diagnostics.push(problem),
            },
            "safe" => draft.question = Some(Question::Safe(Some(FormulaWord { text, place }), Mode::Strong)),
            "consistent" => draft.question = Some(Question::Consistent(Some(FormulaWord { text, place }))),
            "triggers" => draft.question = Some(Question::Triggers(Some(FormulaWord { text, place }))),
            "refines" => {
                let specification = FormulaWord { text, place };
                let refines = Refines { specification, aspect: Aspect::Traces, hidden: Vec::new() };
                draft.question = Some(Question::Refines(refines));
            }
            "model" => match Aspect::of(&text) {
                Some(aspect) => draft.aspect = aspect,
                None => return false,
            },
            "mode" => match Mode::of(&text) {
                Some(mode) => draft.mode = mode,
                None => return false,
            },
            "fairness" => {
                draft.fairness = Scheduling::from_word(&text);
                return draft.fairness.is_some();
            }
            "expect" => {
                draft.expected = expectation(&text);
                return draft.expected.is_some();
            }
            "preset" | "anchor" | "alphabet" | "effects" => return set_knob(&mut draft.scenario, key, &text),
            quantifier => {
                draft.scenario.interaction = Some(FormulaWord { text, place });
                draft.scenario.quantifier = Quantifier::from_word(quantifier).unwrap_or(Quantifier::Possible);
            }
        }
        true
    }

    /// A list of texts, each with its place.
    fn words(&mut self, value: &SettingValue) -> Option<Vec<FormulaWord>> {
        let DeValue::Array(values) = value.get_ref() else { return None };
        let word = |value: &SettingValue| {
            let text = self.word(value)?;
            let place = self.inside(value, &text).into();
            Some(FormulaWord { text, place })
        };
        values.iter().map(word).collect()
    }

    /// Whether a check asks exactly one thing. Settings that do not belong to it are reported too.
    fn asks_one_thing(&mut self, table: &DeTable, range: &TextRange) -> bool {
        let asked: Vec<&str> = QUESTIONS.iter().copied().filter(|key| table.contains_key(*key)).collect();
        let [question] = asked.as_slice() else {
            let message = match asked.as_slice() {
                [] => format!("a check asks something: {}", listed(QUESTIONS)),
                several => format!("a check asks one thing, and this one asks {}", several.join(" and ")),
            };
            self.report(Code::BadSetting, range.clone(), message);
            return false;
        };
        if *question == "refines" && !table.contains_key("target") {
            let message = "`refines` needs a `target`: the diagram that must do only what the other does";
            self.report(Code::BadSetting, range.clone(), message.to_owned());
            return false;
        }
        for (key, _) in table.iter() {
            let name = key.get_ref().as_ref();
            let knob = KNOBS.iter().find(|(knob, questions)| *knob == name && !questions.contains(question));
            if let Some((knob, questions)) = knob {
                let message = format!("`{knob}` belongs to {}, not to `{question}`", listed(questions));
                self.report(Code::BadSetting, key.span(), message);
            }
        }
        true
    }

    /// Keeps a check whose question could be read; what is wrong with one that could not is reported already.
    fn finish(&mut self, draft: CheckDraft, range: TextRange) {
        let CheckDraft { name, target, question, scenario, from, mode, aspect, hidden, fairness, expected } =
            draft;
        let question = match question {
            Some(Question::Reachable(StateGoal { goal, .. })) => {
                Some(Question::Reachable(StateGoal { goal, from, within: scenario.within }))
            }
            Some(Question::Safe(diagram, _)) => Some(Question::Safe(diagram, mode)),
            Some(Question::Refines(refines)) => {
                Some(Question::Refines(Refines { aspect, hidden, ..refines }))
            }
            Some(question) => Some(question),
            None => scenario.interaction.is_some().then_some(Question::Scenario(scenario)),
        };
        let place = Place(self.span(range));
        let check = question.map(|question| Check {
            name,
            subject: None,
            target,
            question,
            fairness,
            expected,
            place,
        });
        self.settings.checks.extend(check);
    }
}

/// `a, b or c`
fn listed(words: &[&str]) -> String {
    match words {
        [before @ .., last] if !before.is_empty() => format!("{} or {last}", before.join(", ")),
        words => words.concat(),
    }
}

fn expectation(word: &str) -> Option<Expectation> {
    match word {
        "holds" => Some(Expectation::Holds),
        "fails" => Some(Expectation::Fails),
        "unknown" => Some(Expectation::Unknown),
        _ => None,
    }
}
