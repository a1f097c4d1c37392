//! The names of the built-in bank's enumerations.

use lombard_core_api::form::words::EnumNames;
use lombard_corebank::channel::Channel;
use lombard_corebank::routine_plan::{NonWorkingDayRule, OutsideScheme};

/// Declares tables of names. The function in each has a match without a wildcard, so that no value is missing.
macro_rules! words {
    ($($(#[$doc:meta])* $table:ident of $type:ident { $($variant:ident = $name:literal)* })*) => {$(
        $(#[$doc])*
        pub(super) struct $table;

        impl EnumNames for $table {
            type Word = $type;
            const VALUES: &'static [$type] = &[$($type::$variant),*];

            fn name(value: $type) -> &'static str {
                match value { $($type::$variant => $name,)* }
            }
        }
    )*};
}

words! {
    /// The channels of entries.
    ChannelNames of Channel {
        FasterPayment = "FasterPayment" Bacs = "Bacs" Chaps = "Chaps" CardTransfer = "CardTransfer"
        Salary = "Salary" DirectDebit = "DirectDebit" StandingOrder = "StandingOrder" CrossBorder = "CrossBorder" Internal = "Internal" DebitCard = "DebitCard"
        CreditCard = "CreditCard" CashMachine = "CashMachine" Interest = "Interest" Fee = "Fee" Cashback = "Cashback"
    }
    /// The rules for routines whose date is not a working day.
    NonWorkingDayRules of NonWorkingDayRule { SameDay = "Stays" NextWorkingDay = "Next" PreviousWorkingDay = "Before" }
    /// The schemes of other parties' accounts.
    OutsideSchemes of OutsideScheme { SortCode = "UK.OBIE.SortCodeAccountNumber" Iban = "UK.OBIE.IBAN" Bban = "UK.OBIE.BBAN" }
}
