//! PgBouncer between a node and its server.

use super::own_server::{OwnServer, Programs};
use super::{MAKE_NOTES, NOTES_HISTORY, add, opened, reasons, refused, statement, text};
use futures_util::future::join_all;
use lombard_database::statement::SqlStatement;
use lombard_database::{Migration, Schema, StoreOptions, migrate_store};
use lombard_ports::store::StoreError;
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::sync::Arc;
use std::time::Duration;
use tokio::io::{AsyncBufReadExt, BufReader};
use tokio::process::Child;

/// The notes with an index that is made while nodes use the table.
static INDEXED_NOTES: Schema = Schema {
    history: NOTES_HISTORY,
    migrations: &[
        MAKE_NOTES,
        Migration {
            number: 2,
            name: "0002_notes_by_length",
            sqlite: "CREATE INDEX notes_by_length ON notes (length(text))",
            postgres: "CREATE INDEX CONCURRENTLY notes_by_length ON notes (length(text))",
            works_from: 0,
        },
    ],
    expands_after: 1,
    before: None,
};

static VALID_INDEXES: SqlStatement =
    statement("SELECT count(*)::text FROM pg_index WHERE indexrelid = to_regclass('notes_by_length') AND indisvalid");

static COUNT: SqlStatement = statement("SELECT count(*)::text FROM notes");

/// The first version that takes care of prepared statements.
const FIRST_USABLE: (u32, u32) = (1, 21);

/// How often another port is tried when another process was faster.
const ATTEMPTS: usize = 5;

/// A pooler before a server. It is killed when it is dropped.
struct PgBouncer {
    _process: Child,
    port: u16,
}

impl PgBouncer {
    /// The program; `None`, with a warning, if there is none.
    fn program() -> Option<PathBuf> {
        let named = std::env::var_os("LOMBARD_TEST_PGBOUNCER").map(PathBuf::from);
        let found = named.or_else(|| Some(PathBuf::from("/usr/sbin/pgbouncer")).filter(|path| path.is_file()));
        if found.is_none() {
            eprintln!("SKIPPED behind PgBouncer: it is not installed");
        }
        found
    }

    /// Its version, such as (1, 18).
    fn version(program: &Path) -> (u32, u32) {
        let said = std::process::Command::new(program).arg("--version").output().unwrap();
        let said = String::from_utf8_lossy(&said.stdout).into_owned();
        let mut numbers = said.split(|it: char| !it.is_ascii_digit()).filter_map(|it| it.parse().ok());
        (numbers.next().unwrap(), numbers.next().unwrap())
    }

    async fn before(server: &OwnServer, programs: &Arc<Programs>, program: &Path, settings: &str) -> Self {
        let users = server.write("users.txt", "\"lombard\" \"\"\n");
        for _ in 0..ATTEMPTS {
            let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
            let configuration = format!(
                "[databases]\n* = host=127.0.0.1 port={}\n[pgbouncer]\nlisten_addr = 127.0.0.1\nlisten_port = {port}\n\
                 unix_socket_dir =\nauth_type = trust\nauth_file = {users}\ndefault_pool_size = 4\n{settings}\n",
                server.port()
            );
            let configuration = server.write(&format!("pgbouncer-{port}.ini"), &configuration);
            let mut command = programs.other_command(program);
            let mut process = command.arg(configuration).stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
            let mut lines = BufReader::new(process.stderr.take().unwrap()).lines();
            while let Some(line) = lines.next_line().await.unwrap() {
                if line.contains("process up") {
                    tokio::spawn(async move { while lines.next_line().await.is_ok_and(|line| line.is_some()) {} });
                    return Self { _process: process, port };
                }
            }
        }
        panic!("PgBouncer does not start");
    }

    fn url(&self) -> String {
        format!("postgres://lombard@127.0.0.1:{}/postgres", self.port)
    }
}

