//! Reads tables of the documents for the pages, so that both have the same text.

/// The document about the rules that refusals name.
const RULES: &str = include_str!("../../../docs/reference/rules.md");
/// The document about the payments of the sandbox's bank.
const PAYMENTS: &str = include_str!("../../../docs/operating/payments.md");
/// The header row of the table of test amounts.
const TEST_AMOUNTS: &str = "| Amount ends in | Payee | What happens |";

/// The sentence that explains a rule; `None` if no document explains the id.
pub(super) fn rule_text(id: &str) -> Option<String> {
    let row = RULES.lines().map(cells).find(|cells| cells.first() == Some(&id))?;
    row.get(2).map(|text| plain(text))
}

/// The outcome that an amount or a payee causes in the sandbox.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct TestAmount {
    pub ending: String,
    pub payee: String,
    pub effect: String,
}

/// The test amounts.
pub(super) fn test_amounts() -> Vec<TestAmount> {
    let table = PAYMENTS.lines().skip_while(|line| *line != TEST_AMOUNTS).skip(2);
    let rows = table.take_while(|line| line.starts_with('|')).map(cells);
    let amount = |cells: Vec<&str>| match cells.as_slice() {
        [ending, payee, effect] => {
            Some(TestAmount { ending: plain(ending), payee: plain(payee), effect: plain(effect) })
        }
        _ => None,
    };
    rows.filter_map(amount).collect()
}

/// The cells of a table row; empty for any other line.
fn cells(line: &str) -> Vec<&str> {
    let row = line.strip_prefix("| ").and_then(|rest| rest.strip_suffix(" |"));
    row.map(|row| row.split(" | ").map(str::trim).collect()).unwrap_or_default()
}

/// Removes code marks from a text.
fn plain(text: &str) -> String {
    text.replace('`', "")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rules_and_test_amounts_are_those_of_the_documents() {
        assert_eq!(
            rule_text("AIS-011").as_deref(),
            Some("Risk is required and must be an empty object."),
            "without marks"
        );
        assert_eq!(
            (rule_text("Id"), rule_text("XX-999"), rule_text("")),
            (Some("What it asks".to_owned()), None, None)
        );
        let amounts = test_amounts();
        assert_eq!(amounts.len(), 6, "{amounts:?}");
        assert_eq!((amounts[0].ending.as_str(), amounts[0].payee.as_str()), ("13.91", "Refused by Scheme"));
    }
}
