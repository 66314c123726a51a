//! Questions as they are put: a System, and what is looked for in its runs.
//!
//! Whatever people ask, in the end somebody is asked for a run of a System. A [`Posed`] question is all that an engine, an outside
//! tool or an exporter gets to know of it, so it is put together in one place only, and all of them are asked the same. Who
//! answers it makes of it what is needed: clauses ([`Posed::question`]), a model for a tool, or a copy that outlives
//! the asking ([`Copied`]), from which files are written.

use sequent_engine::sat::encoding::{Pace, Unwritten};
use sequent_engine::sat::question::Question;
use sequent_kernel::model::Communication;
use sequent_kernel::property::table::Table;
use sequent_kernel::system::{System, TermId, VariableId};
use sequent_report::export;

use crate::court::Legend;
use crate::outside::Wanted;

/// A question about the runs of a System.
pub struct Posed<'q> {
    /// Whose runs.
    pub system: &'q System,
    /// What is looked for.
    pub wanted: Wanted<'q>,
    /// How much happens at a position, where positions are counted.
    pub pace: Pace,
    /// After how many positions an attempt must have begun at the latest: an observer may remember nothing that has the depth 0
    /// from then on.
    pub begins: Option<u32>,
    /// How many positions a run may have at most.
    pub within: Option<usize>,
    /// Which part of what was asked this is, in words; empty if it is all.
    pub part: String,
    /// Whether the diagram that asks has more traces than are looked for, as its loops have no room for them.
    pub is_narrow: bool,
}

/// How much happens at a position where objects communicate so: transactions, where they meet.
pub fn pace(communication: Communication) -> Pace {
    match communication {
        Communication::Rendezvous => Pace::Together,
        Communication::Queue | Communication::Bag => Pace::Single,
    }
}

impl<'q> Posed<'q> {
    /// A question about runs of any length.
    pub fn new(system: &'q System, wanted: Wanted<'q>) -> Self {
        Posed {
            system,
            wanted,
            pace: Pace::Single,
            begins: None,
            within: None,
            part: String::new(),
            is_narrow: false,
        }
    }

    /// The question as clauses.
    pub fn question(&self) -> Result<Question<'q>, Unwritten> {
        let table;
        let wanted = match &self.wanted {
            Wanted::Stuck => export::Wanted::Stuck,
            Wanted::Goal(goal) => export::Wanted::Goal(*goal),
            Wanted::Observed(write) => {
                table = write()?;
                export::Wanted::Observed(&table)
            }
        };
        Ok(question(self.system, &wanted, self.pace, self.begins)?.within(self.within))
    }

    /// A copy of it, with names for values.
    pub fn copied(&self, legend: &Legend) -> Result<Copied, Unwritten> {
        let wanted = match &self.wanted {
            Wanted::Stuck => Sought::Stuck,
            Wanted::Goal(goal) => Sought::Goal(*goal),
            Wanted::Observed(write) => Sought::Observed(write()?),
        };
        Ok(Copied {
            system: self.system.clone(),
            sought: wanted,
            pace: self.pace,
            begins: self.begins,
            within: self.within,
            part: self.part.clone(),
            is_narrow: self.is_narrow,
            legend: legend.values.clone(),
            queues: legend.queues.clone(),
        })
    }
}

fn question<'q>(
    system: &'q System,
    wanted: &export::Wanted<'_>,
    pace: Pace,
    begins: Option<u32>,
) -> Result<Question<'q>, Unwritten> {
    match wanted {
        export::Wanted::Stuck => Question::stuck(system, pace),
        export::Wanted::Goal(goal) => Question::goal(system, pace, *goal),
        export::Wanted::Observed(table) => Question::of(system, pace, table, begins),
    }
}

/// A question that stands by itself.
#[derive(Clone, Debug)]
pub struct Copied {
    /// Whose runs.
    pub system: System,
    /// What is looked for.
    pub sought: Sought,
    /// How much happens at a position, where positions are counted.
    pub pace: Pace,
    /// After how many positions an attempt must have begun at the latest.
    pub begins: Option<u32>,
    /// How many positions a run may have at most.
    pub within: Option<usize>,
    /// Which part of what was asked this is, in words; empty if it is all.
    pub part: String,
    /// Whether the diagram that asks has more traces than are looked for.
    pub is_narrow: bool,
    /// Names for values.
    pub legend: export::Legend,
    /// The variables in which messages wait for an object, in their order.
    pub queues: Vec<Vec<VariableId>>,
}

/// What is looked for.
#[derive(Clone, Debug)]
pub enum Sought {
    /// A state without any step that is no proper end.
    Stuck,
    /// A state in which a predicate holds.
    Goal(TermId),
    /// A run that an observer accepts.
    Observed(Table),
}

impl Copied {
    /// A System that gets stuck.
    pub fn stuck(system: System) -> Self {
        Copied {
            system,
            sought: Sought::Stuck,
            pace: Pace::Single,
            begins: None,
            within: None,
            part: String::new(),
            is_narrow: false,
            legend: export::Legend::new(),
            queues: Vec::new(),
        }
    }

    /// What is looked for, for whoever writes it down.
    pub fn wanted(&self) -> export::Wanted<'_> {
        match &self.sought {
            Sought::Stuck => export::Wanted::Stuck,
            Sought::Goal(goal) => export::Wanted::Goal(*goal),
            Sought::Observed(table) => export::Wanted::Observed(table),
        }
    }

    /// The question as clauses.
    pub fn question(&self) -> Result<Question<'_>, Unwritten> {
        let question = question(&self.system, &self.wanted(), self.pace, self.begins)?;
        Ok(question.within(self.within))
    }

    /// For formats that know runs of any length from the start, and nothing of when an attempt begins or how long it may take.
    pub fn unbounded(&self) -> Result<(), String> {
        match (self.begins, self.within) {
            (None, None) => Ok(()),
            (Some(most), _) => Err(format!("what is looked for must begin within {most} steps")),
            (None, Some(most)) => Err(format!("what is looked for must be reached within {most} steps")),
        }
    }
}
