//! Puts what is known about a case on one line of time: requests, decisions, statuses, the core, payments and events.

use super::views::{
    ConsentLineView, CustomerView, FactView, OrderLineView, StoryEntryView, StoryKind, StoryParty, StorySubject,
    StoryTppView, StoryView,
};
use super::words::{consent_kind, consent_reason, consent_status, event_type_names, order_status_in_v4_0, rejection};
use jiff::{SignedDuration, Timestamp};
use lombard_domain::account::{AccountIdentification, AccountScheme};
use lombard_domain::code::StoredCode;
use lombard_domain::consent::{Consent, ConsentState, EvidencedDecision, Permission, RevokedBy};
use lombard_domain::money::Amount;
use lombard_domain::payment::order::{Instruction, Order, PaymentExecution, StatusChange};
use lombard_edge::request_log::RequestView;
use lombard_ports::clock::Clocks;
use lombard_ports::store::ClientEvent;
use lombard_service::support::{CaseOrder, CustomerRecord, SupportCase};
use lombard_wire::v3_1::payments::names;

/// Tells the story of a case. `requests` are the recorded requests about it, the newest first; `None` if the client's requests are not recorded.
pub fn tell_story(
    subject: StorySubject,
    case: &SupportCase,
    requests: Option<&[RequestView]>,
    clocks: &Clocks,
) -> StoryView {
    let (wall, bank) = clocks.wall_and_bank();
    let moved = bank.duration_since(wall);
    let consent = &case.consent;
    let only = case.orders.first().filter(|_| subject == StorySubject::Order);
    let mut told = Vec::new();
    // The acts of staff from the audit log join the story here.
    told.extend(requests.unwrap_or_default().iter().rev().filter_map(|request| of_request(request, moved)));
    told.extend(of_consent(consent, bank));
    told.extend(case.decisions.iter().map(of_decision));
    told.extend(case.orders.iter().flat_map(of_order));
    told.extend(case.events.iter().map(|event| of_event(event, moved)));
    // The sort is stable, so entries of one instant keep the sequence above: a request comes before what it caused.
    told.sort_by_key(|entry| entry.at);
    StoryView {
        subject,
        id: only.map_or_else(|| consent.id.to_string(), |it| it.order.id.to_string()),
        status: match only {
            Some(it) => names::order_status(it.order.summary_status()).to_owned(),
            None => consent_status(consent, bank).0.to_owned(),
        },
        tpp: StoryTppView {
            client_id: consent.client.clone(),
            software_name: case.client.as_ref().map(|client| client.software_name.clone()),
            status: case.client.as_ref().map(|client| client.status.name().to_owned()),
        },
        customer: consent.psu.clone(),
        consent_id: consent.id.clone(),
        orders: case.orders.iter().map(|it| order_line(&it.order)).collect(),
        is_revocable: is_revocable(consent, bank),
        facts: match only {
            Some(it) => facts_of_order(it),
            None => facts_of_consent(case),
        },
        entries: told.into_iter().map(StoryEntryView::from).collect(),
        requests_recorded: requests.is_some(),
    }
}

/// Describes what a customer has agreed to.
pub fn describe_customer(customer: &CustomerRecord, now: Timestamp) -> CustomerView {
    let line = |consent: &Consent| ConsentLineView {
        id: consent.id.clone(),
        kind: consent_kind(consent.request.kind()).to_owned(),
        status: consent_status(consent, now).0.to_owned(),
        created_at: consent.created_at.to_string(),
        client_id: consent.client.clone(),
        software_name: customer.clients.get(&consent.client).map(|client| client.software_name.clone()),
        is_revocable: is_revocable(consent, now),
    };
    CustomerView {
        id: customer.psu.clone(),
        consents: customer.consents.iter().map(line).collect(),
        orders: customer.orders.iter().map(order_line).collect(),
    }
}

/// The most characters of a path that a story shows.
const PATH_CHARS_MAX: usize = 256;

