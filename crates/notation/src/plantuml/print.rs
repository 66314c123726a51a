//! The model as canonical PlantUML text; reading it again gives the same model.

mod class;
mod member;
mod sequence;
mod state;
mod text;

pub use class::print as class;
pub use member::{attribute, operation};
pub use sequence::print as sequence;
pub use state::print as state;
