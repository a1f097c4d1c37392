//! The rules of notices, each by its id.

use super::*;
use jiff::SignedDuration;

fn at(text: &str) -> Timestamp {
    text.parse().unwrap()
}

fn content(message: &str) -> NoticeContent {
    NoticeContent {
        message: NoticeText::parse(message).unwrap(),
        reason: None,
        systems: vec![SystemName::parse("production").unwrap()],
        action: None,
    }
}

fn planned(from: &str, until: &str) -> Announcement {
    Announcement {
        is_change: false,
        impact: NoticeImpact::BusinessCritical,
        from: at(from),
        until: Some(at(until)),
        content: content("The database is moved."),
    }
}

fn given(now: &str, from: &str, until: &str) -> MaintenanceNotice {
    planned(from, until).give("n".into(), at(now), &[]).unwrap()
}

fn secs(notice: &MaintenanceNotice, now: &str) -> Vec<(i64, bool)> {
    let spans = notice.downtime(at(now));
    spans.iter().map(|span| (span.until.duration_since(span.from).as_secs(), span.is_planned)).collect()
}

const GIVEN: &str = "2026-03-02T12:00:00Z";
const FROM: &str = "2026-04-18T21:00:00Z";
const UNTIL: &str = "2026-04-19T01:00:00Z";

#[test]
fn dtn_004_a_period_lies_in_the_future_and_ends_after_it_begins() {
    let give = |from: &str, until: Option<&str>| {
        let announcement = Announcement { until: until.map(at), ..planned(from, UNTIL) };
        announcement.give("n".into(), at(GIVEN), &[]).map(drop)
    };
    assert_eq!(give(FROM, Some(UNTIL)), Ok(()));
    assert_eq!(give(GIVEN, Some(UNTIL)), Err(NoticeFault::BeginsInPast), "now is not in the future");
    assert_eq!(give(FROM, Some(FROM)), Err(NoticeFault::EndsBeforeBegin));
    assert_eq!(give(FROM, None), Err(NoticeFault::NoEnd));
    assert_eq!(give("2029-01-01T00:00:00Z", Some("2029-01-01T01:00:00Z")), Err(NoticeFault::TooFar));
    assert_eq!(give(FROM, Some("2029-01-01T00:00:00Z")), Err(NoticeFault::TooFar));
}

#[test]
fn dtn_004_a_period_that_overlaps_another_is_refused() {
    let known = given(GIVEN, FROM, UNTIL);
    let give = |from: &str, until: &str, open: &[MaintenanceNotice]| {
        planned(from, until).give("other".into(), at(GIVEN), open).map(drop)
    };
    let open = [known.clone()];
    let overlaps = Err(NoticeFault::Overlaps("n".into()));
    for (from, until) in [
        (FROM, UNTIL),
        ("2026-04-18T20:00:00Z", "2026-04-18T21:00:01Z"),
        ("2026-04-19T00:59:59Z", "2026-04-20T00:00:00Z"),
    ] {
        assert_eq!(give(from, until, &open), overlaps, "{from}");
    }
    assert_eq!(give("2026-04-18T20:00:00Z", FROM, &open), Ok(()), "one may end when the other begins");
    assert_eq!(give(UNTIL, "2026-04-20T00:00:00Z", &open), Ok(()));
    let degraded = MaintenanceNotice { impact: NoticeImpact::DegradedService, ..known.clone() };
    assert_eq!(give(FROM, UNTIL, &[degraded]), Ok(()), "that one stops nothing");
    let withdrawn = known.withdraw(at(GIVEN)).unwrap();
    assert_eq!(give(FROM, UNTIL, &[withdrawn]), Ok(()));
}

#[test]
fn dtn_004_a_notice_is_late_within_a_month_and_a_change_within_three() {
    for (now, late) in [("2026-03-18T21:00:00Z", false), ("2026-03-18T22:00:01Z", true), ("2026-04-18T20:59:59Z", true)]
    {
        assert_eq!(given(now, FROM, UNTIL).is_late(), late, "{now}: London is an hour ahead in April alone");
    }
    let change = |now: &str| {
        let announcement = Announcement { is_change: true, until: None, ..planned(FROM, UNTIL) };
        announcement.give("n".into(), at(now), &[]).unwrap()
    };
    assert!(!change("2026-01-18T21:00:00Z").is_late() && change("2026-01-19T21:00:00Z").is_late());
    let unplanned = MaintenanceNotice::begin_unannounced("u".into(), None, content("x"), at(GIVEN), &[]).unwrap();
    assert!(!unplanned.is_late(), "nobody could have announced it");
}

