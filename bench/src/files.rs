//! File payments with 500 and with 50,000 lines: the duration of each stage, and the server's peak memory. The server must not hold a file
//! in memory while it is uploaded, paid or reported.

use crate::database::Engine;
use crate::figure::{Aim, Figure};
use crate::result::BenchResult;
use crate::robot::Robot;
use http::StatusCode;
use lombard_tpp::{IssuedTokens, file_hash};
use serde_json::{Value, json};
use std::fmt::Write;
use std::path::Path;
use std::time::{Duration, Instant};

/// The number of lines of the small file and of the large file.
const LINES: [usize; 2] = [500, 50_000];
/// The interval at which the progress of a file is checked.
const LOOK_EVERY: Duration = Duration::from_millis(200);
/// The maximum duration of an order.
const DONE_WITHIN: Duration = Duration::from_secs(1_800);
/// The maximum number of seconds on PostgreSQL from the order of a large file until every payee is credited.
const EXECUTED_SECS_MAX: f64 = 120.0;
const CONSENTS: &str = "pisp/file-payment-consents";
const ORDERS: &str = "pisp/file-payments";

/// A type of file.
#[derive(Debug, Clone, Copy)]
struct FileCase {
    name: &'static str,
    file_type: &'static str,
    media: &'static str,
    write: fn(usize, &str) -> BenchResult<String>,
}

const KINDS: [FileCase; 2] = [
    FileCase { name: "JSON", file_type: "UK.OBIE.PaymentInitiation.3.1", media: "application/json", write: as_json },
    FileCase { name: "pain.001", file_type: "UK.OBIE.pain.001.001.08", media: "text/xml", write: as_xml },
];

pub(crate) async fn run(program: &Path) -> BenchResult<Vec<Figure>> {
    let engine = Engine::of_this_run()?;
    let mut figures = Vec::new();
    let mut slowest = Duration::ZERO;
    for kind in KINDS {
        let mut runs = Vec::new();
        for lines in LINES {
            runs.push(one(program, &engine, kind, lines).await?);
        }
        if let [small, large] = runs.as_slice() {
            let name = format!("files/memory, {}", kind.name);
            figures.push(Figure::of_sides(name, large.peak, small.peak, "MiB", Aim::AtMost(2.0)));
            slowest = slowest.max(large.executed);
        }
    }
    if let Engine::Postgres(_) = engine {
        let secs = slowest.as_secs_f64();
        figures.push(Figure::of_sides("files/postgres", secs, EXECUTED_SECS_MAX, "s", Aim::AtMost(1.0)));
    }
    Ok(figures)
}

/// The measurements of one file.
struct FileRun {
    /// The server's peak memory in MiB.
    peak: f64,
    /// The time from the order until every payee is credited.
    executed: Duration,
}

/// Uploads, pays and reports one file at a separate server.
async fn one(program: &Path, engine: &Engine, kind: FileCase, lines: usize) -> BenchResult<FileRun> {
    let data = tempfile::tempdir()?;
    let database = engine.database(data.path(), "files").await?;
    drop(database.first_start(program, data.path()).await?);
    let lombard = database.start(program, data.path()).await?;
    let robot = Robot::open(data.path())?;
    let way = FileTpp { own: robot.tpp.client_credentials("payments").await?.access_token, robot };
    let file = (kind.write)(lines, &way.debtor().await?)?;
    let at_rest = lombard.process.peak_bytes()? / MIB;
    println!("  {}, {lines} lines, {:.1} MB; at rest {at_rest:.0} MiB", kind.name, mega(file.len()));
    let stage = |name: &str, began: Instant| -> BenchResult<()> {
        let secs = began.elapsed().as_secs_f64();
        let peak = lombard.process.peak_bytes()? / MIB;
        println!("    {name:<28} {secs:>8.2} s   at most {peak:>6.1} MiB so far");
        Ok(())
    };
    let began = Instant::now();
    let (consent, initiation) = way.sent(kind, &file).await?;
    stage("sent", began)?;
    let began = Instant::now();
    let token = way.agreed(&consent).await?;
    let order = way.ordered(&token, &consent, &initiation).await?;
    stage("agreed to and ordered", began)?;
    let ordered = Instant::now();
    let began = Instant::now();
    let beside = way.paid_beside().await?;
    println!("    {:<28} {:>8.2} s", "another payment meanwhile", beside.as_secs_f64());
    way.ended(&order).await?;
    stage("every line decided", began)?;
    way.settled(&order).await?;
    let executed = ordered.elapsed();
    stage("every payee has the money", began)?;
    for (name, path) in [
        ("details", format!("{ORDERS}/{order}/payment-details")),
        ("report", format!("{ORDERS}/{order}/report-file")),
        ("file given back", format!("{CONSENTS}/{consent}/file")),
    ] {
        let began = Instant::now();
        let answer = way.get(&path).await?;
        stage(&format!("{name}, {:.1} MB", mega(answer.len())), began)?;
    }
    let peak = lombard.process.peak_bytes()? / MIB;
    lombard.process.stop().await?;
    database.drop_database().await?;
    Ok(FileRun { peak, executed })
}

