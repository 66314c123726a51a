//! Prints sequence diagrams as PlantUML.
