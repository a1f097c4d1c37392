//! The README's table of endpoints, against the catalogue.

use lombard_api::catalogue::ENDPOINTS;
use lombard_domain::version::Version;
use lombard_edge::endpoint_facts::EndpointGroup;

/// What the README calls each group.
const GROUPS: [(&str, EndpointGroup); 5] = [
    ("Account information", EndpointGroup::AccountInformation),
    ("Payment initiation", EndpointGroup::Payments),
    ("Confirmation of funds", EndpointGroup::FundsConfirmation),
    ("Variable recurring payments", EndpointGroup::VariableRecurringPayments),
    ("Events", EndpointGroup::Events),
];

#[test]
fn the_table_of_endpoints_is_the_catalogue() {
    let readme = std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../README.md")).unwrap();
    let rows: Vec<Vec<&str>> = readme
        .lines()
        .skip_while(|line| !line.starts_with("| Endpoints of the standard |"))
        .skip(2)
        .take_while(|line| line.starts_with('|'))
        .map(|line| line.trim_matches('|').split('|').map(str::trim).collect())
        .collect();
    let served = |group: Option<EndpointGroup>, version: Option<Version>| {
        let of_group = ENDPOINTS.iter().filter(|it| group.is_none_or(|group| it.group == group));
        of_group.filter(|it| version.is_none_or(|version| it.versions().any(|served| served == version))).count()
    };
    let expected: Vec<Vec<String>> = GROUPS
        .iter()
        .map(|(name, group)| (*name, Some(*group)))
        .chain([("Total", None)])
        .map(|(name, group)| {
            let counts = [None, Some(Version::V3_1), Some(Version::V4_0)].map(|version| served(group, version));
            std::iter::once(name.to_owned()).chain(counts.map(|count| count.to_string())).collect()
        })
        .collect();
    assert_eq!(rows, expected);
    assert_eq!(served(None, Some(Version::V3_1)), 82, "every endpoint of the standard is served");
}
