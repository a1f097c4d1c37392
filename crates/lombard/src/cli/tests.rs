mod production;
mod tpps;

use super::*;
use crate::config::testing::{staff_settings, write_secret};
use crate::config::{Config, Sources};
use crate::server::testing::empty_core;
use crate::server::{Overrides, Server, migrate_database};
use clap::CommandFactory;
use std::fmt::Write;
use std::path::Path;

#[test]
fn the_commands_are_those_of_the_contract() {
    Arguments::command().debug_assert();
    for line in [
        "lombard",
        "lombard --config a.toml --data d",
        "lombard serve --config a.toml --data d",
        "lombard bank serve",
        "lombard bank serve --data d --port 0 --config a.toml",
        "lombard tour --data d",
        "lombard tour --browser --code abc",
        "lombard tpp create mine --roles aisp,pisp --auth tls_client_auth --headless amelia --redirect-uri https://a.example/b",
        "lombard tpp list --data d",
        "lombard tpp show acme --config a.toml",
        "lombard tpp disable acme --reason fraud",
        "lombard tpp enable acme --data d",
        "lombard tpp delete acme --reason gone",
        "lombard tpp roles acme",
        "lombard tpp roles acme --set aisp,pisp --reason narrowed",
        "lombard tpp redirect-uris acme --set https://a.example/b --set https://a.example/c",
        "lombard config check --config a.toml",
        "lombard config check --online --config a.toml --data d",
        "lombard config show",
        "lombard migrate",
        "lombard migrate --plan --config a.toml",
        "lombard seed export bank.json --data d",
        "lombard seed import bank.json --rebase --config a.toml",
        "lombard keys list --json --data d",
        "lombard keys csr",
        "lombard keys csr k --config a.toml",
        "lombard keys import --certificate seal.pem --kid k",
        "lombard keys import --private-key seal.key --data d",
        "lombard keys import --pkcs11-label seal --kid k",
        "lombard keys rotate",
        "lombard keys reseal --config a.toml",
        "lombard keys retire k --at 2027-01-31T22:00:00Z",
        "lombard keys withdraw k --config a.toml --data d",
        "lombard events verify a.b.c --data d",
        "lombard events verify - --keys keys.json --audience client",
        "lombard quarantine list --data d",
        "lombard quarantine retry",
        "lombard vrp migrate --dry-run",
        "lombard vrp migrate --client 0123456789abcdefghijkl --config a.toml",
        "lombard quarantine retry 7 --config a.toml",
        "lombard logs --follow --tpp acme --data d",
        "lombard logs --id 93bac548-d2de-4546-b106-880a5018460d --json",
        "lombard logs --status 4xx",
        "lombard completions zsh",
        "lombard reference configuration",
    ] {
        assert!(Arguments::try_parse_from(line.split(' ')).is_ok(), "{line}");
    }
    for line in [
        "lombard tour --code abc",
        "lombard keys withdraw",
        "lombard keys retire",
        "lombard keys import",
        "lombard keys import --kid k",
        "lombard keys import --private-key seal.key --pkcs11-label seal",
        "lombard tpp create",
        "lombard tpp show",
        "lombard tpp disable",
        "lombard tpp roles acme --set",
        "lombard vrp migrate --client",
        "lombard tpp create a --auth basic",
        "lombard sevre",
        "lombard logs --status 6xx",
    ] {
        assert!(Arguments::try_parse_from(line.split(' ')).is_err(), "{line}");
    }
    let misplaced = Arguments::try_parse_from(["lombard", "--data", "d", "logs"]).unwrap_err();
    let told = explained(misplaced).to_string();
    assert!(told.contains("tip: write options after the command, such as lombard logs --data DIR"), "{told}");
}

#[test]
fn the_commands_of_the_page_about_the_core_are_commands() {
    let page = include_str!("../../../../docs/operating/core.md");
    let commands: Vec<_> = page.lines().filter(|line| line.starts_with("lombard ")).collect();
    assert!(commands.len() >= 3, "{commands:?}");
    for line in commands {
        assert!(Arguments::try_parse_from(line.split(' ')).is_ok(), "{line}");
    }
}

