use super::*;

fn read(text: &str) -> PostgresUrl {
    PostgresUrl::parse(text).unwrap()
}

/// The only fault.
fn fault(text: &str) -> String {
    let faults = PostgresUrl::parse(text).unwrap_err();
    let [fault] = &faults[..] else { panic!("{text}: {faults:?}") };
    fault.to_string()
}

fn mode(text: &str) -> TlsMode {
    let url = read(text);
    url.mode(url.host(0).as_ref())
}

#[test]
fn without_a_mode_only_hosts_beyond_this_machine_are_asked_for_tls() {
    for local in ["localhost", "127.0.0.1", "[::1]", "%2Frun%2Fpostgresql"] {
        assert_eq!(mode(&format!("postgres://{local}/bank")), TlsMode::Disable, "{local}");
    }
    assert_eq!(mode("postgres:///bank?host=/run/postgresql&sslmode=require"), TlsMode::Disable);
    assert_eq!(mode("postgres://db.bank.example/bank"), TlsMode::Prefer);
    assert_eq!(mode("postgres://127.0.0.1/bank?sslmode=require"), TlsMode::Require);
    assert_eq!(mode("postgres://db.bank.example/bank?sslrootcert=system"), TlsMode::VerifyFull);
}

#[test]
fn connections_that_verify_nobody_are_told_apart() {
    for (url, is_unverified) in [
        ("postgres://db/bank", true),
        ("postgres://db/bank?sslmode=disable", true),
        ("postgres://db/bank?sslmode=require", true),
        ("postgres://127.0.0.1/bank", false),
        ("postgres://127.0.0.1,db/bank", true),
        ("postgres://db/bank?sslmode=require&sslrootcert=ca.pem", false),
        ("postgres://db/bank?sslmode=verify-ca&sslrootcert=ca.pem", false),
        ("postgres://db/bank?sslrootcert=system", false),
    ] {
        assert_eq!(read(url).is_unverified(), is_unverified, "{url}");
    }
}

#[test]
fn several_hosts_must_be_writable_unless_the_url_says_any() {
    let attributes = |text: &str| read(text).config.get_target_session_attrs();
    assert_eq!(attributes("postgres://a:5433,b/bank"), TargetSessionAttrs::ReadWrite);
    assert_eq!(attributes("postgres://a,b/bank?target_session_attrs=any"), TargetSessionAttrs::Any);
    assert_eq!(attributes("postgres://a/bank"), TargetSessionAttrs::Any);
    let two = read("postgres://lombard:p%40ss?word@a:5433,b/bank?connect_timeout=2");
    assert_eq!((two.host_count(), two.ports), (2, vec![5433, 5432]));
    assert_eq!(two.config.get_password(), Some(&b"p@ss?word"[..]));
}

#[test]
fn every_parameter_with_a_value_of_its_kind_is_taken() {
    let url = "postgres://db/?user=lombard&password=hunter2&dbname=bank&port=5433&hostaddr=10.0.0.1&options=-csearch_path%3Da&\
        application_name=a&sslmode=verify-full&sslrootcert=a.pem&sslcert=b.pem&sslkey=b.key&sslnegotiation=direct&connect_timeout=2&\
        tcp_user_timeout=9&keepalives=1&keepalives_idle=9&keepalives_interval=9&keepalives_count=3&target_session_attrs=read-write&\
        channel_binding=require&load_balance_hosts=random";
    let PostgresUrl { config, ports, .. } = read(url);
    assert_eq!((config.get_user(), config.get_dbname(), ports), (Some("lombard"), Some("bank"), vec![5433]));
    let unused = PostgresUrl::parameters().filter(|name| !url.contains(&format!("{name}=")));
    assert_eq!(unused.collect::<Vec<_>>(), ["host", "keepalives_retries"]);
}

#[test]
fn each_fault_names_its_parameter_and_the_remedy() {
    for (url, expected) in [
        ("postgres://db/bank?sslmode=verify-ful", "sslmode must be `disable`, `prefer`"),
        ("postgres://db/bank?sslmode=allow", "sslmode must be"),
        ("postgres://db/bank?sslmode=verify-full", "sslrootcert is missing"),
        ("postgres://db/bank?sslmode=require&sslrootcert=system", "needs sslmode=verify-full"),
        ("postgres://db/bank?sslcert=c.pem", "sslcert needs sslkey"),
        ("postgres://db/bank?sslkey=c.key", "sslkey needs sslcert"),
        ("postgres://db/bank?connect_timeout=5s", "connect_timeout must be a whole number"),
        ("postgres://db/bank?target_session_attrs=read-only", "target_session_attrs must be `any`"),
        ("postgres://db/bank?channel_binding=on", "channel_binding must be"),
        ("postgres://db/bank?sslcrl=list.pem", "sslcrl is not supported"),
        ("postgres://db/bank?sslmod=require", "sslmod is not a parameter"),
        ("postgres://db/bank?sslmode", "without a value"),
        ("postgres:///bank", "names no host"),
        ("postgres://a,b/bank?hostaddr=10.0.0.1", "give one for each"),
        ("postgres://a,b,c/bank?port=5432,5433", "2 ports for 3 hosts"),
        ("postgres://db:port/bank", "is not a PostgreSQL URL"),
    ] {
        let said = fault(url);
        assert!(said.contains(expected), "{url}: {said}");
    }
}

#[test]
fn all_faults_are_told_at_once_and_never_a_value() {
    let faults = PostgresUrl::parse("postgres://lombard:hunter2@db/bank?sslmod=x&sslmode=hunter2&hunter%32=hunter2")
        .unwrap_err();
    assert_eq!(faults.len(), 3, "{faults:?}");
    assert_eq!(faults[0], UrlFault::UnknownParameter("sslmod".to_owned()));
    assert!(!format!("{faults:?}").contains("hunter"), "{faults:?}");
    assert!(!format!("{:?}", read("postgres://lombard:hunter2@db/bank")).contains("hunter2"));
}
