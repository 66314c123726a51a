//! Alignment: which element of one list corresponds to which element of another, without crossings.

mod increasing;
mod lists;
mod myers;

pub(super) use self::increasing::heaviest_increasing;
pub(super) use self::lists::{
    Alignment, align_any, align_equal, align_weighted, inverse, number_keys, prefer_heavier,
};
