//! `sequent.toml`: how a system communicates, what is asked about it, which findings count.
//!
//! ```toml
//! preset = "P1"               # what a paper fixes, P0 to P4; what stands below wins
//!
//! [system]
//! communication = "queue"     # queue | bag | rendezvous
//! capacity = 4
//! steps = "direct"            # intermediate | direct
//! closed = true               # nothing comes from outside
//! objects = { b = "Bank", a1 = "ATM", a2 = "ATM" }
//! links = [["a1", "b"], ["a2.bank", "b.atms"]]
//!
//! [semantics]
//! calls = "blocking"          # any switch of `--switch`
//!
//! exclude = ["drafts"]        # paths that are not checked, as in .gitignore
//!
//! [lint]
//! allow = ["H208", "W3"]      # not reported; a code, or how codes begin
//! deny = ["W201"]             # counts as an error; also "warnings", "hints"
//!
//! [lint.paths]
//! "legacy/**" = { allow = ["W2"] }
//!
//! [[check]]
//! name = "never pay twice"
//! forbidden = "Pay twice"     # or required, possible: the name of an interaction
//! anchor = "start"
//!
//! [[check]]
//! ltl = "G (sent(pay) -> F received(receipt))"
//! target = "Order"            # the interaction; without it all that know the formula's names
//! expect = "fails"
//!
//! [[check]]
//! safe = "Pay twice"          # or consistent: the name of a diagram with a `neg`, or an `assert`
//! mode = "weakly"
//!
//! [roles]
//! "Pay twice" = "property"    # or model: what a diagram is used for, where its content does not say it
//! ```
//!
//! Every key is looked up in the table of [`key`]; an unknown one is a diagnostic with a suggestion, on its line.

mod check;
pub mod key;
pub mod lint;
mod preset;
mod system;

use std::collections::BTreeMap;

use sequent_kernel::diagnostic::{Code, Diagnostic, Severity, nearest};
use sequent_kernel::model::{Check, Scheduling, SystemSettings};
use sequent_kernel::semantics::Switches;
use sequent_kernel::source::{FileId, Source, Span};
use toml::Spanned;
use toml::de::{DeTable, DeValue};

use self::lint::{Layer, Lint, PathPattern};
use self::preset::Preset;

/// What a diagram is used for, as the settings say.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum DiagramUse {
    /// It says what happens.
    Model,
    /// It says what must be.
    Property,
}

/// What the settings file and the command line say.
#[derive(Clone, Debug, Default)]
pub struct Settings {
    /// How objects communicate.
    pub system: SystemSettings,
    /// What is said about findings of all files.
    pub lint: Layer,
    /// The same for files below the settings that match a pattern.
    pub lint_paths: Vec<(PathPattern, Layer)>,
    /// The same as the settings of the folders around say it, from the farthest to the nearest.
    pub inherited: Vec<Layer>,
    /// What is said about findings of a file, patterns included; of others, by what is inherited and said of all.
    pub by_file: BTreeMap<FileId, Vec<Layer>>,
    /// What the command line says about findings.
    pub caller: Layer,
    /// Whether nothing that the repository itself says leaves findings out.
    pub is_strict: bool,
    /// Paths below the settings that are not checked.
    pub excluded: Vec<PathPattern>,
    /// Checks that hold for nothing but that something never happens count as errors.
    pub vacuous_denied: bool,
    /// Questions asked.
    pub checks: Vec<Check>,
    /// Decisions on points of dispute.
    pub switches: Switches,
    /// What diagrams are used for, by name, and where that is said.
    pub uses: BTreeMap<String, (DiagramUse, Span)>,
    /// Whether all diagrams of the folder were read that the settings are for; else they may refer to others.
    pub is_whole: bool,
    /// The file that they were read from.
    pub file: Option<FileId>,
    /// What is wrong with the file itself, whatever diagrams it is for.
    pub problems: Vec<Diagnostic>,
}

impl Settings {
    /// The severity of a finding under these settings; `None` if it is not reported.
    pub fn severity(&self, finding: &Diagnostic) -> Option<Severity> {
        let own = self.by_file.get(&finding.span.file);
        let all = || self.inherited.iter().chain([&self.lint]).cloned().collect();
        let layers = own.cloned().unwrap_or_else(all);
        Lint { layers: &layers, caller: &self.caller, is_strict: self.is_strict }.severity(finding)
    }

