//! Tests that every page renders with every sample, and that no page violates its content security policy.

mod files;
mod international;
mod payees;
mod payments;
mod requests;
mod vrp;

use super::apps::{
    AppPage, AppView, ApprovalOutcome, ApprovalView, AppsLoginPage, AppsPage, AppsProviderLoginPage, CodePage,
    CodeView, ConnectionDetails, PaidView, PaymentsPage, PendingPaymentPage as JointPage, PendingPaymentView, StopPage,
};
use super::callback::CallbackPage;
use super::decision::{DecisionPage, PaymentView, asking, paying, sharing};
use super::frame::PageFrame;
use super::journey::{LoginPage, ProviderLoginPage, SecondFactorPage};
use super::journey_view::{JourneyPageView, RequestedAccess};
use super::notice::NoticeText;
use super::parties::{AccountView, RequestingParty};
use super::payment::PaymentSummaryView;
use super::problem::{ProblemPage, ReturnButton};
use super::start::StartPage;
use askama::Template;
use jiff::Timestamp;
use jiff::civil::date;
use lombard_auth::authorisation::journey::{PayerOption, SelectableAccount};
use lombard_auth::file_lines::ListedFileLine;
use lombard_domain::account::{
    Account, AccountIdentification, AccountScheme, AccountStatus, AccountSubType, AccountType,
};
use lombard_domain::consent::{
    AccountAccess, Consent, ConsentDraft, ConsentRequest, ConsentState, FundsConfirmationTerms, PaymentConsent,
    Permission, Permissions, RevokedBy,
};
use lombard_domain::frequency::Frequency;
use lombard_domain::money::{Amount, Currency, SignedAmount};
use lombard_domain::payment::order::{NewOrder, Order, PaymentConsentRequest, RequestedAuthorisation, ScaSupport};
use lombard_domain::payment::transfer::{
    AfterCutOffPolicy, CreditorDetails, CutOff, Instrument, NamedAccount, PaymentConditions, References, Schedule,
    ScheduleEnd, Timing, Transfer,
};
use lombard_domain::payment::{Charge, ChargeBearer, ChargeType};
use lombard_domain::submitted::Submitted;
use lombard_domain::version::Version;

const FRAMES: [PageFrame<'static>; 2] =
    [PageFrame { bank_name: "Lombard", sandbox: true }, PageFrame { bank_name: "Bank & Sons", sandbox: false }];

const NOTICES: [Option<NoticeText>; 2] = [None, Some(NoticeText { text: "Please try again.", at: "account-1" })];

/// A hostile name of a TPP.
const NASTY: &str = "<script>alert('x')</script>\u{202e}\"";

fn journey(on_behalf_of: Option<&str>) -> JourneyPageView {
    let text = |text: &str| super::text::name(text);
    JourneyPageView {
        id: "journey-id".into(),
        form_token: "form-token".into(),
        who: RequestingParty {
            software: text(NASTY),
            organisation: text("Acme Limited"),
            on_behalf_of: on_behalf_of.map(text),
            logo: on_behalf_of.map(|_| "/logos/client".to_owned()),
        },
        requested: RequestedAccess::Access,
        returns: true,
    }
}

/// The view of a journey about a payment.
fn payment_journey(on_behalf_of: Option<&str>, payment: PaymentSummaryView) -> JourneyPageView {
    JourneyPageView { requested: RequestedAccess::Payment(payment), ..journey(on_behalf_of) }
}

/// The bank's time.
fn now() -> Timestamp {
    "2026-02-20T12:00:00Z".parse().unwrap()
}

/// A payment consent that awaits its customer.
fn asked(payment: PaymentConsent) -> Consent {
    let terms = ConsentRequest::Payment(Box::new(payment));
    Consent { request: terms, created_at: now(), ..consent(Permissions::default(), [None; 3]) }
}

/// The description of a payment.
fn words(payment: &PaymentConsent) -> PaymentSummaryView {
    PaymentSummaryView::of(payment, &payment.conditions, now(), now())
}

/// All pages of a journey about a payment, the decision first.
fn journey_of(
    frame: PageFrame<'_>,
    notice: Option<NoticeText>,
    consent: &Consent,
    means: Vec<PayerOption>,
    lines: &[ListedFileLine],
) -> [String; 3] {
    let payment = consent.request.payment().unwrap();
    let requested = || payment_journey(Some("Other"), words(payment));
    let view = PaymentView { means, lines: lines.to_vec(), ..PaymentView::default() };
    let decision = paying(frame, requested(), notice, NASTY, consent, view).unwrap().render().unwrap();
    let sent_to = "your phone".to_owned();
    let shown_code = Some("123456".to_owned());
    let code = SecondFactorPage { frame, journey: requested(), notice, sent_to, shown_code }.render().unwrap();
    let login = LoginPage { frame, journey: requested(), notice, shown: Vec::new() }.render().unwrap();
    [decision, code, login].map(|html| {
        sound(&html);
        html
    })
}

/// The data about an application in addition to its consent.
fn seen(accounts: &[Account], last_used_at: Option<Timestamp>, live: bool) -> ConnectionDetails<'_> {
    ConnectionDetails { accounts, last_used_at, live, standings: &[], now: now() }
}

