//! The result of a step of a journey.

use crate::authorisation::response::Redirect;
use crate::browser::BrowserSecret;
use crate::devices::DeviceCookie;
use lombard_domain::consent::ConsentKind;
use lombard_domain::ids::ConsentId;

/// The result of a step of a journey.
#[derive(Debug)]
pub enum JourneyStep {
    /// The next page is shown; the browser gets a new secret. Source: AS-143.
    NextPage(BrowserSecret),
    /// As `NextPage`, after both factors were correct; the browser also gets a cookie that marks it as known.
    Authenticated(BrowserSecret, DeviceCookie),
    /// The browser is sent to the bank's identity provider, at this address.
    RedirectToProvider(String),
    /// The page is shown again with this notice.
    SamePage(JourneyNotice),
    /// The journey ended with a stored approval; the browser is redirected to the client.
    Approved(ApprovedConsent, Redirect),
    /// The journey ended without an approval; the browser is redirected to the client.
    Redirect(Redirect),
}

/// The consent that a customer has approved.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ApprovedConsent {
    /// The id of the consent.
    pub id: ConsentId,
    /// The kind of the consent.
    pub kind: ConsentKind,
}

/// Why a page is shown again.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum JourneyNotice {
    /// The password is wrong or the name is unknown; both give the same notice. Source: AS-143.
    WrongPassword,
    /// The one-time code is wrong.
    WrongCode,
    /// The answer of the identity provider cannot be accepted.
    ProviderRefused,
    /// No account was chosen, or more than one to pay from. Source: AIS-080, PIS-032.
    NoAccount,
    /// A chosen account is not, or is no longer, among the accounts on offer. Source: AS-133.
    OtherAccounts,
    /// The chosen account does not hold enough for the payment; the PSU may choose it again and pay from it. Source: ERR-003.
    NotEnoughFunds,
}
