//! The documents as files: every link between them leads to a file and a heading, and the recipes for CI can be read.

use super::{blocks, file, repository};
use std::collections::HashSet;
use std::path::{Path, PathBuf};
use yaml_rust2::{Yaml, YamlLoader};

/// Every Markdown file under `docs`, and the README.
fn documents() -> Vec<PathBuf> {
    let mut found = vec![repository().join("README.md")];
    let mut folders = vec![repository().join("docs")];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|kind| kind == "md") {
                found.push(path);
            }
        }
    }
    found
}

/// A text without its blocks of code.
fn prose(text: &str) -> String {
    text.split("\n```").step_by(2).collect::<Vec<_>>().join("\n")
}

/// The ids of a file's headings.
fn headings(text: &str) -> HashSet<String> {
    let text = prose(text);
    let headings = text.lines().filter(|line| line.starts_with('#')).map(|line| line.trim_start_matches('#').trim());
    let id = |heading: &str| {
        let kept = heading.to_lowercase();
        let kept = kept.chars().filter(|it| it.is_alphanumeric() || " -_".contains(*it));
        kept.collect::<String>().replace(' ', "-")
    };
    headings.map(id).collect()
}

/// The targets of a text's links.
fn links(text: &str) -> Vec<String> {
    let text = prose(text);
    text.split("](").skip(1).filter_map(|rest| rest.split_once(')')).map(|(target, _)| target.to_owned()).collect()
}

#[test]
fn every_link_leads_to_a_file_and_a_heading() {
    let mut followed = 0;
    for document in documents() {
        let text = std::fs::read_to_string(&document).unwrap();
        for link in links(&text).into_iter().filter(|link| !link.contains("://")) {
            let (target, part) = link.split_once('#').map_or((link.as_str(), None), |(file, part)| (file, Some(part)));
            let target = if target.is_empty() { document.clone() } else { document.parent().unwrap().join(target) };
            assert!(target.exists(), "{}: {link}", document.display());
            if let Some(part) = part {
                let there = std::fs::read_to_string(&target).unwrap();
                assert!(headings(&there).contains(part) || names(&there, part), "{}: {link}", document.display());
            }
            followed += 1;
        }
    }
    assert!(followed > 100, "{followed}");
}

/// Whether a text has an anchor of this name that is no heading.
fn names(text: &str, part: &str) -> bool {
    text.contains(&format!("id=\"{part}\"")) || text.contains(&format!("name=\"{part}\""))
}

/// The one document of a YAML block.
fn yaml(text: &str) -> Yaml {
    let mut all = YamlLoader::load_from_str(text).unwrap_or_else(|error| panic!("{error}\n{text}"));
    assert_eq!(all.len(), 1);
    all.remove(0)
}

#[test]
fn the_recipes_for_ci_can_be_read_and_run_the_script_of_the_page() {
    let page = file("docs/tpps/testing.md");
    let all = blocks(&page);
    let of = |wanted: &str| -> Vec<&str> {
        all.iter().filter(|(language, _)| language == wanted).map(|(_, text)| text.as_str()).collect()
    };
    let script: Vec<&str> = of("sh")[0].lines().collect();
    let [github, gitlab] = <[&str; 2]>::try_from(of("yaml")).unwrap().map(yaml);
    let steps = github["jobs"]["bank"]["steps"].as_vec().unwrap();
    let last = steps.last().unwrap()["run"].as_str().unwrap();
    assert_eq!(last.lines().collect::<Vec<_>>(), script);
    assert!(github["jobs"]["bank"]["runs-on"].as_str().is_some());
    let last = gitlab["integration"]["script"][0].as_str().unwrap().replace(".lombard/bin/lombard", "lombard");
    assert_eq!(last.lines().collect::<Vec<_>>(), script);
    assert!(gitlab["integration"]["before_script"].as_vec().is_some());
}

#[test]
fn the_programs_that_the_guides_name_are_there() {
    for name in ["tpp-javascript/client.mjs", "tpp-python/client.py", "tpp-curl/client.sh"] {
        assert!(Path::new(&repository()).join("examples").join(name).exists(), "{name}");
    }
}
