//! Products. Source: AIS-002, AIS-180, AIS-181.
//!
//! The standard describes product terms in three dialects (personal current accounts, business current accounts, all others),
//! which differ in their codes and in a few members. `dialect` has a column for each dialect; the serialisers check the dialect
//! for members that exist in one dialect only.

mod charges;
mod dialect;
mod features;
mod interest;
mod object;
#[cfg(test)]
mod tests;

use super::{AccountForms, described_in_all};
use crate::response::{Response, write};
use crate::{Render, RenderError, ResponseEnvelope};
use charges::{ChargePlacement, present_charges};
use dialect::Dialect;
use features::{said_features, said_repayment};
use interest::{present_credit, present_loan, said_overdraft};
use lombard_domain::account::Aliased;
use lombard_domain::account::product::{
    AccountProduct, BusinessCurrentAccount, OtherProduct, PersonalCurrentAccount, ProductKind, Tariff,
};
use object::{InDialect, ObjectWriter};
use schemars::JsonSchema;
use serde::ser::{Serialize, Serializer};
use serde_json::{Map, Value};

/// Source: `OBReadProduct2/Data`.
#[derive(Debug, serde::Serialize, JsonSchema)]
#[serde(rename_all = "PascalCase")]
struct Products<'a> {
    product: Vec<WireProduct<'a>>,
}

/// Source: `OBReadProduct2/Data/Product`.
#[derive(Debug, serde::Serialize, JsonSchema)]
#[serde(rename_all = "PascalCase")]
struct WireProduct<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    product_name: Option<&'a str>,
    product_id: &'a str,
    account_id: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    secondary_product_id: Option<&'a str>,
    product_type: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    marketing_state_id: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Map<String, Value>")]
    other_product_type: Option<InDialect<'a, OtherProduct>>,
    #[serde(rename = "BCA", skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Map<String, Value>")]
    business: Option<InDialect<'a, BusinessCurrentAccount>>,
    #[serde(rename = "PCA", skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Map<String, Value>")]
    personal: Option<InDialect<'a, PersonalCurrentAccount>>,
}

impl<'a> From<&'a Aliased<AccountProduct>> for WireProduct<'a> {
    fn from(Aliased { alias, record }: &'a Aliased<AccountProduct>) -> Self {
        let (product_type, personal, business, other) = match &record.kind {
            ProductKind::PersonalCurrentAccount(terms) => ("PersonalCurrentAccount", Some(&**terms), None, None),
            ProductKind::BusinessCurrentAccount(terms) => ("BusinessCurrentAccount", None, Some(&**terms), None),
            ProductKind::CommercialCreditCard => ("CommercialCreditCard", None, None, None),
            ProductKind::SmeLoan => ("SMELoan", None, None, None),
            ProductKind::Other(terms) => ("Other", None, None, Some(&**terms)),
        };
        Self {
            product_name: record.name.as_deref(),
            product_id: record.id.as_str(),
            account_id: alias.as_str(),
            secondary_product_id: record.secondary_id.as_deref(),
            product_type,
            marketing_state_id: record.marketing_state.as_deref(),
            other_product_type: other.map(|terms| InDialect(Dialect::Other, terms)),
            business: business.and_then(business_terms),
            personal: personal.and_then(personal_terms),
        }
    }
}

described_in_all!([Aliased<AccountProduct>], Response<'static, Products<'static>>);

impl<V: AccountForms> Render<[Aliased<AccountProduct>]> for V {
    fn render(products: &[Aliased<AccountProduct>], envelope: &ResponseEnvelope) -> Result<Vec<u8>, RenderError> {
        let data = Products { product: products.iter().map(WireProduct::from).collect() };
        write(data, envelope, products.len().saturating_mul(4_000).saturating_add(400))
    }
}

