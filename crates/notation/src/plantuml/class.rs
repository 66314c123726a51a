//! PlantUML: class.