    /// Whether the command line or settings count a finding as an error by the name of its code.
    pub(crate) fn asks_for(&self, finding: &Diagnostic) -> bool {
        let own = self.by_file.get(&finding.span.file).into_iter().flatten();
        let all = own.chain(&self.inherited).chain([&self.lint, &self.caller]);
        all.into_iter().any(|layer| layer.denies(finding))
    }

    /// Counts findings as errors: `warnings`, `hints`, `vacuous`, or codes; false if the word is none of these.
    pub fn deny(&mut self, what: &str) -> bool {
        self.vacuous_denied |= what == "vacuous";
        what == "vacuous" || self.lint.deny(what)
    }
}

/// Reads a settings file.
pub fn read(file: FileId, source: &Source) -> (Settings, Vec<Diagnostic>) {
    let settings = Settings { file: Some(file), ..Settings::default() };
    let mut reader = SettingsReader { file, source, settings, preset: None, diagnostics: Vec::new() };
    let (table, errors) = DeTable::parse_recoverable(&source.text);
    for error in errors {
        let span = error.span().unwrap_or(0..0);
        reader.report(Code::BadSetting, span, error.message().to_owned());
    }
    reader.file_table(table.get_ref());
    reader.diagnostics.sort();
    reader.settings.problems.clone_from(&reader.diagnostics);
    (reader.settings, reader.diagnostics)
}

/// Applies `key=value` from the command line (`--set system.communication=rendezvous`).
pub fn set(settings: &mut Settings, assignment: &str) -> Result<(), String> {
    let (key, value) = assignment.split_once('=').ok_or("write it as key=value")?;
    match key.trim() {
        "preset" => {
            let known =
                Preset::named(value.trim()).ok_or_else(|| format!("preset is {}", Preset::names()))?;
            known.apply(settings);
            if let Some(code) = known.denied() {
                settings.caller.deny(code.name());
            }
        }
        "system.communication" => {
            let known =
                system::communication(value.trim()).ok_or("communication is queue, bag or rendezvous")?;
            settings.system.communication = Some(known);
        }
        "system.steps" => {
            let known = system::steps(value.trim()).ok_or("steps is intermediate or direct")?;
            settings.system.steps = Some(known);
        }
        "system.completion" => {
            let known = system::completion(value.trim()).ok_or("completion is queued or free")?;
            settings.system.completion = Some(known);
        }
        "system.closed" => {
            let closed = value.trim().parse().map_err(|_| "closed is true or false")?;
            settings.system.closed = Some(closed);
        }
        "system.fairness" => {
            let known = Scheduling::from_word(value.trim()).ok_or("fairness is weak, strong or none")?;
            settings.system.fairness = Some(known);
        }
        "system.capacity" => {
            let known = value.trim().parse().ok().and_then(system::capacity);
            let wanted = || format!("capacity is a whole number from 1 to {}", system::MOST_CAPACITY);
            settings.system.capacity = Some(known.ok_or_else(wanted)?);
        }
        switch if switch.starts_with("semantics.") => {
            settings.switches.set(switch.trim_start_matches("semantics."), value.trim())?;
        }
        other => {
            let near = nearest(
                other,
                [
                    "preset",
                    "system.communication",
                    "system.capacity",
                    "system.steps",
                    "system.completion",
                    "system.closed",
                    "system.fairness",
                    "semantics.calls",
                ],
            );
            let hint = near.map(|near| format!("; did you mean `{near}`?")).unwrap_or_default();
            return Err(format!("`{other}` is not a setting that can be set here{hint}"));
        }
    }
    Ok(())
}

type TextRange = std::ops::Range<usize>;
type SettingValue<'a> = Spanned<DeValue<'a>>;

struct SettingsReader<'a> {
    file: FileId,
    source: &'a Source,
    settings: Settings,
    preset: Option<Preset>,
    diagnostics: Vec<Diagnostic>,
}

