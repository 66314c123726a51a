//! The parallel composition of the processes of objects, each synchronised on its alphabet.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

use sequent_kernel::system::{ComponentId, System};

use super::super::names::Identifiers;
use super::alphabet::ScriptAlphabet;
use super::bodies::ProcessBody;
use super::buffers::Buffer;
use super::parties::{PartyDeed, Shares, StepParty};
use super::steps::capital;

/// A process of the structure.
pub(crate) struct ProcessMember {
    /// The party.
    pub party: StepParty,
    /// How it begins.
    pub begin: String,
}

/// All processes and what they have a say in.
pub(crate) struct Composition<'c> {
    pub system: &'c System,
    pub shares: &'c Shares,
    pub bodies: &'c [ProcessBody],
    pub buffers: &'c [(StepParty, Buffer)],
    pub alphabet: &'c ScriptAlphabet,
    /// The channels of what is known by another name inside, and of faults.
    pub inside: &'c [String; 2],
    pub members: &'c [ProcessMember],
}

impl Composition<'_> {
    /// The structure; its whole has a name already.
    pub(crate) fn write(&self, names: &mut Identifiers, whole: &str) -> String {
        let [sets, part] = ["Alphabet", "Part"].map(|word| names.give(word));
        let mut groups: BTreeMap<ComponentId, Vec<&ProcessMember>> = BTreeMap::new();
        for member in self.members {
            groups.entry(self.owner(member.party)).or_default().push(member);
        }
        // The clauses of a function stand together.
        let (mut own, mut alphabets, mut processes) = (String::new(), String::new(), String::new());
        let (mut linked, mut beside, mut apart) = (Vec::new(), Vec::new(), Vec::new());
        for (component, members) in groups {
            let name = &self.system.components[component];
            let (mut set, mut process) = (String::new(), String::new());
            for member in members.iter() {
                let events = self.events(member.party);
                let events = match members.len() {
                    1 => events,
                    _ => {
                        let word = match member.party {
                            StepParty::Object(_) => "alphabet".to_owned(),
                            StepParty::Queue(_) => "queue_alphabet".to_owned(),
                            StepParty::Desk(variable) => {
                                format!("{}_alphabet", self.system.variables[variable].name)
                            }
                        };
                        let given = names.give(&format!("{}_{word}", capital(name)));
                        let _ = writeln!(own, "{given} = {events}");
                        given
                    }
                };
                (set, process) = match set.is_empty() {
                    true => (events, member.begin.clone()),
                    false => (
                        format!("union({set}, {events})"),
                        format!("{} [ {set} || {events} ] {}", bracketed(&process), bracketed(&member.begin)),
                    ),
                };
            }
            match self.alphabet.objects.get(name) {
                Some(object) => {
                    let _ = writeln!(alphabets, "{sets}({object}) = {set}");
                    let _ = writeln!(processes, "{part}({object}) = {process}");
                    linked.push(object.as_str());
                }
                None if set == "{}" => beside.push(format!("({process})")),
                None => apart.push((set, process)),
            }
        }
        let mut text = String::new();
        if !own.is_empty() {
            let _ = writeln!(text, "-- What states, and what waits, have a say in.\n{own}");
        }
        let _ = writeln!(
            text,
            "-- The messages to and from each object.\n{alphabets}\n-- What each object does.\n{processes}"
        );
        if !linked.is_empty() {
            let list = linked.join(", ");
            let all: Vec<String> = linked.iter().map(|object| format!("{sets}({object})")).collect();
            let all = all.into_iter().reduce(|one, other| format!("union({one}, {other})"));
            apart.insert(0, (all.unwrap_or_default(), format!("|| e : {{{list}}} @ [{sets}(e)] {part}(e)")));
        }
        let joined = apart.into_iter().reduce(|(one, left), (other, right)| {
            (format!("union({one}, {other})"), format!("({left}) [ {one} || {other} ] ({right})"))
        });
        beside.extend(joined.map(|(_, process)| format!("({process})")));
        let joined = if beside.is_empty() { "STOP".to_owned() } else { beside.join(" ||| ") };
        text += &self.whole(joined, whole);
        text
    }

    /// The whole, seen from outside.
    fn whole(&self, joined: String, whole: &str) -> String {
        let Shares { ways, faults, .. } = self.shares;
        let [way, fault] = self.inside;
        let mut text = String::new();
        let (mut renamed, mut hidden) = (Vec::new(), Vec::new());
        for (number, event) in ways.iter().enumerate() {
            let inside = format!("{way}.{number}");
            match event {
                Some(event) => renamed.push((inside, self.shown(*event))),
                None => hidden.push(inside),
            }
        }
        for (number, event) in faults.iter().enumerate() {
            let inside = format!("{fault}.{number}");
            match event {
                Some(event) => renamed.push((inside, self.shown(*event))),
                None => hidden.push(inside),
            }
        }
        if !ways.is_empty() {
            let _ = writeln!(
                text,
                "-- What several do together, and is seen otherwise or not at all.\nchannel {way} : {{0..{}}}\n",
                ways.len() - 1
            );
        }
        let mut process = joined;
        if !faults.is_empty() {
            let _ = writeln!(
                text,
                "-- What breaks the system: nothing goes on then.\nchannel {fault} : {{0..{}}}\n",
                faults.len() - 1
            );
            process = format!("({process} [| {{| {fault} |}} |> STOP)");
        }
        text += "-- The structure: all objects, joined by what they send each other.\n";
        if !renamed.is_empty() {
            let pairs: Vec<String> =
                renamed.iter().map(|(inside, outside)| format!("{inside} <- {outside}")).collect();
            process = format!("({process})[[ {} ]]", pairs.join(", "));
        }
        if !hidden.is_empty() {
            process = format!("{process} \\ {{ {} }}", hidden.join(", "));
        }
        let _ = writeln!(text, "{whole} = {process}");
        text
    }

    fn shown(&self, event: sequent_kernel::system::EventId) -> String {
        self.alphabet.event(&self.system.events[event].text).to_owned()
    }

    /// The object that a party belongs to.
    fn owner(&self, party: StepParty) -> ComponentId {
        match party {
            StepParty::Object(component) => component,
            StepParty::Queue(_) => {
                let found = self.buffers.iter().find(|(known, _)| *known == party);
                found.map(|(_, buffer)| buffer.owner).expect("every queue has an owner")
            }
            StepParty::Desk(variable) => {
                self.system.variables[variable].owner.expect("every variable has an owner")
            }
        }
    }

    /// The alphabet of a party: channels, if all their events belong to it, else single events.
    fn events(&self, party: StepParty) -> String {
        let own = self.deeds(party);
        let all: BTreeSet<PartyDeed> =
            self.members.iter().flat_map(|member| self.deeds(member.party)).collect();
        let link = |deed: PartyDeed| match deed {
            PartyDeed::Event(event) => Some(self.alphabet.link(&self.system.events[event].text)),
            PartyDeed::Way(_) | PartyDeed::Fault(_) => None,
        };
        let foreign: BTreeSet<&str> = all.difference(&own).filter_map(|deed| link(*deed)).collect();
        let mut words: BTreeSet<String> = BTreeSet::new();
        for deed in own {
            words.insert(match link(deed).filter(|link| !foreign.contains(link)) {
                Some(link) => link.to_owned(),
                None => deed_text(self.system, self.alphabet, self.inside, deed),
            });
        }
        let words: Vec<String> = words.into_iter().collect();
        if words.is_empty() { "{}".to_owned() } else { format!("{{| {} |}}", words.join(", ")) }
    }

    fn deeds(&self, party: StepParty) -> BTreeSet<PartyDeed> {
        let mut all = self.shares.alphabet(party);
        let StepParty::Object(component) = party else { return all };
        // Under rendezvous, each object synchronises on the events of others with it.
        let moves = self.bodies.iter().flat_map(|body| &body.moves);
        let met = moves.filter_map(|one| one.deed).filter(|deed| {
            let PartyDeed::Event(event) = deed else { return false };
            let mut meetings = self.system.meetings.iter().filter(|(_, met)| *met == event);
            meetings.any(|((_, from, to), _)| [*from, *to].contains(&component))
        });
        all.extend(met);
        all
    }
}

fn bracketed(process: &str) -> String {
    let is_joined = [" \\ ", " || "].iter().any(|sign| process.contains(sign));
    if is_joined { format!("({process})") } else { process.to_owned() }
}

/// How a deed is written.
pub(crate) fn deed_text(
    system: &System,
    alphabet: &ScriptAlphabet,
    [way, fault]: &[String; 2],
    deed: PartyDeed,
) -> String {
    match deed {
        PartyDeed::Event(event) => alphabet.event(&system.events[event].text).to_owned(),
        PartyDeed::Way(number) => format!("{way}.{number}"),
        PartyDeed::Fault(number) => format!("{fault}.{number}"),
    }
}
