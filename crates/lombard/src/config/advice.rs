//! What an operator should know of a configuration that can be used.

use super::file_contents::read_database_url;
use super::problem::Problem;
use super::rules::database;
use super::settings::Config;

impl Config {
    /// Advice, each with its setting. A configuration with advice can be used.
    pub fn advice(&self) -> Vec<Problem> {
        let in_file = self.database.url_file.as_deref().and_then(|file| read_database_url(file).ok());
        let database = match (&self.database.url, &in_file) {
            (Some(url), _) => database::advice(self, "database.url", url),
            (None, Some(url)) => database::advice(self, "database.url_file", url),
            (None, None) => None,
        };
        database.into_iter().collect()
    }
}
