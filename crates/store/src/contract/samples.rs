//! Rows for the promises, with every optional member filled.

use jiff::Timestamp;
use lombard_domain::account::{
    Account, AccountScheme, AccountStatus, AccountSubType, AccountType, Agent, BalanceType, BankTransactionCode,
    CardAuthorisation, CardInstrument, CardScheme, CurrencyExchange, EntryBalance, EntryStatus, ExchangeRate,
    Identification, Merchant, Mutability, OtherParty, ProprietaryCode, SwitchStatus, Transaction as Entry,
};
use lombard_domain::client::{Client, ClientAuthentication, ClientStatus, Jwks};
use lombard_domain::consent::{AccountAccess, Consent, ConsentDraft, Permission, SelectedAccount, Submitted, Terms};
use lombard_domain::event::{AccountReason, Claims, Event, EventType, Link};
use lombard_domain::grant::{Code, Digest, Grant, GrantSubject, Interaction, InteractionStage, Token, TokenKind};
use lombard_domain::job::Job;
use lombard_domain::ledger::{Journal, Layer, Posting};
use lombard_domain::money::{Amount, Currency, Signed};
use lombard_domain::scope::{Role, Scope, Scopes};
use lombard_domain::version::Version;
use lombard_ports::store::{BankAccountRecord, IdempotencyKey, Store, StoreError, StoredKey, Transaction};

/// A second after the epoch, with microseconds that must survive.
pub(super) fn at(second: i64) -> Timestamp {
    Timestamp::from_microsecond(second * 1_000_000 + 123_456).unwrap()
}

pub(super) const fn digest(byte: u8) -> Digest {
    Digest([byte; 32])
}

/// Writes, or panics.
pub(super) async fn write<T: Send + 'static>(
    store: &Store,
    work: impl FnMut(&mut dyn Transaction) -> Result<T, StoreError> + Send + 'static,
) -> T {
    store.write(work).await.unwrap()
}

/// Reads, or panics.
pub(super) async fn read<T: Send + 'static>(
    store: &Store,
    work: impl FnMut(&mut dyn Transaction) -> Result<T, StoreError> + Send + 'static,
) -> T {
    store.read(work).await.unwrap()
}

