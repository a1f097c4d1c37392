//! OAuth scopes, and the regulated roles that permit them.

use std::fmt;

/// A scope a token may carry. Source: RW-031, AS-005.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Scope {
    /// `openid`: the token response includes an ID token.
    OpenId,
    /// `accounts`: account information.
    Accounts,
    /// `payments`: payment initiation and variable recurring payments.
    Payments,
    /// `fundsconfirmations`: confirmation of funds.
    FundsConfirmations,
}

impl Scope {
    /// Every scope, in the order in which scopes are written.
    pub const ALL: [Self; 4] = [Self::OpenId, Self::Accounts, Self::Payments, Self::FundsConfirmations];

    /// The scope's name on the wire.
    pub const fn name(self) -> &'static str {
        match self {
            Self::OpenId => "openid",
            Self::Accounts => "accounts",
            Self::Payments => "payments",
            Self::FundsConfirmations => "fundsconfirmations",
        }
    }

    const fn bit(self) -> u8 {
        match self {
            Self::OpenId => 1,
            Self::Accounts => 2,
            Self::Payments => 4,
            Self::FundsConfirmations => 8,
        }
    }
}

/// A set of scopes.
#[derive(Clone, Copy, PartialEq, Eq, Default, Hash)]
pub struct Scopes(u8);

/// The scope parameter contains an unknown scope.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("a scope is not known")]
pub struct UnknownScope;

impl Scopes {
    /// No scope.
    pub const NONE: Self = Self(0);

    /// Reads a space-separated list; order and repetition do not matter (AS-050).
    ///
    /// # Errors
    /// [`UnknownScope`] if a word is not a supported scope.
    pub fn parse(text: &str) -> Result<Self, UnknownScope> {
        text.split(' ').filter(|word| !word.is_empty()).try_fold(Self::NONE, |set, word| {
            let scope = Scope::ALL.into_iter().find(|scope| scope.name() == word).ok_or(UnknownScope)?;
            Ok(set.with_scope(scope))
        })
    }

    /// This set with one more scope.
    #[must_use]
    pub const fn with_scope(self, scope: Scope) -> Self {
        Self(self.0 | scope.bit())
    }

    /// This set without a scope.
    #[must_use]
    pub const fn without_scope(self, scope: Scope) -> Self {
        Self(self.0 & !scope.bit())
    }

    /// Whether the scope is in the set.
    pub const fn contains(self, scope: Scope) -> bool {
        self.0 & scope.bit() != 0
    }

    /// Whether every scope of this set is in the other.
    pub const fn is_subset_of(self, other: Self) -> bool {
        self.0 & !other.0 == 0
    }

    /// Whether no scope is in the set.
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// The scopes of the set, in writing order.
    pub fn iter(self) -> impl Iterator<Item = Scope> {
        Scope::ALL.into_iter().filter(move |scope| self.contains(*scope))
    }
}

impl FromIterator<Scope> for Scopes {
    fn from_iter<I: IntoIterator<Item = Scope>>(scopes: I) -> Self {
        scopes.into_iter().fold(Self::NONE, Self::with_scope)
    }
}

impl fmt::Display for Scopes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names: Vec<_> = self.iter().map(Scope::name).collect();
        f.write_str(&names.join(" "))
    }
}

impl fmt::Debug for Scopes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Scopes({self})")
    }
}

/// A regulated role of a TPP. Source: AS-052.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum TppRole {
    /// Account information service provider.
    Aisp,
    /// Payment initiation service provider.
    Pisp,
    /// Card based payment instrument issuer.
    Cbpii,
}

impl TppRole {
    /// Every role.
    pub const ALL: [Self; 3] = [Self::Aisp, Self::Pisp, Self::Cbpii];

    /// The role as the directory writes it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Aisp => "AISP",
            Self::Pisp => "PISP",
            Self::Cbpii => "CBPII",
        }
    }

    /// The scope that the role permits.
    pub const fn scope(self) -> Scope {
        match self {
            Self::Aisp => Scope::Accounts,
            Self::Pisp => Scope::Payments,
            Self::Cbpii => Scope::FundsConfirmations,
        }
    }

    /// The role with this name, in any case.
    pub fn from_name(text: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|role| role.name().eq_ignore_ascii_case(text))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn as_050_scope_order_is_irrelevant() {
        assert_eq!(Scopes::parse("accounts openid"), Scopes::parse("openid  accounts accounts"));
        assert_eq!(Scopes::parse("openid accounts").unwrap().to_string(), "openid accounts");
        assert_eq!(Scopes::parse("Accounts"), Err(UnknownScope));
    }

    /// Every set of scopes, with the scopes that were put into it.
    fn all_sets() -> impl Iterator<Item = (Scopes, Vec<Scope>)> {
        (0_u8..16).map(|picked| {
            let is_picked = |index: &usize| picked & (1 << index) != 0;
            let scopes: Vec<_> = (0..4).filter(is_picked).map(|index| Scope::ALL[index]).collect();
            (scopes.iter().copied().collect(), scopes)
        })
    }

    #[test]
    fn as_050_as_051_scopes_are_a_set() {
        for (set, scopes) in all_sets() {
            assert_eq!(set.iter().collect::<Vec<_>>(), scopes, "no scope stands for another");
            assert_eq!((set.is_empty(), set == Scopes::NONE), (scopes.is_empty(), scopes.is_empty()));
            assert_eq!(Scopes::parse(&set.to_string()), Ok(set));
            for scope in Scope::ALL {
                assert_eq!(set.contains(scope), scopes.contains(&scope), "{set} {scope:?}");
                let more = set.with_scope(scope);
                let less = set.without_scope(scope);
                assert!(more.contains(scope) && !less.contains(scope));
                assert!(
                    Scope::ALL
                        .into_iter()
                        .filter(|it| *it != scope)
                        .all(|it| { more.contains(it) == set.contains(it) && less.contains(it) == set.contains(it) })
                );
            }
            for (other, others) in all_sets() {
                assert_eq!(
                    set.is_subset_of(other),
                    scopes.iter().all(|it| others.contains(it)),
                    "{set} within {other}"
                );
            }
        }
    }

    #[test]
    fn as_005_as_052_each_role_opens_its_scope() {
        for (role, name, scope) in [
            (TppRole::Aisp, "AISP", "accounts"),
            (TppRole::Pisp, "PISP", "payments"),
            (TppRole::Cbpii, "CBPII", "fundsconfirmations"),
        ] {
            assert_eq!((role.name(), role.scope().name()), (name, scope));
            assert_eq!(TppRole::from_name(&name.to_ascii_lowercase()), Some(role));
        }
        assert_eq!((TppRole::from_name("ASPSP"), TppRole::from_name("")), (None, None));
        assert_eq!(Scope::OpenId.name(), "openid");
    }
}
