//! Refused requests for international payment consents: nothing is stored. Source: section 5, PIS-103, PIS-119.

use super::*;
use crate::harness::ExchangeExt;
use crate::payments::consents::amelias_number;

const INVALID: &str = "UK.OBIE.Field.Invalid";
const EXPECTED: &str = "UK.OBIE.Field.Expected";
const UNEXPECTED: &str = "UK.OBIE.Field.Unexpected";

/// Asks, and is refused with these codes at these members of the initiation, and nothing else.
async fn refused(paying: &PayingTpp, product: PaymentProduct, asked: &Value, faults: &[(&str, &str)]) {
    let mut found = paying.post(&paying.own, consents(product), asked).await.refused(400);
    found.sort();
    let mut wanted: Vec<_> =
        faults.iter().map(|(code, at)| ((*code).to_owned(), format!("Data.Initiation.{at}"))).collect();
    wanted.sort();
    assert_eq!(found, wanted, "{asked}");
}

#[tokio::test]
async fn int_013_014_a_rate_is_agreed_with_its_contract_or_not_at_all() {
    let bank = Bank::start().await;
    let paying = PayingTpp::robot(&bank).await;
    let rows = bank.rows();
    let rate = "ExchangeRateInformation.ExchangeRate";
    let contract = "ExchangeRateInformation.ContractIdentification";
    for product in QUOTED {
        for (asked, faults) in [
            (without(json!({"a": deal()}), "/a/ExchangeRate"), &[(EXPECTED, rate)][..]),
            (without(json!({"a": deal()}), "/a/ContractIdentification"), &[(EXPECTED, contract)]),
            (json!({"a": {"UnitCurrency": "GBP", "RateType": "Agreed"}}), &[(EXPECTED, rate), (EXPECTED, contract)]),
            // A deal nobody made: another contract, another rate, other currencies.
            (with(json!({"a": deal()}), "/a/ContractIdentification", json!("LSB-FX-9999")), &[(INVALID, contract)]),
            (with(json!({"a": deal()}), "/a/ExchangeRate", json!(1.18)), &[(INVALID, contract)]),
            (with(json!({"a": deal()}), "/a/UnitCurrency", json!("EUR")), &[(INVALID, contract)]),
            (with(json!({"a": deal()}), "/a/RateType", json!("Actual")), &[(UNEXPECTED, rate), (UNEXPECTED, contract)]),
            (
                with(json!({"a": deal()}), "/a/RateType", json!("Indicative")),
                &[(UNEXPECTED, rate), (UNEXPECTED, contract)],
            ),
        ] {
            // In the currency that is sent, so that only the deal is wrong where the payer's is another.
            let amount = json!({"Amount": "12.50", "Currency": "EUR"});
            let body = with(paying.asking(product), "/Data/Initiation/InstructedAmount", amount);
            let same = asked["a"]["UnitCurrency"] == "EUR";
            let sent = with(body, "/Data/Initiation/CurrencyOfTransfer", json!(if same { "USD" } else { "EUR" }));
            let sent = if same { with(sent, "/Data/Initiation/InstructedAmount/Currency", json!("USD")) } else { sent };
            refused(&paying, product, &with(sent, EXCHANGE, asked["a"].clone()), faults).await;
        }
    }
    let often = with(paying.asking(ABROAD[2]), EXCHANGE, price("Actual"));
    refused(&paying, ABROAD[2], &often, &[(UNEXPECTED, "ExchangeRateInformation")]).await;
    assert_eq!(bank.rows(), rows, "nothing is stored");
}

#[tokio::test]
async fn int_012_the_unit_is_the_currency_of_the_account_that_was_named() {
    let bank = Bank::start().await;
    let paying = PayingTpp::robot(&bank).await;
    let debtor = json!({"SchemeName": "UK.OBIE.SortCodeAccountNumber", "Identification": amelias_number(&bank).await});
    let named = with(asking_at(&paying, NOW, price("Actual")), "/Data/Initiation/DebtorAccount", debtor);
    let dollars = with(named.clone(), &format!("{EXCHANGE}/UnitCurrency"), json!("USD"));
    let dollars = with(dollars, "/Data/Initiation/InstructedAmount/Currency", json!("USD"));
    refused(&paying, NOW, &dollars, &[(INVALID, "ExchangeRateInformation.UnitCurrency")]).await;
    bank.set_working_morning().await;
    paying.consent(NOW, &named).await;
}

