//! Automata that are exported: a reader of their format finds them sound, and they accept what they should. Random formulas are compared
//! with their definitions (`SEQUENT_RANDOM=20000` for more), questions with the observers they come from, and verdicts about diagrams
//! follow from the automata alone.

#[path = "../../../sequent/tests/cases/mod.rs"]
mod cases;
mod formulas;
#[path = "../../../kernel/tests/ltl/naive.rs"]
mod naive;
#[path = "../../../sequent/tests/opinion/mod.rs"]
mod opinion;
mod questions;
#[path = "../../../kernel/tests/ltl/random.rs"]
mod random;
mod reader;
#[path = "../runner/mod.rs"]
mod runner;
#[path = "../../../sequent/tests/samples/mod.rs"]
mod samples;
mod spot;
#[allow(dead_code)]
#[path = "../../../kernel/tests/ltl/syntax.rs"]
mod syntax;
mod traces;
mod verdicts;
#[allow(dead_code)]
#[path = "../../../kernel/tests/ltl/word.rs"]
mod word;
mod words;
