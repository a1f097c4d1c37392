//! The rules of the database's URL.

use crate::config::problem::Problem;
use crate::config::reader::nearest;
use crate::config::settings::Config;
use crate::config::value::DatabaseUrl;
use lombard_database::{PostgresUrl, UrlFault};

/// The faults of a database's URL, reported for this setting.
pub(in crate::config) fn url(setting: &'static str, url: &DatabaseUrl) -> Vec<Problem> {
    let faults = read(url).and_then(Result::err).unwrap_or_default();
    faults.into_iter().map(|fault| Problem::new(setting, message(&fault))).collect()
}

/// The URL of a PostgreSQL without faults.
pub(in crate::config) fn postgres(url: &DatabaseUrl) -> Option<PostgresUrl> {
    read(url).and_then(Result::ok)
}

fn read(url: &DatabaseUrl) -> Option<Result<PostgresUrl, Vec<UrlFault>>> {
    (!url.is_sqlite()).then(|| PostgresUrl::parse(url.expose()))
}

fn message(fault: &UrlFault) -> String {
    let UrlFault::UnknownParameter(name) = fault else { return fault.to_string() };
    match nearest(name, PostgresUrl::parameters().map(str::to_owned)) {
        Some(known) => format!("{fault}; did you mean {known}?"),
        None => format!("{fault}; docs/operating/storage.md lists them"),
    }
}

/// What an operator should know of a database that can be used.
pub(in crate::config) fn advice(config: &Config, setting: &'static str, url: &DatabaseUrl) -> Option<Problem> {
    let is_unverified = !config.is_sandbox() && postgres(url).is_some_and(|url| url.is_unverified());
    is_unverified.then(|| {
        let message = "the connection to the database is not verified: whoever is between could read and change the bank's data; add \
            sslmode=verify-full and sslrootcert to the URL";
        Problem::new(setting, message)
    })
}
