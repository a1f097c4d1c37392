//! Compares an order with its consent, and a migrated consent with the older one, by the two submitted documents. Documents of
//! different versions are compared in the form of v4.0 (V4-022). Source: section 2.5.

use crate::document::{BadDocument, DocumentNode, migration_changes, order_differences};
use crate::v4_0::upgraded;
use lombard_domain::refusal::Fault;
use lombard_domain::submitted::Submitted;
use lombard_domain::version::Version;

/// The differences between an order and its consent, at paths of the order; empty if they match. Source: PIS-051 to PIS-053,
/// PIS-148, VRP-053.
///
/// # Errors
/// [`BadDocument`] when the stored document cannot be parsed.
pub fn find_differences(consent: &Submitted, order: &Submitted) -> Result<Vec<Fault>, BadDocument> {
    let forms_differ = consent.version != order.version;
    let has_proxies = order.version == Version::V4_0;
    let consent = read_form(consent, forms_differ)?;
    let order = read_form(order, forms_differ)?;
    Ok(order_differences(&consent, &order, has_proxies))
}

/// The forbidden changes by a migration in `Data.Initiation` and `Risk` of an older document. Source: V4-020, V4-030.
///
/// # Errors
/// [`BadDocument`] when a document cannot be parsed.
pub fn find_changes(older: &Submitted, newer: &Submitted) -> Result<Vec<Fault>, BadDocument> {
    Ok(migration_changes(&read_form(older, true)?, &read_form(newer, true)?))
}

/// The document, in the form of v4.0 if the other one has another form.
fn read_form(submitted: &Submitted, forms_differ: bool) -> Result<DocumentNode<'_>, BadDocument> {
    let document = DocumentNode::read(&submitted.json)?;
    Ok(match submitted.version {
        Version::V3_1 if forms_differ => upgraded(document),
        Version::V3_1 | Version::V4_0 => document,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use lombard_domain::refusal::FaultLocation;

    #[test]
    fn v4_022_v4_027_a_payment_is_compared_with_an_older_consent_in_one_form() {
        let consent = Submitted {
            version: Version::V3_1,
            json: r#"{"Data":{"Initiation":{"RemittanceInformation":{"Unstructured":"x","Reference":"y"}}},"Risk":{}}"#
                .into(),
        };
        let differences = |consent: &Submitted, order: &Submitted| -> Vec<_> {
            find_differences(consent, order).unwrap().into_iter().map(|fault| fault.at).collect()
        };
        let newer = |reference: &str| Submitted {
            version: Version::V4_0,
            json: format!(
                r#"{{"Data":{{"Initiation":{{"RemittanceInformation":{{"Structured":[{{"CreditorReferenceInformation":{{"Reference":"{reference}"}}}}],"Unstructured":["x"]}}}}}},"Risk":{{}}}}"#
            ),
        };
        assert_eq!(differences(&consent, &newer("y")), []);
        let reference = "Data.Initiation.RemittanceInformation.Structured[0].CreditorReferenceInformation.Reference";
        assert_eq!(differences(&consent, &newer("z")), [Some(FaultLocation::Path(reference.to_owned()))]);
        assert_eq!(differences(&newer("y"), &consent), [], "an older body against a newer consent");
        assert_eq!(differences(&consent, &consent), []);
    }

    #[test]
    fn v4_020_a_migration_adds_to_the_risk_data_alone() {
        let form = |version, initiation: &str, risk: &str| Submitted {
            version,
            json: format!(r#"{{"Data":{{"ControlParameters":{{}},"Initiation":{initiation}}},"Risk":{risk}}}"#),
        };
        let older = form(Version::V3_1, r#"{"CreditorAccount":{"Name":"N"}}"#, r#"{"MerchantCategoryCode":"1"}"#);
        let agreed = r#"{"CreditorAccount":{"Name":"N"}}"#;
        let kept = r#"{"MerchantCategoryCode":"1"}"#;
        for (initiation, risk, changed) in [
            (agreed, kept, None),
            (agreed, r#"{"MerchantCategoryCode":"1","CategoryPurposeCode":"CASH"}"#, None),
            (agreed, r#"{"MerchantCategoryCode":"2"}"#, Some("Risk.MerchantCategoryCode")),
            (agreed, "{}", Some("Risk.MerchantCategoryCode")),
            (
                r#"{"CreditorAccount":{"Name":"N","Proxy":{"Code":"TELE"}}}"#,
                kept,
                Some("Data.Initiation.CreditorAccount.Proxy"),
            ),
            (
                r#"{"CreditorAccount":{"Name":"N"},"UltimateCreditor":{"Name":"U"}}"#,
                kept,
                Some("Data.Initiation.UltimateCreditor"),
            ),
        ] {
            let found = find_changes(&older, &form(Version::V4_0, initiation, risk)).unwrap();
            let found: Vec<_> = found.into_iter().map(|fault| fault.at).collect();
            let expected = changed.map(|path| Some(FaultLocation::Path(path.to_owned())));
            assert_eq!(found, Vec::from_iter(expected), "{initiation} {risk}");
        }
    }
}
