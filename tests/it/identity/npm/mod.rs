//! Logins at a provider that nobody here wrote: the npm package `oidc-provider`, configured by `provider.mjs` as a bank would.
//! `cargo xtask test` installs it under `target` and passes its location in an environment variable.
//!
//! What a sound provider never does, such as an ID token of another audience or without a signature, stays with the provider of the
//! tests' own (`refusals`).

mod backchannel;
mod certificates;
mod logins;
mod refusals;

use super::provider::{ACR, CLIENT, DETAILS};
use super::{settings, write_client_key};
use crate::harness::{Bank, Browser, Engine};
use lombard_ports::clock::Clock;
use serde_json::{Value, json};
use std::process::Stdio;
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader, Lines};
use tokio::process::{Child, ChildStdin, ChildStdout, Command};
use url::Url;

/// The variable with the folder of the package.
const PACKAGE: &str = "LOMBARD_TEST_OIDC_PROVIDER";
const SCRIPT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/it/identity/npm/provider.mjs");

/// The provider's process, which ends when it is dropped.
struct NpmProvider {
    issuer: String,
    input: ChildStdin,
    output: Lines<BufReader<ChildStdout>>,
    _process: Child,
}

impl NpmProvider {
    /// A provider with this configuration and the time of this bank; `None`, said loudly, without the package.
    async fn start(bank: &Bank, mut configuration: Value) -> Option<Self> {
        let Ok(folder) = std::env::var(PACKAGE) else {
            eprintln!(
                "SKIPPED: nobody logs in at npm's oidc-provider: {PACKAGE} is not set (cargo xtask test --interop sets it)"
            );
            return None;
        };
        configuration["now"] = json!(bank.clock.now().as_second());
        configuration["acr"] = json!(ACR);
        let mut command = Command::new("node");
        // It fetches the keys of the bank's server over TLS.
        command.args([SCRIPT, &folder]).env("NODE_EXTRA_CA_CERTS", bank.data_dir().join("ca.pem"));
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).kill_on_drop(true);
        let mut process = command.spawn().unwrap_or_else(|error| panic!("node: {error}"));
        let input = process.stdin.take().unwrap();
        let output = BufReader::new(process.stdout.take().unwrap()).lines();
        let mut provider = Self { issuer: String::new(), input, output, _process: process };
        let started = provider.tell(&configuration).await;
        started["issuer"].as_str().unwrap().clone_into(&mut provider.issuer);
        Some(provider)
    }

    /// Has the provider do something, as `provider.mjs` lists it.
    async fn command(&mut self, name: &str, argument: Value) -> Value {
        self.tell(&json!({ name: argument })).await["done"].take()
    }

    async fn tell(&mut self, line: &Value) -> Value {
        self.input.write_all(format!("{line}\n").as_bytes()).await.unwrap();
        let answer = self.output.next_line().await.unwrap().expect("the provider runs");
        serde_json::from_str(&answer).unwrap()
    }
}

/// How requests and purposes travel to a provider.
const WAYS: [NpmOptions; 2] =
    [NpmOptions { takes_pushed: true, knows_details: true }, NpmOptions { takes_pushed: false, knows_details: false }];

/// What a provider offers.
#[derive(Debug, Clone, Copy)]
struct NpmOptions {
    /// Pushed requests, under the FAPI 2.0 profile.
    takes_pushed: bool,
    /// Authorisation details.
    knows_details: bool,
}

impl NpmOptions {
    fn configuration(self) -> Value {
        json!({ "pushed": self.takes_pushed, "details": self.knows_details.then_some(DETAILS) })
    }
}

/// A bank whose customers log in at the provider.
struct NpmBank {
    bank: Bank,
    provider: NpmProvider,
}

impl NpmBank {
    /// A bank at a provider with these abilities.
    async fn start(engine: Engine, options: NpmOptions) -> Option<Self> {
        Self::with(engine, options.configuration(), &[], json!({})).await
    }

    /// A bank with further settings, at a provider with this configuration, registered there with further metadata.
    async fn with(engine: Engine, configuration: Value, further: &[(&str, &str)], metadata: Value) -> Option<Self> {
        let mut bank = Bank::unstarted(engine).await;
        let provider = NpmProvider::start(&bank, configuration).await?;
        let key = write_client_key(&bank);
        let mut settings = settings(&provider.issuer, key.to_str().unwrap());
        // Another process answers, on a machine that runs other tests too.
        settings.push(("identity.call_secs", "30"));
        settings.extend(further);
        bank.restart_with(&settings).await;
        let mut it = Self { bank, provider };
        it.register(metadata).await;
        Some(it)
    }

    /// Registers the bank's server as `docs/operating/identity.md` says, with further metadata.
    async fn register(&mut self, further: Value) {
        let public = self.bank.endpoints().public;
        let mut metadata = json!({
            "client_id": CLIENT, "redirect_uris": [format!("{public}/identity/callback")],
            "jwks_uri": format!("{public}/identity/jwks"), "response_types": ["code"],
            "grant_types": ["authorization_code"], "request_object_signing_alg": "PS256",
            "token_endpoint_auth_method": "private_key_jwt", "token_endpoint_auth_signing_alg": "PS256",
            "id_token_signed_response_alg": "PS256", "authorization_details_types": [DETAILS],
        });
        let members = metadata.as_object_mut().unwrap();
        members.extend(further.as_object().unwrap().clone());
        members.retain(|_, value| !value.is_null());
        self.provider.command("register", metadata).await;
    }

    /// A browser at the provider. It has cookies of its own there.
    fn browser(&self) -> Browser {
        Browser::new(&self.bank.tpp("acme"))
    }

    /// A customer logs in with both factors, in a new browser: where it is sent back to.
    async fn log_in(&mut self, location: &str, customer: &str) -> String {
        let page = self.browser().log_in(location, customer).await;
        match page.exchange.header("location") {
            Some(back) => back.to_owned(),
            None => panic!("{}: {}", page.exchange.text(), self.provider.command("failures", Value::Null).await),
        }
    }
}

/// The address with another value of a parameter.
fn with_parameter(address: &str, name: &str, value: &str) -> String {
    let mut url = Url::parse(address).unwrap();
    let parameters: Vec<_> = url.query_pairs().into_owned().collect();
    url.query_pairs_mut()
        .clear()
        .extend_pairs(parameters.iter().map(|(it, old)| (it.as_str(), if it == name { value } else { old.as_str() })));
    url.into()
}

/// The value of a parameter.
fn parameter(address: &str, name: &str) -> String {
    let url = Url::parse(address).unwrap();
    url.query_pairs().find(|(it, _)| it == name).map(|(_, value)| value.into_owned()).unwrap()
}
