//! Which diagram a question is about, and under which assumptions.

use std::collections::BTreeSet;

use sequent::pipeline::Reading;
use sequent::settings::Settings;
use sequent_kernel::diagnostic::{Diagnostic, Severity, nearest};
use sequent_kernel::lint::interaction::unknown_types;
use sequent_kernel::model::{Fragment, InteractionId, Model};
use sequent_kernel::property::diagram::{DiagramRole, role};
use sequent_kernel::semantics::objects::{Objects, local, lower_objects, structure};
use sequent_kernel::semantics::{Assumptions, Switches, Unsupported, guards};

use super::Session;
use crate::cli;
use crate::output;

/// The exit code of an undecided question.
pub(crate) const UNDECIDED: u8 = 3;

/// Says that a diagram holds something that cannot be run; the exit code for it.
pub(crate) fn not_run(session: &Session, unsupported: &Unsupported) -> u8 {
    let at = session.sources.position(unsupported.place.0);
    let file = &session.sources.get(unsupported.place.0.file).name;
    output::complain(&format!("undecided: {file}:{}: {} is not run", at.line, unsupported.what));
    UNDECIDED
}

/// The diagram of this name, or the only one.
pub(crate) fn choose(model: &Model, name: Option<&str>) -> Result<InteractionId, String> {
    let names = || model.interactions.iter().map(|interaction| interaction.name.as_str());
    match (name, model.interactions.len()) {
        (_, 0) => Err("there is no sequence diagram".to_owned()),
        (None, _) => {
            // Properties and what is forbidden are about the only diagram that says what happens.
            let is_model =
                |id: &InteractionId| model.interactions.len() == 1 || role(model, *id) == DiagramRole::Model;
            let models: Vec<InteractionId> = model.interactions.ids().filter(is_model).collect();
            if let [only] = models.as_slice() {
                return Ok(*only);
            }
            let all: Vec<&str> = names().collect();
            Err(format!(
                "there are several sequence diagrams, name one with --interaction: {}",
                all.join(", ")
            ))
        }
        (Some(name), _) => model
            .interactions
            .find(|interaction| interaction.name.eq_ignore_ascii_case(name))
            .ok_or_else(|| {
                let hint = nearest(name, names())
                    .map(|near| format!("; did you mean `{near}`?"))
                    .unwrap_or_default();
                format!("no interaction is called `{name}`{hint}")
            }),
    }
}

/// The state machines of the only folder that has some, as a system; `about` names the diagram whose lifelines are objects.
pub(crate) fn gather(
    session: &Session,
    about: Option<InteractionId>,
) -> Result<Result<Objects, Unsupported>, String> {
    let (objects, problems) = objects(&session.reading, about)?;
    session.complain(problems.iter().filter(|problem| problem.severity == Severity::Error));
    Ok(objects)
}

/// The same, and what is wrong with the objects.
pub(crate) fn objects(
    reading: &Reading,
    about: Option<InteractionId>,
) -> Result<(Result<Objects, Unsupported>, Vec<Diagnostic>), String> {
    let Reading { model, folders, .. } = reading;
    let machines = model.machines.iter().map(|machine| machine.place.0.file);
    let files = machines.chain(about.map(|id| model.interactions[id].place.0.file));
    let named: BTreeSet<&str> = files.filter_map(|file| folders.get(&file)).map(String::as_str).collect();
    let folder = match named.into_iter().collect::<Vec<&str>>().as_slice() {
        [only] => *only,
        [] => return Err("there is no state machine".to_owned()),
        several => {
            return Err(format!(
                "there are state machines in several folders, give one: {}",
                several.join(", ")
            ));
        }
    };
    let model = &*local(model, folders, folder);
    let (structure, problems) = structure(model, folders, folder, about);
    Ok((lower_objects(model, &structure, &model.system), problems))
}

/// What the options and the settings say about the meaning of diagrams.
pub(crate) fn assumptions(
    options: &cli::MeaningArguments,
    session: &Session,
    id: InteractionId,
) -> Result<Assumptions, String> {
    let mut assumptions =
        Assumptions { switches: session.settings.switches.clone(), ..Assumptions::default() };
    for assume in &options.assume {
        let (name, value) =
            assume.rsplit_once('=').ok_or_else(|| format!("--assume {assume}: write NAME=true"))?;
        let value = value.parse().map_err(|_| format!("--assume {assume}: the value is true or false"))?;
        match guard(&session.reading.model, id, name) {
            Ok(guard) => assumptions.guards.insert(guard, value),
            Err(problem) => {
                output::complain(&format!("--assume {assume} changes nothing: {problem}"));
                continue;
            }
        };
    }
    set_switches(&mut assumptions.switches, &options.switch)?;
    Ok(assumptions)
}

/// The guard of this text, spaces and case aside.
fn guard(model: &Model, id: InteractionId, text: &str) -> Result<String, String> {
    let plain = |text: &str| text.split_whitespace().collect::<String>().to_lowercase();
    let guards = guards(model, id);
    if guards.iter().any(|guard| guard == text) {
        return Ok(text.to_owned());
    }
    let alike: Vec<&String> = guards.iter().filter(|guard| plain(guard) == plain(text)).collect();
    match (alike.as_slice(), guards.is_empty()) {
        ([only], _) => Ok((*only).clone()),
        (_, true) => Err("the diagram has no guard".to_owned()),
        (_, false) => {
            let listed: Vec<String> = guards.iter().map(|guard| format!("`{guard}`")).collect();
            Err(format!("no guard is called `{text}`; there are {}", listed.join(", ")))
        }
    }
}

/// Says what is missing from a diagram that is run nevertheless.
pub(crate) fn warn_of_gaps(session: &Session, id: InteractionId) {
    session.reading.model.interactions[id].walk(&mut |fragment, _| {
        if let Fragment::Use(use_) = fragment {
            if use_.target.is_none() {
                let message = format!("`{}` is in none of the files given; it counts as empty", use_.name);
                output::complain(&message);
            }
        }
    });
    let Reading { model, folders, .. } = &session.reading;
    session.complain(unknown_types(model, folders, id).iter());
}

/// What the command line says, which counts more than any file.
pub(crate) fn apply(options: &cli::CheckArguments, settings: &mut Settings) -> Result<(), String> {
    for what in &options.deny {
        let is_vacuous = what == "vacuous";
        settings.vacuous_denied |= is_vacuous;
        if !is_vacuous && !settings.caller.deny(what) {
            return Err(format!("--deny {what}: not `warnings`, `hints`, `vacuous` or a code"));
        }
    }
    for code in &options.allow {
        if !settings.caller.allow(code) {
            return Err(format!("--allow {code}: there is no such code"));
        }
    }
    set_switches(&mut settings.switches, &options.switch)
}

/// Sets switches as `--switch name=value` says.
pub(crate) fn set_switches(switches: &mut Switches, wished: &[String]) -> Result<(), String> {
    for switch in wished {
        let (name, value) =
            switch.split_once('=').ok_or_else(|| format!("--switch {switch}: write NAME=VALUE"))?;
        switches.set(name, value).map_err(|problem| format!("--switch {switch}: {problem}"))?;
    }
    Ok(())
}
