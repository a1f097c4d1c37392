//! What an operator should know of a configuration that can be used.

use super::file_contents::read_database_url;
use super::problem::Problem;
use super::rules::{database, rates};
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
        database.into_iter().chain(rates::advice(self)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rw_112_a_published_rate_that_no_number_of_nodes_fits_is_named() {
        let read = |text: &str| Config::from_parts(text, &[]);
        let advice = |text: &str| read(text).unwrap().advice().into_iter().map(|it| it.at).collect::<Vec<_>>();
        assert_eq!(advice(""), Vec::<String>::new());
        assert_eq!(advice("rates.nodes = 5"), Vec::<String>::new(), "the usual rates are multiples of 5");
        assert_eq!(
            advice("rates.nodes = 4\nrates.funds_client_per_s = 6"),
            [
                "rates.token_per_s",
                "rates.pushed_per_s",
                "rates.authorize_per_s",
                "events.rate_per_s",
                "rates.funds_client_per_s",
            ]
        );
        let refused = read("rates.nodes = 4\nrates.files_per_s = 3\nrates.vrp_client_per_s = 1\nrates.vrp_per_s = 0");
        let named: Vec<_> = refused.unwrap_err().iter().map(|problem| problem.at.clone()).collect();
        assert_eq!(named, ["rates.files_per_s", "rates.vrp_client_per_s"]);
        assert!(read("rates.nodes = 4\nrates.files_per_s = 4\nrates.vrp_client_per_s = 0").is_ok());
    }

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
