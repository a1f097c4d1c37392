//! Tests of the pages about VRP consents: the limits, the frequency, the end and the usage.

use super::payments::{means, pounds};
use super::*;
use lombard_domain::consent::SelectedAccount;
use lombard_domain::payment::PaymentContext;
use lombard_domain::payment::order::Instruction;
use lombard_domain::payment::vrp::{
    AuthenticationMethod, ControlParameters, InteractionType, LimitPeriod, PeriodAlignment, PeriodCycle, PeriodicLimit,
    PeriodicLimits, VrpConsentRequest, VrpType, VrpUsage,
};

fn limit(period: LimitPeriod, alignment: PeriodAlignment, pence: u64) -> PeriodicLimit {
    PeriodicLimit { cycle: PeriodCycle::new(period, alignment).unwrap(), amount: pounds(pence) }
}

fn controls(limits: Vec<PeriodicLimit>) -> ControlParameters {
    ControlParameters {
        valid_from: None,
        valid_to: Some(date(2026, 12, 31)),
        individual: pounds(20_000),
        limits: PeriodicLimits::new(limits).unwrap(),
        types: [VrpType::Sweeping].into(),
        methods: [AuthenticationMethod::NotRequired].into(),
        interactions: [].into(),
    }
}

/// Control parameters of 200.00 for each payment and 500.00 for each month, created on 20 February.
fn monthly() -> ControlParameters {
    controls(vec![limit(LimitPeriod::Month, PeriodAlignment::Calendar, 50_000)])
}

fn vrp_consent(controls: ControlParameters, full: bool) -> Consent {
    let number = "08080021325698".to_owned();
    let account = AccountIdentification::new(AccountScheme::SortCodeAccountNumber, number);
    let terms = VrpConsentRequest {
        controls,
        creditor: full.then(|| NamedAccount::under_name(account, NASTY.into())),
        address: None,
        references: References { reference: full.then(|| "POT <1>".to_owned()), ..References::default() },
    };
    let terms = PaymentConsentRequest::new(Instruction::Vrp(Box::new(terms)));
    asked(PaymentConsent::new(terms, PaymentConditions::default()))
}

#[test]
fn as_142_vrp_005_a_mandate_shows_its_limits_payee_frequency_and_end() {
    for frame in FRAMES {
        for notice in NOTICES {
            for full in [true, false] {
                let consent = vrp_consent(monthly(), full);
                let [html, code, login] = journey_of(frame, notice, &consent, means(), &[]);
                for page in [&html, &code] {
                    assert!(page.contains("at most</span> £200.00"), "{page}");
                    assert!(page.contains("At most £500.00 in any calendar month"), "{page}");
                    let first = "in the first, shorter one, from 20 February 2026 to 28 February 2026, £160.71";
                    assert!(page.contains(first), "VRP-036: {page}");
                    assert_eq!(page.contains("08-08-00 21325698") && page.contains("POT &#60;1&#62;"), full);
                    assert_eq!(page.contains("Any account the application names"), !full);
                }
                assert!(code.contains("no other limits or payee"));
                assert!(
                    html.contains("After Thursday 31 December 2026") && html.contains("between accounts of your own")
                );
                assert!(html.contains("No. It can pay without asking you"), "VRP-008");
                assert!(html.contains("Up to £500.00 could be paid on one day"), "{html}");
                // The total is that of ten whole months and the rest of February.
                assert!(
                    html.contains("Up to £5,160.71 could be paid in total before it ends after 31 December 2026."),
                    "{html}"
                );
                assert!(html.contains("You can end this at any time") && html.contains("Agree to these limits"));
                assert!(html.contains("The name and the number of the account you pay from"), "VRP-019");
                assert_eq!(html.contains("or anybody else"), full);
                assert!(login.contains("let it make payments for you, within limits") && !login.contains("£200.00"));
            }
        }
    }
}

#[test]
fn vrp_010_every_period_is_said_in_words() {
    use {LimitPeriod as P, PeriodAlignment as A};
    for (period, alignment, said) in [
        (P::Day, A::Calendar, "on any day"),
        (P::Day, A::Consent, "on any day"),
        (P::Week, A::Calendar, "in any week, Monday to Sunday"),
        (P::Month, A::Calendar, "in any calendar month"),
        (P::HalfYear, A::Calendar, "from January to June, and again from July to December"),
        (P::Year, A::Calendar, "in any calendar year"),
        (P::Week, A::Consent, "in each week, counted from 20 February 2026"),
        (P::Fortnight, A::Consent, "in each two weeks, counted from 20 February 2026"),
        (P::Month, A::Consent, "in each month, counted from 20 February 2026"),
        (P::HalfYear, A::Consent, "in each six months, counted from 20 February 2026"),
        (P::Year, A::Consent, "in each year, counted from 20 February 2026"),
    ] {
        let consent = vrp_consent(controls(vec![limit(period, alignment, 1_000)]), false);
        let PaymentSummaryView::Vrp(words) = words(consent.request.payment().unwrap()) else {
            panic!("no VRP consent")
        };
        assert_eq!(words.limits[0].text, format!("At most £10.00 {said}"));
        let cut_short = alignment == A::Calendar && period != P::Day;
        assert_eq!(words.limits[0].first.is_some(), cut_short, "VRP-033, VRP-036: {said}");
    }
}

