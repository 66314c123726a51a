//! Processor time: how long this program has worked, whatever else the machine did meanwhile.
//!
//! Linux tells it in two files: one is exact and about the thread that asks, the other has programs that were started and have
//! ended, in hundredths of a second.

/// Microseconds that this thread worked, and programs that it started and waited for.
pub(crate) fn time() -> Option<u64> {
    Some(own()? + children()?)
}

/// Microseconds that this thread worked.
pub(crate) fn own() -> Option<u64> {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    let nanoseconds: u64 = text.split(' ').next()?.parse().ok()?;
    Some(nanoseconds / 1_000)
}

/// Microseconds that all threads of this program worked, in hundredths of a second: the 14th and 15th field.
pub(crate) fn whole() -> Option<u64> {
    fields(14)
}

/// The 16th and 17th field.
fn children() -> Option<u64> {
    fields(16)
}

/// Two fields in a row, counted from 1; the second of all is the name of the program in brackets, and may hold blanks.
fn fields(first: usize) -> Option<u64> {
    /// `CLK_TCK` is 100 on every Linux.
    const MICROSECONDS: u64 = 10_000;
    let text = std::fs::read_to_string("/proc/self/stat").ok()?;
    let (_, fields) = text.rsplit_once(") ")?;
    let mut fields = fields.split(' ').skip(first - 3);
    let mut next = || fields.next()?.parse::<u64>().ok();
    Some((next()? + next()?) * MICROSECONDS)
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    #[test]
    fn it_grows_by_work() {
        let before = super::time().expect("Linux tells it");
        let mut sum = 0_u64;
        while super::time().expect("Linux tells it") < before + 2_000 {
            sum = std::hint::black_box(sum.wrapping_add(1));
        }
        assert!(sum > 0);
    }
}
