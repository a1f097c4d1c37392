//! The four-letter codes of bank transactions, which v3.1 writes as names. Source: AIS-128.

/// The code of a family's name; a name that is not in the table is returned unchanged.
pub(super) fn family(name: &str) -> &str {
    match name {
        "CounterTransactions" => "CNTR",
        "CustomerCardTransactions" => "CCRD",
        "IssuedCreditTransfers" => "ICDT",
        "IssuedDirectDebits" => "IDDT",
        "IssuedRealTimeCreditTransfer" => "IRCT",
        "MerchantCardTransactions" => "MCRD",
        "MiscellaneousCreditOperations" => "MCOP",
        "MiscellaneousDebitOperations" => "MDOP",
        "ReceivedCreditTransfers" => "RCDT",
        "ReceivedDirectDebits" => "RDDT",
        "ReceivedRealTimeCreditTransfer" => "RRCT",
        kept => kept,
    }
}

/// The code of a sub-family's name; a name that is not in the table is returned unchanged.
pub(super) fn sub_family(name: &str) -> &str {
    match name {
        "Adjustments" => "ADJT",
        "CashDeposit" => "CDPT",
        "CashWithdrawal" => "CWDL",
        "Charges" => "CHRG",
        "CreditCardPayment" => "POSC",
        "CreditTransferWithAgreedCommercialInformation" => "VCOM",
        "CrossBorderCreditTransfer" => "XBCT",
        "DirectDebit" | "DirectDebitPayment" => "PMDD",
        "DomesticCreditTransfer" => "DMCT",
        "Fees" => "FEES",
        "Interests" => "INTR",
        "InternalBookTransfer" => "BOOK",
        "PayrollSalaryPayment" => "SALA",
        "PointOfSalePOSPaymentDebitCard" => "POSD",
        "PriorityCreditTransfer" => "PRCT",
        "Reimbursement" => "RIMB",
        "StandingOrder" => "STDO",
        kept => kept,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ais_128_known_names_have_four_letters_and_others_are_kept() {
        assert_eq!((family("ReceivedCreditTransfers"), sub_family("DomesticCreditTransfer")), ("RCDT", "DMCT"));
        assert_eq!((family("RDDT"), sub_family("SomethingElse")), ("RDDT", "SomethingElse"));
    }
}
