//! Which messages an `ignore` or a `consider` may let happen besides those its diagram draws (rule I8): what other diagrams
//! of the folder draw between lifelines of the same names, and, for types that no diagram draws, the operations of the
//! lifelines' classes, sent by whom an association lets reach them; by anybody, where no association is drawn to the class at all.

use std::collections::BTreeSet;

use sequent_kernel::id::Id;
use sequent_kernel::model::{
    Association, AssociationKind, ClassId, End, Fragment, Interaction, InteractionId, KnownMessage,
    LifelineId, Model,
};

/// Notes for each interaction that has an `ignore` or a `consider` what others know; `homes` are the folders of the
/// interactions and of the classes.
pub(crate) fn link(model: &mut Model, homes: (&[&str], &[&str])) {
    let asking: Vec<InteractionId> =
        model.interactions.enumerate().filter(|(_, one)| asks(one)).map(|(id, _)| id).collect();
    for id in asking {
        let known = KnownSearch { model, homes, about: &model.interactions[id] }.known(id);
        model.interactions[id].known = known;
    }
}

/// Whether a diagram has a fragment with a set of message types.
fn asks(interaction: &Interaction) -> bool {
    let mut asks = false;
    interaction.walk(&mut |fragment, _| {
        asks |= matches!(fragment, Fragment::Combined(combined) if combined.operator.types().is_some());
    });
    asks
}

struct KnownSearch<'m> {
    model: &'m Model,
    homes: (&'m [&'m str], &'m [&'m str]),
    about: &'m Interaction,
}

impl KnownSearch<'_> {
    fn known(&self, id: InteractionId) -> Vec<KnownMessage> {
        let home = self.homes.0[id.index()];
        let mut known: Vec<KnownMessage> = Vec::new();
        for (other, interaction) in self.model.interactions.enumerate() {
            if other == id || self.homes.0[other.index()] != home {
                continue;
            }
            for message in interaction.messages.iter() {
                let [from, to] = [message.from, message.to].map(|end| self.end(interaction, end));
                let (Some(from), Some(to)) = (from, to) else { continue };
                let arguments = message.arguments.clone();
                let one = KnownMessage { name: message.name.clone(), arguments, from, to };
                if (from.is_some() || to.is_some()) && !known.contains(&one) {
                    known.push(one);
                }
            }
        }
        let own = self.about.messages.iter().map(|message| &message.name);
        let drawn: BTreeSet<String> = own.chain(known.iter().map(|one| &one.name)).cloned().collect();
        known.extend(self.operations(home).into_iter().filter(|one| !drawn.contains(&one.name)));
        known
    }

    /// The lifeline of this diagram of the same name; `Some(None)` outside, `None` if there is none.
    fn end(&self, other: &Interaction, end: End) -> Option<Option<LifelineId>> {
        match end {
            End::Outside(_) => Some(None),
            End::Lifeline(line) => {
                let name = &other.lifelines[line].name;
                self.about.lifelines.find(|own| own.name == *name).map(Some)
            }
        }
    }

    /// The operations of the lifelines' classes, with those who may call them.
    fn operations(&self, home: &str) -> Vec<KnownMessage> {
        let lines: Vec<(LifelineId, BTreeSet<ClassId>)> =
            self.about.lifelines.enumerate().map(|(line, _)| (line, self.classes(line, home))).collect();
        let mut found = Vec::new();
        for (to, receiver) in &lines {
            let names: BTreeSet<&str> = receiver
                .iter()
                .flat_map(|class| &self.model.classes[*class].operations)
                .map(|operation| operation.name.as_str())
                .collect();
            for name in names {
                for (from, sender) in &lines {
                    if from != to && (self.reaches(sender, receiver) || !self.is_tied(receiver)) {
                        let (from, to) = (Some(*from), Some(*to));
                        found.push(KnownMessage { name: name.to_owned(), arguments: None, from, to });
                    }
                }
            }
        }
        found
    }

    /// The class of a lifeline and those more general.
    fn classes(&self, line: LifelineId, home: &str) -> BTreeSet<ClassId> {
        let lifeline = &self.about.lifelines[line];
        let name = lifeline.class.as_ref().unwrap_or(&lifeline.name);
        let is_own = |id: &ClassId| self.homes.1[id.index()] == home;
        let own = self.model.classes.enumerate().filter(|(id, class)| is_own(id) && class.name == *name);
        let mut found: BTreeSet<ClassId> = own.map(|(id, _)| id).collect();
        loop {
            let specialises = |one: &&Association| match one.kind {
                AssociationKind::Generalization | AssociationKind::Realization => {
                    found.contains(&one.ends[0].class)
                }
                AssociationKind::Association
                | AssociationKind::Aggregation
                | AssociationKind::Composition
                | AssociationKind::Dependency => false,
            };
            let general: Vec<ClassId> =
                self.model.associations.iter().filter(specialises).map(|one| one.ends[1].class).collect();
            let before = found.len();
            found.extend(general);
            if found.len() == before {
                return found;
            }
        }
    }

    /// Whether an association leads from one of some classes to one of others.
    fn reaches(&self, from: &BTreeSet<ClassId>, to: &BTreeSet<ClassId>) -> bool {
        self.links().any(|one| {
            let [first, second] = &one.ends;
            // Without arrow heads it may be followed both ways.
            let is_open = first.navigable == second.navigable;
            let follows = |a: &ClassId, b: &ClassId| from.contains(a) && to.contains(b);
            (is_open || second.navigable) && follows(&first.class, &second.class)
                || (is_open || first.navigable) && follows(&second.class, &first.class)
        })
    }

    /// Whether some association is drawn to one of these classes.
    fn is_tied(&self, classes: &BTreeSet<ClassId>) -> bool {
        self.links().any(|one| one.ends.iter().any(|end| classes.contains(&end.class)))
    }

    /// The associations over which messages go.
    fn links(&self) -> impl Iterator<Item = &Association> {
        self.model.associations.iter().filter(|one| match one.kind {
            AssociationKind::Association
            | AssociationKind::Aggregation
            | AssociationKind::Composition
            | AssociationKind::Dependency => true,
            AssociationKind::Generalization | AssociationKind::Realization => false,
        })
    }
}
