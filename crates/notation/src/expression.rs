//! Expressions: guards, invariants, arguments and assignments as text.
