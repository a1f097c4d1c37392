//! The creditor agent. Source: INT-003, PIS-119.

use crate::parse::schema::text;
use crate::parse::{FaultCollector, FromJson, JsonPath, ObjectSource, Stopped, object};
use crate::payments::address::Address;
use crate::payments::forms::PaymentForms;
use crate::payments::parties::Lei;
use crate::payments::values::RailText;
use lombard_domain::payment::transfer::{AgentCode, PayeeAgent};
use lombard_domain::refusal::FaultCode;
use serde_json::Value;
use std::marker::PhantomData;

object! {
    /// Source: `OBWriteInternational3/Data/Initiation/CreditorAgent`.
    struct Members<V: PaymentForms>: Closed {
        optional scheme: Scheme = "SchemeName",
        optional number: RailText<1, 35> = "Identification",
        optional name: RailText<1, 140> = "Name",
        optional lei: V::Only4<Lei> = "LEI",
        optional address: Address<V> = "PostalAddress",
    }
}

/// The scheme of a bank's identification, with or without the namespace.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Scheme {
    Bic,
    /// The clearing system of a country, two letters.
    Clearing(String),
}

impl FromJson for Scheme {
    const WANTED: &'static str = "a string";

    fn schema() -> Value {
        text(r"^UK\.OBIE\.(BICFI|NCC\.[A-Z]{2})$")
    }

    fn text(reader: &FaultCollector, at: &JsonPath<'_>, text: &str) -> Option<Self> {
        let scheme = scheme(text.strip_prefix("UK.OBIE.").unwrap_or(text));
        if scheme.is_none() {
            reader.fault(FaultCode::UnsupportedScheme, at, "Must be a scheme of the standard.");
        }
        scheme
    }
}

fn scheme(code: &str) -> Option<Scheme> {
    if code == "BICFI" {
        return Some(Scheme::Bic);
    }
    let country = code.strip_prefix("NCC.")?;
    let is_country = country.len() == 2 && country.bytes().all(|it| it.is_ascii_uppercase());
    is_country.then(|| Scheme::Clearing(country.to_owned()))
}

/// The creditor agent of an international payment: a scheme and an identification, or a name and an address. If half of a pair is
/// missing, the fault is at the missing half.
pub(crate) type Agent<V> = AgentReader<V, true>;

/// The creditor agent of a domestic payment, which may be a legal entity identifier or a name alone. Source: INT-003.
pub(crate) type DomesticAgent<V> = AgentReader<V, false>;

/// A creditor agent, which needs an address beside its name if `IS_ADDRESSED`.
#[derive(Debug)]
pub(crate) struct AgentReader<V, const IS_ADDRESSED: bool> {
    pub(crate) payee_agent: PayeeAgent,
    version: PhantomData<V>,
}

impl<V: PaymentForms, const IS_ADDRESSED: bool> FromJson for AgentReader<V, IS_ADDRESSED> {
    const WANTED: &'static str = "an object";

    fn schema() -> Value {
        Members::<V>::schema()
    }

    fn object(
        reader: &FaultCollector,
        at: &JsonPath<'_>,
        members: &mut dyn ObjectSource,
    ) -> Result<Option<Self>, Stopped> {
        let Some(Members { scheme, number, name, lei, address }) = Members::<V>::object(reader, at, members)? else {
            return Ok(None);
        };
        let lei = lei.and_then(Into::into).map(|lei: Lei| lei.0);
        let is_coded = scheme.is_some() && number.is_some();
        let is_named = if IS_ADDRESSED {
            name.is_some() && address.is_some()
        } else {
            scheme.is_none() && number.is_none() && (name.is_some() || lei.is_some())
        };
        if !is_coded && !is_named {
            let partners = [
                ("Identification", scheme.is_some()),
                ("SchemeName", number.is_some()),
                ("PostalAddress", IS_ADDRESSED && name.is_some()),
                ("Name", address.is_some()),
            ];
            let missing = partners.iter().filter(|(_, has_half)| *has_half).map(|(partner, _)| *partner);
            // Without any member, the fault is at the first pair.
            let nothing = partners.iter().all(|(_, has_half)| !has_half).then_some("SchemeName");
            for partner in missing.chain(nothing) {
                let message = "The payee's bank needs a scheme and an identification, or a name and an address.";
                reader.fault(FaultCode::FieldExpected, &at.member(partner), message);
            }
            return Ok(None);
        }
        let code = scheme.zip(number).map(|(scheme, number)| match scheme {
            Scheme::Bic => AgentCode::Bic(number.0),
            Scheme::Clearing(country) => AgentCode::Clearing { country, number: number.0 },
        });
        let payee_agent = PayeeAgent { code, name: name.map(|name| name.0), address: address.map(Into::into), lei };
        Ok(Some(Self { payee_agent, version: PhantomData }))
    }
}