#[test]
fn vrp_007_008_009_who_takes_part_how_is_said() {
    let words_of = |change: fn(&mut ControlParameters)| {
        let mut controls = monthly();
        change(&mut controls);
        match words(vrp_consent(controls, false).request.payment().unwrap()) {
            PaymentSummaryView::Vrp(words) => words,
            other => panic!("no VRP consent: {other:?}"),
        }
    };
    assert_eq!(words_of(|it| it.types = [VrpType::Other].into()).kinds, "Payments of any kind, to others too");
    assert!(words_of(|it| it.types = VrpType::USUAL.into()).kinds.ends_with("and other payments"));
    assert!(words_of(|it| it.methods = [AuthenticationMethod::Strong].into()).asked.starts_with("Yes, each time"));
    assert!(words_of(|it| it.methods = AuthenticationMethod::ALL.into()).asked.starts_with("Not always."));
    let present = |may: &'static [InteractionType]| {
        let mut controls = monthly();
        controls.interactions = may.iter().copied().collect();
        match words(vrp_consent(controls, false).request.payment().unwrap()) {
            PaymentSummaryView::Vrp(words) => words.present,
            other => panic!("no VRP consent: {other:?}"),
        }
    };
    assert_eq!(present(&[]), None);
    assert_eq!(
        present(&[InteractionType::InSession]),
        Some("Yes, as far as the application says: only while you are using it")
    );
    assert_eq!(
        present(&[InteractionType::OffSession]),
        Some("No, as far as the application says: only while you are not using it")
    );
    assert_eq!(present(&InteractionType::ALL), Some("Not always, also while you are not using it"));
}

#[test]
fn cvrp_002_003_007_a_commercial_consent_is_shown_as_such_with_its_terms() {
    const NAME: &str = "commercial variable recurring payments";
    let of = |types: &[VrpType], context: Option<PaymentContext>| {
        let controls = ControlParameters { types: types.iter().copied().collect(), ..monthly() };
        let consent = vrp_consent(controls, true);
        let ConsentRequest::Payment(mut payment) = consent.request.clone() else { panic!("no payment consent") };
        payment.terms.context = context;
        Consent { request: ConsentRequest::Payment(payment), ..consent }
    };
    for frame in FRAMES {
        for notice in NOTICES {
            let commercial = of(&[VrpType::Commercial1], Some(PaymentContext::MerchantInitiated));
            let [html, _, login] = journey_of(frame, notice, &commercial, means(), &[]);
            assert!(html.contains("Allow commercial variable recurring payments within these limits?"), "{html}");
            assert!(html.contains("may take payments from your account for businesses and other organisations"));
            assert!(html.contains("of different amounts and when it chooses"));
            assert!(html.contains("Goods or services bought online; the seller starts each payment"));
            assert!(html.contains("At most £500.00 in any calendar month") && html.contains("You can end this"));
            assert!(login.contains("let it make commercial variable recurring payments for you, within limits"));
            let usual = of(&[VrpType::Sweeping], None);
            for page in journey_of(frame, notice, &usual, means(), &[]) {
                assert!(!page.to_lowercase().contains(NAME) && !page.contains("Use, as the application says"));
            }
        }
    }
    let kinds = |types: &[VrpType]| match words(of(types, None).request.payment().unwrap()) {
        PaymentSummaryView::Vrp(words) => words.kinds,
        other => panic!("no VRP consent: {other:?}"),
    };
    assert!(kinds(&[VrpType::Commercial2]).ends_with("to businesses and other organisations"));
    assert!(kinds(&[VrpType::Commercial2, VrpType::Sweeping]).contains("between accounts of your own"));
    for types in [&[VrpType::Commercial3, VrpType::Other][..], &VrpType::ALL] {
        assert!(kinds(types).ends_with("and payments of any other kind"));
    }
    let context = |context| match words(of(&[VrpType::Commercial1], Some(context)).request.payment().unwrap()) {
        PaymentSummaryView::Vrp(words) => words.context.unwrap(),
        other => panic!("no VRP consent: {other:?}"),
    };
    let said: std::collections::BTreeSet<_> = PaymentContext::CURRENT.into_iter().map(context).collect();
    assert_eq!(said.len(), PaymentContext::CURRENT.len(), "each in words of its own");
}

