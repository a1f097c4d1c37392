//! The documentation page about monitoring: its settings are accepted, and promtool accepts its configuration and commands.

use super::blocks;
use lombard::config::Config;
use std::path::Path;
use std::process::Command;

const PAGE: &str = include_str!("../../../docs/operating/watching.md");

#[test]
fn the_settings_of_the_page_are_accepted() {
    let printed = blocks(PAGE, "toml");
    assert!(printed.len() >= 3, "{printed:?}");
    for block in printed {
        Config::from_parts(&block, &[]).unwrap_or_else(|problems| panic!("{block}\n{problems}"));
    }
}

#[test]
fn promtool_accepts_the_configuration_and_commands_of_the_page() {
    let Some(promtool) = std::env::var_os("LOMBARD_TEST_PROMTOOL") else {
        return eprintln!("THE CONFIGURATION OF PROMETHEUS IS NOT TESTED: LOMBARD_TEST_PROMTOOL names no promtool");
    };
    let folder = tempfile::tempdir().unwrap();
    let workspace = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let [configuration] = blocks(PAGE, "yaml").try_into().unwrap();
    let rules = workspace.join("deploy/monitoring/lombard-alerts.yaml").canonicalize().unwrap();
    let printed = "/etc/prometheus/lombard-alerts.yaml";
    assert!(configuration.contains(printed), "{configuration}");
    let file = folder.path().join("prometheus.yml");
    std::fs::write(&file, configuration.replace(printed, &rules.display().to_string())).unwrap();
    let mut runs = vec![Command::new(&promtool)];
    runs[0].args(["check", "config"]).arg(&file);
    let commands = blocks(PAGE, "sh").concat();
    for command in commands.lines().filter_map(|line| line.strip_prefix("promtool ")) {
        let mut run = Command::new(&promtool);
        run.args(command.split(' ')).current_dir(&workspace);
        runs.push(run);
    }
    assert_eq!(runs.len(), 3, "{commands}");
    for mut run in runs {
        let output = run.output().unwrap();
        let said = format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
        assert!(output.status.success(), "{run:?}\n{said}");
    }
}
