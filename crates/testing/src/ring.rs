//! A ring of stations that pass a token through their queues, and send jobs to their workers while they have
//! it.
//!
//! A station is critical while it has the token. It counts the jobs that its worker has not done yet, and has
//! at most a given number of them open: so no queue overflows, if there is room for one message more.
//!
//! A lower bound on the number of states: while its station is idle and its own queue empty, a worker and its
//! queue can be in any state with at most as many jobs as may be open, each of two kinds, one of which the
//! worker may be busy with. Each station in turn can bring its worker there and pass the token on without
//! changing the others. With up to 4 jobs these are 31 free states and 2 * 15 busy ones: 61 to the power of
//! the number of stations.

use sequent_kernel::model::{Communication, SystemSettings};
use sequent_kernel::semantics::objects::{Objects, lower_objects, structure};
use sequent_kernel::source::Folders;
use sequent_kernel::system::TermId;

use crate::diagram;

/// A ring of stations, some of which have a token at the beginning.
pub struct Ring {
    /// What it means.
    pub objects: Objects,
    /// Holds where two stations are critical.
    pub both: TermId,
    /// Holds once a queue has overflown or a number has left its range.
    pub fault: TermId,
}

/// A ring of `stations` stations with at most `jobs` open jobs each; the first `tokens` of them have a token.
pub fn ring(stations: usize, jobs: usize, tokens: usize) -> Ring {
    let text: String = (0..stations).map(|number| station(number, stations, jobs, tokens)).collect();
    let settings = SystemSettings {
        communication: Some(Communication::Queue),
        capacity: Some(jobs as u32 + 1),
        ..SystemSettings::default()
    };
    let model = diagram::model(&text);
    let folders: Folders = model.machines.iter().map(|one| (one.place.0.file, String::new())).collect();
    let (structure, _) = structure(&model, &folders, "", None);
    let mut objects = lower_objects(&model, &structure, &settings).expect("it is small");
    let critical: Vec<TermId> = (0..stations)
        .map(|number| {
            let station = objects.named(&format!("S{number}")).expect("it has a name");
            objects.in_state(&model, station, "critical").expect("it has such a state")
        })
        .collect();
    let terms = &mut objects.system.terms;
    let mut pairs = Vec::new();
    for (index, one) in critical.iter().enumerate() {
        pairs.extend(critical[index + 1..].iter().map(|other| terms.and([*one, *other])));
    }
    let both = terms.or(pairs);
    let fault = objects.any_fault();
    Ring { objects, both, fault }
}

fn station(number: usize, stations: usize, jobs: usize, tokens: usize) -> String {
    let next = (number + 1) % stations;
    let begin = if number < tokens { "critical" } else { "idle" };
    format!(
        "@startuml S{number}\n' @attribute open : 0..{jobs} = 0\n[*] --> {begin}\n\
         critical --> critical : after(1) [open < {jobs}] / open++; ^W{number}.job(true)\n\
         critical --> critical : after(1) [open < {jobs}] / open++; ^W{number}.job(false)\n\
         critical --> idle : after(1) / ^S{next}.token\nidle --> critical : token\n\
         critical --> critical : done / open = open - 1\nidle --> idle : done / open = open - 1\n@enduml\n\
         @startuml W{number}\n[*] --> free\nfree --> yes : job(true)\nfree --> no : job(false)\n\
         yes --> free : / ^S{number}.done\nno --> free : / ^S{number}.done\n@enduml\n"
    )
}