fn account(scheme: AccountScheme, number: &str) -> SelectableAccount {
    let identification =
        AccountIdentification { name: Some("Amelia".into()), ..AccountIdentification::new(scheme, number) };
    SelectableAccount {
        handle: format!("handle-{number}"),
        preselected: scheme == AccountScheme::Pan,
        balance: (scheme == AccountScheme::Iban).then(|| SignedAmount::from_minor(-123_456, Currency::GBP)),
        account: Account {
            id: "bank-account".into(),
            status: AccountStatus::Enabled,
            status_changed_at: Timestamp::UNIX_EPOCH,
            currency: Currency::GBP,
            account_type: AccountType::Personal,
            sub_type: AccountSubType::CurrentAccount,
            description: None,
            nickname: (scheme == AccountScheme::Iban).then(|| NASTY.to_owned()),
            opened_on: None,
            matures_on: None,
            switch_status: None,
            identifications: if number.is_empty() { Vec::new() } else { vec![identification] },
            servicer: None,
            lei: None,
            statement_delivery: Vec::new(),
            core_state: None,
        },
    }
}

fn consent(permissions: Permissions, bounds: [Option<i64>; 3]) -> Consent {
    let [from, to, expires_at] = bounds.map(|at| at.map(|second| Timestamp::from_second(second).unwrap()));
    let access = AccountAccess { permissions, transactions_from: from, transactions_to: to };
    let submitted = Submitted { version: Version::V3_1, json: "{}".into() };
    ConsentDraft { request: ConsentRequest::AccountAccess(access), expires_at, submitted }.into_consent(
        "consent".into(),
        "client".into(),
        Timestamp::UNIX_EPOCH,
    )
}

/// Checks that a page has no inline script or style, no unescaped sample text, and a label for every field.
fn sound(html: &str) {
    let lower = html.to_lowercase();
    for inline in ["<script>", "<style", " style=", " onclick=", " onload=", "javascript:", "\u{202e}"] {
        assert!(!lower.contains(inline), "{inline} in {html}");
    }
    assert_eq!(lower.matches("<script").count(), lower.matches("<script src=\"/assets/").count());
    assert_eq!((lower.matches("<h1>").count(), lower.matches("<main").count()), (1, 1), "{html}");
    assert!(lower.contains("<html lang=") && lower.contains("name=\"viewport\"") && lower.contains("<title>"));
    for (at, _) in html.match_indices(" id=\"").filter(|(at, _)| html[..*at].ends_with("<input")) {
        let id = html[at + 5..].split('"').next().unwrap();
        assert!(html.contains(&format!("<label for=\"{id}\"")), "no label for {id}");
    }
    for form in html.split("<form ").skip(1) {
        let ours = ["/interaction/journey-id/", "/apps/"].map(|path| format!("method=\"post\" action=\"{path}"));
        assert!(ours.iter().any(|ours| form.starts_with(ours)), "{form}");
        assert!(form.contains("name=\"form_token\" value=\"form-token\""), "AS-141: {form}");
    }
}

