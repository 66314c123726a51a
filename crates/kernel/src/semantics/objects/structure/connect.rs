//! Links between objects: who may talk to whom, by which names, and what the ports let through.
//!
//! A link whose ends name no ports goes through all ports of its two objects that speak a common protocol. An object that a scenario
//! alone names has no place in an object diagram, so links do not keep any object from it; where ports are given, it is reached through those
//! that no link connects, or that a link leads to the border, and with what no port of the object speaks of. Objects without any link
//! are connected by all ports that fit each other.

use std::collections::{BTreeMap, BTreeSet};

use super::gather::StructureDraft;
use super::ports::{Port, PortFlow, join, meet, ports};
use super::{InstanceId, Structure};
use crate::diagnostic::{Code, Diagnostic, Severity, nearest, slip_of};
use crate::id::IdVec;
use crate::model::{AssociationKind, ObjectId};
use crate::source::Place;

/// Finds links, channels and roles.
pub(super) fn connect(gathering: &mut StructureDraft) {
    let ports = gathering.structure.objects.iter().map(|object| ports(&gathering.kinds, object)).collect();
    let mut connecting = Connecting {
        ports,
        used: BTreeMap::new(),
        border: BTreeMap::new(),
        channels: BTreeMap::new(),
        roles: BTreeMap::new(),
        links: BTreeMap::new(),
        open_to: BTreeMap::new(),
    };
    for (ends, roles, place) in wires(gathering) {
        connecting.wire(gathering, ends, roles, place);
    }
    connecting.crowded(gathering);
    connecting.unlinked(gathering);
    connecting.guests(gathering);
    gathering.structure.carried = connecting.carried();
    let Connecting { links, channels, roles, open_to, .. } = connecting;
    gathering.structure.links = links;
    gathering.structure.open_to =
        open_to.into_iter().filter_map(|(object, flow)| Some((object, flow?))).collect();
    gathering.structure.channels =
        channels.into_iter().filter_map(|(ends, flow)| Some((ends, flow?))).collect();
    gathering.structure.roles = roles;
    associations(gathering);
}

/// One end of a link.
#[derive(Clone, PartialEq, Eq)]
enum WireEnd {
    Object(InstanceId),
    /// The system itself, by the name of its object.
    Border(String),
}

type ConnectorWire = ([WireEnd; 2], [Option<String>; 2], Place);

/// All links, those of diagrams first.
fn wires(gathering: &mut StructureDraft) -> Vec<ConnectorWire> {
    let model = gathering.kinds.model;
    let end = |id: &ObjectId| {
        let object = gathering.drawn.get(id).map(|at| WireEnd::Object(*at));
        object.or_else(|| gathering.borders.get(id).cloned().map(WireEnd::Border))
    };
    let drawn = model.links.iter().filter_map(|link| {
        let [left, right] = &link.ends;
        Some(([end(left)?, end(right)?], link.roles.clone(), link.place))
    });
    let mut wires: Vec<ConnectorWire> = drawn.collect();
    for (left, right, place) in &model.system.links {
        let ends = [left, right].map(|text| set_end(gathering, text, *place));
        if let [Some((left, port)), Some((right, other))] = ends {
            wires.push(([WireEnd::Object(left), WireEnd::Object(right)], [port, other], *place));
        }
    }
    wires
}

/// An end of a link of the settings: `a1`, or `a1.port`.
fn set_end(gathering: &mut StructureDraft, text: &str, place: Place) -> Option<(InstanceId, Option<String>)> {
    let objects = &gathering.structure.objects;
    let find = |name: &str| objects.find(|object| object.name == name);
    if let Some(whole) = find(text) {
        return Some((whole, None));
    }
    if let Some((object, port)) = text.split_once('.') {
        if let Some(object) = find(object.trim()) {
            return Some((object, Some(port.trim().to_owned())));
        }
    }
    // Settings above several folders speak of each of them; where none of their objects is, they do not.
    if gathering.structure.is_listed || gathering.kinds.model.system.objects.is_empty() {
        let finding = Diagnostic::new(Code::UnknownObject, place.0, format!("no object is called `{text}`"));
        gathering.problems.push(match nearest(text, objects.iter().map(|object| object.name.as_str())) {
            Some(near) => finding.meant(text, near),
            None => finding.hint("list it in `[system] objects`, or draw it in an object diagram"),
        });
    }
    None
}

struct Connecting<'a> {
    ports: IdVec<InstanceId, Vec<Port<'a>>>,
    /// How many links each port has, by its number.
    used: BTreeMap<(InstanceId, usize), usize>,
    /// Ports that a link leads to the border, and to the object of that name there.
    border: BTreeMap<(InstanceId, usize), BTreeSet<String>>,
    channels: BTreeMap<(InstanceId, InstanceId), PortFlow>,
    roles: BTreeMap<(InstanceId, String), Vec<InstanceId>>,
    links: BTreeMap<InstanceId, BTreeSet<InstanceId>>,
    /// What may come to objects with ports from where no lifeline is.
    open_to: BTreeMap<InstanceId, PortFlow>,
}