/// An entry whose time is not text yet.
struct Entry {
    at: Timestamp,
    kind: StoryKind,
    from: StoryParty,
    to: StoryParty,
    title: String,
    detail: Vec<String>,
}

impl From<Entry> for StoryEntryView {
    fn from(Entry { at, kind, from, to, title, detail }: Entry) -> Self {
        let detail = (!detail.is_empty()).then(|| detail.join("; "));
        Self { at: at.to_string(), kind, from, to, title, detail }
    }
}

impl Entry {
    fn new(at: Timestamp, kind: StoryKind, (from, to): (StoryParty, StoryParty), title: impl Into<String>) -> Self {
        Self { at, kind, from, to, title: title.into(), detail: Vec::new() }
    }

    fn with(mut self, detail: impl IntoIterator<Item = String>) -> Self {
        self.detail.extend(detail);
        self
    }
}

const FROM_TPP: (StoryParty, StoryParty) = (StoryParty::Tpp, StoryParty::Server);
const TO_TPP: (StoryParty, StoryParty) = (StoryParty::Server, StoryParty::Tpp);
const FROM_CUSTOMER: (StoryParty, StoryParty) = (StoryParty::Customer, StoryParty::Server);
const FROM_CORE: (StoryParty, StoryParty) = (StoryParty::Core, StoryParty::Server);
const TO_CORE: (StoryParty, StoryParty) = (StoryParty::Server, StoryParty::Core);
const WITHIN: (StoryParty, StoryParty) = (StoryParty::Server, StoryParty::Server);

fn of_request(request: &RequestView, moved: SignedDuration) -> Option<Entry> {
    let at = bank_time(request.at.parse().ok()?, moved);
    let kind = if request.refused_by.is_some() { StoryKind::Refusal } else { StoryKind::Request };
    let path: String = request.path.split('?').next().unwrap_or_default().chars().take(PATH_CHARS_MAX).collect();
    let title = format!("{} {path}: {}", request.method, request.status);
    let refusal = request.refused_by.as_ref().map(|rule| match &request.reason {
        Some(reason) => format!("refused by {rule}: {reason}"),
        None => format!("refused by {rule}"),
    });
    let fault = request.fault.as_ref().map(|fault| format!("fault of a tester: {fault}"));
    let interaction = format!("interaction id {}", request.interaction_id);
    Some(Entry::new(at, kind, FROM_TPP, title).with(refusal.into_iter().chain(fault).chain([interaction])))
}

fn of_consent(consent: &Consent, now: Timestamp) -> Vec<Entry> {
    let entry = |at, parties, title: &str| Entry::new(at, StoryKind::Consent, parties, title);
    let mut told = vec![entry(consent.created_at, FROM_TPP, "Consent created")];
    let factors: Vec<_> = consent.authentication_factors.iter().map(|factor| factor.code()).collect();
    let factors = (!factors.is_empty()).then(|| format!("authenticated by {}", factors.join(" and ")));
    let is_first = consent.authenticated_at == consent.authorised_at;
    if let Some(at) = consent.authorised_at {
        told.push(entry(at, FROM_CUSTOMER, "Consent authorised").with(factors.clone().filter(|_| is_first)));
    }
    if let Some(at) = consent.authenticated_at.filter(|_| !is_first) {
        told.push(entry(at, FROM_CUSTOMER, "Customer authenticated again").with(factors));
    }
    let since = consent.status_since(now);
    if since != consent.created_at && Some(since) != consent.authorised_at {
        let (status, _) = consent_status(&Consent { deleted_at: None, ..consent.clone() }, now);
        let is_by_customer = consent.state == ConsentState::Revoked(RevokedBy::Psu);
        let parties = if is_by_customer { FROM_CUSTOMER } else { WITHIN };
        let reason = consent.status_reason.map(|reason| consent_reason(reason).to_owned());
        told.push(entry(since, parties, &format!("Consent: {status}")).with(reason));
    }
    if let Some(at) = consent.deleted_at {
        told.push(entry(at, FROM_TPP, "Consent deleted"));
    }
    told
}

