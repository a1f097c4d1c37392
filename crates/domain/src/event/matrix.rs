//! The matrix of the standard, as data: which change raises which event types. Source: section 2.4 of the rules,
//! SET-030 to SET-036.

use crate::ids::AccountId;
use crate::scope::Scope;
use crate::version::Version;
use std::sync::Arc;

/// An event type; each is a member of a SET's `events`. Source: SET-030, SET-033.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum EventType {
    /// The representation returned by a GET of the resource has changed.
    ResourceUpdate,
    /// Access was revoked at the bank.
    ConsentAuthorizationRevoked,
    /// An account of an account-access consent changed.
    LinkedAccountUpdate,
    /// The debtor account of a VRP consent cannot be used.
    VrpLinkedAccountUpdate,
}

crate::code::document_codes! {
    EventType {
        ResourceUpdate = "resource-update", ConsentAuthorizationRevoked = "consent-authorization-revoked",
        LinkedAccountUpdate = "linked-account-update", VrpLinkedAccountUpdate = "vrp-linked-account-update",
    }
}

/// Why an account changed, where the standard has a code for it. Source: SET-040.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum AccountReason {
    /// The account was closed.
    Closure,
    /// The account was moved to another bank by the Current Account Switch Service.
    Cass,
}

crate::code::document_codes! {
    AccountReason { Closure = "closure", Cass = "cass", }
}

/// A change of a resource that its own client did not make in the same request (SET-035).
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ChangeKind {
    /// The PSU authorised the consent for the first time.
    Authorised,
    /// The consent was rejected, by the PSU or by the server after a deadline had passed.
    Rejected,
    /// Access under the consent was revoked at the bank, by the PSU or by the bank itself.
    Revoked,
    /// The expiration of the consent has passed.
    Expired,
    /// The PSU authorised the consent again after a revocation.
    Reauthenticated,
    /// An account under an account-access consent was closed, switched, blocked, deselected or added.
    AccountChanged {
        /// The `AccountId` by which the TPP knows the account.
        account: AccountId,
        /// The reason, if the standard has a code for it.
        reason: Option<AccountReason>,
    },
    /// The debtor account of a VRP consent cannot be used.
    DebtorAccountUnusable {
        /// The reason, if the standard has a code for it.
        reason: Option<AccountReason>,
    },
    /// A status that a GET of the order shows has changed. Source: SET-036.
    StatusChanged,
    /// The report file of a file payment is available.
    ReportReady,
}

/// The resource that a change affects.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EventResource {
    /// The kind of the resource.
    pub kind: ResourceType,
    /// Its id, as in its address.
    pub id: Arc<str>,
    /// The version in which it was created.
    pub version: Version,
}

/// Kinds of resource with the same event rules.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum ResourceFamily {
    AccountAccess,
    FundsConfirmation,
    Vrp,
    PaymentConsent,
    Order,
    /// Changes of the resource raise events only for the consents above it.
    WithoutEvents,
}

macro_rules! resource_types {
    ($($(#[$doc:meta])* $name:ident: $family:ident, $scope:ident, $rty:literal, $path:literal;)*) => {
        /// A kind of resource that events can refer to.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        pub enum ResourceType { $($(#[$doc])* $name,)* }

        impl ResourceType {
            /// Every kind.
            pub const ALL: &'static [Self] = &[$(Self::$name),*];

            /// The `rty`: the singular name, or the name that the standard's documents print. Source: SET-023.
            pub const fn name(self) -> &'static str {
                match self { $(Self::$name => $rty,)* }
            }

            /// The path of its collection below the version. Source: SET-024.
            pub const fn path(self) -> &'static str {
                match self { $(Self::$name => $path,)* }
            }

            /// The scope with which it is created.
            pub const fn scope(self) -> Scope {
                match self { $(Self::$name => Scope::$scope,)* }
            }

            const fn family(self) -> ResourceFamily {
                match self { $(Self::$name => ResourceFamily::$family,)* }
            }
        }
    };
}

