//! Records every exchange of the tests as a file, for `cargo xtask conformance`.

use lombard_tpp::{ExchangeObserver, HttpExchange};
use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, Ordering};

static NUMBER: AtomicU64 = AtomicU64::new(0);

/// Writes exchanges into the folder `LOMBARD_EXCHANGES_DIR` names, if it names one.
pub(crate) fn observer() -> Option<ExchangeObserver> {
    let folder = PathBuf::from(std::env::var_os("LOMBARD_EXCHANGES_DIR")?);
    std::fs::create_dir_all(&folder).unwrap();
    Some(ExchangeObserver::new(move |exchange| write(&folder, exchange)))
}

fn write(folder: &std::path::Path, exchange: &HttpExchange) {
    let number = NUMBER.fetch_add(1, Ordering::Relaxed);
    let file = folder.join(format!("{}-{number:06}.json", std::process::id()));
    std::fs::write(file, exchange.to_record().to_string()).unwrap();
}
