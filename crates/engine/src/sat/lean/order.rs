//! Which variable is decided next: the most active one, from a heap.
//!
//! A variable becomes more active with each conflict that it takes part in; conflicts of long ago count less.

/// Variables, the most active first.
#[derive(Default)]
pub(super) struct DecisionOrder {
    heap: Vec<u32>,
    /// For each variable its place in the heap, from 1 on; 0 if it is not there.
    places: Vec<u32>,
    activities: Vec<f64>,
    /// How much a conflict counts now.
    weight: f64,
}

/// Activities beyond this are scaled down.
const LARGE: f64 = 1e100;
/// How fast old conflicts lose their weight.
const DECAY: f64 = 0.95;

impl DecisionOrder {
    /// Takes one more variable in.
    pub(super) fn variable(&mut self) {
        if self.activities.is_empty() {
            self.weight = 1.0;
        }
        let variable = self.activities.len();
        self.activities.push(0.0);
        self.places.push(0);
        self.insert(variable);
    }

    /// Puts a variable back that is not assigned any more.
    pub(super) fn insert(&mut self, variable: usize) {
        if self.places[variable] == 0 {
            self.heap.push(variable as u32);
            self.places[variable] = self.heap.len() as u32;
            self.rise(self.heap.len() - 1);
        }
    }

    /// Takes the most active variable out.
    pub(super) fn pop(&mut self) -> Option<usize> {
        let last = self.heap.pop()?;
        let Some(first) = self.heap.first_mut() else {
            self.places[last as usize] = 0;
            return Some(last as usize);
        };
        let most = std::mem::replace(first, last);
        self.places[last as usize] = 1;
        self.places[most as usize] = 0;
        self.sink(0);
        Some(most as usize)
    }

    /// A variable takes part in a conflict.
    pub(super) fn bump(&mut self, variable: usize) {
        self.activities[variable] += self.weight;
        if self.activities[variable] > LARGE {
            self.activities.iter_mut().for_each(|activity| *activity /= LARGE);
            self.weight /= LARGE;
        }
        if let Some(place) = self.places[variable].checked_sub(1) {
            self.rise(place as usize);
        }
    }

    /// A conflict is over.
    pub(super) fn decay(&mut self) {
        self.weight /= DECAY;
    }

    fn activity(&self, place: usize) -> f64 {
        self.activities[self.heap[place] as usize]
    }

    fn swap(&mut self, one: usize, other: usize) {
        self.heap.swap(one, other);
        self.places[self.heap[one] as usize] = one as u32 + 1;
        self.places[self.heap[other] as usize] = other as u32 + 1;
    }

    fn rise(&mut self, place: usize) {
        let mut place = place;
        while place > 0 {
            let above = (place - 1) / 2;
            if self.activity(place) <= self.activity(above) {
                break;
            }
            self.swap(place, above);
            place = above;
        }
    }

    fn sink(&mut self, place: usize) {
        let mut place = place;
        loop {
            let mut largest = place;
            for below in [2 * place + 1, 2 * place + 2] {
                if below < self.heap.len() && self.activity(below) > self.activity(largest) {
                    largest = below;
                }
            }
            if largest == place {
                return;
            }
            self.swap(place, largest);
            place = largest;
        }
    }
}
