//! Random nested machines: composites with regions, transitions across their frames, labels here and there.

/// A source of numbers that needs no crate.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 33) % bound.max(1) as u64) as usize
    }
}

struct NestedMachine {
    numbers: Numbers,
    states: usize,
    text: String,
}

/// The machine of a seed as text of PlantUML.
pub(crate) fn machine(seed: u64) -> String {
    let mut machine = NestedMachine { numbers: Numbers(seed), states: 0, text: "@startuml\n".to_owned() };
    if machine.numbers.below(10) < 3 {
        machine.text += "left to right direction\n";
    }
    machine.region(0);
    let states = machine.states;
    for _ in 0..machine.numbers.below(states + 1) {
        let [from, to] = [(); 2].map(|()| machine.numbers.below(states));
        let label = if machine.numbers.below(2) == 0 { " : across" } else { "" };
        machine.text += &format!("s{from} --> s{to}{label}\n");
    }
    machine.text + "@enduml\n"
}

impl NestedMachine {
    fn region(&mut self, depth: usize) {
        let mut own = Vec::new();
        for _ in 0..1 + self.numbers.below(5) {
            let state = self.states;
            self.states += 1;
            own.push(state);
            if depth < 3 && self.numbers.below(20) < 7 {
                self.text += &format!("state s{state} {{\n");
                self.region(depth + 1);
                if self.numbers.below(5) == 0 {
                    self.text += "--\n";
                    self.region(depth + 1);
                }
                self.text += "}\n";
            } else {
                self.text += &format!("state s{state}\n");
            }
        }
        if self.numbers.below(10) < 7 {
            self.text += &format!("[*] --> s{}\n", own[0]);
        }
        for _ in 0..self.numbers.below(2 * own.len() + 1) {
            let [from, to] = [(); 2].map(|()| own[self.numbers.below(own.len())]);
            let label = if self.numbers.below(10) < 7 { format!(" : event{from}") } else { String::new() };
            self.text += &format!("s{from} --> s{to}{label}\n");
        }
    }
}
