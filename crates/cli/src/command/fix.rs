//! `sequent check --fix`: applies the fixes of findings to the files.
//!
//! All fixes are tried at once on texts in memory. They are kept if their findings are gone and no error is
//! new; else either half of them is tried, and so on. As a fix may reveal another finding, this is repeated until there are
//! no fixes left. Only then files are written. What is left is told, and why.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use sequent::fix;
use sequent::pipeline::{self, Outcome};
use sequent_kernel::diagnostic::{Code, Diagnostic, Edit, Fix, Severity};
use sequent_kernel::source::{FileId, Span};
use sequent_kernel::verdict::{Answer, Verdict};

use super::subject::apply;
use super::{SettingsScope, Systems, read_systems};
use crate::cli::{self, Common};
use crate::roots::{self, DraftTexts};
use crate::{files, output};

/// Rounds of fixes that show new ones.
const MOST_ROUNDS: usize = 20;

/// The fix of each finding that has one.
pub(crate) fn all(findings: &[Diagnostic], read: &Systems) -> Vec<Option<Fix>> {
    findings.iter().map(|finding| known(finding, read)).collect()
}

fn known(finding: &Diagnostic, read: &Systems) -> Option<Fix> {
    let mut systems = read.systems.iter();
    systems.find_map(|system| fix::fix(finding, &system.reading.documents, &read.sources))
}

/// Mends what can be mended, and tells how much that is and what is left.
pub(crate) fn run(options: &cli::CheckArguments, common: &Common) -> Result<(), String> {
    let mut desk = FixedTexts::new(options, common);
    let mut rounds = 0;
    while rounds < MOST_ROUNDS && desk.round()? {
        rounds += 1;
    }
    desk.write("finding")?;
    desk.left.iter().for_each(|left| output::warn(&format!("{left}\n")));
    if rounds == MOST_ROUNDS {
        output::warn("each fix shows another finding; `--fix` again goes on\n");
    }
    Ok(())
}

/// Removes suppressions that suppress nothing; whether there are any. That is known once everything was looked at.
pub(crate) fn idle(
    options: &cli::CheckArguments,
    common: &Common,
    read: &Systems,
    outcome: &Outcome,
) -> Result<bool, String> {
    let is_open = |answer: &Answer| matches!(answer.verdict, Verdict::Unknown(_));
    let idle: Vec<Diagnostic> =
        outcome.diagnostics.iter().filter(|one| one.code == Code::IdleSuppression).cloned().collect();
    if idle.is_empty() || outcome.answers.iter().any(is_open) {
        return Ok(false);
    }
    let mut desk = FixedTexts::new(options, common);
    let fixes = desk.certain(read, &idle);
    let before = desk.findings(read);
    if let FixAttempt::Better(kept) = desk.attempt((read, &before), &KeptFixes::default(), &fixes)? {
        desk.take(kept);
        desk.write("suppression")?;
        return Ok(true);
    }
    Ok(false)
}

/// A finding and what does away with it.
type Candidate<'f> = (&'f Diagnostic, Fix);

/// Fixes that are kept, the texts that they make, and how many findings are gone.
#[derive(Default)]
struct KeptFixes<'f> {
    fixes: Vec<&'f Candidate<'f>>,
    drafts: DraftTexts,
    fixed: usize,
}

/// What comes of trying fixes.
enum FixAttempt<'f> {
    Better(KeptFixes<'f>),
    /// Why they are not kept.
    Worse(String),
}

/// The texts as they are so far.
struct FixedTexts<'a> {
    options: &'a cli::CheckArguments,
    common: &'a Common,
    drafts: DraftTexts,
    fixed: usize,
    /// What the last round left, and why.
    left: Vec<String>,
}

impl<'a> FixedTexts<'a> {
    fn new(options: &'a cli::CheckArguments, common: &'a Common) -> Self {
        FixedTexts { options, common, drafts: DraftTexts::new(), fixed: 0, left: Vec::new() }
    }

