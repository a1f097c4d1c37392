//! Tests with valid and with forged OCSP responses.

use super::*;
use rcgen::{
    BasicConstraints, CertificateParams, CertifiedIssuer, DnType, ExtendedKeyUsagePurpose, IsCa, KeyPair, SigningKey,
};
use x509_cert::der::asn1::GeneralizedTime;
use x509_ocsp::{ResponderId, ResponseBytes, ResponseData, RevokedInfo};

const ECDSA_WITH_SHA_256: ObjectIdentifier = ObjectIdentifier::new_unwrap("1.2.840.10045.4.3.2");
const ECDSA_WITH_SHA_1: ObjectIdentifier = ObjectIdentifier::new_unwrap("1.2.840.10045.4.1");
/// The time at which responses are checked, in seconds since 1970.
const NOW: i64 = 1_800_000_000;

struct Authority(CertifiedIssuer<'static, KeyPair>);

struct Issued {
    der: Vec<u8>,
    key: KeyPair,
}

impl Authority {
    fn new(name: &str) -> Self {
        let mut params = CertificateParams::new(Vec::new()).unwrap();
        params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
        params.distinguished_name.push(DnType::CommonName, name);
        Self(CertifiedIssuer::self_signed(params, KeyPair::generate().unwrap()).unwrap())
    }

    fn der(&self) -> Vec<u8> {
        self.0.der().to_vec()
    }

    fn issue(&self, name: &str, purpose: ExtendedKeyUsagePurpose) -> Issued {
        let key = KeyPair::generate().unwrap();
        let mut params = CertificateParams::new(Vec::new()).unwrap();
        params.distinguished_name.push(DnType::CommonName, name);
        params.extended_key_usages = vec![purpose];
        Issued { der: params.signed_by(&key, &self.0).unwrap().der().to_vec(), key }
    }
}

/// The data of a response, which is good and current unless a test changes it.
#[derive(Clone)]
struct Answer {
    data: ResponseData,
    algorithm: ObjectIdentifier,
    certificates: Vec<Vec<u8>>,
}

fn time(secs: i64) -> OcspGeneralizedTime {
    let since_1970 = std::time::Duration::from_secs(u64::try_from(secs).unwrap());
    OcspGeneralizedTime(GeneralizedTime::from_unix_duration(since_1970).unwrap())
}

impl Answer {
    fn to(question: &OcspQuestion) -> Self {
        let single = SingleResponse {
            cert_id: question.id.clone(),
            cert_status: CertStatus::good(),
            this_update: time(NOW - 60),
            next_update: Some(time(NOW + 600)),
            single_extensions: None,
        };
        let nonce = question.nonce.to_der().unwrap();
        let data = ResponseData {
            version: Version::default(),
            responder_id: ResponderId::ByKey(OctetString::new([0; 20].as_slice()).unwrap()),
            produced_at: time(NOW - 60),
            responses: vec![single],
            response_extensions: Some(vec![Extension {
                extn_id: NONCE,
                critical: false,
                extn_value: OctetString::new(nonce).unwrap(),
            }]),
        };
        Self { data, algorithm: ECDSA_WITH_SHA_256, certificates: Vec::new() }
    }

    fn changed(&self, change: impl FnOnce(&mut Self)) -> Self {
        let mut changed = self.clone();
        change(&mut changed);
        changed
    }

    fn signed_by(&self, key: &KeyPair) -> Vec<u8> {
        let signature = key.sign(&self.data.to_der().unwrap()).unwrap();
        let certificates = self.certificates.iter().map(|der| x509_cert::Certificate::from_der(der).unwrap());
        let basic = BasicOcspResponse {
            tbs_response_data: self.data.clone(),
            signature_algorithm: AlgorithmIdentifierOwned { oid: self.algorithm, parameters: None },
            signature: x509_cert::der::asn1::BitString::from_bytes(&signature).unwrap(),
            certs: Some(certificates.collect()).filter(|certificates: &Vec<_>| !certificates.is_empty()),
        };
        let response = OctetString::new(basic.to_der().unwrap()).unwrap();
        let body = ResponseBytes { response_type: BASIC_RESPONSE, response };
        let response = OcspResponse { response_status: OcspResponseStatus::Successful, response_bytes: Some(body) };
        response.to_der().unwrap()
    }
}

fn now() -> Timestamp {
    Timestamp::from_second(NOW).unwrap()
}

#[test]
fn tls_006_an_ocsp_answer_must_be_signed_current_and_for_the_certificate() {
    let (ours, namesake) = (Authority::new("ours"), Authority::new("ours"));
    let client = ours.issue("client", ExtendedKeyUsagePurpose::ClientAuth);
    let other = ours.issue("other", ExtendedKeyUsagePurpose::ClientAuth);
    let anchors = [namesake.der(), ours.der()];
    let question = OcspQuestion::new(std::slice::from_ref(&client.der), &anchors, &[7; 32]).unwrap();
    let about_other = OcspQuestion::new(&[other.der.clone(), ours.der()], &[], &[7; 32]).unwrap();
    let good = Answer::to(&question);
    let read = |answer: &Answer, key: &KeyPair| question.read_answer(&answer.signed_by(key), now());
    let key = ours.0.key();

    let answer = read(&good, key).unwrap();
    assert_eq!((answer.status, answer.issued_at.as_second()), (OcspStatus::Good, NOW - 60));
    assert_eq!(answer.next_update.map(|next| next.as_second()), Some(NOW + 600));
    let revoked = RevokedInfo { revocation_time: time(NOW - 100), revocation_reason: None };
    for (status, read_as) in
        [(CertStatus::Revoked(revoked), OcspStatus::Revoked), (CertStatus::unknown(), OcspStatus::Unknown)]
    {
        let answer = good.changed(|it| it.data.responses[0].cert_status = status);
        assert_eq!(read(&answer, key).unwrap().status, read_as);
    }
    let without_nonce = good.changed(|it| it.data.response_extensions = None);
    assert!(read(&without_nonce, key).is_ok(), "many responders sign ahead");

    for (answer, why) in [
        (good.changed(|it| it.data = Answer::to(&about_other).data), "another certificate"),
        (good.changed(|it| it.data.responses.clear()), "another certificate"),
        (good.changed(|it| it.data.responses.push(it.data.responses[0].clone())), "two things"),
        (good.changed(|it| it.data.responses[0].next_update = Some(time(NOW - 301))), "not of now"),
        (good.changed(|it| it.data.responses[0].this_update = time(NOW + 301)), "not of now"),
        (good.changed(|it| it.algorithm = ECDSA_WITH_SHA_1), "SHA-1"),
    ] {
        let refused = read(&answer, key).unwrap_err();
        assert!(refused.contains(why), "{why}: {refused}");
    }
    let endless = |age: i64| {
        good.changed(|it| {
            it.data.responses[0].next_update = None;
            it.data.responses[0].this_update = time(NOW - age);
        })
    };
    assert!(read(&endless(3_600), key).is_ok() && read(&endless(3_601), key).is_err());
    let replayed = OcspQuestion::new(std::slice::from_ref(&client.der), &anchors, &[8; 32]).unwrap();
    assert!(replayed.read_answer(&good.signed_by(key), now()).unwrap_err().contains("another question"));
}

#[test]
fn tls_006_only_the_issuer_and_its_delegated_responders_are_trusted() {
    let (ours, namesake) = (Authority::new("ours"), Authority::new("ours"));
    let client = ours.issue("client", ExtendedKeyUsagePurpose::ClientAuth);
    let question = OcspQuestion::new(std::slice::from_ref(&client.der), &[ours.der()], &[7; 32]).unwrap();
    let good = Answer::to(&question);
    let delegate = ours.issue("responder", ExtendedKeyUsagePurpose::OcspSigning);
    let foreign = namesake.issue("responder", ExtendedKeyUsagePurpose::OcspSigning);
    let with = |certificate: &Issued| good.changed(|it| it.certificates = vec![certificate.der.clone()]);
    for (answer, key, counts) in [
        (with(&delegate), &delegate.key, true),
        (good.clone(), &delegate.key, false),
        (with(&delegate), &foreign.key, false),
        (with(&foreign), &foreign.key, false),
        (with(&client), &client.key, false),
        (good.clone(), namesake.0.key(), false),
    ] {
        let read = question.read_answer(&answer.signed_by(key), now());
        assert_eq!(read.is_ok(), counts, "{read:?}");
    }
    let whole = good.signed_by(ours.0.key());
    for bytes in [&whole[..whole.len() - 1], &[whole.as_slice(), &[0]].concat(), &[], b"\x30\x03\x0a\x01\x06"] {
        assert!(question.read_answer(bytes, now()).is_err());
    }
    assert!(OcspQuestion::new(&[client.der], &[namesake.der()], &[7; 32]).is_err(), "whose issuer is not known");
}
