use super::forms::{ClockMoveForm, CustomerViewForm, OutcomeForm, RefusalForm};
use http::StatusCode;
use jiff::{SignedDuration, Timestamp};
use lombard_domain::account::{AccountIdentification, AccountScheme, AccountStatus, AccountSubType, AccountType};
use lombard_domain::money::{Amount, Currency, SignedAmount};
use lombard_domain::order::RejectionReason;
use lombard_ports::controls::{AccountView, ClockMove, ControlError, CustomerView, OrderOutcome};

fn again<T: serde::Serialize + serde::de::DeserializeOwned>(form: &T) -> T {
    serde_json::from_str(&serde_json::to_string(form).unwrap()).unwrap()
}

#[test]
fn a_customer_is_read_as_it_was_written() {
    let account = AccountView {
        id: "a".into(),
        status: AccountStatus::Enabled,
        account_type: AccountType::Personal,
        sub_type: AccountSubType::CreditCard,
        description: None,
        nickname: Some("Card".to_owned()),
        identifications: vec![AccountIdentification {
            scheme: AccountScheme::Pan,
            number: "4444333322221111".into(),
            name: Some("A".into()),
            secondary: None,
            proxy: None,
        }],
        currency: Currency::GBP,
        shareable: true,
        booked: SignedAmount::from_minor(-150, Currency::GBP),
        pending: SignedAmount::from_minor(1, Currency::GBP),
        credit_limit: Amount::from_minor(200_000, Currency::GBP),
        authorisers: 2,
    };
    let customer = CustomerView {
        psu: "amelia".into(),
        login: "amelia".to_owned(),
        name: "Amelia".to_owned(),
        about: "Has a card.".to_owned(),
        accounts: vec![account],
    };
    let read = again(&CustomerViewForm::from(customer.clone())).read().unwrap();
    assert_eq!(read, customer);
}

#[test]
fn every_move_of_the_clock_and_every_outcome_is_read_as_it_was_written() {
    for to in [
        ClockMove::By(SignedDuration::MAX),
        ClockMove::By(SignedDuration::MIN),
        ClockMove::By(SignedDuration::new(-3, -5)),
        ClockMove::To(Timestamp::MAX),
        ClockMove::To(Timestamp::MIN),
    ] {
        assert_eq!(again(&ClockMoveForm::from(to)).read(), Some(to));
    }
    for outcome in [
        OrderOutcome::Settled,
        OrderOutcome::Credited,
        OrderOutcome::WithoutPosting,
        OrderOutcome::Rejected(RejectionReason::SuspectedFraud),
        OrderOutcome::Cancelled,
    ] {
        assert_eq!(OrderOutcome::from(again(&OutcomeForm::from(outcome))), outcome);
    }
}

#[test]
fn a_refusal_keeps_its_kind_and_its_sentence() {
    let refusal = |status| RefusalForm { error: "why".to_owned(), faults: Vec::new() }.into_error(status);
    assert!(matches!(refusal(StatusCode::BAD_REQUEST), ControlError::Refused(text) if text == "why"));
    assert!(matches!(refusal(StatusCode::NOT_FOUND), ControlError::NotFound(text) if text == "why"));
    assert!(matches!(refusal(StatusCode::CONFLICT), ControlError::Conflict(text) if text == "why"));
    assert!(matches!(refusal(StatusCode::SERVICE_UNAVAILABLE), ControlError::Unavailable(_)));
    assert!(matches!(refusal(StatusCode::UNAUTHORIZED), ControlError::Broken(_)));
}
