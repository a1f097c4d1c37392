//! What earlier releases have left in `tests/releases/`: their statements and migrations, which the newest schema must serve.
//!
//! The folder of a release has, for each schema by the name of its history, the statements on each engine, one in a line, and the
//! migrations that were published, with the checksums of their files.

use super::{Raw, TestDatabase};
use crate::migrations::checksum;
use crate::statement::SqlStatement;
use crate::{Migration, Schema};
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

/// The environment variable with the name of the release that is kept, such as `0.3`.
const KEPT_AS: &str = "LOMBARD_KEEP_RELEASE";

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/releases")
}

/// The folders of kept releases.
fn releases() -> Vec<PathBuf> {
    let entries = fs::read_dir(folder()).unwrap().map(|entry| entry.unwrap().path());
    entries.filter(|path| path.is_dir()).collect()
}

/// The lines of a file of a release; none if the release was not kept in this form.
fn lines(release: &Path, file: &str) -> Vec<String> {
    let text = fs::read_to_string(release.join(file)).unwrap_or_default();
    text.lines().map(str::to_owned).collect()
}

fn published(migration: &Migration) -> String {
    format!("{} {} {}", migration.name, checksum(migration.sqlite), checksum(migration.postgres))
}

/// Writes the statements and the migrations of a schema into the folder of the release that the environment names.
pub fn keep_release(schema: &Schema, statements: impl Iterator<Item = &'static SqlStatement>) {
    let release = std::env::var(KEPT_AS).unwrap_or_else(|_| panic!("{KEPT_AS} names the release"));
    let folder = folder().join(release);
    fs::create_dir_all(&folder).unwrap();
    let (mut sqlite, mut postgres, mut migrations) = (String::new(), String::new(), String::new());
    for statement in statements {
        for (kept, text) in [(&mut sqlite, statement.sqlite), (&mut postgres, statement.postgres)] {
            let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
            let _ = writeln!(kept, "{line}");
        }
    }
    for migration in schema.migrations {
        let _ = writeln!(migrations, "{}", published(migration));
    }
    let history = schema.history;
    for (file, text) in [("sqlite.sql", sqlite), ("postgres.sql", postgres), ("txt", migrations)] {
        fs::write(folder.join(format!("{history}.{file}")), text).unwrap();
    }
}

/// Checks that no migration that a release has published was changed.
pub fn published_migrations_stay_as_they_are(schema: &Schema) {
    let known: Vec<_> = schema.migrations.iter().map(published).collect();
    let kept: Vec<_> =
        releases().iter().flat_map(|release| lines(release, &format!("{}.txt", schema.history))).collect();
    assert!(!kept.is_empty(), "no release is kept");
    let changed: Vec<_> = kept.iter().filter(|migration| !known.contains(migration)).collect();
    assert!(changed.is_empty(), "published migrations were edited or removed: {changed:?}");
}

impl TestDatabase {
    /// Checks that the engine can prepare the statements of the kept releases on a schema, to which the database was migrated.
    pub async fn understands_kept_releases(&self, schema: &Schema) {
        let engine = if self.is_remote() { "postgres" } else { "sqlite" };
        let mut misunderstood = Vec::new();
        let mut count = 0;
        for release in releases() {
            for statement in lines(&release, &format!("{}.{engine}.sql", schema.history)) {
                count += 1;
                let prepared = match &self.raw {
                    Raw::Sqlite { connection, .. } => {
                        connection.lock().prepare(&statement).map(drop).map_err(|error| error.to_string())
                    }
                    Raw::Postgres(client) => {
                        client.prepare(&statement).await.map(drop).map_err(|error| format!("{error:?}"))
                    }
                };
                if let Err(error) = prepared {
                    misunderstood.push(format!("{}: {error}\n{statement}", release.display()));
                }
            }
        }
        assert!(count > 0, "no statement is kept");
        let what = "nodes of an earlier release do not work on this schema. Expand it first, and take away later";
        assert!(misunderstood.is_empty(), "{what}:\n{}", misunderstood.join("\n"));
    }
}
