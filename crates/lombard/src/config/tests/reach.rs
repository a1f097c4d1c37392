//! Who reaches the listeners, and which hosts the server calls.

use super::*;

/// The faults of `[ops]` in production, with these further settings.
fn staff_faults(settings: &str) -> Vec<String> {
    let found = problems(&format!("mode = \"production\"\n{settings}"), &[]);
    found.into_iter().map(|(at, _)| at).filter(|at| at.starts_with("ops.")).collect()
}

#[test]
fn production_names_its_staff_and_has_no_password() {
    assert_eq!(staff_faults(""), ["ops.staff"]);
    assert_eq!(staff_faults("[ops]\nstaff = \"password\""), ["ops.staff"]);
    let own = "certificate_file = \"a\"\nkey_file = \"b\"";
    assert_eq!(staff_faults(&format!("[ops]\nstaff = \"mtls\"\n{own}\nstaff_ca_file = \"c\"")), Vec::<String>::new());
    assert_eq!(staff_faults("[ops]\nstaff = \"mtls\""), ["ops.staff_ca_file", "ops.certificate_file"]);
    assert_eq!(
        staff_faults(&format!("[ops]\nstaff = \"mtls\"\n{own}\nissuer = \"x\"")),
        ["ops.issuer", "ops.staff_ca_file"]
    );
    let missing = ["ops.issuer", "ops.client_id", "ops.client_secret_file", "ops.anchors_file"];
    assert_eq!(staff_faults("[ops]\nstaff = \"oidc\""), missing);
}

#[test]
fn the_ops_listener_leaves_the_machine_over_tls_alone() {
    let oidc = "[ops]\nstaff = \"oidc\"\nissuer = \"https://login.example\"\nclient_id = \"a\"\nclient_secret_file = \"b\"\n\
                anchors_file = \"c\"";
    let own = "certificate_file = \"a\"\nkey_file = \"b\"";
    for (bind, is_beyond) in [("0.0.0.0", true), ("10.0.0.7", true), ("::", true), ("127.0.0.2", false), ("::1", false)]
    {
        let server = format!("[server]\nops_bind = \"{bind}\"");
        let expected: &[&str] = if is_beyond { &["ops.certificate_file"] } else { &[] };
        assert_eq!(staff_faults(&format!("{server}\n{oidc}")), expected, "{bind}");
        assert_eq!(staff_faults(&format!("{server}\n{oidc}\n{own}")), Vec::<String>::new(), "{bind}");
        let mtls = format!("{server}\n[ops]\nstaff = \"mtls\"\nstaff_ca_file = \"c\"\n{own}");
        assert_eq!(staff_faults(&mtls), Vec::<String>::new(), "{bind}");
        assert!(Config::from_parts(&server, &[]).is_ok(), "{bind}: a sandbox may be anywhere");
    }
}

#[test]
fn a_sandbox_has_a_password_and_may_try_the_others() {
    let kind = |text: &str| Config::from_parts(text, &[]).unwrap().staff_kind();
    assert_eq!(kind(""), Some(StaffKind::Password));
    assert_eq!(kind("[ops]\nstaff = \"mtls\"\nstaff_ca_file = \"c\""), Some(StaffKind::Mtls));
    let local =
        "[ops]\nstaff = \"oidc\"\nissuer = \"http://localhost:1\"\nclient_id = \"a\"\nclient_secret_file = \"b\"";
    assert_eq!(kind(local), Some(StaffKind::Oidc));
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
