//! Declares every setting, in the order of the reference.
//!
//! Long because it is one table.

use super::audit::{NodeName, SyslogAddress};
use super::declaration::{DEFAULT_MODE, Section, Setting, mode_reference};
use super::declare::{range, section, settings};
use super::directories::DirectorySetting;
use super::hosts::{CalledHost, OwnName};
use super::payments::{CutOffTime, MiddleRate, usual_instruments, usual_rates};
use super::reader::SettingReader;
use super::traces::{CollectorUrl, SampleRatio};
use super::value::{
    BankKind, BaseUrl, DatabaseUrl, HeadlessDecision, IdentityKind, LogFormat, Mode, ProxiedListener, ProxyTransport,
    RevocationListUrl, RevocationMode, SettingValue, StaffKind,
};
use super::warnings::{PaymentWarnings, usual_warnings};
use crate::server::{RATE_MOVEMENT as MOVEMENT, RATE_SPREAD as SPREAD};
use ipnet::IpNet;
use lombard_auth::registration::{RegistrationPolicy, SOFTWARE_REGISTRATIONS_MAX};
use lombard_domain::frequency::ScottishQuarterDays;
use lombard_domain::money::{Amount, Currency};
use lombard_domain::payment::exchange::ExchangeLimits;
use lombard_domain::payment::exchange::RateAgreement;
use lombard_domain::payment::offer::PaymentLimits;
use lombard_domain::payment::transfer::Instrument;
use lombard_domain::payment::vrp::CommercialVrp;
use lombard_domain::payment::{PaymentContext, PaymentProduct};
use lombard_domain::retention::RECORD_DAYS;
use lombard_edge::app::app_links::{AndroidApp, IosApp};
use lombard_edge::listener::AddressHeader;
use lombard_service::consents::OPEN_CONSENTS_MAX;
use std::net::{IpAddr, Ipv4Addr};
use std::path::PathBuf;

