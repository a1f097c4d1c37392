//! The chart for Helm, and the manifests for Kubernetes that its default values give.

use super::artefact::Artefact;
use super::contents::Contents;
use super::repository::{repository_file, repository_text};
use super::template::Values;
use super::tree::FileTree;
use crate::error::TaskError;
use yaml_rust2::YamlLoader;

const FOLDER: &str = "deploy/helm/lombard";
/// The templates, in the order in which their manifests are applied.
const TEMPLATES: [&str; 6] = [
    "serviceaccount.yaml",
    "configmap.yaml",
    "networkpolicy.yaml",
    "service.yaml",
    "poddisruptionbudget.yaml",
    "deployment.yaml",
];
/// The name of the release in the plain manifests.
const RELEASE: &str = "lombard";

/// Makes `lombard-VERSION-chart.tgz`.
pub(super) fn package(contents: &Contents) -> Result<Artefact, TaskError> {
    let version = &contents.source.version;
    let mut tree = FileTree::default();
    tree.add("lombard/Chart.yaml", repository_file(&format!("{FOLDER}/Chart.yaml"))?);
    tree.add("lombard/values.yaml", repository_file(&format!("{FOLDER}/values.yaml"))?);
    tree.add("lombard/LICENSE", repository_file("LICENSE")?);
    for name in TEMPLATES {
        tree.add(&format!("lombard/templates/{name}"), repository_file(&format!("{FOLDER}/templates/{name}"))?);
    }
    Ok(Artefact { name: format!("lombard-{version}-chart.tgz"), bytes: tree.tar_gz(&contents.source)? })
}

/// Makes `lombard-VERSION-kubernetes.yaml`.
pub(super) fn manifests(contents: &Contents) -> Result<Artefact, TaskError> {
    let version = &contents.source.version;
    let name = format!("lombard-{version}-kubernetes.yaml");
    Ok(Artefact { name, bytes: rendered(version)?.into_bytes() })
}

/// The manifests in one text.
pub(super) fn rendered(version: &str) -> Result<String, TaskError> {
    let values = Values::read(&repository_text(&format!("{FOLDER}/values.yaml"))?, RELEASE, version)?;
    let mut text = format!("# Lombard {version} on Kubernetes: the chart with its default values.\n");
    for name in TEMPLATES {
        let template = repository_text(&format!("{FOLDER}/templates/{name}"))?;
        let rendered = values.render(&template).map_err(|error| format!("{FOLDER}/templates/{name}: {error}"))?;
        text.push_str("---\n");
        text.push_str(&rendered);
    }
    Ok(text)
}

/// The manifests of a text, in the order of their kinds.
pub(super) fn documents(text: &str) -> Result<Vec<String>, TaskError> {
    let mut documents = Vec::new();
    for document in YamlLoader::load_from_str(text)? {
        documents.push(format!("{:?} {document:?}", document["kind"]));
    }
    documents.sort();
    Ok(documents)
}

/// The configuration in the manifests.
#[cfg(test)]
pub(super) fn config_of(manifests: &str) -> Option<String> {
    let documents = YamlLoader::load_from_str(manifests).ok()?;
    documents.iter().find_map(|document| document["data"]["lombard.toml"].as_str()).map(str::to_owned)
}
