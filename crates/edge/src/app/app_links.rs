//! App links: the files that make a phone open a TPP's authorisation request in the bank's app instead of a browser.
//!
//! Only `/authorize` opens in the apps. The answer of an identity provider must arrive in the browser, or web view, that began the journey
//! and has its cookie, so the callback is never an app link.

use lombard_auth::endpoints::OAuthEndpoint;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::fmt;

/// The number of letters and digits of an Apple team id.
const TEAM_CHARS: usize = 10;
/// The number of bytes of a certificate's SHA-256 fingerprint.
const FINGERPRINT_BYTES: usize = 32;

/// An app for iOS: the id of its team, a dot and the id of its bundle, such as `ABCDE12345.example.bank`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct IosApp(String);

impl IosApp {
    /// Parses an app id; `None` if the text is not one.
    pub fn parse(text: &str) -> Option<Self> {
        let (team, bundle) = text.split_once('.')?;
        let is_team = team.len() == TEAM_CHARS && team.bytes().all(|byte| byte.is_ascii_alphanumeric());
        (is_team && is_dotted(bundle, b'-')).then(|| Self(text.to_owned()))
    }
}

impl fmt::Display for IosApp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// An app for Android and a certificate that it is signed with: `example.bank=14:6D:…`, the SHA-256 fingerprint in hexadecimal. An app with
/// several certificates has several entries.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AndroidApp {
    package: String,
    fingerprint: String,
}

impl AndroidApp {
    /// Parses an app and its certificate; `None` if the text has another form.
    pub fn parse(text: &str) -> Option<Self> {
        let (package, fingerprint) = text.split_once('=')?;
        let bytes: Vec<_> = fingerprint.split(':').collect();
        let is_byte = |byte: &&str| byte.len() == 2 && byte.bytes().all(|digit| digit.is_ascii_hexdigit());
        let is_fingerprint = bytes.len() == FINGERPRINT_BYTES && bytes.iter().all(is_byte);
        let it = || Self { package: package.to_owned(), fingerprint: fingerprint.to_ascii_uppercase() };
        (is_fingerprint && package.contains('.') && is_dotted(package, b'_')).then(it)
    }
}

impl fmt::Display for AndroidApp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}={}", self.package, self.fingerprint)
    }
}

/// Whether a name consists of parts, separated by dots, of letters, digits and the given character.
fn is_dotted(name: &str, other: u8) -> bool {
    let is_part = |part: &str| !part.is_empty() && part.bytes().all(|it| it.is_ascii_alphanumeric() || it == other);
    name.split('.').all(is_part)
}

/// The bank's apps that open authorisation requests.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct AppLinks {
    /// The apps for iOS.
    pub ios: Vec<IosApp>,
    /// The apps for Android.
    pub android: Vec<AndroidApp>,
}

impl AppLinks {
    /// The file `apple-app-site-association`; `None` without an app for iOS. Source: Apple, Supporting associated domains.
    pub fn apple_association(&self) -> Option<Value> {
        let ids: Vec<_> = self.ios.iter().map(ToString::to_string).collect();
        let components = json!([{ "/": OAuthEndpoint::Authorization.path() }]);
        (!ids.is_empty()).then(|| json!({ "applinks": { "details": [{ "appIDs": ids, "components": components }] } }))
    }

    /// The file `assetlinks.json`; `None` without an app for Android. The paths are in the app's own manifest. Source: Google, Digital
    /// Asset Links.
    pub fn asset_links(&self) -> Option<Value> {
        let mut packages: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
        for app in &self.android {
            packages.entry(&app.package).or_default().push(&app.fingerprint);
        }
        let statement = |(package, fingerprints): (&str, Vec<&str>)| {
            json!({
                "relation": ["delegate_permission/common.handle_all_urls"],
                "target": {
                    "namespace": "android_app", "package_name": package, "sha256_cert_fingerprints": fingerprints,
                },
            })
        };
        (!packages.is_empty()).then(|| packages.into_iter().map(statement).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fingerprint(byte: &str) -> String {
        [byte; FINGERPRINT_BYTES].join(":")
    }

    #[test]
    fn an_app_is_named_as_its_maker_names_it() {
        for good in ["ABCDE12345.example.bank", "ABCDE12345.example.bank-app"] {
            assert_eq!(IosApp::parse(good).unwrap().to_string(), good);
        }
        for bad in [
            "",
            "example.bank",
            "ABCDE12345",
            "ABCDE12345.",
            "ABCDE12345.example..bank",
            "ABCDE12345.a b",
            "ABCDE12345.*",
        ] {
            assert_eq!(IosApp::parse(bad), None, "{bad}");
        }
        let good = format!("example.bank_app={}", fingerprint("0a"));
        assert_eq!(AndroidApp::parse(&good).unwrap().to_string(), format!("example.bank_app={}", fingerprint("0A")));
        let names = ["bank", "example.", "example.bank app", "example-bank.app"]
            .map(|name| format!("{name}={}", fingerprint("0A")));
        let prints = ["", "0A", &fingerprint("0"), &fingerprint("0G")].map(|print| format!("example.bank={print}"));
        for bad in names.iter().chain(&prints) {
            assert_eq!(AndroidApp::parse(bad), None, "{bad}");
        }
    }

    #[test]
    fn an_android_app_with_several_certificates_is_one_statement() {
        let named = |package: &str, byte| AndroidApp::parse(&format!("{package}={}", fingerprint(byte))).unwrap();
        let android = vec![named("example.bank", "0A"), named("example.business", "0B"), named("example.bank", "0C")];
        let links = AppLinks { ios: Vec::new(), android };
        assert_eq!(links.apple_association(), None);
        let statements = links.asset_links().unwrap();
        let targets = ["/0/target", "/1/target"].map(|at| statements.pointer(at).unwrap().clone());
        assert_eq!(targets[0]["package_name"], "example.bank");
        assert_eq!(targets[0]["sha256_cert_fingerprints"], json!([fingerprint("0A"), fingerprint("0C")]));
        assert_eq!(targets[1]["sha256_cert_fingerprints"], json!([fingerprint("0B")]));
        assert_eq!(AppLinks::default().asset_links(), None);
    }
}
