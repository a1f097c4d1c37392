//! The permission codes of account information. Source: AIS-030 to AIS-039, table T7.

use crate::refusal::{Fault, FaultCode, Field};
use serde::{Deserialize, Serialize, Serializer};
use std::fmt;

macro_rules! permissions {
    ($($(#[$doc:meta])* $name:ident = $bit:literal;)*) => {
        /// A permission code; its name is the code on the wire in every version.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        pub enum Permission { $($(#[$doc])* $name,)* }

        impl Permission {
            /// Every code of the standard.
            pub const ALL: &'static [Self] = &[$(Self::$name,)*];

            /// The code.
            pub const fn name(self) -> &'static str {
                match self { $(Self::$name => stringify!($name),)* }
            }

            const fn bit(self) -> u32 {
                match self { $(Self::$name => 1 << $bit,)* }
            }
        }
    };
}

permissions! {
    /// Accounts, without account numbers.
    ReadAccountsBasic = 0;
    /// Accounts, with account numbers.
    ReadAccountsDetail = 1;
    /// Balances.
    ReadBalances = 2;
    /// Beneficiaries without their accounts.
    ReadBeneficiariesBasic = 3;
    /// Beneficiaries with their accounts.
    ReadBeneficiariesDetail = 4;
    /// Direct debits.
    ReadDirectDebits = 5;
    /// Offers.
    ReadOffers = 6;
    /// Card numbers in clear.
    ReadPAN = 7;
    /// The parties to an account.
    ReadParty = 8;
    /// The person who authorised the consent.
    ReadPartyPSU = 9;
    /// Products.
    ReadProducts = 10;
    /// Scheduled payments without the payee's account.
    ReadScheduledPaymentsBasic = 11;
    /// Scheduled payments with the payee's account.
    ReadScheduledPaymentsDetail = 12;
    /// Standing orders without the payee's account.
    ReadStandingOrdersBasic = 13;
    /// Standing orders with the payee's account.
    ReadStandingOrdersDetail = 14;
    /// Statements without amounts.
    ReadStatementsBasic = 15;
    /// Statements with amounts, and their files.
    ReadStatementsDetail = 16;
    /// Transactions, without the counterparty.
    ReadTransactionsBasic = 17;
    /// Credit entries.
    ReadTransactionsCredits = 18;
    /// Debit entries.
    ReadTransactionsDebits = 19;
    /// Transactions, with the counterparty.
    ReadTransactionsDetail = 20;
}

impl Permission {
    /// The permission with this exact, case-sensitive code. Source: AIS-030.
    pub fn from_name(text: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|permission| permission.name() == text)
    }
}

/// A set of permissions. Order and repetitions are kept only in the submitted `Data` (AIS-018).
#[derive(Clone, Copy, PartialEq, Eq, Default, Hash, Deserialize)]
#[serde(from = "u32")]
pub struct Permissions(u32);

/// Serialised as a bit set.
impl Serialize for Permissions {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_u32(self.0)
    }
}

impl From<u32> for Permissions {
    fn from(bits: u32) -> Self {
        Self::from_bits(bits)
    }
}

impl Permissions {
    /// The bit set, for storage.
    pub const fn bits(self) -> u32 {
        self.0
    }

    /// The permissions of a bit set; unknown bits are dropped.
    pub fn from_bits(bits: u32) -> Self {
        Permission::ALL.iter().copied().filter(|permission| bits & permission.bit() != 0).collect()
    }

    /// Whether this permission is in the set.
    pub const fn contains(self, permission: Permission) -> bool {
        self.0 & permission.bit() != 0
    }

    /// Whether at least one of these permissions is in the set.
    pub fn contains_any(self, of: &[Permission]) -> bool {
        of.iter().any(|permission| self.contains(*permission))
    }

    /// Whether the set is empty.
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// The permissions of the set, in the standard's order.
    pub fn iter(self) -> impl Iterator<Item = Permission> {
        Permission::ALL.iter().copied().filter(move |permission| self.contains(*permission))
    }

    /// The faults of the combination of permissions (AIS-031, AIS-034, AIS-035).
    ///
    /// An empty set is refused by the request parser (AIS-032), which knows whether the member was absent.
    pub(super) fn faults(self) -> Vec<Fault> {
        use Permission as P;
        let levels = self.contains_any(&[P::ReadTransactionsBasic, P::ReadTransactionsDetail]);
        let sides = self.contains_any(&[P::ReadTransactionsCredits, P::ReadTransactionsDebits]);
        let expected = |message| Fault::field(FaultCode::FieldExpected, Field::Permissions, message);
        let mut faults = Vec::new();
        if !self.contains_any(&[P::ReadAccountsBasic, P::ReadAccountsDetail]) {
            faults.push(expected("Permissions must hold ReadAccountsBasic or ReadAccountsDetail."));
        }
        if levels && !sides {
            faults.push(expected(
                "ReadTransactionsBasic and ReadTransactionsDetail need ReadTransactionsCredits or ReadTransactionsDebits.",
            ));
        }
        if sides && !levels {
            faults.push(expected(
                "ReadTransactionsCredits and ReadTransactionsDebits need ReadTransactionsBasic or ReadTransactionsDetail.",
            ));
        }
        faults
    }
}

impl FromIterator<Permission> for Permissions {
    fn from_iter<I: IntoIterator<Item = Permission>>(permissions: I) -> Self {
        Self(permissions.into_iter().fold(0, |bits, permission| bits | permission.bit()))
    }
}

impl fmt::Debug for Permissions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.iter().map(Permission::name)).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use Permission as P;

    #[test]
    fn ais_030_there_are_21_codes_and_matching_is_exact() {
        assert_eq!(P::ALL.len(), 21);
        assert!(P::ALL.iter().all(|code| P::from_name(code.name()) == Some(*code)));
        assert_eq!(P::from_name("readbalances"), None);
    }

    #[test]
    fn ais_031_034_035_bad_combinations() {
        let faults = |codes: &[P]| codes.iter().copied().collect::<Permissions>().faults().len();
        assert_eq!(faults(&[P::ReadAccountsBasic]), 0);
        assert_eq!(faults(&[P::ReadAccountsBasic, P::ReadAccountsDetail]), 0, "AIS-018");
        assert_eq!(faults(&[P::ReadBalances]), 1, "AIS-031");
        assert_eq!(faults(&[P::ReadAccountsBasic, P::ReadTransactionsDetail]), 1, "AIS-034");
        assert_eq!(faults(&[P::ReadAccountsBasic, P::ReadTransactionsDebits]), 1, "AIS-035");
        assert_eq!(faults(&[P::ReadTransactionsDebits]), 2, "every fault at once (RW-123)");
    }

    #[test]
    fn permissions_are_a_set_that_survives_storage() {
        assert!(Permissions::default().is_empty());
        for one in P::ALL {
            for other in P::ALL {
                let set: Permissions = [*one, *other, *one].into_iter().collect();
                let within = |code: &P| code == one || code == other;
                assert_eq!(Permissions::from_bits(set.bits()), set);
                assert_eq!(Permissions::from_bits(set.bits() | 1 << 31), set, "unknown bits are dropped");
                assert!(!set.is_empty() && P::ALL.iter().all(|code| set.contains(*code) == within(code)));
                assert!(set.iter().eq(P::ALL.iter().copied().filter(within)));
                assert!(set.contains_any(&[P::ReadPAN, *one]));
                assert_eq!(set.contains_any(&[P::ReadPAN]), within(&P::ReadPAN));
            }
        }
    }
}