/// The terms; `None` if all are absent (RW-245).
fn personal_terms(terms: &PersonalCurrentAccount) -> Option<InDialect<'_, PersonalCurrentAccount>> {
    let PersonalCurrentAccount { features, credit_interest, overdraft, charges } = terms;
    let told = said_features(Dialect::Personal, features.as_ref()).is_some()
        || present_credit(Dialect::Personal, credit_interest).is_some()
        || said_overdraft(Dialect::Personal, overdraft.as_ref()).is_some()
        || charges.as_ref().is_some_and(|charges| !charges.fees.is_empty());
    told.then_some(InDialect(Dialect::Personal, terms))
}

/// Source: `OBPCAData1`.
impl Serialize for InDialect<'_, PersonalCurrentAccount> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let &Self(dialect, terms) = self;
        let mut object = ObjectWriter::begin(dialect, serializer)?;
        object.maybe("ProductDetails", said_features(dialect, terms.features.as_ref()))?;
        object.maybe("CreditInterest", present_credit(dialect, &terms.credit_interest))?;
        object.maybe("Overdraft", said_overdraft(dialect, terms.overdraft.as_ref()))?;
        let charges =
            terms.charges.as_ref().and_then(|charges| present_charges(dialect, ChargePlacement::Account, charges));
        object.maybe("OtherFeesCharges", charges)?;
        object.end()
    }
}

/// The terms; `None` if all are absent (RW-245).
fn business_terms(terms: &BusinessCurrentAccount) -> Option<InDialect<'_, BusinessCurrentAccount>> {
    let BusinessCurrentAccount { features, credit_interest, overdraft, tariffs } = terms;
    let told = said_features(Dialect::Business, features.as_ref()).is_some()
        || present_credit(Dialect::Business, credit_interest).is_some()
        || said_overdraft(Dialect::Business, overdraft.as_ref()).is_some()
        || said_tariffs(Dialect::Business, tariffs).next().is_some();
    told.then_some(InDialect(Dialect::Business, terms))
}

/// Source: `OBBCAData1`.
impl Serialize for InDialect<'_, BusinessCurrentAccount> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let &Self(dialect, terms) = self;
        let mut object = ObjectWriter::begin(dialect, serializer)?;
        object.maybe("ProductDetails", said_features(dialect, terms.features.as_ref()))?;
        object.maybe("CreditInterest", present_credit(dialect, &terms.credit_interest))?;
        object.maybe("Overdraft", said_overdraft(dialect, terms.overdraft.as_ref()))?;
        object.list("OtherFeesCharges", said_tariffs(dialect, &terms.tariffs))?;
        object.end()
    }
}

/// Source: `OtherProductType`.
impl Serialize for InDialect<'_, OtherProduct> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let &Self(dialect, terms) = self;
        let mut object = ObjectWriter::begin(dialect, serializer)?;
        object.put("Name", &terms.name)?;
        object.put("Description", &terms.description)?;
        object.maybe("ProductDetails", said_features(dialect, terms.features.as_ref()))?;
        object.maybe("CreditInterest", present_credit(dialect, &terms.credit_interest))?;
        object.maybe("Overdraft", said_overdraft(dialect, terms.overdraft.as_ref()))?;
        object.maybe("LoanInterest", present_loan(terms.loan_interest.as_ref()))?;
        object.maybe("Repayment", said_repayment(terms.repayment.as_ref()))?;
        object.list("OtherFeesCharges", said_tariffs(dialect, &terms.tariffs))?;
        object.end()
    }
}

fn said_tariffs(dialect: Dialect, tariffs: &[Tariff]) -> impl Iterator<Item = InDialect<'_, Tariff>> {
    tariffs.iter().filter(|tariff| !tariff.charges.fees.is_empty()).map(move |tariff| InDialect(dialect, tariff))
}

/// Source: `OtherFeesCharges` of `OBBCAData1` and `OtherProductType`.
impl Serialize for InDialect<'_, Tariff> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let &Self(dialect, tariff) = self;
        let mut object = ObjectWriter::begin(dialect, serializer)?;
        object.maybe_choice("TariffType", "OtherTariffType", tariff.kind.as_ref())?;
        object.maybe("TariffName", tariff.name.as_deref())?;
        if let Some(charges) = present_charges(dialect, ChargePlacement::Account, &tariff.charges) {
            charges.write(&mut object)?;
        }
        object.end()
    }
}
