//! Prints state diagrams as PlantUML.
