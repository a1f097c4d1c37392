//! Members that official files misspell.

/// Each member that official files misspell: its correct name and the misspelt one. Source: PIS-148, X-03, X-04.
const MISSPELT: [(&str, &str); 2] = [
    ("ContractPresentIndicator", "ContractPresentInidicator"),
    ("BeneficiaryPrepopulatedIndicator", "BeneficiaryPaymentDetailsPrepopulatedIndicator"),
];

/// The correct name of a member that official files misspell.
pub(crate) fn correct_spelling(name: &str) -> &str {
    MISSPELT.iter().find(|(_, misspelt)| *misspelt == name).map_or(name, |(correct, _)| correct)
}

/// The other spelling of a member that has two.
pub(crate) fn other_spelling(name: &str) -> Option<&'static str> {
    MISSPELT.iter().find_map(|(correct, misspelt)| match name {
        _ if name == *correct => Some(*misspelt),
        _ if name == *misspelt => Some(*correct),
        _ => None,
    })
}

#[cfg(test)]
pub(crate) fn every_spelling() -> impl Iterator<Item = (&'static str, &'static str)> {
    MISSPELT.into_iter()
}
