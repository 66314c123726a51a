//! Words of NuSMV: names that nothing else has, comments, and sets.

use std::collections::BTreeSet;

use super::super::names::Identifiers;

/// Words that mean something to NuSMV or nuXmv, and those of every model that is written.
const TAKEN: &str = "MODULE DEFINE MDEFINE CONSTANTS VAR IVAR FROZENVAR INIT TRANS INVAR SPEC CTLSPEC LTLSPEC PSLSPEC \
    COMPUTE NAME INVARSPEC FAIRNESS JUSTICE COMPASSION ISA ASSIGN CONSTRAINT SIMPWFF CTLWFF LTLWFF PSLWFF COMPWFF IN MIN \
    MAX MIRROR PRED PREDICATES FUN ITYPE PARSYNTH process array of boolean integer real clock noncontinuous word word1 \
    bool toint signed unsigned extend resize sizeof uwconst swconst floor pi sin cos exp tan ln EX AX EF AF EG AG E F O G \
    H X Y Z A U S V T BU EBF ABF EBG ABG case esac mod next init union in xor xnor self TRUE FALSE count abs max min \
    read write CONSTARRAY typeof time main step over memory marked can urgent dead complete stuck goal accepted unread \
    chosen enabled flag_final ready running state sinit isBlock isCritical isAssert event start end";

/// Identifiers for NuSMV.
pub(crate) fn fresh() -> Identifiers {
    Identifiers::without(TAKEN)
}

/// A text that stays within a comment, which ends with its line.
pub(crate) fn comment(text: &str) -> String {
    text.replace(['\n', '\r'], " ")
}

/// `{1, 3}`
pub(crate) fn set(numbers: &BTreeSet<usize>) -> String {
    let each: Vec<String> = numbers.iter().map(usize::to_string).collect();
    format!("{{{}}}", each.join(", "))
}
