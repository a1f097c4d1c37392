//! The terms of a payment consent, and what the bank says to it.

use super::exchange::QuoteRecord;
use super::file::UploadedFileRecord;
use super::instruction::InstructionRecord;
use lombard_database::records::{AmountRecord, IdentificationRecord, json, read_amount, read_instant, write_amount};
use lombard_domain::code::Word;
use lombard_domain::consent::{PaymentConsent, PaymentSource};
use lombard_domain::instant;
use lombard_domain::order::{
    AfterCutOffPolicy, AppliedApproach, Charge, ChargeBearer, ChargeType, Conditions, CutOff, Exemption,
    PaymentConsentRequest, PaymentContext, RequestedAuthorisation, RequestedAuthorisationType, ScaSupport,
};
use lombard_ports::store::Source;
use serde::{Deserialize, Serialize};

#[derive(Serialize, Deserialize)]
pub(crate) struct PaymentRecord {
    instruction: InstructionRecord,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    debtor: Option<IdentificationRecord>,
    refund: bool,
    authorisers: Word<RequestedAuthorisationType>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    complete_by: Option<i64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    exemption: Option<Word<Exemption>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    applied: Option<Word<AppliedApproach>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    earlier_order: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    context: Option<Word<PaymentContext>>,
    conditions: ConditionsRecord,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    file: Option<UploadedFileRecord>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    source: Option<SourceRecord>,
}

/// The account that pays, under its holder's name, and how many must agree.
#[derive(Serialize, Deserialize)]
struct SourceRecord {
    account: IdentificationRecord,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    bic: Option<String>,
    authorisers: u16,
}

impl PaymentRecord {
    pub(super) fn of(it: &PaymentConsent) -> Self {
        let PaymentConsent { terms, conditions, file, source } = it;
        Self {
            instruction: InstructionRecord::of(&terms.instruction),
            debtor: terms.debtor.as_ref().map(IdentificationRecord::of),
            refund: terms.refund,
            authorisers: Word(terms.authorisation.kind),
            complete_by: terms.authorisation.complete_by.map(instant::to_micros),
            exemption: terms.sca.exemption.map(Word),
            applied: terms.sca.applied.map(Word),
            earlier_order: terms.sca.earlier_order.as_ref().map(ToString::to_string),
            context: terms.context.map(Word),
            conditions: ConditionsRecord::of(conditions),
            file: file.as_ref().map(UploadedFileRecord::of),
            source: source.as_ref().map(|source| SourceRecord {
                account: IdentificationRecord::of(&source.account),
                bic: source.bic.clone(),
                authorisers: source.authorisers,
            }),
        }
    }

    pub(super) fn into_domain(self) -> Result<PaymentConsent, Source> {
        let terms = PaymentConsentRequest {
            instruction: self.instruction.into_domain()?,
            debtor: self.debtor.map(IdentificationRecord::into_domain),
            refund: self.refund,
            authorisation: RequestedAuthorisation {
                kind: self.authorisers.0,
                complete_by: self.complete_by.map(read_instant).transpose()?,
            },
            sca: ScaSupport {
                exemption: self.exemption.map(|word| word.0),
                applied: self.applied.map(|word| word.0),
                earlier_order: self.earlier_order.map(Into::into),
            },
            context: self.context.map(|word| word.0),
        };
        let source = self.source.map(|source| {
            let account = source.account.into_named()?;
            Ok::<_, Source>(PaymentSource { account, bic: source.bic, authorisers: source.authorisers })
        });
        Ok(PaymentConsent {
            terms,
            conditions: self.conditions.into_domain()?,
            file: self.file.map(UploadedFileRecord::into_domain).transpose()?,
            source: source.transpose()?,
        })
    }
}

#[derive(Serialize, Deserialize)]
pub(crate) struct ConditionsRecord {
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    charges: Vec<ChargeRecord>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    cut_off: Option<(i64, Word<AfterCutOffPolicy>)>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    execution_at: Option<i64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    settlement_at: Option<i64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    quote: Option<QuoteRecord>,
}

#[derive(Serialize, Deserialize)]
struct ChargeRecord {
    bearer: Word<ChargeBearer>,
    kind: Word<ChargeType>,
    amount: AmountRecord,
}

impl ConditionsRecord {
    pub(crate) fn write(conditions: &Conditions) -> String {
        json(&Self::of(conditions))
    }

    pub(crate) fn read(text: &str) -> Result<Conditions, Source> {
        serde_json::from_str::<Self>(text)?.into_domain()
    }

    fn of(it: &Conditions) -> Self {
        let charge = |it: &Charge| ChargeRecord {
            bearer: Word(it.bearer),
            kind: Word(it.kind),
            amount: write_amount(it.amount),
        };
        Self {
            charges: it.charges.iter().map(charge).collect(),
            cut_off: it.cut_off.map(|cut_off| (instant::to_micros(cut_off.at), Word(cut_off.lateness))),
            execution_at: it.execution_at.map(instant::to_micros),
            settlement_at: it.settlement_at.map(instant::to_micros),
            quote: it.quote.as_ref().map(QuoteRecord::of),
        }
    }

    fn into_domain(self) -> Result<Conditions, Source> {
        let charge = |it: ChargeRecord| Charge { bearer: it.bearer.0, kind: it.kind.0, amount: read_amount(it.amount) };
        let cut_off =
            self.cut_off.map(|(at, Word(lateness))| Ok::<_, Source>(CutOff { at: read_instant(at)?, lateness }));
        Ok(Conditions {
            charges: self.charges.into_iter().map(charge).collect(),
            cut_off: cut_off.transpose()?,
            execution_at: self.execution_at.map(read_instant).transpose()?,
            settlement_at: self.settlement_at.map(read_instant).transpose()?,
            quote: self.quote.map(QuoteRecord::into_domain).transpose()?,
        })
    }
}
