//! Makes a file payment. The file's digest is part of the consent; the file is uploaded and authorised as a whole. Each line is paid
//! separately, and a faulty line does not affect the others.

use super::checks::{array, at, text};
use super::payments::PaymentAuthorisation;
use super::run::Tour;
use http::StatusCode;
use lombard_tpp::TppError;
use serde_json::{Value, json};

/// The path of file payment consents.
const CONSENTS: &str = "pisp/file-payment-consents";
/// The path of file payment orders.
const ORDERS: &str = "pisp/file-payments";

impl Tour<'_> {
    /// Pays the lines of a file.
    pub(super) async fn pay_file(&mut self, way: &PaymentAuthorisation<'_>) -> Result<(), TppError> {
        self.step("A file payment: the consent names the file's digest");
        let file = file(&self.tpp.new_idempotency_key());
        let asked = announcing(self.names.file_type, &lombard_tpp::file_hash(file.as_bytes()));
        let key = self.tpp.new_idempotency_key();
        let exchange = self.tpp.payment_post(way.own_token, CONSENTS, &key, &asked).await?;
        let answer = self.signed_resource(exchange, StatusCode::CREATED).await?;
        let consent = text(at(&answer, "/Data"), "ConsentId").to_owned();
        self.check(text(at(&answer, "/Data"), "Status") == self.names.awaiting_upload, "it awaits the file (FILE-001)");
        self.fact(&format!("{consent}: 3 payments, 6.60 in all"));

        self.step("The file itself, signed");
        let path = format!("{CONSENTS}/{consent}/file");
        let token = way.own_token;
        let key = self.tpp.new_idempotency_key();
        let other = file.replace("1.10", "1.11");
        let exchange =
            self.tpp.upload(token, &path, &self.tpp.new_idempotency_key(), "application/json", &other).await?;
        let exchange = self.tpp.verify_response(exchange).await?;
        self.answer(exchange, StatusCode::BAD_REQUEST)?;
        self.fact("a file with another digest is refused (FILE-011)");
        let sent =
            self.tpp.upload(token, &path, &key, "application/json", &file).await?.expect_status(StatusCode::OK)?;
        self.check(sent.body.is_empty(), "the announced file is accepted without a response body (FILE-009)");
        let back = self.tpp.get(token, &path).await?;
        let back = self.tpp.verify_response(back).await?.expect_status(StatusCode::OK)?;
        self.check(back.body.as_ref() == file.as_bytes(), "it comes back byte for byte, signed (FILE-020)");
        let exchange = self.tpp.get(token, &format!("{CONSENTS}/{consent}")).await?;
        let read = self.signed_resource(exchange, StatusCode::OK).await?;
        self.check(
            text(at(&read, "/Data"), "Status") == self.names.awaiting,
            "the consent now awaits authorisation (FILE-009)",
        );

        let Some(leave) = self.obtain_payment_token(way, &consent).await? else { return Ok(()) };
        self.step("The order: every line is a separate payment");
        let body = json!({"Data": {"ConsentId": consent, "Initiation": at(&asked, "/Data/Initiation")}});
        let exchange = self.tpp.payment_post(&leave.token, ORDERS, &self.tpp.new_idempotency_key(), &body).await?;
        let made = self.signed_resource(exchange, StatusCode::CREATED).await?;
        let order = text(at(&made, "/Data"), "FilePaymentId").to_owned();
        self.check(text(at(&made, "/Data"), "Status") == self.names.file_pending, "it begins as pending (FILE-021)");
        if self.followed(way, ORDERS, &order, self.names.file_completed).await?.is_none() {
            return Ok(());
        }
        let exchange = self.tpp.get(token, &format!("{ORDERS}/{order}/payment-details")).await?;
        let details = array(&self.signed_resource(exchange, StatusCode::OK).await?, "/Data/PaymentStatus");
        let rejected = details.iter().filter(|it| text(it, "Status") == self.names.rejected).count();
        self.check(details.len() == 3 && rejected == 1, "only the faulty line failed (FILE-023)");
        let report = self.tpp.get(token, &format!("{ORDERS}/{order}/report-file")).await?;
        let report = self.tpp.verify_response(report).await?.expect_status(StatusCode::OK)?;
        self.check(!report.body.is_empty(), "a report has the status of each payment (FILE-022)");
        self.fact(&format!("{order}: 2 payments made, 1 refused; the report has {} bytes", report.body.len()));
        Ok(())
    }
}

/// A file of three payments. The account number of the last payment is invalid.
fn file(unique: &str) -> String {
    let unique = unique.get(..12).unwrap_or(unique);
    let payment = |number: u8, amount: &str, account: &str| {
        json!({
            "InstructionIdentification": format!("{unique}-{number}"),
            "EndToEndIdentification": format!("{unique}-{number}"),
            "InstructedAmount": {"Amount": amount, "Currency": "GBP"},
            "CreditorAccount": {
                "SchemeName": "UK.OBIE.SortCodeAccountNumber",
                "Identification": account,
                "Name": "Tea and Scones",
            },
        })
    };
    let payments =
        [payment(1, "1.10", "20000319825731"), payment(2, "2.20", "20000319825731"), payment(3, "3.30", "1234")];
    json!({"Data": {"DomesticPayments": payments}}).to_string()
}

fn announcing(file_type: &str, hash: &str) -> Value {
    json!({
        "Data": {
            "Initiation": {
                "FileType": file_type,
                "FileHash": hash,
                "FileReference": "TOUR",
                "NumberOfTransactions": "3",
                "ControlSum": 6.60,
            },
        },
    })
}
