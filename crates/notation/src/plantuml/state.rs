//! PlantUML: state.
