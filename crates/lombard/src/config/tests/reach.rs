//! Who reaches the listeners, and which hosts the server calls.

use super::*;

/// Nobody logs in at the ops listener. A port of its own serves probes and monitoring.
#[test]
fn production_keeps_operations_on_loopback() {
    for (bind, expected) in [("0.0.0.0", true), ("10.0.0.7", true), ("::", true), ("127.0.0.2", false), ("::1", false)]
    {
        let found = problems(&format!("mode = \"production\"\n[server]\nops_bind = \"{bind}\""), &[]);
        assert_eq!(found.iter().any(|(at, _)| at == "server.ops_bind"), expected, "{bind}");
        let sandbox = Config::from_parts(&format!("[server]\nops_bind = \"{bind}\""), &[]);
        assert!(sandbox.is_ok(), "{bind}");
    }
}

#[test]
fn as_009_the_host_of_a_directory_is_listed() {
    let at_host = |address: &str| {
        let file = format!(
            "[auth]\njwks_hosts = [\"Keystore.example\", \"other.example:8443\"]\njwks_anchors_file = \"a\"\n\
             [dcr]\ndirectories = [\"Directory={address}\"]"
        );
        Config::from_parts(&file, &[])
            .err()
            .and_then(|found| found.iter().next().map(|it| format!("{}: {}", it.at, it.message)))
    };
    for listed in ["https://keystore.example/a.jwks", "https://keystore.example:443/a", "https://other.example:8443/a"]
    {
        assert_eq!(at_host(listed), None, "{listed}");
    }
    for (unlisted, named) in [
        ("https://keystore.openbanking.example/a", "keystore.openbanking.example"),
        ("https://keystore.example:8443/a", "keystore.example:8443"),
        ("https://other.example/a", "other.example"),
    ] {
        let expected = format!("dcr.directories: has a key set at {named}, ");
        assert!(at_host(unlisted).is_some_and(|problem| problem.starts_with(&expected)), "{unlisted}");
    }
}
