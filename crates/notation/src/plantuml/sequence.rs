//! PlantUML: sequence.
