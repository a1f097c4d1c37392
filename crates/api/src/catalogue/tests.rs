//! Compares the rows with the number and the form of the standard's endpoints.

use super::*;
use lombard_domain::payment::PaymentProduct;
use lombard_domain::version::Version;
use lombard_edge::endpoint_facts::{EndpointGroup, HttpMethod, MessageSigning, RequiredGrant, version_of};
use std::collections::HashSet;

#[test]
fn the_catalogue_holds_the_endpoints_of_both_versions_once() {
    let count = |group| ENDPOINTS.iter().filter(|endpoint| endpoint.group == group).count();
    assert_eq!(
        [
            EndpointGroup::AccountInformation,
            EndpointGroup::Payments,
            EndpointGroup::FundsConfirmation,
            EndpointGroup::VariableRecurringPayments,
            EndpointGroup::Events,
        ]
        .map(count),
        [29, 41, 4, 9, 1]
    );
    let served = |version| ENDPOINTS.iter().filter(|row| row.served.iter().any(|it| it.version == version)).count();
    assert_eq!(Version::ALL.map(served), [82, 84], "v4.0 adds PUT and PATCH of the VRP consent");
    let names: HashSet<_> = ENDPOINTS.iter().map(|endpoint| endpoint.name).collect();
    assert_eq!(names.len(), 84);
    let operations: HashSet<_> =
        ENDPOINTS.iter().map(|endpoint| (endpoint.method, endpoint.full_path(Version::V3_1))).collect();
    assert_eq!(operations.len(), 84);
    assert!(ENDPOINTS.iter().all(|row| row.path.starts_with('/') && !row.path.ends_with('/')));
}

#[test]
fn t1_what_is_signed_is_idempotent_and_needs_a_psu() {
    for row in ENDPOINTS {
        let payments = matches!(row.group, EndpointGroup::Payments | EndpointGroup::VariableRecurringPayments);
        assert!(payments || (!row.idempotent && row.signed == MessageSigning::Nothing), "{row:?}: RW-180, RW-200");
        let writes = matches!(row.method, HttpMethod::Post | HttpMethod::Put | HttpMethod::Patch);
        assert!(!row.idempotent || writes, "{row:?}: RW-181, RW-116");
        if row.group == EndpointGroup::Payments {
            assert_eq!(row.idempotent, row.method == HttpMethod::Post, "{row:?}");
            let order = row.method == HttpMethod::Post && !row.path.contains("consents");
            let psu = order || row.path.ends_with("/funds-confirmation");
            assert_eq!(row.grant == RequiredGrant::Psu, psu, "{row:?}");
            assert_eq!(row.grant == RequiredGrant::Either, row.method == HttpMethod::Get && !psu, "{row:?}: PIS-004");
        }
        let signs_answers = matches!(row.signed, MessageSigning::Response | MessageSigning::Both);
        // The other operations have no body in successful responses.
        let empty = row.method == HttpMethod::Delete || row.signed == MessageSigning::Request;
        let path = row.full_path(Version::V3_1);
        assert_eq!(
            lombard_edge::signing::is_signed_path(&path),
            signs_answers || (payments && empty),
            "{row:?}: RW-135"
        );
        if row.method == HttpMethod::Delete {
            let grant = if payments { RequiredGrant::Either } else { RequiredGrant::Client };
            assert_eq!((row.signed, row.grant), (MessageSigning::Nothing, grant), "{row:?}: RW-225, PIS-004");
        }
    }
    let file = find_endpoint("CreateFilePaymentConsentsConsentIdFile").unwrap();
    assert_eq!((file.signed, file.grant, file.idempotent), (MessageSigning::Request, RequiredGrant::Client, true));
    let funds = find_endpoint("domesticVrpConsentsFundsConfirmation").unwrap();
    assert_eq!((funds.signed, funds.grant, funds.idempotent), (MessageSigning::Both, RequiredGrant::Psu, false));
    assert_eq!(find_endpoint("CreateEvents").unwrap().scopes.len(), 3);
}

