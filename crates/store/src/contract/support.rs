//! The searches of staff.

use super::samples::{at, client, consent, read, write};
use super::samples_of_instructions::instructions;
use super::samples_of_payments::{order, payment_consent, plain_terms};
use lombard_domain::consent::Consent;
use lombard_domain::ids::{FapiInteractionId, OrderId};
use lombard_domain::job::Job;
use lombard_domain::payment::order::{Instruction, Order};
use lombard_ports::store::Store;

/// Characters that JSON escapes, and one that is not ASCII.
const END_TO_END: &str = "E2E-\"7\"\\é";
const PAYEE: &str = "GB33BUKB20201555555555";
const CAUSE: &str = "7b8e0e2c-0c0b-4e5a-8d8e-0d6a4a3b0f11";

/// The instruction with these references; unchanged for a file.
fn with_references(instruction: &Instruction) -> Instruction {
    let mut document = serde_json::to_value(instruction).unwrap();
    for path in ["/domestic/credit", "/international/payment/credit"] {
        if let Some(credit) = document.pointer_mut(path) {
            credit["end_to_end"] = END_TO_END.into();
            credit["creditor"]["number"] = PAYEE.into();
        }
    }
    serde_json::from_value(document).unwrap()
}

/// Orders of every form are found by end-to-end id, by payee and by the request that made them, newest first; others are not.
pub(super) async fn orders_are_found_by_their_references(store: Store) {
    let forms: Vec<_> = instructions().into_iter().filter(|it| it.vrp().is_none()).collect();
    let paying = forms.iter().filter(|it| it.transfer().is_some()).count();
    assert!(paying > 5 && forms.len() > paying);
    write(&store, move |tx| {
        tx.client_insert(&client("t"))?;
        for (number, form) in (0..).zip(&forms) {
            let terms = plain_terms(with_references(form));
            let (id, other) = (format!("o-{number:02}"), format!("x-{number:02}"));
            tx.consent_insert(&payment_consent(&id, "t", terms.clone()))?;
            let found = order(&id, &id, "b", 1, &terms);
            tx.order_insert(&Order { created_at: at(number), interaction_id: Some(CAUSE.into()), ..found })?;
            let terms = plain_terms(form.clone());
            tx.consent_insert(&payment_consent(&other, "t", terms.clone()))?;
            tx.order_insert(&order(&other, &other, "b", 1, &terms))?;
        }
        Ok(())
    })
    .await;
    let is_newest_first = |ids: &[OrderId]| {
        ids.iter().all(|id| id.as_str().starts_with("o-")) && ids.is_sorted_by(|one, next| one > next)
    };
    let by_end_to_end = read(&store, |tx| tx.orders_of_end_to_end_id(END_TO_END, 99)).await;
    assert!(by_end_to_end.len() == paying && is_newest_first(&by_end_to_end), "{by_end_to_end:?}");
    assert_eq!(read(&store, |tx| tx.orders_to_account(PAYEE, 99)).await, by_end_to_end);
    let of_cause = read(&store, |tx| tx.orders_of_interaction(&FapiInteractionId::from(CAUSE), 99)).await;
    assert!(of_cause.len() > paying && is_newest_first(&of_cause), "{of_cause:?}");
    assert_eq!(read(&store, |tx| tx.orders_of_end_to_end_id(END_TO_END, 2)).await, by_end_to_end[..2]);
    for absent in ["", "E2E-", "\"", "end_to_end"] {
        assert_eq!(read(&store, move |tx| tx.orders_of_end_to_end_id(absent, 9)).await, []);
        assert_eq!(read(&store, move |tx| tx.orders_to_account(absent, 9)).await, []);
    }
}

/// The consents of a customer are found in every state, newest first.
pub(super) async fn consents_are_found_by_their_customer(store: Store) {
    write(&store, |tx| {
        tx.client_insert(&client("t"))?;
        for (id, second, psu) in [("a", 1, "amelia"), ("b", 2, "bashir"), ("c", 3, "amelia")] {
            let made = consent(id, "t");
            tx.consent_insert(&Consent { created_at: at(second), psu: Some(psu.into()), ..made })?;
        }
        let mut deleted = Consent { created_at: at(4), psu: Some("amelia".into()), ..consent("d", "t") };
        deleted.delete(at(5));
        tx.consent_insert(&deleted)?;
        tx.consent_insert(&consent("e", "t"))
    })
    .await;
    let of = async |psu: &'static str, limit| read(&store, move |tx| tx.consents_of_psu(&psu.into(), limit)).await;
    assert_eq!(of("amelia", 9).await, ["d".into(), "c".into(), "a".into()]);
    assert_eq!(of("amelia", 2).await, ["d".into(), "c".into()]);
    assert_eq!(of("nobody", 9).await, []);
}

/// A job is found by its id, with its attempts, until it is finished.
pub(super) async fn a_job_is_found_until_it_is_finished(store: Store) {
    write(&store, |tx| tx.job_enqueue(&Job::new("o".into(), "order", "o", at(1)))).await;
    write(&store, |tx| tx.jobs_claim("order", at(2), at(3), 1).map(drop)).await;
    let found = read(&store, |tx| tx.job(&"o".into())).await;
    assert_eq!(found, Some(Job { attempts: 1, ..Job::new("o".into(), "order", "o", at(1)) }));
    write(&store, |tx| tx.job_complete(&"o".into())).await;
    assert_eq!(read(&store, |tx| tx.job(&"o".into())).await, None);
}
