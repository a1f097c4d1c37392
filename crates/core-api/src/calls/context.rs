//! The form of a call's context.

use crate::form::faults::JsonLocation;
use crate::form::node::JsonNode;
use crate::form::schema::{Definitions, HasSchema, MemberList};
use crate::form::shape::{FieldForm, FormOf, FormReader, MemberReader, MemberWriter, ObjectForm, ObjectOf, SingleForm};
use crate::form::values::{AsciiKey, BoundedText};
use crate::form::words::{EnumNames, NamedForm, words};
use crate::objects;
use jiff::Timestamp;
use lombard_domain::authentication::AuthenticationFactor;
use lombard_domain::consent::ConsentKind;
use lombard_domain::ids::BankAccountId;
use lombard_domain::payment::PaymentProduct;
use lombard_domain::version::Version;
use lombard_ports::bank::context::{Authentication, CallConsent, CallContext, CallingClient, SubmittedRisk};
use lombard_ports::bank::{CoreState, PaymentRiskFacts, TraceParent};
use std::marker::PhantomData;
use std::net::IpAddr;
use std::sync::Arc;

objects! {
    /// The context of a call. Each member is absent if it is not known or does not apply.
    CallContext as "Context" {
        /// The TPP that asks.
        client: optional(FormOf<CallingClient>, "TPP");
        /// The customer, by the id that the bank's identity provider gives.
        psu: optional(BoundedText<255>, "PSU");
        /// The consent under which the call is made.
        consent: optional(FormOf<CallConsent>, "Consent");
        /// The states that the core keeps with the accounts of the consent.
        account_states: list(ObjectOf<AccountState>, "AccountState");
        /// The x-fapi-interaction-id of the request that caused the call.
        interaction: optional(BoundedText<128>, "InteractionId");
        /// The traceparent of that request (W3C Trace Context), as received.
        trace_parent: optional(FormOf<TraceParent>, "TraceParent");
        /// The customer's IP address: as the TPP sent it, or that of the customer's browser on the bank's pages.
        customer_address: optional(FormOf<IpAddr>, "CustomerIPAddress");
        /// The customer's user agent, likewise; at most 512 bytes.
        customer_user_agent: optional(SharedText<512>, "CustomerUserAgent");
        /// With payments: what the TPP states of the risk, and how the customer authenticated.
        payment: optional(Shared<FormOf<PaymentRiskFacts>>, "Payment");
    }

    /// The TPP of a call.
    CallingClient as "TPP" {
        /// The client id that the TPP is registered under.
        id: required(BoundedText<128>, "ClientId");
        /// Its organisation in the directory.
        organisation: required(BoundedText<128>, "OrganisationId");
    }

    /// The consent of a call.
    CallConsent as "Consent" {
        /// The id of the consent.
        id: required(AsciiKey<128>, "ConsentId");
        /// The kind of consent: access to accounts, confirmation of funds, or a payment product.
        kind: required(NamedForm<ConsentKinds>, "Kind");
        /// What the core set on the consent, unchanged.
        core_state: optional(FormOf<CoreState>, "CoreState");
    }

    /// The facts of a payment for the core's fraud scoring.
    PaymentRiskFacts as "PaymentFacts" {
        /// The TPP's Risk, if the product has one.
        risk: optional(FormOf<SubmittedRisk>, "Risk");
        /// How and when the customer authenticated to authorise the consent; absent before.
        authentication: optional(FormOf<Authentication>, "Authentication");
    }

    /// The Risk member of a TPP's request, as it was sent.
    SubmittedRisk as "SubmittedRisk" {
        /// The version of the standard whose endpoint received it.
        version: required(FormOf<Version>, "Version");
        /// The JSON object.
        json: required(AnyObject, "Data");
    }

    /// An authentication of the customer.
    Authentication as "Authentication" {
        /// When, by the bank's clock.
        at: required(FormOf<Timestamp>, "DateTime");
        /// What it rested on; empty where that is not known.
        factors: list(FormOf<AuthenticationFactor>, "Factor");
    }
}

/// The form of the state that the core has set on an account.
struct AccountState;

impl ObjectForm for AccountState {
    type Value = (BankAccountId, CoreState);

    const ABOUT: &'static str = "What the core set on an account.";

    fn name() -> String {
        "AccountState".to_owned()
    }

    fn describe(list: &mut MemberList<'_>) {
        list.required::<AsciiKey<40>>("AccountId", "The account.");
        list.required::<FormOf<CoreState>>("CoreState", "The state, unchanged.");
    }

    fn parse_members(members: &mut MemberReader<'_, '_>) -> Option<(BankAccountId, CoreState)> {
        let account = members.required::<BankAccountId, AsciiKey<40>>("AccountId");
        let state = members.required::<CoreState, FormOf<CoreState>>("CoreState");
        Some((account?, state?))
    }

    fn write_members(value: &(BankAccountId, CoreState), object: &mut MemberWriter) {
        object.required::<_, AsciiKey<40>>("AccountId", &value.0);
        object.required::<_, FormOf<CoreState>>("CoreState", &value.1);
    }
}

