//! PlantUML: common.
