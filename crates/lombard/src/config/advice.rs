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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_connection_to_the_database_that_is_not_verified_is_advised_against() {
        let advice = |mode: &str, url: &str| {
            let text = format!("mode = \"{mode}\"\n[database]\nurl = \"{url}\"");
            Config::parse_and_check(&text, &[]).unwrap().0.advice().into_iter().map(|it| it.at).collect::<Vec<_>>()
        };
        assert_eq!(advice("production", "postgres://db/bank?sslmode=require"), ["database.url"]);
        assert_eq!(advice("production", "postgres://db/bank?sslrootcert=system"), Vec::<String>::new());
        assert_eq!(advice("production", "postgres://127.0.0.1/bank"), Vec::<String>::new());
        assert_eq!(advice("sandbox", "postgres://db/bank"), Vec::<String>::new());
    }
}
