//! Describes permissions in plain words, in groups that customers understand. Source: AS-142, table T7.

use lombard_domain::consent::{Permission, Permissions};

/// The topics of permissions, in the order in which they are shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum PermissionTopic {
    Accounts,
    Transactions,
    RegularPayments,
    Statements,
    Person,
    Products,
}

impl PermissionTopic {
    const ALL: [Self; 6] =
        [Self::Accounts, Self::Transactions, Self::RegularPayments, Self::Statements, Self::Person, Self::Products];

    const fn title(self) -> &'static str {
        match self {
            Self::Accounts => "Your accounts",
            Self::Transactions => "Your transactions",
            Self::RegularPayments => "People and companies you pay",
            Self::Statements => "Your statements",
            Self::Person => "About you",
            Self::Products => "Your products",
        }
    }

    /// The data of the topic that these permissions open, in one sentence. The sentence never omits any of that data.
    fn lead(self, permissions: Permissions) -> &'static str {
        use Permission as P;
        match self {
            Self::Accounts if permissions.contains_any(&[P::ReadBalances]) => {
                "Which accounts you have and how much is in them"
            }
            Self::Accounts => "Which accounts you have",
            Self::Transactions => {
                let credits = permissions.contains(P::ReadTransactionsCredits);
                let debits = permissions.contains(P::ReadTransactionsDebits);
                match (credits, debits) {
                    (true, false) => "The money that comes in",
                    (false, true) => "The money that goes out",
                    (true, true) | (false, false) => "The money that comes in and goes out",
                }
            }
            Self::RegularPayments => "Your saved payees and regular payments",
            Self::Statements => "The statements the bank has made for you",
            Self::Person => "Who you are and how to reach you",
            Self::Products => "What kinds of accounts you have, and their terms",
        }
    }
}

/// A group as a page shows it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct PermissionGroup {
    pub title: &'static str,
    /// The summary of the group, as a heading.
    pub lead: &'static str,
    pub lines: Vec<&'static str>,
}

impl PermissionGroup {
    /// The summary for use within a sentence.
    pub(super) fn in_sentence(&self) -> String {
        let mut letters = self.lead.chars();
        letters.next().map(|first| first.to_lowercase().chain(letters).collect()).unwrap_or_default()
    }
}

