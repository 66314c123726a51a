//! `sequent traces`: how many traces a diagram has, and which.
//!
//! A loop without bound keeps a window of iterations. It is widened until what is asked for no longer depends on it: a
//! trace of n events needs no more than n iterations at a time.

use sequent::tell::tell;
use sequent_engine::automaton::{automaton, minimal, prune};
use sequent_engine::search::SearchStop;
use sequent_engine::traces::{self, TraceCount, TraceLimits, Traces};
use sequent_kernel::counter_automaton::{self, CounterAutomatonForm};
use sequent_kernel::model::{InteractionId, Model};
use sequent_kernel::replay::{replay, retrace};
use sequent_kernel::semantics::{Assumptions, Switches, Unsupported, lower};
use sequent_kernel::system::{System, TraceClass};
use sequent_kernel::verdict::Reason;
use sequent_report::escape;
use sequent_report::export;
use sequent_report::reason;
use sequent_report::run::RunDrawingOptions;
use serde_json::json;

use super::picture;
use super::subject::{UNDECIDED, assumptions, choose, not_run, warn_of_gaps};
use crate::cli::{self, AutomatonForm, AutomatonFormat, Common, FormatArgument};
use crate::output;
use crate::watch::ProgressPrinter;

/// Wider windows than these are not tried: for lists, and for automata, which show all of it; nor more sets in them.
const WIDEST: usize = 64;
const MOST_SETS: usize = 20_000;
pub(crate) const WIDEST_AUTOMATON: usize = 4;

/// Without a limit, traces may take this many times the effort of a question of `check`.
const PATIENCE: usize = 4;

pub(crate) fn run(options: &cli::TracesArguments, common: &Common) -> Result<u8, String> {
    let session = super::read(&options.input.paths, common)?;
    let is_broken = session.complain_of_errors();
    let model = &session.reading.model;
    let id = choose(model, options.interaction.as_deref())?;
    warn_of_gaps(&session, id);
    let assumptions = assumptions(&options.meaning, &session, id)?;
    if let (Some(form), Some(format)) = (options.form, options.automaton) {
        let switches = &assumptions.switches;
        return compact(model, id, switches, form, format).map(|()| u8::from(is_broken));
    }
    let mut question = TracesQuestion {
        model,
        id,
        options,
        watcher: ProgressPrinter::bounded(&options.work),
        class: if options.invalid { TraceClass::Invalid } else { TraceClass::Valid },
        is_last: false,
        assumptions: Assumptions { window: 1, ..assumptions },
    };
    let mut narrower = None;
    loop {
        match question.ask() {
            WindowResult::Answered => return Ok(u8::from(is_broken)),
            WindowResult::Inexact(window) => {
                let message = format!("inexact: loop iterations are kept at most {window} apart");
                output::complain(&message);
                return Ok(UNDECIDED);
            }
            WindowResult::Wider(window) => {
                narrower = Some(question.assumptions.window);
                question.assumptions.window = window;
            }
            // Rather an answer that depends on the window than none.
            WindowResult::Stopped(SearchStop::States | SearchStop::Memory, _) if narrower.is_some() => {
                question.assumptions.window = narrower.take().unwrap_or(1);
                question.is_last = true;
            }
            WindowResult::Stopped(stop, sets) => {
                output::complain(&format!("undecided: {}", reached(stop, sets)));
                return Ok(UNDECIDED);
            }
            WindowResult::NotRun(unsupported) => return Ok(not_run(&session, &unsupported)),
            WindowResult::Failed(problem) => return Err(problem),
        }
    }
}

/// Why the exploration stopped, and what was reached: it goes through sets of states, each for the traces that lead to it.
fn reached(stop: SearchStop, sets: usize) -> String {
    let far = match sets {
        0 => "no trace was begun, so many ways are there to choose before the first event".to_owned(),
        1 => "one set of states was seen".to_owned(),
        sets => format!("{sets} sets of states were seen, each with the traces that lead to it"),
    };
    match stop {
        SearchStop::States => {
            format!("this takes too long: {far}; --time and --memory say how much work it may be")
        }
        SearchStop::Watch => format!("time is over: {far}"),
        SearchStop::Memory | SearchStop::Depth => reason::words(&Reason::Stopped(stop, sets)),
    }
}

