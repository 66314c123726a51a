//! The process that observes, state by state.

/// The beginning of the process, with variables of its own.
pub(crate) fn opening(variables: &str, ways: &[String]) -> String {
    let ways: String = ways.iter().map(|way| format!("  :: {way}\n")).collect();
    format!(
        "\n/* The observer. */\nactive proctype Observer() {{\n  short event; /* what it is told; 0 but within a step */\n{variables}  if\n{ways}  fi;\n"
    )
}

/// A state that waits for an event.
pub(crate) fn state(label: &str, ways: &[String]) -> String {
    let ways: String = ways.iter().map(|way| format!("    :: {way}\n")).collect();
    format!("{label}:\n  atomic {{ observer?event -> shown = 0;\n    if\n{ways}    fi\n  }};\n")
}
