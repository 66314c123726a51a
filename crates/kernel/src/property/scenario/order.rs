//! Things read in any order.

use std::collections::BTreeMap;

/// What comes of reading some things in every order; orders that have read the same things are joined.
pub(super) fn in_any_order<T: Clone>(
    count: usize,
    first: T,
    read: impl Fn(T, usize) -> T,
    join: impl Fn(T, T) -> T,
) -> T {
    // By what was read, a bit for each: what is read after it has a greater number.
    let mut reached: BTreeMap<u64, T> = BTreeMap::from([(0, first)]);
    while let Some((read_so_far, here)) = reached.pop_first() {
        let left: Vec<usize> = (0..count.min(63)).filter(|one| read_so_far >> one & 1 == 0).collect();
        if left.is_empty() {
            return here;
        }
        for one in left {
            let (place, next) = (read_so_far | 1 << one, read(here.clone(), one));
            let joined = match reached.remove(&place) {
                Some(known) => join(known, next),
                None => next,
            };
            reached.insert(place, joined);
        }
    }
    unreachable!("the last to be taken out has read everything")
}
