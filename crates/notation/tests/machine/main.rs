//! State machines read from text: findings about them, and about scenarios that they cannot follow.

mod data;
mod lint;
mod tokens;
mod triggers;
