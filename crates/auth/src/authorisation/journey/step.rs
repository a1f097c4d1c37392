//! The result of a step of a journey.

use crate::authorisation::response::Redirect;
use crate::browser::BrowserSecret;
use crate::devices::DeviceCookie;
use lombard_domain::consent::ConsentKind;
use lombard_domain::ids::ConsentId;

/// What a step led to.
#[derive(Debug)]
pub enum JourneyStep {
    /// On to the next page, with a new secret for the browser. Source: AS-143.
    NextPage(BrowserSecret),
    /// The same after both factors were right, with what the browser keeps of it.
    Authenticated(BrowserSecret, DeviceCookie),
    /// On to the bank's identity provider, at this address.
    ToProvider(String),
    /// The page is shown again with this notice.
    SamePage(JourneyNotice),
    /// The journey is over with an approval that is stored: the client is answered.
    Approved(ApprovedConsent, Redirect),
    /// The journey is over without one: the client is answered.
    Redirect(Redirect),
}

/// The consent that a customer has approved.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ApprovedConsent {
    /// Its id.
    pub id: ConsentId,
    /// Its kind.
    pub kind: ConsentKind,
}

/// Why a page is shown again.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum JourneyNotice {
    /// Name and password do not belong together. The same for an unknown name. Source: AS-143.
    WrongPassword,
    /// The one-time code is not the one asked for.
    WrongCode,
    /// What the identity provider answered cannot be accepted.
    ProviderRefused,
    /// No account was chosen, or more than one to pay from. Source: AIS-080, PIS-032.
    NoAccount,
    /// The choice is not among the accounts on offer (any more). Source: AS-133.
    OtherAccounts,
    /// The account chosen does not hold enough for the payment; who chooses it again may pay from it. Source: ERR-003.
    NotEnoughFunds,
}