/// Prints the automaton in a form with variables.
fn compact(
    model: &Model,
    id: InteractionId,
    switches: &Switches,
    form: AutomatonForm,
    format: AutomatonFormat,
) -> Result<(), String> {
    let form = match form {
        AutomatonForm::Counters => CounterAutomatonForm::Counters,
        AutomatonForm::Bits => CounterAutomatonForm::Bits,
    };
    let name = &model.interactions[id].name;
    let made = counter_automaton::compact(model, id, switches, form)?;
    match format {
        AutomatonFormat::Dot => output::print(&export::compact::dot(&made, name)),
        AutomatonFormat::Json => output::print_json(&export::compact::json(&made, name)),
        AutomatonFormat::Hoa => return Err("HOA knows no variables: --form goes with json or dot".to_owned()),
    }
    Ok(())
}

/// How it went with a window.
enum WindowResult {
    /// All was printed.
    Answered,
    /// It was printed, but depends on the window.
    Inexact(usize),
    /// It depends on the window: try this one.
    Wider(usize),
    /// A limit was reached.
    Stopped(SearchStop, usize),
    NotRun(Unsupported),
    Failed(String),
}

struct TracesQuestion<'a> {
    model: &'a Model,
    id: InteractionId,
    options: &'a cli::TracesArguments,
    watcher: ProgressPrinter,
    class: TraceClass,
    /// No wider window is tried.
    is_last: bool,
    assumptions: Assumptions,
}

