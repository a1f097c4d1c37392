//! The JSON of searches, stories and customers.

use lombard_domain::ids::{ClientId, ConsentId, OrderId, PsuId};
use lombard_edge::request_log::RequestView;
use lombard_service::support::{MatchedBy, SupportMatch, SupportSubject};
use serde::{Deserialize, Serialize};

/// The body of a search.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SearchCommand {
    /// The text: an id, an end-to-end id, the account of a payee, or the name of a TPP; at most 256 characters.
    pub text: String,
}

/// What a search has found.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct SearchView {
    /// The records that the text names.
    pub matches: Vec<SearchMatchView>,
    /// The requests recorded at this node with the text as interaction id or error id, the newest first; at most 50.
    pub requests: Vec<RequestLineView>,
}

/// A record that a search has found.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SearchMatchView {
    /// `order`, `consent`, `customer` or `tpp`.
    pub kind: String,
    /// The id of the record.
    pub id: String,
    /// The property that the text is: `id`, `name`, `end-to-end-id`, `payee-account`, `interaction-id` or `event-id`.
    pub by: String,
}

impl From<SupportMatch> for SearchMatchView {
    fn from(SupportMatch { subject, by }: SupportMatch) -> Self {
        let (kind, id) = match subject {
            SupportSubject::Order(id) => ("order", id.to_string()),
            SupportSubject::Consent(id) => ("consent", id.to_string()),
            SupportSubject::Customer(id) => ("customer", id.to_string()),
            SupportSubject::Client(id) => ("tpp", id.to_string()),
        };
        let by = match by {
            MatchedBy::Id => "id",
            MatchedBy::Name => "name",
            MatchedBy::EndToEndId => "end-to-end-id",
            MatchedBy::PayeeAccount => "payee-account",
            MatchedBy::InteractionId => "interaction-id",
            MatchedBy::EventId => "event-id",
        };
        Self { kind: kind.to_owned(), id, by: by.to_owned() }
    }
}

/// A recorded request without its headers and bodies.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct RequestLineView {
    /// When the request arrived (wall clock, RFC 3339).
    pub at: String,
    /// The method of the request.
    pub method: String,
    /// The path, and the query with harmless values only.
    pub path: String,
    /// The status of the response.
    pub status: u16,
    /// The interaction id of the response.
    pub interaction_id: String,
    /// The client, if it is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub client_id: Option<String>,
    /// The rule of the check that refused the request, and why.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub refusal: Option<String>,
    /// The consent that the request created.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub consent_id: Option<ConsentId>,
}

impl From<&RequestView> for RequestLineView {
    fn from(request: &RequestView) -> Self {
        let refusal = request.refused_by.as_ref().map(|rule| match &request.reason {
            Some(reason) => format!("{rule}: {reason}"),
            None => rule.clone(),
        });
        let consent_id = request.response.body.pointer("/Data/ConsentId").and_then(|id| id.as_str());
        Self {
            at: request.at.clone(),
            method: request.method.clone(),
            path: request.path.clone(),
            status: request.status,
            interaction_id: request.interaction_id.clone(),
            client_id: request.client_id.clone(),
            refusal,
            consent_id: consent_id.map(ConsentId::from),
        }
    }
}

/// What a story is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum StorySubject {
    /// A consent with all its orders.
    Consent,
    /// One order with its consent.
    Order,
}

/// The story of a consent or an order: what it is, and what happened to it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct StoryView {
    /// What the story is about.
    pub subject: StorySubject,
    /// The id of the consent or the order.
    pub id: String,
    /// Its status: that of a consent at the bank, that of an order in v3.1.
    pub status: String,
    /// The TPP.
    pub tpp: StoryTppView,
    /// The customer who authorised the consent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub customer: Option<PsuId>,
    /// The consent.
    pub consent_id: ConsentId,
    /// The orders of the consent, or the one order, newest first.
    pub orders: Vec<OrderLineView>,
    /// Whether the access of the consent can be ended now.
    pub is_revocable: bool,
    /// Properties of the consent or the order.
    pub facts: Vec<FactView>,
    /// What happened, in the order of time.
    pub entries: Vec<StoryEntryView>,
    /// Whether the requests of the TPP are recorded at the node that answered. Each node records its own, for a limited time.
    pub requests_recorded: bool,
}

/// The TPP of a story.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct StoryTppView {
    /// The client id.
    pub client_id: ClientId,
    /// The name of the software; absent if the client was removed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub software_name: Option<String>,
    /// `active`, `disabled` or `deleted`; absent if the client was removed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub status: Option<String>,
}

/// A property with its value in words.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct FactView {
    /// The name of the property.
    pub name: String,
    /// The value.
    pub value: String,
}

/// Who takes part in a story.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum StoryParty {
    /// The TPP.
    Tpp,
    /// The customer.
    Customer,
    /// This server.
    Server,
    /// The bank's core.
    Core,
}

/// The kind of an entry.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum StoryKind {
    /// A recorded request.
    Request,
    /// A recorded request that was refused.
    Refusal,
    /// A status of the consent, or a decision on it.
    Consent,
    /// A status of an order.
    Order,
    /// A payment of an order.
    Payment,
    /// The submission of an order to the core, which is not finished.
    Core,
    /// An event that the TPP has not acknowledged.
    Event,
}

/// Something that happened.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct StoryEntryView {
    /// When (RFC 3339). Times of the wall clock are given as the bank's time by the present difference of the clocks.
    pub at: String,
    /// Its kind.
    pub kind: StoryKind,
    /// Who caused it.
    pub from: StoryParty,
    /// Whom it reached.
    pub to: StoryParty,
    /// What happened, in a few words.
    pub title: String,
    /// More about it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub detail: Option<String>,
}

/// A consent in a list.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ConsentLineView {
    /// The consent.
    pub id: ConsentId,
    /// Its kind, such as `account access`.
    pub kind: String,
    /// Its status at the bank.
    pub status: String,
    /// When it was created (bank clock, RFC 3339).
    pub created_at: String,
    /// The client.
    pub client_id: ClientId,
    /// The name of the client's software.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub software_name: Option<String>,
    /// Whether its access can be ended now.
    pub is_revocable: bool,
}

/// An order in a list.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct OrderLineView {
    /// The order.
    pub id: OrderId,
    /// Its status in v3.1.
    pub status: String,
    /// Its amount with the currency; absent for a file.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub amount: Option<String>,
    /// When it was created (bank clock, RFC 3339).
    pub created_at: String,
}

/// What a customer has agreed to.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct CustomerView {
    /// The customer.
    pub id: PsuId,
    /// The consents that the customer authorised, newest first; at most 50.
    pub consents: Vec<ConsentLineView>,
    /// The orders under them, newest first; at most 50.
    pub orders: Vec<OrderLineView>,
}

/// The consents of a customer whose access was ended.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct CustomerRevokedView {
    /// The consents.
    pub revoked: Vec<ConsentId>,
    /// Whether consents are left that give access, because one call ends a limited number.
    pub more: bool,
}