    /// Tries all fixes that there are; whether one was kept.
    fn round(&mut self) -> Result<bool, String> {
        let read = self.read(&self.drafts)?;
        let before = self.findings(&read);
        let fixes = self.certain(&read, &before);
        let own = before.iter().filter(|finding| self.is_own(&read, finding.span.file));
        let open = own.filter(|finding| known(finding, &read).is_some_and(|fix| !fix.is_certain)).count();
        self.left.clear();
        let mut kept = KeptFixes::default();
        self.settle((&read, &before), &fixes, &mut kept)?;
        if open > 0 {
            self.left
                .push(format!("{} left to a decision: editors offer the fix", counting(open, "finding")));
        }
        let is_better = kept.fixed > 0;
        if is_better {
            self.take(kept);
        }
        Ok(is_better)
    }

    /// Keeps as many of some fixes as can be.
    fn settle<'f>(
        &mut self,
        seen: (&Systems, &[Diagnostic]),
        fixes: &'f [Candidate<'f>],
        kept: &mut KeptFixes<'f>,
    ) -> Result<(), String> {
        if fixes.is_empty() {
            return Ok(());
        }
        match (self.attempt(seen, kept, fixes)?, fixes) {
            (FixAttempt::Better(better), _) => *kept = better,
            (FixAttempt::Worse(why), [(finding, _)]) => {
                let sources = &seen.0.sources;
                let (place, name) = (sources.position(finding.span), &sources.get(finding.span.file).name);
                let (line, column, code) = (place.line, place.column, finding.name());
                self.left.push(format!("{name}:{line}:{column}: {code} is left: {why}"));
            }
            (FixAttempt::Worse(_), _) => {
                let (first, second) = fixes.split_at(fixes.len() / 2);
                self.settle(seen, first, kept)?;
                self.settle(seen, second, kept)?;
            }
        }
        Ok(())
    }

    /// What comes of more fixes than those that are kept.
    fn attempt<'f>(
        &self,
        (read, before): (&Systems, &[Diagnostic]),
        kept: &KeptFixes<'f>,
        more: &'f [Candidate<'f>],
    ) -> Result<FixAttempt<'f>, String> {
        let fixes: Vec<&'f Candidate<'f>> = kept.fixes.iter().copied().chain(more).collect();
        let mut drafts = self.drafts.clone();
        let edits = fix::chosen(fixes.iter().map(|(_, fix)| fix));
        for (file, text) in fix::apply(&edits, &read.sources) {
            drafts.insert(path(&read.sources.get(file).name)?, text.into());
        }
        let changed = self.read(&drafts)?;
        let after = self.findings(&changed);
        let is_gone = |finding: &&Diagnostic| {
            let (name, start) = (&read.sources.get(finding.span.file).name, moved(finding.span, &edits));
            !after.iter().any(|other| {
                (other.code, &other.message, other.span.start) == (finding.code, &finding.message, start)
                    && changed.sources.get(other.span.file).name == *name
            })
        };
        let mended = fixes.iter().filter(|(_, fix)| fix.edits.iter().all(|edit| edits.contains(edit)));
        let fixed = mended.map(|(finding, _)| *finding).filter(is_gone).count();
        let touched = touched(&edits, read, &changed);
        let is_revealed = |one: &Diagnostic| {
            let source = changed.sources.get(one.span.file);
            let is_same = |finding: &Diagnostic| read.sources.get(finding.span.file).name == source.name;
            fixes.iter().any(|(finding, _)| is_same(finding) && fix::reveals(finding, one))
                && !touched.contains(&(source.name.as_str(), source.position(one.span.start).line))
        };
        let after: Vec<Diagnostic> = after.iter().filter(|one| !is_revealed(one)).cloned().collect();
        Ok(match new_error(before, &after) {
            Some(error) => FixAttempt::Worse(format!("the fix would bring {}: {}", error.0.name(), error.1)),
            None if fixed <= kept.fixed => FixAttempt::Worse("the fix would not do away with it".to_owned()),
            None => FixAttempt::Better(KeptFixes { fixes, drafts, fixed }),
        })
    }

    fn take(&mut self, kept: KeptFixes<'_>) {
        self.drafts = kept.drafts;
        self.fixed += kept.fixed;
    }

    /// Writes the files, and tells how many of what kind are gone.
    fn write(&self, kind: &str) -> Result<(), String> {
        for (path, text) in &self.drafts {
            output::write(path, text.as_bytes())?;
        }
        let (fixed, files) = (counting(self.fixed, kind), counting(self.drafts.len(), "file"));
        let verb = if kind == "finding" { "fixed" } else { "removed" };
        output::warn(&format!("{fixed} {verb} in {files}\n"));
        Ok(())
    }

    /// The fixes that need no decision, of findings in files that were given.
    fn certain<'f>(&self, read: &Systems, found: &'f [Diagnostic]) -> Vec<Candidate<'f>> {
        let own = found.iter().filter(|finding| self.is_own(read, finding.span.file));
        let fixes = own.filter_map(|finding| Some((finding, known(finding, read)?)));
        fixes.filter(|(_, fix)| fix.is_certain).collect()
    }

    fn read(&self, drafts: &DraftTexts) -> Result<Systems, String> {
        let mut read = read_systems(&self.options.paths, self.common, false, true, drafts)?;
        for system in &mut read.systems {
            apply(self.options, &mut system.settings)?;
        }
        Ok(read)
    }

    fn findings(&self, read: &Systems) -> Vec<Diagnostic> {
        let of = |system: &SettingsScope| {
            let mut found = pipeline::lint(&system.reading, &system.settings);
            found.retain(|finding| !system.beside.contains(&finding.span.file));
            found
        };
        read.systems.iter().flat_map(of).collect()
    }

    /// Whether a file was given, and is on the disk as it was read.
    fn is_own(&self, read: &Systems, file: FileId) -> bool {
        let name = &read.sources.get(file).name;
        let is_given = read.systems.iter().any(|system| system.files().any(|own| own == file))
            || files::covers(&self.options.paths, Path::new(name));
        let has_draft = || path(name).is_ok_and(|path| self.drafts.contains_key(&path));
        let is_same = || {
            files::bytes(Path::new(name)).is_ok_and(|bytes| bytes == read.sources.get(file).text.as_bytes())
        };
        is_given && (has_draft() || is_same())
    }
}