#[test]
fn vrp_examples_cover_a_year_without_an_end_and_start_on_the_first_day() {
    let open = ControlParameters { valid_to: None, valid_from: Some(date(2026, 7, 1)), ..monthly() };
    let [html, ..] = journey_of(FRAMES[0], None, &vrp_consent(open, true), means(), &[]);
    assert!(
        html.contains("Payments begin</dt><dd>Wednesday 1 July 2026") && html.contains("When you or the application")
    );
    assert!(html.contains("Up to £3,000.00 could be paid by 31 December 2026."), "{html}");
    assert!(html.contains("Up to £6,000.00 could be paid in a full year, until 30 June 2027."), "{html}");
    assert!(!html.contains("shorter one"), "the first month is whole");
}

#[test]
fn vrp_022_agreeing_again_says_so() {
    for (state, again) in [
        (ConsentState::AwaitingAuthorisation, false),
        (ConsentState::Authorised, true),
        (ConsentState::Revoked(RevokedBy::Psu), true),
    ] {
        let consent = Consent { state, ..vrp_consent(monthly(), true) };
        let [html, ..] = journey_of(FRAMES[0], None, &consent, means(), &[]);
        assert_eq!(html.contains("You have agreed to this before"), again);
    }
}

/// The VRP consent as the customer's page shows it, with this amount used in the first month.
fn app(state: ConsentState, live: bool, used: u64, last: jiff::civil::Date) -> AppView {
    let controls = ControlParameters { valid_to: Some(last), ..monthly() };
    let debtor = SelectedAccount { account: "bank-account".into(), alias: "alias".into(), core_state: None };
    let consent = Consent { state, accounts: vec![debtor], ..vrp_consent(controls.clone(), true) };
    let vrp_consent = controls.limits_from(consent.created_at);
    let mut usage = VrpUsage::default();
    usage.reserve(&vrp_consent.reservation(now(), pounds(used))).unwrap();
    let standings = vrp_consent.limit_usages(now(), &usage);
    let accounts = [account(AccountScheme::SortCodeAccountNumber, "30963412345678").account];
    let now = if last < date(2026, 2, 20) { "2027-01-01T00:00:00Z".parse().unwrap() } else { now() };
    AppView::new(
        journey(None).who,
        &consent,
        ConnectionDetails { standings: &standings, now, ..seen(&accounts, None, live) },
    )
    .unwrap()
}

#[test]
fn as_134_a_mandate_is_listed_with_what_was_used_and_can_be_ended() {
    let end = date(2026, 12, 31);
    for frame in FRAMES {
        let form_token = || "form-token".to_owned();
        let used = "£40.00 of £160.71 used, £120.71 left, from 20 February 2026 to 28 February 2026";
        let name = "Amelia".to_owned();
        let apps = vec![app(ConsentState::Authorised, true, 4_000, end)];
        let list = AppsPage {
            frame,
            form_token: form_token(),
            name,
            waiting: Vec::new(),
            apps,
            paid: Vec::new(),
            asked: 0,
            missing: None,
        }
        .render()
        .unwrap();
        let one = AppPage { frame, form_token: form_token(), app: app(ConsentState::Authorised, true, 4_000, end) };
        let one = one.render().unwrap();
        for html in [&list, &one] {
            sound(html);
            assert!(html.contains(used) && html.contains("value=\"24\""), "{html}");
            assert!(html.contains("Stop payments") && html.contains("/apps/consent/stop"));
            assert!(!html.contains("12345678") && !html.contains("bank-account"));
        }
        assert!(list.contains("pay within the limits") && !list.contains("None of them can move your money"));
        assert!(one.contains("Pays from") && one.contains("Thursday 31 December 2026"));
        let stop = StopPage { frame, form_token: form_token(), app: app(ConsentState::Authorised, true, 0, end) };
        let html = stop.render().unwrap();
        sound(&html);
        assert!(html.contains("Stop these payments?") && html.contains("not taken back"));
        let ended = app(ConsentState::Revoked(RevokedBy::Psu), false, 0, end);
        let html = AppPage { frame, form_token: form_token(), app: ended }.render().unwrap();
        sound(&html);
        assert!(html.contains("can make no payments any more") && !html.contains("/apps/consent/stop"), "VRP-085");
        assert!(!html.contains("What was used"));
    }
}

#[test]
fn vrp_088_after_its_last_day_a_mandate_can_still_be_ended() {
    let mut controls = monthly();
    controls.valid_to = Some(date(2026, 3, 1));
    let consent = Consent { state: ConsentState::Authorised, ..vrp_consent(controls, true) };
    let late = ConnectionDetails { now: "2026-03-02T00:00:00Z".parse().unwrap(), ..seen(&[], None, true) };
    let app = AppView::new(journey(None).who, &consent, late).unwrap();
    let html = AppPage { frame: FRAMES[0], form_token: "form-token".into(), app }.render().unwrap();
    sound(&html);
    assert!(html.contains("no payment can be made any more") && html.contains("/apps/consent/stop"), "{html}");
}
