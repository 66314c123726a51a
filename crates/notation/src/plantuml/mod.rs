//! PlantUML.
