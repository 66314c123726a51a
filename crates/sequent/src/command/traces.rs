//! `sequent traces`: how many traces a diagram has, and which.

use sequent::settings::Settings;
use sequent_engine::traces::{Count, Limits, Traces};
use sequent_kernel::diagnostic::nearest;
use sequent_kernel::model::{InteractionId, Model};
use sequent_kernel::semantics::{Assumptions, Unsupported, lower};
use serde_json::json;

use super::Session;
use crate::cli::{self, Common, Format};
use crate::output;

/// The exit code of an undecided question.
const UNDECIDED: u8 = 3;

pub fn run(options: &cli::Traces, common: &Common) -> Result<u8, String> {
    let session = super::read(&options.input.paths, common)?;
    session.complain_of_errors();
    let model = &session.reading.model;
    let id = choose(model, options.interaction.as_deref())?;
    let assumptions = assumptions(&options.meaning, &session.settings)?;
    let system = match lower(model, id, &assumptions) {
        Ok(system) => system,
        Err(unsupported) => return Ok(not_run(&session, &unsupported)),
    };
    let Ok(traces) = Traces::explore(&system, Limits::default()) else {
        output::complain("undecided: there are more states than the limit allows");
        return Ok(UNDECIDED);
    };
    print(&model.interactions[id].name, &traces, options);
    Ok(0)
}

/// Says that a diagram holds something that cannot be run; the exit code for it.
pub fn not_run(session: &Session, unsupported: &Unsupported) -> u8 {
    let at = session.sources.position(unsupported.place.0);
    let file = &session.sources.get(unsupported.place.0.file).name;
    output::complain(&format!("undecided: {file}:{}: {} is not run yet", at.line, unsupported.what));
    UNDECIDED
}

/// The diagram of this name, or the only one.
pub fn choose(model: &Model, name: Option<&str>) -> Result<InteractionId, String> {
    let names = || model.interactions.iter().map(|interaction| interaction.name.as_str());
    match (name, model.interactions.len()) {
        (_, 0) => Err("there is no sequence diagram".to_owned()),
        (None, 1) => Ok(model.interactions.ids().next().expect("there is one")),
        (None, _) => {
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

/// What the options and the settings say about the meaning of diagrams.
pub fn assumptions(options: &cli::Meaning, settings: &Settings) -> Result<Assumptions, String> {
    let mut assumptions = Assumptions { switches: settings.switches.clone(), ..Assumptions::default() };
    for assume in &options.assume {
        let (name, value) =
            assume.rsplit_once('=').ok_or_else(|| format!("--assume {assume}: write NAME=true"))?;
        let value = value.parse().map_err(|_| format!("--assume {assume}: the value is true or false"))?;
        assumptions.guards.insert(name.to_owned(), value);
    }
    for switch in &options.switch {
        let (name, value) =
            switch.split_once('=').ok_or_else(|| format!("--switch {switch}: write NAME=VALUE"))?;
        assumptions.switches.set(name, value).map_err(|problem| format!("--switch {switch}: {problem}"))?;
    }
    Ok(assumptions)
}

fn print(name: &str, traces: &Traces, options: &cli::Traces) {
    let count = match traces.count() {
        Count::Finite(count) => count.to_string(),
        Count::Infinite => "infinite".to_owned(),
    };
    let (listed, complete) = if options.list { traces.list(options.max) } else { (Vec::new(), true) };
    match options.format {
        Format::Json => {
            let mut value = json!({ "interaction": name, "count": count, "complete": complete });
            if options.list {
                value["traces"] = json!(listed);
            }
            output::print(&format!("{value:#}\n"));
        }
        Format::Text if options.list => {
            let mut text: String = listed.iter().map(|trace| format!("{}\n", trace.join(" "))).collect();
            if !complete {
                text += &format!(".. {} of {count}\n", listed.len());
            }
            output::print(&text);
        }
        Format::Text => {
            output::print(&format!("{name}: {count} {}\n", if count == "1" { "trace" } else { "traces" }))
        }
    }
}
