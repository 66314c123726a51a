//! UML models of other tools, compared element by element with an independent extraction; and models that are damaged.

mod constructs;
mod damaged;
mod extension;
mod facts;
mod loaded;
mod missing;
mod order;
mod oven;
mod places;
mod round;
mod samples;
mod split;
mod table;
mod tmvml;
mod uml1;
mod unknown;
mod values;