const MIB: f64 = 1_048_576.0;

fn mega(bytes: usize) -> f64 {
    f64::from(u32::try_from(bytes).unwrap_or(u32::MAX)) / 1e6
}

/// A TPP that pays a file.
struct FileTpp {
    robot: Robot,
    own: String,
}

impl FileTpp {
    /// The account from which the customer pays.
    async fn debtor(&self) -> BenchResult<String> {
        let answer = self.robot.tpp.get(&self.robot.token().await?, "aisp/accounts").await?.json()?;
        let accounts = answer.pointer("/Data/Account").and_then(Value::as_array).ok_or("no accounts")?;
        let usual = |it: &&Value| it["AccountSubType"] == "CurrentAccount" && it["Currency"] == "GBP";
        let numbers = accounts.iter().find(usual).and_then(|it| it["Account"].as_array()).ok_or("no account")?;
        let local = numbers.iter().find(|it| it["SchemeName"] == "UK.OBIE.SortCodeAccountNumber");
        Ok(local.and_then(|it| it["Identification"].as_str()).ok_or("no number")?.to_owned())
    }

    async fn sent(&self, kind: FileCase, file: &str) -> BenchResult<(String, Value)> {
        let tpp = &self.robot.tpp;
        let initiation = json!({"FileType": kind.file_type, "FileHash": file_hash(file.as_bytes())});
        let asked = json!({"Data": {"Initiation": initiation}});
        let answer = tpp.payment_post(&self.own, CONSENTS, &tpp.new_idempotency_key(), &asked).await?;
        let consent = answer.expect_status(StatusCode::CREATED)?.text_at("/Data/ConsentId")?;
        let path = format!("{CONSENTS}/{consent}/file");
        tpp.upload(&self.own, &path, &tpp.new_idempotency_key(), kind.media, file)
            .await?
            .expect_status(StatusCode::OK)?;
        Ok((consent, initiation))
    }

    async fn agreed(&self, consent: &str) -> BenchResult<String> {
        let tpp = &self.robot.tpp;
        let request = tpp.new_authorisation_request(consent, "payments").await?;
        let channel = tpp.authorise_headless(&request).await?;
        let (code, _) = channel.expect_code(&request.state)?;
        Ok(IssuedTokens::from_exchange(tpp.exchange_code(code).await?)?.access_token)
    }

    async fn ordered(&self, token: &str, consent: &str, initiation: &Value) -> BenchResult<String> {
        let tpp = &self.robot.tpp;
        let order = json!({"Data": {"ConsentId": consent, "Initiation": initiation}});
        let answer = tpp.payment_post(token, ORDERS, &tpp.new_idempotency_key(), &order).await?;
        Ok(answer.expect_status(StatusCode::CREATED)?.text_at("/Data/FilePaymentId")?)
    }

    /// Makes one payment that does not belong to the file, and returns the time until the bank accepted it.
    async fn paid_beside(&self) -> BenchResult<Duration> {
        const PAYMENT: &str = "pisp/domestic-payment";
        let tpp = &self.robot.tpp;
        let asked = json!({"Data": {"Initiation": {
            "InstructionIdentification": "BESIDE",
            "EndToEndIdentification": "BESIDE",
            "InstructedAmount": {"Amount": "0.02", "Currency": "GBP"},
            "CreditorAccount": {
                "SchemeName": "UK.OBIE.SortCodeAccountNumber",
                "Identification": "20000319825731",
                "Name": "Tea and Scones",
            },
        }}, "Risk": {}});
        let made =
            tpp.payment_post(&self.own, &format!("{PAYMENT}-consents"), &tpp.new_idempotency_key(), &asked).await?;
        let consent = made.expect_status(StatusCode::CREATED)?.text_at("/Data/ConsentId")?;
        let token = self.agreed(&consent).await?;
        let initiation = asked.pointer("/Data/Initiation").cloned().unwrap_or_default();
        let order = json!({"Data": {"ConsentId": consent, "Initiation": initiation}, "Risk": {}});
        let began = Instant::now();
        let answer = tpp.payment_post(&token, &format!("{PAYMENT}s"), &tpp.new_idempotency_key(), &order).await?;
        let id = answer.expect_status(StatusCode::CREATED)?.text_at("/Data/DomesticPaymentId")?;
        let pending = |answer: &str| !answer.contains("\"Status\":\"Pending\"");
        self.until(&format!("{PAYMENT}s/{id}"), Duration::from_millis(20), pending).await?;
        Ok(began.elapsed())
    }

