//! The walk: two nodes as processes of their own, and everybody else beside them.

use super::load::calls_of;
use super::others::{Core, Directory, FileAuthority, database, now, provider};
use super::{PAGE, blocks};
use crate::faults::balanced::{BALANCER, NODES, Ports, variable};
use crate::faults::load::{Load, Outcome};
use crate::harness::paying::{consents, orders};
use crate::harness::program::{install_program, start_program};
use crate::harness::{Browser, ExchangeExt, PayingTpp, ValueExt, run_at, until};
use crate::identity::on_to_provider;
use crate::identity::provider::Provider;
use crate::life::roles::statements;
use crate::own_server::{OwnServer, Programs};
use crate::tls::{ProxyProcess, program};
use lombard::entropy::SystemEntropy;
use lombard_domain::ids::ClientId;
use lombard_domain::payment::PaymentProduct;
use lombard_domain::version::Version;
use lombard_jose::SigningKey;
use lombard_ports::clock::Clocks;
use lombard_ports::entropy::IdGenerator;
use lombard_tpp::{AuthorisationResponse, IssuedTokens, Tpp};
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::sync::Arc;
use tempfile::TempDir;
use tokio::process::{Child, Command};

/// The arguments by which the unit starts a node.
pub(super) const SERVE: [&str; 5] = ["serve", "--config", "/etc/lombard/lombard.toml", "--data", "/var/lib/lombard"];
/// The product that is paid.
const PAYMENT: PaymentProduct = PaymentProduct::DomesticPayment;
/// A customer of the core.
const CUSTOMER: &str = "alice";
/// What the first TPP is called.
const SOFTWARE: &str = "first-shop";
/// Longer than HAProxy takes to see that a node stops.
const LAME_DUCK_SECS: &str = "4";
/// Calls before a node is told to stop, and after it has started again.
const ENOUGH: usize = 100;

pub(super) struct Walk {
    folder: TempDir,
    ports: Ports,
    /// Certifies what the bank's own machines show each other.
    own: FileAuthority,
    /// Certifies what browsers and TPPs are shown, and the bank's seal.
    public: FileAuthority,
    web: PathBuf,
    database: OwnServer,
    core: Core,
    provider: Provider,
    directory: Directory,
    haproxy: PathBuf,
    nodes: Vec<Child>,
    balancer: Option<ProxyProcess>,
    tpp: Option<Tpp>,
    /// The signing key that has no certificate.
    first_key: String,
}

impl Walk {
    /// Everything that is there before the page begins; `None`, said loudly, if a program is missing.
    pub(super) async fn begin() -> Option<Self> {
        let programs = Programs::find().await?;
        let haproxy = program("LOMBARD_TEST_HAPROXY", "haproxy")?;
        program("LOMBARD_TEST_OPENSSL", "openssl")?;
        program("LOMBARD_TEST_PYTHON", "python3")?;
        let folder = tempfile::tempdir().unwrap();
        for name in ["etc/secrets", "data-0", "data-1", "bin"] {
            std::fs::create_dir_all(folder.path().join(name)).unwrap();
        }
        install_program(&folder.path().join("bin"));
        let own = FileAuthority::make(folder.path().join("own")).await;
        let public = FileAuthority::make(folder.path().join("public")).await;
        let [line] = <[String; 1]>::try_from(blocks(PAGE, "text")).unwrap();
        let database = database(&programs, &own, line.trim()).await;
        let core = Core::start(folder.path(), &own).await;
        let (provider, web) = provider(folder.path()).await;
        let directory = Directory::start().await;
        let ports = Ports::free();
        let walk = Self {
            folder,
            ports,
            own,
            public,
            web,
            database,
            core,
            provider,
            directory,
            haproxy,
            nodes: Vec::new(),
            balancer: None,
            tpp: None,
            first_key: String::new(),
        };
        let [configuration] = <[String; 1]>::try_from(blocks(PAGE, "toml")).unwrap();
        std::fs::write(walk.etc().join("lombard.toml"), walk.local(&configuration)).unwrap();
        Some(walk)
    }

    fn etc(&self) -> PathBuf {
        self.folder.path().join("etc")
    }

    fn secret(&self, name: &str) -> PathBuf {
        self.etc().join("secrets").join(name)
    }

    fn data(&self, node: usize) -> PathBuf {
        self.folder.path().join(format!("data-{node}"))
    }

