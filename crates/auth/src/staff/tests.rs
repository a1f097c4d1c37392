use super::*;
use crate::certificates::ClientCertificate;
use crate::testing::World;
use jiff::SignedDuration;
use lombard_domain::staff::{StaffAct, StaffMember, StaffName, StaffRole};
use rcgen::{CertificateParams, DnType, DnValue, ExtendedKeyUsagePurpose, KeyPair};
use std::net::{IpAddr, Ipv4Addr};

const HERE: IpAddr = IpAddr::V4(Ipv4Addr::LOCALHOST);

fn ada() -> StaffMember {
    StaffMember { name: StaffName::parse("Ada").unwrap(), role: StaffRole::Support }
}

fn act() -> StaffAct {
    StaffAct { member: ada(), from: "192.0.2.7".to_owned(), reason: None, interaction_id: None }
}

fn sessions(world: &World) -> StaffSessions {
    let context = &world.auth.context;
    let limits =
        StaffSessionLimits { idle: SignedDuration::from_secs(900), lifetime: SignedDuration::from_secs(3_600) };
    StaffSessions::new(context.store.clone(), context.ids.clone(), context.clocks.clone(), limits)
}

/// A certificate with this common name and these units.
fn certificate(name: Option<&str>, units: &[&str], usage: ExtendedKeyUsagePurpose) -> ClientCertificate {
    let key = KeyPair::generate().unwrap();
    let mut params = CertificateParams::default();
    params.distinguished_name = rcgen::DistinguishedName::new();
    if let Some(name) = name {
        params.distinguished_name.push(DnType::CommonName, name);
    }
    // A name in the library has one value of each type, so further units are other types with the same number.
    for (position, unit) in units.iter().enumerate() {
        let kind = match position {
            0 => DnType::OrganizationalUnitName,
            _ => DnType::CustomDnType(vec![2, 5, 4, 11]),
        };
        params.distinguished_name.push(kind, DnValue::Utf8String((*unit).to_owned()));
    }
    params.extended_key_usages = vec![usage];
    ClientCertificate::from_der(params.self_signed(&key).unwrap().der()).unwrap()
}

#[test]
fn the_unit_of_a_staff_certificate_is_the_role() {
    let now = jiff::Timestamp::from_second(1_800_000_000).unwrap();
    let client = || ExtendedKeyUsagePurpose::ClientAuth;
    let read = |name, units: &[&str]| staff_member_of_certificate(&certificate(name, units, client()), now);
    assert_eq!(read(Some("Ada"), &["support"]), Ok(ada()));
    assert_eq!(read(Some("Ada"), &["SUPPORT"]), Ok(ada()));
    for units in [&[][..], &["owner"], &[""], &["support", "admin"], &["support", "support"]] {
        assert_eq!(read(Some("Ada"), units), Err(StaffCertificateFault::NoRole), "{units:?}");
    }
    assert_eq!(read(None, &["support"]), Err(StaffCertificateFault::NoName));
    let server = certificate(Some("Ada"), &["support"], ExtendedKeyUsagePurpose::ServerAuth);
    assert_eq!(staff_member_of_certificate(&server, now), Err(StaffCertificateFault::NotUsable));
    let distrusted = certificate(Some("Ada"), &["support"], client()).without_trust();
    assert_eq!(staff_member_of_certificate(&distrusted, now), Err(StaffCertificateFault::NotUsable));
    let expired = jiff::Timestamp::MAX;
    let own = certificate(Some("Ada"), &["support"], client());
    assert_eq!(staff_member_of_certificate(&own, expired), Err(StaffCertificateFault::NotUsable));
}

#[test]
fn a_sandbox_has_one_operator_with_a_password_and_a_token() {
    let operator = OperatorPassword::new(StaffName::parse("operator").unwrap(), "secret", "token");
    let member = operator.check_password("operator", "secret").unwrap();
    assert_eq!((member.name.as_str(), member.role), ("operator", StaffRole::Admin));
    assert_eq!(operator.check_token("token"), Some(member));
    for (user, password) in [("operator", "token"), ("operator", ""), ("Operator", "secret"), ("", "secret")] {
        assert_eq!(operator.check_password(user, password), None, "{user} {password}");
    }
    for token in ["", "secret", "token "] {
        assert_eq!(operator.check_token(token), None, "{token:?}");
    }
    assert!(!format!("{operator:?}").contains("secret"));
}

