//! Values of arguments that are passed on: random machines that hand on one message, against a walk over all values that are really sent.
//!
//! Nothing but the declared parameters, the sends and the guards says which values there are. A verdict must be that of the walk, or open; it is never about
//! a value that is not sent, nor a fault for one that is.

use std::collections::BTreeSet;

use sequent::effort::Effort;
use sequent::pipeline;
use sequent::settings::Settings;
use sequent_kernel::diagnostic::Code;
use sequent_kernel::random::Random;
use sequent_kernel::source::Sources;
use sequent_kernel::verdict::Verdict;
use sequent_notation::NoFiles;
use sequent_testing::seeds::seeds;

/// Values beyond are not followed: what gets there has no end.
const MOST: i64 = 3_000;

/// What is sent on for a value.
#[derive(Clone, Copy)]
enum Sent {
    Plus(i64),
    Minus(i64),
    Modulo(i64),
    Constant(i64),
}

impl Sent {
    fn text(self) -> String {
        match self {
            Sent::Plus(0) => "p".to_owned(),
            Sent::Plus(n) => format!("p + {n}"),
            Sent::Minus(n) => format!("{n} - p"),
            Sent::Modulo(n) => format!("(p + 1) % {n}"),
            Sent::Constant(n) => n.to_string(),
        }
    }

    fn of(self, p: i64) -> i64 {
        match self {
            Sent::Plus(n) => p + n,
            Sent::Minus(n) => n - p,
            Sent::Modulo(n) => (p + 1) % n,
            Sent::Constant(n) => n,
        }
    }
}

#[derive(Clone, Copy)]
enum Guard {
    None,
    Less(i64),
    Equal(i64),
    Sender(usize),
}

impl Guard {
    fn text(self) -> String {
        match self {
            Guard::None => String::new(),
            Guard::Less(n) => format!(" [p < {n}]"),
            Guard::Equal(n) => format!(" [p == {n}]"),
            Guard::Sender(one) => format!(" [sender == o{one}]"),
        }
    }

    fn lets(self, p: i64, sender: Option<usize>) -> bool {
        match self {
            Guard::None => true,
            Guard::Less(n) => p < n,
            Guard::Equal(n) => p == n,
            Guard::Sender(one) => sender == Some(one),
        }
    }
}

struct Hop {
    guard: Guard,
    to: usize,
    sent: Sent,
}

/// Machines that hand on one message, which the first of them sends. It has a second parameter, which is sent on as it came.
struct Chain {
    hops: Vec<Vec<Hop>>,
    /// Which machine has an end, and the value that leads there.
    goal: (usize, i64),
    first: i64,
    /// Whether the environment is drawn to send the message to the last machine.
    is_drawn: bool,
    /// Whether a class declares the parameter that is sent on as it came.
    is_declared: bool,
}

impl Chain {
    fn random(dice: &mut Random) -> Chain {
        let count = dice.between((1, 4));
        let hop = |dice: &mut Random| {
            let n = dice.below(4) as i64;
            let far = [2, 5, 40, 300][dice.below(4)] + n;
            Hop {
                guard: [
                    Guard::None,
                    Guard::None,
                    Guard::Less(far),
                    Guard::Equal(n),
                    Guard::Sender(dice.below(count)),
                ][dice.below(5)],
                to: dice.below(count),
                sent: [
                    Sent::Plus(0),
                    Sent::Plus(1),
                    Sent::Plus(n),
                    Sent::Minus(n),
                    Sent::Modulo(n + 1),
                    Sent::Constant(n),
                ][dice.below(6)],
            }
        };
        let hops = (0..count).map(|_| (0..dice.between((1, 2))).map(|_| hop(dice)).collect()).collect();
        Chain {
            hops,
            goal: (dice.below(count), [0, 1, 3, 7, 100, 250][dice.below(6)]),
            first: dice.below(3) as i64,
            is_drawn: dice.percent(15),
            is_declared: dice.percent(30),
        }
    }

    fn text(&self) -> String {
        let mut text = String::new();
        for (own, hops) in self.hops.iter().enumerate() {
            if self.is_declared {
                text += &format!("@startuml k{own}\nclass o{own} {{\n t{own}(q : 0..3, p)\n}}\n@enduml\n");
            }
            text += &format!("@startuml o{own}\n");
            match own {
                0 => text += &format!("[*] --> I\nI --> S : / ^o0.t0(2, {})\n", self.first),
                _ => text += "[*] --> S\n",
            }
            for Hop { guard, to, sent } in hops {
                text +=
                    &format!("S --> S : t{own}(q, p){} / ^o{to}.t{to}(q, {})\n", guard.text(), sent.text());
            }
            if self.goal.0 == own {
                text += &format!("S --> E : t{own}(q, p) [p == {}]\n", self.goal.1);
            }
            text += "@enduml\n";
        }
        let objects: String = (0..self.hops.len()).map(|own| format!("participant o{own}\n")).collect();
        let last = self.hops.len() - 1;
        let drawn = if self.is_drawn {
            format!("participant u\nu ->> o{last} : t{last}(2, 7)\n")
        } else {
            String::new()
        };
        text + &format!("@startuml asked\n' @reachable o{}.E\n{objects}{drawn}@enduml\n", self.goal.0)
    }

    /// Whether the end is reached; `None` if the values have no end.
    fn is_reached(&self) -> Option<bool> {
        let mut known: BTreeSet<(usize, i64, Option<usize>)> = BTreeSet::from([(0, self.first, Some(0))]);
        if self.is_drawn {
            known.extend((-20..=300).map(|value| (self.hops.len() - 1, value, None)));
        }
        let mut open: Vec<_> = known.iter().copied().collect();
        let mut is_endless = false;
        while let Some((own, p, sender)) = open.pop() {
            if (own, p) == self.goal {
                return Some(true);
            }
            if p.abs() > MOST {
                is_endless = true;
                continue;
            }
            for hop in self.hops[own].iter().filter(|hop| hop.guard.lets(p, sender)) {
                let next = (hop.to, hop.sent.of(p), Some(own));
                if known.insert(next) {
                    open.push(next);
                }
            }
        }
        (!is_endless).then_some(false)
    }
}

#[test]
fn values_are_those_that_are_sent() {
    let (mut decided, mut all) = (0, 0);
    for seed in seeds(300) {
        let chain = Chain::random(&mut Random::new(seed));
        let text = chain.text();
        let mut sources = Sources::new();
        let file = sources.add("case.puml", text.as_str());
        let settings = Settings::default();
        let reading = pipeline::read(&[file], &mut sources, &mut NoFiles, &settings);
        let outcome = pipeline::check(&reading, &settings, &Effort::default());
        let faults = outcome.diagnostics.iter().filter(|one| one.code == Code::SystemFault);
        let told: Vec<&str> = faults.map(|one| one.message.as_str()).collect();
        assert!(told.iter().all(|text| !text.contains("outside of")), "seed {seed}: {told:?}\n{text}");
        let verdict = &outcome.answers[0].verdict;
        let is_right = match (verdict, chain.is_reached()) {
            (Verdict::Holds(_), found) => found == Some(true),
            // Values without end lead past every goal.
            (Verdict::Fails(_), found) => found != Some(true),
            (Verdict::Unknown(_), _) => true,
        };
        assert!(is_right, "seed {seed}: {} against {:?}\n{text}", verdict.name(), chain.is_reached());
        all += 1;
        decided += usize::from(!matches!(verdict, Verdict::Unknown(_)));
    }
    assert!(decided * 2 > all, "only {decided} of {all} are decided");
}
