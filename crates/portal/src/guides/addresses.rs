//! Replaces the URLs in the documents, which are those of a local installation, by the URLs of this server.

use super::guide_pages::PAGES;
use super::library::LIBRARY;
use lombard_edge::app::HttpSettings;

/// The public URL that the documents use; the next constants are the other URLs.
const PUBLIC: &str = "https://localhost:8443";
const MTLS: &str = "https://localhost:8444";
const OPS: &str = "http://127.0.0.1:9090";

/// The URLs of a server.
#[derive(Debug, Clone, Copy)]
pub(super) struct ServerAddresses<'a> {
    pub(super) public: &'a str,
    pub(super) mtls: &'a str,
    /// The URL of the ops listener; `None` in production, where TPPs must not know it.
    pub(super) ops: Option<&'a str>,
}

impl<'a> ServerAddresses<'a> {
    /// The URLs of the server with these settings.
    pub(super) fn of(settings: &'a HttpSettings) -> Self {
        let ops = Some(settings.ops_url.as_str()).filter(|_| settings.sandbox);
        Self { public: &settings.public_url, mtls: &settings.mtls_url, ops }
    }

    /// Replaces the documents' URLs in a text.
    pub(super) fn fill(self, text: &str) -> String {
        let named = [(PUBLIC, Some(self.public)), (MTLS, Some(self.mtls)), (OPS, self.ops)];
        let mut filled = String::new();
        let mut rest = text;
        // All URLs are replaced in one pass, so that a URL of this server is never replaced again.
        let next = |rest: &str| {
            let found = named.iter().filter_map(|(default, own)| {
                let (before, after) = rest.split_once(default)?;
                Some((before.len(), after.len(), (*own)?))
            });
            found.min()
        };
        while let Some((before, after, own)) = next(rest) {
            filled.push_str(rest.get(..before).unwrap_or_default());
            filled.push_str(own);
            rest = rest.get(rest.len().saturating_sub(after)..).unwrap_or_default();
        }
        filled.push_str(rest);
        filled
    }

    /// Replaces the documents' URLs in HTML.
    fn fill_html(self, html: &str) -> String {
        let escape = |address: &str| address.replace('&', "&amp;");
        let public = escape(self.public);
        let mtls = escape(self.mtls);
        let ops = self.ops.map(escape);
        ServerAddresses { public: &public, mtls: &mtls, ops: ops.as_deref() }.fill(html)
    }
}

/// The documents with this server's URLs, in the order of [`PAGES`], and the programs in the order of [`LIBRARY`].
#[derive(Debug)]
pub(super) struct ServedTexts {
    pages: Vec<ServedPage>,
    programs: Vec<String>,
}

/// A document with this server's URLs.
#[derive(Debug)]
pub(super) struct ServedPage {
    pub(super) html: String,
    pub(super) text: String,
}

impl ServedTexts {
    /// Builds all texts with these URLs.
    pub(super) fn with(addresses: ServerAddresses<'_>) -> Self {
        let page = |rendered: &super::markdown::Rendered| ServedPage {
            html: addresses.fill_html(&rendered.html),
            text: addresses.fill(&rendered.text),
        };
        let programs = LIBRARY.iter().map(|it| if it.is_page() { String::new() } else { addresses.fill(it.text) });
        Self { pages: PAGES.iter().map(|it| page(&it.rendered)).collect(), programs: programs.collect() }
    }

    /// The page of the document with this name.
    pub(super) fn page_named(&self, name: &str) -> Option<&ServedPage> {
        let at = PAGES.iter().position(|page| page.document.name() == name)?;
        self.pages.get(at)
    }

    /// The text of the program with this name.
    pub(super) fn program(&self, name: &str) -> Option<&str> {
        let at = LIBRARY.iter().position(|document| !document.is_page() && document.name() == name)?;
        self.programs.get(at).map(String::as_str)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn guide_addresses_are_the_servers_even_if_its_ports_are_other_defaults() {
        let own = ServerAddresses { public: MTLS, mtls: PUBLIC, ops: Some("http://127.0.0.1:1") };
        let text = "a https://localhost:8443/apps b https://localhost:8444/token c http://127.0.0.1:9090/sandbox d";
        let filled = "a https://localhost:8444/apps b https://localhost:8443/token c http://127.0.0.1:1/sandbox d";
        assert_eq!(own.fill(text), filled);
        let production = ServerAddresses { ops: None, ..own };
        assert!(production.fill(text).contains("http://127.0.0.1:9090/sandbox"), "no address of operators");
        let odd = ServerAddresses { public: "https://b.example/?a&b", ..own };
        assert!(odd.fill_html(text).contains("https://b.example/?a&amp;b/apps"));
    }
}
