//! Documents of v3.1 in the form of v4.0.

use super::super::upgrade;
use lombard_domain::submitted::Submitted;
use lombard_domain::version::Version;

fn upgraded_json(json: &str) -> String {
    upgrade(&Submitted { version: Version::V3_1, json: json.to_owned() }).unwrap().into_owned()
}

#[test]
fn v4_026_an_older_consent_in_the_form_of_v4() {
    for (old, new) in [
        (
            r#"{"Data":{"ControlParameters":{"PeriodicLimits":[{"Amount":"10.00"}]},"Initiation":{"CreditorAccount":{"SchemeName":"UK.OBIE.IBAN"},"RemittanceInformation":{"Unstructured":"x","Reference":"y"},"More":1.50}},"Risk":{"PaymentContextCode":"PartyToParty","ContractPresentInidicator":true,"DeliveryAddress":{"AddressType":"Business","TownName":"T"}}}"#,
            r#"{"Data":{"ControlParameters":{"PeriodicLimits":[{"Amount":"10.00"}]},"Initiation":{"CreditorAccount":{"SchemeName":"UK.OBIE.IBAN"},"RemittanceInformation":{"Unstructured":["x"],"Structured":[{"CreditorReferenceInformation":{"Reference":"y"}}]},"More":1.50}},"Risk":{"PaymentContextCode":"PartyToParty","ContractPresentIndicator":true,"DeliveryAddress":{"TownName":"T"}}}"#,
        ),
        // Members that have a meaning in v4.0 only, and members for which v4.0 has no form, are dropped.
        (
            r#"{"Data":{"ControlParameters":{},"Initiation":{"UltimateCreditor":1,"UltimateDebtor":{},"RegulatoryReporting":[],"DebtorAccount":{"Proxy":{}},"CreditorAccount":{"Name":"N","Proxy":{}},"RemittanceInformation":{"Structured":"s"}}},"Risk":{"PaymentPurposeCode":"ABC"}}"#,
            r#"{"Data":{"ControlParameters":{},"Initiation":{"DebtorAccount":{},"CreditorAccount":{"Name":"N"},"RemittanceInformation":{}}},"Risk":{}}"#,
        ),
        (
            r#"{"Data":{"ControlParameters":{},"Initiation":{}},"Risk":{"PaymentPurposeCode":"CASH"}}"#,
            r#"{"Data":{"ControlParameters":{},"Initiation":{}},"Risk":{"PaymentPurposeCode":"CASH"}}"#,
        ),
        (
            r#"{"Data":{"Instruction":{"CreditorPostalAddress":{"AddressType":"POBox"},"RemittanceInformation":{"Reference":"r"}}}}"#,
            r#"{"Data":{"Instruction":{"CreditorPostalAddress":{"AddressType":"PBOX"},"RemittanceInformation":{"Structured":[{"CreditorReferenceInformation":{"Reference":"r"}}]}}}}"#,
        ),
    ] {
        assert_eq!(upgraded_json(old), new);
    }
    let newer = Submitted { version: Version::V4_0, json: r#"{"Data":{"Initiation":{"Reference":"r"}}}"#.into() };
    assert_eq!(upgrade(&newer).unwrap(), newer.json, "a document of v4.0 stays as it is");
}

#[test]
fn pis_161_v4_010_older_payments_in_the_form_of_v4() {
    let initiation = |json: &str| format!(r#"{{"Data":{{"Initiation":{json}}}}}"#);
    for (old, new) in [
        (
            r#"{"Purpose":"CDCD","ExtendedPurpose":"p","Creditor":{"Name":"C","PostalAddress":{"AddressType":"Postal"}},"CreditorAgent":{"PostalAddress":{"AddressType":"MailTo"}}}"#,
            r#"{"ExtendedPurpose":"p","Creditor":{"Name":"C","PostalAddress":{"AddressType":"ADDR"}},"CreditorAgent":{"PostalAddress":{"AddressType":"MLTO"}}}"#,
        ),
        (
            r#"{"Frequency":"IntrvlWkDay:01:03","Reference":"Pocket money","NumberOfPayments":"3","FirstPaymentDateTime":"2026-06-10T00:00:00Z","FirstPaymentAmount":{"Amount":"1.00","Currency":"GBP"}}"#,
            r#"{"NumberOfPayments":"3","FirstPaymentAmount":{"Amount":"1.00","Currency":"GBP"},"RemittanceInformation":{"Structured":[{"CreditorReferenceInformation":{"Reference":"Pocket money"}}]},"MandateRelatedInformation":{"Frequency":{"Type":"WEEK","PointInTime":"3"},"FirstPaymentDateTime":"2026-06-10T00:00:00Z"}}"#,
        ),
        (
            r#"{"Frequency":"IntrvlMnthDay:06:10","FirstPaymentDateTime":"2026-06-10T00:00:00Z","FinalPaymentDateTime":"2028-06-10T00:00:00Z"}"#,
            r#"{"MandateRelatedInformation":{"Frequency":{"Type":"MIAN"},"FirstPaymentDateTime":"2026-06-10T00:00:00Z","FinalPaymentDateTime":"2028-06-10T00:00:00Z"}}"#,
        ),
        (
            r#"{"Frequency":"QtrDay:SCOTTISH","FirstPaymentDateTime":"2026-06-10T00:00:00Z"}"#,
            r#"{"MandateRelatedInformation":{"Frequency":{"Type":"QtrDay:SCOTTISH"},"FirstPaymentDateTime":"2026-06-10T00:00:00Z"}}"#,
        ),
    ] {
        assert_eq!(upgraded_json(&initiation(old)), initiation(new));
    }
}
