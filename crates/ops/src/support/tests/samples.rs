//! Samples of searches, stories and customers, as operations return them.

use crate::support::{
    ConsentLineView, CustomerView, FactView, OrderLineView, RequestLineView, SearchMatchView, SearchView,
    StoryEntryView, StoryKind, StoryParty, StorySubject, StoryTppView, StoryView,
};

/// A search with a match of every kind, and a recorded request.
pub(crate) fn search() -> SearchView {
    let matches = [("order", "o-1"), ("consent", "c-1"), ("customer", "amelia"), ("tpp", "t-1")];
    let found = |(kind, id): (&str, &str)| SearchMatchView {
        kind: kind.to_owned(),
        id: id.to_owned(),
        by: "end-to-end-id".to_owned(),
    };
    let request = RequestLineView {
        at: "2026-03-02T10:00:00Z".to_owned(),
        method: "POST".to_owned(),
        path: "/open-banking/v4.0/pisp/domestic-payments".to_owned(),
        status: 400,
        interaction_id: "7b8e0e2c-0c0b-4e5a-8d8e-0d6a4a3b0f11".to_owned(),
        client_id: Some("t-1".to_owned()),
        refusal: Some("PIS-040: the consent is consumed".to_owned()),
        consent_id: Some("c-1".into()),
    };
    SearchView { matches: matches.map(found).into(), requests: vec![request] }
}

/// A story with an entry of every kind.
pub(crate) fn story(subject: StorySubject) -> StoryView {
    use StoryParty::{Core, Customer, Server, Tpp};
    let entry = |minute: u32, kind, from, to, title: &str| StoryEntryView {
        at: format!("2026-03-02T10:{minute:02}:00.5Z"),
        kind,
        from,
        to,
        title: title.to_owned(),
        detail: Some(format!("detail of {title}")),
    };
    let entries = vec![
        entry(0, StoryKind::Request, Tpp, Server, "POST /domestic-payment-consents: 201"),
        entry(0, StoryKind::Consent, Tpp, Server, "Consent created"),
        entry(1, StoryKind::Consent, Customer, Server, "Consent authorised"),
        entry(1, StoryKind::Event, Server, Tpp, "Event resource-update"),
        entry(2, StoryKind::Refusal, Tpp, Server, "POST /domestic-payments: 400"),
        entry(3, StoryKind::Order, Tpp, Server, "Order created: Pending"),
        entry(3, StoryKind::Core, Server, Core, "Submission to the core is not finished"),
        entry(4, StoryKind::Payment, Core, Server, "Payment 1: Pending"),
        entry(5, StoryKind::Consent, Server, Server, "Consent: Expired"),
    ];
    StoryView {
        subject,
        id: "o-1".to_owned(),
        status: "Pending".to_owned(),
        tpp: StoryTppView {
            client_id: "t-1".into(),
            software_name: Some("Acme <Pay>".to_owned()),
            status: Some("active".to_owned()),
        },
        customer: Some("amelia".into()),
        consent_id: "c-1".into(),
        orders: vec![order()],
        is_revocable: true,
        facts: vec![FactView { name: "Amount".to_owned(), value: "10.00 GBP".to_owned() }],
        entries,
        requests_recorded: true,
    }
}

/// A customer with a consent that gives access, and one order.
pub(crate) fn customer() -> CustomerView {
    let consent = ConsentLineView {
        id: "c-1".into(),
        kind: "account access".to_owned(),
        status: "Authorised".to_owned(),
        created_at: "2026-03-02T10:00:00Z".to_owned(),
        client_id: "t-1".into(),
        software_name: Some("Acme <Pay>".to_owned()),
        is_revocable: true,
    };
    CustomerView { id: "amelia".into(), consents: vec![consent], orders: vec![order()] }
}

fn order() -> OrderLineView {
    OrderLineView {
        id: "o-1".into(),
        status: "Pending".to_owned(),
        amount: Some("10.00 GBP".to_owned()),
        created_at: "2026-03-02T10:03:00Z".to_owned(),
    }
}
