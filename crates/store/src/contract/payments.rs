//! Payment consents of every kind, and their orders.

use super::samples::{at, client, consent, read, selected, write};
use super::samples_of_instructions::{domestic, instructions, quotes, recurring_payment};
use super::samples_of_payments::{full_conditions, full_terms, payment_consent, plain_terms, source, uploaded_files};
use lombard_domain::consent::{Consent, ConsentDraft, ConsentRequest, FundsConfirmationTerms};
use lombard_domain::ids::{ConsentId, OrderId};
use lombard_domain::payment::PaymentProduct;
use lombard_domain::payment::file::UploadedFile;
use lombard_domain::payment::order::{Order, PaymentConsentRequest, RejectionReason};
use lombard_domain::payment::transfer::PaymentConditions;
use lombard_domain::payment::vrp::VrpUsage;
use lombard_domain::submitted::Submitted;
use lombard_domain::version::Version;
use lombard_ports::store::Store;
use std::collections::BTreeMap;

/// Payment consents and their orders read back unchanged: every form of an instruction, with all optional members and with
/// none.
pub(super) async fn payments_survive_storage(store: Store) {
    let all = instructions().into_iter().map(plain_terms).chain([full_terms()]);
    for ((number, terms), (quote, file)) in (0..).zip(all).zip(quotes().into_iter().zip(uploaded_files()).cycle()) {
        let conditions = PaymentConditions { quote: Some(quote), ..full_conditions() };
        let consent = agreed(&store, number, terms, file, conditions.clone()).await;
        let mut made = ordered(&consent, &format!("o{number}").as_str().into());
        let first = made.clone();
        write(&store, move |tx| tx.order_insert(&first)).await;
        assert_eq!(found(&store, &made.id).await.as_ref(), Some(&made));

        if let Some(progress) = &mut made.progress {
            progress.submitted += 1;
            progress.record_decision(false);
        }
        made.conditions = PaymentConditions { quote: None, ..conditions };
        let moved = made.reject(RejectionReason::InsufficientFunds, at(60));
        assert!(moved.is_ok(), "{moved:?}");
        let second = made.clone();
        write(&store, move |tx| tx.order_update(&second)).await;
        assert_eq!(found(&store, &made.id).await, Some(made));
    }
}

/// Stores a consent, adds its file if it requires one, and authorises it.
async fn agreed(
    store: &Store,
    number: u32,
    terms: PaymentConsentRequest,
    file: UploadedFile,
    conditions: PaymentConditions,
) -> Consent {
    let mut consent = payment_consent(&format!("c{number}"), "t", terms);
    let first = consent.clone();
    write(store, move |tx| tx.consent_insert(&first)).await;
    assert_eq!(stored(store, &consent.id).await.as_ref(), Some(&consent));
    if consent.may_attach_file().is_ok() {
        consent.attach_file(file, at(6)).unwrap();
        updated(store, &consent).await;
    }
    let (b, x) = (format!("b{number}"), format!("x{number}"));
    consent.authorise_payment(&"amelia".into(), selected(&b, &x), source(1), conditions, at(6)).unwrap();
    updated(store, &consent).await;
    consent
}

async fn updated(store: &Store, consent: &Consent) {
    let second = consent.clone();
    // The second update changes nothing, which must not be reported as contention.
    write(store, move |tx| {
        tx.consent_update(&second)?;
        tx.consent_update(&second)
    })
    .await;
    assert_eq!(stored(store, &consent.id).await.as_ref(), Some(consent));
}

