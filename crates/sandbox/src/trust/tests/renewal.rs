//! Tests of which files a later start keeps, renews, repairs and refuses.

use super::*;

const KEYS: [&str; 8] = [
    "private/ca.key",
    "private/tpp-ca.key",
    "directory/signing.key",
    "private/server-rsa.key",
    "private/server-p256.key",
    "tpps/acme/transport.key",
    "tpps/acme/signing.key",
    "tpps/acme/tpp.json",
];
const AUTHORITIES: [&str; 2] = ["ca.pem", "tpp-ca.pem"];
const LEAVES: [&str; 4] =
    ["private/server-rsa.pem", "private/server-p256.pem", "tpps/acme/transport.pem", "tpps/acme/signing.pem"];

fn texts(sandbox: &Sandbox, names: &[&str]) -> Vec<String> {
    names.iter().map(|name| sandbox.text(name)).collect()
}

fn started() -> (Sandbox, Timestamp) {
    let sandbox = Sandbox::new();
    let now = today();
    sandbox.open(now).issue_tpp(&order("acme"), now).unwrap();
    (sandbox, now)
}

/// Whether each text differs from the earlier text at its position.
fn all_differ(before: &[String], after: &[String]) -> bool {
    before.iter().zip(after).all(|(before, after)| before != after)
}

#[test]
fn a_start_within_the_time_changes_nothing() {
    let (sandbox, now) = started();
    let everything = [&KEYS[..], &AUTHORITIES, &LEAVES].concat();
    let before = texts(&sandbox, &everything);
    sandbox.open(now + days(366));
    assert_eq!(texts(&sandbox, &everything), before);
}

#[test]
fn ordering_the_same_again_changes_nothing() {
    let (sandbox, now) = started();
    let everything = [&KEYS[..], &AUTHORITIES, &LEAVES, &["tpps/acme/software_statement.jwt"]].concat();
    let before = texts(&sandbox, &everything);
    let again = sandbox.open(now).issue_tpp(&order("acme"), now).unwrap();
    assert_eq!(texts(&sandbox, &everything), before);
    assert_eq!(again.software_statement, sandbox.text("tpps/acme/software_statement.jwt"));

    let elsewhere = TppRequest { redirect_uris: vec!["https://localhost:9/other".to_owned()], ..order("acme") };
    let moved = sandbox.open(now).issue_tpp(&elsewhere, now).unwrap();
    assert_ne!(moved.software_statement, again.software_statement, "the statement names the addresses");
    assert_eq!(texts(&sandbox, &LEAVES), texts_of(&before, &everything), "the certificates do not (AS-092)");
}

/// The texts of the leaf certificates among the texts that were read before.
fn texts_of(before: &[String], names: &[&str]) -> Vec<String> {
    let of = |leaf: &&str| names.iter().position(|name| name == leaf).and_then(|at| before.get(at)).cloned();
    LEAVES.iter().filter_map(of).collect()
}

#[test]
fn leaves_are_renewed_with_less_than_thirty_days_left_and_keys_stay() {
    let (sandbox, now) = started();
    let keys = texts(&sandbox, &KEYS);
    let authorities = texts(&sandbox, &AUTHORITIES);
    let leaves = texts(&sandbox, &LEAVES);
    let later = now + days(368);
    sandbox.open(later);
    assert_eq!((texts(&sandbox, &KEYS), texts(&sandbox, &AUTHORITIES)), (keys, authorities));
    assert!(all_differ(&leaves, &texts(&sandbox, &LEAVES)));
    for name in LEAVES {
        let old = certificate::from_pem(&leaves[LEAVES.iter().position(|it| *it == name).unwrap()]).unwrap();
        let new = sandbox.certificate(name);
        let old = parsed(&old);
        let new = parsed(&new);
        assert_eq!(new.public_key(), old.public_key(), "{name}");
        assert_eq!(new.subject(), old.subject(), "{name} (DCR-054)");
        assert_ne!(new.raw_serial(), old.raw_serial(), "{name}");
        assert!(new.validity().not_after.timestamp() > later.as_second() + 390 * 86_400, "{name}");
    }
}

