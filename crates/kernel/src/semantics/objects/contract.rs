//! Contracts: what must hold when an operation or signal is taken, and at the end of the step (directives `@pre`, `@post`).
//!
//! A contract that is broken is a fault: the run ends there and is reported. One that speaks of something unknown is not looked at.

use super::World;
use super::path::InvisiblePath;
use super::process::{BindingId, ProcessId, ProcessStep};
use super::structure::InstanceId;
use super::view::FaultKind;

impl World<'_> {
    /// What an object does with a message, between the conditions on it.
    pub(crate) fn contracted(
        &mut self,
        object: InstanceId,
        name: &str,
        process: ProcessId,
        binding: BindingId,
    ) -> ProcessId {
        let contracts = &self.body(object).machine.contracts;
        let of = |is_post: bool| -> Vec<ProcessStep> {
            let own =
                contracts.iter().enumerate().filter(|(_, one)| one.name == name && one.is_post == is_post);
            own.map(|(number, _)| ProcessStep::Check(number, binding)).collect()
        };
        let (before, after) = (of(false), of(true));
        let [before, after] = [before, after].map(|deeds| self.in_sequence(object, deeds));
        self.body_mut(object).processes.sequence([before, process, after])
    }

    /// Looks at a condition: a path on which it holds, and one on which it is broken.
    pub(crate) fn check(
        &mut self,
        object: InstanceId,
        path: InvisiblePath,
        contract: usize,
        binding: BindingId,
    ) -> Vec<InvisiblePath> {
        let Some(contract) = self.body(object).machine.contracts.get(contract) else { return vec![path] };
        let expression = contract.condition.expression.as_ref();
        let value = expression.and_then(|value| self.value(object, &path, value, binding));
        let Some(value) = value else { return vec![path] };
        let [path, broken] = self.sound(object, path, expression, binding, contract.condition.place);
        let mut paths: Vec<InvisiblePath> = broken.into_iter().collect();
        let Some(path) = path else { return paths };
        let misfit = self.terms.not(value.term);
        if let Some(mut broken) = self.given(&path, misfit) {
            let owner = &self.structure.objects[object].name;
            let (when, text) = (if contract.is_post { "post" } else { "pre" }, &contract.condition.text);
            let text = format!("the {when}condition of {} at {owner} is broken: {text}", contract.name);
            broken.fault = Some(self.fault(FaultKind::Contract, text, contract.condition.place));
            paths.push(broken);
        }
        paths.extend(self.given(&path, value.term));
        paths
    }
}
