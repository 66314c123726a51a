//! Effects and triggers as text again; reading the text gives them back.

use sequent_kernel::model::{Argument, Contract, Effect, Trigger};

use crate::expression;

/// An effect: `x = 1`, `bank.debit(x)`, or its own text.
pub fn effect(effect: &Effect) -> String {
    match effect {
        Effect::Assign(assign) => {
            format!("{} = {}", assign.target.join("."), expression::print(&assign.value))
        }
        Effect::Send(send) if send.name.starts_with(|digit: char| digit.is_ascii_digit()) => {
            let to = if send.target.is_empty() { "" } else { " to " };
            format!("send event:{}{to}{}", send.name, send.target.join("."))
        }
        Effect::Send(send) => {
            let path: Vec<&str> = send.target.iter().chain([&send.name]).map(String::as_str).collect();
            format!("{}{}", path.join("."), arguments(send.arguments.as_deref()))
        }
        Effect::Opaque { text, .. } => text.clone(),
    }
}

/// A trigger: `debit(x)`, `after(3s)`, `when(x > 3)`, `any`.
pub fn trigger(trigger: &Trigger) -> String {
    match trigger {
        Trigger::Event { name, parameters } if parameters.is_empty() => name.clone(),
        Trigger::Event { name, parameters } => format!("{name}({})", parameters.join(", ")),
        Trigger::Any => "any".to_owned(),
        Trigger::After(time) => format!("after({time})"),
        Trigger::When(condition) => format!("when({})", condition.text),
    }
}

/// An argument list in brackets, empty if none is written.
pub fn arguments(arguments: Option<&[Argument]>) -> String {
    let Some(arguments) = arguments else { return String::new() };
    let one = |argument: &Argument| match &argument.name {
        Some(name) => format!("{name} = {}", argument.text),
        None => argument.text.clone(),
    };
    format!("({})", arguments.iter().map(one).collect::<Vec<_>>().join(", "))
}

/// A contract as the directive that says it.
pub fn contract(contract: &Contract) -> String {
    let word = if contract.is_post { "post" } else { "pre" };
    format!("@{word} {} : {}", contract.name, contract.condition.text)
}
