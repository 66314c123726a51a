//! Names that mean something in CSPm already.

use super::super::names::Identifiers;

/// Words of the language and functions that it comes with.
const TAKEN: &str = "and or not if then else let within channel datatype nametype subtype assert true false STOP SKIP \
    CHAOS DIV RUN WAIT LOOP Events Int Bool Char Proc String union inter diff Union Inter member card empty set Set \
    Seq seq head tail concat elem length null module endmodule instance exports external transparent include print \
    extensions productions error show mtransclose relational_image transpose emptyMap mapFromList mapLookup mapMember \
    mapToList mapUpdate mapUpdateMultiple Map mapDelete normal explicate sbisim tau_loop_factor diamond \
    model_compress deter lazyenumerate wbisim dbisim prioritise prioritise_nocache prioritisepo chase chase_nocache \
    compress failure_watchdog trace_watchdog type Timed timed_priority TOCK tock failures has trace free deadlock livelock divergence \
    deterministic Inductive Eq Ord Complete Yieldable";

/// Words that stand in every script as they are.
const OWN: &str = "send receive ends silent together Object Message Value Joint quotient remainder dividend divisor Once First \
    Region After Open e inside last way outer events before after x1 x2 x3 x4 x5 x6 x7 x8 x9 \
    nth without waiting place elem member \
    match forever Forever Last Tester matching diverging refusing kind";

/// Nothing given away but these.
pub(crate) fn names() -> Identifiers {
    let mut names = Identifiers::without(TAKEN);
    OWN.split_whitespace().for_each(|word| _ = names.give(word));
    names
}
