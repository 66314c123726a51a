//! A reader of BTOR2 that computes what a file says, with numbers.

use std::collections::BTreeMap;

/// A file as it was read.
#[derive(Default)]
pub(crate) struct Model {
    lines: BTreeMap<u64, (String, Vec<i64>, String)>,
    widths: BTreeMap<u64, u32>,
    /// Inputs by name, and their widths.
    pub inputs: Vec<(u64, String, u32)>,
    /// States by name.
    pub states: Vec<(u64, String)>,
    first: BTreeMap<u64, u64>,
    next: BTreeMap<u64, u64>,
    bad: Vec<u64>,
    justice: Vec<Vec<u64>>,
}

/// Reads a file.
pub(crate) fn read(text: &str) -> Model {
    let mut model = Model::default();
    let mut sorts: BTreeMap<u64, u32> = BTreeMap::new();
    for line in text.lines().filter(|line| !line.starts_with(';')) {
        let words: Vec<&str> = line.split(' ').collect();
        let id: u64 = words[0].parse().expect("a line has a number");
        let number = |at: usize| words[at].parse::<u64>().expect("a number");
        match words[1] {
            "sort" => {
                sorts.insert(id, words[3].parse().expect("a width"));
            }
            "input" => {
                model.widths.insert(id, sorts[&number(2)]);
                model.inputs.push((id, words[3].to_owned(), sorts[&number(2)]));
            }
            "state" => {
                model.widths.insert(id, sorts[&number(2)]);
                model.states.push((id, words[3].to_owned()));
            }
            "init" => {
                assert!(number(4) < number(3), "a first value comes before its state");
                model.first.insert(number(3), number(4));
            }
            "next" => {
                model.next.insert(number(3), number(4));
            }
            "bad" => model.bad.push(number(2)),
            "output" => {}
            "justice" => {
                let count = number(2) as usize;
                model.justice.push((3..3 + count).map(number).collect());
            }
            "const" => {
                model.widths.insert(id, sorts[&number(2)]);
                let value = i64::from_str_radix(words[3], 2).expect("bits");
                model.lines.insert(id, ("const".to_owned(), vec![value], String::new()));
            }
            name => {
                model.widths.insert(id, sorts[&number(2)]);
                let parts = words[3..].iter().map(|word| word.parse().expect("a number")).collect();
                model.lines.insert(id, (name.to_owned(), parts, String::new()));
            }
        }
    }
    model
}

/// The values of all lines.
pub(crate) type Values = BTreeMap<u64, u64>;

impl Model {
    /// How many bits a line has.
    pub(crate) fn width(&self, line: u64) -> u32 {
        self.widths[&line]
    }

    /// The states at the beginning.
    pub(crate) fn first(&self) -> Values {
        let value = |line: &u64| self.lines[line].1[0] as u64;
        self.first.iter().map(|(state, line)| (*state, value(line))).collect()
    }

    /// All values, where states and inputs have some.
    pub(crate) fn values(&self, known: &Values) -> Values {
        let mut values = known.clone();
        for (id, (name, parts, _)) in &self.lines {
            let result = self.compute(name, parts, self.widths[id], &values);
            values.insert(*id, result);
        }
        values
    }

    fn compute(&self, name: &str, parts: &[i64], width: u32, values: &Values) -> u64 {
        let mask = |value: u64, width: u32| value & (u64::MAX >> (64 - width));
        let of = |at: usize| values[&(parts[at] as u64)];
        let wide = |at: usize| self.widths[&(parts[at] as u64)];
        let signed = |at: usize| ((of(at) << (64 - wide(at))) as i64) >> (64 - wide(at));
        mask(
            match name {
                "const" => parts[0] as u64,
                "not" => !of(0),
                "and" => of(0) & of(1),
                "or" => of(0) | of(1),
                "eq" => u64::from(of(0) == of(1)),
                "slt" => u64::from(signed(0) < signed(1)),
                "add" => of(0).wrapping_add(of(1)),
                "sub" => of(0).wrapping_sub(of(1)),
                "mul" => of(0).wrapping_mul(of(1)),
                "sdiv" => signed(0).checked_div(signed(1)).expect("nobody divides by 0") as u64,
                "srem" => signed(0).checked_rem(signed(1)).expect("nobody divides by 0") as u64,
                "ite" => of(if of(0) == 1 { 1 } else { 2 }),
                "uext" => of(0),
                "sext" => signed(0) as u64,
                "slice" => of(0) >> parts[2],
                other => panic!("`{other}` is not known"),
            },
            width,
        )
    }

    /// The states after a tick.
    pub(crate) fn next(&self, values: &Values) -> Values {
        self.next.iter().map(|(state, line)| (*state, values[line])).collect()
    }

    /// Whether it is bad here.
    pub(crate) fn is_bad(&self, values: &Values) -> Vec<bool> {
        self.bad.iter().map(|line| values[line] == 1).collect()
    }

    /// What of that which is met again and again is met here.
    pub(crate) fn met(&self, values: &Values) -> Vec<Vec<bool>> {
        self.justice.iter().map(|list| list.iter().map(|line| values[line] == 1).collect()).collect()
    }
}