resource_types! {
    /// Account-access consent.
    AccountAccessConsent: AccountAccess, Accounts, "account-access-consent", "/aisp/account-access-consents";
    /// Account.
    Account: WithoutEvents, Accounts, "accounts", "/aisp/accounts";
    /// Consent to confirm funds.
    FundsConfirmationConsent: FundsConfirmation, FundsConfirmations, "funds-confirmation-consents",
        "/cbpii/funds-confirmation-consents";
    /// Consent to variable recurring payments.
    DomesticVrpConsent: Vrp, Payments, "domestic-vrp-consents", "/pisp/domestic-vrp-consents";
    /// Consent to a domestic payment.
    DomesticPaymentConsent: PaymentConsent, Payments, "domestic-payment-consent", "/pisp/domestic-payment-consents";
    /// Consent to a scheduled domestic payment.
    DomesticScheduledPaymentConsent: PaymentConsent, Payments, "domestic-scheduled-payment-consent",
        "/pisp/domestic-scheduled-payment-consents";
    /// Consent to a domestic standing order.
    DomesticStandingOrderConsent: PaymentConsent, Payments, "domestic-standing-order-consent",
        "/pisp/domestic-standing-order-consents";
    /// Consent to an international payment.
    InternationalPaymentConsent: PaymentConsent, Payments, "international-payment-consent",
        "/pisp/international-payment-consents";
    /// Consent to a scheduled international payment.
    InternationalScheduledPaymentConsent: PaymentConsent, Payments, "international-scheduled-payment-consent",
        "/pisp/international-scheduled-payment-consents";
    /// Consent to an international standing order.
    InternationalStandingOrderConsent: PaymentConsent, Payments, "international-standing-order-consent",
        "/pisp/international-standing-order-consents";
    /// Consent to a file of payments.
    FilePaymentConsent: PaymentConsent, Payments, "file-payment-consent", "/pisp/file-payment-consents";
    /// Domestic payment.
    DomesticPayment: Order, Payments, "domestic-payment", "/pisp/domestic-payments";
    /// Scheduled domestic payment.
    DomesticScheduledPayment: Order, Payments, "domestic-scheduled-payment", "/pisp/domestic-scheduled-payments";
    /// Domestic standing order.
    DomesticStandingOrder: Order, Payments, "domestic-standing-order", "/pisp/domestic-standing-orders";
    /// International payment.
    InternationalPayment: Order, Payments, "international-payment", "/pisp/international-payments";
    /// Scheduled international payment.
    InternationalScheduledPayment: Order, Payments, "international-scheduled-payment",
        "/pisp/international-scheduled-payments";
    /// International standing order.
    InternationalStandingOrder: Order, Payments, "international-standing-order", "/pisp/international-standing-orders";
    /// File of payments.
    FilePayment: Order, Payments, "file-payment", "/pisp/file-payments";
    /// Payment under a VRP consent.
    DomesticVrp: Order, Payments, "domestic-vrp", "/pisp/domestic-vrps";
}

impl ResourceType {
    /// Whether only the version in which the resource was created serves it. A consent to a single payment cannot be used in
    /// another version. Source: PIS-160.
    pub(super) const fn stays_in_its_version(self) -> bool {
        matches!(self.family(), ResourceFamily::PaymentConsent)
    }
}

/// A [`ChangeKind`] without its fields.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum ChangeShape {
    Decided,
    Revoked,
    Expired,
    Reauthenticated,
    AccountChanged,
    DebtorAccountUnusable,
    StatusChanged,
    ReportReady,
}

impl ChangeKind {
    const fn shape(&self) -> ChangeShape {
        match self {
            Self::Authorised | Self::Rejected => ChangeShape::Decided,
            Self::Revoked => ChangeShape::Revoked,
            Self::Expired => ChangeShape::Expired,
            Self::Reauthenticated => ChangeShape::Reauthenticated,
            Self::AccountChanged { .. } => ChangeShape::AccountChanged,
            Self::DebtorAccountUnusable { .. } => ChangeShape::DebtorAccountUnusable,
            Self::StatusChanged => ChangeShape::StatusChanged,
            Self::ReportReady => ChangeShape::ReportReady,
        }
    }