impl Connecting<'_> {
    fn wire(
        &mut self,
        gathering: &mut StructureDraft,
        ends: [WireEnd; 2],
        roles: [Option<String>; 2],
        place: Place,
    ) {
        let [left, right] = ends;
        let [left_role, right_role] = roles;
        match (left, right) {
            (WireEnd::Object(left), WireEnd::Object(right)) => {
                self.link(gathering, [left, right], [left_role, right_role], place);
            }
            (WireEnd::Object(object), WireEnd::Border(border)) => {
                self.lead_out(object, left_role, right_role, border);
            }
            (WireEnd::Border(border), WireEnd::Object(object)) => {
                self.lead_out(object, right_role, left_role, border);
            }
            (WireEnd::Border(_), WireEnd::Border(_)) => {}
        }
    }

    /// Connects an object to the border, by the port of the one or the other end's name, else by all that are left.
    fn lead_out(&mut self, object: InstanceId, own: Option<String>, far: Option<String>, border: String) {
        self.links.entry(object).or_default();
        let named = own.or(far);
        let fits = |port: &Port| named.as_ref().is_none_or(|name| port.attribute.name == *name);
        let all = self.ports[object].iter().enumerate().filter(|(_, port)| fits(port));
        for (number, _) in all {
            self.border.entry((object, number)).or_default().insert(border.clone());
        }
    }

    fn link(
        &mut self,
        gathering: &mut StructureDraft,
        ends: [InstanceId; 2],
        roles: [Option<String>; 2],
        place: Place,
    ) {
        let [left, right] = ends;
        self.links.entry(left).or_default().insert(right);
        self.links.entry(right).or_default().insert(left);
        let number = |at: usize| {
            let name = roles[at].as_ref()?;
            self.ports[ends[at]].iter().position(|port| port.attribute.name == *name)
        };
        let numbers = [number(0), number(1)];
        for ((end, role), number) in ends.iter().zip(&roles).zip(&numbers) {
            let Some(role) = role.as_ref().filter(|_| number.is_none()) else { continue };
            let ports = self.ports[*end].iter().map(|port| port.attribute.name.as_str());
            let object = &gathering.structure.objects[*end].name;
            if let Some(near) = slip_of(role, ports) {
                let text = format!("`{object}` has no port `{role}`");
                let finding = Diagnostic::new(Code::UnknownObject, place.0, text).severity(Severity::Warning);
                gathering.problems.push(finding.meant(role.as_str(), near));
            }
        }
        for at in 0..2 {
            let (near, far) = (ends[at], ends[1 - at]);
            // A sender calls its own port; the role at the far end is what others are called by.
            let own_port = numbers[at].and(roles[at].clone());
            let far_role =
                roles[1 - at].clone().filter(|_| numbers[1 - at].is_none() || numbers[at].is_none());
            own_port.into_iter().chain(far_role).for_each(|name| self.call(near, name, far));
        }
        let pairs = self.pairs(ends, numbers, [roles[0].is_some(), roles[1].is_some()]);
        let flows = match pairs {
            Some(pairs) => self.flows(ends, &pairs),
            None => [None, None],
        };
        if flows.iter().all(|flow| flow.as_ref().is_some_and(BTreeSet::is_empty)) {
            gathering.problems.push(no_passage(&gathering.structure, ends, place));
        }
        let [forth, back] = flows;
        self.widen((left, right), forth);
        self.widen((right, left), back);
    }

    fn call(&mut self, from: InstanceId, name: String, to: InstanceId) {
        let known = self.roles.entry((from, name)).or_default();
        if !known.contains(&to) {
            known.push(to);
        }
    }

    /// The pairs of ports a link goes through; `None` if ports have no say.
    fn pairs(
        &mut self,
        ends: [InstanceId; 2],
        numbers: [Option<usize>; 2],
        is_named: [bool; 2],
    ) -> Option<Vec<[Option<usize>; 2]>> {
        let candidates = |at: usize| -> Vec<usize> {
            match (numbers[at], is_named[at]) {
                (Some(number), _) => vec![number],
                (None, true) => Vec::new(),
                (None, false) => (0..self.ports[ends[at]].len()).collect(),
            }
        };
        let [left, right] = [candidates(0), candidates(1)];
        let is_typed = |at: usize, numbers: &[usize]| {
            numbers.iter().any(|number| self.ports[ends[at]][*number].is_typed())
        };
        match (is_typed(0, &left), is_typed(1, &right)) {
            (true, true) => {
                let pairs = left.iter().flat_map(|one| right.iter().map(move |other| [*one, *other]));
                let ports = |[one, other]: [usize; 2]| (self.ports[ends[0]][one], self.ports[ends[1]][other]);
                let is_chosen = numbers.iter().all(Option::is_some);
                let fits = |pair: &[usize; 2]| {
                    let (one, other) = ports(*pair);
                    is_chosen || one.fits(&other)
                };
                Some(pairs.filter(fits).map(|pair| pair.map(Some)).collect())
            }
            // One end says through which port; the other has none.
            (true, false) if numbers[0].is_some() => Some(vec![[numbers[0], None]]),
            (false, true) if numbers[1].is_some() => Some(vec![[None, numbers[1]]]),
            (_, _) => None,
        }
    }

    /// What passes there and back through pairs of ports, which are used now.
    fn flows(&mut self, ends: [InstanceId; 2], pairs: &[[Option<usize>; 2]]) -> [PortFlow; 2] {
        let mut flows = [Some(BTreeSet::new()), Some(BTreeSet::new())];
        for pair in pairs {
            let [forth, back] = flows;
            let [there, here] = self.passing(ends, *pair);
            flows = [join(forth, there), join(back, here)];
            for at in 0..2 {
                let Some(number) = pair[at] else { continue };
                *self.used.entry((ends[at], number)).or_default() += 1;
                let name = self.ports[ends[at]][number].attribute.name.clone();
                self.call(ends[at], name, ends[1 - at]);
            }
        }
        flows
    }

    /// What passes there and back through a pair of ports.
    fn passing(&self, ends: [InstanceId; 2], pair: [Option<usize>; 2]) -> [PortFlow; 2] {
        let port = |at: usize| pair[at].map(|number| self.ports[ends[at]][number]);
        let [left, right] = [port(0), port(1)];
        let sends = |port: Option<Port>| port.and_then(|port| port.sends());
        let takes = |port: Option<Port>| port.and_then(|port| port.takes());
        [meet(sends(left), takes(right)), meet(sends(right), takes(left))]
    }

    fn widen(&mut self, ends: (InstanceId, InstanceId), flow: PortFlow) {
        let known = self.channels.entry(ends).or_insert_with(|| Some(BTreeSet::new()));
        *known = join(known.take(), flow);
    }

    fn open(&mut self, object: InstanceId, flow: PortFlow) {
        let known = self.open_to.entry(object).or_insert_with(|| Some(BTreeSet::new()));
        *known = join(known.take(), flow);
    }

    /// Ports with more links than they take.
    fn crowded(&self, gathering: &mut StructureDraft) {
        for ((object, number), links) in &self.used {
            let port = &self.ports[*object][*number];
            let Some(most) = port.most_links().filter(|most| links > most) else { continue };
            let (name, owner) = (&port.attribute.name, &gathering.structure.objects[*object]);
            let text = format!("the port `{name}` of `{}` has {links} links and takes {most}", owner.name);
            let finding = Diagnostic::new(Code::UnfitPorts, owner.place.0, text);
            gathering.problems.push(finding.label(port.attribute.place.0, "its multiplicity"));
        }
    }

    /// Connects objects that have a machine and no link: by all ports that speak a common protocol and let something through.
    fn unlinked(&mut self, gathering: &StructureDraft) {
        let objects = &gathering.structure.objects;
        let is_free = |id: &InstanceId| objects[*id].machine.is_some() && !self.links.contains_key(id);
        let free: Vec<InstanceId> = objects.ids().filter(is_free).collect();
        for (at, one) in free.iter().enumerate() {
            for other in &free[at + 1..] {
                let ends = [*one, *other];
                for pair in self.pairs(ends, [None, None], [false, false]).unwrap_or_default() {
                    let [forth, back] = self.passing(ends, pair);
                    if [&forth, &back].iter().any(|flow| flow.as_ref().is_none_or(|flow| !flow.is_empty())) {
                        let [forth, back] = self.flows(ends, &[pair]);
                        self.widen((*one, *other), forth);
                        self.widen((*other, *one), back);
                    }
                }
            }
        }
    }

    /// Links the objects that only the scenario names, and gives unconnected ports a role.
    fn guests(&mut self, gathering: &StructureDraft) {
        let objects = &gathering.structure.objects;
        for object in objects.ids().filter(|id| !gathering.guests.contains(id)) {
            let is_linked = self.links.contains_key(&object);
            if self.ports[object].is_empty() {
                if is_linked {
                    self.links.entry(object).or_default().extend(&gathering.guests);
                }
                continue;
            }
            self.open_to.insert(object, Some(BTreeSet::new()));
            self.loose(gathering, object);
            let open: Vec<usize> = (0..self.ports[object].len())
                .filter(|number| {
                    !self.used.contains_key(&(object, *number))
                        || self.border.contains_key(&(object, *number))
                })
                .collect();
            for number in open {
                let port = self.ports[object][number];
                self.open(object, port.takes());
                let border = self.border.get(&(object, number)).cloned();
                self.roles.entry((object, port.attribute.name.clone())).or_default();
                for guest in gathering.guests.iter().copied() {
                    let name = &objects[guest].name;
                    let is_named = gathering.borders.values().any(|border| border == name);
                    if is_named && !border.as_ref().is_some_and(|names| names.contains(name)) {
                        continue;
                    }
                    if is_linked {
                        self.links.entry(object).or_default().insert(guest);
                    }
                    self.widen((object, guest), port.sends());
                    self.widen((guest, object), port.takes());
                    self.call(object, port.attribute.name.clone(), guest);
                }
            }
        }
    }

    /// Lets an object exchange with guests what no port of it speaks of.
    fn loose(&mut self, gathering: &StructureDraft, object: InstanceId) {
        let Some(machine) = gathering.structure.objects[object].machine else { return };
        let Some(spoken) = spoken(&self.ports[object]) else { return };
        let machine = &gathering.kinds.model.machines[machine];
        let is_loose = |name: &&str| !spoken.contains(*name);
        let taken: BTreeSet<String> = machine.triggers().filter(is_loose).map(str::to_owned).collect();
        let sent: BTreeSet<String> =
            machine.sends().map(|send| send.name.as_str()).filter(is_loose).map(str::to_owned).collect();
        if taken.is_empty() && sent.is_empty() {
            return;
        }
        self.open(object, Some(taken.clone()));
        for guest in gathering.guests.iter().copied() {
            if let Some(near) = self.links.get_mut(&object) {
                near.insert(guest);
            }
            self.widen((object, guest), Some(sent.clone()));
            self.widen((guest, object), Some(taken.clone()));
        }
    }

    /// What the ports of objects with a machine let out, by their names.
    fn carried(&self) -> BTreeMap<(InstanceId, String), BTreeSet<String>> {
        let mut carried = BTreeMap::new();
        for (object, ports) in self.ports.enumerate() {
            for port in ports {
                if let Some(sends) = port.sends() {
                    carried.insert((object, port.attribute.name.clone()), sends);
                }
            }
        }
        carried
    }
}