#[test]
fn as_140_the_pages_before_the_decision_render_with_every_sample() {
    for frame in FRAMES {
        for notice in NOTICES {
            for other in [None, Some("Somebody <b>else</b>")] {
                let shown = vec![("amelia".to_owned(), "two accounts & a card".to_owned())];
                let login = LoginPage { frame, journey: journey(other), notice, shown: shown.clone() };
                let html = login.render().unwrap();
                sound(&html);
                assert_eq!(html.contains("Somebody &#60;b&#62;else"), other.is_some(), "AS-142: {html}");
                assert!(html.contains("autocomplete=\"current-password\""));
                sound(&LoginPage { shown: Vec::new(), ..login }.render().unwrap());
                let html = ProviderLoginPage { frame, journey: journey(other), notice }.render().unwrap();
                sound(&html);
                assert!(!html.contains("<input id=\"password\""), "{html}");
                for code in [None, Some("123456".to_owned())] {
                    let journey = journey(other);
                    let sent_to = "your phone".to_owned();
                    let page = SecondFactorPage { frame, journey, notice, sent_to, shown_code: code.clone() };
                    let html = page.render().unwrap();
                    sound(&html);
                    assert_eq!(html.contains("123456"), code.is_some());
                    assert_eq!(html.contains("role=\"alert\""), notice.is_some());
                }
            }
        }
    }
}

fn decisions() -> Vec<DecisionPage<'static>> {
    let all: Permissions = Permission::ALL.iter().copied().collect();
    let few: Permissions = [Permission::ReadAccountsBasic].into_iter().collect();
    let accounts = || {
        vec![
            account(AccountScheme::SortCodeAccountNumber, "30963412345678"),
            account(AccountScheme::Iban, "GB33BUKB20201555555555"),
            account(AccountScheme::Pan, "42"),
            account(AccountScheme::Bban, ""),
        ]
    };
    let mut pages = Vec::new();
    for frame in FRAMES {
        for notice in NOTICES {
            for bounds in [[None; 3], [Some(1), None, Some(3)], [None, Some(2), None], [Some(1), Some(2), Some(3)]] {
                for state in [ConsentState::AwaitingAuthorisation, ConsentState::Authorised] {
                    let all = Consent { state, ..consent(all, bounds) };
                    pages.push(sharing(frame, journey(Some("Other")), notice, NASTY, &all, accounts()));
                    pages.push(sharing(frame, journey(None), notice, "Amelia", &consent(few, bounds), Vec::new()));
                }
            }
        }
    }
    pages
}

#[test]
fn as_142_the_decision_renders_with_every_sample_and_names_everything() {
    for page in decisions() {
        let html = page.render().unwrap();
        sound(&html);
        for group in &page.groups {
            assert!(
                html.contains(group.title)
                    && html.contains(group.lead)
                    && group.lines.iter().all(|line| html.contains(line))
            );
        }
        assert!(html.contains("Acme Limited") && html.contains(&page.ends));
        assert_eq!(html.contains("value=\"approve\""), !page.accounts.is_empty(), "AIS-080: nothing to agree to");
        assert!(html.contains("value=\"refuse\""));
        assert!(page.transactions.iter().all(|period| html.contains(period)));
    }
}

#[test]
fn ais_083_earlier_accounts_are_ticked_and_no_number_is_shown_whole() {
    for page in decisions().into_iter().filter(|page| !page.accounts.is_empty()) {
        let html = page.render().unwrap();
        assert_eq!(html.matches("type=\"checkbox\"").count(), 4);
        assert_eq!(html.matches(" checked>").count(), 1);
        assert!(html.contains("30-96-34 ending 5678") && html.contains("ending 5555"));
        let shown =
            html.replace("value=\"handle-30963412345678\"", "").replace("value=\"handle-GB33BUKB20201555555555\"", "");
        assert!(!shown.contains("12345678") && !shown.contains("BUKB2020155"));
        assert!(!html.contains("bank-account"), "AIS-087: the bank's own id never leaves");
    }
}

/// A consent for funds confirmations.
fn funds_consent(end: Option<i64>) -> Consent {
    let named = account(AccountScheme::Iban, "GB33BUKB20201555555555").account.identifications.remove(0);
    let terms = ConsentRequest::FundsConfirmation(FundsConfirmationTerms { account: named });
    Consent { request: terms, ..consent(Permissions::default(), [None, None, end]) }
}