#[tokio::test]
async fn a_login_gives_the_browser_a_new_secret_and_ends_the_former_session() {
    let (world, _) = World::with_tpp().await;
    let sessions = sessions(&world);
    let planted = sessions.new_browser();
    let first = sessions.open_session(&planted, &act(), None).await.unwrap();
    assert!(
        sessions.find_session(&planted).await.unwrap().is_none(),
        "the secret from before the login is worth nothing"
    );
    let login = sessions.find_session(&first).await.unwrap().unwrap();
    assert_eq!(login.member, ada());
    let second = sessions.open_session(&first, &act(), None).await.unwrap();
    assert!(sessions.find_session(&first).await.unwrap().is_none());
    sessions.close_session(&second, &act()).await.unwrap();
    assert!(sessions.find_session(&second).await.unwrap().is_none());
}

#[tokio::test]
async fn a_session_ends_when_it_is_idle_and_after_its_lifetime() {
    let (world, _) = World::with_tpp().await;
    let sessions = sessions(&world);
    let browser = sessions.new_browser();
    let idle = sessions.open_session(&browser, &act(), None).await.unwrap();
    let busy = sessions.open_session(&browser, &act(), None).await.unwrap();
    let is_alive = async |browser| sessions.find_session(browser).await.unwrap().is_some();
    world.pass_secs(899);
    assert!(is_alive(&busy).await);
    world.pass_secs(1);
    assert_eq!((is_alive(&idle).await, is_alive(&busy).await), (false, true));
    for _ in 0..3 {
        world.pass_secs(899);
        is_alive(&busy).await;
    }
    assert!(!is_alive(&busy).await, "it ends in any case");
}

#[tokio::test]
async fn form_tokens_belong_to_one_browser_and_session_for_an_hour() {
    let (world, _) = World::with_tpp().await;
    let sessions = sessions(&world);
    let browser = sessions.open_session(&sessions.new_browser(), &act(), None).await.unwrap();
    let other = sessions.open_session(&sessions.new_browser(), &act(), None).await.unwrap();
    let forms = sessions.find_session(&browser).await.unwrap().unwrap().forms;
    let others = sessions.find_session(&other).await.unwrap().unwrap().forms;
    let token = forms.form_token(sessions.ids_and_now());
    let before_login = StaffForms::of_login(browser.clone());
    let of_certificate = StaffForms::of_certificate(browser, lombard_jose::sha256(b"a"));
    let now = sessions.ids_and_now().1;
    assert!(forms.owns_form(&token, now) && !forms.owns_form("", now));
    for foreign in [&others, &before_login, &of_certificate] {
        assert!(!foreign.owns_form(&token, now));
    }
    world.pass_secs(3_600);
    assert!(!forms.owns_form(&token, sessions.ids_and_now().1));
}

#[tokio::test]
async fn guesses_of_a_staff_password_are_counted_before_they_are_checked() {
    let (world, _) = World::with_tpp().await;
    let sessions = sessions(&world);
    let mut last = None;
    for _ in 0..5 {
        last = Some(sessions.count_attempt("operator", HERE).await.unwrap().unwrap());
    }
    assert!(sessions.count_attempt("Operator", HERE).await.unwrap().is_err(), "the sixth within ten minutes");
    assert!(sessions.count_attempt("somebody else", HERE).await.unwrap().is_ok());
    let browser = sessions.new_browser();
    sessions.open_session(&browser, &act(), last).await.unwrap();
    assert!(sessions.count_attempt("operator", HERE).await.unwrap().is_ok(), "the right one does not count");
    world.pass_secs(600);
    assert!(sessions.count_attempt("operator", HERE).await.unwrap().is_ok());
}

#[tokio::test]
async fn a_login_at_the_provider_is_bound_to_its_browser() {
    let (world, _) = World::with_tpp().await;
    let sessions = sessions(&world);
    let (browser, other) = (sessions.new_browser(), sessions.new_browser());
    let secrets = login_secrets(&browser);
    assert_eq!(secrets.state, login_secrets(&browser).state);
    assert_ne!(secrets.state, login_secrets(&other).state);
    assert!(secrets.verifier.len() == 43 && secrets.verifier != secrets.nonce && secrets.nonce != secrets.state);
}