#[tokio::test]
async fn int_015_023_pis_122_currencies_that_do_not_go_together() {
    let bank = Bank::start().await;
    let paying = PayingTpp::robot(&bank).await;
    const UNSUPPORTED: &str = "UK.OBIE.Unsupported.Currency";
    let third = |body| with(body, "/Data/Initiation/InstructedAmount/Currency", json!("USD"));
    for product in QUOTED {
        let asked = third(asking_at(&paying, product, price("Actual")));
        refused(&paying, product, &asked, &[(UNSUPPORTED, "InstructedAmount.Currency")]).await;
    }
    let nowhere = with(paying.asking(NOW), "/Data/Initiation/CurrencyOfTransfer", json!("XOF"));
    refused(&paying, NOW, &nowhere, &[(UNSUPPORTED, "CurrencyOfTransfer")]).await;
    let unknown = with(paying.asking(NOW), "/Data/Initiation/CurrencyOfTransfer", json!("QQQ"));
    refused(&paying, NOW, &unknown, &[(INVALID, "CurrencyOfTransfer")]).await;
}

#[tokio::test]
async fn int_003_004_pis_119_the_payees_bank() {
    let bank = Bank::start().await;
    let paying = PayingTpp::robot(&bank).await;
    bank.set_working_morning().await;
    for product in ABROAD {
        let agent = |agent: Value| with(paying.asking(product), "/Data/Initiation/CreditorAgent", agent);
        for (asked, faults) in [
            (json!({"SchemeName": "UK.OBIE.BICFI"}), &[(EXPECTED, "CreditorAgent.Identification")][..]),
            (json!({"Identification": "DEUTDEFF"}), &[(EXPECTED, "CreditorAgent.SchemeName")]),
            (json!({"Name": "Bank"}), &[(EXPECTED, "CreditorAgent.PostalAddress")]),
            (json!({"PostalAddress": {"Country": "DE"}}), &[(EXPECTED, "CreditorAgent.Name")]),
            (
                json!({"SchemeName": "UK.OBIE.BICFI", "Identification": "deut"}),
                &[("UK.OBIE.Unsupported.AccountIdentifier", "CreditorAgent.Identification")],
            ),
        ] {
            refused(&paying, product, &agent(asked), faults).await;
        }
        let bban = with(paying.asking(product), "/Data/Initiation/CreditorAccount/SchemeName", json!("UK.OBIE.BBAN"));
        refused(&paying, product, &bban, &[(EXPECTED, "CreditorAgent")]).await;
        // A code without its namespace is shown with it (PIS-113).
        let coded = agent(json!({"SchemeName": "NCC.DE", "Identification": "37040044"}));
        let shown = paying.consent(product, &coded).await;
        assert_eq!(shown["Data"]["Initiation"]["CreditorAgent"]["SchemeName"], "UK.OBIE.NCC.DE");
        let named = agent(json!({"Name": "Bank", "PostalAddress": {"Country": "DE"}}));
        paying.consent(product, &named).await;
    }
}

#[tokio::test]
async fn pis_103_138_bearers_and_instruments_that_do_not_fit() {
    let bank = Bank::start().await;
    let paying = PayingTpp::robot(&bank).await;
    bank.set_working_morning().await;
    let sepa = |body| with(body, "/Data/Initiation/LocalInstrument", json!("UK.OBIE.SEPACreditTransfer"));
    let bearer = |body, who: &str| with(body, "/Data/Initiation/ChargeBearer", json!(who));
    let asked = bearer(sepa(paying.asking(NOW)), "BorneByCreditor");
    refused(&paying, NOW, &asked, &[(INVALID, "ChargeBearer")]).await;
    paying.consent(NOW, &bearer(sepa(paying.asking(NOW)), "FollowingServiceLevel")).await;
    let home = with(paying.asking(NOW), "/Data/Initiation/LocalInstrument", json!("UK.OBIE.CHAPS"));
    let found = paying.post(&paying.own, consents(NOW), &home).await.refused(400);
    let unsupported = ("UK.OBIE.Unsupported.LocalInstrument".to_owned(), "Data.Initiation.LocalInstrument".to_owned());
    assert!(found.contains(&unsupported), "{found:?}");
    // Only euros go by SEPA.
    let dollars = with(sepa(paying.asking(NOW)), "/Data/Initiation/CurrencyOfTransfer", json!("USD"));
    refused(&paying, NOW, &dollars, &[("UK.OBIE.Unsupported.Currency", "CurrencyOfTransfer")]).await;
}
