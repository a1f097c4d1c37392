//! Packages of a small program, and what the files for them say.

use super::artefact::Artefact;
use super::contents::Contents;
use super::program::Program;
use super::repository::repository_text;
use super::source::Source;
use super::writing::MAKERS;
use super::{archive, chart, image, sums, wheel};
use std::io::Read;

/// The time of the commit. The files of these tests are older.
const COMMITTED_AT: u64 = 4_102_444_800;

/// The contents of packages. A few bytes stand for the program.
fn contents() -> Contents {
    let source = Source {
        version: "1.2.3".to_owned(),
        repository: "https://example.org/lombard".to_owned(),
        commit: "0123456789ab".to_owned(),
        date: "2100-01-01".to_owned(),
        instant: "2100-01-01T00:00:00Z".to_owned(),
        epoch: COMMITTED_AT,
    };
    // Any program for Linux has libraries, as this test has.
    let path = std::env::current_exe().unwrap();
    let program = Program { path, bytes: b"program".to_vec().into(), glibc: (2, 35) };
    Contents {
        source,
        program,
        man_pages: vec![("lombard.1".to_owned(), b".TH lombard 1\n".to_vec().into())],
        completions: vec![("bash", "lombard", b"complete\n".to_vec().into())],
        licences: b"licences\n".to_vec().into(),
        bill_of_materials: b"{}\n".to_vec().into(),
    }
}

/// The names of the entries of an archive, with their modes.
fn entries(tar: &[u8]) -> Vec<(String, u32)> {
    let mut archive = tar::Archive::new(tar);
    let entries = archive.entries().unwrap().map(|entry| {
        let entry = entry.unwrap();
        assert_eq!(entry.header().mtime().unwrap(), COMMITTED_AT);
        (entry.path().unwrap().display().to_string(), entry.header().mode().unwrap())
    });
    entries.collect()
}

fn unzipped(bytes: &[u8]) -> Vec<u8> {
    let mut plain = Vec::new();
    flate2::read::GzDecoder::new(bytes).read_to_end(&mut plain).unwrap();
    plain
}

#[test]
fn the_same_program_gives_the_same_bytes() {
    for make in MAKERS {
        let once = make(&contents()).unwrap();
        let again = make(&contents()).unwrap();
        assert!(once.name == again.name && once.bytes == again.bytes, "{}", once.name);
    }
}

#[test]
fn the_archive_has_program_manual_completions_unit_and_configuration() {
    let found = entries(&unzipped(&archive::package(&contents()).unwrap().bytes));
    for (path, mode) in [
        ("bin/lombard", 0o755),
        ("share/man/man1/lombard.1", 0o644),
        ("share/completions/bash/lombard", 0o644),
        ("systemd/lombard.service", 0o644),
        ("etc/lombard.toml", 0o644),
        ("monitoring/lombard-alerts.yaml", 0o644),
        ("monitoring/lombard-dashboard.json", 0o644),
        ("LICENSE", 0o644),
        ("README.md", 0o644),
        ("CHANGELOG.md", 0o644),
    ] {
        let path = format!("lombard-1.2.3-x86_64-linux/{path}");
        assert!(found.contains(&(path.clone(), mode)), "{path}: {found:?}");
    }
}

#[test]
fn the_image_runs_as_nobody_who_may_do_more() {
    let image = image::package(&contents()).unwrap();
    let mut archive = tar::Archive::new(&*image.bytes);
    let mut texts = std::collections::BTreeMap::new();
    for entry in archive.entries().unwrap() {
        let mut entry = entry.unwrap();
        let path = entry.path().unwrap().display().to_string();
        let mut bytes = Vec::new();
        entry.read_to_end(&mut bytes).unwrap();
        texts.insert(path, bytes);
    }
    let loaded: serde_json::Value = serde_json::from_slice(&texts["manifest.json"]).unwrap();
    let config: serde_json::Value = serde_json::from_slice(&texts[loaded[0]["Config"].as_str().unwrap()]).unwrap();
    assert_eq!(config["config"]["User"], "65532:65532");
    let layer = unzipped(&texts[loaded[0]["Layers"][0].as_str().unwrap()]);
    assert_eq!(config["rootfs"]["diff_ids"][0], format!("sha256:{}", sums::sha256(&layer)));
    let found = entries(&layer);
    let has = |path: &str| found.iter().any(|(it, _)| it.contains(path));
    assert!(has("usr/bin/lombard") && has("ld-linux") && has("libc.so") && has("ca-certificates.crt"), "{found:?}");
    assert!(found.contains(&("var/lib/lombard/".to_owned(), 0o700)), "{found:?}");
    assert!(!has("bin/sh"), "nothing but the program can be run");
}

#[test]
fn a_wheel_states_the_glibc_that_its_program_needs() {
    let wheel = wheel::package(&contents()).unwrap();
    assert_eq!(wheel.name, "lombard-1.2.3-py3-none-manylinux_2_35_x86_64.whl");
    let mut archive = zip::ZipArchive::new(std::io::Cursor::new(wheel.bytes)).unwrap();
    let program = archive.by_name("lombard-1.2.3.data/scripts/lombard").unwrap();
    assert_eq!(program.unix_mode().unwrap() & 0o777, 0o755);
}

#[test]
fn sums_are_in_the_form_that_sha256sum_checks() {
    let packages = [Artefact { name: "b".to_owned(), bytes: Vec::new() }];
    let expected = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855  b\n";
    assert_eq!(sums::text(&packages), expected);
}

#[test]
fn the_chart_and_the_page_name_the_version_of_the_workspace() {
    let version = env!("CARGO_PKG_VERSION");
    let chart = repository_text("deploy/helm/lombard/Chart.yaml").unwrap();
    assert!(
        chart.contains(&format!("\nversion: {version}\n")) && chart.contains(&format!("appVersion: \"{version}\""))
    );
    let page = repository_text("docs/operating/install.md").unwrap();
    let named: Vec<_> = page.match_indices("lombard-0.").chain(page.match_indices("lombard_0.")).collect();
    assert!(!named.is_empty());
    for (at, _) in named {
        assert!(page[at + "lombard-".len()..].starts_with(version), "{}", &page[at..at + 30]);
    }
}

#[test]
fn the_configuration_of_the_chart_is_the_example_of_production() {
    let manifests = chart::rendered("1.2.3").unwrap();
    let example = repository_text("deploy/lombard-production.toml").unwrap();
    let config = chart::config_of(&manifests).unwrap();
    // A service of Kubernetes does not speak the PROXY protocol.
    let (before, proxy) = example.split_once("[proxy]\n").unwrap();
    let (_, after) = proxy.split_once("\n\n").unwrap();
    assert_eq!(config.trim_end(), format!("{before}{after}").trim_end());
}

#[test]
fn manifests_probe_the_program_and_take_rights_from_it() {
    let manifests = chart::rendered("1.2.3").unwrap();
    for kind in ["Deployment", "Service", "PodDisruptionBudget", "NetworkPolicy", "ConfigMap", "ServiceAccount"] {
        assert!(manifests.contains(&format!("kind: {kind}\n")), "{kind}");
    }
    for words in
        ["readinessProbe", "livenessProbe", "startupProbe", "fsGroup: 65532", "defaultMode: 0440", "lombard:1.2.3"]
    {
        assert!(manifests.contains(words), "{words}");
    }
    let containers = manifests.matches("image: ").count();
    assert_eq!(manifests.matches("readOnlyRootFilesystem: true").count(), containers);
}