/// The programs of a server and a pooler of transactions; `None`, with a warning, if one is missing or too old.
async fn usable() -> Option<(Arc<Programs>, PathBuf)> {
    let (programs, program) = (Programs::find().await?, PgBouncer::program()?);
    if PgBouncer::version(&program) < FIRST_USABLE {
        eprintln!("SKIPPED behind PgBouncer in transaction pooling: it is older than 1.21");
        return None;
    }
    Some((programs, program))
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn nodes_work_behind_a_pooler_that_takes_care_of_statements() {
    let Some((programs, program)) = usable().await else { return };
    let server = OwnServer::start(&programs, "").await;
    let settings = "pool_mode = transaction\nmax_prepared_statements = 550";
    let pooler = PgBouncer::before(&server, &programs, &program, settings).await;
    let nodes = [opened(&pooler.url()).await.unwrap(), opened(&pooler.url()).await.unwrap()];
    for round in 0..20 {
        let calls = (0..20).flat_map(|number| {
            nodes.iter().enumerate().map(move |(node, database)| async move {
                add(database, &format!("{round} {number} {node}")).await.unwrap();
                text(database, &COUNT).await
            })
        });
        join_all(calls).await;
    }
    assert_eq!(text(&nodes[0], &COUNT).await, "800");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_pooler_that_loses_statements_is_refused_with_the_reason() {
    let (Some(programs), Some(program)) = (Programs::find().await, PgBouncer::program()) else { return };
    let server = OwnServer::start(&programs, "").await;
    let is_new = PgBouncer::version(&program) >= FIRST_USABLE;
    let off = if is_new { "max_prepared_statements = 0" } else { "" };
    for round_robin in [0, 1] {
        let settings = format!("pool_mode = transaction\nserver_round_robin = {round_robin}\n{off}");
        let pooler = PgBouncer::before(&server, &programs, &program, &settings).await;
        let said = refused(&pooler.url()).await;
        assert!(said.contains("use PgBouncer 1.21 or newer with max_prepared_statements"), "{said}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_pooler_of_sessions_is_like_the_server() {
    let (Some(programs), Some(program)) = (Programs::find().await, PgBouncer::program()) else { return };
    let server = OwnServer::start(&programs, "").await;
    let settings = "pool_mode = session\ndefault_pool_size = 40";
    let pooler = PgBouncer::before(&server, &programs, &program, settings).await;
    let database = opened(&pooler.url()).await.unwrap();
    add(&database, "a note").await.unwrap();
    assert_eq!(text(&database, &COUNT).await, "1");
}

/// Makes the index through a pooler. A second connection is waited for no longer than two seconds.
async fn make_index(pooler: &PgBouncer) -> Result<Vec<String>, StoreError> {
    let mut options = StoreOptions::new(pooler.url());
    options.waits.connection = Duration::from_secs(2);
    migrate_store(&options, &[&INDEXED_NOTES]).await
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_index_is_made_behind_a_pooler_that_takes_care_of_statements() {
    let Some((programs, program)) = usable().await else { return };
    let server = OwnServer::start(&programs, "").await;
    let settings = "pool_mode = transaction\nmax_prepared_statements = 550\ndefault_pool_size = 2";
    let pooler = PgBouncer::before(&server, &programs, &program, settings).await;
    let database = opened(&pooler.url()).await.unwrap();
    add(&database, "a note").await.unwrap();
    assert_eq!(make_index(&pooler).await.unwrap(), ["0002_notes_by_length"]);
    assert_eq!(text(&database, &VALID_INDEXES).await, "1");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_pool_too_small_for_an_index_is_named_before_it_is_made() {
    let Some((programs, program)) = usable().await else { return };
    let server = OwnServer::start(&programs, "").await;
    let settings = "pool_mode = transaction\nmax_prepared_statements = 550\ndefault_pool_size = 1";
    let pooler = PgBouncer::before(&server, &programs, &program, settings).await;
    let database = opened(&pooler.url()).await.unwrap();
    let said = reasons(&make_index(&pooler).await.unwrap_err());
    assert!(said.contains("0002_notes_by_length") && said.contains("default_pool_size"), "{said}");
    assert_eq!(text(&database, &VALID_INDEXES).await, "0");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_time_limit_of_the_role_is_named_when_it_ends_an_index() {
    let Some((programs, program)) = usable().await else { return };
    let server = OwnServer::start(&programs, "statement_timeout = 2s").await;
    let settings = "pool_mode = transaction\nmax_prepared_statements = 550";
    let pooler = PgBouncer::before(&server, &programs, &program, settings).await;
    let database = opened(&pooler.url()).await.unwrap();
    // The index waits for this transaction until the limit ends it.
    let url = format!("postgres://lombard@127.0.0.1:{}/postgres", server.port());
    let (writer, connection) = tokio_postgres::connect(&url, tokio_postgres::NoTls).await.unwrap();
    tokio::spawn(connection);
    writer.batch_execute("BEGIN; INSERT INTO notes (text) VALUES ('a note')").await.unwrap();
    let said = reasons(&make_index(&pooler).await.unwrap_err());
    assert!(said.contains("0002_notes_by_length") && said.contains("statement_timeout = 0"), "{said}");
    writer.batch_execute("COMMIT").await.unwrap();
    assert_eq!(make_index(&pooler).await.unwrap(), ["0002_notes_by_length"], "the unfinished index is replaced");
    assert_eq!(text(&database, &VALID_INDEXES).await, "1");
}
