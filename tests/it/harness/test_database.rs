//! Databases of single banks on the PostgreSQL server of the tests. Each is dropped after its test: together they would fill a disk.

use super::engine;
use std::sync::LazyLock;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::mpsc::{Sender, channel};

/// A database that is dropped with this value, whoever is still connected to it.
#[derive(Debug)]
pub(super) struct TestDatabase {
    name: String,
    url: String,
}

impl TestDatabase {
    /// An empty one.
    pub(super) async fn empty() -> Self {
        Self::create(&format!("lombard_it_{}_bare", std::process::id()), "").await
    }

    /// A copy of the database with this name.
    pub(super) async fn copy_of(template: &str) -> Self {
        Self::create(template, &format!(" TEMPLATE {template}")).await
    }

    /// Its URL.
    pub(super) fn url(&self) -> &str {
        &self.url
    }

    async fn create(prefix: &str, template: &str) -> Self {
        static NUMBER: AtomicU32 = AtomicU32::new(0);
        let name = format!("{prefix}_{}", NUMBER.fetch_add(1, Ordering::Relaxed));
        engine::postgres_run(&[format!("CREATE DATABASE {name}{template}")]).await;
        Self { url: engine::postgres_database(&name), name }
    }
}

impl Drop for TestDatabase {
    /// Leaves the work to a thread: the runtime of the test may be ending.
    fn drop(&mut self) {
        drop(DROPPED.send(std::mem::take(&mut self.name)));
    }
}

/// The names of databases that are to be dropped. Those that remain when the tests end go with their server.
static DROPPED: LazyLock<Sender<String>> = LazyLock::new(|| {
    let (sender, names) = channel::<String>();
    let work = move || {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        for name in names {
            runtime.block_on(engine::postgres_run(&[format!("DROP DATABASE {name} WITH (FORCE)")]));
        }
    };
    std::thread::Builder::new().name("dropped-databases".to_owned()).spawn(work).unwrap();
    sender
});
