//! Describes VRP consents: the limits of amount and number, their last day, and the largest total. Source: VRP-005.

use crate::money;
use crate::text;
use crate::times::{day, short_day};
use jiff::civil::{Date, date};
use jiff::{Timestamp, ToSpan};
use lombard_domain::calendar::london_date;
use lombard_domain::money::Amount;
use lombard_domain::payment::PaymentContext;
use lombard_domain::payment::vrp::{
    AuthenticationMethod, CalendarPeriod, ControlParameters, InteractionType, LimitPeriod, LimitUsage, PeriodCycle,
    PeriodWindow, PeriodicLimit, VrpConsentRequest, VrpLimits, VrpType,
};

/// The number of years up to the end of a consent for which the largest total is computed.
const YEARS_ADDED_UP: i16 = 2;

/// A VRP consent, as its payer sees it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct VrpConsentView {
    /// The payee with the account number; `None` if any payee is allowed.
    pub payee: Option<(String, String)>,
    /// The payee's reference for every payment.
    pub reference: Option<String>,
    /// The message for every payment, unless a payment has its own.
    pub message: Option<String>,
    /// The maximum amount of one payment.
    pub individual_max: String,
    /// The maximum total in each period.
    pub limits: Vec<LimitView>,
    /// The first day of payments, if it is in the future.
    pub begins: Option<String>,
    /// The last day of payments.
    pub ends: String,
    /// Whether they are commercial variable recurring payments. Source: CVRP-002.
    pub commercial: bool,
    /// The allowed kinds of payments.
    pub kinds: &'static str,
    /// The purpose of the payments, according to the application. Source: PIS-144.
    pub context: Option<&'static str>,
    /// Whether the customer must authenticate for each payment.
    pub asked: &'static str,
    /// Whether the customer is present at each payment.
    pub present: Option<&'static str>,
    /// Examples of the totals that the limits allow.
    pub examples: Vec<String>,
}

/// A periodic limit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct LimitView {
    /// The limit in words, such as `At most £500.00 in any calendar month`.
    pub text: String,
    /// The limit of a shorter first period.
    pub first: Option<String>,
}

/// The present usage of a limit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct LimitUsageView {
    /// The limit in words.
    pub limit: String,
    /// The used amount and the rest, in words.
    pub text: String,
    /// The days of the present period.
    pub days: String,
    /// The used part of the limit in per cent.
    pub percent: u64,
}

impl VrpConsentView {
    /// Describes a VRP consent; `now` is the bank's time.
    pub(crate) fn of(
        terms: &VrpConsentRequest,
        context: Option<PaymentContext>,
        created_at: Timestamp,
        now: Timestamp,
    ) -> Self {
        let controls = &terms.controls;
        let vrp_limits = terms.controls.limits_from(created_at);
        let today = london_date(now);
        let anchor = vrp_limits.anchor();
        Self {
            payee: terms.creditor.as_ref().map(|payee| (text::name(payee.holder_name()), money::number(payee))),
            reference: terms.references.reference.as_deref().map(text::message),
            message: terms.references.message.as_deref().map(text::message),
            individual_max: money::amount(controls.individual),
            limits: controls.limits.iter().map(|limit| LimitView::of(limit, anchor)).collect(),
            begins: (anchor > today).then(|| day(anchor)),
            ends: ends(controls),
            commercial: controls.is_commercial(),
            kinds: kinds(controls),
            context: context.map(context_words),
            asked: asked(controls),
            present: present(controls),
            examples: examples(&vrp_limits, today.max(anchor)),
        }
    }
}

/// The last day of payments, in words.
pub(crate) fn ends(controls: &ControlParameters) -> String {
    controls
        .valid_to
        .map_or_else(|| "When you or the application end it".to_owned(), |last| format!("After {}", day(last)))
}

impl LimitView {
    fn of(limit: &PeriodicLimit, anchor: Date) -> Self {
        let amount = money::amount(limit.amount);
        let first = limit.cycle.window(anchor, anchor).filter(PeriodWindow::is_cut_short).map(|window| {
            let share = money::amount(window.share_of(limit.amount));
            format!("in the first, shorter one, {}, {share}", between(window))
        });
        Self { text: format!("At most {amount} {}", cycle(limit.cycle, anchor)), first }
    }
}

/// The first and last day of a period, in words.
fn between(window: PeriodWindow) -> String {
    if window.first == window.last {
        return format!("on {}", short_day(window.first));
    }
    format!("from {} to {}", short_day(window.first), short_day(window.last))
}

/// The length and start of a period, in words. Source: VRP-010, VRP-033 to VRP-035.
fn cycle(cycle: PeriodCycle, anchor: Date) -> String {
    let counted = |period: &str| format!("in each {period}, counted from {}", short_day(anchor));
    match cycle {
        PeriodCycle::Calendar(CalendarPeriod::Day) | PeriodCycle::Consent(LimitPeriod::Day) => "on any day".to_owned(),
        PeriodCycle::Calendar(CalendarPeriod::Week) => "in any week, Monday to Sunday".to_owned(),
        PeriodCycle::Calendar(CalendarPeriod::Month) => "in any calendar month".to_owned(),
        PeriodCycle::Calendar(CalendarPeriod::HalfYear) => {
            "from January to June, and again from July to December".to_owned()
        }
        PeriodCycle::Calendar(CalendarPeriod::Year) => "in any calendar year".to_owned(),
        PeriodCycle::Consent(LimitPeriod::Week) => counted("week"),
        PeriodCycle::Consent(LimitPeriod::Fortnight) => counted("two weeks"),
        PeriodCycle::Consent(LimitPeriod::Month) => counted("month"),
        PeriodCycle::Consent(LimitPeriod::HalfYear) => counted("six months"),
        PeriodCycle::Consent(LimitPeriod::Year) => counted("year"),
    }
}