fn of_decision(decision: &EvidencedDecision) -> Entry {
    let payee = decision.evidence.payee.map(|finding| format!("check of the payee’s name: {}", finding.code()));
    let warnings = decision.evidence.warnings.iter().map(|heading| format!("warning: {heading}"));
    let title = format!("Approved on the bank’s page by {}", decision.psu);
    Entry::new(decision.decided_at, StoryKind::Consent, FROM_CUSTOMER, title).with(payee.into_iter().chain(warnings))
}

fn of_order(CaseOrder { order, payments, submission, .. }: &CaseOrder) -> Vec<Entry> {
    let mut told: Vec<_> = (0..).zip(order.status_history.changes()).map(|it| of_change(order, it)).collect();
    for approval in order.approvals.iter().flat_map(|approvals| &approvals.authentications) {
        let title = format!("Approved by {}", approval.psu);
        told.push(Entry::new(approval.at, StoryKind::Order, FROM_CUSTOMER, title));
    }
    told.extend(payments.iter().map(of_payment));
    if let Some(job) = submission {
        let detail = format!("attempts: {}, the next is due at {}", job.attempts, job.due_at);
        let at = order.status_history.current().at;
        let title = "Submission to the core is not finished";
        told.push(Entry::new(at, StoryKind::Core, TO_CORE, title).with([detail]));
    }
    told
}

fn of_change(order: &Order, (number, change): (usize, StatusChange)) -> Entry {
    let parties = if number == 0 { FROM_TPP } else { FROM_CORE };
    let status = names::order_status(change.summary(order.product.family()));
    let is_last = change == order.status_history.current();
    let kept = change.warehoused.then(|| "kept until its day".to_owned());
    let reason = order.reason.filter(|_| is_last).map(|reason| rejection(reason).to_owned());
    let in_v4_0 = format!("{} in v4.0", order_status_in_v4_0(order, change));
    let title = if number == 0 { format!("Order created: {status}") } else { format!("Order: {status}") };
    let detail = [in_v4_0].into_iter().chain(kept).chain(reason);
    Entry::new(change.at, StoryKind::Order, parties, title).with(detail)
}

fn of_payment(payment: &PaymentExecution) -> Entry {
    let status = names::payment_status(payment.status);
    let title = format!("Payment {}: {status}", payment.number);
    let detail = [money(payment.amount), format!("due on {}", payment.due_on)];
    Entry::new(payment.since, StoryKind::Payment, FROM_CORE, title).with(detail)
}

fn of_event(found: &ClientEvent, moved: SignedDuration) -> Entry {
    let state = match (found.parked_at, found.deliveries) {
        (Some(_), _) => "parked".to_owned(),
        (None, 0) => "waits to be fetched".to_owned(),
        (None, times) => format!("delivered {times} times, not acknowledged"),
    };
    let reported = found.err.as_ref().map(|err| match &found.description {
        Some(description) => format!("the TPP reports {err}: {description}"),
        None => format!("the TPP reports {err}"),
    });
    let title = format!("Event {}", event_type_names(&found.event.claims.types));
    let at = bank_time(found.event.occurred_at, moved);
    let detail = [state, format!("jti {}", found.event.id)].into_iter().chain(reported);
    Entry::new(at, StoryKind::Event, TO_TPP, title).with(detail)
}

fn bank_time(wall: Timestamp, moved: SignedDuration) -> Timestamp {
    wall.checked_add(moved).unwrap_or(wall)
}

/// Whether [`Consent::revoke`] would end the access of a consent that has not expired.
fn is_revocable(consent: &Consent, now: Timestamp) -> bool {
    !consent.is_expired(now) && consent.clone().revoke(RevokedBy::Bank, now)
}