words! {
    Version { V3_1 = "v3.1" V4_0 = "v4.0" }
    AuthenticationFactor { Knowledge = "Knowledge" Possession = "Possession" Inherence = "Inherence" }
}

/// The names of the kinds of consent.
pub(super) struct ConsentKinds;

impl EnumNames for ConsentKinds {
    type Word = ConsentKind;
    const VALUES: &'static [ConsentKind] = &[
        ConsentKind::AccountAccess,
        ConsentKind::FundsConfirmation,
        ConsentKind::Payment(PaymentProduct::DomesticPayment),
        ConsentKind::Payment(PaymentProduct::DomesticScheduledPayment),
        ConsentKind::Payment(PaymentProduct::DomesticStandingOrder),
        ConsentKind::Payment(PaymentProduct::DomesticVrp),
        ConsentKind::Payment(PaymentProduct::FilePayment),
        ConsentKind::Payment(PaymentProduct::InternationalPayment),
        ConsentKind::Payment(PaymentProduct::InternationalScheduledPayment),
        ConsentKind::Payment(PaymentProduct::InternationalStandingOrder),
    ];

    fn name(value: ConsentKind) -> &'static str {
        match value {
            ConsentKind::AccountAccess => "AccountAccess",
            ConsentKind::FundsConfirmation => "FundsConfirmation",
            ConsentKind::Payment(product) => <PaymentProduct as EnumNames>::name(product),
        }
    }
}

/// Implements the form of types whose values are parsed from text.
macro_rules! texts {
    ($($type:ty: $schema:expr, $parse:expr, $write:expr, $sentence:literal;)*) => {$(
        impl SingleForm for $type {
            fn schema(_: &mut Definitions) -> JsonNode<'static> {
                JsonNode::object($schema)
            }

            fn read(node: JsonNode<'_>, at: &JsonLocation<'_>, reader: &mut FormReader) -> Option<Self> {
                let parse: fn(&str) -> Option<Self> = $parse;
                let read = if let JsonNode::Text(text) = &node { parse(text) } else { None };
                if read.is_none() {
                    return reader.fault(at, $sentence);
                }
                read
            }

            fn write(&self) -> JsonNode<'static> {
                let write: fn(&Self) -> String = $write;
                JsonNode::text(write(self))
            }
        }
    )*};
}

texts! {
    CoreState: [("type", JsonNode::text("string")), ("maxLength", JsonNode::Integer(4_096))],
        |text| Self::new(text).ok(), |state| state.as_str().to_owned(), "Must be a text of at most 4096 bytes.";
    TraceParent: [("type", JsonNode::text("string")), ("pattern", JsonNode::text("^00-[1-9a-f]{32}-[1-9a-f]{16}-[0-9a-f]{2}$"))],
        Self::parse, |parent| parent.as_str().to_owned(), "Must be a traceparent of W3C Trace Context.";
    IpAddr: [("type", JsonNode::text("string")), ("format", JsonNode::text("ip"))],
        |text| text.parse().ok(), ToString::to_string, "Must be an IP address.";
}

/// The form of a text in shared memory.
struct SharedText<const MAX: usize>;

impl<const MAX: usize> HasSchema for SharedText<MAX> {
    fn schema(definitions: &mut Definitions) -> JsonNode<'static> {
        BoundedText::<MAX>::schema(definitions)
    }
}

impl<const MAX: usize> FieldForm<Arc<str>> for SharedText<MAX> {
    fn read(node: JsonNode<'_>, at: &JsonLocation<'_>, reader: &mut FormReader) -> Option<Arc<str>> {
        <BoundedText<MAX> as FieldForm<String>>::read(node, at, reader).map(Arc::from)
    }

    fn write(value: &Arc<str>) -> JsonNode<'static> {
        JsonNode::text(value.as_ref())
    }
}

/// The form of a JSON object with any members, kept as text.
struct AnyObject;

impl HasSchema for AnyObject {
    fn schema(_: &mut Definitions) -> JsonNode<'static> {
        JsonNode::object([("type", JsonNode::text("object"))])
    }
}

impl FieldForm<Arc<str>> for AnyObject {
    fn read(node: JsonNode<'_>, at: &JsonLocation<'_>, reader: &mut FormReader) -> Option<Arc<str>> {
        let JsonNode::Object(_) = &node else { return reader.fault(at, "Must be an object.") };
        serde_json::to_string(&node).ok().map(Arc::from)
    }

    fn write(value: &Arc<str>) -> JsonNode<'static> {
        JsonNode::Raw(Arc::clone(value))
    }
}

/// The form of a value in shared memory.
struct Shared<F>(PhantomData<F>);

impl<F: HasSchema> HasSchema for Shared<F> {
    fn schema(definitions: &mut Definitions) -> JsonNode<'static> {
        F::schema(definitions)
    }
}

impl<T, F: FieldForm<T>> FieldForm<Arc<T>> for Shared<F> {
    fn read(node: JsonNode<'_>, at: &JsonLocation<'_>, reader: &mut FormReader) -> Option<Arc<T>> {
        F::read(node, at, reader).map(Arc::new)
    }

    fn write(value: &Arc<T>) -> JsonNode<'static> {
        F::write(value)
    }
}
