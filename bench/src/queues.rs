//! Inserts queued events and polling TPPs in a stopped server's database, through the storage port.

use crate::result::BenchResult;
use crate::robot::random_ids;
use indicatif::ProgressBar;
use jiff::{SignedDuration, Timestamp};
use lombard_domain::client::Client;
use lombard_domain::event::{ChangeKind, Event, EventResource, ResourceAddresses, ResourceChange, ResourceType};
use lombard_domain::grant::{Digest, Grant, GrantSubject, Token, TokenKind};
use lombard_domain::ids::{ClientId, EventId, FapiInteractionId};
use lombard_domain::scope::{Scope, Scopes};
use lombard_domain::version::Version;
use lombard_ports::clock::Clocks;
use lombard_ports::entropy::IdGenerator;
use lombard_ports::store::{ServerTransaction, Store, StoreError};

/// The number of rows in a transaction.
const BATCH: u32 = 5_000;

/// The lifetime of the tokens of [`tpps`].
const TOKEN_LIFE: SignedDuration = SignedDuration::from_hours(1);

/// Inserts this many events in the queue of a client.
pub(crate) async fn events(store: &Store, client: &ClientId, count: u32) -> BenchResult<()> {
    let ids = random_ids();
    let places = ResourceAddresses {
        readable: vec![(ResourceType::AccountAccessConsent, Version::V3_1)],
        ..ResourceAddresses::new("https://bank.example", "https://bank.example/open-banking")
    };
    let now = Clocks::system().wall_now();
    let progress = ProgressBar::new(u64::from(count)).with_message("events");
    for first in (0..count).step_by(usize::try_from(BATCH)?) {
        let numbers = first..count.min(first.saturating_add(BATCH));
        progress.inc(u64::from(numbers.end.saturating_sub(numbers.start)));
        let made: Option<Vec<Event>> = numbers.map(|_| event(&places, &ids, client, now)).collect();
        let made = made.ok_or("nobody is told of an authorised consent")?;
        store.write(move |tx| tx.events_append(&made)).await.map_err(|error: StoreError| error)?;
    }
    progress.finish_and_clear();
    Ok(())
}

fn event(places: &ResourceAddresses, ids: &IdGenerator, client: &ClientId, now: Timestamp) -> Option<Event> {
    let consent: String = ids.ordered();
    let resource =
        EventResource { kind: ResourceType::AccountAccessConsent, id: consent.into(), version: Version::V3_1 };
    let change =
        ResourceChange { client: client.clone(), resource, kind: ChangeKind::Authorised, interaction_id: None };
    let id: EventId = ids.ordered();
    Some(Event {
        interaction_id: FapiInteractionId::new(id.as_str()),
        id,
        client: client.clone(),
        occurred_at: now,
        recorded_at: now,
        claims: places.claims(&change)?,
        scope: Scope::Accounts,
    })
}

/// A generated TPP with its token.
#[derive(Debug, Clone)]
pub(crate) struct Poller {
    pub(crate) client: ClientId,
    pub(crate) token: String,
}

/// Registers this many TPPs with the data of an existing one. Each gets a token that is bound to the certificate with this digest.
pub(crate) async fn tpps(store: &Store, like: &ClientId, certificate: Digest, count: u32) -> BenchResult<Vec<Poller>> {
    let like = like.clone();
    let like = store.read(move |tx| tx.client(&like)).await.map_err(|error: StoreError| error)?;
    let like = like.ok_or("the TPP is not registered")?;
    let ids = random_ids();
    let now = Clocks::system().wall_now();
    let mut all = Vec::new();
    for first in (0..count).step_by(usize::try_from(BATCH)?) {
        let numbers = first..count.min(first.saturating_add(BATCH));
        let some: Vec<_> = numbers
            .map(|_| Poller {
                client: ClientId::new(ids.generate_ordered_id().simple().to_string()),
                token: ids.random_id().simple().to_string(),
            })
            .collect();
        all.extend_from_slice(&some);
        let like = like.clone();
        let insert = move |tx: &mut dyn ServerTransaction| {
            some.iter().try_for_each(|poller| poller_insert(tx, poller, &like, certificate, now))
        };
        store.write(insert).await.map_err(|error: StoreError| error)?;
    }
    Ok(all)
}

fn poller_insert(
    tx: &mut dyn ServerTransaction,
    poller: &Poller,
    like: &Client,
    certificate: Digest,
    now: Timestamp,
) -> Result<(), StoreError> {
    let scopes: Scopes = [Scope::Accounts].into_iter().collect();
    let grant = Grant {
        id: poller.client.as_str().into(),
        client: poller.client.clone(),
        subject: GrantSubject::Client,
        scopes,
        auth_time: None,
        acr: None,
        nonce: None,
        created_at: now,
        revoked_at: None,
        epoch: 0,
    };
    let token = Token {
        hash: lombard_jose::sha256(poller.token.as_bytes()),
        kind: TokenKind::Access,
        grant: grant.id.clone(),
        scopes,
        certificate,
        issued_at: now,
        expires_at: now.checked_add(TOKEN_LIFE).ok(),
        revoked_at: None,
    };
    tx.client_insert(&Client { id: poller.client.clone(), ..like.clone() })?;
    tx.grant_insert(&grant)?;
    tx.token_insert(&token)
}