#[test]
fn dtn_005_a_notice_is_confirmed_five_working_days_before_its_begin() {
    let notice = given(GIVEN, FROM, UNTIL);
    // Saturday 18 April: the five days before it are Monday to Friday.
    assert_eq!(notice.confirmed_at(), at("2026-04-13T21:00:00Z"));
    assert_eq!(notice.status(at("2026-04-13T20:59:59Z")), NoticeStatus::Announced);
    assert_eq!(notice.status(at("2026-04-13T21:00:00Z")), NoticeStatus::Confirmed);
    // Good Friday and Easter Monday are no working days, and London's clock changes between the two times.
    let after_easter = given(GIVEN, "2026-04-07T09:00:00Z", "2026-04-07T10:00:00Z");
    assert_eq!(after_easter.confirmed_at(), at("2026-03-27T10:00:00Z"));
    let late = given("2026-04-17T12:00:00Z", FROM, UNTIL);
    assert_eq!(late.status(at("2026-04-17T12:00:00Z")), NoticeStatus::Confirmed, "at once");
}

#[test]
fn dtn_005_a_moved_notice_is_given_anew_and_a_withdrawn_one_never_begins() {
    let known = given(GIVEN, FROM, UNTIL);
    let later = "2026-04-10T12:00:00Z";
    let moved = planned("2026-05-16T21:00:00Z", "2026-05-17T01:00:00Z");
    let moved = moved.replace(&known, at(later), std::slice::from_ref(&known)).unwrap();
    assert_eq!((moved.id.as_str(), moved.given_at), ("n", at(later)));
    let withdrawn = known.clone().withdraw(at(later)).unwrap();
    assert_eq!(withdrawn.status(at(UNTIL)), NoticeStatus::Withdrawn);
    assert_eq!(secs(&withdrawn, UNTIL), []);
    for over in [withdrawn.clone(), known.clone().end(at(UNTIL)).unwrap()] {
        let again = planned("2026-06-01T00:00:00Z", "2026-06-01T01:00:00Z").replace(&over, at(UNTIL), &[]);
        assert_eq!(again, Err(NoticeFault::IsOver("n".into())));
        assert_eq!(over.clone().withdraw(at(UNTIL)), Err(NoticeFault::IsOver("n".into())));
        assert_eq!(over.end(at(UNTIL)), Err(NoticeFault::IsOver("n".into())));
    }
    assert_eq!(known.clone().withdraw(at(FROM)), Err(NoticeFault::HasBegun("n".into())));
    assert_eq!(known.end(at(later)), Err(NoticeFault::NotBegun("n".into())));
}

#[test]
fn dtn_006_announced_maintenance_is_in_force_until_it_is_ended() {
    let notice = given(GIVEN, FROM, UNTIL);
    let second = SignedDuration::from_secs(1);
    assert!(!notice.is_in_force(at(FROM).saturating_sub(second).unwrap()));
    for inside in [FROM, UNTIL, "2026-04-19T09:00:00Z"] {
        assert!(notice.is_in_force(at(inside)), "{inside}: also past its announced end");
    }
    let ended = notice.clone().end(at(UNTIL)).unwrap();
    assert!(!ended.is_in_force(at(UNTIL)) && !ended.is_in_force(at(FROM)), "also where a clock is behind");
    let early = notice.begin(at("2026-04-18T20:00:00Z"), &[]).unwrap();
    assert!(early.is_in_force(at("2026-04-18T19:59:50Z")), "also on a node whose clock is behind");
}

#[test]
fn dtn_006_what_stops_nothing_is_never_in_force_and_ends_by_itself() {
    let notice = given(GIVEN, FROM, UNTIL);
    let degraded = MaintenanceNotice { impact: NoticeImpact::DegradedService, ..notice.clone() };
    let change = MaintenanceNotice { kind: NoticeKind::Change, until: None, ..notice };
    for (informs, inside) in [(degraded, NoticeStatus::InProgress), (change, NoticeStatus::Ended)] {
        assert!(!informs.is_in_force(at(FROM)));
        assert_eq!((informs.status(at(FROM)), informs.status(at(UNTIL))), (inside, NoticeStatus::Ended));
        assert_eq!(secs(&informs, UNTIL), []);
        assert_eq!(informs.begin(at(GIVEN), &[]), Err(NoticeFault::StopsNothing("n".into())));
    }
}