#[test]
fn t6_what_must_be_offered_cannot_be_switched_off() {
    let mandatory: Vec<_> = ENDPOINTS
        .iter()
        .filter(|row| row.group == EndpointGroup::AccountInformation && !row.may_be_switched_off())
        .map(|row| row.path)
        .collect();
    assert_eq!(
        mandatory,
        [
            "/account-access-consents",
            "/account-access-consents/{ConsentId}",
            "/account-access-consents/{ConsentId}",
            "/accounts",
            "/accounts/{AccountId}",
            "/accounts/{AccountId}/balances",
            "/accounts/{AccountId}/transactions",
        ]
    );
    assert!(
        ENDPOINTS
            .iter()
            .filter(|row| !row.may_be_switched_off())
            .all(|row| { row.is_implemented() || row.group != EndpointGroup::AccountInformation })
    );
}

#[test]
fn rw_003_and_rw_004_paths_follow_their_group() {
    for (name, path) in [
        ("GetAccounts", "/open-banking/v3.1/aisp/accounts"),
        ("CreateDomesticPayments", "/open-banking/v3.1/pisp/domestic-payments"),
        ("domesticVrpPost", "/open-banking/v3.1/pisp/domestic-vrps"),
        ("CreateFundsConfirmations", "/open-banking/v3.1/cbpii/funds-confirmations"),
        ("CreateEvents", "/open-banking/v3.1/events"),
    ] {
        assert_eq!(find_endpoint(name).unwrap().full_path(Version::V3_1), path);
    }
    assert!(find_endpoint("Nothing").is_none());
}

#[test]
fn rw_001_rw_005_every_path_is_prefix_version_group_and_resource() {
    for operation in list_operations() {
        let path = operation.path();
        let prefix = format!("/open-banking/{}{}", operation.version.segment(), operation.endpoint.group.segment());
        let rest = path.strip_prefix(&prefix).unwrap_or_else(|| panic!("{operation:?} is elsewhere"));
        let mut segments = rest.split('/').skip(1);
        let is_name = |text: &str| text.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'-');
        assert!(segments.next().is_some_and(|resource| !resource.is_empty() && is_name(resource)), "{operation:?}");
        for segment in segments {
            let is_id = segment.starts_with('{') && segment.ends_with('}');
            assert!(is_id || (!segment.is_empty() && is_name(segment)), "{operation:?}: {segment}");
        }
    }
}

#[test]
fn so_017_the_path_parameter_and_the_body_member_have_different_names() {
    let product = PaymentProduct::InternationalStandingOrder;
    let row =
        ENDPOINTS.iter().find(|row| row.path == "/international-standing-orders/{InternationalStandingOrderPaymentId}");
    assert!(row.is_some_and(|row| row.method == HttpMethod::Get && row.versions().eq(Version::ALL)));
    assert_eq!(product.id_member(), "InternationalStandingOrderId");
    let others = PaymentProduct::ALL.into_iter().filter(|it| *it != product);
    for other in others {
        let path = format!("{}/{{{}}}", other.orders_path(), other.id_member());
        let has_row = ENDPOINTS.iter().any(|row| format!("{}{}", row.group.segment(), row.path) == path);
        assert!(has_row, "{other:?}: the same name in both places");
    }
}

#[test]
fn rw_002_every_row_names_its_versions_once_the_oldest_first() {
    for row in ENDPOINTS {
        let versions: Vec<_> = row.versions().collect();
        assert!(versions.is_sorted_by(|older, newer| older < newer), "{row:?}");
        assert_eq!(row.is_implemented(), !versions.is_empty());
    }
    assert_eq!(list_operations().count(), ENDPOINTS.iter().map(|row| row.versions().count()).sum::<usize>());
    let paths: HashSet<_> = list_operations().map(|it| (it.endpoint.method, it.path())).collect();
    assert_eq!(paths.len(), list_operations().count());
}

#[test]
fn rw_006_the_path_alone_says_the_version() {
    for (path, version) in [
        ("/open-banking/v3.1/aisp/accounts", Version::V3_1),
        ("/open-banking/v4.0/aisp/accounts", Version::V4_0),
        ("/open-banking/v4.0", Version::V4_0),
        ("/open-banking/v4.1/aisp/accounts", Version::V3_1),
        ("/open-banking/v4.00/aisp", Version::V3_1),
        ("/v4.0/aisp", Version::V3_1),
        ("/", Version::V3_1),
    ] {
        assert_eq!(version_of(path), version, "{path}");
    }
}
