//! Attributes and operations as the lines of a class's body.

use sequent_kernel::model::{Attribute, Operation, Parameter, ParameterDirection, Visibility};

/// `+name[0..*] : Type = value <<port>>`
pub fn attribute(attribute: &Attribute) -> String {
    // Round brackets would make it an operation.
    let force = if attribute.name.contains('(') { "{field} " } else { "" };
    let of_class = if attribute.is_static { "{static} " } else { "" };
    let mut out = format!("{force}{}{of_class}{}", visibility(attribute.visibility), attribute.name);
    attribute.multiplicity.iter().for_each(|text| out += &format!("[{text}]"));
    attribute.type_name.iter().for_each(|text| out += &format!(" : {text}"));
    attribute.initial.iter().for_each(|text| out += &format!(" = {text}"));
    out + &stereotypes(&attribute.stereotypes)
}

/// `+signal name(in x : Type) : Result`
pub fn operation(operation: &Operation) -> String {
    let signal = if operation.is_signal { "signal " } else { "" };
    let parameters: Vec<String> = operation.parameters.iter().map(parameter).collect();
    let parameters = parameters.join(", ");
    let words = [("{static} ", operation.is_static), ("{abstract} ", operation.is_abstract)];
    let words: String = words.into_iter().filter(|(_, is_so)| *is_so).map(|(word, _)| word).collect();
    let sign = visibility(operation.visibility);
    let mut out = format!("{sign}{words}{signal}{}({parameters})", operation.name);
    operation.result.iter().for_each(|text| out += &format!(" : {text}"));
    out + &stereotypes(&operation.stereotypes)
}

fn parameter(parameter: &Parameter) -> String {
    let direction = match parameter.direction {
        Some(ParameterDirection::In) => "in ",
        Some(ParameterDirection::Out) => "out ",
        Some(ParameterDirection::InOut) => "inout ",
        None => "",
    };
    match &parameter.type_name {
        Some(type_name) if parameter.name.is_empty() => format!("{direction}{type_name}"),
        Some(type_name) => format!("{direction}{} : {type_name}", parameter.name),
        None => format!("{direction}{}", parameter.name),
    }
}

fn visibility(visibility: Option<Visibility>) -> &'static str {
    match visibility {
        Some(Visibility::Public) => "+",
        Some(Visibility::Private) => "-",
        Some(Visibility::Protected) => "#",
        Some(Visibility::Package) => "~",
        None => "",
    }
}

/// ` <<one>> <<two>>`
pub(crate) fn stereotypes(stereotypes: &[String]) -> String {
    stereotypes.iter().map(|word| format!(" <<{word}>>")).collect()
}