    async fn get(&self, path: &str) -> BenchResult<String> {
        let answer = self.robot.tpp.get(&self.own, path).await?;
        Ok(answer.expect_status(StatusCode::OK)?.text().into_owned())
    }

    /// Waits until the outcome of every line is known.
    async fn ended(&self, order: &str) -> BenchResult<()> {
        self.until(&format!("{ORDERS}/{order}"), LOOK_EVERY, |answer| !answer.contains("InitiationPending")).await
    }

    /// Waits until no payment is in progress.
    async fn settled(&self, order: &str) -> BenchResult<()> {
        let on_its_way = ["AcceptedSettlementInProcess", "AcceptedSettlementCompleted", "Received"];
        let rests =
            |answer: &str| on_its_way.iter().all(|status| !answer.contains(&format!("\"Status\":\"{status}\"")));
        // The response is large, so it is read rarely; otherwise the measurement would include its cost.
        self.until(&format!("{ORDERS}/{order}/payment-details"), LOOK_EVERY * 15, rests).await
    }

    /// Reads a path repeatedly until the response satisfies a condition.
    async fn until(&self, path: &str, every: Duration, done: impl Fn(&str) -> bool) -> BenchResult<()> {
        let mut look = tokio::time::interval(every);
        look.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
        let began = Instant::now();
        while began.elapsed() < DONE_WITHIN {
            look.tick().await;
            if done(&self.get(path).await?) {
                return Ok(());
            }
        }
        Err("the order did not come on".into())
    }
}

fn as_json(lines: usize, _: &str) -> BenchResult<String> {
    let payment = |number| {
        json!({
            "InstructionIdentification": format!("I-{number}"),
            "EndToEndIdentification": format!("FILE-{number}"),
            "InstructedAmount": {"Amount": "0.01", "Currency": "GBP"},
            "CreditorAccount": {
                "SchemeName": "UK.OBIE.SortCodeAccountNumber",
                "Identification": "20000319825731",
                "Name": "Tea and Scones",
            },
            "RemittanceInformation": {"Reference": format!("R-{number}")},
        })
    };
    let payments: Vec<_> = (1..=lines).map(payment).collect();
    Ok(json!({"Data": {"DomesticPayments": payments}}).to_string())
}

fn as_xml(lines: usize, debtor: &str) -> BenchResult<String> {
    let (sort_code, number) = debtor.split_at_checked(6).ok_or("a short number")?;
    let mut file = format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n\
         <Document xmlns=\"urn:iso:std:iso:20022:tech:xsd:pain.001.001.08\"><CstmrCdtTrfInitn><GrpHdr>\
         <MsgId>BENCH</MsgId><CreDtTm>2026-01-01T10:00:00</CreDtTm><NbOfTxs>{lines}</NbOfTxs>\
         <InitgPty><Nm>Payer</Nm></InitgPty></GrpHdr>\
         <PmtInf><PmtInfId>B-1</PmtInfId><PmtMtd>TRF</PmtMtd><ReqdExctnDt><Dt>2026-01-01</Dt></ReqdExctnDt>\
         <Dbtr><Nm>Payer</Nm></Dbtr><DbtrAcct><Id><Othr><Id>{number}</Id></Othr></Id></DbtrAcct><DbtrAgt>\
         <FinInstnId><ClrSysMmbId><ClrSysId><Cd>GBDSC</Cd></ClrSysId><MmbId>{sort_code}</MmbId></ClrSysMmbId>\
         </FinInstnId></DbtrAgt>\n"
    );
    for number in 1..=lines {
        writeln!(
            file,
            "<CdtTrfTxInf><PmtId><InstrId>I-{number}</InstrId><EndToEndId>FILE-{number}</EndToEndId></PmtId>\
             <Amt><InstdAmt Ccy=\"GBP\">0.01</InstdAmt></Amt><Cdtr><Nm>Tea and Scones</Nm></Cdtr>\
             <CdtrAcct><Id><Othr><Id>20000319825731</Id></Othr></Id></CdtrAcct>\
             <RmtInf><Ustrd>Invoice {number}</Ustrd></RmtInf></CdtTrfTxInf>"
        )?;
    }
    file.push_str("</PmtInf></CstmrCdtTrfInitn></Document>\n");
    Ok(file)
}
