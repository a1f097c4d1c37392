use super::*;
use crate::testing::{Leaf, START, Tpp, organisation_identifier, utf8};
use proptest::prelude::*;
pub(crate) use psd2::tests::statements;
use psd2::tests::typed;
use rcgen::{DnType, DnValue, ExtendedKeyUsagePurpose, KeyUsagePurpose};

fn at(second: i64) -> Timestamp {
    Timestamp::from_second(second).unwrap()
}

fn legacy(org_id: &str, software_id: &str) -> Leaf {
    Leaf::of(vec![
        (DnType::CountryName, utf8("GB")),
        (DnType::OrganizationName, utf8("OpenBanking")),
        (DnType::OrganizationalUnitName, utf8(org_id)),
        (DnType::CommonName, utf8(software_id)),
    ])
}

#[test]
fn tls_007_the_thumbprint_is_the_digest_of_the_leaf() {
    let der = Leaf::obwac("A").der();
    let certificate = ClientCertificate::from_der(&der).unwrap();
    assert_eq!(certificate.thumbprint(), lombard_jose::sha256(&der));
    assert_eq!(certificate.der(), der);
}

#[test]
fn dcr_052_whose_a_certificate_is() {
    let Tpp { client, .. } = Tpp::new("acme");
    let (org, software) = (client.org_id.as_str(), client.software_id.as_str());
    let unknown = |org: &str| {
        let identifier = utf8(&format!("PSDGB-OB-Unknown{org}"));
        Leaf::of(vec![(organisation_identifier(), identifier), (DnType::CommonName, utf8("anything"))])
    };
    let only = |kind: DnType, text: &str| Leaf::of(vec![(kind, utf8(text))]);
    for (case, leaf, belongs) in [
        ("OBWAC", Leaf::obwac(org), true),
        ("OBWAC of another organisation", Leaf::obwac("OTHER"), false),
        ("OBWAC of unknown authority id", unknown(org), true),
        ("the same of another organisation", unknown("OTHER"), false),
        ("legacy transport", legacy(org, software), true),
        ("legacy, other software of the organisation", legacy(org, "other"), true),
        ("legacy, the software under another organisation", legacy("OTHER", software), false),
        ("software alone", only(DnType::CommonName, software), true),
        ("the organisation where the software stands", only(DnType::CommonName, org), false),
        ("nothing that names anybody", only(DnType::CountryName, "GB"), false),
        ("an empty name", only(DnType::OrganizationalUnitName, ""), false),
    ] {
        assert_eq!(leaf.certificate().belongs_to(&client), belongs, "{case}");
    }
}

#[test]
fn dcr_050_a_subject_equals_what_was_registered_in_any_string_type() {
    let text = "CN=0015800001041RHAAY,organizationIdentifier=PSDGB-FCA-123456,O=Acme\\, Limited,C=GB";
    let registered = DistinguishedName::parse(text).unwrap();
    let bmp = DnValue::BmpString("PSDGB-FCA-123456".try_into().unwrap());
    let printable = DnValue::PrintableString("PSDGB-FCA-123456".try_into().unwrap());
    for identifier in [utf8("PSDGB-FCA-123456"), bmp, printable] {
        let mut leaf = Leaf::obwac("0015800001041RHAAY");
        leaf.subject[2].1 = identifier;
        assert!(leaf.certificate().subject().is_same(&registered));
    }
    assert!(!Leaf::obwac("other").certificate().subject().is_same(&registered));
}

#[test]
fn as_113_dcr_053_what_a_certificate_may_be_used_for() {
    let usable = |change: &dyn Fn(&mut Leaf), second| {
        let mut leaf = Leaf::obwac("A");
        change(&mut leaf);
        leaf.certificate().is_usable(at(second))
    };
    let end = START + 86_400 * 90;
    assert!(usable(&|_| {}, START));
    assert!(usable(&|_| {}, end), "the last second is within");
    assert!(!usable(&|_| {}, end + 1));
    assert!(!usable(&|_| {}, START - 86_401));
    assert!(!usable(&|leaf| leaf.usages.clear(), START), "a seal");
    assert!(!usable(&|leaf| leaf.usages = vec![ExtendedKeyUsagePurpose::ServerAuth], START));
    assert!(!usable(&|leaf| leaf.key_usages = vec![KeyUsagePurpose::KeyEncipherment], START));
}

#[test]
fn tls_006_a_certificate_with_a_refused_chain_is_unusable_and_the_same() {
    let certificate = Leaf::obwac("A").certificate();
    let refused = certificate.without_trust();
    assert!(certificate.is_usable(at(START)) && certificate.is_trusted());
    assert!(!refused.is_usable(at(START)) && !refused.is_trusted());
    assert_eq!(refused.thumbprint(), certificate.thumbprint());
}

#[test]
fn dcr_053_a_seal_or_signature_certificate_is_not_a_transport_certificate() {
    let usable = |types: &[u8]| {
        let mut leaf = Leaf::obwac("A");
        leaf.statements = Some(typed(types));
        leaf.certificate().is_usable(at(START))
    };
    let (signature, seal, web, national) = (1, 2, 3, 9);
    assert!(usable(&[web]) && usable(&[]) && usable(&[web, national]));
    for refused in [&[seal][..], &[signature], &[web, seal], &[seal, web], &[web, signature], &[national]] {
        assert!(!usable(refused), "{refused:?}");
    }
    let mut leaf = Leaf::obwac("A");
    leaf.statements = Some(statements(&[3]));
    assert!(leaf.certificate().is_usable(at(START)), "other statements say nothing of types");
}

#[test]
fn dcr_053_stated_roles_narrow_the_scopes() {
    let all = Scopes::parse("accounts payments fundsconfirmations").unwrap();
    let narrowed = |roles: Option<&[u8]>| {
        let mut leaf = Leaf::obwac("A");
        leaf.statements = roles.map(statements);
        leaf.certificate().restrict_scopes(all).to_string()
    };
    assert_eq!(narrowed(None), all.to_string());
    assert_eq!(narrowed(Some(&[3])), "accounts");
    assert_eq!(narrowed(Some(&[2, 4])), "payments fundsconfirmations");
    assert_eq!(narrowed(Some(&[])), "");
}

#[test]
fn a_certificate_that_cannot_be_judged_is_refused() {
    let der = Leaf::obwac("A").der();
    assert_eq!(ClientCertificate::from_der(&der[..der.len() - 1]), Err(BadCertificate));
    assert_eq!(ClientCertificate::from_der(&[&der[..], &[0]].concat()), Err(BadCertificate));
    assert_eq!(ClientCertificate::from_der(b""), Err(BadCertificate));
    let mut leaf = Leaf::obwac("A");
    leaf.statements = Some(vec![5, 0]);
    assert_eq!(ClientCertificate::from_der(&leaf.der()), Err(BadCertificate), "unreadable roles are not absent ones");
}

proptest! {
    #[test]
    fn reading_never_panics(at in 0usize..700, byte: u8) {
        static DER: std::sync::OnceLock<Vec<u8>> = std::sync::OnceLock::new();
        let mut der = DER.get_or_init(|| Leaf::obwac("A").der()).clone();
        if let Some(place) = der.get_mut(at) { *place = byte; }
        let _ = ClientCertificate::from_der(&der);
    }
}