    /// Why an account changed; `None` for other changes, and if the standard has no code for it.
    pub const fn reason(&self) -> Option<AccountReason> {
        match self {
            Self::AccountChanged { reason, .. } | Self::DebtorAccountUnusable { reason } => *reason,
            Self::Authorised
            | Self::Rejected
            | Self::Revoked
            | Self::Expired
            | Self::Reauthenticated
            | Self::StatusChanged
            | Self::ReportReady => None,
        }
    }
}

/// A row of the matrix: the event types that a change raises for a resource created in v3.1, and for one created in
/// v4.0.
struct EventRule {
    family: ResourceFamily,
    shape: ChangeShape,
    v3_1: &'static [EventType],
    v4_0: &'static [EventType],
}

const fn row(
    family: ResourceFamily,
    shape: ChangeShape,
    v3_1: &'static [EventType],
    v4_0: &'static [EventType],
) -> EventRule {
    EventRule { family, shape, v3_1, v4_0 }
}

const UPDATE: &[EventType] = &[EventType::ResourceUpdate];
const REVOKED: &[EventType] = &[EventType::ConsentAuthorizationRevoked];
const UPDATE_AND_REVOKED: &[EventType] = &[EventType::ResourceUpdate, EventType::ConsentAuthorizationRevoked];
const LINKED_ACCOUNT: &[EventType] = &[EventType::LinkedAccountUpdate];
const VRP_ACCOUNT: &[EventType] = &[EventType::VrpLinkedAccountUpdate];

/// A change that is not listed raises no event.
const MATRIX: &[EventRule] = &[
    row(ResourceFamily::AccountAccess, ChangeShape::Decided, UPDATE, UPDATE),
    // In v3.1 the status stays `Authorised`, so the representation has not changed.
    row(ResourceFamily::AccountAccess, ChangeShape::Revoked, REVOKED, UPDATE_AND_REVOKED),
    row(ResourceFamily::AccountAccess, ChangeShape::AccountChanged, LINKED_ACCOUNT, LINKED_ACCOUNT),
    row(ResourceFamily::AccountAccess, ChangeShape::Expired, &[], UPDATE),
    row(ResourceFamily::AccountAccess, ChangeShape::Reauthenticated, &[], UPDATE),
    row(ResourceFamily::FundsConfirmation, ChangeShape::Decided, UPDATE, UPDATE),
    row(ResourceFamily::FundsConfirmation, ChangeShape::Revoked, UPDATE_AND_REVOKED, UPDATE_AND_REVOKED),
    row(ResourceFamily::FundsConfirmation, ChangeShape::Expired, &[], UPDATE),
    row(ResourceFamily::Vrp, ChangeShape::Decided, UPDATE, UPDATE),
    row(ResourceFamily::Vrp, ChangeShape::Revoked, REVOKED, UPDATE_AND_REVOKED),
    row(ResourceFamily::Vrp, ChangeShape::DebtorAccountUnusable, VRP_ACCOUNT, VRP_ACCOUNT),
    row(ResourceFamily::Vrp, ChangeShape::Expired, &[], UPDATE),
    row(ResourceFamily::PaymentConsent, ChangeShape::Decided, UPDATE, UPDATE),
    row(ResourceFamily::Order, ChangeShape::StatusChanged, UPDATE, UPDATE),
    row(ResourceFamily::Order, ChangeShape::ReportReady, UPDATE, UPDATE),
];

