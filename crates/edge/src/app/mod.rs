//! The one state of all handlers: concrete, and cheap to clone.

mod admission;
pub mod app_links;
pub mod payment_warnings;

pub use app_links::{AndroidApp, AppLinks, IosApp};
pub use payment_warnings::{PaymentWarning, WarnedPayment};

use crate::endpoint_facts::RateGroup;
use crate::kept_responses::KeptResponses;
use crate::limits::{ClientPermitLimits, DownloadPermits, PatchPermits, RateLimit, RateLimiter, UploadPermits};
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
use std::collections::{HashMap, HashSet};
use std::ops::Deref;
use std::sync::Arc;

/// How many refusals that no rate counts are signed for each client. Further ones have no body (RW-131).
pub const SIGNED_REFUSALS: RateLimit = RateLimit { per_second: 10, burst: 500 };

/// The settings of the edge. Sizes are bytes, times seconds.
#[derive(Debug, Clone)]
pub struct HttpSettings {
    /// The base URL of the public listener, without a trailing slash. Links to pages start with it.
    pub public_url: String,
    /// The base URL of the listener that asks for client certificates, without a trailing slash. API links start with it.
    pub mtls_url: String,
    /// The base URL of the ops listener, without a trailing slash. Only the guides of a sandbox name it.
    pub ops_url: String,
    /// Sandbox mode: helpful pages and controls that production does not have.
    pub sandbox: bool,
    /// Records on a page unless configured otherwise. Source: RW-271.
    pub page_size: usize,
    /// Most bytes of a JSON body.
    pub body_bytes_max: usize,
    /// Most bytes of a file of payments. Source: FILE-018.
    pub file_bytes_max: u64,
    /// Most bytes of a poll for events. Source: EVT-029.
    pub poll_bytes_max: usize,
    /// Deepest nesting of a JSON body.
    pub json_depth_max: usize,
    /// Endpoints of the catalogue that are switched off, by their name. Source: AIS-001.
    pub switched_off: HashSet<String>,
    /// Versions that are no longer served; their paths answer 503. Source: RW-010.
    pub retired_versions: HashSet<Version>,
    /// Days after a PSU's last authentication on which account data is refused until the PSU authenticates again; `None` for
    /// never. Source: RW-108.
    pub reauthentication_days: Option<i64>,
    /// What consents may ask for: what the endpoints that are on open
    /// (`lombard_api::catalogue::offered_permissions`). Source: AIS-033.
    pub offered: Permissions,
    /// The bank's name in own error codes, `UK.<name>.…`. Source: RW-125.
    pub error_namespace: String,
    /// How often a TPP may call, by group of endpoints; groups that are not named are free. Source: RW-112.
    pub rates: HashMap<RateGroup, RateLimit>,
    /// How many files of payments may be on their way to a node.
    pub uploads: ClientPermitLimits,
    /// How many answers that are read from storage while they are sent may be on their way from a node.
    pub downloads: ClientPermitLimits,
    /// Most requests of a client at a time that are being answered or whose answers have not been read, as its listener counts.
    pub client_requests_max: usize,
    /// Most connections of a client at a time, as its listener counts.
    pub client_connections_max: usize,
    /// How messages are signed.
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
    /// The keys of a core that pushes status updates; without them, none are taken.
    pub push_keys: Option<KeySet>,
}

/// How messages are signed, here and by TPPs.
#[derive(Debug, Clone)]
pub struct SigningSettings {
    /// The bank's organisation id, which its signatures name. Source: RW-223.
    pub organisation: String,
    /// The domain of the trust anchor that publishes the keys of the bank and of TPPs. Source: T5.
    pub trust_anchor: String,
    /// How old the signature of a request may be, in seconds; without it, any age. Source: RW-219.
    pub age_secs_max: Option<i64>,
}

/// The application. Every request clones it, so that is one count and not one for each part.
#[derive(Debug, Clone)]
pub struct App(Arc<AppParts>);

/// What the application is made of.
#[derive(Debug)]
pub struct AppParts {
    /// Storage, bank, clocks, ids.
    pub context: Context,
    /// The authorisation server.
    pub auth: AuthorisationServer,
    /// The event polling service.
    pub event_polling: EventPolling,
    /// How the edge behaves.
    pub settings: Arc<HttpSettings>,
    /// Keeps clients within their rates.
    pub throttle: RateLimiter,
    /// Bounds the signed refusals of each client, as failures.
    pub(crate) signed_refusals: RateLimiter,
    /// Places for files on their way.
    pub upload_permits: UploadPermits,
    /// Places for answers that are read from storage while they are sent.
    pub download_permits: DownloadPermits,
    /// Places for patches of consents that are computed.
    pub patch_permits: PatchPermits,
    /// The cache of rendered pages of lists.
    pub rendered_pages: RenderedPages,
    /// The responses that are the same for everybody.
    pub kept_responses: KeptResponses,
    /// The cache of applications' logos.
    pub logos: Logos,
}

impl App {
    /// The application made of these.
    pub fn new(
        context: Context,
        auth: AuthorisationServer,
        polling: EventPolling,
        settings: Arc<HttpSettings>,
    ) -> Self {
        let throttle = RateLimiter::new(settings.rates.clone());
        let upload_permits = UploadPermits::new(settings.uploads);
        let download_permits = DownloadPermits::new(settings.downloads);
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
            patch_permits: PatchPermits::default(),
            rendered_pages: RenderedPages::default(),
            kept_responses: KeptResponses::default(),
            logos,
        }))
    }
}

impl Deref for App {
    type Target = AppParts;

    fn deref(&self) -> &AppParts {
        &self.0
    }
}