fn order_line(order: &Order) -> OrderLineView {
    OrderLineView {
        id: order.id.clone(),
        status: names::order_status(order.summary_status()).to_owned(),
        amount: order.instruction.transfer().map(|transfer| money(transfer.amount)),
        created_at: order.created_at.to_string(),
    }
}

fn money(amount: Amount) -> String {
    format!("{} {}", amount.decimal(), amount.currency().code())
}

fn fact(name: &str, value: impl Into<String>) -> FactView {
    FactView { name: name.to_owned(), value: value.into() }
}

fn facts_of_consent(case: &SupportCase) -> Vec<FactView> {
    let consent = &case.consent;
    let mut facts = vec![
        fact("Kind", consent_kind(consent.request.kind())),
        fact("Made through", consent.submitted.version.segment()),
        fact("Created", consent.created_at.to_string()),
    ];
    facts.extend(consent.expires_at.map(|end| fact("Expires", end.to_string())));
    facts.extend(case.last_used_at.map(|at| fact("Last used", at.to_string())));
    if let Some(access) = consent.request.account_access() {
        let permissions: Vec<_> = access.permissions.iter().map(Permission::name).collect();
        facts.push(fact("Permissions", permissions.join(", ")));
    }
    if let Some(payment) = consent.request.payment() {
        facts.extend(facts_of_instruction(&payment.terms.instruction));
    }
    let accounts: Vec<_> = consent.accounts.iter().map(|selected| selected.alias.as_str()).collect();
    if !accounts.is_empty() {
        facts.push(fact("Accounts, as the TPP knows them", accounts.join(", ")));
    }
    facts
}

fn facts_of_order(CaseOrder { order, updates_applied, .. }: &CaseOrder) -> Vec<FactView> {
    let mut facts = vec![
        fact("Product", order.product.name()),
        fact("Made through", order.version.segment()),
        fact("Created", order.created_at.to_string()),
        fact("Status in v4.0", order_status_in_v4_0(order, order.status_history.current())),
    ];
    facts.extend(order.reason.map(|reason| fact("Reason", rejection(reason))));
    facts.extend(facts_of_instruction(&order.instruction));
    if let Some(approvals) = &order.approvals {
        let state = names::approval_status(approvals.status);
        let received = approvals.received.len();
        facts.push(fact("Authorisers", format!("{received} of {} agreed: {state}", approvals.required)));
    }
    if let Some(progress) = &order.progress {
        let text = format!(
            "{} of {} payments decided, {} of them rejected",
            progress.decided, progress.count, progress.rejected
        );
        facts.push(fact("Progress", text));
    }
    facts.push(fact("Status updates of the core", updates_applied.to_string()));
    facts.extend(order.interaction_id.as_ref().map(|id| fact("Interaction id", id.as_str())));
    facts
}

/// The number of an account. Of a card, only the last digits are shown.
fn account(account: &AccountIdentification) -> String {
    let number = &account.number;
    match account.scheme {
        AccountScheme::Pan => {
            format!("card ending {}", number.get(number.len().saturating_sub(4)..).unwrap_or_default())
        }
        AccountScheme::Bban
        | AccountScheme::Iban
        | AccountScheme::Paym
        | AccountScheme::SortCodeAccountNumber
        | AccountScheme::Wallet => number.clone(),
    }
}

/// Amount, payee and references of a payment.
fn facts_of_instruction(instruction: &Instruction) -> Vec<FactView> {
    let Some(transfer) = instruction.transfer() else { return Vec::new() };
    let credit = transfer.credit();
    let mut facts = vec![
        fact("Amount", money(transfer.amount)),
        fact("Payee", credit.creditor.holder_name()),
        fact("Payee’s account", account(&credit.creditor)),
    ];
    let references = &credit.references;
    for (name, value) in [
        ("End-to-end id", &references.end_to_end),
        ("Instruction id", &references.instruction),
        ("Reference", &references.reference),
    ] {
        facts.extend(value.as_ref().map(|value| fact(name, value.as_str())));
    }
    facts
}