#[test]
fn dtn_006_one_is_begun_at_a_time_and_the_one_in_force_is_ended() {
    let begin = |open: &[MaintenanceNotice]| {
        MaintenanceNotice::begin_unannounced("u".into(), None, content("Power failure."), at(FROM), open)
    };
    let unplanned = begin(&[]).unwrap();
    assert_eq!((unplanned.kind, unplanned.started_at), (NoticeKind::Unplanned, Some(at(FROM))));
    assert_eq!(begin(std::slice::from_ref(&unplanned)), Err(NoticeFault::InForce("u".into())));
    let notice = given(GIVEN, FROM, UNTIL);
    let open = [unplanned, notice];
    let only = |open: &[MaintenanceNotice]| MaintenanceNotice::only_in_force(open, at(FROM)).map(|it| it.id.clone());
    assert_eq!(only(&open), Err(NoticeFault::SeveralInForce(vec!["u".into(), "n".into()])));
    assert_eq!(only(&open[1..]), Ok("n".into()));
    assert_eq!(only(&[]), Err(NoticeFault::NoneInForce));
}

#[test]
fn mi_044_time_outside_the_announced_period_is_unplanned() {
    let notice = given(GIVEN, FROM, UNTIL);
    assert_eq!(secs(&notice, "2026-04-18T22:00:00Z"), [(3600, true)], "so far");
    assert_eq!(secs(&notice, GIVEN), [], "not yet");
    let ended = |begin: Option<&str>, end: &str| {
        let begun = match begin {
            Some(begin) => notice.clone().begin(at(begin), &[]).unwrap(),
            None => notice.clone(),
        };
        secs(&begun.end(at(end)).unwrap(), "2026-05-01T00:00:00Z")
    };
    assert_eq!(ended(None, "2026-04-18T23:00:00Z"), [(7200, true)], "early");
    assert_eq!(ended(None, UNTIL), [(14_400, true)]);
    assert_eq!(ended(None, "2026-04-19T02:00:00Z"), [(14_400, true), (3600, false)], "late");
    let begun_early = "2026-04-18T20:30:00Z";
    assert_eq!(ended(Some(begun_early), "2026-04-19T02:00:00Z"), [(1800, false), (14_400, true), (3600, false)]);
    assert_eq!(ended(Some(begun_early), "2026-04-18T20:45:00Z"), [(900, false)]);
    let unplanned = MaintenanceNotice::begin_unannounced("u".into(), Some(at(UNTIL)), content("x"), at(FROM), &[]);
    assert_eq!(secs(&unplanned.unwrap().end(at(UNTIL)).unwrap(), UNTIL), [(14_400, false)]);
}

#[test]
fn the_number_of_open_notices_and_their_texts_are_bounded() {
    let open: Vec<_> = (0..OPEN_NOTICES_MAX)
        .map(|number| MaintenanceNotice {
            id: number.to_string().into(),
            impact: NoticeImpact::General,
            ..given(GIVEN, FROM, UNTIL)
        })
        .collect();
    let more = planned(FROM, UNTIL);
    assert_eq!(more.clone().give("n".into(), at(GIVEN), &open), Err(NoticeFault::TooMany));
    assert!(more.give("n".into(), at(GIVEN), &open[1..]).is_ok());
    let longest = "é".repeat(NOTICE_TEXT_CHARS_MAX);
    assert_eq!(NoticeText::parse(&format!(" {longest} ")).as_deref(), Some(longest.as_str()));
    for text in ["", "  ", "two\nlines", &format!("{longest}é")] {
        assert_eq!(NoticeText::parse(text), None, "{text:?}");
    }
    assert!(SystemName::parse(&"s".repeat(SYSTEM_CHARS_MAX)).is_some_and(|it| it.len() == SYSTEM_CHARS_MAX));
    assert_eq!(SystemName::parse(&"s".repeat(SYSTEM_CHARS_MAX + 1)), None);
}
