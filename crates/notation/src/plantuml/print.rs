//! The model as canonical PlantUML text; reading it again gives the same model.

pub mod class;
pub mod member;
pub mod sequence;
pub mod state;
pub mod text;
