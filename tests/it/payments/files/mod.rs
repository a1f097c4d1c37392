//! File payments over HTTP: upload, authorisation, execution of each line, and report. Source: section 6.

mod kill;
mod paid;
mod quota;
mod refused;
mod sent;

use crate::harness::paying::{consents, orders};
use crate::harness::{ExchangeExt, PayingTpp, ValueExt, until};
use lombard_domain::payment::PaymentProduct;
use lombard_tpp::{HttpCall, HttpExchange, file_hash};
use serde_json::{Value, json};

const FILE: PaymentProduct = PaymentProduct::FilePayment;
const JSON: &str = "application/json";
const XML: &str = "text/xml";

/// A file, and what is said of it.
#[derive(Debug, Clone)]
struct Written {
    kind: &'static str,
    media: &'static str,
    text: String,
}

/// A file of JSON with payments of these amounts, each with a reference of its own that begins so.
fn as_json(reference: &str, amounts: &[&str]) -> Written {
    let payment = |(number, amount): (usize, &&str)| {
        json!({
            "InstructionIdentification": format!("I-{number}"),
            "EndToEndIdentification": format!("{reference}{number}"),
            "InstructedAmount": {"Amount": amount, "Currency": "GBP"},
            "CreditorAccount": {
                "SchemeName": "UK.OBIE.SortCodeAccountNumber",
                "Identification": "20000319825731",
                "Name": "Somebody Else",
            },
        })
    };
    let payments: Vec<_> = (1..).zip(amounts).map(payment).collect();
    let text = json!({"Data": {"DomesticPayments": payments}}).to_string();
    Written { kind: "UK.OBIE.PaymentInitiation.3.1", media: JSON, text }
}

/// The same as a message `pain.001.001.08`, from this account of this bank, in two batches.
fn as_xml(reference: &str, amounts: &[&str], debtor: &str) -> Written {
    let (sort_code, number) = debtor.split_at(6);
    let payment = |(index, amount): (usize, &&str)| {
        format!(
            "<CdtTrfTxInf><PmtId><InstrId>I-{index}</InstrId><EndToEndId>{reference}{index}</EndToEndId></PmtId>\
             <Amt><InstdAmt Ccy=\"GBP\">{amount}</InstdAmt></Amt><Cdtr><Nm>Somebody Else</Nm></Cdtr>\
             <CdtrAcct><Id><Othr><Id>20000319825731</Id></Othr></Id></CdtrAcct></CdtTrfTxInf>"
        )
    };
    let payments: Vec<_> = (1..).zip(amounts).map(payment).collect();
    let batch = |(index, payments): (usize, &[String])| {
        format!(
            "<PmtInf><PmtInfId>B-{index}</PmtInfId><PmtMtd>TRF</PmtMtd><ReqdExctnDt><Dt>2026-01-01</Dt></ReqdExctnDt>\
             <Dbtr><Nm>Payer</Nm></Dbtr><DbtrAcct><Id><Othr><Id>{number}</Id></Othr></Id></DbtrAcct><DbtrAgt>\
             <FinInstnId><ClrSysMmbId><ClrSysId><Cd>GBDSC</Cd></ClrSysId><MmbId>{sort_code}</MmbId></ClrSysMmbId>\
             </FinInstnId></DbtrAgt>{}</PmtInf>",
            payments.concat()
        )
    };
    let batches: Vec<_> = (1..).zip(payments.chunks(payments.len().div_ceil(2))).map(batch).collect();
    let text = format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n\
         <Document xmlns=\"urn:iso:std:iso:20022:tech:xsd:pain.001.001.08\"><CstmrCdtTrfInitn><GrpHdr>\
         <MsgId>MSG/1</MsgId><CreDtTm>2026-01-01T10:00:00</CreDtTm><NbOfTxs>{}</NbOfTxs>\
         <InitgPty><Nm>Payer</Nm></InitgPty></GrpHdr>{}</CstmrCdtTrfInitn></Document>\n",
        payments.len(),
        batches.concat()
    );
    Written { kind: "UK.OBIE.pain.001.001.08", media: XML, text }
}

impl Written {
    /// What asks for a consent to it.
    fn asking(&self) -> Value {
        let hash = file_hash(self.text.as_bytes());
        json!({"Data": {"Initiation": {"FileType": self.kind, "FileHash": hash}}})
    }
}

/// The path of what belongs to a consent.
fn file_path(consent: &str) -> String {
    format!("{}/{consent}/file", consents(FILE))
}

/// A file on its way from consent to report.
#[derive(Debug, Clone)]
struct Way {
    paying: PayingTpp,
    asked: Value,
    consent: String,
}

impl Way {
    /// A consent for it, asked with this.
    async fn announced(paying: &PayingTpp, asked: Value) -> Self {
        let made = paying.consent(FILE, &asked).await;
        assert_eq!(made["Data"].text("Status"), "AwaitingUpload", "FILE-001");
        assert_eq!(made.get("Risk"), None, "FILE-002");
        Self { paying: paying.clone(), asked, consent: made["Data"].text("ConsentId").to_owned() }
    }

    /// A consent for it, and the file sent.
    async fn sent(paying: &PayingTpp, file: &Written) -> Self {
        let way = Self::announced(paying, file.asking()).await;
        way.send(file).await.ok(200);
        way
    }

    /// Sends a file for the consent.
    async fn send(&self, file: &Written) -> HttpExchange {
        self.send_as(&self.paying.tpp.new_idempotency_key(), file.media, &file.text).await
    }

    async fn send_as(&self, key: &str, media: &str, text: &str) -> HttpExchange {
        let PayingTpp { tpp, own, .. } = &self.paying;
        tpp.upload(own, &file_path(&self.consent), key, media, text).await.unwrap()
    }

    /// Downloads, without a word on what is accepted; the answer is signed by the bank.
    async fn get(&self, path: &str) -> HttpExchange {
        self.paying.send(HttpCall::get(self.paying.tpp.resource_url(path)).with_bearer(&self.paying.own)).await
    }

    async fn status(&self) -> String {
        self.paying.consent_now(FILE, &self.consent).await["Data"].text("Status").to_owned()
    }

    /// The order of the consent, which the TPP's customer gives at once.
    async fn ordered(&self) -> Ordered {
        let token = self.paying.token(&self.consent).await;
        let order = json!({"Data": {"ConsentId": self.consent, "Initiation": self.asked["Data"]["Initiation"]}});
        let made = self.paying.post(&token, orders(FILE), &order).await.ok(201);
        assert_eq!(made["Data"].text("Status"), "InitiationPending", "FILE-021");
        assert_eq!((made.get("Risk"), made["Data"].get("Refund")), (None, None), "FILE-021, FILE-025");
        let id = made["Data"].text("FilePaymentId").to_owned();
        Ordered { way: self.clone(), id }
    }
}

/// The order of a file.
#[derive(Debug, Clone)]
struct Ordered {
    way: Way,
    id: String,
}

impl Ordered {
    /// Waits until it has ended; says how.
    async fn ended(&self) -> String {
        let look = async || {
            let now = self.way.paying.order_now(FILE, &self.id).await["Data"].text("Status").to_owned();
            (now != "InitiationPending").then_some(now)
        };
        until(look).await
    }

    /// How each payment stands.
    async fn payments(&self) -> Vec<String> {
        let details = self.way.paying.details(FILE, &self.id).await;
        details.iter().map(|it| it.text("Status").to_owned()).collect()
    }

    async fn report(&self) -> HttpExchange {
        self.way.get(&format!("{}/{}/report-file", orders(FILE), self.id)).await
    }
}
