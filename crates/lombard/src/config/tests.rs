mod reach;

use super::*;
use lombard_domain::frequency::ScottishQuarterDays;
use lombard_domain::payment::transfer::{AfterCutOffPolicy, Instrument};
use lombard_domain::payment::{PaymentContext, PaymentProduct};

fn read(text: &str, environment: &[(&str, &str)]) -> Result<Config, Problems> {
    let environment: Vec<_> = environment.iter().map(|(name, value)| ((*name).into(), (*value).into())).collect();
    Config::from_parts(text, &environment)
}

fn problems(text: &str, environment: &[(&str, &str)]) -> Vec<(String, String)> {
    let problems = read(text, environment).expect_err("problems");
    problems.iter().map(|problem| (problem.at.clone(), problem.message.clone())).collect()
}

#[test]
fn nothing_given_is_a_sandbox_on_the_ports_of_the_contract() {
    let config = read("", &[]).unwrap();
    assert!(config.is_sandbox());
    assert_eq!((config.server.public_port, config.server.mtls_port, config.server.ops_port), (8443, 8444, 9090));
}

#[test]
fn the_environment_wins_over_the_file() {
    let file = "mode = \"sandbox\"\n[server]\npublic_port = 1000\nmtls_port = 1001\n[endpoints]\noff = [\"GetOffers\"]";
    let variables = [
        ("LOMBARD__SERVER__PUBLIC_PORT", "2000"),
        ("LOMBARD__ENDPOINTS__OFF", "GetParty, GetProducts"),
        ("LOMBARD__DCR__AUDIENCES", r#" ["a, b", "c"] "#),
        ("LOMBARD__SERVER__OPS_HOSTS", "[::2], bank.example"),
        ("PATH", "/bin"),
    ];
    let config = read(file, &variables).unwrap();
    assert_eq!(config.dcr.audiences, ["a, b", "c"], "a JSON array");
    let own: Vec<_> = config.server.ops_hosts.iter().map(OwnName::as_str).collect();
    assert_eq!(own, ["[::2]", "bank.example"], "an address in brackets is no array");
    assert_eq!((config.server.public_port, config.server.mtls_port), (2000, 1001));
    assert_eq!(config.endpoints.off, ["GetParty", "GetProducts"]);
}

/// Checks each list in each of its forms: a text that cannot be a host name is refused.
#[test]
fn a_list_of_hosts_takes_no_text_that_cannot_be_a_host() {
    let lists = [
        "AUTH__JWKS_HOSTS",
        "AUTH__NOTIFICATION_HOSTS",
        "PAGES__LOGO_HOSTS",
        "SERVER__OPS_HOSTS",
        "SANDBOX__SERVER_NAMES",
    ];
    for list in lists.map(|list| format!("LOMBARD__{list}")) {
        for text in ["[localhost]", "[\"localhost\"", "[\"a b\"]", "[1]", "https://tpp.example", "*.tpp.example", "a;b"]
        {
            let found = problems("", &[(&list, text)]);
            let (at, message) = &found[0];
            assert!(at == &list && message.starts_with("must be a list of host names"), "{list}={text}: {found:?}");
        }
        let empty = read("", &[(&list, "[]")]).unwrap();
        assert!(empty.server.ops_hosts.is_empty() && empty.auth.notification_hosts.is_empty());
    }
}

#[test]
fn all_problems_are_told_at_once() {
    let file = "
        colour = 1
        [server]
        public_prot = 8443
        mtls_port = \"8444\"
        drain_secs = 601
        public_url = \"http://bank.example\"
        [auth]
        code_secs = 61
        [sever]
        bind = \"::1\"
    ";
    let found = problems(file, &[("LOMBARD__TELEMETRY__FORMAT", "xml"), ("LOMBARD__SERVER__OPS_PROT", "1")]);
    let expected = [
        ("server.mtls_port", "must be a whole number from 0 to 65535"),
        ("server.public_url", "must be an https address without a path, such as \"https://bank.example\""),
        ("server.drain_secs", "must be between 0 and 600"),
        ("auth.code_secs", "must be between 5 and 60"),
        ("LOMBARD__TELEMETRY__FORMAT", "must be \"auto\", \"text\" or \"json\""),
        ("colour", "is not a setting; docs/reference/configuration.md lists them"),
        ("server.public_prot", "is not a setting; did you mean server.public_port?"),
        ("sever.bind", "is not a setting; did you mean server.bind?"),
        ("LOMBARD__SERVER__OPS_PROT", "is not a setting; did you mean LOMBARD__SERVER__OPS_PORT?"),
    ];
    assert_eq!(found, expected.map(|(at, message)| (at.to_owned(), message.to_owned())));
}

#[test]
fn settings_are_compared_with_each_other() {
    for (file, at) in [
        ("[server]\npublic_port = 1\nmtls_port = 1", "server.mtls_port"),
        ("[server]\nops_port = 8444", "server.ops_port"),
        ("[server]\nhealth_port = 9090", "server.health_port"),
        ("[tls]\nrsa_key_file = \"k\"", "tls.rsa_certificate_file"),
        ("[tls]\nec_certificate_file = \"c\"", "tls.ec_key_file"),
        ("[database]\nurl = \"sqlite://a\"\nurl_file = \"b\"", "database.url_file"),
        ("[auth]\njwks_hosts = [\"keystore.example\"]", "auth.jwks_anchors_file"),
        ("[auth]\njwks_anchors_file = \"a\"", "auth.jwks_hosts"),
        ("[auth]\nnotification_hosts = [\"tpp.example\"]", "auth.notification_anchors_file"),
        ("[auth]\nnotification_anchors_file = \"a\"", "auth.notification_hosts"),
        ("[pages]\nlogo_hosts = [\"logos.example\"]", "pages.logo_anchors_file"),
        ("[pages]\nlogo_anchors_file = \"a\"", "pages.logo_hosts"),
        ("[bank]\nerror_namespace = \"OBIE\"", "bank.error_namespace"),
        ("[bank]\nname = \" \"", "bank.name"),
        ("[payments]\nceilings = [\"GBP 1.00\", \"GBP 2.00\"]", "payments.ceilings"),
        ("[payments]\nceilings = [\"GBP 0\"]", "payments.ceilings"),
        ("[payments]\ncut_offs = [\"CHAPS none\", \"CHAPS 14:00 accept\"]", "payments.cut_offs"),
        ("[payments]\nrates = [\"EUR 1.1\", \"EUR 1.2\"]", "payments.rates"),
        ("[payments]\nrates = [\"GBP 1\"]", "payments.rates"),
        ("[payments]\ndeals = [\"A amelia GBP EUR 1.1\", \"A amelia GBP EUR 1.2\"]", "payments.deals"),
        ("[payments]\ndeals = [\"A amelia GBP NOK 13\"]", "payments.deals"),
        ("[endpoints]\noff = [\"GetNothing\"]", "endpoints.off"),
        ("[endpoints]\nretired_versions = [\"v3\"]", "endpoints.retired_versions"),
        ("[endpoints]\nretired_versions = [\"v3.1\", \"v4.0\"]", "endpoints.retired_versions"),
        ("[endpoints]\noff = [\"GetAccounts\"]", "endpoints.off"),
        ("[endpoints]\noff = [\"GetFilePaymentsFilePaymentId\"]", "endpoints.off"),
        ("[tls]\nrevocation = \"hard\"", "tls.revocation"),
        ("[tls]\ncrl_files = [\"a\"]", "tls.crl_files"),
        ("[tls]\ncrl_urls = [\"http://ca.example/list\"]", "tls.crl_urls"),
        ("[tls]\nocsp_urls = [\"http://ca.example/ocsp\"]", "tls.ocsp_urls"),
        ("[tls]\nrevocation = \"soft\"\ncrl_urls = [\"https://ca.example/list\"]", "tls.revocation_anchors_file"),
        ("[tls]\nrevocation = \"soft\"\ncrl_urls = [\"file:///etc/passwd\"]", "tls.crl_urls"),
        ("[proxy]\npass_tls = [\"mtls\"]", "proxy.addresses"),
        ("[proxy]\naddresses = [\"10.0.0.1\"]", "proxy.addresses"),
        ("[proxy]\naddresses = [\"0.0.0.0/0\"]\npass_tls = [\"mtls\"]", "proxy.addresses"),
        ("[proxy]\ncertificate_header = \"authorization\"", "proxy.certificate_header"),
        ("[proxy]\ncertificate_header = \"x_client_cert\"", "proxy.certificate_header"),
        ("[proxy]\ncertificate_header = \"x client cert\"", "proxy.certificate_header"),
        ("[proxy]\ntrust_verification = true", "proxy.trust_verification"),
        ("[proxy]\naddress_header = \"forwarded\"", "proxy.address_header"),
        ("[proxy]\nanchors_file = \"a\"", "proxy.anchors_file"),
        ("[signing]\ncountry = \"gb\"", "signing.country"),
        ("[signing]\norganisation_identifier = \"FCA-1\"", "signing.organisation_identifier"),
        ("[signing]\npkcs11_module_file = \"a\"\npkcs11_token_label = \"b\"", "signing.pkcs11_pin_file"),
        ("[signing]\npkcs11_module_file = \"a\"\npkcs11_pin_file = \"b\"", "signing.pkcs11_token_label"),
        ("[telemetry]\nlevel = \"loud\"", "telemetry.level"),
        ("[telemetry]\nlevel = \"info,lombard=loud\"", "telemetry.level"),
    ] {
        let found = problems(file, &[]);
        assert_eq!(found.iter().map(|(at, _)| at.as_str()).collect::<Vec<_>>(), [at], "{file}");
    }
    assert!(read("[server]\npublic_port = 0\nmtls_port = 0\nops_port = 0", &[]).is_ok());
}

#[test]
fn tls_013_proxies_that_end_tls_connect_in_a_way_that_nobody_else_can() {
    let with = |server: &str, proxy: &str| {
        let urls = "public_url = \"https://bank.example\"\nmtls_url = \"https://api.bank.example\"";
        let proxy =
            format!("[proxy]\naddresses = [\"10.0.0.0/28\", \"::1\"]\nend_tls = [\"public\", \"mtls\"]\n{proxy}");
        read(&format!("[server]\n{urls}\n{server}\n{proxy}"), &[])
    };
    let at = |server: &str, proxy: &str| {
        let problems = with(server, proxy).expect_err("problems");
        problems.iter().map(|problem| problem.at.clone()).collect::<Vec<_>>()
    };
    let shown = with("", "").unwrap().show();
    assert!(shown.contains("addresses = [\"10.0.0.0/28\", \"::1\"]\n"), "{shown}");
    assert!(with("bind = \"::1\"", "address_header = \"x-forwarded-for\"").is_ok());
    assert!(with("bind = \"0.0.0.0\"", "transport = \"mtls\"\nanchors_file = \"a\"").is_ok());
    assert_eq!(at("bind = \"0.0.0.0\"", ""), ["server.bind"]);
    assert_eq!(at("bind = \"192.0.2.1\"", ""), ["server.bind"]);
    assert_eq!(at("", "transport = \"mtls\""), ["proxy.anchors_file"]);
    assert_eq!(at("", "anchors_file = \"a\""), ["proxy.anchors_file"]);
    assert_eq!(at("", "pass_tls = [\"mtls\"]"), ["proxy.end_tls"]);
    let unix = "transport = \"unix\"\npublic_socket = \"/run/a\"\nmtls_socket = \"/run/b\"";
    assert!(with("bind = \"0.0.0.0\"", unix).is_ok());
    assert_eq!(at("", "transport = \"unix\"\nmtls_socket = \"/run/b\""), ["proxy.public_socket"]);
    assert_eq!(at("", "mtls_socket = \"/run/b\""), ["proxy.mtls_socket"]);
    assert_eq!(at("", &unix.replace("/run/a", "/run/b")), ["proxy.mtls_socket"]);
    let one =
        "[server]\nmtls_url = \"https://api.bank.example\"\n[proxy]\nend_tls = [\"mtls\"]\ntransport = \"unix\"\n";
    assert!(read(&format!("{one}mtls_socket = \"/run/b\""), &[]).is_ok(), "addresses say nothing there");
    let found = problems(&format!("{one}public_socket = \"/run/a\"\nmtls_socket = \"/run/b\""), &[]);
    assert_eq!(found[0].0, "proxy.public_socket", "the public listener has a port");
    let revocation = |mode: &str, proxy: &str| {
        with("", &format!("{proxy}\n[tls]\nrevocation = \"{mode}\"\nocsp_urls = [\"http://ca.example/ocsp\"]"))
    };
    assert!(revocation("hard", "").is_ok(), "TLS-006: responders are asked about what a proxy hands on");
    let found = revocation("soft", "trust_verification = true").expect_err("problems");
    assert_eq!(
        found.iter().map(|it| it.at.as_str()).collect::<Vec<_>>(),
        ["tls.revocation"],
        "it would not be looked at"
    );
    let file = "[proxy]\naddresses = [\"127.0.0.1\"]\nend_tls = [\"mtls\"]";
    assert_eq!(problems(file, &[])[0].0, "server.mtls_url", "links would name the listener in the clear");
}

/// Settings of an OpenID provider that are valid in a sandbox; the next constant is for production.
const OIDC: &str = "[identity]\nkind = \"oidc\"\nissuer = \"https://idp.example\"\nclient_id = \"c\"\nkey_file = \"k\"\nanchors_file = \"a\"\n";

#[test]
fn a_provider_of_the_bank_goes_with_every_core_and_needs_its_settings() {
    for bank in ["builtin", "embedded"] {
        assert!(read(&format!("[bank]\nkind = \"{bank}\"\n{OIDC}"), &[]).is_ok(), "{bank}");
    }
    let at = |file: &str| problems(file, &[]).into_iter().map(|(at, _)| at).collect::<Vec<_>>();
    let all = ["identity.issuer", "identity.client_id", "identity.key_file", "identity.anchors_file"];
    assert_eq!(at("[identity]\nkind = \"oidc\""), all);
    for (setting, wrong) in [
        ("scopes = [\"profile\"]", "identity.scopes"),
        ("customer_claim = \"\"", "identity.customer_claim"),
        ("certificate_file = \"c\"", "identity.certificate_key_file"),
        ("certificate_key_file = \"c\"", "identity.certificate_file"),
    ] {
        assert_eq!(at(&format!("{OIDC}{setting}")), [wrong]);
    }
    for issuer in ["http://idp.example", "https://idp.example?x", "ftp://localhost", "idp"] {
        assert_eq!(at(&OIDC.replace("https://idp.example", issuer)), ["identity.issuer"], "{issuer}");
    }
    let loopback = OIDC.replace("https://idp.example", "http://127.0.0.1:9000").replace("anchors_file = \"a\"\n", "");
    assert!(read(&loopback, &[]).is_ok(), "a sandbox may use a provider of this machine without TLS");
    let in_production = at(&format!("mode = \"production\"\n{loopback}"));
    for expected in ["identity.issuer", "identity.anchors_file", "identity.acr_values"] {
        assert!(in_production.iter().any(|at| at == expected), "{expected}: {in_production:?}");
    }
    let in_production = at(&format!("mode = \"production\"\n{OIDC}acr_values = [\"sca\"]"));
    assert!(in_production.iter().all(|at| !at.starts_with("identity.")), "{in_production:?}");
    assert_eq!(
        at("[identity]\nissuer = \"https://idp.example\""),
        ["identity.issuer"],
        "without kind it means nothing"
    );
}

#[test]
fn what_the_built_in_bank_alone_reads_is_refused_with_another_core() {
    let embedded = "[bank]\nkind = \"embedded\"\n[identity]\nkind = \"embedded\"\n[payments]\n";
    for (key, value) in [
        ("cut_offs", "[\"CHAPS none\"]"),
        ("rate_spread", "5"),
        ("rate_movement", "0"),
        ("deals", "[\"A amelia GBP EUR 1.1\"]"),
    ] {
        let setting = format!("{key} = {value}");
        let expected = (format!("payments.{key}"), "configures the built-in bank alone; remove it".to_owned());
        assert_eq!(problems(&format!("{embedded}{setting}"), &[]), [expected]);
        assert!(read(&format!("[payments]\n{setting}"), &[]).is_ok(), "{setting} is the built-in bank's");
    }
    assert!(read(&format!("{embedded}rates = [\"EUR 1.1\"]\nquote_secs = 60"), &[]).is_ok());
}

#[test]
fn an_http_core_is_configured_by_a_core_file_or_by_url_and_three_files() {
    let at = |file: &str| problems(file, &[]).into_iter().map(|(at, _)| at).collect::<Vec<_>>();
    let parts = "url = \"https://core.bank.example\"\nca_file = \"ca\"\ncertificate_file = \"c\"\nkey_file = \"k\"";
    for good in ["core_file = \"core.json\"", parts] {
        // The customers of the built-in bank in its own process log in with the built-in logins.
        assert!(read(&format!("[bank]\nkind = \"http\"\n{good}"), &[]).is_ok(), "{good}");
    }
    assert_eq!(at("[bank]\nkind = \"http\""), ["bank.core_file"]);
    let all = ["bank.url", "bank.ca_file", "bank.certificate_file", "bank.key_file"];
    assert_eq!(at(&format!("[bank]\nkind = \"http\"\ncore_file = \"core.json\"\n{parts}")), all);
    assert_eq!(at("[bank]\nkind = \"http\"\nurl = \"https://core.bank.example\""), all[1..]);
    assert_eq!(at("[bank]\ncore_file = \"core.json\""), ["bank.core_file"]);
    assert_eq!(at(&format!("[bank]\n{parts}")), all);
    let pushed = "push_keys_file = \"keys.json\"";
    assert_eq!(at(&format!("[bank]\n{pushed}")), ["bank.push_keys_file"]);
    assert!(read(&format!("[bank]\nkind = \"http\"\ncore_file = \"core.json\"\n{pushed}"), &[]).is_ok());
    assert!(read(&format!("[bank]\nkind = \"embedded\"\n{pushed}\n[identity]\nkind = \"embedded\""), &[]).is_ok());
    for setting in ["deals = [\"A amelia GBP EUR 1.1\"]", "rate_spread = 5"] {
        let file = format!("[bank]\nkind = \"http\"\ncore_file = \"core.json\"\n[payments]\n{setting}");
        assert_eq!(at(&file).len(), 1, "{setting} is the bank's own");
    }
    let embedded = "[bank]\nkind = \"http\"\ncore_file = \"core.json\"\n[identity]\nkind = \"embedded\"";
    assert_eq!(at(embedded), ["identity.kind"]);
    let production = at("mode = \"production\"\n[bank]\nkind = \"http\"\ncore_file = \"core.json\"");
    assert!(production.contains(&"identity.kind".to_owned()) && !production.contains(&"bank.kind".to_owned()));
}

#[test]
fn production_names_everything_it_lacks_and_everything_a_sandbox_left() {
    let found = problems("mode = \"production\"\n[sandbox]\nseed = 7", &[]);
    let at: Vec<_> = found.iter().map(|(at, _)| at.as_str()).collect();
    let expected = [
        "ops.staff",
        "server.public_url",
        "server.mtls_url",
        "tls.rsa_certificate_file",
        "tls.tpp_anchors_file",
        "tls.revocation",
        "database.url",
        "signing.key_encryption_key_file",
        "signing.organisation_id",
        "payments.rates",
        "bank.kind",
        "identity.kind",
        "sandbox.seed",
    ];
    assert_eq!(at, expected);
}

#[test]
fn tls_006_production_chooses_what_becomes_of_revoked_certificates() {
    let said = |tls: &str| {
        let found = problems(&format!("mode = \"production\"\n[tls]\n{tls}"), &[]);
        found.into_iter().filter(|(at, _)| at == "tls.revocation").map(|(_, message)| message).collect::<Vec<_>>()
    };
    let [message] = &said("")[..] else { panic!("one problem") };
    assert!(message.starts_with("is required in production"), "{message}");
    for chosen in ["off", "soft", "hard"] {
        let sources = if chosen == "off" { "" } else { "\ncrl_urls = [\"http://ca.example/list\"]" };
        assert_eq!(said(&format!("revocation = \"{chosen}\"{sources}")), Vec::<String>::new(), "{chosen}");
    }
    let variable = [("LOMBARD__TLS__REVOCATION", "off")];
    assert!(problems("mode = \"production\"", &variable).iter().all(|(at, _)| at != "tls.revocation"));
    assert!(read("", &[]).is_ok(), "a sandbox need not say");
}

#[test]
fn the_databases_url_is_judged_without_connecting() {
    for (url, words) in [
        ("postgres://db/bank?sslmode=verify-ful", "sslmode must be `disable`"),
        ("postgres://db/bank?sslmod=require", "sslmod is not a parameter of a PostgreSQL URL; did you mean sslmode?"),
        ("postgres://db/bank?pool_size=4", "docs/operating/storage.md lists them"),
        ("postgres://lombard:hunter2@db:port/bank", "is not a PostgreSQL URL"),
    ] {
        let found = problems(&format!("[database]\nurl = \"{url}\""), &[]);
        let [(at, message)] = &found[..] else { panic!("{url}: {found:?}") };
        assert!(at == "database.url" && message.contains(words), "{url}: {message}");
        assert!(!message.contains("hunter2"), "{message}");
    }
}

#[test]
fn production_keeps_its_data_in_sqlite_only_if_told_to() {
    let production = |database: &str| {
        let found = problems(&format!("mode = \"production\"\n[database]\n{database}"), &[]);
        found.into_iter().filter(|(at, _)| at.starts_with("database.")).collect::<Vec<_>>()
    };
    let [(at, message)] = &production("url = \"sqlite:///var/lib/bank.db\"")[..] else { panic!("one problem") };
    assert!(at == "database.url" && message.contains("database.allow_sqlite = true"), "{at}: {message}");
    assert_eq!(production("url = \"sqlite:///var/lib/bank.db\"\nallow_sqlite = true"), []);
    let [(at, message)] = &production("url = \"sqlite://:memory:\"\nallow_sqlite = true")[..] else {
        panic!("one problem")
    };
    assert!(at == "database.url" && message.contains("in memory"), "{at}: {message}");
    assert_eq!(production("url = \"postgres://db/bank\""), []);
    assert!(read("[database]\nurl = \"sqlite://bank.db\"", &[]).is_ok(), "a sandbox always may");
}

#[test]
fn rw_271_pages_hold_25_to_1000_records_and_100_unless_told_otherwise() {
    assert_eq!(read("", &[]).unwrap().limits.page_size, 100);
    for size in [25, 1_000] {
        assert_eq!(read(&format!("[limits]\npage_size = {size}"), &[]).unwrap().limits.page_size, size);
    }
    for size in [0, 24, 1_001] {
        let found = problems(&format!("[limits]\npage_size = {size}"), &[]);
        assert_eq!(found.iter().map(|(at, _)| at.as_str()).collect::<Vec<_>>(), ["limits.page_size"], "{size}");
    }
}

#[test]
fn evt_086_unacknowledged_events_are_dropped_after_a_week_at_the_earliest() {
    assert_eq!(read("", &[]).unwrap().events.retention_days, 0, "never, unless a bank says so");
    for (days, fine) in [(0, true), (1, false), (6, false), (7, true), (3650, true)] {
        let file = format!("[events]\nretention_days = {days}");
        match read(&file, &[]) {
            Ok(config) => assert!(fine && config.events.retention_days == days, "{days}"),
            Err(_) => assert!(!fine && problems(&file, &[])[0].0 == "events.retention_days", "{days}"),
        }
    }
}

#[test]
fn a_broken_file_is_told_by_line_without_repeating_it() {
    let [(at, message)] = &problems("[server]\nbind = secret-word\n", &[])[..] else { panic!("one problem") };
    assert_eq!(at, "the file");
    assert!(message.starts_with("is not TOML at line 2") && !message.contains("secret-word"), "{message}");
}

#[test]
fn a_base_address_has_a_host_and_nothing_behind_it() {
    for (address, fine) in [
        ("https://bank.example", true),
        ("https://bank.example/", true),
        ("https://bank.example:8443", true),
        ("https://bank.example/bank", false),
        ("https://bank.example/?a", false),
        ("https://user@bank.example", false),
        ("ftp://bank.example", false),
        ("bank.example", false),
    ] {
        let read = read("", &[("LOMBARD__SERVER__PUBLIC_URL", address)]);
        assert_eq!(read.is_ok(), fine, "{address}");
        if let Ok(config) = read {
            assert!(!config.server.public_url.unwrap().as_str().ends_with('/'));
        }
    }
}

#[test]
fn secrets_are_neither_shown_nor_debugged() {
    for url in ["postgres://lombard:hunter2@db/bank", "postgres://db/bank?user=lombard&password=hunter2"] {
        let config = read("", &[("LOMBARD__DATABASE__URL", url)]).unwrap();
        assert!(!config.show().contains("hunter2") && !format!("{config:?}").contains("hunter2"));
        assert_eq!(config.database.url.unwrap().expose(), url);
    }
}

#[test]
fn what_is_shown_can_be_read_again() {
    let config = read("", &[("LOMBARD__BANK__NAME", "A \"quoted\" bank"), ("LOMBARD__SERVER__BIND", "::")]).unwrap();
    assert_eq!(read(&config.show(), &[]).unwrap(), config);
}

#[test]
fn pis_021_what_is_offered_of_payments_is_read_and_shown() {
    let file = "[payments]
        products = [\"domestic-payment\"]
        domestic_instruments = [\"FPS\", \"CHAPS\"]
        ceilings = [\"GBP 250.50\", \"JPY 500\"]
        cut_offs = [\"CHAPS 09:05 refuse\", \"BACS 16:00 accept\", \"SWIFT none\"]
        rates = [\"EUR 1.15\", \"JPY 180\"]
        deals = [\"Frame contract 7 bashir GBP EUR 1.1610\"]
        account_currencies = [\"GBP\", \"EUR\"]
        refuse_long_texts = [\"BACS\"]";
    let config = read(file, &[("LOMBARD__PAYMENTS__SCHEDULED_INSTRUMENTS", "BACS, FPS")]).unwrap();
    let payments = &config.payments;
    assert_eq!(payments.products, [PaymentProduct::DomesticPayment]);
    assert_eq!(payments.domestic_instruments, [Instrument::FasterPayments, Instrument::Chaps]);
    assert_eq!(payments.scheduled_instruments, [Instrument::Bacs, Instrument::FasterPayments]);
    assert_eq!(payments.ceilings.iter().map(|it| it.minor()).collect::<Vec<_>>(), [25_050, 500]);
    assert_eq!(payments.refuse_long_texts, [Instrument::Bacs]);
    let last = |number: usize| payments.cut_offs.get(number).unwrap().last;
    assert_eq!(last(0), Some((9, 5, AfterCutOffPolicy::Refused)));
    assert_eq!(last(1), Some((16, 0, AfterCutOffPolicy::Accepted)));
    assert_eq!(last(2), None);
    assert_eq!(payments.rates.iter().map(|it| it.currency.code()).collect::<Vec<_>>(), ["EUR", "JPY"]);
    assert_eq!(payments.deals[0].deal.contract, "Frame contract 7");
    assert_eq!(payments.account_currencies.len(), 2);
    assert_eq!(read(&config.show(), &[]).unwrap(), config);
}

#[test]
fn x_23_cvrp_003_calendars_and_contexts_are_chosen_from_closed_lists() {
    let file = "[payments]
        scottish_quarter_days = \"statutory\"
        [vrp]
        commercial = true
        commercial_contexts = [\"TransferToSelf\", \"BillingGoodsAndServicesInArrears\"]";
    let config = read(file, &[]).unwrap();
    assert_eq!(config.payments.scottish_quarter_days, ScottishQuarterDays::Statutory);
    assert_eq!(config.vrp.commercial_contexts, [PaymentContext::TransferToSelf, PaymentContext::BilledInArrears]);
    assert_eq!(read(&config.show(), &[]).unwrap(), config);
    let usual = read("", &[]).unwrap();
    assert_eq!(usual.payments.scottish_quarter_days, ScottishQuarterDays::Traditional);
    assert_eq!(usual.vrp.commercial_contexts.len(), 4);
    for (section, wrong) in [
        ("payments", "scottish_quarter_days = \"english\""),
        ("payments", "scottish_quarter_days = [\"02-02\"]"),
        ("vrp", "commercial_contexts = [\"BillPayment\"]"),
        ("vrp", "commercial = true\ncommercial_contexts = []"),
    ] {
        assert_eq!(problems(&format!("[{section}]\n{wrong}"), &[]).len(), 1, "{wrong}");
    }
    assert!(read("[vrp]\ncommercial_contexts = []", &[]).is_ok(), "nothing is offered that could have one");
}

#[test]
fn what_nobody_offers_is_named_at_once() {
    let file = "[payments]
        products = [\"domestic-paiment\"]
        domestic_instruments = [\"Chaps\"]
        ceilings = [\"GBP 1.001\"]
        horizon_days = 0
        cut_offs = [\"CHAPS 24:00 refuse\"]
        rates = [\"EUR 0\"]
        deals = [\"GBP EUR 1.1\"]
        key_secs = 3600";
    let at: Vec<_> = problems(file, &[]).into_iter().map(|(at, _)| at).collect();
    let settings =
        ["products", "domestic_instruments", "ceilings", "horizon_days", "cut_offs", "rates", "deals", "key_secs"];
    assert_eq!(at, settings.map(|key| format!("payments.{key}")));
    for wrong in ["", "CHAPS", "CHAPS 9:00 refuse", "CHAPS 09:60 refuse", "CHAPS +9:00 refuse", "CHAPS 09:00", "X none"]
    {
        assert!(read(&format!("[payments]\ncut_offs = [\"{wrong}\"]"), &[]).is_err(), "{wrong:?}");
    }
}

#[test]
fn the_reference_has_a_row_for_every_setting() {
    let page = reference();
    for setting in super::reference::all_settings() {
        assert!(page.contains(&format!("`{}`", super::declaration::dotted(setting.section, setting.key))));
    }
}
