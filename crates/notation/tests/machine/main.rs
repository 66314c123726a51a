//! State machines read from text: findings about them, and about scenarios that they cannot follow.

mod lint;
mod triggers;
