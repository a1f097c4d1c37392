//! Finds the operations to which faults can apply, by their names.

use super::injection::{ErrorForm, FaultInjection, FaultOperation};

/// The numbers of the operations that a name matches: an operation's name, or a method and a path with or without the version. A path
/// without the version matches every version.
pub(super) fn resolve(injection: &FaultInjection, name: &str) -> Vec<usize> {
    let by_path = name.split_once(' ').map(|(method, path)| (method, path.trim()));
    let is_meant = |operation: &FaultOperation| {
        let at = |path: &str| by_path.is_some_and(|(_, asked)| is_path(path, asked));
        let by_method = by_path.is_some_and(|(method, _)| method == operation.method.as_str());
        operation.name == name
            || (by_method && (at(&operation.path) || operation.unversioned.as_deref().is_some_and(at)))
    };
    let numbered = injection.operations.iter().enumerate();
    numbered.filter(|(_, operation)| is_meant(operation)).map(|(number, _)| number).collect()
}

/// Whether any of these operations signs its responses.
pub(super) fn signs_responses(injection: &FaultInjection, operations: &[usize]) -> bool {
    operations.iter().filter_map(|number| injection.operations.get(*number)).any(|operation| operation.signs_responses)
}

/// Whether any of these operations has errors of this format.
pub(super) fn has_errors_of(injection: &FaultInjection, operations: &[usize], form: ErrorForm) -> bool {
    operations.iter().filter_map(|number| injection.operations.get(*number)).any(|operation| operation.errors == form)
}

/// Whether a path equals the requested one; ids in braces may have any name.
fn is_path(path: &str, asked: &str) -> bool {
    let asked = asked.strip_suffix('/').unwrap_or(asked);
    let is_id = |segment: &str| segment.starts_with('{') && segment.ends_with('}');
    let segments = path.split('/').zip(asked.split('/'));
    path.split('/').count() == asked.split('/').count()
        && segments.into_iter().all(|(one, other)| one == other || (is_id(one) && is_id(other)))
}
