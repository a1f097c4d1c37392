//! The connector against a core that fails: the error for the caller, which calls are repeated, and which are not sent.

use crate::{BreakerSettings, ConnectorSettings, CoreIdentity, HeldInMemory, HttpBank};
use lombard_domain::account::{AccountIdentification, AccountScheme};
use lombard_domain::ids::BankAccountId;
use lombard_domain::payment::order::{PayeeConfirmation, UnconfirmedReason};
use lombard_domain::payment::transfer::NamedAccount;
use lombard_ports::bank::{Bank, BankError, CallContext, PaymentBank};
use lombard_ports::entropy::CountingEntropy;
use lombard_ports::store::{FailedWork, WorkKind};
use parking_lot::Mutex;
use rustls_pki_types::{PrivateKeyDer, PrivatePkcs8KeyDer};
use std::collections::VecDeque;
use std::sync::Arc;
use std::time::Duration;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};

/// The reaction of the core to one request.
#[derive(Clone)]
enum Reply {
    /// Answers with this status, header and body.
    Answer(u16, &'static str, &'static str),
    /// Announces more than it sends, and closes the connection.
    Cut(&'static str),
    /// Closes the connection without an answer.
    Reset,
    /// Never answers.
    Silence,
}

const BALANCES: Reply = Reply::Answer(200, "", r#"{"Balance":[]}"#);

/// A core that follows a script and records the requests that it received.
#[derive(Clone, Default)]
struct ScriptedCore {
    script: Arc<Mutex<VecDeque<Reply>>>,
    requests: Arc<Mutex<Vec<String>>>,
}

impl ScriptedCore {
    async fn start(replies: impl IntoIterator<Item = Reply>) -> (Self, String) {
        let core = Self { script: Arc::new(Mutex::new(replies.into_iter().collect())), ..Self::default() };
        let socket = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}", socket.local_addr().unwrap());
        let serving = core.clone();
        #[allow(clippy::disallowed_methods, reason = "the core lives as long as its test")]
        tokio::spawn(async move {
            while let Ok((stream, _)) = socket.accept().await {
                let core = serving.clone();
                tokio::spawn(async move { core.answer(stream).await });
            }
        });
        (core, url)
    }

    async fn answer(&self, mut stream: TcpStream) -> Option<()> {
        let mut received = Vec::new();
        let whole = loop {
            let mut chunk = [0; 4096];
            let count = stream.read(&mut chunk).await.ok()?;
            received.extend_from_slice(chunk.get(..count)?);
            let text = String::from_utf8_lossy(&received).into_owned();
            let Some((head, body)) = text.split_once("\r\n\r\n") else { continue };
            let length =
                head.lines().find_map(|line| line.to_lowercase().strip_prefix("content-length: ")?.parse().ok());
            if body.len() >= length.unwrap_or(0_usize) {
                break text;
            }
        };
        self.requests.lock().push(whole);
        let reply = self.script.lock().pop_front()?;
        match reply {
            Reply::Answer(status, header, body) => {
                let head = format!(
                    "HTTP/1.1 {status} X\r\n{header}connection: close\r\ncontent-length: {}\r\n\r\n",
                    body.len()
                );
                stream.write_all([head.as_str(), body].concat().as_bytes()).await.ok()?;
            }
            Reply::Cut(body) => {
                let head = format!("HTTP/1.1 200 X\r\ncontent-length: {}\r\n\r\n", body.len().saturating_add(10));
                stream.write_all([head.as_str(), body].concat().as_bytes()).await.ok()?;
            }
            Reply::Reset => {}
            Reply::Silence => std::future::pending().await,
        }
        stream.shutdown().await.ok()
    }

    fn count(&self) -> usize {
        self.requests.lock().len()
    }
}

/// How long the breaker stays open.
const OPEN_FOR: Duration = Duration::from_secs(5);

struct Connected {
    bank: HttpBank,
    core: ScriptedCore,
}

async fn connect(replies: impl IntoIterator<Item = Reply>, adjust: impl FnOnce(&mut ConnectorSettings)) -> Connected {
    let (core, url) = ScriptedCore::start(replies).await;
    let key = rcgen::KeyPair::generate().unwrap();
    let certificate = rcgen::CertificateParams::new(vec!["server".to_owned()]).unwrap().self_signed(&key).unwrap();
    let key = PrivateKeyDer::Pkcs8(PrivatePkcs8KeyDer::from(key.serialize_der()));
    let identity = CoreIdentity { chain: vec![certificate.der().clone()], key: Arc::new(key) };
    let mut settings = ConnectorSettings::new(url.parse().unwrap(), Vec::new(), identity);
    settings.breaker = BreakerSettings { failures: 0, open_for: OPEN_FOR };
    adjust(&mut settings);
    let held = Arc::<HeldInMemory>::default();
    let bank = HttpBank::new(settings, held, Arc::new(CountingEntropy::default())).unwrap();
    Connected { bank, core }
}

async fn balances(bank: &HttpBank) -> Result<usize, BankError> {
    let ids = [BankAccountId::from("a")];
    bank.list_balances(&CallContext::default(), &ids).await.map(|balances| balances.len())
}

fn is_unavailable(answer: &Result<usize, BankError>) -> bool {
    matches!(answer, Err(BankError::Unavailable(_)))
}

#[tokio::test]
async fn a_lost_answer_is_asked_for_again_and_a_third_time_and_no_more() {
    let it = connect([Reply::Reset, Reply::Cut("{\"Bal"), BALANCES], |_| {}).await;
    assert_eq!(balances(&it.bank).await.unwrap(), 0);
    assert_eq!(it.core.count(), 3);
    let it = connect([Reply::Reset, Reply::Reset, Reply::Cut("{"), BALANCES], |_| {}).await;
    assert!(is_unavailable(&balances(&it.bank).await));
    assert_eq!(it.core.count(), 3);
}

#[tokio::test]
async fn a_repeated_submission_says_the_same_as_the_first() {
    let it = connect([Reply::Reset, Reply::Answer(200, "", "{}")], |_| {}).await;
    it.bank.submit_orders(&CallContext::default(), &[]).await.unwrap();
    let requests = it.core.requests.lock().clone();
    assert_eq!(requests.len(), 2);
    assert!(requests.iter().all(|it| it.starts_with("POST /core/v1/submit HTTP/1.1")), "{requests:?}");
    assert_eq!(requests.first(), requests.last());
}

#[tokio::test]
async fn a_busy_core_says_when_to_come_back_and_is_not_asked_again_at_once() {
    let it = connect([Reply::Answer(503, "retry-after: 7\r\n", "{}"), BALANCES], |_| {}).await;
    let Err(BankError::Busy { retry_after, .. }) = balances(&it.bank).await else { panic!() };
    assert_eq!(retry_after, Some(Duration::from_secs(7)));
    assert_eq!(it.core.count(), 1);
}

#[tokio::test]
async fn an_unusable_answer_is_reported_by_path_and_not_requested_again() {
    for (reply, said) in [
        (Reply::Answer(200, "", r#"{"Balance":[{"AccountId":"a"},7]}"#), "Balance[0].Type: This member is required."),
        (Reply::Answer(200, "", r#"{"Balance":["#), "not JSON"),
        (
            Reply::Answer(
                400,
                "",
                r#"{"Error":"Invalid","Message":"m","Fault":[{"Path":"PageSize","Message":"Wrong."}]}"#,
            ),
            "PageSize: Wrong.",
        ),
        (Reply::Answer(500, "", "<html>"), "status 500"),
        (Reply::Answer(302, "location: /\r\n", ""), "status 302"),
    ] {
        let it = connect([reply, BALANCES], |_| {}).await;
        let Err(BankError::Broken(cause)) = balances(&it.bank).await else { panic!("{said}") };
        assert!(cause.contains(said), "{cause}");
        assert_eq!(it.core.count(), 1);
    }
}

#[tokio::test]
async fn an_answer_beyond_the_limit_is_not_read() {
    let it = connect([BALANCES], |settings| settings.answer_bytes_max = 5).await;
    assert!(matches!(balances(&it.bank).await, Err(BankError::Broken(cause)) if cause.contains("too large")));
}

#[tokio::test]
async fn a_core_that_is_silent_costs_the_deadline_and_then_nothing() {
    let it = connect([Reply::Silence, Reply::Silence, BALANCES], |settings| {
        settings.deadline_percent = 2;
        settings.breaker.failures = 2;
    })
    .await;
    assert!(is_unavailable(&balances(&it.bank).await) && is_unavailable(&balances(&it.bank).await));
    assert_eq!(it.core.count(), 2);
    let Err(BankError::Busy { retry_after, .. }) = balances(&it.bank).await else { panic!() };
    assert!(retry_after.unwrap() <= OPEN_FOR, "not tried");
    assert_eq!(it.core.count(), 2);
    tokio::time::pause();
    tokio::time::advance(OPEN_FOR).await;
    tokio::time::resume();
    assert_eq!(balances(&it.bank).await.unwrap(), 0, "one call tries again");
}

#[tokio::test]
async fn updates_that_cannot_be_applied_are_left_out_of_the_next_request() {
    let it = connect([Reply::Answer(200, "", "{}")], |_| {}).await;
    let work = FailedWork { kind: WorkKind::StatusUpdate, subject: "o-1".to_owned(), cause: "c".to_owned() };
    let call = CallContext::default();
    assert_eq!(it.bank.quarantine_updates(&call, vec![work]).await.unwrap(), 1);
    assert!(it.bank.fetch_status_updates(&call, 9).await.unwrap().is_empty());
    let request = it.core.requests.lock().pop().unwrap();
    assert!(request.ends_with(r#"{"Limit":9,"ExceptOrderId":["o-1"]}"#), "{request}");
}

/// A payee whose name can be checked.
fn payee() -> NamedAccount {
    let payee = AccountIdentification::new(AccountScheme::SortCodeAccountNumber, "08080021325698");
    NamedAccount::under_name(payee, "Jo".to_owned())
}

#[tokio::test]
async fn a_call_that_is_given_up_does_not_keep_the_next_from_trying() {
    let silent = [Reply::Answer(503, "", ""), Reply::Silence, BALANCES];
    let it = connect(silent, |settings| settings.breaker.failures = 1).await;
    assert!(matches!(balances(&it.bank).await, Err(BankError::Busy { .. })));
    tokio::time::pause();
    tokio::time::advance(OPEN_FOR).await;
    tokio::time::resume();
    let until_asked = async {
        while it.core.count() < 2 {
            tokio::task::yield_now().await;
        }
    };
    tokio::select! {
        answered = balances(&it.bank) => panic!("{answered:?}"),
        () = until_asked => {}
    }
    assert_eq!(
        balances(&it.bank).await.unwrap(),
        0,
        "one call tries again, and needs not wait for the one that was given up"
    );
}

#[tokio::test]
async fn confirmation_of_payee_that_fails_is_not_asked_for_and_all_else_is() {
    let busy = Reply::Answer(503, "", "");
    let it = connect([busy.clone(), busy, BALANCES], |settings| settings.breaker.failures = 2).await;
    let call = CallContext::default();
    for _ in 0..3 {
        assert!(matches!(it.bank.confirm_payee(&call, &payee()).await, Err(BankError::Busy { .. })));
    }
    assert_eq!(it.core.count(), 2, "the third is not tried");
    assert_eq!(balances(&it.bank).await.unwrap(), 0);
}

#[tokio::test]
async fn a_core_without_confirmation_of_payee_is_one_that_does_not_offer_it() {
    let unknown = Reply::Answer(404, "", r#"{"Error":"UnknownMethod","Message":"There is no such method."}"#);
    let call = CallContext::default();
    let it = connect([unknown.clone(), unknown], |_| {}).await;
    let said = it.bank.confirm_payee(&call, &payee()).await.unwrap();
    assert_eq!(said, PayeeConfirmation::Unavailable(UnconfirmedReason::NotOffered));
    assert!(
        matches!(balances(&it.bank).await, Err(BankError::UnknownMethod("balances"))),
        "no other method may be missing"
    );
}