#[test]
fn cbp_008_034_the_question_about_funds_names_one_account_and_no_amount() {
    for frame in FRAMES {
        for notice in NOTICES {
            for (state, end) in
                [(ConsentState::AwaitingAuthorisation, None), (ConsentState::Authorised, Some(2_000_000_000))]
            {
                let consent = Consent { state, ..funds_consent(end) };
                let journey = || JourneyPageView { requested: RequestedAccess::Funds, ..journey(Some("Other")) };
                let named = account(AccountScheme::Iban, "GB33BUKB20201555555555");
                let html = asking(frame, journey(), notice, NASTY, &consent, Some(named)).render().unwrap();
                sound(&html);
                assert!(html.contains("ending 5555") && html.contains("Acme Limited"), "{html}");
                assert_eq!(html.matches("name=\"account\"").count(), 1, "nothing to choose");
                assert!(html.contains("value=\"approve\"") && html.contains("value=\"refuse\""));
                assert!(!html.contains("class=\"kind\">available") && !html.contains('£'), "no amount is shown");
                assert_eq!(html.contains("You have agreed to this before"), state == ConsentState::Authorised);
                let html = asking(frame, journey(), notice, NASTY, &consent, None).render().unwrap();
                sound(&html);
                assert!(!html.contains("value=\"approve\"") && html.contains("value=\"refuse\""), "CBP-009");
                sound(&LoginPage { frame, journey: journey(), notice, shown: Vec::new() }.render().unwrap());
                let sent_to = "your phone".to_owned();
                let page = SecondFactorPage { frame, journey: journey(), notice, sent_to, shown_code: None };
                sound(&page.render().unwrap());
            }
        }
    }
}

#[test]
fn cbp_013_who_may_ask_about_funds_is_listed_and_can_be_stopped() {
    for frame in FRAMES {
        let app = |state, live| {
            let consent = Consent { state, ..funds_consent(None) };
            let accounts = [account(AccountScheme::Iban, "GB33BUKB20201555555555").account];
            AppView::new(journey(None).who, &consent, seen(&accounts, None, live)).unwrap()
        };
        let form_token = || "form-token".to_owned();
        let live = || app(ConsentState::Authorised, true);
        let html = AppPage { frame, form_token: form_token(), app: live() }.render().unwrap();
        sound(&html);
        assert!(html.contains("What it may ask") && html.contains("/apps/consent/stop"));
        let html = StopPage { frame, form_token: form_token(), app: live() }.render().unwrap();
        sound(&html);
        assert!(html.contains("it can ask nothing about this account"));
        let ended = app(ConsentState::Revoked(RevokedBy::Psu), false);
        let html = AppPage { frame, form_token: form_token(), app: ended }.render().unwrap();
        sound(&html);
        assert!(html.contains("What it could ask") && !html.contains("/apps/consent/stop"));
        let name = "Amelia".to_owned();
        let page = AppsPage {
            frame,
            form_token: form_token(),
            name,
            waiting: Vec::new(),
            apps: vec![live()],
            paid: Vec::new(),
            asked: 1,
            missing: None,
        };
        let html = page.render().unwrap();
        sound(&html);
        assert!(html.contains("yes or no") && !html.contains("may look at"));
    }
}

#[test]
fn the_other_pages_render_with_every_sample() {
    for frame in FRAMES {
        for (code, reference, retry) in
            [(None, None, None), (Some("invalid_request"), Some("<script>id"), Some("/interaction/x"))]
        {
            let problem = ProblemPage {
                frame,
                title: "A title",
                text: "A text",
                help: "Some help",
                code,
                detail: code.map(|_| "What <it> means"),
                reference,
                retry,
                link: None,
                back: None,
            };
            let html = problem.render().unwrap();
            sound(&html);
            assert!(html.contains("Some help") && !html.contains("<form"));
            let back = ReturnButton::to("journey-id", "form-token", NASTY);
            let html = ProblemPage { back: Some(back), ..problem }.render().unwrap();
            sound(&html);
            assert!(html.contains("action=\"/interaction/journey-id/cancel\""), "AS-144: {html}");
        }
        let url = || "https://localhost:8443/x".to_owned();
        let start = StartPage { frame, discovery: url(), jwks: url(), token: url(), resources: url() };
        let html = start.render().unwrap();
        sound(&html);
        assert_eq!(html.contains("lombard tour"), frame.sandbox);
        let clients = "/portal/callback/clients";
        let callback = CallbackPage { frame, clients, token: url(), redirect_uri: url(), code_secs: 60 };
        let html = callback.render().unwrap();
        sound(&html);
        assert!(html.contains("<noscript>") && html.contains("/assets/callback.js"));
    }
}

