//! What goes in comes out.

use super::samples::{
    at, bank_account, client, code, consent, digest, full_entry, grant, interaction, read, selected, signing_key,
    token, write,
};
use super::samples_of_banking::party;
use lombard_domain::client::Jwks;
use lombard_domain::consent::RevokedBy;
use lombard_domain::grant::{Epochs, InteractionStage, TokenKind, TokenState};
use lombard_domain::money::Currency;
use lombard_domain::page::Window;
use lombard_ports::bank::EntryFilter;
use lombard_ports::store::{Customer, Owned, Store, StoreError};

/// Every aggregate survives storage, at first and after an update, to the microsecond.
pub async fn what_is_stored_is_what_is_read(store: Store) {
    clients_and_consents(&store).await;
    grants_and_journeys(&store).await;
    keys_and_settings(&store).await;
    the_bank(&store).await;
}

async fn clients_and_consents(store: &Store) {
    let mut tpp = client("t");
    let mut asked = consent("c", "t");
    let (first_tpp, first_asked) = (tpp.clone(), asked.clone());
    write(store, move |tx| {
        tx.client_insert(&first_tpp)?;
        tx.consent_insert(&first_asked)
    })
    .await;
    assert_eq!(read(store, |tx| tx.client(&"t".into())).await, Some(tpp.clone()));
    assert_eq!(read(store, |tx| tx.consent(&"t".into(), &"c".into())).await, Owned::Mine(asked.clone()));

    tpp.redirect_uris.pop();
    tpp.headless = None;
    tpp.jwks = Jwks::Remote { url: String::from("https://keystore.example/acme.jwks") };
    tpp.epoch += 1;
    asked.authorise(&"amelia".into(), vec![selected("b2", "y"), selected("b1", "x")], at(6)).unwrap();
    assert!(asked.revoke(RevokedBy::Bank, at(7)));
    let (second_tpp, second_asked) = (tpp.clone(), asked.clone());
    write(store, move |tx| {
        tx.client_update(&second_tpp)?;
        tx.consent_update(&second_asked)
    })
    .await;
    assert_eq!(read(store, |tx| tx.client_ids()).await, vec![tpp.id.clone()]);
    assert_eq!(read(store, |tx| tx.clients()).await, vec![tpp]);
    assert_eq!(read(store, |tx| tx.consent_any_owner(&"c".into())).await, Some(asked));
    assert_eq!(read(store, |tx| tx.client(&"nobody".into())).await, None);
}

async fn grants_and_journeys(store: &Store) {
    let (alone, given) = (grant("g-alone", "t", None), grant("g", "t", Some("c")));
    let (token, code) = (token(1, "g", TokenKind::Refresh, None), code(2, "g"));
    let mut journey = interaction("i", "c");
    let rows = (alone.clone(), given.clone(), token.clone(), code.clone(), journey.clone());
    write(store, move |tx| {
        tx.grant_insert(&rows.0)?;
        tx.grant_insert(&rows.1)?;
        tx.token_insert(&rows.2)?;
        tx.code_insert(&rows.3)?;
        tx.interaction_insert(&rows.4)
    })
    .await;
    assert_eq!(read(store, |tx| tx.grant(&"g-alone".into())).await, Some(alone));
    let epochs = Epochs { client: 1, grant: 0, consent: 2 };
    let state = TokenState { token, grant: given, epochs };
    assert_eq!(read(store, |tx| tx.token_state(&digest(1))).await, Some(state));
    assert_eq!(read(store, |tx| tx.code_for_update(&digest(2))).await, Some(code));
    assert_eq!(read(store, |tx| tx.token_state(&digest(9))).await, None);

    journey.stage = InteractionStage::Decision;
    journey.failures = 2;
    journey.psu = None;
    let second = journey.clone();
    write(store, move |tx| tx.interaction_update(&second)).await;
    assert_eq!(read(store, |tx| tx.interaction_for_update(&"i".into())).await, Some(journey));
    write(store, |tx| tx.interactions_finish_of_consent(&"c".into(), None)).await;
    let finished = read(store, |tx| tx.interaction_for_update(&"i".into())).await.unwrap();
    assert_eq!(finished.stage, InteractionStage::Finished);
}

async fn keys_and_settings(store: &Store) {
    let (old, mut new) = (signing_key("z-old", 1), signing_key("a-new", 2));
    let rows = (new.clone(), old.clone());
    write(store, move |tx| {
        tx.key_insert(&rows.0)?;
        tx.key_insert(&rows.1)
    })
    .await;
    new.retired_at = Some(at(9));
    let update = new.clone();
    write(store, move |tx| tx.key_update(&update)).await;
    assert_eq!(read(store, |tx| tx.keys()).await, vec![old, new.clone()], "oldest first");
    write(store, |tx| tx.key_remove(&"z-old".into())).await;
    assert_eq!(read(store, |tx| tx.keys()).await, vec![new]);

    assert_eq!(read(store, |tx| tx.setting("seed")).await, None);
    for value in ["1", "2"] {
        write(store, move |tx| tx.setting_put("seed", value)).await;
        assert_eq!(read(store, |tx| tx.setting("seed")).await.as_deref(), Some(value));
    }
}

async fn the_bank(store: &Store) {
    let customer = |psu: &str| Customer {
        psu: psu.into(),
        name: String::from("Amelia"),
        about: String::from("One account."),
        party: Some(party("p-1")),
    };
    let people = vec![customer("amelia"), customer("bashir")];
    let mut account = bank_account("b1", Currency::GBP);
    let entry = full_entry("e", "b1");
    let rows = (people.clone(), account.clone(), entry.clone());
    write(store, move |tx| {
        tx.customers_insert(&rows.0)?;
        tx.bank_account_insert(&rows.1)?;
        tx.entries_insert(std::slice::from_ref(&rows.2))
    })
    .await;
    assert_eq!(read(store, |tx| tx.customers()).await, people);
    assert_eq!(read(store, |tx| tx.customer(&"nobody".into())).await, None);
    assert_eq!(read(store, |tx| tx.bank_accounts_of(&"bashir".into())).await, vec![account.clone()]);

    account.holders.pop();
    account.eligible = false;
    account.account.nickname = None;
    let second = account.clone();
    write(store, move |tx| tx.bank_account_update(&second)).await;
    assert_eq!(read(store, |tx| tx.bank_accounts(&["b1".into(), "none".into()])).await, vec![account]);
    assert_eq!(read(store, |tx| tx.bank_accounts_of(&"bashir".into())).await, vec![]);

    let filter = EntryFilter::of(vec!["b1".into()]);
    let page = read(store, move |tx| tx.entries(&filter, &Window::first(5))).await;
    assert_eq!(page.items, vec![entry]);
}

/// A taken id is [`StoreError::Duplicate`] with its table, and the transaction leaves nothing.
pub async fn a_duplicate_is_told_by_its_table(store: Store) {
    write(&store, |tx| tx.client_insert(&client("t"))).await;
    let outcome: Result<(), StoreError> = store
        .write(|tx| {
            tx.setting_put("before", "x")?;
            tx.client_insert(&client("t"))
        })
        .await;
    assert!(matches!(outcome, Err(StoreError::Duplicate("clients"))), "{outcome:?}");
    assert_eq!(read(&store, |tx| tx.setting("before")).await, None);
}