#[tokio::test]
async fn the_bank_of_a_sandbox_does_not_run_in_production() {
    let folder = tempfile::tempdir().unwrap();
    let mut config = Config::from_parts("", &[]).unwrap();
    config.mode = crate::config::Mode::Production;
    config.data_dir = folder.path().to_owned();
    let progress = lombard_sandbox::seed::NoSeedProgress;
    let refused = crate::server::BankProcess::start(config, Overrides::system(), 0, &progress).await;
    assert!(matches!(refused, Err(crate::server::StartError::NotForProduction(_))), "{refused:?}");
}

#[test]
fn a_tour_without_a_server_says_how_to_start_one() {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().join("data").display().to_string();
    let arguments = Arguments::try_parse_from(["lombard", "tour", "--data", &data]).unwrap();
    let said = run(arguments).unwrap_err().to_string();
    for words in ["no server runs", &format!("`lombard --data {data}`"), "`lombard tour --data DIR`"] {
        assert!(said.contains(words), "{said}");
    }
}

/// Writes the configuration of a production server that uses a sandbox's certificates in the same folder.
fn production(folder: &Path) -> PathBuf {
    let sandbox = folder.join("sandbox");
    let path = |name: &str| sandbox.join(name).display().to_string();
    write_secret(&folder.join("sealing.key"), &"7".repeat(64));
    let mut text = "mode = \"production\"\n[bank]\nkind = \"embedded\"\n[identity]\nkind = \"embedded\"\n".to_owned();
    write!(
        text,
        "[server]\npublic_port = 0\nmtls_port = 0\nops_port = 0\npublic_url = \"https://bank.example\"\n\
         mtls_url = \"https://api.bank.example\"\n[tls]\nrsa_certificate_file = \"{}\"\nrsa_key_file = \"{}\"\n\
         tpp_anchors_file = \"{}\"\nrevocation = \"off\"\n[database]\nurl = \"sqlite://{}\"\nallow_sqlite = true\n[signing]\n\
         key_encryption_key_file = \"{}\"\norganisation_id = \"o\"\n[payments]\nproducts = [\"domestic-payment\"]\n",
        path("private/server-rsa.pem"),
        path("private/server-rsa.key"),
        path("tpp-ca.pem"),
        folder.join("bank.db").display(),
        folder.join("sealing.key").display(),
    )
    .unwrap();
    text.push_str(&staff_settings(folder));
    let file = folder.join("production.toml");
    std::fs::write(&file, text).unwrap();
    file
}

#[tokio::test(flavor = "multi_thread")]
async fn an_export_replaces_a_file_and_an_error_names_it() {
    let folder = tempfile::tempdir().unwrap();
    let settings = folder.path().join("bank.toml");
    std::fs::write(&settings, "[server]\npublic_port = 0\nmtls_port = 0\nops_port = 0\n").unwrap();
    let export = async |file: &Path| {
        let settings = settings.display();
        let data = folder.path().join("data");
        let line = format!("lombard seed export {} --config {settings} --data {}", file.display(), data.display());
        let Some(Command::Seed(command)) = Arguments::try_parse_from(line.split(' ')).unwrap().command else {
            panic!("{line}")
        };
        seed::seed(command).await.map_err(|error| error.to_string())
    };
    let file = folder.path().join("bank.json");
    let absent = folder.path().join("absent/bank.json");
    std::fs::write(&file, "former").unwrap();
    export(&file).await.unwrap();
    assert!(std::fs::read_to_string(&file).unwrap().starts_with('{'));
    let error = export(&absent).await.unwrap_err();
    assert!(error.contains(&absent.display().to_string()), "{error}");
    let names = std::fs::read_dir(folder.path()).unwrap().map(|it| it.unwrap().file_name().into_string().unwrap());
    assert!(names.into_iter().all(|name| !name.ends_with(".new")));
}

