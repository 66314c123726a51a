//! State machines read from text: findings about them.

mod lint;
