//! Prints class diagrams as PlantUML.