/// A payment through this client.
fn paid(client: &str, software: &str) -> PaidView {
    let who = RequestingParty { software: super::text::name(software), ..journey(None).who };
    let text = |text: &str| text.to_owned();
    let sum = text("£12.50 to Somebody Else");
    let what = "Paid";
    let on = text("2 March 2026");
    PaidView { client: client.to_owned(), who, sum, what, on }
}

fn apps() -> Vec<AppView> {
    let all: Permissions = Permission::ALL.iter().copied().collect();
    let numbers = [
        account(AccountScheme::SortCodeAccountNumber, "30963412345678").account,
        account(AccountScheme::Iban, "GB33BUKB20201555555555").account,
    ];
    let mut apps = Vec::new();
    for (state, end, live) in [
        (ConsentState::Authorised, None, true),
        (ConsentState::Authorised, Some(2_000_000_000), true),
        (ConsentState::Authorised, Some(5), false),
        (ConsentState::Revoked(RevokedBy::Psu), None, false),
        (ConsentState::AwaitingAuthorisation, None, false),
    ] {
        for (last_used_at, other, few) in [(None, None, false), (Some(Timestamp::UNIX_EPOCH), Some("Other"), true)] {
            let consent = Consent { state, ..consent(all, [Some(1), None, end]) };
            let accounts = if few { &[] } else { numbers.as_slice() };
            apps.extend(AppView::new(journey(other).who, &consent, seen(accounts, last_used_at, live)));
        }
    }
    apps
}

#[test]
fn as_134_connected_apps_render_with_every_sample() {
    for frame in FRAMES {
        let form_token = || "form-token".to_owned();
        for app in apps() {
            let ended = app.ended.clone();
            let html = AppPage { frame, form_token: form_token(), app }.render().unwrap();
            sound(&html);
            assert_eq!(html.contains("/apps/consent/stop"), ended.is_none());
            assert!(ended.is_none_or(|ended| html.contains(&ended)));
            assert!(!html.contains("30963412345678") && !html.contains("12345678"));
        }
        for app in apps().into_iter().filter(|app| app.ended.is_none()) {
            let html = StopPage { frame, form_token: form_token(), app }.render().unwrap();
            sound(&html);
            assert!(html.contains("action=\"/apps/consent/stop\"") && html.contains("Acme Limited"));
        }
        for apps in [Vec::new(), apps()] {
            let shown = apps.len();
            let name = super::text::name(NASTY);
            let waiting = Vec::new();
            let paid = vec![paid("client", NASTY), paid("other", "Rival")];
            let page = AppsPage { frame, form_token: form_token(), name, waiting, apps, paid, asked: 0, missing: None };
            let html = page.render().unwrap();
            sound(&html);
            assert_eq!(html.matches("href=\"/apps/consent/stop\"").count(), shown);
            assert_eq!(html.matches("class=\"card\"").count(), 2, "one for each application");
            assert_eq!(html.matches("Payments, 1").count(), 2, "{html}");
            assert!(html.contains("action=\"/apps/logout\""));
        }
        for notice in NOTICES {
            let shown = vec![("amelia".to_owned(), "two accounts & a card".to_owned())];
            let to = || "/apps/payments".to_owned();
            let page = AppsProviderLoginPage { frame, form_token: form_token(), to: to(), notice };
            sound(&page.render().unwrap());
            sound(&AppsLoginPage { frame, form_token: form_token(), to: to(), notice, shown }.render().unwrap());
            let sent_to = "your phone".to_owned();
            let shown_code = Some("123456".to_owned());
            let page = CodePage { frame, form_token: form_token(), to: to(), notice, sent_to, shown_code };
            sound(&page.render().unwrap());
        }
    }
}
