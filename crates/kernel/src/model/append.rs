//! Joining models: what several files say becomes one [`Model`].
//!
//! References inside the model that is added are ids, so they move by as many elements as are there already. Names are left alone:
//! what a name means across files is decided where names are looked up.

use crate::id::Id;
use crate::model::{AskedDirective, Check, Model, MovedElements, Subject};

impl Model {
    /// Adds the elements of another model behind its own. The other's system settings are not taken over.
    pub fn append(&mut self, other: Model) {
        let (interactions, machines) = (self.interactions.len(), self.machines.len());
        let (classes, objects) = (self.classes.len(), self.objects.len());
        let moved = MovedElements {
            class: &|id| shifted(id, classes),
            object: &|id| shifted(id, objects),
            associations: self.associations.len(),
            links: self.links.len(),
        };
        self.picture.append(other.picture, moved);
        for mut interaction in other.interactions {
            let moved = |target| shifted(target, interactions);
            interaction.body.change_uses(&mut |used| used.target = used.target.map(moved));
            self.interactions.push(interaction);
        }
        for machine in other.machines {
            self.machines.push(machine);
        }
        for class in other.classes {
            self.classes.push(class);
        }
        for mut association in other.associations {
            association.ends.iter_mut().for_each(|end| end.class = shifted(end.class, classes));
            self.associations.push(association);
        }
        for object in other.objects {
            self.objects.push(object);
        }
        for mut link in other.links {
            link.ends = link.ends.map(|end| shifted(end, objects));
            self.links.push(link);
        }
        let moved = |subject| match subject {
            Subject::Interaction(id) => Subject::Interaction(shifted(id, interactions)),
            Subject::Machine(id) => Subject::Machine(shifted(id, machines)),
        };
        let checks = other.checks.into_iter();
        self.checks.extend(checks.map(|check| Check { subject: check.subject.map(moved), ..check }));
        self.known.extend(other.known);
        let asked = other.asked.into_iter();
        self.asked.extend(asked.map(|one| AskedDirective { subject: one.subject.map(moved), ..one }));
    }
}

fn shifted<I: Id>(id: I, by: usize) -> I {
    I::from_index(id.index() + by)
}
