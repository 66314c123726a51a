//! `sequent check --fix`: applies the fixes of findings to the files.
//!
//! All fixes are tried at once on texts in memory. They are kept if their findings are gone and no error is
//! new; else they are tried one by one. As a fix may reveal another finding, this is repeated until there are
//! no fixes left. Only then files are written.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use sequent::fix;
use sequent::pipeline;
use sequent_kernel::diagnostic::{Code, Diagnostic, Edit, Fix, Severity};
use sequent_kernel::source::{FileId, Span};

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

/// Mends what can be mended, and tells how much that is.
pub(crate) fn run(options: &cli::CheckArguments, common: &Common) -> Result<(), String> {
    let mut desk = FixedTexts { options, common, drafts: DraftTexts::new(), fixed: 0 };
    for _ in 0..MOST_ROUNDS {
        if !desk.round()? {
            break;
        }
    }
    for (path, text) in &desk.drafts {
        output::write(path, text.as_bytes())?;
    }
    let (fixed, files) = (desk.fixed, desk.drafts.len());
    let plural = |count: usize| if count == 1 { "" } else { "s" };
    output::warn(&format!("{fixed} finding{} fixed in {files} file{}\n", plural(fixed), plural(files)));
    Ok(())
}

/// The texts as they are so far.
struct FixedTexts<'a> {
    options: &'a cli::CheckArguments,
    common: &'a Common,
    drafts: DraftTexts,
    fixed: usize,
}

impl FixedTexts<'_> {
    /// Tries all fixes that there are; whether one was kept.
    fn round(&mut self) -> Result<bool, String> {
        let read = self.read(&self.drafts)?;
        let before = self.findings(&read);
        let own = before.iter().filter(|finding| self.is_own(&read, finding.span.file));
        let fixes = own.filter_map(|finding| Some((finding, known(finding, &read)?)));
        let fixes: Vec<(&Diagnostic, Fix)> = fixes.filter(|(_, fix)| fix.is_certain).collect();
        if fixes.is_empty() {
            return Ok(false);
        }
        if self.keep(&read, &before, &fixes)? {
            return Ok(true);
        }
        for one in fixes {
            if self.keep(&read, &before, &[one])? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Keeps fixes if they do what they should.
    fn keep(
        &mut self,
        read: &Systems,
        before: &[Diagnostic],
        fixes: &[(&Diagnostic, Fix)],
    ) -> Result<bool, String> {
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
        let is_better = fixed > 0 && !has_new_error(before, &after);
        if is_better {
            self.drafts = drafts;
            self.fixed += fixed;
        }
        Ok(is_better)
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

/// Whether there is an error that was not there.
fn has_new_error(before: &[Diagnostic], after: &[Diagnostic]) -> bool {
    let errors = |found: &[Diagnostic]| -> Vec<Diagnostic> {
        found.iter().filter(|one| one.severity == Severity::Error).cloned().collect()
    };
    let (before, after) = (errors(before), errors(after));
    let before = counted(before.iter());
    counted(after.iter()).iter().any(|(key, count)| before.get(key).is_none_or(|old| old < count))
}
