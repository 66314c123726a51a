//! Labels: `trigger [guard] / effects` of transitions, `name(arguments)` of messages and sends.
