//! Resolves a search text to the records that it names.

use super::RECORDS_MAX;
use lombard_domain::client::Client;
use lombard_domain::ids::{ClientId, ConsentId, EventId, FapiInteractionId, OrderId, PsuId};
use lombard_ports::store::{ServerTransaction, Store, StoreError};

/// The most characters of a search text.
pub const SEARCH_CHARS_MAX: usize = 256;

/// A record that a search text names.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SupportMatch {
    /// The record.
    pub subject: SupportSubject,
    /// The property of the record that the text is.
    pub by: MatchedBy,
}

/// A record by which staff begin a case.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SupportSubject {
    /// An order.
    Order(OrderId),
    /// A consent.
    Consent(ConsentId),
    /// A customer who has authorised a consent.
    Customer(PsuId),
    /// A registered client.
    Client(ClientId),
}

/// The property by which a record was found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MatchedBy {
    /// Its own id.
    Id,
    /// The name of a client's software or organisation, or the id of its software.
    Name,
    /// The `EndToEndIdentification` of its payment.
    EndToEndId,
    /// The account of its payee.
    PayeeAccount,
    /// The interaction id of the request that created it.
    InteractionId,
    /// The id of an event about it, or in its queue.
    EventId,
}

/// Finds the records that a text names: an order, a consent, a customer, a client or an event by its id, a client by its name, and orders
/// by end-to-end id, by the payee's account, or by the interaction id of the request that created them. Spaces around the text do not
/// count. At most [`RECORDS_MAX`] orders are found by each property, the newest.
///
/// # Errors
/// [`StoreError`].
pub async fn find_support_matches(store: &Store, text: &str) -> Result<Vec<SupportMatch>, StoreError> {
    let text = text.trim().to_owned();
    // No stored value is longer or has a NUL.
    if text.is_empty() || text.contains('\0') || text.chars().count() > SEARCH_CHARS_MAX {
        return Ok(Vec::new());
    }
    store.read(move |tx| find_matches(tx, &text)).await
}

fn find_matches(tx: &mut dyn ServerTransaction, text: &str) -> Result<Vec<SupportMatch>, StoreError> {
    let mut found = Found(Vec::new());
    let (order, _) = OrderId::from(text).order_and_line();
    found.orders(tx.orders_existing(&[order])?, MatchedBy::Id);
    if exists(tx.consent_any_owner(&text.into()))? {
        found.add(SupportSubject::Consent(text.into()), MatchedBy::Id);
    }
    let customer = PsuId::from(text);
    if !tx.consents_of_psu(&customer, 1)?.is_empty() || !tx.orders_of_psu(&customer, 1)?.is_empty() {
        found.add(SupportSubject::Customer(customer), MatchedBy::Id);
    }
    for Client { id, .. } in tx.clients_named(text, RECORDS_MAX)? {
        let by = if id.as_str() == text { MatchedBy::Id } else { MatchedBy::Name };
        found.add(SupportSubject::Client(id), by);
    }
    found.orders(tx.orders_of_end_to_end_id(text, RECORDS_MAX)?, MatchedBy::EndToEndId);
    found.orders(tx.orders_to_account(text, RECORDS_MAX)?, MatchedBy::PayeeAccount);
    let account = account_without_spaces(text);
    if account != text {
        found.orders(tx.orders_to_account(&account, RECORDS_MAX)?, MatchedBy::PayeeAccount);
    }
    found.orders(tx.orders_of_interaction(&FapiInteractionId::from(text), RECORDS_MAX)?, MatchedBy::InteractionId);
    if let Some(subject) = subject_of_event(tx, &text.into())? {
        found.add(subject, MatchedBy::EventId);
    }
    Ok(found.0)
}

/// The matches so far, each record once.
struct Found(Vec<SupportMatch>);

impl Found {
    fn add(&mut self, subject: SupportSubject, by: MatchedBy) {
        if !self.0.iter().any(|known| known.subject == subject) {
            self.0.push(SupportMatch { subject, by });
        }
    }

