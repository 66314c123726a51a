//! A run of a system of objects under a name of its own, in words and pictures.

use sequent_kernel::model::Model;
use sequent_kernel::replay::Run;
use sequent_kernel::semantics::objects::Objects;
use sequent_kernel::source::Place;
use sequent_kernel::verdict::Story;
use sequent_report::run::Wishes;

use crate::telling::tell_objects;

/// A run of some objects; `None` if it cannot be replayed.
pub fn tell(
    model: &Model,
    objects: &Objects,
    title: (&str, Place),
    run: &Run,
    wishes: &Wishes,
) -> Option<Story> {
    let mut story = tell_objects(model, objects, None, run, wishes)?;
    (story.drawing.name, story.drawing.place) = (title.0.to_owned(), title.1);
    Some(story)
}
