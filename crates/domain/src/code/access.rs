//! The stored codes of the enumerations of clients, consents, tokens, sessions and events.

use super::StoredCode;
use crate::authentication::AuthenticationFactor;
use crate::backchannel::BackchannelState;
use crate::client::ClientStatus;
use crate::consent::{ConsentKind, ConsentState, ConsentStatusReason, RevokedBy};
use crate::event::{AccountReason, EventType};
use crate::grant::{JourneyStage, TokenKind};
use crate::payment::order::PaymentProduct;
use crate::session::SessionStage;
use crate::version::Version;

document_codes! {
    ClientStatus { Active = "active", Disabled = "disabled", Deleted = "deleted", }
    Version { V3_1 = "v3.1", V4_0 = "v4.0", }
    TokenKind { Access = "access", Refresh = "refresh", }
    JourneyStage {
        Login = "login", SecondFactor = "second-factor", Decision = "decision", Finished = "finished",
    }
    BackchannelState {
        Pending = "pending", Denied = "denied", Authorised = "authorised", Redeemed = "redeemed",
    }
    AuthenticationFactor { Knowledge = "knowledge", Possession = "possession", Inherence = "inherence", }
    SessionStage { SecondFactor = "second-factor", Open = "open", Replaced = "replaced", }
    EventType {
        ResourceUpdate = "resource-update", ConsentAuthorizationRevoked = "consent-authorization-revoked",
        LinkedAccountUpdate = "linked-account-update", VrpLinkedAccountUpdate = "vrp-linked-account-update",
    }
    ConsentStatusReason {
        InsufficientFunds = "insufficient-funds", NotKnown = "not-known", CredentialUnusable = "credential-unusable",
        AfterCutOff = "after-cut-off", RateExpired = "rate-expired", AfterCompletionDate = "after-completion-date",
        UndecidedTooLong = "undecided-too-long", DebtorAccountUnusable = "debtor-account-unusable",
        TooManyAuthorisers = "too-many-authorisers", FileInvalid = "file-invalid", FileControlSum = "file-control-sum",
        FileCount = "file-count",
    }
    AccountReason { Closure = "closure", Cass = "cass", }
}

codes! {
    ConsentState {
        ConsentState::AwaitingUpload => "awaiting-upload" => ConsentState::AwaitingUpload,
        ConsentState::AwaitingAuthorisation => "awaiting-authorisation" => ConsentState::AwaitingAuthorisation,
        ConsentState::Authorised => "authorised" => ConsentState::Authorised,
        ConsentState::Rejected => "rejected" => ConsentState::Rejected,
        ConsentState::Consumed => "consumed" => ConsentState::Consumed,
        ConsentState::Revoked(RevokedBy::Psu) => "revoked-by-psu" => ConsentState::Revoked(RevokedBy::Psu),
        ConsentState::Revoked(RevokedBy::Bank) => "revoked-by-bank" => ConsentState::Revoked(RevokedBy::Bank),
    }
}

impl StoredCode for ConsentKind {
    fn code(&self) -> &'static str {
        self.name()
    }

    fn from_code(word: &str) -> Option<Self> {
        let payments = PaymentProduct::ALL.into_iter().map(Self::Payment);
        [Self::AccountAccess, Self::FundsConfirmation].into_iter().chain(payments).find(|kind| kind.name() == word)
    }
}
