//! Whether a trace belongs to a diagram: the same question for HIBOU, in its own languages.

use std::fmt::Write;

use sequent::classify::classify;
use sequent_kernel::semantics::Assumptions;
use sequent_kernel::system::TraceClass;

use super::{CaseReading, Family, PeerCase};

/// A trace and a diagram.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Membership {
    /// Messages and lifelines, for HIBOU.
    pub signature: String,
    /// The diagram, for HIBOU.
    pub interaction: String,
    /// The events: who, whether it sends, which message, and the text of the event.
    events: Vec<(String, bool, String, String)>,
}

impl Membership {
    /// How many events the trace has.
    pub fn len(&self) -> usize {
        self.events.len()
    }

    /// Whether it has none.
    pub fn is_empty(&self) -> bool {
        self.events.is_empty()
    }

    /// The trace for HIBOU.
    pub fn trace(&self) -> String {
        let event = |(who, sends, message, _): &(String, bool, String, String)| {
            format!("{who}{}{message}", if *sends { '!' } else { '?' })
        };
        format!("{{[#all] {}}}\n", self.events.iter().map(event).collect::<Vec<_>>().join("."))
    }

    /// The same with its first event at the end: no diagram here allows that.
    pub fn broken(&self) -> Membership {
        let mut broken = self.clone();
        broken.events.rotate_left(1);
        broken
    }

    fn add(&mut self, [from, to]: [&str; 2], message: &str, sends: bool) {
        let (who, sign) = if sends { (from, '!') } else { (to, '?') };
        let text = format!("{sign}{from}->{to}:{message}");
        self.events.push((who.to_owned(), sends, message.to_owned(), text));
    }
}

impl PeerCase {
    /// A trace of the diagram in which lifelines are as far apart as they can be; `None` where there is no diagram.
    pub fn membership(&self) -> Option<Membership> {
        let size = self.size?;
        let (lifelines, messages, interaction): (Vec<String>, Vec<String>, String) = match self.family {
            Family::Par => {
                let ends = (0..size).flat_map(|number| [format!("a{number}"), format!("b{number}")]);
                let operand = |number| format!("a{number} -- m{number} -> b{number}");
                let operands: Vec<String> = (0..size).map(operand).collect();
                let messages = (0..size).map(|number| format!("m{number}")).collect();
                (ends.collect(), messages, format!("par({})\n", operands.join(",\n")))
            }
            Family::Loop => {
                let once = "a -- p -> b, b -- q -> c, c -- r -> d";
                let names = |names: &str| names.split(' ').map(str::to_owned).collect();
                (names("a b c d"), names("p q r"), format!("seq({})\n", vec![once; size].join(",\n")))
            }
            Family::Philosophers | Family::Chains | Family::Atm | Family::Isis => return None,
            Family::Commit | Family::Ring | Family::FairRing | Family::Dinner => return None,
            Family::Election | Family::Together | Family::Queues => return None,
        };
        let mut signature = String::new();
        let _ =
            write!(signature, "@message{{{}}}\n@lifeline{{{}}}\n", messages.join(";"), lifelines.join(";"));
        let mut found = Membership { signature, interaction, events: Vec::new() };
        if self.family == Family::Loop {
            (0..size).for_each(|_| found.add(["a", "b"], "p", true));
            for [before, from, to, taken, sent] in [["a", "b", "c", "p", "q"], ["b", "c", "d", "q", "r"]] {
                for _ in 0..size {
                    found.add([before, from], taken, false);
                    found.add([from, to], sent, true);
                }
            }
            (0..size).for_each(|_| found.add(["c", "d"], "r", false));
        } else {
            for sends in [true, false] {
                for number in 0..size {
                    let ends = [format!("a{number}"), format!("b{number}")];
                    found.add([&ends[0], &ends[1]], &format!("m{number}"), sends);
                }
            }
        }
        Some(found)
    }
}

/// Whether the trace belongs to the diagram of a case, from its text on.
pub fn belongs(case: &PeerCase, membership: &Membership) -> Result<bool, String> {
    let read = CaseReading::new(case);
    let id = read.diagram().ok_or("there is no diagram")?;
    let events: Vec<String> = membership.events.iter().map(|(.., text)| text.clone()).collect();
    let classified = classify(read.model(), id, &Assumptions::default(), &events);
    let classified = classified.map_err(|unsupported| format!("{} is not run", unsupported.what))?;
    Ok(classified.class == TraceClass::Valid && classified.fitting == events.len())
}

#[cfg(test)]
mod tests {
    use super::{Family, belongs};

    #[test]
    fn traces_belong_to_their_diagrams_and_broken_ones_do_not() {
        for case in [Family::Par, Family::Loop].into_iter().flat_map(|family| family.cases(&[3])) {
            let membership = case.membership().expect("it is a diagram");
            assert_eq!(belongs(&case, &membership), Ok(true), "{}", membership.trace());
            assert_eq!(belongs(&case, &membership.broken()), Ok(false), "{}", case.name);
        }
    }
}