    /// A text of the page with the names, ports and folders of this machine.
    fn local(&self, text: &str) -> String {
        let Ports { public, mtls, health, .. } = self.ports;
        let database = format!("localhost:{0},localhost:{0}", self.database.port());
        let directory = self.directory.host();
        let replacements = [
            ("/etc/ssl/certs/ca-certificates.crt", self.web.display().to_string()),
            ("/etc/lombard", self.etc().display().to_string()),
            ("/var/lib/lombard", self.data(0).display().to_string()),
            ("https://auth.bank.example", format!("https://localhost:{public}")),
            ("https://api.bank.example", format!("https://localhost:{mtls}")),
            ("https://core.bank.example", self.core.url.clone()),
            ("https://login.bank.example", self.provider.issuer.clone()),
            ("auth.bank.example", "localhost".to_owned()),
            ("api.bank.example", "localhost".to_owned()),
            ("db1.bank.example,db2.bank.example", database),
            (
                "https://keystore.openbanking.org.uk/keystore/openbanking.jwks",
                format!("https://{directory}/directory/keys.jwks"),
            ),
            ("keystore.openbanking.org.uk", directory),
            (" KID ", format!(" {} ", self.first_key)),
            ("10.0.0.5", BALANCER.to_owned()),
            ("10.0.0.6", BALANCER.to_owned()),
            ("10.0.1.1:9091", format!("{}:{health}", NODES[0])),
            ("10.0.1.2:9091", format!("{}:{health}", NODES[1])),
        ];
        replacements.iter().fold(text.to_owned(), |text, (printed, actual)| text.replace(printed, actual))
    }

    /// Runs a block in a shell, as it is printed; gives what it prints.
    pub(super) async fn run(&self, block: &str) -> String {
        let path = std::env::var("PATH").unwrap_or_default();
        let mut shell = Command::new("bash");
        shell.args(["-euc", &self.local(block)]).current_dir(self.etc()).stdin(Stdio::null());
        shell.env("PATH", format!("{}:{path}", self.folder.path().join("bin").display()));
        // Such authorities are among those of the machine at a bank.
        shell.env("CURL_CA_BUNDLE", self.public.file());
        let ended = shell.kill_on_drop(true).output().await.unwrap();
        let [out, err] = [&ended.stdout, &ended.stderr].map(|it| String::from_utf8_lossy(it).into_owned());
        assert!(ended.status.success(), "{block}\n{out}\n{err}\n{}", self.logs());
        out
    }

    /// What nodes have logged.
    fn logs(&self) -> String {
        let read = |node| std::fs::read_to_string(self.data(node).join("log")).unwrap_or_default();
        [0, 1].map(read).concat()
    }

    /// What must be there before a block is run.
    pub(super) async fn prepare(&mut self, block: &str) {
        if block.starts_with("curl") && self.balancer.is_none() {
            self.nodes = (0..NODES.len()).map(|node| self.start_node(node)).collect();
            for node in 0..NODES.len() {
                self.ports.until_ready(node).await;
            }
            self.balancer = Some(self.ports.start_balancer(self.folder.path(), &self.haproxy).await);
        }
        if block.contains("lombard tpp list") {
            self.tpp = Some(self.register().await);
        }
    }

    /// What others do once a block has run.
    pub(super) async fn let_others_act(&mut self, block: &str, said: &str) {
        if block.contains("server-rsa.csr") {
            self.collect_certificates().await;
            self.make_roles().await;
        }
        if block.starts_with("lombard keys csr") {
            self.public.certify(&self.etc().join("seal.csr"), &self.etc().join("seal.pem")).await;
        }
        if block.contains("lombard keys list") {
            assert!(said.contains("DIRECTORY-KID"), "{said}");
            let signs = said.lines().find(|line| line.contains(" signs until ")).unwrap_or_else(|| panic!("{said}"));
            self.first_key = signs.split(' ').next().unwrap().to_owned();
        }
    }

    async fn collect_certificates(&self) {
        for (authority, name) in
            [(&self.public, "server-rsa"), (&self.public, "server-ec"), (&self.own, "core-client"), (&self.own, "me")]
        {
            let [request, certificate] = ["csr", "pem"].map(|end| self.secret(&format!("{name}.{end}")));
            authority.certify(&request, &certificate).await;
        }
        let [directory, tpps] = self.directory.anchors();
        for (from, to) in [
            (self.own.file(), "core-authorities.pem"),
            (self.own.file(), "database-authorities.pem"),
            (self.own.file(), "staff-authorities.pem"),
            (directory, "directory-authorities.pem"),
            (tpps, "tpp-authorities.pem"),
        ] {
            std::fs::copy(from, self.secret(to)).unwrap();
        }
        let key = std::fs::read_to_string(self.secret("identity.key")).unwrap();
        self.provider.register_client_key(SigningKey::from_pkcs8_pem(&key).unwrap().public().clone());
    }

    /// Makes the roles by the SQL of the page about storage.
    async fn make_roles(&self) {
        let two_roles = statements("Two roles");
        let [once, in_database] = &two_roles[..] else { panic!("{two_roles:?}") };
        let password = |name: &str| std::fs::read_to_string(self.secret(name)).unwrap().trim().to_owned();
        let once: Vec<_> = once
            .iter()
            .map(|statement| {
                let statement = statement.replace("the password of migrations", &password("database-owner.password"));
                statement.replace("the password of nodes", &password("database-node.password"))
            })
            .collect();
        let url = |database: &str| format!("postgres://lombard@127.0.0.1:{}/{database}", self.database.port());
        run_at(&url("postgres"), &once).await;
        run_at(&url("lombard"), in_database).await;
    }