#[test]
fn an_authority_is_renewed_before_a_leaf_could_outlive_it() {
    let (sandbox, now) = started();
    let keys = texts(&sandbox, &KEYS);
    let authorities = texts(&sandbox, &AUTHORITIES);
    sandbox.open(now + days(3649 - 400));
    assert_eq!(texts(&sandbox, &AUTHORITIES), authorities);
    sandbox.open(now + days(3651 - 400));
    assert!(all_differ(&authorities, &texts(&sandbox, &AUTHORITIES)));
    assert_eq!(texts(&sandbox, &KEYS), keys);
}

#[test]
fn a_new_name_renews_the_servers_and_leaves_the_tpps_alone() {
    let (sandbox, now) = started();
    let servers = ["ca.pem", LEAVES[0], LEAVES[1]];
    let tpps = ["tpp-ca.pem", LEAVES[2], LEAVES[3]];
    let servers_before = texts(&sandbox, &servers);
    let tpps_before = texts(&sandbox, &tpps);
    let names = ServerNames::with_hosts(["bank.example"]).unwrap();
    sandbox.open_as(now, &names);
    let servers_after = texts(&sandbox, &servers);
    assert!(all_differ(&servers_before, &servers_after));
    assert_eq!(texts(&sandbox, &tpps), tpps_before);
    sandbox.open_as(now, &names);
    assert_eq!(texts(&sandbox, &servers), servers_after);
}

#[test]
fn a_lost_authority_is_made_anew_with_everything_that_hung_on_it() {
    let (sandbox, now) = started();
    let tpps = sandbox.text("tpp-ca.pem");
    let leaves = texts(&sandbox, &LEAVES[2..]);
    fs::remove_file(sandbox.path("private/tpp-ca.key")).unwrap();
    sandbox.open(now);
    assert_ne!(sandbox.text("tpp-ca.pem"), tpps);
    assert!(all_differ(&leaves, &texts(&sandbox, &LEAVES[2..])));
}

#[test]
fn a_broken_key_is_refused_by_its_path_and_never_replaced() {
    for name in ["private/ca.key", "directory/signing.key", "private/server-rsa.key", "private/server-p256.key"] {
        let sandbox = Sandbox::new();
        let now = today();
        sandbox.open(now);
        fs::write(sandbox.path(name), "broken").unwrap();
        let error =
            SandboxTrust::open_or_create(sandbox.dir.path(), now, &ServerNames::default(), DIRECTORY).unwrap_err();
        assert!(error.to_string().contains(name), "{error}");
        assert_eq!(sandbox.text(name), "broken");
    }
}

#[test]
fn a_tpp_folder_in_disorder_keeps_nobody_from_starting() {
    let (sandbox, now) = started();
    fs::create_dir(sandbox.path("tpps/unfinished")).unwrap();
    fs::create_dir(sandbox.path("tpps/Not A Name")).unwrap();
    fs::write(sandbox.path("tpps/acme/tpp.json"), "{").unwrap();
    let before = texts(&sandbox, &LEAVES[2..]);
    sandbox.open(now + days(380));
    assert_eq!(texts(&sandbox, &LEAVES[2..]), before);
}

#[test]
fn secrets_are_the_owners_alone_even_if_they_were_not() {
    let (sandbox, now) = started();
    for name in ["private/ca.key", "tpps/acme/signing.key"] {
        fs::set_permissions(sandbox.path(name), fs::Permissions::from_mode(0o644)).unwrap();
    }
    fs::set_permissions(sandbox.path("private"), fs::Permissions::from_mode(0o755)).unwrap();
    sandbox.open(now);
    assert_eq!(sandbox.mode("private"), 0o700);
    for name in &KEYS[..7] {
        assert_eq!(sandbox.mode(name), 0o600, "{name}");
    }
    for name in AUTHORITIES {
        assert_eq!(sandbox.mode(name) & 0o400, 0o400, "{name}");
    }
}