/// The groups that contain at least one permission. A Detail permission includes its Basic permission. Source: AIS-036.
pub(super) fn groups(permissions: Permissions) -> Vec<PermissionGroup> {
    let told: Vec<(PermissionTopic, &'static str)> = permissions
        .iter()
        .filter(|permission| detailed(*permission).is_none_or(|detail| !permissions.contains(detail)))
        .map(words)
        .collect();
    PermissionTopic::ALL
        .into_iter()
        .filter_map(|topic| {
            let lines: Vec<_> = told.iter().filter(|(of, _)| *of == topic).map(|(_, line)| *line).collect();
            (!lines.is_empty()).then(|| PermissionGroup { title: topic.title(), lead: topic.lead(permissions), lines })
        })
        .collect()
}

const fn detailed(permission: Permission) -> Option<Permission> {
    use Permission as P;
    match permission {
        P::ReadAccountsBasic => Some(P::ReadAccountsDetail),
        P::ReadBeneficiariesBasic => Some(P::ReadBeneficiariesDetail),
        P::ReadScheduledPaymentsBasic => Some(P::ReadScheduledPaymentsDetail),
        P::ReadStandingOrdersBasic => Some(P::ReadStandingOrdersDetail),
        P::ReadStatementsBasic => Some(P::ReadStatementsDetail),
        P::ReadTransactionsBasic => Some(P::ReadTransactionsDetail),
        P::ReadAccountsDetail
        | P::ReadBalances
        | P::ReadBeneficiariesDetail
        | P::ReadDirectDebits
        | P::ReadOffers
        | P::ReadPAN
        | P::ReadParty
        | P::ReadPartyPSU
        | P::ReadProducts
        | P::ReadScheduledPaymentsDetail
        | P::ReadStandingOrdersDetail
        | P::ReadStatementsDetail
        | P::ReadTransactionsCredits
        | P::ReadTransactionsDebits
        | P::ReadTransactionsDetail => None,
    }
}

const fn words(permission: Permission) -> (PermissionTopic, &'static str) {
    use Permission as P;
    match permission {
        P::ReadAccountsBasic => (PermissionTopic::Accounts, "Type, currency and nickname, without the account number"),
        P::ReadAccountsDetail => (
            PermissionTopic::Accounts,
            "Type, currency and nickname, account number and sort code, and the name it is in",
        ),
        P::ReadBalances => (PermissionTopic::Accounts, "Balances and overdraft or credit limits"),
        P::ReadPAN => (PermissionTopic::Accounts, "Card numbers in full"),
        P::ReadTransactionsBasic => {
            (PermissionTopic::Transactions, "Amounts, dates and descriptions, without who paid or was paid")
        }
        P::ReadTransactionsDetail => {
            (PermissionTopic::Transactions, "Amounts, dates and descriptions, and who paid or was paid")
        }
        P::ReadTransactionsCredits => (PermissionTopic::Transactions, "Money that came in"),
        P::ReadTransactionsDebits => (PermissionTopic::Transactions, "Money that went out"),
        P::ReadBeneficiariesBasic => (PermissionTopic::RegularPayments, "Saved payees, without their account numbers"),
        P::ReadBeneficiariesDetail => {
            (PermissionTopic::RegularPayments, "Saved payees with their names and account numbers")
        }
        P::ReadDirectDebits => (PermissionTopic::RegularPayments, "Direct debits"),
        P::ReadStandingOrdersBasic => (PermissionTopic::RegularPayments, "Standing orders, without whom they pay"),
        P::ReadStandingOrdersDetail => (PermissionTopic::RegularPayments, "Standing orders and whom they pay"),
        P::ReadScheduledPaymentsBasic => {
            (PermissionTopic::RegularPayments, "Payments set for later, without whom they pay")
        }
        P::ReadScheduledPaymentsDetail => {
            (PermissionTopic::RegularPayments, "Payments set for later and whom they pay")
        }
        P::ReadStatementsBasic => (PermissionTopic::Statements, "Dates and references of statements, without amounts"),
        P::ReadStatementsDetail => {
            (PermissionTopic::Statements, "Statements with their amounts, and the documents themselves")
        }
        P::ReadParty => {
            (PermissionTopic::Person, "Names and contact details of everybody the account is in the name of")
        }
        P::ReadPartyPSU => (PermissionTopic::Person, "Your own name and contact details"),
        P::ReadProducts => (PermissionTopic::Products, "What kind of account it is, its fees and interest"),
        P::ReadOffers => (PermissionTopic::Products, "Offers the bank has made you"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use Permission as P;

    #[test]
    fn as_142_every_permission_is_told_and_no_two_alike() {
        let lines: Vec<_> = P::ALL.iter().map(|permission| words(*permission).1).collect();
        for (index, line) in lines.iter().enumerate() {
            assert!(!lines[..index].contains(line), "{line}");
        }
        for permission in P::ALL {
            let told = groups([*permission].into_iter().collect());
            assert_eq!(told.len(), 1, "{permission:?}");
        }
    }

    #[test]
    fn ais_036_detail_speaks_for_basic() {
        let told = groups([P::ReadAccountsBasic, P::ReadAccountsDetail, P::ReadBalances].into_iter().collect());
        let lines = vec![words(P::ReadAccountsDetail).1, words(P::ReadBalances).1];
        let lead = "Which accounts you have and how much is in them";
        assert_eq!(told, [PermissionGroup { title: "Your accounts", lead, lines }]);
        assert_eq!(told[0].in_sentence(), "which accounts you have and how much is in them");
        assert_eq!(groups([P::ReadAccountsBasic].into_iter().collect())[0].in_sentence(), "which accounts you have");
    }
}
