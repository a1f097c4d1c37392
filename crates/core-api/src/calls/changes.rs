//! The methods by which server and core report changes to each other: changes of consents and of accounts.

use super::answers::{Answer, EmptyAnswer, OptionalRecord, RecordList};
use super::context::ConsentKinds;
use super::table::{calls, kinds};
use crate::form::shape::FormOf;
use crate::form::values::{AsciiKey, BoundedText};
use crate::form::words::{NamedForm, words};
use crate::objects;
use jiff::Timestamp;
use lombard_domain::event::AccountReason;
use lombard_domain::payment::vrp::ControlParameters;
use lombard_ports::bank::{AccountChange, ConsentChange, ConsentChangeKind, CoreState};

words! {
    AccountReason { Closure = "Closed" Cass = "Switched" }
    ConsentChangeKind { Authorised = "Authorised" Changed = "Changed" Revoked = "Revoked" Expired = "Expired" }
}

objects! {
    /// How a consent stands after a change.
    ConsentChange as "ConsentChange" {
        /// The consent.
        consent: required(AsciiKey<128>, "ConsentId");
        /// The kind of consent: access to accounts, confirmation of funds, or a payment product.
        kind: required(NamedForm<ConsentKinds>, "Kind");
        /// The number of the change. It rises with each change of the consent, with gaps; a core that has processed a higher
        /// number ignores the change.
        number: required(FormOf<i64>, "Number");
        /// When it was reported first, by the bank's clock.
        at: required(FormOf<Timestamp>, "DateTime");
        /// What became of the consent: authorised for the first time; changed while it is authorised, or authorised again; revoked by
        /// customer, bank or TPP; or expired.
        change: required(FormOf<ConsentChangeKind>, "Change");
        /// The customer who authorised it.
        psu: optional(BoundedText<255>, "PSU");
        /// The accounts it gives access to, or from which it allows payments.
        accounts: list(AsciiKey<40>, "AccountId");
        /// The limits of a VRP consent.
        limits: optional(FormOf<ControlParameters>, "ControlParameters");
        /// When it expires, by the bank's clock.
        expires_at: optional(FormOf<Timestamp>, "ExpirationDateTime");
    }

    /// A change of an account after which it is not accessible to third parties any more.
    AccountChange as "AccountChange" {
        /// The number of the change over the whole bank, from 1 without gaps. A number is never reused.
        number: required(FormOf<u64>, "Number");
        /// The account.
        account: required(AsciiKey<40>, "AccountId");
        /// When it happened, by the bank's clock.
        at: required(FormOf<Timestamp>, "DateTime");
        /// The reason that is reported to TPPs; absent for an account that is blocked.
        reason: optional(FormOf<AccountReason>, "Reason");
        /// The x-fapi-interaction-id of the request to this bank in which it happened, if there was one. It is reported to TPPs
        /// as the cause.
        interaction_id: optional(BoundedText<128>, "InteractionId");
    }
}

kinds! {
    StateKind: CoreState, FormOf<CoreState>, "CoreState", "What the core sets on the consent. Without it, what was set before stays.";
    AccountChangeKind: AccountChange, FormOf<AccountChange>, "AccountChange", "The changes.";
}

calls! {
    /// Reports a change of a consent to the core, so that it can hold mandates. A change is reported until it is answered, so the
    /// same change may come again, and an earlier one after a later one: a change with a lower number than one that was taken is
    /// to be ignored.
    ReportConsentChange "consent-change" for report_consent_change, Idempotent, 15,
    "Changes may come in any order; the number says which is the latest." {
        /// The change.
        change: ConsentChange, flat(ConsentChange);
    } -> Answer<OptionalRecord<StateKind>>

    /// The changes of accounts that are not acknowledged: accounts that were closed, switched or blocked. The server tells the TPPs whose
    /// consents select the account, once for each number. A change is stored in the transaction that changes the account, and is answered
    /// until it is acknowledged.
    FetchAccountChanges "account-changes" for fetch_account_changes, Reads, 15,
    "The changes come by number. A change is answered only when no earlier one can appear any more: the server ignores a number below one that it has taken." {
        /// The largest number of changes in the answer.
        limit: u32, required(FormOf<u32>, "Limit");
    } -> Answer<RecordList<AccountChangeKind>>

    /// Acknowledges the changes of accounts up to a number. They are not answered again. A number that is acknowledged already is no error.
    AcknowledgeAccountChanges "acknowledge-account-changes" for acknowledge_account_changes, Idempotent, 15, "" {
        /// The number of the last change that the server has applied.
        upto: u64, required(FormOf<u64>, "Number");
    } -> Answer<EmptyAnswer>
}