    fn orders(&mut self, ids: Vec<OrderId>, by: MatchedBy) {
        for id in ids {
            self.add(SupportSubject::Order(id), by);
        }
    }
}

/// Whether a lookup found a row, also one that cannot be read.
fn exists<T>(found: Result<Option<T>, StoreError>) -> Result<bool, StoreError> {
    match found {
        Ok(found) => Ok(found.is_some()),
        Err(StoreError::Corrupt { .. }) => Ok(true),
        Err(error) => Err(error),
    }
}

/// The identification of an account in the form of the standard: without the spaces and hyphens with which people write it, in capitals.
fn account_without_spaces(text: &str) -> String {
    let kept = text.chars().filter(|it| !it.is_whitespace() && *it != '-');
    kept.flat_map(char::to_uppercase).collect()
}

/// The record that an event is about; the client, if the event is acknowledged and its content is no longer stored.
fn subject_of_event(tx: &mut dyn ServerTransaction, id: &EventId) -> Result<Option<SupportSubject>, StoreError> {
    let Some(owner) = tx.event_owners(std::slice::from_ref(id))?.pop() else { return Ok(None) };
    let Some(found) = tx.event_of_client(&owner.client, id)? else {
        return Ok(Some(SupportSubject::Client(owner.client)));
    };
    let resource = found.event.claims.resource_id;
    if !tx.orders_existing(&[resource.as_str().into()])?.is_empty() {
        return Ok(Some(SupportSubject::Order(resource.into())));
    }
    let is_consent = exists(tx.consent_any_owner(&resource.as_str().into()))?;
    Ok(Some(if is_consent { SupportSubject::Consent(resource.into()) } else { SupportSubject::Client(owner.client) }))
}

/// The record of one kind that a text names.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum NamedRecord<T> {
    /// None has such an id.
    Absent,
    /// One.
    One(T),
    /// Several: two or more of them.
    Several(Vec<T>),
}

impl<T: PartialEq> NamedRecord<T> {
    fn among(ids: impl IntoIterator<Item = T>) -> Self {
        let mut distinct = Vec::new();
        for id in ids {
            if !distinct.contains(&id) {
                distinct.push(id);
            }
        }
        match (distinct.pop(), distinct.is_empty()) {
            (None, _) => Self::Absent,
            (Some(one), true) => Self::One(one),
            (Some(last), false) => {
                distinct.push(last);
                Self::Several(distinct)
            }
        }
    }
}

/// The order that a text names: by its own id, or by any property of [`MatchedBy`].
///
/// # Errors
/// [`StoreError`].
pub async fn find_order_named(store: &Store, text: &str) -> Result<NamedRecord<OrderId>, StoreError> {
    let matches = find_support_matches(store, text).await?;
    Ok(NamedRecord::among(matches.into_iter().filter_map(|it| match it.subject {
        SupportSubject::Order(id) => Some(id),
        SupportSubject::Consent(_) | SupportSubject::Customer(_) | SupportSubject::Client(_) => None,
    })))
}

/// The consent that a text names: by its own id, by an event about it, or by what names one of its orders.
///
/// # Errors
/// [`StoreError`].
pub async fn find_consent_named(store: &Store, text: &str) -> Result<NamedRecord<ConsentId>, StoreError> {
    let matches = find_support_matches(store, text).await?;
    let find = move |tx: &mut dyn ServerTransaction| {
        let mut consents = Vec::new();
        for found in &matches {
            match &found.subject {
                SupportSubject::Consent(id) => consents.push(id.clone()),
                SupportSubject::Order(id) => consents.extend(tx.order_for_update(id)?.map(|order| order.consent)),
                SupportSubject::Customer(_) | SupportSubject::Client(_) => {}
            }
        }
        Ok::<_, StoreError>(NamedRecord::among(consents))
    };
    store.read(find).await
}
