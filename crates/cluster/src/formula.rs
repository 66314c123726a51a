//! Formulas as they are sent to workers: each makes the automaton again, which is then the same.

use sequent_kernel::formula::{Binary, Unary};
use sequent_kernel::id::{Id, IdVec};
use sequent_kernel::property::ltl::{BoundFormula, BoundPart, LtlAutomaton, Moments, Origin, PartId, Says};
use sequent_kernel::source::{FileId, Span};

use crate::bytes::{ByteReader, ByteWriter};

/// A formula in bytes, about a System with the given number of events.
pub(crate) fn write(out: &mut ByteWriter, origin: &Origin, events: usize) {
    out.truth(origin.is_negated);
    out.number(origin.bound.parts().len() as u64);
    for part in origin.bound.parts().iter() {
        match &part.says {
            Says::Constant(value) => {
                out.number(0_u64);
                out.truth(*value);
            }
            Says::Moments(moments) => {
                out.number(1_u64);
                out.numbers(moments.numbers(events).into_iter().map(|number| number as u64));
            }
            Says::Holds(term) => {
                out.number(2_u64);
                out.id(*term);
            }
            Says::Unary(operator, operand) => {
                out.number(3_u64);
                out.number(place_in(&Unary::ALL, operator));
                out.id(*operand);
            }
            Says::Binary(operator, left, right) => {
                out.number(4_u64);
                out.number(place_in(&Binary::ALL, operator));
                out.id(*left);
                out.id(*right);
            }
        }
    }
}

fn place_in<T: PartialEq>(all: &[T], one: &T) -> u64 {
    all.iter().position(|other| other == one).unwrap_or(all.len()) as u64
}

/// The automaton of a formula about a System with the given numbers of events and terms.
pub(crate) fn read(from: &mut ByteReader<'_>, events: usize, terms: usize) -> Option<LtlAutomaton> {
    let is_negated = from.truth()?;
    let mut parts: IdVec<PartId, BoundPart> = IdVec::new();
    for number in 0..from.count()? {
        let says = read_part(from, number, (events, terms))?;
        parts.push(BoundPart { says, place: Span::new(FileId::from_index(0), 0, 0).into() });
    }
    let bound = BoundFormula::of_parts(parts, events)?;
    let made = if is_negated { LtlAutomaton::violation(&bound) } else { LtlAutomaton::of(&bound) };
    made.ok()
}

fn read_part(from: &mut ByteReader<'_>, before: usize, (events, terms): (usize, usize)) -> Option<Says> {
    Some(match from.number()? {
        0 => Says::Constant(from.truth()?),
        1 => {
            let numbers: Vec<usize> = from.numbers()?.into_iter().map(|number| number as usize).collect();
            Says::Moments(Moments::of_numbers(&numbers, events)?)
        }
        2 => Says::Holds(from.known(terms)?),
        3 => Says::Unary(*Unary::ALL.get(from.count()?)?, from.known(before)?),
        4 => Says::Binary(*Binary::ALL.get(from.count()?)?, from.known(before)?, from.known(before)?),
        _ => return None,
    })
}
