//! The OpenAPI documents in the hands of tools: linters find nothing, generated clients compile and make a call, and requests that
//! schemathesis makes of them find no failure of the server. Source: RW-252.

use super::clients::{bank_now, set_to_now};
use crate::harness::{Bank, EVERYTHING, ExchangeExt, access};
use lombard_openapi::DOCUMENTS;
use lombard_tpp::{HttpCall, Protocol};
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use std::process::Stdio;
use tempfile::TempDir;
use tokio::process::Command;

/// The folder with our configurations and clients.
const FOLDER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/it/interop/openapi");

/// The folder of a tool; says loudly if there is none.
fn tool(variable: &str, what: &str) -> Option<PathBuf> {
    let found = std::env::var_os(variable).map(PathBuf::from);
    if found.is_none() {
        eprintln!("SKIPPED: no {what}: {variable} is not set (cargo xtask test --interop sets it)");
    }
    found
}

/// A bank, with its documents in a folder.
struct Published {
    bank: Bank,
    folder: TempDir,
}

impl Published {
    async fn new() -> Self {
        let bank = bank_now().await;
        let folder = tempfile::tempdir().unwrap();
        let anybody = bank.tpp("robot").with_certificate(None, Protocol::Any).unwrap();
        for about in DOCUMENTS {
            let call = HttpCall::get(format!("{}/openapi/{}.json", bank.endpoints().public, about.name));
            let document = anybody.send(call).await.unwrap();
            document.ok(200);
            std::fs::write(folder.path().join(format!("{}.json", about.name)), &document.body).unwrap();
        }
        Self { bank, folder }
    }

    fn names() -> impl Iterator<Item = String> {
        DOCUMENTS.into_iter().map(|about| format!("{}.json", about.name))
    }

    /// Writes what a client is and needs; gives the file.
    async fn told(&self) -> PathBuf {
        let robot = self.bank.tpp("robot");
        let read = |file: &str| std::fs::read_to_string(self.bank.data_dir().join(file)).unwrap();
        let told = json!({
            "ca": read("ca.pem"),
            "certificate": read("tpps/robot/transport.pem"),
            "key": read("tpps/robot/transport.key"),
            "mtls": self.bank.endpoints().mtls,
            "token": access(&robot, &EVERYTHING).await.tokens.access_token,
        });
        let file = self.folder.path().join("told.json");
        std::fs::write(&file, told.to_string()).unwrap();
        file
    }

