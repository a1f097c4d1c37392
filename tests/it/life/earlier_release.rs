//! The data of earlier releases, each a sandbox after a tour: this release opens them, and nothing is lost.
//!
//! `cargo xtask keep-release VERSION` writes the data of this release to `tests/releases/VERSION`.

use crate::harness::{Bank, Engine, ExchangeExt, ValueExt};
use crate::payments::books::count;
use crate::tour::pass_every_check;
use crate::workers::rows::{run_script, texts};
use flate2::Compression;
use jiff::{SignedDuration, Timestamp};
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::fs;
use std::io::{Read, Write};
use std::path::{Path, PathBuf};

/// The folder with a folder for each release.
const RELEASES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/releases");

/// The variable with the name of the release that is kept.
const KEPT_AS: &str = "LOMBARD_KEEP_RELEASE";

/// The variable with the program `pg_dump`.
const PG_DUMP: &str = "LOMBARD_TEST_PG_DUMP";

/// Days of history that are kept.
const HISTORY_DAYS: i64 = 3;

/// The customers of a sandbox.
const CUSTOMERS: usize = 5;

/// What must be the same after the migration, each row as a text.
const THE_SAME: [&str; 8] = [
    "SELECT psu_id || name FROM customers",
    "SELECT id || client_id || kind || state || terms FROM consents",
    "SELECT id || client_id || product || steps FROM orders",
    "SELECT id || client_id || claims FROM events",
    "SELECT id || booked || '/' || pending || currency FROM ledger_accounts",
    "SELECT id || account_id || minor || status FROM entries",
    "SELECT id || told || plan FROM bank_orders",
    "SELECT kind || account_id || id || detail FROM arrangements",
];

async fn contents(bank: &Bank) -> Vec<BTreeSet<String>> {
    let mut all = Vec::new();
    for question in THE_SAME {
        all.push(texts(bank, question).await);
    }
    all
}

/// The data of a release on an engine: the database, compressed, as a file of SQLite or as statements for PostgreSQL, and the key
/// that its secrets are sealed with.
struct KeptData {
    database: PathBuf,
    key: PathBuf,
}

impl KeptData {
    fn of(release: &Path, engine: Engine) -> Self {
        let (folder, file) = match engine {
            Engine::Sqlite => ("sqlite", "lombard.db.gz"),
            Engine::Postgres => ("postgres", "lombard.sql.gz"),
        };
        let folder = release.join(folder);
        Self { database: folder.join(file), key: folder.join("key-encryption.key") }
    }

    fn database(&self) -> Vec<u8> {
        let mut all = Vec::new();
        flate2::read::GzDecoder::new(fs::File::open(&self.database).unwrap()).read_to_end(&mut all).unwrap();
        all
    }

    fn write(&self, database: &[u8], key: &Path) {
        fs::create_dir_all(self.database.parent().unwrap()).unwrap();
        let mut file = flate2::write::GzEncoder::new(fs::File::create(&self.database).unwrap(), Compression::best());
        file.write_all(database).unwrap();
        file.finish().unwrap();
        fs::copy(key, &self.key).unwrap();
    }
}

/// A bank that a release has left, not started.
async fn left_behind(kept: &KeptData, engine: Engine) -> Bank {
    let bank = Bank::bare(engine).await;
    match engine {
        Engine::Sqlite => fs::write(bank.data_dir().join("lombard.db"), kept.database()).unwrap(),
        Engine::Postgres => run_script(&bank, &String::from_utf8(kept.database()).unwrap()).await,
    }
    fs::create_dir(bank.data_dir().join("private")).unwrap();
    fs::copy(&kept.key, bank.data_dir().join("private/key-encryption.key")).unwrap();
    bank
}

/// The same by the name of the release, such as `0.1`.
pub(crate) async fn left_behind_by(release: &str, engine: Engine) -> Bank {
    left_behind(&KeptData::of(&Path::new(RELEASES).join(release), engine), engine).await
}

#[tokio::test]
async fn data_of_earlier_releases_open_with_all_that_they_hold() {
    let releases = fs::read_dir(RELEASES).unwrap().map(|entry| entry.unwrap().path()).filter(|path| path.is_dir());
    let mut releases: Vec<_> = releases.collect();
    releases.sort();
    assert!(releases.len() > 1, "{releases:?}");
    for release in releases {
        for engine in Engine::at_hand() {
            let bank = left_behind(&KeptData::of(&release, engine), engine).await;
            Box::pin(opens(bank)).await;
        }
    }
}

