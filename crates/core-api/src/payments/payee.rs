//! The result of Confirmation of Payee.

use crate::form::schema::MemberList;
use crate::form::shape::{FormOf, MemberReader, MemberWriter, ObjectForm};
use crate::form::values::BoundedText;
use crate::form::words::words;
use lombard_domain::payment::order::{PayeeConfirmation, UnconfirmedReason};

/// The kinds of result of Confirmation of Payee.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum PayeeOutcome {
    Match,
    CloseMatch,
    NoMatch,
    Unavailable,
}

words! {
    PayeeOutcome { Match = "Match" CloseMatch = "CloseMatch" NoMatch = "NoMatch" Unavailable = "Unavailable" }
    UnconfirmedReason {
        AccountNotFound = "AccountNotFound" BankNotTakingPart = "BankNotTakingPart" TimedOut = "TimedOut"
        Failed = "Failed" NotOffered = "NotOffered"
    }
}

impl ObjectForm for PayeeConfirmation {
    type Value = Self;

    const ABOUT: &'static str = "What the payee's bank says of a name and an account number.";

    fn name() -> String {
        "PayeeConfirmation".to_owned()
    }

    fn describe(list: &mut MemberList<'_>) {
        list.required::<FormOf<PayeeOutcome>>("Outcome", "Whether the name is that of the account.");
        let about = "The name of the account, at most 350 characters; with CloseMatch only. The customer is shown it.";
        list.optional::<BoundedText<350>>("Name", about);
        list.optional::<FormOf<UnconfirmedReason>>(
            "Reason",
            "Why the name could not be checked; with Unavailable only.",
        );
    }

    fn parse_members(members: &mut MemberReader<'_, '_>) -> Option<Self> {
        let outcome = members.required::<PayeeOutcome, FormOf<PayeeOutcome>>("Outcome");
        let name = members.optional::<String, BoundedText<350>>("Name");
        let reason = members.optional::<UnconfirmedReason, FormOf<UnconfirmedReason>>("Reason");
        match (outcome?, name?, reason?) {
            (PayeeOutcome::Match, None, None) => Some(Self::Match),
            (PayeeOutcome::CloseMatch, Some(name), None) => Some(Self::CloseMatch { name }),
            (PayeeOutcome::NoMatch, None, None) => Some(Self::NoMatch),
            (PayeeOutcome::Unavailable, None, Some(reason)) => Some(Self::Unavailable(reason)),
            (PayeeOutcome::Match | PayeeOutcome::NoMatch, ..) => {
                members.reader.fault(members.at, "Match and NoMatch have neither Name nor Reason.")
            }
            (PayeeOutcome::CloseMatch, ..) => members.reader.fault(members.at, "CloseMatch has Name and no Reason."),
            (PayeeOutcome::Unavailable, ..) => members.reader.fault(members.at, "Unavailable has Reason and no Name."),
        }
    }

    fn write_members(value: &Self, object: &mut MemberWriter) {
        let mut outcome = |outcome| object.required::<_, FormOf<PayeeOutcome>>("Outcome", &outcome);
        match value {
            Self::Match => outcome(PayeeOutcome::Match),
            Self::CloseMatch { name } => {
                outcome(PayeeOutcome::CloseMatch);
                object.required::<_, BoundedText<350>>("Name", name);
            }
            Self::NoMatch => outcome(PayeeOutcome::NoMatch),
            Self::Unavailable(reason) => {
                outcome(PayeeOutcome::Unavailable);
                object.required::<_, FormOf<UnconfirmedReason>>("Reason", reason);
            }
        }
    }
}