pub(super) fn client(id: &str) -> Client {
    Client {
        id: id.into(),
        status: ClientStatus::Active,
        org_id: "0015800001HQQrZAAX".into(),
        org_name: String::from("Acme Ltd"),
        software_id: "4c4VqCmR3ZkzWBnNDaCyZ2".into(),
        software_name: String::from("Accounts & “More”"),
        on_behalf_of: Some(String::from("Somebody")),
        roles: vec![Role::Aisp, Role::Pisp],
        redirect_uris: vec![String::from("https://localhost:8445/callback"), String::from("https://x/?a=\"b\"")],
        authentication: ClientAuthentication::TlsClientAuth { subject_dn: String::from("CN=acme,O=Acme Ltd,C=GB") },
        jwks: Jwks::Local(String::from(r#"{"keys":[]}"#)),
        software_statement: String::from("e30.e30.sig"),
        headless: Some("amelia".into()),
        created_at: at(1),
        epoch: 0,
    }
}

pub(super) fn consent(id: &str, client: &str) -> Consent {
    let draft = ConsentDraft {
        terms: Terms::AccountAccess(AccountAccess {
            permissions: [Permission::ReadAccountsBasic, Permission::ReadBalances].into_iter().collect(),
            transactions_from: Some(at(10)),
            transactions_to: None,
        }),
        expires_at: Some(at(1_000)),
        submitted: Submitted { version: Version::V3_1, json: String::from(r#"{"Permissions":["ReadBalances"]}"#) },
    };
    draft.into_consent(id.into(), client.into(), at(5))
}

pub(super) fn selected(account: &str, alias: &str) -> SelectedAccount {
    SelectedAccount { account: account.into(), alias: alias.into() }
}

pub(super) fn grant(id: &str, client: &str, consent: Option<&str>) -> Grant {
    Grant {
        id: id.into(),
        client: client.into(),
        subject: match consent {
            Some(consent) => GrantSubject::Psu { psu: "amelia".into(), consent: consent.into() },
            None => GrantSubject::Client,
        },
        scopes: Scopes::NONE.with(Scope::Accounts).with(Scope::OpenId),
        auth_time: consent.map(|_| at(20)),
        acr: consent.map(|_| String::from("urn:openbanking:psd2:sca")),
        nonce: consent.map(|_| String::from("n-1")),
        created_at: at(21),
        revoked_at: None,
        epoch: 0,
    }
}

pub(super) fn token(byte: u8, grant: &str, kind: TokenKind, expires_at: Option<Timestamp>) -> Token {
    Token {
        hash: digest(byte),
        kind,
        grant: grant.into(),
        scopes: Scopes::NONE.with(Scope::Accounts),
        certificate: digest(200),
        issued_at: at(22),
        expires_at,
        revoked_at: None,
    }
}

pub(super) fn code(byte: u8, grant: &str) -> Code {
    Code {
        hash: digest(byte),
        client: "t".into(),
        redirect_uri: String::from("https://localhost:8445/callback"),
        grant: grant.into(),
        code_challenge: Some(String::from("E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM")),
        expires_at: at(60),
        redeemed_at: None,
    }
}

pub(super) fn interaction(id: &str, consent: &str) -> Interaction {
    Interaction {
        id: id.into(),
        client: "t".into(),
        consent: consent.into(),
        request: String::from("{}"),
        stage: InteractionStage::Login,
        browser: digest(1),
        psu: Some("amelia".into()),
        auth_time: Some(at(30)),
        form_token: digest(2),
        failures: 0,
        expires_at: at(600),
    }
}

pub(super) fn signing_key(id: &str, second: i64) -> StoredKey {
    StoredKey {
        id: id.into(),
        sealed: vec![0, 1, 255],
        chain: vec![vec![48, 3], vec![]],
        published_at: at(second),
        active_from: at(second + 1),
        retired_at: None,
    }
}

pub(super) fn event(id: &str, client: &str, second: i64) -> Event {
    let link = |version: Version| Link { version, address: format!("https://bank.example/{}/a", version.segment()) };
    Event {
        id: id.into(),
        client: client.into(),
        cause: "93bac548-d2de-4546-b106-880a5018460d".into(),
        occurred_at: at(second),
        recorded_at: at(second + 1),
        claims: Claims {
            issuer: String::from("https://bank.example"),
            about: String::from("https://bank.example/c"),
            resource_id: String::from("a"),
            resource_type: String::from("account-access-consent"),
            links: vec![link(Version::V3_1), link(Version::V4_0)],
            types: vec![EventType::LinkedAccountUpdate, EventType::VrpLinkedAccountUpdate],
            reason: Some(AccountReason::Cass),
        },
        scope: Scope::Accounts,
    }
}

pub(super) fn job(id: &str, due: i64) -> Job {
    Job { id: id.into(), kind: String::from("settle"), subject: String::from("o"), due_at: at(due), attempts: 0 }
}

pub(super) fn key(text: &str) -> IdempotencyKey {
    IdempotencyKey { client: "t".into(), operation: String::from("POST /domestic-payments"), key: text.into() }
}

pub(super) fn bank_account(id: &str, currency: Currency) -> BankAccountRecord {
    BankAccountRecord {
        account: Account {
            id: id.into(),
            status: AccountStatus::Enabled,
            status_changed_at: at(2),
            currency,
            account_type: AccountType::Personal,
            sub_type: AccountSubType::CurrentAccount,
            description: Some(String::from("Current account")),
            nickname: Some(String::from("Bills")),
            opened_on: Some(jiff::civil::date(2019, 2, 28)),
            matures_on: None,
            switch_status: Some(SwitchStatus::NotSwitched),
            identifications: vec![Identification {
                scheme: AccountScheme::SortCodeAccountNumber,
                number: String::from("20000012345678"),
                name: Some(String::from("A")),
                secondary: None,
            }],
            servicer: Some(Agent { bic: Some(String::from("LOMBGB2L")), name: None, address: None }),
        },
        holders: vec!["amelia".into(), "bashir".into()],
        eligible: true,
        credit_limit: 50_000,
        authorisers: 2,
    }
}

/// A journal of two sides.
pub(super) fn journal(cause: &str, from: &str, to: &str, minor: i64) -> Journal {
    let side = |account: &str, minor| Posting {
        account: account.into(),
        minor,
        currency: Currency::GBP,
        layer: Layer::Booked,
        entry: None,
    };
    Journal {
        id: format!("j-{cause}").into(),
        cause: cause.into(),
        booked_at: at(40),
        postings: vec![side(from, -minor), side(to, minor)],
    }
}

/// An entry with nothing but what it must have.
pub(super) fn entry(id: &str, account: &str, booked_at: Timestamp, minor: i64) -> Entry {
    Entry {
        account: account.into(),
        id: id.into(),
        reference: None,
        statement_references: Vec::new(),
        sum: Signed::from_minor(minor, Currency::GBP),
        status: EntryStatus::Booked,
        mutability: Mutability::Immutable,
        booked_at,
        value_at: None,
        information: None,
        address_line: None,
        charge: None,
        exchange: None,
        bank_code: None,
        proprietary_code: None,
        balance: None,
        merchant: None,
        other_party: None,
        card: None,
    }
}

/// An entry with everything it can have.
pub(super) fn full_entry(id: &str, account: &str) -> Entry {
    let text = |text: &str| Some(String::from(text));
    Entry {
        reference: text("ref"),
        statement_references: vec![String::from("s1"), String::from("s2")],
        status: EntryStatus::Pending,
        mutability: Mutability::Mutable,
        value_at: Some(at(51)),
        information: text("Ünïcode \"quoted\" \\ \u{1F4B7}"),
        address_line: text("1 High St"),
        charge: Some(Amount::from_minor(12, Currency::GBP)),
        exchange: Some(CurrencyExchange {
            source: Currency::USD,
            target: Currency::GBP,
            unit: Currency::GBP,
            rate: ExchangeRate("1.2345000".parse().unwrap()),
            quoted_at: Some(at(49)),
            instructed: Some(Amount::from_minor(1_000, Currency::USD)),
        }),
        bank_code: Some(BankTransactionCode {
            code: String::from("CustomerCardTransactions"),
            sub_code: String::from("PointOfSalePayment"),
        }),
        proprietary_code: Some(ProprietaryCode { code: String::from("POS"), issuer: text("Lombard") }),
        balance: Some(EntryBalance { kind: BalanceType::InterimBooked, sum: Signed::from_minor(-77, Currency::GBP) }),
        merchant: Some(Merchant { name: String::from("Shop"), category: text("5411") }),
        other_party: Some(OtherParty {
            agent: Some(Agent { bic: None, name: text("Other Bank"), address: None }),
            account: Some(Identification {
                scheme: AccountScheme::Iban,
                number: String::from("GB33BUKB20201555555555"),
                name: None,
                secondary: text("roll"),
            }),
        }),
        card: Some(CardInstrument {
            scheme: CardScheme::Visa,
            authorisation: Some(CardAuthorisation::Contactless),
            name: text("A MELIA"),
            number: text("4111111111111111"),
        }),
        ..entry(id, account, at(50), -810)
    }
}