async fn opens(mut bank: Bank) {
    let before = contents(&bank).await;
    assert!(before.iter().all(|rows| !rows.is_empty()), "there is something of everything");
    drop(bank.operator().await);
    assert_eq!(contents(&bank).await, before, "migrated, and nothing else");
    assert_eq!(count(&bank, "SELECT count(*) FROM schema_migrations WHERE number IN (4, 9, 10, 12, 13, 16)").await, 0);
    let of_bank = i64::try_from(lombard_corebank::SCHEMA.migrations.len()).unwrap();
    assert_eq!(count(&bank, "SELECT count(*) FROM bank_migrations WHERE number > 0").await, of_bank);
    let moved = texts(&bank, "SELECT name FROM bank_settings").await;
    assert!(moved.contains("sandbox.seed") && moved.contains("bank.diary_turned_at"), "{moved:?}");

    bank.restart().await;
    assert_eq!(bank.ops_get("/readyz").await.status, 200);
    let customers = bank.ops_get("/sandbox/psus").await.ok(200).list("/psus").len();
    assert_eq!(customers, CUSTOMERS, "those that were there, and no others");
    for order in texts(&bank, "SELECT id FROM orders WHERE product <> 'file-payment'").await {
        let path = format!("/sandbox/orders/{order}");
        assert_eq!(bank.ops_get(&path).await.status, 200, "{order}");
        // What the bank wrote down of it can be read, whether the order is over or not.
        let settled = bank.ops_post(&format!("{path}/outcome"), &json!({"outcome": "settle"})).await;
        assert!([200, 409].contains(&settled.0), "{order}: {} {}", settled.0, settled.1);
    }
    assert_eq!(bank.ops_get("/operations/quarantine").await.ok(200).list("/work"), Vec::<Value>::new());
    let sums = "SELECT count(*) FROM (SELECT currency FROM ledger_accounts GROUP BY currency \
                HAVING sum(booked) <> 0 OR sum(pending) <> 0) AS odd";
    assert_eq!(count(&bank, sums).await, 0, "the ledger sums to zero");
}

#[tokio::test]
#[ignore = "not a test: writes the data of this release, for cargo xtask keep-release"]
async fn data_are_kept_for_the_next_release() {
    let release = Path::new(RELEASES).join(std::env::var(KEPT_AS).unwrap());
    let engines = Engine::at_hand();
    assert!(engines.contains(&Engine::Postgres), "the data of both engines are kept");
    for engine in engines {
        let mut bank = Bank::start_on(engine).await;
        let since = bank.now() - SignedDuration::from_hours(24 * HISTORY_DAYS);
        pass_every_check(&bank).await;
        bank.stop().await;
        let shorten = shortened_history(since);
        let database = match engine {
            Engine::Sqlite => compact_file(&bank, &shorten),
            Engine::Postgres => {
                let unprotected = "ALTER TABLE postings DISABLE TRIGGER USER";
                let protected = "ALTER TABLE postings ENABLE TRIGGER USER";
                run_script(&bank, &format!("{unprotected}; {shorten}; {protected}")).await;
                dump(&bank).await
            }
        };
        let key = bank.data_dir().join("private/key-encryption.key");
        KeptData::of(&release, engine).write(&database, &key);
    }
}

/// Removes what was booked before this time, so that the data are small. Sums stay as they are.
fn shortened_history(since: Timestamp) -> String {
    let micros = since.as_microsecond();
    format!(
        "DELETE FROM entries WHERE booked_at < {micros};
        DELETE FROM statements WHERE id NOT IN (SELECT statement_id FROM entries WHERE statement_id IS NOT NULL);
        DELETE FROM postings WHERE journal_id IN (SELECT id FROM journals WHERE booked_at < {micros});
        DELETE FROM journals WHERE booked_at < {micros}"
    )
}

fn compact_file(bank: &Bank, shorten: &str) -> Vec<u8> {
    let file = bank.data_dir().join("compact.db");
    let database = rusqlite::Connection::open(bank.data_dir().join("lombard.db")).unwrap();
    let text = "SELECT sql FROM sqlite_master WHERE name = 'postings_stay_for_ever'";
    let protect: String = database.query_row(text, [], |row| row.get(0)).unwrap();
    let all = format!("DROP TRIGGER postings_stay_for_ever; {shorten}; {protect}");
    database.execute_batch(&all).unwrap();
    database.execute("VACUUM INTO ?1", [file.to_str().unwrap()]).unwrap();
    fs::read(file).unwrap()
}

async fn dump(bank: &Bank) -> Vec<u8> {
    let mut dump = tokio::process::Command::new(std::env::var(PG_DUMP).unwrap());
    dump.args(["--no-owner", "--no-privileges", "--inserts", "--rows-per-insert=100", "--dbname"]);
    let dumped = dump.arg(bank.database_url().as_str()).output().await.unwrap();
    assert!(dumped.status.success(), "{}", String::from_utf8_lossy(&dumped.stderr));
    let text = String::from_utf8(dumped.stdout).unwrap();
    // Commands of psql and comments are no statements.
    let lines = text.lines().filter(|line| !line.starts_with('\\') && !line.starts_with("--") && !line.is_empty());
    lines.collect::<Vec<_>>().join("\n").into_bytes()
}