fn path(name: &str) -> Result<PathBuf, String> {
    let absolute = std::path::absolute(name).map_err(|error| format!("`{name}`: {error}"))?;
    Ok(roots::plain(&absolute))
}

/// Findings of the same kind that say the same, counted; their places may have moved.
fn counted<'d>(findings: impl Iterator<Item = &'d Diagnostic>) -> BTreeMap<(Code, &'d str), usize> {
    let mut counts = BTreeMap::new();
    for finding in findings {
        *counts.entry((finding.code, finding.message.as_str())).or_default() += 1;
    }
    counts
}

/// Where something begins after changes before it.
fn moved(span: Span, edits: &[Edit]) -> u32 {
    let before = edits.iter().filter(|edit| edit.span.file == span.file && edit.span.end <= span.start);
    let shift = |edit: &Edit| edit.text.len() as i64 - edit.span.range().len() as i64;
    // What is added right before it does not move a finding that is about the gap itself.
    let shift: i64 = before.filter(|edit| edit.span.start < span.start).map(shift).sum();
    u32::try_from(i64::from(span.start) + shift).unwrap_or(span.start)
}

/// The lines of files that changes made, by the name of the file.
fn touched<'c>(edits: &[Edit], read: &Systems, changed: &'c Systems) -> BTreeSet<(&'c str, u32)> {
    let mut lines = BTreeSet::new();
    for edit in edits {
        let name = &read.sources.get(edit.span.file).name;
        let Some(file) = changed.sources.named(name) else { continue };
        let source = changed.sources.get(file);
        let start = moved(edit.span, edits);
        let end = start + edit.text.trim_end().len() as u32;
        let lines_of = source.position(start).line..=source.position(end).line;
        lines.extend(lines_of.map(|line| (source.name.as_str(), line)));
    }
    lines
}

/// An error that was not there.
fn new_error<'d>(before: &[Diagnostic], after: &'d [Diagnostic]) -> Option<(Code, &'d str)> {
    let errors = |found: &'d [Diagnostic]| found.iter().filter(|one| one.severity == Severity::Error);
    let old = before.iter().filter(|one| one.severity == Severity::Error);
    let old = counted(old);
    counted(errors(after))
        .into_iter()
        .find(|(key, count)| old.get(key).is_none_or(|old| old < count))
        .map(|(key, _)| key)
}

fn counting(count: usize, kind: &str) -> String {
    format!("{count} {kind}{}", if count == 1 { "" } else { "s" })
}
