//! PlantUML: preprocess.
