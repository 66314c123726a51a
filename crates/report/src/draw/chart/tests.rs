//! Drawings of small machines and classes.