#[tokio::test(flavor = "multi_thread")]
async fn what_only_a_sandbox_can_do_is_refused_by_production_in_whole_sentences() {
    let folder = tempfile::tempdir().unwrap();
    let sandbox = "[server]\npublic_port = 0\nmtls_port = 0\nops_port = 0\n";
    let sandbox = Config { data_dir: folder.path().join("sandbox"), ..Config::from_parts(sandbox, &[]).unwrap() };
    Server::start(sandbox, Overrides::system()).await.unwrap().stop_server().await;
    let file = folder.path().join("bank.json");
    std::fs::write(&file, "{}").unwrap();
    let settings = production(folder.path());
    let data = folder.path().join("production");
    let said = async |line: &str| {
        let line = format!("lombard {line} --config {} --data {}", settings.display(), data.display());
        let command = Arguments::try_parse_from(line.split(' ')).unwrap().command.unwrap();
        let done = match command {
            Command::Seed(command) => seed::seed(command).await,
            Command::Tpp(command) => operations::tpp(command).await,
            other => panic!("{other:?}"),
        };
        done.unwrap_err().to_string()
    };
    let config = Config::load(&Sources::of_process(Some(settings.clone()))).unwrap();
    let config = Config { data_dir: data.clone(), ..config };
    migrate_database(&config).await.unwrap();
    let overrides = Overrides { core: Some(empty_core()), ..Overrides::system() };
    let server = Server::start(config, overrides).await.unwrap();
    let mut server = Some(server);
    for running in [true, false] {
        for (line, subject) in [
            (format!("seed export {}", file.display()), "exported and imported in a sandbox only"),
            (format!("seed import {}", file.display()), "exported and imported in a sandbox only"),
            ("tpp create mine".to_owned(), "created in a sandbox only"),
        ] {
            let said = said(&line).await;
            let whole = said.contains(subject) && said.contains("production mode") && said.ends_with('.');
            assert!(whole, "{line}, running: {running}: {said}");
        }
        if let Some(server) = server.take() {
            server.stop_server().await;
        }
    }
    assert_eq!(std::fs::read_to_string(&file).unwrap(), "{}", "what was there before stays");
}

/// Every command in the code blocks and inline code of the documents, with the name of its file.
fn shown_commands() -> Vec<(String, String)> {
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut files = vec![root.join("README.md")];
    for folder in ["docs", "docs/operating", "docs/tpps"] {
        let entries = std::fs::read_dir(root.join(folder)).unwrap().map(|entry| entry.unwrap().path());
        files.extend(entries.filter(|path| path.extension().is_some_and(|it| it == "md")));
    }
    let mut commands = Vec::new();
    for file in files {
        let text = std::fs::read_to_string(&file).unwrap();
        let lines = text.lines().map(str::to_owned);
        let inline =
            text.split('`').skip(1).step_by(2).map(|code| code.split_whitespace().collect::<Vec<_>>().join(" "));
        for code in lines.chain(inline) {
            let arguments = code.strip_prefix("lombard ").or_else(|| code.strip_prefix("cargo run --release -- "));
            if let Some(arguments) = arguments {
                // Redirections and pipes of the shell are not arguments of the command.
                let arguments = arguments.split(['<', '>', '|']).next().unwrap_or_default().trim_end();
                commands.push((file.display().to_string(), format!("lombard {arguments}")));
            }
        }
    }
    commands
}

#[test]
fn the_commands_that_documents_show_are_commands() {
    let commands = shown_commands();
    assert!(commands.len() >= 10, "{commands:?}");
    for (file, command) in &commands {
        let parsed = Arguments::try_parse_from(command.split(' '));
        // `--version` and `--help` end the parser.
        let is_command = parsed.map_or_else(|error| !error.use_stderr(), |_| true);
        assert!(is_command, "{file}: {command}");
    }
}

/// Commands of different documents do not create TPPs of the same name.
#[test]
fn no_two_documents_make_a_tpp_of_the_same_name() {
    let made = shown_commands().into_iter().filter_map(|(file, command)| {
        let name = command.strip_prefix("lombard tpp create ")?.split(' ').next()?.to_owned();
        Some((name, file))
    });
    let (mut names, mut count) = (std::collections::BTreeMap::<String, String>::new(), 0);
    for (name, file) in made {
        let known = names.entry(name.clone()).or_insert_with(|| file.clone());
        assert_eq!(*known, file, "{name}");
        count += 1;
    }
    assert!(count >= 3 && names.len() >= 3, "{names:?}");
}