/// The allowed kinds of payments, in words. Source: VRP-007, CVRP-002, CVRP-007.
fn kinds(controls: &ControlParameters) -> &'static str {
    let has = |kind| controls.types.contains(&kind);
    match (controls.is_commercial(), has(VrpType::Sweeping), has(VrpType::Other)) {
        (false, true, false) => {
            "Moving money between accounts of your own, the application says; the bank does not check that"
        }
        (false, true, true) => "Moving money between accounts of your own, the application says, and other payments",
        (false, false, _) => "Payments of any kind, to others too",
        (true, false, false) => "Commercial variable recurring payments, to businesses and other organisations",
        (true, true, false) => {
            "Commercial variable recurring payments, to businesses and other organisations, and moving money between \
             accounts of your own, the application says"
        }
        (true, _, true) => {
            "Commercial variable recurring payments, to businesses and other organisations, and payments of any other kind"
        }
    }
}

/// The purpose of the payments, in words. Source: PIS-144.
const fn context_words(context: PaymentContext) -> &'static str {
    match context {
        PaymentContext::BilledInAdvance => "Goods or services that are billed before delivery",
        PaymentContext::BilledInArrears => "Goods or services that are billed after delivery",
        PaymentContext::PispPayee => "Payments to the application itself",
        PaymentContext::MerchantInitiated => "Goods or services bought online; the seller starts each payment",
        PaymentContext::FaceToFace => "Goods or services paid for at a till",
        PaymentContext::TransferToSelf => "Moving money to an account of your own",
        PaymentContext::TransferToThirdParty => "Sending money to somebody else",
        PaymentContext::BillPayment => "Paying bills",
        PaymentContext::EcommerceGoods => "Goods bought online",
        PaymentContext::EcommerceServices => "Services bought online",
        PaymentContext::Other => "Something else",
        PaymentContext::PartyToParty => "Payments from one person to another",
    }
}

/// Whether the customer must authenticate for each payment, in words. Source: VRP-008.
fn asked(controls: &ControlParameters) -> &'static str {
    let methods = &controls.methods;
    match (methods.contains(&AuthenticationMethod::NotRequired), methods.contains(&AuthenticationMethod::Strong)) {
        (true, false) => "No. It can pay without asking you",
        (true, true) => "Not always. It can pay without asking you",
        (false, _) => "Yes, each time: the application must say that you have confirmed the payment",
    }
}

/// Whether the customer is present at each payment, in words. Source: VRP-009.
fn present(controls: &ControlParameters) -> Option<&'static str> {
    let may = &controls.interactions;
    match (may.contains(&InteractionType::InSession), may.contains(&InteractionType::OffSession)) {
        (true, false) => Some("Yes, as far as the application says: only while you are using it"),
        (false, true) => Some("No, as far as the application says: only while you are not using it"),
        (true, true) => Some("Not always, also while you are not using it"),
        (false, false) => None,
    }
}

/// The largest totals that the limits allow, on one day and by meaningful days. The whole total may be paid at once.
fn examples(vrp_limits: &VrpLimits<'_>, from: Date) -> Vec<String> {
    let controls = vrp_limits.controls();
    let on_a_day = controls.limits.iter().map(|limit| limit.amount.minor()).min().unwrap_or(0);
    let on_a_day = Amount::from_minor(on_a_day, controls.currency());
    let mut examples =
        vec![format!("Up to {} could be paid on one day, in one payment or in several.", money::amount(on_a_day))];
    let by = |last: Date| money::amount(vrp_limits.max_payable(from, last));
    let end_of_year = date(from.year(), 12, 31);
    let last = controls.valid_to.unwrap_or(Date::MAX);
    if end_of_year < last {
        examples.push(format!("Up to {1} could be paid by {0}.", short_day(end_of_year), by(end_of_year)));
    }
    let far = Date::new(from.year().saturating_add(YEARS_ADDED_UP), from.month(), 1).unwrap_or(Date::MAX);
    if last <= far {
        examples.push(format!("Up to {1} could be paid in total before it ends after {0}.", short_day(last), by(last)));
    } else {
        let year = from.saturating_add(1.year()).saturating_sub(1.day());
        examples.push(format!("Up to {1} could be paid in a full year, until {0}.", short_day(year), by(year)));
    }
    examples
}

impl LimitUsageView {
    pub(crate) fn of(standing: &LimitUsage, anchor: Date) -> Self {
        let allowed = standing.allowed;
        let used = standing.used;
        let hundredths = u128::from(used.minor()).saturating_mul(100).checked_div(u128::from(allowed.minor()));
        let percent = u64::try_from(hundredths.unwrap_or(100)).unwrap_or(100).min(100);
        let [used, allowed, left] = [used, allowed, standing.remaining()].map(money::amount);
        Self {
            limit: LimitView::of(&standing.limit, anchor).text,
            text: format!("{used} of {allowed} used, {left} left"),
            days: between(standing.window),
            percent,
        }
    }
}