/// All that ports speak of, in either direction; `None` if one of them lets everything through.
fn spoken(ports: &[Port<'_>]) -> PortFlow {
    let both = |port: &Port<'_>| join(port.sends(), port.takes());
    ports.iter().map(both).try_fold(BTreeSet::new(), |all, own| join(Some(all), own))
}

fn no_passage(structure: &Structure, ends: [InstanceId; 2], place: Place) -> Diagnostic {
    let [left, right] = ends.map(|id| &structure.objects[id].name);
    let text = format!("no message can pass between `{left}` and `{right}`: their ports do not fit");
    Diagnostic::new(Code::UnfitPorts, place.0, text)
        .hint("let both ports have the same protocol, one of them conjugated (`~Protocol`)")
}

/// Roles at the far ends of associations, for objects that have no link or neighbour of that name.
fn associations(gathering: &mut StructureDraft) {
    let model = gathering.kinds.model;
    let mut found: BTreeMap<(InstanceId, String), Vec<InstanceId>> = BTreeMap::new();
    let structure = &gathering.structure;
    let of = |class: &str| {
        let lower = class.to_lowercase();
        let fits = move |id: &InstanceId| structure.objects[*id].kinds.contains(&lower);
        structure.objects.ids().filter(fits).collect::<Vec<_>>()
    };
    for association in &model.associations {
        match association.kind {
            AssociationKind::Association | AssociationKind::Aggregation | AssociationKind::Composition => {}
            AssociationKind::Generalization | AssociationKind::Realization | AssociationKind::Dependency => {
                continue;
            }
        }
        for (near, far) in [(0, 1), (1, 0)] {
            let [near, far] = [&association.ends[near], &association.ends[far]];
            let Some(role) = &far.role else { continue };
            let others = of(&model.classes[far.class].name);
            for object in of(&model.classes[near.class].name) {
                let is_known = structure.objects.enumerate().any(|(id, other)| {
                    id != object && other.name == *role && structure.is_linked(object, id)
                });
                let is_neighbour =
                    |other: &&InstanceId| **other != object && structure.is_linked(object, **other);
                let there: Vec<InstanceId> = others.iter().filter(is_neighbour).copied().collect();
                if is_known || there.is_empty() || structure.roles.contains_key(&(object, role.clone())) {
                    continue;
                }
                let known = found.entry((object, role.clone())).or_default();
                known.extend(there.into_iter().filter(|one| !known.contains(one)).collect::<Vec<_>>());
            }
        }
    }
    gathering.structure.roles.extend(found);
}
