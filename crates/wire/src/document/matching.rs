//! Compares two documents: an order with its consent, or a migrated consent with the older one. Source: section 2.5.

use super::DocumentNode;
use super::decimal::Decimal;
use super::echo::{NAMESPACE, TextMeaning, meaning};
use crate::spelling::correct_spelling;
use crate::time::read_sent;
use lombard_domain::refusal::{Fault, FaultCode, FaultLocation};
use std::collections::HashMap;

/// The largest number of faults in one response.
const FAULTS_MAX: usize = 100;

/// The differences between an order and its consent, two documents of one form, at paths of the order; empty if they match.
///
/// Compares `Data.Initiation` and `Risk`; a file has only the former (PIS-051). A member on one side only is a difference
/// (PIS-053). Treated as equal are members in any order, date-times of the same instant, decimals of the same value, codes with
/// and without their namespace, an absent and an empty array, and the misspelt members of `Risk` (PIS-052, PIS-148). If the
/// consent names a payee and the order `has_proxies`, the payee of a VRP instruction must have the agreed proxy (VRP-053).
pub(crate) fn order_differences(consent: &DocumentNode<'_>, order: &DocumentNode<'_>, has_proxies: bool) -> Vec<Fault> {
    let mut found = FoundDifferences { faults: Vec::new(), ignores_additions: false };
    found.compare(initiation(consent), initiation(order), &ComparisonPath::top("Data.Initiation"));
    found.compare(consent.member("Risk"), order.member("Risk"), &ComparisonPath::top("Risk"));
    let [agreed, paid] = [initiation(consent), instruction(order)].map(|part| part?.member("CreditorAccount"));
    if let (Some(agreed), Some(paid), true) = (agreed, paid, has_proxies) {
        let at = ComparisonPath::top("Data.Instruction.CreditorAccount");
        let mut proxies = FoundDifferences { faults: Vec::new(), ignores_additions: false };
        proxies.compare(agreed.member("Proxy"), paid.member("Proxy"), &at);
        if !proxies.faults.is_empty() {
            found.differs(&at);
        }
    }
    found.faults
}

/// The changes that the newer document makes in `Data.Initiation` and `Risk` of the older one, both in the same form. Additions
/// to the initiation are reported, because the customer agreed to the initiation as it is. Additions to `Risk` are not reported;
/// the payment context is checked by the domain. Source: V4-020, V4-030.
pub(crate) fn migration_changes(older: &DocumentNode<'_>, newer: &DocumentNode<'_>) -> Vec<Fault> {
    let mut found = FoundDifferences { faults: Vec::new(), ignores_additions: false };
    found.compare(initiation(older), initiation(newer), &ComparisonPath::top("Data.Initiation"));
    found.ignores_additions = true;
    found.compare(older.member("Risk"), newer.member("Risk"), &ComparisonPath::top("Risk"));
    found.faults.retain(|fault| fault.at != Some(FaultLocation::Path("Risk.PaymentContextCode".to_owned())));
    found.faults
}

fn initiation<'d>(document: &'d DocumentNode<'d>) -> Option<&'d DocumentNode<'d>> {
    document.member("Data")?.member("Initiation")
}

fn instruction<'d>(document: &'d DocumentNode<'d>) -> Option<&'d DocumentNode<'d>> {
    document.member("Data")?.member("Instruction")
}

/// The path of the comparison.
struct ComparisonPath<'a> {
    text: String,
    name: &'a str,
}

impl<'a> ComparisonPath<'a> {
    fn top(name: &'a str) -> Self {
        Self { text: name.to_owned(), name }
    }

    fn member<'b>(&self, name: &'b str) -> ComparisonPath<'b> {
        ComparisonPath { text: format!("{}.{name}", self.text), name }
    }

    fn item(&self, index: usize) -> ComparisonPath<'a> {
        ComparisonPath { text: format!("{}[{index}]", self.text), name: self.name }
    }
}

struct FoundDifferences {
    faults: Vec<Fault>,
    /// Whether members that only the second document has are not counted as differences.
    ignores_additions: bool,
}

impl FoundDifferences {
    fn differs(&mut self, at: &ComparisonPath<'_>) {
        if self.faults.len() < FAULTS_MAX {
            let message = "This differs from the consent.";
            self.faults.push(Fault::at(FaultCode::ConsentMismatch, FaultLocation::Path(at.text.clone()), message));
        }
    }

    fn compare(
        &mut self,
        consent: Option<&DocumentNode<'_>>,
        order: Option<&DocumentNode<'_>>,
        at: &ComparisonPath<'_>,
    ) {
        match (consent, order) {
            (None, None) => {}
            (None, Some(_)) if self.ignores_additions => {}
            (Some(DocumentNode::Array(items)), None) | (None, Some(DocumentNode::Array(items))) if items.is_empty() => {
            }
            (Some(DocumentNode::Object(consent)), Some(DocumentNode::Object(order))) => {
                self.members(consent, order, at)
            }
            (Some(DocumentNode::Array(consent)), Some(DocumentNode::Array(order))) => {
                for index in 0..consent.len().max(order.len()) {
                    self.compare(consent.get(index), order.get(index), &at.item(index));
                }
            }
            (Some(DocumentNode::Text(consent)), Some(DocumentNode::Text(order)))
                if says_the_same(at.name, consent, order) => {}
            (Some(DocumentNode::Number(consent)), Some(DocumentNode::Number(order)))
                if is_one_number(consent, order) => {}
            (Some(consent), Some(order)) if consent == order => {}
            _ => self.differs(at),
        }
    }

    fn members(
        &mut self,
        consent: &[(String, DocumentNode<'_>)],
        order: &[(String, DocumentNode<'_>)],
        at: &ComparisonPath<'_>,
    ) {
        let in_consent = by_spelling(consent);
        let in_order = by_spelling(order);
        for (name, value) in consent.iter().filter(|(_, value)| *value != DocumentNode::Null) {
            let other = in_order.get(correct_spelling(name));
            // The path uses the order's spelling, if the order has the member.
            let path = at.member(other.map_or(name, |(name, _)| name));
            self.compare(Some(value), other.map(|(_, value)| value), &path);
        }
        for (name, value) in order.iter().filter(|(_, value)| *value != DocumentNode::Null) {
            if !in_consent.contains_key(correct_spelling(name)) {
                self.compare(None, Some(value), &at.member(name));
            }
        }
    }
}

/// The members that are present, by their correct names; of several members with the same name, the first.
fn by_spelling<'m, 'd>(members: &'m [(String, DocumentNode<'d>)]) -> HashMap<&'m str, &'m (String, DocumentNode<'d>)> {
    let mut by_name = HashMap::with_capacity(members.len());
    for member in members.iter().filter(|(_, value)| *value != DocumentNode::Null) {
        by_name.entry(correct_spelling(&member.0)).or_insert(member);
    }
    by_name
}

fn says_the_same(name: &str, consent: &str, order: &str) -> bool {
    fn bare(code: &str) -> &str {
        code.strip_prefix(NAMESPACE).unwrap_or(code)
    }
    consent == order
        || match meaning(name) {
            TextMeaning::Plain => false,
            TextMeaning::Code => bare(consent) == bare(order),
            TextMeaning::Decimal => is_one_number(consent, order),
            TextMeaning::Instant => match (read_sent(consent), read_sent(order)) {
                (Some(consent), Some(order)) => consent.is_same_as(&order),
                _ => false,
            },
        }
}

fn is_one_number(consent: &str, order: &str) -> bool {
    match (Decimal::read(consent), Decimal::read(order)) {
        (Some(consent), Some(order)) => consent == order,
        _ => false,
    }
}