impl SettingsReader<'_> {
    fn span(&self, range: TextRange) -> Span {
        Span::new(self.file, range.start, range.end)
    }

    fn report(&mut self, code: Code, range: TextRange, message: String) {
        self.diagnostics.push(Diagnostic::new(code, self.span(range), message));
    }

    fn unknown(&mut self, range: TextRange, key: &str, known: &[&'static str]) {
        let diagnostic =
            Diagnostic::new(Code::UnknownSetting, self.span(range), format!("`{key}` is not a setting here"));
        self.diagnostics.push(match nearest(key, known.iter().copied()) {
            Some(near) => diagnostic.meant(key, near),
            None => diagnostic.hint(format!("known here: {}", known.join(", "))),
        });
    }

    fn file_table(&mut self, table: &DeTable) {
        // What a preset says is overridden by single settings, wherever they stand.
        if let Some(value) = table.get("preset") {
            let known = self.word(value).and_then(|word| Preset::named(&word));
            self.preset = known;
            self.keep(known, value, &format!("one of {}", Preset::names()), |settings, known| {
                known.apply(settings);
                if let Some(code) = known.denied() {
                    settings.lint.deny(code.name());
                }
            });
        }
        for (key, value) in table.iter() {
            match (key.get_ref().as_ref(), value.get_ref()) {
                ("preset", _) => {}
                ("system", DeValue::Table(table)) => self.system(table),
                ("semantics", DeValue::Table(table)) => self.semantics(table),
                ("lint", DeValue::Table(table)) => self.lint(table),
                ("exclude", _) => self.exclude(value),
                ("roles", DeValue::Table(table)) => self.roles(table),
                ("check", DeValue::Array(checks)) => {
                    for check in checks.iter() {
                        match check.get_ref() {
                            DeValue::Table(table) => self.check(table, check.span()),
                            _ => self.report(Code::BadSetting, check.span(), "a check is a table".to_owned()),
                        }
                    }
                }
                (name @ ("system" | "semantics" | "lint" | "roles" | "check"), _) => {
                    let form = if name == "check" { "[[check]]" } else { name };
                    self.report(
                        Code::BadSetting,
                        value.span(),
                        format!("`{name}` is a table, written `{form}`"),
                    );
                }
                (other, _) => self.unknown(key.span(), other, &key::of("")),
            }
        }
    }

    fn semantics(&mut self, table: &DeTable) {
        let known = key::of("semantics");
        for (key, value) in table.iter() {
            let name = key.get_ref().as_ref();
            if !known.contains(&name) {
                self.unknown(key.span(), name, &known);
                continue;
            }
            let word = match value.get_ref() {
                DeValue::Integer(number) => number.to_string(),
                _ => self.word(value).unwrap_or_default(),
            };
            if let Err(problem) = self.settings.switches.set(name, &word) {
                self.report(Code::BadSetting, value.span(), problem);
            }
        }
    }

    fn roles(&mut self, table: &DeTable) {
        for (key, value) in table.iter() {
            let role = match self.word(value).as_deref() {
                Some("model") => Some(DiagramUse::Model),
                Some("property") => Some(DiagramUse::Property),
                Some(_) | None => None,
            };
            let (name, span) = (key.get_ref().to_string(), self.span(key.span()));
            self.keep(role, value, "\"model\" or \"property\"", |settings, role| {
                settings.uses.insert(name, (role, span));
            });
        }
    }

    /// Keeps a value that is right, reports one that is not.
    fn keep<T>(
        &mut self,
        value: Option<T>,
        at: &SettingValue,
        wanted: &str,
        set: impl FnOnce(&mut Settings, T),
    ) {
        match value {
            Some(value) => set(&mut self.settings, value),
            None => self.report(Code::BadSetting, at.span(), format!("this must be {wanted}")),
        }
    }

    fn word(&mut self, value: &SettingValue) -> Option<String> {
        match value.get_ref() {
            DeValue::String(text) => Some(text.to_string()),
            _ => None,
        }
    }

    /// Where a text stands inside its quotes; the whole value if it is written with escapes.
    fn inside(&self, value: &SettingValue, text: &str) -> Span {
        let range = value.span();
        let raw = self.source.text.get(range.clone()).unwrap_or_default();
        match raw.find(text) {
            Some(at) => self.span(range.start + at..range.start + at + text.len()),
            None => self.span(range),
        }
    }

    fn exclude(&mut self, value: &SettingValue) {
        let Some(patterns) = texts(value) else {
            self.report(Code::BadSetting, value.span(), "this must be a list of patterns".to_owned());
            return;
        };
        for pattern in patterns {
            match PathPattern::new(&pattern) {
                Ok(pattern) => self.settings.excluded.push(pattern),
                Err(problem) => {
                    self.report(Code::BadSetting, value.span(), format!("`{pattern}`: {problem}"))
                }
            }
        }
    }

    fn lint(&mut self, table: &DeTable) {
        for (key, value) in table.iter() {
            match (key.get_ref().as_ref(), value.get_ref()) {
                ("allow", _) => self.codes(value, &[], |settings, code| settings.lint.allow(code)),
                ("deny", _) => self.codes(value, &["warnings", "hints", "vacuous"], Settings::deny),
                ("paths", DeValue::Table(paths)) => {
                    paths
                        .iter()
                        .for_each(|(pattern, value)| self.path(pattern.get_ref(), pattern.span(), value));
                }
                ("paths", _) => {
                    self.report(
                        Code::BadSetting,
                        value.span(),
                        "this must be a table of patterns".to_owned(),
                    );
                }
                (other, _) => self.unknown(key.span(), other, &key::of("lint")),
            }
        }
    }

    /// What `[lint.paths]` says about the files that match a pattern.
    fn path(&mut self, pattern: &str, span: TextRange, value: &SettingValue) {
        let pattern = match PathPattern::new(pattern) {
            Ok(pattern) => pattern,
            Err(problem) => return self.report(Code::BadSetting, span, problem),
        };
        let DeValue::Table(table) = value.get_ref() else {
            let message = "this must be a table such as { allow = [\"W201\"] }".to_owned();
            return self.report(Code::BadSetting, value.span(), message);
        };
        self.settings.lint_paths.push((pattern, Layer::default()));
        let last = |settings: &mut Settings, keep: fn(&mut Layer, &str) -> bool, code: &str| {
            settings.lint_paths.last_mut().is_some_and(|(_, layer)| keep(layer, code))
        };
        for (key, value) in table.iter() {
            match key.get_ref().as_ref() {
                "allow" => self.codes(value, &[], |settings, code| last(settings, Layer::allow, code)),
                "deny" => {
                    self.codes(value, &["warnings", "hints"], |settings, code| {
                        last(settings, Layer::deny, code)
                    });
                }
                other => self.unknown(key.span(), other, &["allow", "deny"]),
            }
        }
    }

    fn codes(
        &mut self,
        value: &SettingValue,
        groups: &[&'static str],
        keep: impl Fn(&mut Settings, &str) -> bool,
    ) {
        let DeValue::Array(items) = value.get_ref() else {
            let message = "this must be a list of codes such as [\"W201\"]".to_owned();
            self.report(Code::BadSetting, value.span(), message);
            return;
        };
        for item in items.iter() {
            let word = self.word(item).unwrap_or_default();
            if !keep(&mut self.settings, &word) {
                self.no_code(item.span(), &word, groups);
            }
        }
    }

    fn no_code(&mut self, range: TextRange, word: &str, groups: &[&'static str]) {
        let diagnostic =
            Diagnostic::new(Code::BadSetting, self.span(range), "this is not the code of a finding");
        let known = groups.iter().copied().chain(Code::ALL.iter().map(|code| code.name()));
        let near = nearest(word, known);
        self.diagnostics.push(match near {
            Some(near) => diagnostic.meant(word, near),
            None => diagnostic.hint("`sequent explain` lists all codes"),
        });
    }
}

/// A list of texts.
fn texts(value: &SettingValue) -> Option<Vec<String>> {
    let DeValue::Array(values) = value.get_ref() else { return None };
    let text = |value: &SettingValue| match value.get_ref() {
        DeValue::String(text) => Some(text.to_string()),
        _ => None,
    };
    values.iter().map(text).collect()
}

fn number(value: &SettingValue) -> Option<u32> {
    match value.get_ref() {
        DeValue::Integer(number) => number.as_str().parse().ok(),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use expect_test::{Expect, expect};
    use sequent_kernel::model::Question;
    use sequent_kernel::source::Sources;

    use super::*;

    fn check(text: &str, expected: Expect) {
        let mut sources = Sources::new();
        let file = sources.add("sequent.toml", text);
        let (settings, diagnostics) = read(file, sources.get(file));
        let mut actual = format!("{:?}\n", settings.system);
        settings
            .checks
            .iter()
            .for_each(|check| actual += &format!("{:?} {:?}\n", check.question, check.expected));
        for diagnostic in diagnostics {
            let at = sources.position(diagnostic.span);
            let hint = diagnostic.hint.clone().unwrap_or_default();
            actual +=
                &format!("{}:{} {} {} {hint}\n", at.line, at.column, diagnostic.name(), diagnostic.message);
        }
        expected.assert_eq(&actual);
    }

    #[test]
    fn settings_and_checks() {
        check(
            "[system]\ncommunication = \"bag\"\ncapacity = 3\n[[check]]\nforbidden = \"Twice\"\nanchor = \"start\"\nwithin = 5\nexpect = \"fails\"\n",
            expect![[r#"
                SystemSettings { communication: Some(Bag), capacity: Some(3), steps: None, completion: None, closed: None, fairness: None, effects: Ordered, objects: [], links: [] }
                Scenario(Scenario { interaction: Some(FormulaWord { text: "Twice", place: Place(Span { file: FileId(0), start: 67, end: 72 }) }), quantifier: Forbidden, anchor: Start, alphabet: All, within: Some(5), effects: Ordered }) Some(Fails)
            "#]],
        );
    }

    #[test]
    fn formulas_are_read_at_once() {
        let mut sources = Sources::new();
        let text = "[[check]]\nltl = \"G paid\"\ntarget = \"Order\"\n[[check]]\nltl = 'F (sent(a) & )'\n";
        let file = sources.add("sequent.toml", text);
        let (settings, diagnostics) = read(file, sources.get(file));
        let [check] = settings.checks.as_slice() else { panic!("one check is right") };
        let Question::Ltl(property) = &check.question else { panic!("it is a formula") };
        assert_eq!(sources.text(property.formula.place.0), "G paid");
        assert_eq!(sources.text(check.target.as_ref().expect("a target").place.0), "Order");
        let [problem] = diagnostics.as_slice() else { panic!("{diagnostics:?}") };
        assert_eq!((problem.code, sources.text(problem.span)), (Code::BadFormula, "&"));
    }

    #[test]
    fn mistakes_are_named_on_their_line() {
        check(
            "[sytem]\nx = 1\n[system]\ncomunication = \"bag\"\ncapacity = -1\n[[check]]\nltl = 3\n[lint]\nallow = [\"W999\"]\n",
            expect![[r#"
                SystemSettings { communication: None, capacity: None, steps: None, completion: None, closed: None, fairness: None, effects: Ordered, objects: [], links: [] }
                1:2 W403 `sytem` is not a setting here did you mean `system`?
                4:1 W403 `comunication` is not a setting here did you mean `communication`?
                5:12 E404 this must be a whole number from 1 to 1000 
                7:7 E404 this is not a value for `ltl`: it is a formula, as a text 
                9:10 E404 this is not the code of a finding `sequent explain` lists all codes
            "#]],
        );
    }

    #[test]
    fn a_check_asks_one_thing_with_its_own_settings() {
        check(
            "[[check]]\nltl = \"G a\"\nsafe = \"No\"\n[[check]]\nltl = \"G a\"\nmode = \"weakly\"\nanchor = \"start\"\nwithin = 3\n[[check]]\nsafe = \"No\"\nmode = \"weak\"\nexpect = \"fail\"\n[[check]]\npossible = \"X\"\nanchor = \"begin\"\nalphabet = \"some\"\nwithin = \"3\"\nmode = \"weakly\"\n[lint]\ndeny = [\"warning\"]\nallow = [\"warning\"]\n",
            expect![[r#"
                SystemSettings { communication: None, capacity: None, steps: None, completion: None, closed: None, fairness: None, effects: Ordered, objects: [], links: [] }
                1:1 E404 a check asks one thing, and this one asks ltl and safe 
                6:1 E404 `mode` belongs to safe, not to `ltl` 
                7:1 E404 `anchor` belongs to possible, forbidden, required or whenever, not to `ltl` 
                8:1 E404 `within` belongs to possible, forbidden, required or reachable, not to `ltl` 
                11:8 E404 this is not a value for `mode`: it is strongly or weakly 
                12:10 E404 this is not a value for `expect`: it is holds, fails or unknown 
                15:10 E404 this is not a value for `anchor`: it is anywhere or start 
                16:12 E404 this is not a value for `alphabet`: it is all, own, channels or own-objects 
                17:10 E404 this is not a value for `within`: it is a whole number 
                18:1 E404 `mode` belongs to safe, not to `possible` 
                20:9 E404 this is not the code of a finding did you mean `warnings`?
                21:10 E404 this is not the code of a finding `sequent explain` lists all codes
            "#]],
        );
    }
}