impl TracesQuestion<'_> {
    fn ask(&self) -> WindowResult {
        let system = match lower(self.model, self.id, &self.assumptions) {
            Ok(system) => system,
            Err(unsupported) => return WindowResult::NotRun(unsupported),
        };
        let mut limits = TraceLimits {
            bytes: self.watcher.bytes(),
            looks: self.watcher.looks(PATIENCE),
            ..TraceLimits::default()
        };
        // A wider window is worth some work, not any.
        if self.assumptions.window > 1 && !self.is_last {
            limits.sets = MOST_SETS;
        }
        // A number alone needs no trace of the whole: what does not touch each other is counted apart.
        if self.options.automaton.is_none() && self.wanted() == 0 {
            let counted = self.watcher.see(|watch| traces::count(&system, self.class, limits, watch));
            return match counted {
                Ok(counted) => self.tell(&system, &counted.count, counted.is_strained, &[], true),
                Err(stop) => WindowResult::Stopped(stop, self.watcher.states()),
            };
        }
        let visited = self.watcher.see(|watch| Traces::explore_watched(&system, limits, watch));
        match visited {
            Ok(traces) if self.options.automaton.is_some() => self.automaton(&system, traces),
            Ok(traces) => {
                let (listed, is_complete) = traces.list_of(self.class, self.wanted());
                let count = traces.count_of(self.class);
                self.tell(&system, &count, traces.is_strained(), &listed, is_complete)
            }
            Err(stop) => WindowResult::Stopped(stop, self.watcher.states()),
        }
    }

    /// How many traces are listed or drawn at most.
    fn wanted(&self) -> usize {
        match (self.options.draw, self.options.list) {
            (Some(number), _) => number,
            (None, true) => self.options.max,
            (None, false) => 0,
        }
    }

    fn name(&self) -> &str {
        &self.model.interactions[self.id].name
    }

    /// Prints the number, or the traces that were listed, unless they depend on the window.
    fn tell(
        &self,
        system: &System,
        count: &TraceCount,
        is_strained: bool,
        listed: &[Vec<&str>],
        is_complete: bool,
    ) -> WindowResult {
        let window = self.assumptions.window;
        let longest = listed.iter().map(Vec::len).max().unwrap_or(0);
        // However wide the window, an infinite number stays infinite.
        let is_counted = *count == TraceCount::Infinite || !is_strained;
        let is_listed = longest <= window || !is_strained;
        if *count == TraceCount::Beyond && self.wanted() == 0 {
            return WindowResult::Stopped(SearchStop::Memory, self.watcher.states());
        }
        if !(is_counted && is_listed) && window < WIDEST && !self.is_last {
            return WindowResult::Wider((window * 2).min(longest.max(window + 1)));
        }
        if self.options.draw.is_some() {
            if let Err(problem) = self.draw(system, listed) {
                return WindowResult::Failed(problem);
            }
        } else {
            self.print(system, count, listed, is_complete, is_counted && is_listed);
        }
        if is_counted && is_listed { WindowResult::Answered } else { WindowResult::Inexact(window) }
    }

    fn print(
        &self,
        system: &System,
        count: &TraceCount,
        listed: &[Vec<&str>],
        complete: bool,
        is_exact: bool,
    ) {
        let count = match count {
            TraceCount::Finite(count) => count.to_string(),
            TraceCount::Infinite => "infinite".to_owned(),
            TraceCount::Beyond => "unknown".to_owned(),
        };
        match self.options.format {
            FormatArgument::Json => {
                let exact = is_exact;
                let mut value = json!({ "interaction": self.name(), "count": count, "complete": complete, "exact": exact });
                if self.options.list {
                    value["traces"] = json!(listed);
                }
                output::print_json(&value);
            }
            FormatArgument::Text if self.options.list => {
                let text: String =
                    listed.iter().map(|trace| format!("{}\n", escape::line(&trace.join(" ")))).collect();
                output::print(&text);
                if !complete {
                    output::complain(&format!("these are {} of {count}", listed.len()));
                }
            }
            FormatArgument::Text => {
                let kind = if self.options.invalid { "invalid trace" } else { "trace" };
                let kind = if count == "1" { kind.to_owned() } else { format!("{kind}s") };
                let endless = match count == "0" && !self.options.invalid && !system.recurrent.is_empty() {
                    true => ", and runs that never end",
                    false => "",
                };
                let count = if count == "infinite" { "infinitely many" } else { &count };
                output::print(&format!("{}: {count} {kind}{endless}\n", escape::line(self.name())));
            }
        }
    }

    /// Draws traces, each as one of the runs that show it.
    fn draw(&self, system: &System, listed: &[Vec<&str>]) -> Result<(), String> {
        if listed.is_empty() {
            output::complain("there is no trace to draw");
        }
        for trace in listed {
            let run = retrace(system, trace, self.class).ok_or("a trace could not be retraced")?;
            replay(system, &run).map_err(|_| "a run could not be replayed".to_owned())?;
            let story = tell(self.model, self.id, system, &run, &RunDrawingOptions::default());
            let bytes = picture::make(&story, self.options.to, output::width())?;
            // A drawing shows only the order on each lifeline; the trace in text shows the order between
            // lifelines.
            if self.options.to == cli::PictureArgument::Text {
                output::print(&format!("{}\n", escape::line(&trace.join(" "))));
            }
            output::print_bytes(&bytes);
            if self.options.to == cli::PictureArgument::Text {
                output::print("\n");
            }
        }
        Ok(())
    }

    fn automaton(&self, system: &System, traces: Traces) -> WindowResult {
        let window = self.assumptions.window;
        let is_exact = !traces.is_strained();
        if !is_exact && window < WIDEST_AUTOMATON && !self.is_last {
            return WindowResult::Wider(window * 2);
        }
        let mut automaton = prune(&automaton(traces, self.class));
        if self.options.minimal {
            automaton = minimal(&automaton);
        }
        match self.options.automaton {
            Some(AutomatonFormat::Dot) => output::print(&export::dot(&automaton, self.name())),
            Some(AutomatonFormat::Hoa) => {
                let events = system.events.iter().map(|event| event.text.as_str());
                output::print(&export::hoa(&automaton, self.name(), events));
            }
            Some(AutomatonFormat::Json) | None => output::print_json(&export::json(&automaton, self.name())),
        }
        if is_exact { WindowResult::Answered } else { WindowResult::Inexact(window) }
    }
}
