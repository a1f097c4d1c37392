//! What is in the program, as a software bill of materials in CycloneDX.
//!
//! Source: CycloneDX 1.6, <https://cyclonedx.org/docs/1.6/json/>.

use super::modules::Modules;
use super::repository::repository_text;
use super::source::Source;
use crate::error::TaskError;
use cargo_metadata::{Package, PackageId};
use serde::Deserialize;
use serde_json::{Value, json};
use std::collections::{BTreeSet, HashMap};

/// The name of the file.
pub(super) const NAME: &str = "sbom.cdx.json";

/// The file that has the checksum of each crate.
#[derive(Debug, Deserialize)]
struct Lock {
    package: Vec<Locked>,
}

#[derive(Debug, Deserialize)]
struct Locked {
    name: String,
    version: String,
    checksum: Option<String>,
}

/// The document.
pub(super) fn document(source: &Source, modules: &Modules) -> Result<String, TaskError> {
    let lock: Lock = toml::from_str(&repository_text("Cargo.lock")?)?;
    let checksums = lock.package.into_iter().filter_map(|it| Some(((it.name, it.version), it.checksum?)));
    let checksums: HashMap<_, _> = checksums.collect();
    let all = modules.all();
    let names: HashMap<&PackageId, String> = all.iter().map(|(package, _)| (&package.id, reference(package))).collect();
    let is_program = |package: &Package| package.name.as_str() == super::source::PROGRAM;
    let (program, parts): (Vec<_>, Vec<_>) = all.iter().partition(|(package, _)| is_program(package));
    let (program, _) = program.first().ok_or("the program is not among the crates")?;
    let components: Vec<_> = parts.iter().map(|(package, _)| component(package, "library", &checksums)).collect();
    let dependency = |(package, needs): &(&Package, &BTreeSet<PackageId>)| {
        let needs: BTreeSet<_> = needs.iter().filter_map(|id| names.get(id)).collect();
        json!({ "ref": reference(package), "dependsOn": needs })
    };
    let mut subject = component(program, "application", &checksums);
    if let Some(subject) = subject.as_object_mut() {
        subject.insert("version".to_owned(), format!("{} ({})", source.version, source.commit).into());
    }
    let document = json!({
        "$schema": "http://cyclonedx.org/schema/bom-1.6.schema.json",
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "version": 1,
        "metadata": {
            "timestamp": source.instant,
            "tools": { "components": [{ "type": "application", "name": "cargo xtask package" }] },
            "component": subject,
        },
        "components": components,
        "dependencies": all.iter().map(dependency).collect::<Vec<_>>(),
    });
    Ok(format!("{}\n", serde_json::to_string_pretty(&document)?))
}

fn component(package: &Package, kind: &str, checksums: &HashMap<(String, String), String>) -> Value {
    let mut component = json!({
        "type": kind,
        "bom-ref": reference(package),
        "name": package.name.as_str(),
        "version": package.version.to_string(),
    });
    let Some(members) = component.as_object_mut() else { return component };
    if let Some(licence) = &package.license {
        // Older crates separate alternatives by a slash.
        let expression = licence.split('/').map(str::trim).collect::<Vec<_>>().join(" OR ");
        members.insert("licenses".to_owned(), json!([{ "expression": expression }]));
    }
    if package.source.is_some() {
        members.insert("purl".to_owned(), reference(package).into());
    }
    if let Some(checksum) = checksums.get(&(package.name.to_string(), package.version.to_string())) {
        members.insert("hashes".to_owned(), json!([{ "alg": "SHA-256", "content": checksum }]));
    }
    if let Some(repository) = &package.repository {
        members.insert("externalReferences".to_owned(), json!([{ "type": "vcs", "url": repository }]));
    }
    component
}

/// How the document names a crate.
fn reference(package: &Package) -> String {
    format!("pkg:cargo/{}@{}", package.name, package.version)
}