    /// Compiles what a generator made together with a client of ours, which reads accounts.
    async fn calls_in_typescript(&self, generator: &Path, client: &str) {
        let folder = self.folder.path();
        self.copy(client);
        self.copy("tsconfig.json");
        std::fs::write(folder.join("package.json"), r#"{"type": "module"}"#).unwrap();
        std::os::unix::fs::symlink(generator.join("node_modules"), folder.join("node_modules")).unwrap();
        run(npm_program(generator, "tsc").args(["--project", "."]).current_dir(folder)).await;
        let program = Path::new("out").join(client).with_extension("js");
        judge(&run(Command::new("node").arg(program).arg(self.told().await).current_dir(folder)).await);
    }

    /// Copies a file of ours beside the documents.
    fn copy(&self, name: &str) {
        std::fs::copy(Path::new(FOLDER).join(name), self.folder.path().join(name)).unwrap();
    }
}

/// Runs a program, which must succeed; gives what it writes.
async fn run(command: &mut Command) -> String {
    let ended = command.stdin(Stdio::null()).kill_on_drop(true).output().await.unwrap();
    let out = String::from_utf8_lossy(&ended.stdout);
    let err = String::from_utf8_lossy(&ended.stderr);
    assert!(ended.status.success(), "{command:?}\n{out}\n{err}");
    out.into_owned()
}

/// A program of an npm package.
fn npm_program(folder: &Path, name: &str) -> Command {
    Command::new(folder.join("node_modules/.bin").join(name))
}

/// A module of a Python package.
fn python(folder: &Path, module: &str) -> Command {
    let mut command = Command::new("python3");
    command.args(["-m", module]).env("PYTHONPATH", folder);
    command
}

fn judge(printed: &str) {
    let said: Value = serde_json::from_str(printed).unwrap();
    assert!(said["accounts"].as_u64().is_some_and(|count| count > 1), "{said}");
    assert!(said["currencies"].as_array().unwrap().iter().all(|it| it == "GBP"), "{said}");
}

#[tokio::test]
async fn redocly_finds_nothing() {
    let Some(redocly) = tool("LOMBARD_TEST_REDOCLY", "redocly lint") else { return };
    let published = Published::new().await;
    let mut lint = npm_program(&redocly, "redocly");
    lint.args(["lint", "--format=json", "--config"]).arg(Path::new(FOLDER).join("redocly.yaml"));
    lint.args(Published::names()).current_dir(published.folder.path()).env("REDOCLY_TELEMETRY", "off");
    let printed = run(&mut lint).await;
    let mut values = serde_json::Deserializer::from_str(&printed[printed.find('{').unwrap()..]).into_iter::<Value>();
    let said = values.next().unwrap().unwrap();
    assert_eq!((&said["totals"]["errors"], &said["totals"]["warnings"]), (&json!(0), &json!(0)), "{said}");
}

#[tokio::test]
async fn spectral_finds_nothing() {
    let Some(spectral) = tool("LOMBARD_TEST_SPECTRAL", "spectral lint") else { return };
    let published = Published::new().await;
    let mut lint = npm_program(&spectral, "spectral");
    lint.args(["lint", "--fail-severity=hint", "--ruleset"]).arg(Path::new(FOLDER).join("spectral.yaml"));
    run(lint.args(Published::names()).current_dir(published.folder.path())).await;
}

#[tokio::test]
async fn openapi_typescript_generates_a_client_that_compiles_and_calls() {
    let Some(generator) = tool("LOMBARD_TEST_OPENAPI_TYPESCRIPT", "openapi-typescript") else { return };
    let published = Published::new().await;
    let folder = published.folder.path();
    for about in DOCUMENTS {
        let mut generate = npm_program(&generator, "openapi-typescript");
        let types = format!("{}.ts", about.name);
        run(generate.args([&format!("{}.json", about.name), "--output", &types]).current_dir(folder)).await;
    }
    published.calls_in_typescript(&generator, "client.ts").await;
}

#[tokio::test]
async fn hey_api_generates_a_client_that_compiles_and_calls() {
    let Some(generator) = tool("LOMBARD_TEST_HEY_API", "@hey-api/openapi-ts") else { return };
    let published = Published::new().await;
    published.copy("openapi-ts.config.mjs");
    let mut generate = npm_program(&generator, "openapi-ts");
    generate.args(["--file", "openapi-ts.config.mjs", "--silent", "--no-log-file"]);
    run(generate.current_dir(published.folder.path())).await;
    for about in DOCUMENTS {
        assert!(published.folder.path().join(about.name).is_dir(), "{}", about.name);
    }
    published.calls_in_typescript(&generator, "hey_api.ts").await;
}

#[tokio::test]
async fn openapi_python_client_generates_clients_that_compile_and_call() {
    let Some(generator) = tool("LOMBARD_TEST_OPENAPI_PYTHON", "openapi-python-client") else { return };
    let published = Published::new().await;
    let folder = published.folder.path();
    for about in DOCUMENTS {
        let package = about.name.replace('-', "_");
        let mut generate = python(&generator, "openapi_python_client");
        generate.args([
            "generate",
            "--meta",
            "none",
            "--path",
            &format!("{}.json", about.name),
            "--output-path",
            &package,
        ]);
        run(generate.current_dir(folder)).await;
        run(Command::new("python3").args(["-m", "compileall", "-q", &package]).current_dir(folder)).await;
    }
    let told = published.told().await;
    let mut client = Command::new("python3");
    client.arg(Path::new(FOLDER).join("client.py")).arg(&generator).arg(folder).arg(told);
    judge(&run(&mut client).await);
}

/// Requests of each operation that schemathesis makes. More find nothing else, and take minutes.
const REQUESTS: &str = "5";

#[tokio::test]
async fn schemathesis_finds_no_failure_and_no_status_that_is_not_documented() {
    let Some(schemathesis) = tool("LOMBARD_TEST_SCHEMATHESIS", "schemathesis") else { return };
    let published = Published::new().await;
    let robot = published.bank.tpp("robot");
    let customer = access(&robot, &EVERYTHING).await.tokens.access_token;
    let data = published.bank.data_dir();
    let public = &published.bank.endpoints().public;
    let mtls = &published.bank.endpoints().mtls;
    let own = async |scope: &str| Some(robot.client_credentials(scope).await.unwrap().access_token);
    // A poll for events is held where nothing waits, so each of its cases would take seconds.
    let runs = [
        ("account-info", mtls, Some(customer.clone()), None),
        ("payment-initiation", mtls, own("payments").await, None),
        ("funds-confirmation", mtls, own("fundsconfirmations").await, None),
        ("variable-recurring-payments", mtls, own("payments").await, None),
        ("authorisation-server", public, None, Some(["--include-path-regex", PUBLIC_PATHS])),
        // A client that authenticates by its form has no Authorization header.
        ("authorisation-server", mtls, None, Some(["--exclude-path-regex", PUBLIC_PATHS])),
        ("authorisation-server", mtls, Some(customer), Some(["--include-path", "/userinfo"])),
        ("client-registration", mtls, own("accounts").await, None),
    ];
    for (name, url, token, paths) in runs {
        let mut test = python(&schemathesis, "schemathesis.cli");
        test.args(["run", &format!("{name}.json"), "--url", url]);
        test.args(["--checks", "not_a_server_error,status_code_conformance", "--phases", "examples,fuzzing"]);
        test.args(["--max-examples", REQUESTS, "--seed", "1", "--generation-database", "none", "--no-color"]);
        test.args(["--warnings", "off"]);
        test.args(paths.into_iter().flatten());
        test.args(token.iter().flat_map(|token| ["--header".to_owned(), format!("Authorization: Bearer {token}")]));
        test.arg("--tls-verify").arg(data.join("ca.pem"));
        test.arg("--request-cert").arg(data.join("tpps/robot/transport.pem"));
        test.arg("--request-cert-key").arg(data.join("tpps/robot/transport.key"));
        test.env("SCHEMATHESIS_HOOKS", "schemathesis_hooks");
        published.copy("schemathesis_hooks.py");
        run(test.current_dir(published.folder.path())).await;
    }
}

/// The paths of the authorisation server that ask for no client certificate.
const PUBLIC_PATHS: &str = "^/(authorize|jwks|\\.well-known/.*)$";

#[tokio::test]
async fn a_bruno_collection_of_the_documents_runs() {
    let Some(bruno) = tool("LOMBARD_TEST_BRUNO", "Bruno") else { return };
    let bank = bank_now().await;
    let folder = tempfile::tempdir().unwrap();
    let example = Path::new(FOLDER).join("../../../../examples/bruno");
    for name in ["make.mjs", "package.json"] {
        std::fs::copy(example.join(name), folder.path().join(name)).unwrap();
    }
    std::os::unix::fs::symlink(bruno.join("node_modules"), folder.path().join("node_modules")).unwrap();
    bank.create_tpp(&json!({"name": "bruno", "auth": "tls_client_auth", "headless": "amelia"})).await;
    let mut make = Command::new("node");
    make.arg("make.mjs").arg(bank.data_dir()).args(["bruno", "collection"]).current_dir(folder.path());
    let said = run(&mut make).await;
    assert!(said.starts_with(&format!("{} documents", DOCUMENTS.len())), "{said}");
    let collection = folder.path().join("collection");
    for about in DOCUMENTS {
        assert!(collection.join(about.name).is_dir(), "{}", about.name);
    }
    for (requests, count) in [("begin", 2), ("pay", 5)] {
        // The import of the documents takes more than a minute on a busy machine.
        set_to_now(&bank);
        let mut bru = npm_program(&bruno, "bru");
        bru.args(["run", requests, "--env", "sandbox", "--sandbox=developer", "--bail", "--cacert"]);
        let said = run(bru.arg(bank.data_dir().join("ca.pem")).current_dir(&collection)).await;
        assert!(said.contains(&format!("({count} Passed)")), "{said}");
    }
}
