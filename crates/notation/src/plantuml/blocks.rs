//! PlantUML: blocks.
