//! LTL: the formula templates of P0 for a diagram, and what diagrams forbid and require of others.

use sequent::ask::Claim;
use sequent::export::{claimed, observers};
use sequent_kernel::model::{InteractionId, Mode, Model};
use sequent_kernel::property::diagram::{DiagramRole, role};
use sequent_kernel::semantics::{Assumptions, Unsupported};
use sequent_kernel::templates::{
    Template, TemplateLetter, TemplateOptions, Templates, Tense, instantiate, templates,
};
use sequent_notation::formula::{FormulaNotation, print_in};
use sequent_report::export::{self, FormulaSpelling, Section};

use super::subject::{Shortened, shortened};
use super::{ExportResult, question};
use crate::cli::{Export, FormulaStyle};
use crate::command::Session;
use crate::command::subject::{assumptions, choose, not_run, warn_of_gaps};

/// The diagrams that are asked for: those named, or all.
fn subjects(model: &Model, names: &[String]) -> Result<Vec<InteractionId>, String> {
    match names {
        [] if model.interactions.is_empty() => Err("there is no sequence diagram".to_owned()),
        [] => Ok(model.interactions.ids().collect()),
        names => names.iter().map(|name| choose(model, Some(name))).collect(),
    }
}

/// What is written about one diagram.
struct DiagramFormulas {
    title: String,
    notes: Vec<String>,
    templates: Vec<Template>,
}

/// The formulas of the diagrams that are asked for.
pub(crate) fn write(session: &Session, options: &Export) -> Result<ExportResult, String> {
    let model = &session.reading.model;
    let of = options.model.as_deref().map(|name| choose(model, Some(name))).transpose()?;
    let mut subjects = subjects(model, &options.interaction)?;
    subjects.retain(|id| Some(*id) != of);
    let style = match options.style {
        FormulaStyle::Sequent => FormulaNotation::Sequent,
        FormulaStyle::Spin => FormulaNotation::Spin,
        FormulaStyle::Nusmv => FormulaNotation::NuSmv,
    };
    let tense = if style == FormulaNotation::Spin { Tense::Future } else { Tense::Past };
    let wishes = TemplateOptions { tense, is_partial: subjects.len() > 1 };
    let mut written = Vec::new();
    for id in subjects {
        warn_of_gaps(session, id);
        let assumptions = assumptions(&options.meaning, session, id)?;
        let made = match of {
            Some(of) => Ok(property(session, options, [id, of], &assumptions)?),
            None => {
                let short = shortened(session, options, model, id)?;
                diagram(&short, id, assumptions, wishes)
            }
        };
        match made {
            Ok(made) => written.push(made),
            Err(unsupported) => return Ok(ExportResult::Nothing(not_run(session, &unsupported))),
        }
    }
    let sections = written.iter().map(|one| Section {
        title: one.title.clone(),
        notes: one.notes.clone(),
        templates: &one.templates,
    });
    let sections: Vec<Section> = sections.collect();
    let spelling = FormulaSpelling {
        comment: if style == FormulaNotation::Spin { "//" } else { "--" },
        is_foreign: style != FormulaNotation::Sequent,
        print: &|formula| print_in(formula, style),
    };
    Ok(ExportResult::Text(export::ltl(&sections, &spelling)))
}

/// The valid traces of a diagram.
fn diagram(
    short: &Shortened,
    id: InteractionId,
    assumptions: Assumptions,
    wishes: TemplateOptions,
) -> Result<DiagramFormulas, Unsupported> {
    let assumptions = Assumptions { without_negatives: true, ..assumptions };
    let made = templates(&short.model, id, &assumptions, wishes)?;
    let title = title(&short.model.interactions[id].name, wishes);
    Ok(DiagramFormulas { title, notes: notes(&made, short.note.as_deref()), templates: made.list })
}

/// What a diagram forbids and demands of another.
fn property(
    session: &Session,
    options: &Export,
    [id, of]: [InteractionId; 2],
    assumptions: &Assumptions,
) -> Result<DiagramFormulas, String> {
    let model = &session.reading.model;
    let claims: &[(&str, Claim<'_>)] = match role(model, id) {
        DiagramRole::Model => &[],
        DiagramRole::Forbidden(_) => {
            &[("strongly safe", Claim::Safe(id, Mode::Strong)), ("weakly safe", Claim::Safe(id, Mode::Weak))]
        }
        DiagramRole::Mandatory(_) => &[("consistent", Claim::Consistent(id))],
    };
    let [name, subject] = [id, of].map(|id| model.interactions[id].name.as_str());
    let mut found = Vec::new();
    for (about, claim) in claims {
        let observers =
            question::for_all_guards(session, options, |agenda| observers(claimed(agenda, of, *claim)?));
        let unsaid = |reason: &str| format!("`{subject}: {about} from {name}` is no formula: {reason}");
        for observed in observers.map_err(|reason| unsaid(&reason))? {
            let formula = observed.formula(model.interactions[id].place);
            let formula = formula.map_err(|reason| unsaid(reason.words()))?;
            let formula = instantiate(&formula, &assumptions.guards);
            found.push(Template { letter: TemplateLetter::Omega, about: (*about).to_owned(), formula });
        }
    }
    let title = match found.is_empty() {
        true => format!("{name} neither forbids nor demands anything at its top"),
        false => format!("{name}: what must hold in every run of {subject}"),
    };
    Ok(DiagramFormulas { title, notes: Vec::new(), templates: found })
}

fn title(name: &str, wishes: TemplateOptions) -> String {
    match wishes.is_partial {
        true => format!("{name}: what it adds to a run; all formulas hold on a run that shows it"),
        false => format!("{name}: its traces are the runs on which all of these formulas hold"),
    }
}

fn notes(templates: &Templates, cut: Option<&str>) -> Vec<String> {
    let mut notes = Vec::new();
    if !templates.rigids.is_empty() {
        notes.push(format!("one value throughout a run: {}", templates.rigids.join(", ")));
    }
    if let Some(cut) = cut {
        notes.push(format!("{cut} It is meant for all n:"));
        notes.push(
            "  the templates of iteration n for the occurrences OS[n], and on each lifeline \
             kappa: !OS_q[n+1] U~ O OS_p[n]"
                .to_owned(),
        );
    }
    notes
}
