//! PlantUML, read as PlantUML reads it.

pub mod blocks;
pub mod class;
pub mod common;
pub mod preprocess;
pub mod print;
pub mod sequence;
pub mod state;