    /// A node with its address and ports: on machines of their own, nodes have the printed ones.
    fn start_node(&self, node: usize) -> Child {
        let mut variables = self.ports.of_node(node);
        variables.push(variable("server.lame_duck_secs", LAME_DUCK_SECS));
        let data = self.data(node).display().to_string();
        let arguments = SERVE.map(|it| self.local(&it.replace("/var/lib/lombard", &data)));
        start_program(&arguments.each_ref().map(String::as_str), &variables, &self.data(node).join("log"))
    }

    /// The first TPP registers over HTTP, with a statement of the directory.
    async fn register(&self) -> Tpp {
        let folder = self.folder.path().join("tpp");
        copy(&self.directory.tpp_folder(), &folder.join("tpps/first-shop"));
        std::fs::copy(self.data(0).join("endpoints.json"), folder.join("endpoints.json")).unwrap();
        std::fs::copy(self.public.file(), folder.join("ca.pem")).unwrap();
        let ids = IdGenerator::new(Arc::new(SystemEntropy), Clocks::system());
        let tpp = Tpp::open_unregistered(&folder, "first-shop", Clocks::system(), ids, None).unwrap();
        let statement = self.directory.statement("OpenBanking Ltd", SOFTWARE);
        let request = tpp.registration_request().await.unwrap().claim("software_statement", statement);
        let answer = tpp.register(&request.sign(&tpp.folder.signing).unwrap()).await.unwrap();
        let tpp = tpp.registered_as(ClientId::new(answer.ok(201).text("client_id")));
        tpp.request_token(&[("grant_type", "client_credentials")]).await.unwrap().oauth(401, "invalid_client");
        tpp
    }

    /// A payment, and a restart of a node while the TPP goes on calling.
    pub(super) async fn pay_and_restart(mut self) {
        let tpp = self.tpp.take().unwrap();
        let own = tpp.client_credentials("payments").await.unwrap().access_token;
        let paying = PayingTpp { tpp: tpp.clone(), own, version: Version::V3_1 };
        let token = self.customer_agrees(&paying).await;
        let (id, _) = paying.ordered(&token).await;
        let settled = async || {
            let order = paying.order_now(PAYMENT, &id).await;
            assert_ne!(order["Data"]["Status"], "Rejected", "{order}");
            (order["Data"]["Status"] == "AcceptedCreditSettlementCompleted").then_some(())
        };
        until(settled).await;

        let load = Load::start(&tpp, &calls_of(&paying, &format!("{}/{id}", orders(PAYMENT))));
        let more = async |load: &Load| {
            let enough = load.done() + ENOUGH;
            until(async || (load.done() >= enough).then_some(())).await;
        };
        more(&load).await;
        let mut stopping = self.nodes.remove(0);
        let pid = stopping.id().unwrap().to_string();
        assert!(Command::new("kill").arg(pid).status().await.unwrap().success());
        assert!(stopping.wait().await.unwrap().success(), "{}", self.logs());
        more(&load).await;
        self.nodes.push(self.start_node(0));
        let restart = blocks(PAGE, "sh").into_iter().find(|block| block.contains("--retry-all-errors")).unwrap();
        self.run(&restart).await;
        more(&load).await;
        let calls = load.stop().await;
        let failed: Vec<_> = calls.iter().filter(|call| call.outcome != Outcome::Done).collect();
        assert!(failed.is_empty(), "{} of {} calls failed: {:?}", failed.len(), calls.len(), failed.first());
    }

    /// The customer logs in at the provider for the payment, and agrees to it.
    async fn customer_agrees(&self, paying: &PayingTpp) -> crate::harness::paying::AgreedConsent {
        let asked = paying.asking(PAYMENT);
        let consent =
            paying.post(&paying.own, consents(PAYMENT), &asked).await.ok(201)["Data"].text("ConsentId").to_owned();
        let request = paying.tpp.new_authorisation_request(&consent, "payments").await.unwrap();
        let mut browser = Browser::new(&paying.tpp);
        let page = browser.open(&request.url(&paying.tpp.folder.signing).unwrap()).await;
        let location = on_to_provider(&mut browser, &page).await;
        self.provider.set_time(now().as_second());
        let back = self.provider.log_in(&location, CUSTOMER);
        let page = browser.open(&back.url()).await;
        let form = page.form_with("decision");
        // The first account is in euros, which the core does not exchange.
        let account = form.values("account").pop().unwrap();
        let back = browser.submit(form, &[("account", &account), ("decision", "approve")]).await;
        let callback = paying.tpp.redirect_uri().unwrap();
        let told = AuthorisationResponse::parse_redirect(&back.exchange, callback).unwrap();
        let (code, _) = told.expect_code(&request.state).unwrap();
        let token = IssuedTokens::from_exchange(paying.tpp.exchange_code(code).await.unwrap()).unwrap().access_token;
        crate::harness::paying::AgreedConsent { product: PAYMENT, consent, asked, token }
    }
}

/// Copies a folder of files.
fn copy(from: &Path, to: &Path) {
    std::fs::create_dir_all(to).unwrap();
    for entry in std::fs::read_dir(from).unwrap().map(Result::unwrap) {
        std::fs::copy(entry.path(), to.join(entry.file_name())).unwrap();
    }
}
