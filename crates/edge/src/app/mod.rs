//! The state of all handlers: one concrete type that is cheap to clone.

mod admission;
pub mod app_links;
pub mod payment_warnings;

pub use app_links::{AndroidApp, AppLinks, IosApp};
pub use payment_warnings::{PaymentWarning, WarnedPayment};

use crate::endpoint_facts::RateGroup;
use crate::kept_responses::ResponseCache;
use crate::limits::{ClientPermitLimits, ClientPermits, RateLimit, RateLimiter};
use crate::logos::Logos;
use crate::rendered_pages::RenderedPages;
use lombard_auth::AuthorisationServer;
use lombard_domain::consent::Permissions;
use lombard_domain::version::Version;
use lombard_jose::KeySet;
use lombard_ports::key_source::KeySource;
use lombard_ports::logo_source::LogoSource;
use lombard_service::Context;
use lombard_service::events::EventPolling;
use lombard_service::maintenance::MaintenanceState;
use std::collections::{HashMap, HashSet};
use std::ops::Deref;
use std::sync::Arc;

/// The rate at which refusals outside all other rate limits are signed for each client. Refusals beyond it have no body (RW-131).
pub const SIGNED_REFUSALS: RateLimit = RateLimit { per_second: 10, burst: 500 };

/// The settings of the edge. Sizes are bytes, times seconds.
#[derive(Debug, Clone)]
pub struct HttpSettings {
    /// The base URL of the public listener, without a trailing slash. Links to pages start with it.
    pub public_url: String,
    /// The base URL of the listener that requests client certificates, without a trailing slash. API links start with it.
    pub mtls_url: String,
    /// The base URL of the ops listener, without a trailing slash. Only the guides of a sandbox show it.
    pub ops_url: String,
    /// Whether this is a sandbox, which has pages and controls that production does not have.
    pub sandbox: bool,
    /// The number of records on a page. Source: RW-271.
    pub page_size: usize,
    /// The most bytes of a JSON body.
    pub body_bytes_max: usize,
    /// The most bytes of a payment file. Source: FILE-018.
    pub file_bytes_max: u64,
    /// The most bytes of a poll for events. Source: EVT-029.
    pub poll_bytes_max: usize,
    /// The deepest nesting of a JSON body.
    pub json_depth_max: usize,
    /// Endpoints of the catalogue that are switched off, by their name. Source: AIS-001.
    pub switched_off: HashSet<String>,
    /// Versions that are no longer served; their paths answer 503. Source: RW-010.
    pub retired_versions: HashSet<Version>,
    /// Days after a PSU's last authentication after which account data is refused until the PSU authenticates again; `None` for no limit.
    /// Source: RW-108.
    pub reauthentication_days: Option<i64>,
    /// The permissions that consents may request: those of the endpoints that are switched on
    /// (`lombard_api::catalogue::offered_permissions`). Source: AIS-033.
    pub offered: Permissions,
    /// The bank's name in its own error codes, `UK.<name>.…`. Source: RW-125.
    pub error_namespace: String,
    /// The rate limits of a caller at this node, by group of endpoints; groups without an entry are not limited. Source: RW-112.
    pub rates: HashMap<RateGroup, RateLimit>,
    /// The rate limits of a caller at all nodes together, which are published.
    pub published_rates: HashMap<RateGroup, RateLimit>,
    /// The number of nodes among which the rates of applications are divided.
    pub nodes: u32,
    /// The most concurrent uploads of payment files to a node.
    pub uploads: ClientPermitLimits,
    /// The most concurrent responses of a node that are read from storage while they are sent.
    pub downloads: ClientPermitLimits,
    /// The most requests of a client that are in progress or whose responses are unread, as its listener enforces it.
    pub client_requests_max: usize,
    /// The most concurrent connections of a client, as its listener enforces it.
    pub client_connections_max: usize,
    /// The settings of message signatures.
    pub signing: SigningSettings,
    /// The bank's name on pages.
    pub bank_name: String,
    /// The bank's apps that open authorisation requests.
    pub app_links: AppLinks,
    /// The warnings before payments.
    pub payment_warnings: Vec<PaymentWarning>,
    /// The source of applications' logos.
    pub logos: Arc<dyn LogoSource>,
    /// The directory of a sandbox, whose key sets are served.
    pub directory: Option<Arc<dyn KeySource>>,
    /// The keys of a core that pushes status updates; `None` refuses pushed updates.
    pub push_keys: Option<KeySet>,
}

/// The settings of message signatures, of the bank and of TPPs.
#[derive(Debug, Clone)]
pub struct SigningSettings {
    /// The bank's organisation id, which its signatures name. Source: RW-223.
    pub organisation: String,
    /// The domain of the trust anchor that publishes the keys of the bank and of TPPs. Source: T5.
    pub trust_anchor: String,
    /// The greatest age of a request's signature, in seconds; `None` allows any age. Source: RW-219.
    pub age_secs_max: Option<i64>,
}

/// The application: the state of handlers. Every request clones it, so all parts share one reference count.
#[derive(Debug, Clone)]
pub struct App(Arc<AppParts>);

/// The parts of the application.
#[derive(Debug)]
pub struct AppParts {
    /// Storage, bank, clocks and ids.
    pub context: Context,
    /// The authorisation server.
    pub auth: AuthorisationServer,
    /// The event polling service.
    pub event_polling: EventPolling,
    /// The settings of the edge.
    pub settings: Arc<HttpSettings>,
    /// The rate limiter of callers.
    pub throttle: RateLimiter,
    /// The rate limiter of signed refusals, which counts them in the group of failures.
    pub(crate) signed_refusals: RateLimiter,
    /// The permits for uploads of files, each of which takes storage and time of the database writer before it is known to be valid.
    pub upload_permits: ClientPermits,
    /// The permits for responses that are read from storage while they are sent: for each of them the statuses of a file's payments are in
    /// memory until the caller has read it.
    pub download_permits: ClientPermits,
    /// The permits for the computation of patches of consents, each of which takes a thread of the pool that also runs database
    /// transactions.
    pub patch_permits: ClientPermits,
    /// The cache of rendered pages of lists.
    pub rendered_pages: RenderedPages,
    /// The cache of responses that are the same for everybody.
    pub response_cache: ResponseCache,
    /// The cache of applications' logos.
    pub logos: Logos,
    /// What this node knows of maintenance.
    pub maintenance: MaintenanceState,
}

impl App {
    /// Makes an application of its parts.
    pub fn new(
        context: Context,
        auth: AuthorisationServer,
        polling: EventPolling,
        settings: Arc<HttpSettings>,
    ) -> Self {
        let throttle = RateLimiter::new(settings.rates.clone());
        let upload_permits = ClientPermits::new(settings.uploads);
        let download_permits = ClientPermits::new(settings.downloads);
        let logos = Logos::new(Arc::clone(&settings.logos));
        Self(Arc::new(AppParts {
            context,
            auth,
            event_polling: polling,
            settings,
            throttle,
            signed_refusals: RateLimiter::new(HashMap::from([(RateGroup::Failures, SIGNED_REFUSALS)])),
            upload_permits,
            download_permits,
            patch_permits: ClientPermits::new(ClientPermitLimits::for_threads()),
            rendered_pages: RenderedPages::default(),
            response_cache: ResponseCache::default(),
            logos,
            maintenance: MaintenanceState::default(),
        }))
    }
}

impl Deref for App {
    type Target = AppParts;

    fn deref(&self) -> &AppParts {
        &self.0
    }
}
