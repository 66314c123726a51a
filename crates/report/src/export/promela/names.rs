//! Names for SPIN: variables, arrays of them, and their values.

use std::collections::BTreeMap;

use sequent_kernel::id::{Id, IdVec};
use sequent_kernel::system::{System, Variable, VariableId};

use super::super::names::Names;
use super::super::question::Legend;

/// Words that mean something else in Promela, in C, or in what is written around the steps.
const TAKEN: &str = "active assert atomic bit bool break byte c_code c_decl c_expr c_state c_track chan d_step \
    D_proctype do else empty enabled end eval event false fi full goto hidden if init inline int len local ltl mtype \
    nempty never nfull notrace np_ od of over pc_value pid print printf printm priority proctype provided return run \
    short show skip timeout true trace typedef unless unsigned xr xs complete dead select for in get_priority \
    set_priority main static struct union void char long float double register extern const volatile sizeof \
    switch case default while auto signed enum now uchar uint ushort State Trail";

/// Identifiers for SPIN.
pub fn fresh() -> Names {
    Names::without(TAKEN)
}

/// How a variable is written: by itself, or as a place in an array.
pub struct Layout {
    /// What stands for each variable.
    pub variables: IdVec<VariableId, String>,
    /// What is declared, each with the variables that it holds.
    pub declared: Vec<(String, Vec<VariableId>)>,
    /// Names for values.
    pub values: BTreeMap<(VariableId, i32), String>,
    /// The same in the order in which they are declared.
    pub constants: Vec<(String, i32)>,
    /// Variables that are places in a channel: the number of the channel, and which place.
    pub places: BTreeMap<VariableId, (usize, usize)>,
    /// The channels, each with its places.
    pub channels: Vec<(String, Vec<VariableId>)>,
}

impl Layout {
    /// Names for everything in a system. Variables of one row are an array, or a channel if they are one of these queues.
    pub fn new(system: &System, legend: &Legend, queues: &[&[VariableId]], names: &mut Names) -> Self {
        let mut layout = Layout {
            variables: IdVec::new(),
            declared: Vec::new(),
            values: BTreeMap::new(),
            constants: Vec::new(),
            places: BTreeMap::new(),
            channels: Vec::new(),
        };
        let all: Vec<(VariableId, &Variable)> = system.variables.enumerate().collect();
        let mut at = 0;
        while let Some((id, variable)) = all.get(at).copied() {
            let count = array(&all[at..]);
            let row = variable.row.as_ref().filter(|_| count > 1).map(|row| &row.name);
            let name = names.give(row.unwrap_or(&variable.name));
            let members: Vec<VariableId> =
                (0..count).map(|by| VariableId::from_index(id.index() + by)).collect();
            match members.as_slice() {
                [_] => _ = layout.variables.push(name.clone()),
                _ => (0..count).for_each(|place| _ = layout.variables.push(format!("{name}[{place}]"))),
            }
            layout.explain(&name, &members, legend, names);
            match queues.contains(&members.as_slice()) {
                true => layout.channel(name, members),
                false => layout.declared.push((name, members)),
            }
            at += count;
        }
        layout
    }

    fn channel(&mut self, name: String, members: Vec<VariableId>) {
        let number = self.channels.len();
        let places = members.iter().enumerate().map(|(place, member)| (*member, (number, place)));
        self.places.extend(places);
        self.channels.push((name, members));
    }

    /// The channel that a variable is a place of: its name, and which place.
    pub fn place(&self, variable: VariableId) -> Option<(&str, usize)> {
        let (channel, place) = self.places.get(&variable)?;
        Some((&self.channels[*channel].0, *place))
    }

    /// How a value of a variable is written: by its name, if it has one.
    pub fn value(&self, variable: VariableId, value: i32) -> String {
        self.values.get(&(variable, value)).cloned().unwrap_or_else(|| value.to_string())
    }

    /// Names the values of variables that stand side by side alike.
    fn explain(&mut self, owner: &str, members: &[VariableId], legend: &Legend, names: &mut Names) {
        let Some(values) = members.first().and_then(|first| legend.get(first)) else { return };
        for (value, text) in values {
            let name = names.give(&format!("{owner}_{text}"));
            for member in members {
                self.values.insert((*member, *value), name.clone());
            }
            self.constants.push((name, *value));
        }
    }
}

/// How many variables from here on are one array: a row from its first place on.
fn array(rest: &[(VariableId, &Variable)]) -> usize {
    let Some((first, row)) = rest.first().and_then(|(_, first)| Some((first, first.row.as_ref()?))) else {
        return 1;
    };
    let belongs = |(place, (_, other)): &(usize, &(VariableId, &Variable))| {
        let is_next = other.row.as_ref().is_some_and(|other| other.name == row.name && other.place == *place);
        // An array has one range and one first value in Promela.
        let alike = |one: &Variable| (one.min, one.max, one.initial);
        is_next && alike(other) == alike(first)
    };
    rest.iter().enumerate().take_while(belongs).count().max(1)
}