impl EventResource {
    /// The event types that a change of this kind of resource raises; empty if none.
    pub fn events_for(&self, change: &ChangeKind) -> &'static [EventType] {
        let family = self.kind.family();
        let shape = change.shape();
        let found = MATRIX.iter().find(|row| row.family == family && row.shape == shape);
        found.map_or(&[], |row| match self.version {
            Version::V3_1 => row.v3_1,
            Version::V4_0 => row.v4_0,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn raised(kind: ResourceType, version: Version, change: ChangeKind) -> &'static [EventType] {
        EventResource { kind, id: "r".into(), version }.events_for(&change)
    }

    #[test]
    fn set_031_a_revocation_comes_with_an_update_where_the_status_shows_it() {
        use ResourceType::{AccountAccessConsent, DomesticVrpConsent, FundsConfirmationConsent};
        for (kind, v3_1) in [
            (AccountAccessConsent, REVOKED),
            (DomesticVrpConsent, REVOKED),
            (FundsConfirmationConsent, UPDATE_AND_REVOKED),
        ] {
            assert_eq!(raised(kind, Version::V3_1, ChangeKind::Revoked), v3_1, "{kind:?}");
            assert_eq!(raised(kind, Version::V4_0, ChangeKind::Revoked), UPDATE_AND_REVOKED, "{kind:?}");
        }
    }

    #[test]
    fn the_end_of_a_consent_shows_in_v4_0_alone() {
        for kind in ResourceType::ALL {
            assert_eq!(raised(*kind, Version::V3_1, ChangeKind::Expired), &[]);
        }
        assert_eq!(raised(ResourceType::AccountAccessConsent, Version::V4_0, ChangeKind::Expired), UPDATE);
        assert_eq!(raised(ResourceType::AccountAccessConsent, Version::V3_1, ChangeKind::Reauthenticated), &[]);
        assert_eq!(raised(ResourceType::AccountAccessConsent, Version::V4_0, ChangeKind::Reauthenticated), UPDATE);
        assert_eq!(raised(ResourceType::DomesticPaymentConsent, Version::V4_0, ChangeKind::Expired), &[]);
    }

    #[test]
    fn accounts_themselves_raise_no_events_and_orders_those_of_their_status() {
        for change in [ChangeKind::Authorised, ChangeKind::Revoked, ChangeKind::StatusChanged] {
            assert_eq!(raised(ResourceType::Account, Version::V4_0, change), &[]);
        }
        let orders: Vec<_> = ResourceType::ALL.iter().filter(|kind| kind.family() == ResourceFamily::Order).collect();
        assert_eq!(orders.len(), 8);
        for order in orders {
            assert_eq!(raised(*order, Version::V3_1, ChangeKind::StatusChanged), UPDATE);
        }
        let consents = ResourceType::ALL.iter().filter(|kind| kind.family() == ResourceFamily::PaymentConsent).count();
        assert_eq!(consents, 7);
    }

    /// The `rty` of table 2.4, and where the standard has each resource.
    #[test]
    fn set_023_the_types_and_places_are_those_of_the_table() {
        let told: Vec<_> = ResourceType::ALL.iter().map(|kind| (kind.name(), kind.path(), kind.scope())).collect();
        let expected = [
            ("account-access-consent", "/aisp/account-access-consents", Scope::Accounts),
            ("accounts", "/aisp/accounts", Scope::Accounts),
            ("funds-confirmation-consents", "/cbpii/funds-confirmation-consents", Scope::FundsConfirmations),
            ("domestic-vrp-consents", "/pisp/domestic-vrp-consents", Scope::Payments),
            ("domestic-payment-consent", "/pisp/domestic-payment-consents", Scope::Payments),
            ("domestic-scheduled-payment-consent", "/pisp/domestic-scheduled-payment-consents", Scope::Payments),
            ("domestic-standing-order-consent", "/pisp/domestic-standing-order-consents", Scope::Payments),
            ("international-payment-consent", "/pisp/international-payment-consents", Scope::Payments),
            (
                "international-scheduled-payment-consent",
                "/pisp/international-scheduled-payment-consents",
                Scope::Payments,
            ),
            ("international-standing-order-consent", "/pisp/international-standing-order-consents", Scope::Payments),
            ("file-payment-consent", "/pisp/file-payment-consents", Scope::Payments),
            ("domestic-payment", "/pisp/domestic-payments", Scope::Payments),
            ("domestic-scheduled-payment", "/pisp/domestic-scheduled-payments", Scope::Payments),
            ("domestic-standing-order", "/pisp/domestic-standing-orders", Scope::Payments),
            ("international-payment", "/pisp/international-payments", Scope::Payments),
            ("international-scheduled-payment", "/pisp/international-scheduled-payments", Scope::Payments),
            ("international-standing-order", "/pisp/international-standing-orders", Scope::Payments),
            ("file-payment", "/pisp/file-payments", Scope::Payments),
            ("domestic-vrp", "/pisp/domestic-vrps", Scope::Payments),
        ];
        assert_eq!(told, expected);
    }

    /// Table 2.4 as a whole: the events that each change raises, for resources created in v3.1 and in v4.0.
    #[test]
    fn set_030_to_036_the_table_of_the_standard() {
        use ResourceType::{
            Account, AccountAccessConsent, DomesticPayment, DomesticPaymentConsent, DomesticVrpConsent,
            FundsConfirmationConsent,
        };
        let linked = || ChangeKind::AccountChanged { account: "a".into(), reason: None };
        let unusable = || ChangeKind::DebtorAccountUnusable { reason: None };
        let change_kinds = [
            ChangeKind::Authorised,
            ChangeKind::Rejected,
            ChangeKind::Revoked,
            ChangeKind::Expired,
            ChangeKind::Reauthenticated,
            linked(),
            unusable(),
            ChangeKind::StatusChanged,
            ChangeKind::ReportReady,
        ];
        let (update, revoked, both): (&[_], &[_], &[_]) = (
            &[EventType::ResourceUpdate],
            &[EventType::ConsentAuthorizationRevoked],
            &[EventType::ResourceUpdate, EventType::ConsentAuthorizationRevoked],
        );
        // For each kind: the events of each change above, in v3.1 and in v4.0. A change that is not listed raises none.
        type Told<'a> = Vec<(ChangeKind, &'a [EventType], &'a [EventType])>;
        let told: [(ResourceType, Told<'_>); 6] = [
            (
                AccountAccessConsent,
                vec![
                    (ChangeKind::Authorised, update, update),
                    (ChangeKind::Rejected, update, update),
                    (ChangeKind::Revoked, revoked, both),
                    (ChangeKind::Expired, &[], update),
                    (ChangeKind::Reauthenticated, &[], update),
                    (linked(), &[EventType::LinkedAccountUpdate], &[EventType::LinkedAccountUpdate]),
                ],
            ),
            (
                FundsConfirmationConsent,
                vec![
                    (ChangeKind::Authorised, update, update),
                    (ChangeKind::Rejected, update, update),
                    (ChangeKind::Revoked, both, both),
                    (ChangeKind::Expired, &[], update),
                ],
            ),
            (
                DomesticVrpConsent,
                vec![
                    (ChangeKind::Authorised, update, update),
                    (ChangeKind::Rejected, update, update),
                    (ChangeKind::Revoked, revoked, both),
                    (ChangeKind::Expired, &[], update),
                    (unusable(), &[EventType::VrpLinkedAccountUpdate], &[EventType::VrpLinkedAccountUpdate]),
                ],
            ),
            (
                DomesticPaymentConsent,
                vec![(ChangeKind::Authorised, update, update), (ChangeKind::Rejected, update, update)],
            ),
            (
                DomesticPayment,
                vec![(ChangeKind::StatusChanged, update, update), (ChangeKind::ReportReady, update, update)],
            ),
            (Account, vec![]),
        ];
        for (kind, rows) in told {
            for change in &change_kinds {
                let row = rows.iter().find(|(it, ..)| it == change);
                let expected = row.map_or((&[][..], &[][..]), |(_, v3_1, v4_0)| (*v3_1, *v4_0));
                let found = [Version::V3_1, Version::V4_0].map(|it| raised(kind, it, change.clone()));
                assert_eq!((found[0], found[1]), expected, "{kind:?} {change:?}");
            }
        }
    }

    #[test]
    fn every_row_is_unique() {
        for (at, row) in MATRIX.iter().enumerate() {
            assert!(!MATRIX.iter().skip(at + 1).any(|other| other.family == row.family && other.shape == row.shape));
        }
    }
}
