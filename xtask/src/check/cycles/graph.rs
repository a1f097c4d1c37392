//! Finds cycles in a graph of dependencies.

use std::collections::{BTreeMap, BTreeSet};

/// The dependencies between files: the using file, the defining file, and the used names.
pub(super) type Arrows = BTreeMap<String, BTreeMap<String, BTreeSet<String>>>;

/// The largest sets of files in which each file depends on all others.
pub(super) fn circles(arrows: &Arrows) -> Vec<BTreeSet<&str>> {
    let reached: BTreeMap<&str, BTreeSet<&str>> =
        arrows.keys().map(|file| (file.as_str(), reachable(file, arrows))).collect();
    let leads = |from: &str, to: &str| reached.get(from).is_some_and(|reached| reached.contains(to));
    let mut circles: Vec<BTreeSet<&str>> = Vec::new();
    for file in reached.keys().filter(|file| leads(file, file)) {
        if !circles.iter().any(|circle| circle.contains(file)) {
            circles.push(reached.keys().copied().filter(|other| leads(file, other) && leads(other, file)).collect());
        }
    }
    circles
}

fn reachable<'a>(file: &str, arrows: &'a Arrows) -> BTreeSet<&'a str> {
    let mut found = BTreeSet::new();
    let mut next: Vec<&str> = arrows.get(file).into_iter().flat_map(|to| to.keys().map(String::as_str)).collect();
    while let Some(file) = next.pop() {
        if found.insert(file) {
            next.extend(arrows.get(file).into_iter().flat_map(|to| to.keys().map(String::as_str)));
        }
    }
    found
}

pub(super) fn describe(kind: &str, circle: &BTreeSet<&str>, arrows: &Arrows) -> String {
    let mut lines = vec![format!("{} {kind} use each other in a circle:", circle.len())];
    for from in circle {
        let to = arrows.get(*from).into_iter().flatten().filter(|(to, _)| circle.contains(to.as_str()));
        lines.extend(to.map(|(to, names)| {
            let names: Vec<&str> = names.iter().map(String::as_str).collect();
            format!("{from} -> {to}: {}", names.join(", "))
        }));
    }
    lines.join("\n    ")
}