settings! {
    Config, SECTIONS;

    /// Where Lombard listens and under which addresses it is known.
    server: Server {
        /// Address the public and the mtls listener are bound to. In a sandbox `127.0.0.1` means `::1` too.
        bind: IpAddr = IpAddr::V4(Ipv4Addr::LOCALHOST);
        /// Port of the public listener (discovery, authorisation, pages); 0 picks a free one.
        public_port: u16 = 8443;
        /// Port of the listener that asks for client certificates (token endpoint, API); 0 picks a free one.
        mtls_port: u16 = 8444;
        /// Address the ops listener is bound to. Beyond loopback, production needs TLS there: `ops.staff = "mtls"`, or
        /// `ops.certificate_file`. In a sandbox `127.0.0.1` means `::1` too.
        ops_bind: IpAddr = IpAddr::V4(Ipv4Addr::LOCALHOST);
        /// Port of the ops listener (health, metrics, operations); 0 picks a free one.
        ops_port: u16 = 9090;
        /// Further names of the ops listener that are accepted in the `Host` header; loopback names always are.
        ops_hosts: Vec<OwnName> = Vec::new();
        /// Address the health listener is bound to; it speaks plain HTTP. `0.0.0.0` in a container.
        health_bind: IpAddr = IpAddr::V4(Ipv4Addr::LOCALHOST);
        /// Port of the health listener, which serves only `/healthz`, `/readyz`, `/health/database` and `/metrics`, for any
        /// `Host`; for load balancers, orchestrators and monitoring. 0 chooses a free one. There is no such listener unless it is
        /// set.
        health_port: Option<u16> = None;
        /// Public address of the public listener, also the issuer. In a sandbox `https://localhost:<port>` unless set.
        public_url: Option<BaseUrl> = None;
        /// Public address of the mtls listener. In a sandbox `https://localhost:<port>` unless set.
        mtls_url: Option<BaseUrl> = None;
        /// Seconds in which requests in progress may finish when the server stops.
        drain_secs: u64 = 20, within 0..=600;
        /// Seconds between a stop signal and the closing of the listeners. During this time `/readyz` reports that the server is
        /// not ready and requests are still served, so that load balancers notice. 10 in production and 0 in a sandbox unless
        /// set.
        lame_duck_secs: Option<u64> = None, within 0..=600;
        /// The largest number of connections of each listener at a time; further ones wait.
        connections_max: usize = 10_000, within 1..=1_000_000;
        /// The share of each listener's connections that one address may have, in percent; further ones are closed. Of IPv6,
        /// the addresses of one /64 count as one. 100 behind a load balancer that connects from its own addresses and is not
        /// listed in `[proxy]`.
        address_share_max: u32 = 25, within 1..=100;
        /// The largest number of connections of one address (of IPv6, of one /64) to each listener that have presented no
        /// certificate. A further one ends the one that has been idle for longest; it waits for `tls.handshake_secs` if none is
        /// idle, and is then closed. As many as `server.connections_max` behind a load balancer that connects from its own
        /// addresses and is not listed in `[proxy]`.
        anonymous_connections_max: usize = 64, within 1..=1_000_000;
        /// The largest number of connections to each listener on which one client has presented its certificate. A further one
        /// ends the one that has been idle for longest; if none is idle it waits for what is left of `tls.handshake_secs`, and is
        /// then closed. As many as one address may have unless set.
        client_connections_max: Option<usize> = None, within 1..=1_000_000;
    }

    /// The bank's staff: who may use the ops listener (docs/operating/staff.md).
    ops: Ops {
        /// How staff log in: `password`, which is for sandboxes; `mtls`, with a certificate of the staff authority; or `oidc`, at
        /// the bank's OpenID provider. `password` in a sandbox unless set. Production has no default.
        staff: Option<StaffKind> = None;
        /// PEM file with the chain of the ops listener's server certificate, leaf first. With `mtls` the certificates of `[tls]`
        /// unless set; with `oidc` the listener has TLS if this is set.
        certificate_file: Option<PathBuf> = None;
        /// PEM file with the key of that certificate (PKCS#8).
        key_file: Option<PathBuf> = None;
        /// PEM file with the authorities whose certificates name staff: the common name is the name, the organisational unit the role. This
        /// and the next setting are for `mtls`.
        staff_ca_file: Option<PathBuf> = None;
        /// Files with lists of revoked staff certificates, PEM or DER, each signed by an authority in `ops.staff_ca_file`.
        staff_crl_files: Vec<PathBuf> = Vec::new();
        /// The provider's issuer, byte for byte as in its tokens. This and the settings up to `ops.call_secs` are for `oidc`.
        issuer: Option<String> = None;
        /// The ops listener's client id at the provider.
        client_id: Option<String> = None;
        /// File with the client's secret at the provider.
        client_secret_file: Option<PathBuf> = None;
        /// PEM file with the authorities that vouch for the provider, often `/etc/ssl/certs/ca-certificates.crt`.
        anchors_file: Option<PathBuf> = None;
        /// The scopes that are asked for.
        scopes: Vec<String> = vec!["openid".to_owned(), "profile".to_owned()];
        /// The claim with the role, or a list of roles of which exactly one is known here. Dots lead into objects.
        role_claim: String = "roles".to_owned();
        /// The claim with the member's name, as the audit log keeps it.
        name_claim: String = "sub".to_owned();
        /// The audience of access tokens that commands send (`aud`, RFC 9068); `ops.client_id` unless set.
        audience: Option<String> = None;
        /// The address of the ops listener for browsers; the provider sends them to `/login/callback` below it. The listener's
        /// own address on `localhost` unless set.
        public_url: Option<BaseUrl> = None;
        /// Seconds that a call of the provider may take.
        call_secs: u64 = 5, within 1..=30;
        /// Seconds after which a session of a browser ends without a request.
        session_idle_secs: u32 = 900, within 60..=14_400;
        /// Seconds after which a session of a browser ends in any case.
        session_secs: u32 = 28_800, within 300..=86_400;
        /// PEM file with the certificate by which commands of this program identify the person who types them, where `ops.staff` is `mtls`.
        /// Each person sets it, best in the environment.
        command_certificate_file: Option<PathBuf> = None;
        /// PEM file with the key of that certificate (PKCS#8).
        command_key_file: Option<PathBuf> = None;
        /// File with the access token that commands send, where `ops.staff` is `oidc`.
        command_token_file: Option<PathBuf> = None;
    }

    /// The machine's clock, by which the validity of tokens, certificates and signatures is checked.
    clock: ClockLimits {
        /// Seconds by which the clock of this machine and that of the database's server may differ before `/readyz` reports that
        /// this node is not ready. Beyond 2 seconds a warning is logged. SQLite has no server.
        skew_max_secs: u64 = 10, within 1..=3600;
    }

    /// The certificates of the listeners, and the authorities whose client certificates are trusted. A sandbox creates both
    /// unless they are configured.
    tls: Tls {
        /// PEM file with the server's RSA certificate chain, leaf first. TLS 1.2 clients need it.
        rsa_certificate_file: Option<PathBuf> = None;
        /// PEM file with the RSA private key (PKCS#8).
        rsa_key_file: Option<PathBuf> = None;
        /// PEM file with the server's P-256 certificate chain, leaf first; cheaper, for clients of TLS 1.3.
        ec_certificate_file: Option<PathBuf> = None;
        /// PEM file with the P-256 private key (PKCS#8).
        ec_key_file: Option<PathBuf> = None;
        /// PEM file with the authorities whose client certificates are trusted.
        tpp_anchors_file: Option<PathBuf> = None;
        /// Whether client certificates that their authority has revoked are refused: `off`; `soft`, those that a list or a
        /// responder names; or `hard`, also those of an authority whose list is missing, or overdue for more than a day, or about
        /// which no responder answers. Production has no default.
        revocation: RevocationMode = RevocationMode::Off;
        /// Files with certificate revocation lists, PEM or DER, each signed by an authority in `tls.tpp_anchors_file`.
        crl_files: Vec<PathBuf> = Vec::new();
        /// Addresses from which such lists are fetched.
        crl_urls: Vec<RevocationListUrl> = Vec::new();
        /// Addresses of OCSP responders. If a certificate names one of them, that responder is asked; if it names none, the first
        /// of the list. A certificate that names only other responders has an unknown status.
        ocsp_urls: Vec<RevocationListUrl> = Vec::new();
        /// PEM file with the authorities that vouch for the https addresses among these.
        revocation_anchors_file: Option<PathBuf> = None;
        /// Seconds between two fetches of a list, and for which an answer of a responder is used at most.
        revocation_refresh_secs: u64 = 1800, within 1..=3600;
        /// Seconds a TLS handshake may take.
        handshake_secs: u64 = 10, within 1..=120;
        /// Seconds a TLS session may be resumed for; 0 switches resumption off.
        session_secs_max: u64 = 3600, within 0..=3600;
    }

    /// Proxies in front of the listeners (docs/operating/proxies.md). Information about clients is accepted only from proxies
    /// with the listed addresses.
    proxy: Proxy {
        /// Addresses and networks of the proxies.
        addresses: Vec<IpNet> = Vec::new();
        /// Listeners to which proxies forward TLS connections: each connection comes from a proxy and begins with a header of the
        /// PROXY protocol, version 1 or 2. Any other connection is closed.
        pass_tls: Vec<ProxiedListener> = Vec::new();
        /// Listeners behind proxies that terminate TLS. Requests arrive in HTTP/1.1 over `proxy.transport`.
        end_tls: Vec<ProxiedListener> = Vec::new();
        /// How proxies that terminate TLS connect: `loopback`, unencrypted from this machine, which needs a loopback address in
        /// `server.bind`; `unix`, unencrypted over the sockets that follow; or `mtls`, over TLS with a certificate of an
        /// authority in `proxy.anchors_file`.
        transport: ProxyTransport = ProxyTransport::Loopback;
        /// The path of the Unix socket of the public listener, for the transport `unix`, where `proxy.end_tls` names it. The owner and the
        /// group of its file may connect. The listener has no port then.
        public_socket: Option<PathBuf> = None;
        /// The same for the mtls listener.
        mtls_socket: Option<PathBuf> = None;
        /// PEM file with the authorities that vouch for the proxies' own certificates, for the transport `mtls`.
        anchors_file: Option<PathBuf> = None;
        /// The header in which proxies that terminate TLS forward the client's certificate: `client-cert` of RFC 9440, with its
        /// `client-cert-chain`; `x-forwarded-client-cert` of Envoy; any other header contains the certificate as PEM,
        /// percent-encoded.
        certificate_header: String = "client-cert".to_owned();
        /// Whether the proxy's verification of client certificates is accepted. Otherwise the server verifies their chains again.
        trust_verification: bool = false;
        /// The header in which proxies that terminate TLS forward the address of the client: `forwarded` (RFC 7239) or
        /// `x-forwarded-for`. Unless set, requests count as those of the proxy's address. The proxies must remove or extend what
        /// clients send.
        address_header: Option<AddressHeader> = None;
    }

    /// Where everything is stored.
    database: Database {
        /// The database. In a sandbox a SQLite file in the data directory unless set. `sqlite://:memory:` is a temporary
        /// database, which is removed when the server stops; for sandboxes only. `docs/operating/storage.md` lists the parameters
        /// of a PostgreSQL URL.
        url: Option<DatabaseUrl> = None;
        /// A file with the database's URL. Use it if the URL contains a password.
        url_file: Option<PathBuf> = None;
        /// Whether production may keep its data in SQLite: one file, on one machine. A sandbox always may.
        allow_sqlite: bool = false;
        /// The largest number of connections to PostgreSQL. A quarter of them are shared by reads of one query each; transactions
        /// have one for themselves. SQLite does not use it.
        connections_max: usize = 16, within 1..=1024;
        /// Seconds a request waits for a connection to PostgreSQL, connecting included, or for its turn to write to SQLite; then
        /// it is answered 503.
        wait_secs: u64 = 5, within 1..=60;
        /// Seconds PostgreSQL may take for one statement. Migrations, and emptying a sandbox, may take longer.
        statement_secs: u64 = 10, within 1..=3600;
        /// Seconds a statement waits for what another transaction on PostgreSQL has locked.
        lock_secs: u64 = 5, within 1..=3600;
        /// Seconds after which PostgreSQL rolls back a transaction whose node has gone silent, and frees what it had locked.
        idle_transaction_secs: u64 = 60, within 5..=3600;
    }

    /// Lifetimes of what the authorisation server issues, and limits of logins.
    auth: AuthorisationServer {
        /// Seconds for which an access token is valid.
        access_token_secs: u32 = 3600, within 30..=3600;
        /// Seconds an authorisation code can be exchanged.
        code_secs: u32 = 60, within 5..=60;
        /// Seconds an identity token is valid.
        id_token_secs: u32 = 600, within 30..=600;
        /// Seconds that may pass between two steps of a PSU's authorisation.
        journey_secs: u32 = 600, within 60..=3600;
        /// Hosts that key sets of TPPs are fetched from, as `keystore.example` or `keystore.example:8443`.
        jwks_hosts: Vec<CalledHost> = Vec::new();
        /// PEM file with the authorities that vouch for these hosts, often `/etc/ssl/certs/ca-certificates.crt`.
        jwks_anchors_file: Option<PathBuf> = None;
        /// Hosts at which TPPs may be notified of answered backchannel requests (CIBA ping), as `tpp.example` or `tpp.example:8443`.
        notification_hosts: Vec<CalledHost> = Vec::new();
        /// PEM file with the authorities that vouch for these hosts.
        notification_anchors_file: Option<PathBuf> = None;
        /// The longest lifetime of a PSU's login at the bank's own pages, in seconds, even if the session is active.
        session_secs: u32 = 3600, within 300..=43_200;
        /// Days after a login for which the customer's browser is recognised: failed logins in other browsers do not lock the
        /// customer out there. With 0 no browser is recognised.
        device_days: u32 = 365, within 0..=3650;
        /// The largest number of different customers for whom logins from one network address may fail within ten minutes. Logins
        /// for further customers are then refused from that address until the oldest failure is ten minutes old. Customers who
        /// log in successfully afterwards do not count. 0 sets no limit.
        address_users_max: u32 = 300, within 0..=1_000_000;
        /// Days after a customer's last authentication from which a TPP is refused account data (403) until the customer
        /// authenticates again; its tokens stay valid. With 0 access lasts as long as the consent.
        reauthentication_days: u32 = 0, within 0..=3650;
    }

    /// Dynamic client registration: which TPPs may register themselves. Without a directory nobody can; a sandbox has its own.
    dcr: Registration {
        /// The directories whose software statements are accepted. Their key sets are fetched from hosts of `auth.jwks_hosts`.
        directories: Vec<DirectorySetting> = Vec::new();
        /// Which software of the directories may register: `open`, all of it; `allow_list`, what `dcr.allowed` lists; `approval`,
        /// all of it, and each client is disabled until an operator enables it (`lombard tpp enable`); additions by a later
        /// change of the registration take effect after `lombard tpp approve`.
        policy: RegistrationPolicy = RegistrationPolicy::Open;
        /// The ids of software and of organisations that may register, where the policy is `allow_list`.
        allowed: Vec<String> = Vec::new();
        /// What a registration request may name as its audience, beside the issuer and `signing.organisation_id`.
        audiences: Vec<String> = Vec::new();
        /// The age of the oldest software statement that is accepted, in seconds; 0 sets no limit. 1800 in production and 0 in a
        /// sandbox unless set.
        ssa_max_age_s: Option<u64> = None, within 0..=31_536_000;
        /// The largest number of registrations of one software within a day, those of deleted clients included. Deleted clients
        /// stay stored, because their ids are never used again.
        software_registrations_max: u32 = SOFTWARE_REGISTRATIONS_MAX, within 1..=100_000;
    }

    /// Where signatures are made, and how private keys are kept.
    signing: Signing {
        /// Threads that sign.
        threads: usize = 2, within 1..=256;
        /// The largest number of signatures that wait; further ones are refused as "try again later".
        queue_max: usize = 1024, within 1..=1_000_000;
        /// File with the 32-byte key with which private keys are encrypted, as 64 hexadecimal digits. A sandbox creates one.
        key_encryption_key_file: Option<PathBuf> = None;
        /// Files with former key-encryption keys. They decrypt secrets that were encrypted with them, while the key is being
        /// replaced (docs/operating/keys.md).
        other_key_encryption_key_files: Vec<PathBuf> = Vec::new();
        /// The shared library (PKCS#11) of a security module. If it is set, signing keys are generated in the module and do not
        /// leave it.
        pkcs11_module_file: Option<PathBuf> = None;
        /// The label of the token in it that holds the keys.
        pkcs11_token_label: Option<String> = None;
        /// File with the PIN of the token's user.
        pkcs11_pin_file: Option<PathBuf> = None;
        /// The label of an existing key pair in the token that becomes the first signing key if no key is stored. Unless set, a
        /// new key pair is generated.
        pkcs11_key_label: Option<String> = None;
        /// The bank's organisation id in the directory, which signed messages name. A sandbox generates one.
        organisation_id: Option<String> = None;
        /// The bank's name in requests for certificates (`lombard keys csr`); `bank.name` unless set.
        organisation_name: Option<String> = None;
        /// Its `organizationIdentifier` there, such as `PSDGB-FCA-123456`; unless set, the form of the directory for an unknown number.
        organisation_identifier: Option<String> = None;
        /// Its country there, two letters.
        country: String = "GB".to_owned();
        /// The domain of the trust anchor that publishes the keys of the bank and of TPPs.
        trust_anchor: String = "openbanking.org.uk".to_owned();
        /// The age of the oldest request signature that is accepted, in seconds; 0 sets no limit.
        request_age_secs_max: u32 = 0, within 0..=31_536_000;
    }

    /// What is offered of payments; a request for anything else is refused when its consent is made.
    payments: Payments {
        /// Products that are offered, by the names of their orders.
        products: Vec<PaymentProduct> = PaymentProduct::ALL.to_vec();
        /// Instruments that a domestic payment may name; one that names none goes by Faster Payments.
        domestic_instruments: Vec<Instrument> = usual_instruments(PaymentProduct::DomesticPayment);
        /// Instruments that a scheduled domestic payment may name; one that names none goes by Faster Payments.
        scheduled_instruments: Vec<Instrument> = usual_instruments(PaymentProduct::DomesticScheduledPayment);
        /// Instruments that a file, or a payment in it, may name; one that names none goes by Faster Payments. Charges of an
        /// instrument are not levied on files.
        file_instruments: Vec<Instrument> = usual_instruments(PaymentProduct::FilePayment);
        /// The largest amount of one payment, by currency; other currencies have no limit.
        ceilings: Vec<Amount> = PaymentLimits::default().ceilings;
        /// Days from today on within which a payment, or the first of a standing order, must lie.
        horizon_days: u16 = 366, within 1..=3660;
        /// Instruments that an international payment, scheduled or not, may name; one that names none goes by SEPA, TARGET2
        /// or SWIFT.
        international_instruments: Vec<Instrument> = usual_instruments(PaymentProduct::InternationalPayment);
        /// Cut-off times of the built-in bank on working days in London, where they differ from the defaults (CHAPS, SWIFT,
        /// Target2 and Euro1 15:00 and BACS 17:00 refuse; SEPACreditTransfer 14:00 accepts; the others have none). A later
        /// payment is refused, or accepted for the next working day.
        cut_offs: Vec<CutOffTime> = Vec::new();
        /// Currencies that can be sent beside pounds, each with its middle rate: how much of it one pound is. Only the built-in
        /// bank exchanges at these rates; another core quotes its own.
        rates: Vec<MiddleRate> = usual_rates();
        /// The spread of the built-in bank: its margin on each rate, in ten-thousandths of the rate.
        rate_spread: u16 = SPREAD, within 0..=9_999;
        /// The largest deviation of a day's exchange rate from the middle rate at the built-in bank, in ten-thousandths. It has
        /// no effect outside a sandbox.
        rate_movement: u16 = MOVEMENT, within 0..=1_000;
        /// Rates that the built-in bank has agreed with single customers, by contract, customer, the payer's currency and the
        /// currency of transfer. A sandbox has further ones for every customer.
        deals: Vec<RateAgreement> = Vec::new();
        /// Seconds for which an actual rate is held (bank clock).
        quote_secs: u64 = 1_800, within 60..=86_400;
        /// Currencies that accounts to pay from are kept in.
        account_currencies: Vec<Currency> = ExchangeLimits::default().units;
        /// Instruments on which a text that is too long for the payment scheme is refused; on the others the text is truncated.
        refuse_long_texts: Vec<Instrument> = Vec::new();
        /// Whether a payment must say what it is for (`PaymentContextCode`).
        context_required: bool = false;
        /// Whether new standing orders of v4.0 may have a frequency in the words of v3.1.
        legacy_frequency: bool = false;
        /// The days of new standing orders on Scottish quarter days: `traditional`, 2 February, 15 May, 1 August and 11
        /// November, or `statutory`, the 28th of February, May, August and November. An existing one keeps its days.
        scottish_quarter_days: ScottishQuarterDays = ScottishQuarterDays::Traditional;
        /// Whether consents to sweep between a customer's own accounts may leave out the account to pay to.
        sweeps_anywhere: bool = false;
        /// Seconds for which an idempotency key means the same request (bank clock).
        key_secs: u64 = 86_400, within 86_400..=2_592_000;
        /// Seconds after which a consent is rejected if no customer has decided on it (bank clock).
        undecided_secs: u64 = 86_400, within 60..=2_592_000;
        /// Seconds after which the file of a consent that was rejected or revoked, or expired without an order, is removed (bank
        /// clock).
        unused_file_secs: u64 = 86_400, within 60..=31_536_000;
    }

    /// Polling for events. The limits that are published to TPPs follow from these settings.
    events: Events {
        /// The largest number of events of an answer; TPPs may ask for fewer.
        max_events_cap: u32 = 100, within 1..=1000;
        /// The largest number of bytes of a poll.
        max_body_bytes: usize = 262_144, within 1024..=1_048_576;
        /// Seconds for which a poll that permits waiting is held when there is no event; 0 switches this off.
        long_poll_s: u64 = 10, within 0..=55;
        /// The largest number of polls of one TPP that are held at a time; a further one releases the oldest.
        max_held_per_tpp: usize = 4, within 1..=100_000;
        /// The largest number of polls that are held at a time; further ones are answered at once.
        max_held: usize = 10_000, within 0..=1_000_000;
        /// Error reports after which an event is parked: it is kept for operators and no longer returned; 0 parks none.
        negative_ack_limit: u32 = 0, within 0..=1000;
        /// Deliveries after which an event is parked; 0 sets no limit.
        max_deliveries: u32 = 0, within 0..=1_000_000;
        /// The sustained number of polls per second of one TPP; 0 sets no limit. Divided among `rates.nodes`.
        rate_per_s: u32 = 50, within 0..=100_000;
        /// The burst: polls at once after a pause, if there is a limit.
        rate_burst: u32 = 500, within 1..=100_000;
        /// Days an event waits for its acknowledgement before it is dropped, at least 7; 0 drops none.
        retention_days: u32 = 0, within 0..=3650;
        /// The largest number of events that wait for one TPP, checked every minute: the oldest beyond it are dropped. 0 sets no
        /// limit.
        queue_limit: u32 = 0, within 0..=100_000_000;
        /// Whether a poll returns only events of the resources that its token's scope permits.
        filter_by_scope: bool = false;
    }

    /// The sustained calls per second of one TPP, by the resource that is called and by the kind of the token; 0 sets no limit.
    /// Polling for events has its own settings. The rates in force are published to TPPs.
    rates: Rates {
        /// The nodes among which the rates of applications are divided, those of `[events]` included. Every node admits its part
        /// independently, so every node must be configured with the same number. Rates of network addresses, sessions and
        /// certificates are not divided.
        nodes: u32 = 1, within 1..=1_000;
        /// The token endpoint, with revocation, introspection and userinfo.
        token_per_s: u32 = 50, within 0..=1_000_000;
        /// Authorisation requests that are pushed ahead, and requests over the backchannel.
        pushed_per_s: u32 = 50, within 0..=1_000_000;
        /// Authorisation requests of one TPP that browsers bring to `/authorize`.
        authorize_per_s: u32 = 50, within 0..=1_000_000;
        /// Requests to `/authorize` from one network address (of IPv6: one /64), before their client is known. Set 0 behind a
        /// load balancer from whose address all of them come and that is not listed in `[proxy]`.
        authorize_address_per_s: u32 = 50, within 0..=1_000_000;
        /// Logins and approvals at the bank's identity provider that begin at `/apps`, from one network address (of IPv6: one /64).
        /// Set 0 behind a load balancer from whose address all of them come.
        provider_login_address_per_s: u32 = 10, within 0..=1_000_000;
        /// Logos of applications from one network address (of IPv6: one /64). Set 0 behind a load balancer from whose address all
        /// of them come.
        logo_address_per_s: u32 = 50, within 0..=1_000_000;
        /// Pages, documents and keys of the public listener from one network address (of IPv6: one /64). Set 0 behind a load
        /// balancer from whose address all of them come and that is not listed in `[proxy]`.
        page_address_per_s: u32 = 100, within 0..=1_000_000;
        /// Forms of the portal that one session of a developer sends.
        portal_form_per_s: u32 = 3, within 0..=1_000_000;
        /// Account information, by tokens of customers (authorisation code).
        accounts_per_s: u32 = 200, within 0..=1_000_000;
        /// The same by tokens of the TPP alone (client credentials). As `rates.accounts_per_s` unless set.
        accounts_client_per_s: Option<u32> = None, within 0..=1_000_000;
        /// Payments, except files, by tokens of customers (authorisation code).
        payments_per_s: u32 = 100, within 0..=1_000_000;
        /// The same by tokens of the TPP alone (client credentials). As `rates.payments_per_s` unless set.
        payments_client_per_s: Option<u32> = None, within 0..=1_000_000;
        /// Files of payments, with their consents, orders and reports, by tokens of customers (authorisation code).
        files_per_s: u32 = 20, within 0..=1_000_000;
        /// The same by tokens of the TPP alone (client credentials). As `rates.files_per_s` unless set.
        files_client_per_s: Option<u32> = None, within 0..=1_000_000;
        /// Confirmation of funds, by tokens of customers (authorisation code).
        funds_per_s: u32 = 100, within 0..=1_000_000;
        /// The same by tokens of the TPP alone (client credentials). As `rates.funds_per_s` unless set.
        funds_client_per_s: Option<u32> = None, within 0..=1_000_000;
        /// Variable recurring payments, by tokens of customers (authorisation code).
        vrp_per_s: u32 = 100, within 0..=1_000_000;
        /// The same by tokens of the TPP alone (client credentials). As `rates.vrp_per_s` unless set.
        vrp_client_per_s: Option<u32> = None, within 0..=1_000_000;
        /// Requests of one client certificate whose token or client authentication is refused, whatever they are for; and status updates
        /// that one network address pushes and no known key has signed. Further ones are then refused before anything is queried.
        failures_per_s: u32 = 50, within 0..=1_000_000;
        /// The burst of all rates, in seconds: a TPP may make at once as many calls as the rate allows in this time.
        burst_secs: u32 = 10, within 1..=600;
    }

    /// Variable recurring payments between businesses and their customers.
    vrp: Vrp {
        /// Whether consents may have a commercial type; only v4.0 has these types.
        commercial: bool = false;
        /// Whether commercial payments need the members that the multilateral agreement makes mandatory.
        commercial_strict: bool = false;
        /// Client ids of the TPPs that have joined the agreement. In a sandbox those of `acme` and `robot`, unless set.
        commercial_members: Vec<String> = Vec::new();
        /// The payment contexts (`PaymentContextCode`) that a consent with a commercial type may have; contexts that v4.0 has
        /// deprecated cannot be among them.
        commercial_contexts: Vec<PaymentContext> = CommercialVrp::default().contexts;
    }

    /// What security event tokens say.
    set: Set {
        /// The `typ` of their header through every version; unless set, `secevent+jwt` through v4.0 and none through v3.1.
        typ: Option<String> = None;
        /// Whether their header names the bank, the trust anchor and the time, and readers must understand it.
        ob_headers: bool = true;
        /// The resource type of linked-account updates; an older edition of the standard prints `accounts`.
        linked_account_rty: String = "account-access-consent".to_owned();
    }

    /// The size of what a caller may send, and the time that it may take.
    limits: Limits {
        /// The largest number of bytes of a JSON or form body; JSON submissions have at most 65536, whatever the setting.
        body_bytes_max: usize = 1_048_576, within 1024..=67_108_864;
        /// The largest number of bytes of a file of payments.
        file_bytes_max: u64 = 67_108_864, within 65_536..=1_073_741_824;
        /// The largest number of consents of one client, of every kind, that were made within the last day and that no customer
        /// has decided on, on all nodes together; further ones are refused as too many (429). Source: RW-279.
        open_consents_max: u32 = OPEN_CONSENTS_MAX, within 1..=100_000_000;
        /// The largest number of files of one TPP whose consents are neither authorised nor used, uploads in progress included.
        unused_files_max: u64 = 100, within 1..=1_000_000;
        /// The largest number of bytes of storage of these files together, with the payments read from them. An upload in
        /// progress counts as three times its announced length; if it announces none, as the largest permitted file.
        unused_file_bytes_max: u64 = 1_073_741_824, within 65_536..=1_099_511_627_776;
        /// The largest number of confirmations of funds under one consent on a day in London, on all nodes together; 0 sets no
        /// limit. In a sandbox 1000, otherwise 20, unless set.
        funds_questions_per_day: Option<u32> = None, within 0..=1_000_000;
        /// Deepest nesting of a JSON body.
        json_depth_max: usize = 32, within 8..=128;
        /// Records on a page of an answer. Source: RW-271.
        page_size: usize = 100, within 25..=1000;
        /// The largest number of bytes of a request's target and headers.
        header_bytes_max: usize = 32_768, within 8192..=1_048_576;
        /// The largest number of header fields of a request.
        header_fields_max: usize = 100, within 20..=1000;
        /// Seconds from the first byte of a request to the end of its headers.
        header_read_secs: u64 = 10, within 1..=300;
        /// The longest time without a byte of a request body, in seconds; `bytes_per_sec_min` is measured over the same time.
        body_idle_secs: u64 = 30, within 1..=300;
        /// The longest time in which a request body must arrive completely, in seconds.
        body_secs_max: u64 = 900, within 1..=86_400;
        /// The minimum rate in bytes per second at which request bodies must arrive and responses must be read; slower calls are
        /// ended. With 0, only one byte within the idle time is required.
        bytes_per_sec_min: u32 = 1_024, within 0..=1_048_576;
        /// The longest time without progress of a response that its caller does not read, in seconds; `bytes_per_sec_min` is
        /// measured over the same time.
        write_idle_secs: u64 = 30, within 1..=300;
        /// The largest number of requests of one client at a time, on all its connections to a node, that are being answered or
        /// whose answers have not been read; further ones are refused as too many (429). Held polls for events do not count.
        client_requests_max: usize = 256, within 1..=1_000_000;
        /// The largest number of bytes of answers that wait to be read by one client; requests beyond it are refused as too many (429).
        unread_bytes_max: usize = 2_097_152, within 65_536..=1_073_741_824;
        /// The largest number of bytes of the JSON bodies of one client's requests that have not arrived completely; further ones
        /// are refused as too many (429).
        gathered_bytes_max: usize = 16_777_216, within 1_048_576..=1_073_741_824;
        /// The largest number of requests over the backchannel of one client that wait for one customer; a further one is refused as
        /// `access_denied`.
        ciba_requests_max: u32 = 5, within 1..=1000;
        /// The largest number of uploads of files of payments of all clients at a time, on each node; further ones are refused as
        /// too many (429).
        uploads_max: usize = 32, within 1..=10_000;
        /// The largest number of uploads of files of payments of one client at a time, on each node; further ones are refused as
        /// too many (429).
        client_uploads_max: usize = 4, within 1..=10_000;
        /// The largest number of downloads of files of payments, of their details and reports of all clients at a time, on each
        /// node; further ones wait for 5 seconds and are then refused as too many (429).
        downloads_max: usize = 32, within 1..=10_000;
        /// The largest number of downloads of files of payments, of their details and reports of one client at a time, on each
        /// node; further ones wait likewise. At most four times as many may wait; more are refused at once (429).
        client_downloads_max: usize = 4, within 1..=10_000;
        /// Seconds a kept-alive connection may wait for its next request.
        keep_alive_secs: u64 = 75, within 1..=3600;
        /// The largest number of HTTP/2 streams of a connection at a time; 32 at most on a connection without a client certificate.
        streams_max: u32 = 128, within 1..=10_000;
    }

    /// The bank's name, and the core that keeps its accounts.
    bank: Bank {
        /// The core that keeps accounts and makes payments: `builtin`, which is for sandboxes; `http`, one that speaks the core
        /// API (docs/operating/core.md); or `embedded`, which a program that uses Lombard as a library brings with it.
        kind: BankKind = BankKind::Builtin;
        /// The file with the address and the certificates of a core, where `bank.kind` is `http`, as `lombard bank serve` writes
        /// it. The four settings that follow may be given instead.
        core_file: Option<PathBuf> = None;
        /// The address of the core.
        url: Option<BaseUrl> = None;
        /// The certificates (PEM) of the authorities that issue the core's server certificate.
        ca_file: Option<PathBuf> = None;
        /// The certificate chain (PEM) that this server presents to the core.
        certificate_file: Option<PathBuf> = None;
        /// Its private key (PEM, PKCS#8).
        key_file: Option<PathBuf> = None;
        /// The public keys (JWK Set) of a core that pushes status updates to `/bank/status-updates`; without it, none are
        /// accepted. It cannot be set with the built-in bank in this process.
        push_keys_file: Option<PathBuf> = None;
        /// The bank's name on pages.
        name: String = "Lombard Bank".to_owned();
        /// The bank's name in its own error codes, `UK.<name>.…`.
        error_namespace: String = "Lombard".to_owned();
    }

    /// The authentication of customers.
    identity: Identity {
        /// The identity provider: `builtin`, the logins of the built-in bank's customers, which are for sandboxes; `oidc`, the
        /// bank's OpenID provider; or `embedded`, which a program that uses Lombard as a library brings with it.
        kind: IdentityKind = IdentityKind::Builtin;
        /// The provider's issuer, byte for byte as in its ID tokens. This and the settings below are for `oidc`.
        issuer: Option<String> = None;
        /// The server's client id at the provider.
        client_id: Option<String> = None;
        /// PEM file with the RSA key (PKCS #8) that requests are signed with. Its public key is served at `/identity/jwks`.
        key_file: Option<PathBuf> = None;
        /// PEM file with the certificate that the server authenticates with at the provider, instead of `private_key_jwt`.
        certificate_file: Option<PathBuf> = None;
        /// PEM file with the key of that certificate (PKCS #8).
        certificate_key_file: Option<PathBuf> = None;
        /// PEM file with the authorities that vouch for the provider, often `/etc/ssl/certs/ca-certificates.crt`.
        anchors_file: Option<PathBuf> = None;
        /// The scopes that are asked for.
        scopes: Vec<String> = vec!["openid".to_owned(), "profile".to_owned()];
        /// The authentication context classes that are strong customer authentication, the best first.
        acr_values: Vec<String> = Vec::new();
        /// The greatest age of an authentication, in seconds; with 0 a customer authenticates for each consent.
        max_age_secs: u32 = 0, within 0..=3600;
        /// Whether the provider reaches customers on devices of theirs (CIBA, poll). It is used for requests of TPPs over the backchannel
        /// for which no account has to be chosen.
        decoupled: bool = false;
        /// The claim of the ID token that is the customer's id at the core.
        customer_claim: String = "sub".to_owned();
        /// The type of authorisation details (RFC 9396) that carry what is authorised, where the provider lists it.
        authorization_details_type: String = "urn:lombard:purpose".to_owned();
        /// Seconds that a call of the provider may take.
        call_secs: u64 = 5, within 1..=30;
    }

    /// What the customers' pages show.
    pages: Pages {
        /// Warnings of scams before the decision on a payment. Each is shown before the payments that meet all its conditions:
        /// `amount_min`, the least amount in its currency; `purposes`, the payment contexts (`PaymentContextCode`); `new_payee`,
        /// payees that the customer is known not to have paid before. As `[[pages.warnings]]`; `[]` shows none.
        warnings: PaymentWarnings = usual_warnings();
        /// Milliseconds for which the page of a decision waits for the bank's information about the payee's name, earlier payees
        /// and balances; information that has not arrived by then is omitted, and the payee's name counts as unconfirmed.
        answer_ms: u64 = 2000, within 50..=20_000;
        /// Hosts that logos of applications are fetched from (`software_logo_uri` of the software statement), as `logos.example` or
        /// `logos.example:8443`. Without them, and for logos elsewhere, pages show a letter.
        logo_hosts: Vec<CalledHost> = Vec::new();
        /// PEM file with the authorities that vouch for these hosts, often `/etc/ssl/certs/ca-certificates.crt`.
        logo_anchors_file: Option<PathBuf> = None;
    }

    /// App to app: the bank's apps in which phones open the authorisation requests of TPPs, instead of a browser.
    app_links: AppLinks {
        /// Apps for iOS, each the id of its team, a dot and the id of its bundle. They are served at
        /// `/.well-known/apple-app-site-association`.
        ios_apps: Vec<IosApp> = Vec::new();
        /// Apps for Android, each the name of its package, `=` and the SHA-256 fingerprint of a certificate that it is signed
        /// with; an app with several certificates is named several times. They are served at `/.well-known/assetlinks.json`.
        android_apps: Vec<AndroidApp> = Vec::new();
    }

    /// How long records are kept, in days (docs/operating/privacy.md). Records of customers on hold are kept longer. Events have
    /// `events.retention_days`.
    retention: Retention {
        /// Consents that no customer authorised, since they were made or rejected. Source: PIS-026.
        unauthorised_consent_days: u32 = 1, within 1..=3650;
        /// Consents that were authorised, since they ended: the customer's agreement is evidence while a claim can be brought.
        ended_consent_days: u32 = RECORD_DAYS, within 1..=36_500;
        /// Orders that have ended, since they were made: records of payment transactions. At least 1827, five years, in production.
        order_days: u32 = RECORD_DAYS, within 1..=36_500;
        /// Files of payments whose orders have ended, since they were sent. The payments that were read from a file go with it.
        file_days: u32 = RECORD_DAYS, within 1..=36_500;
        /// What customers were shown before they decided about payments, since the decision.
        evidence_days: u32 = RECORD_DAYS, within 1..=36_500;
        /// Entries of the audit log, since the act. What is left can still be verified.
        audit_days: u32 = RECORD_DAYS, within 1..=36_500;
        /// Sessions, journeys, tokens, codes, failed logins and values that may be used once, since they ended.
        session_days: u32 = 1, within 1..=3650;
    }

    /// Settings that only a sandbox has.
    sandbox: Sandbox {
        /// The seed from which customers, accounts and histories are generated. The same seed gives the same ids and histories.
        seed: u64 = 1;
        /// Further DNS names or IP addresses in the server's certificates; localhost is always there.
        server_names: Vec<OwnName> = Vec::new();
        /// The decision on requests of headless TPPs: `approve`, or `reject` to test how a TPP handles a refusal.
        headless_decision: HeadlessDecision = HeadlessDecision::Approve;
        /// The delay of such a decision in seconds, which simulates a person.
        headless_secs: u64 = 0, within 0..=60;
    }

    /// The audit log (docs/operating/audit.md).
    audit: Audit {
        /// The name of this node in the log. The name of the machine unless set.
        node: Option<NodeName> = None;
        /// File on another disk or machine, to which each entry of the chain `joint` is appended that this node writes. `lombard audit verify
        /// --anchor FILE` compares the log with it.
        anchor_file: Option<PathBuf> = None;
        /// Syslog to which the same entries are sent (RFC 5424): the path of its socket, such as `/dev/log`, or a host with a UDP port.
        anchor_syslog: Option<SyslogAddress> = None;
    }

    /// The log of requests, in the memory of each node (docs/tpps/request-log.md): the masked requests of TPPs and their
    /// responses, and the check that refused a request.
    request_log: RequestLogging {
        /// Client ids of the TPPs whose requests are recorded in production, where none are unless listed here. A sandbox records
        /// those of all.
        tpps: Vec<String> = Vec::new();
        /// The largest number of bytes of all records; beyond it, the oldest records of the TPP with the most bytes are dropped.
        /// 0 switches the log off.
        bytes_max: usize = 16_777_216, within 0..=1_073_741_824;
        /// The share of these bytes that one TPP may have, in percent.
        tpp_share_max: usize = 25, within 1..=100;
        /// The largest number of bytes of a body that a record shows. If a record shares a body with the cache of rendered pages,
        /// the whole body counts, up to eight times this number.
        body_bytes_max: usize = 8192, within 0..=65_536;
        /// Seconds for which a record is kept.
        age_secs_max: u32 = 86_400, within 60..=2_592_000;
    }

    /// Log lines and traces (docs/operating/watching.md).
    telemetry: Telemetry {
        /// Which log lines are written: a level, or directives such as `info,lombard::access=off`.
        level: String = "info".to_owned();
        /// How log lines look.
        format: LogFormat = LogFormat::Auto;
        /// The largest number of equal warnings and errors that are logged within a minute; afterwards one line states how many
        /// were suppressed. 0 sets no limit.
        equal_lines_max: u32 = 20, within 0..=1_000_000;
        /// Address of the collector that spans are sent to with OTLP over HTTP, without its path `/v1/traces`. There are no
        /// traces unless it is set here or in the variable `OTEL_EXPORTER_OTLP_ENDPOINT`.
        otlp_endpoint: Option<CollectorUrl> = None;
        /// PEM file with the authorities that vouch for a collector with an https address.
        otlp_anchors_file: Option<PathBuf> = None;
        /// Share of requests whose traces are recorded, from 0 to 1. Unless set, the share that the variables
        /// `OTEL_TRACES_SAMPLER` and `OTEL_TRACES_SAMPLER_ARG` request, or 0.01 without them.
        sample_ratio: Option<SampleRatio> = None;
        /// The number of further requests per second whose traces are recorded because the sampled flag of the caller's
        /// `traceparent` is set. Beyond it the flag is ignored, because any caller can set it.
        requested_traces_per_sec: u32 = 1, within 0..=1000;
    }

    /// Which endpoints are served.
    endpoints: Endpoints {
        /// Names of endpoints to switch off (docs/reference/endpoints.md); they answer 404, or 405 where another method of their
        /// path is served. Mandatory endpoints cannot be switched off; one that is mandatory with its POST, only together with
        /// the POST.
        off: Vec<String> = Vec::new();
        /// Versions that are deprecated and no longer served, such as `v3.1`; their paths answer 503. At least one version must
        /// remain.
        retired_versions: Vec<String> = Vec::new();
    }
}