/// Builds the order of a consent: the one that consumes it, or a VRP order with its own request.
fn ordered(consent: &Consent, id: &OrderId) -> Order {
    let order = if consent.request.kind().is_long_lived() {
        let (order, _) =
            consent.accept_vrp_order(id.clone(), &recurring_payment(), &VrpUsage::default(), at(50)).unwrap();
        let json = String::from(r#"{"Data":{"Ünïcode":"\u0041"}}"#);
        Order { submitted: Some(Submitted { version: Version::V3_1, json }), ..order }
    } else {
        consent.clone().consume(id.clone(), at(50)).unwrap()
    };
    Order { customer_address: Some([203, 0, 113, 7].into()), ..order }
}

async fn stored(store: &Store, id: &ConsentId) -> Option<Consent> {
    let id = id.clone();
    read(store, move |tx| tx.consent_any_owner(&id)).await
}

async fn found(store: &Store, id: &OrderId) -> Option<Order> {
    let id = id.clone();
    read(store, move |tx| tx.order_for_update(&id)).await
}

async fn undecided(store: &Store, second: i64, limit: u32) -> Vec<ConsentId> {
    read(store, move |tx| tx.payment_consents_undecided(at(second), limit)).await
}

/// Undecided consents are found oldest first; decided ones are not. Source: PIS-027.
pub(super) async fn payment_consents_are_found_while_undecided(store: Store) {
    write(&store, |tx| {
        for (id, second) in [("c2", 6), ("c1", 5), ("agreed", 5), ("refused", 5), ("deleted", 5), ("late", 9)] {
            let terms = plain_terms(domestic().swap_remove(0));
            tx.consent_insert(&Consent { created_at: at(second), ..payment_consent(id, "t", terms) })?;
        }
        for id in ["agreed", "refused", "deleted"] {
            let mut it = tx.consent_any_owner(&id.into())?.unwrap();
            match id {
                "agreed" => it
                    .authorise_payment(&"amelia".into(), selected("b", "x"), source(1), full_conditions(), at(6))
                    .unwrap(),
                "refused" => assert!(it.reject(at(6))),
                _ => it.delete(at(6)),
            }
            tx.consent_update(&it)?;
        }
        Ok(())
    })
    .await;
    assert_eq!(undecided(&store, 4, 9).await, []);
    assert_eq!(undecided(&store, 5, 9).await, ["c1".into()], "the bound belongs to it");
    assert_eq!(undecided(&store, 8, 9).await, ["c1".into(), "c2".into()]);
    assert_eq!(undecided(&store, 99, 1).await, ["c1".into()]);
}

/// Payment consents of every product are found, also before their file is uploaded; account-access and funds-confirmation
/// consents are not. Source: PIS-027, FILE-009.
pub(super) async fn every_payment_consent_is_found_while_undecided(store: Store) {
    let one_each: BTreeMap<PaymentProduct, PaymentConsentRequest> =
        instructions().into_iter().map(|it| (it.product(), plain_terms(it))).collect();
    assert_eq!(one_each.len(), PaymentProduct::ALL.len());
    let expected: Vec<ConsentId> = (0..one_each.len()).map(|number| format!("c{number}").into()).collect();
    write(&store, move |tx| {
        tx.client_insert(&client("t"))?;
        tx.consent_insert(&consent("accounts", "t"))?;
        let account = source(1).account.clone();
        let funds = ConsentDraft {
            request: ConsentRequest::FundsConfirmation(FundsConfirmationTerms { account: (*account).clone() }),
            expires_at: None,
            submitted: Submitted { version: Version::V3_1, json: "{}".to_owned() },
        };
        tx.consent_insert(&funds.into_consent("funds".into(), "t".into(), at(5)))?;
        for (number, terms) in one_each.values().enumerate() {
            tx.consent_insert(&payment_consent(&format!("c{number}"), "t", terms.clone()))?;
        }
        Ok(())
    })
    .await;
    assert_eq!(undecided(&store, 99, 99).await, expected);

    let id = &expected[PaymentProduct::ALL.iter().position(|it| it.requires_file()).unwrap()];
    let mut waiting = stored(&store, id).await.unwrap();
    waiting.attach_file(uploaded_files()[0].clone(), at(6)).unwrap();
    updated(&store, &waiting).await;
    assert_eq!(undecided(&store, 99, 99).await, expected, "the file has come, the customer has not");
    assert!(waiting.reject(at(7)));
    updated(&store, &waiting).await;
    assert_eq!(undecided(&store, 99, 99).await.len(), expected.len() - 1);
}
