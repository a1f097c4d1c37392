//! Parses the warnings of payments from the tables that operators write.

use super::value::{ListItem, SettingValue, quoted};
use lombard_domain::code::Enumerated;
use lombard_domain::money::Amount;
use lombard_domain::payment::PaymentContext;
use lombard_edge::app::payment_warnings::PaymentWarning;
use lombard_wire::payments::names;

/// The maximum number of warnings.
const WARNINGS_MAX: usize = 20;

/// The maximum number of characters of a heading.
const HEADING_CHARS_MAX: usize = 100;

/// The maximum number of characters of a warning's text.
const TEXT_CHARS_MAX: usize = 600;

/// The warnings, in the order in which they are shown.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PaymentWarnings(pub Vec<PaymentWarning>);

impl PaymentWarnings {
    /// Whether any warning depends on payees that the customer has not paid before.
    pub fn tell_new_payees(&self) -> bool {
        self.0.iter().any(|warning| warning.new_payee)
    }
}

/// The default warnings.
pub(super) fn usual_warnings() -> PaymentWarnings {
    let usual = |heading: &str, text: &str, amount_min: Option<&str>, purposes: &[PaymentContext]| PaymentWarning {
        heading: heading.to_owned(),
        text: text.to_owned(),
        amount_min: amount_min.and_then(Amount::read),
        purposes: purposes.to_vec(),
        new_payee: false,
    };
    PaymentWarnings(vec![
        usual(
            "Could this be a scam?",
            "Has somebody told you to move your money to keep it safe, to keep this payment secret, or what to answer if we ask? Then stop. \
             A bank or the police never ask you to do that.",
            Some("GBP 1000.00"),
            &[],
        ),
        usual(
            "Is this account really yours?",
            "Only go on if you opened the account yourself. An account that somebody else has opened for you is not yours.",
            Some("GBP 500.00"),
            &[PaymentContext::TransferToSelf],
        ),
        usual(
            "Have you seen what you are paying for?",
            "Look up the seller by a way that you found yourself. If the price is far below that of others, or you are hurried, \
             do not pay.",
            Some("GBP 100.00"),
            &[PaymentContext::BilledInAdvance, PaymentContext::EcommerceGoods, PaymentContext::EcommerceServices],
        ),
        PaymentWarning {
            new_payee: true,
            ..usual(
                "This payee is not among those of your accounts",
                "Check the account number with the payee, by a telephone number or an address that you knew before. Numbers in messages can be \
                 forged.",
                Some("GBP 250.00"),
                &[PaymentContext::TransferToThirdParty, PaymentContext::PartyToParty, PaymentContext::BilledInArrears],
            )
        },
    ])
}

impl SettingValue for PaymentWarnings {
    const KIND: &'static str = "a list of tables with `heading` (1 to 100 characters) and `text` (1 to 600), and as conditions `amount_min`, such as \
         `\"GBP 1000.00\"`, `purposes`, a list of payment contexts such as `\"TransferToThirdParty\"`, and `new_payee`, true or false; at most 20";

    fn from_toml(value: &toml::Value) -> Option<Self> {
        let tables = value.as_array().filter(|tables| tables.len() <= WARNINGS_MAX)?;
        tables.iter().map(|table| read_warning(table.as_table()?)).collect::<Option<_>>().map(Self)
    }

    fn from_text(text: &str) -> Option<Self> {
        let mut table = format!("value = {text}").parse::<toml::Table>().ok()?;
        Self::from_toml(&table.remove("value")?)
    }

    fn show(&self) -> Option<String> {
        let tables: Vec<_> = self.0.iter().map(show_warning).collect();
        Some(format!("[{}]", tables.join(", ")))
    }
}

fn read_warning(table: &toml::Table) -> Option<PaymentWarning> {
    let text = |key: &str, chars_max: usize| {
        let text = table.get(key)?.as_str()?.trim();
        (1..=chars_max).contains(&text.chars().count()).then(|| text.to_owned())
    };
    let mut warning = PaymentWarning {
        heading: text("heading", HEADING_CHARS_MAX)?,
        text: text("text", TEXT_CHARS_MAX)?,
        ..PaymentWarning::default()
    };
    for (key, value) in table {
        match key.as_str() {
            "heading" | "text" => {}
            "amount_min" => warning.amount_min = Some(Amount::read(value.as_str()?)?),
            "purposes" => {
                let purposes = value.as_array()?.iter().map(|purpose| read_purpose(purpose.as_str()?));
                warning.purposes = purposes.collect::<Option<_>>()?;
            }
            "new_payee" => warning.new_payee = value.as_bool()?,
            _ => return None,
        }
    }
    Some(warning)
}

fn show_warning(warning: &PaymentWarning) -> String {
    let PaymentWarning { heading, text, amount_min, purposes, new_payee } = warning;
    let mut members = vec![format!("heading = {}", quoted(heading)), format!("text = {}", quoted(text))];
    members.extend(amount_min.map(|amount| format!("amount_min = {}", quoted(&amount.write()))));
    if !purposes.is_empty() {
        let purposes: Vec<_> = purposes.iter().map(|purpose| quoted(names::payment_context(*purpose))).collect();
        members.push(format!("purposes = [{}]", purposes.join(", ")));
    }
    if *new_payee {
        members.push("new_payee = true".to_owned());
    }
    format!("{{ {} }}", members.join(", "))
}

/// Parses a payment context by its name in v3.1, which has all of them. Source: PIS-144.
fn read_purpose(text: &str) -> Option<PaymentContext> {
    PaymentContext::VALUES.iter().copied().find(|purpose| names::payment_context(*purpose) == text)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::Config;

    fn warnings(text: &str) -> Option<Vec<PaymentWarning>> {
        Config::from_parts(text, &[]).ok().map(|config| config.pages.warnings.0)
    }

    #[test]
    fn warnings_are_tables_and_what_is_shown_reads_back() {
        let all = warnings(
            "[[pages.warnings]]\nheading = \"H\"\ntext = \"Stop \\\"now\\\".\"\namount_min = \"GBP 5.00\"\n\
             purposes = [\"PartyToParty\"]\nnew_payee = true\n[[pages.warnings]]\nheading = \"Always\"\ntext = \"T\"",
        );
        let all = all.unwrap();
        assert_eq!((all.len(), all[0].amount_min.unwrap().minor(), all[0].new_payee), (2, 500, true));
        assert_eq!((all[0].purposes.as_slice(), all[1].amount_min), (&[PaymentContext::PartyToParty][..], None));
        for shown in [PaymentWarnings(all), usual_warnings(), PaymentWarnings(Vec::new())] {
            let text = shown.show().unwrap();
            assert_eq!(PaymentWarnings::from_text(&text), Some(shown), "{text}");
        }
        assert_eq!(warnings("").unwrap(), usual_warnings().0);
        assert_eq!(warnings("[pages]\nwarnings = []").unwrap(), []);
    }

    #[test]
    fn a_warning_that_cannot_be_read_is_refused() {
        for table in [
            "heading = \"H\"",
            "heading = \"\"\ntext = \"T\"",
            "heading = \"H\"\ntext = \"T\"\namount_min = \"5.00\"",
            "heading = \"H\"\ntext = \"T\"\npurposes = [\"Whim\"]",
            "heading = \"H\"\ntext = \"T\"\nnew_payee = \"yes\"",
            "heading = \"H\"\ntext = \"T\"\nnewpayee = true",
        ] {
            assert_eq!(warnings(&format!("[[pages.warnings]]\n{table}")), None, "{table}");
        }
        assert_eq!(warnings("[pages]\nwarnings = [\"Stop\"]"), None);
    }
}
