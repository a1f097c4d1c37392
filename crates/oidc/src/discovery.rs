//! The provider's metadata, and its keys. Source: OpenID Connect Discovery 1.0 section 4, RFC 8414.

use crate::error::ProviderError;
use crate::fetch::Fetcher;
use crate::meters::ProviderCall;
use crate::settings::OidcSettings;
use http::StatusCode;
use lombard_jose::{KeySet, from_json};
use serde::Deserialize;
use url::Url;

/// The members of the metadata that are used here.
#[derive(Debug, Clone, Deserialize)]
pub(crate) struct ProviderMetadata {
    issuer: String,
    pub authorization_endpoint: String,
    token_endpoint: String,
    jwks_uri: String,
    pushed_authorization_request_endpoint: Option<String>,
    backchannel_authentication_endpoint: Option<String>,
    #[serde(default)]
    mtls_endpoint_aliases: EndpointAliases,
    #[serde(default)]
    pub authorization_details_types_supported: Vec<String>,
    /// Whether an authorisation response names the issuer. Source: RFC 9207 section 3.
    #[serde(default)]
    pub authorization_response_iss_parameter_supported: bool,
}

/// The addresses for clients with a certificate. Source: RFC 8705 section 5.
#[derive(Debug, Clone, Default, Deserialize)]
struct EndpointAliases {
    token_endpoint: Option<String>,
    pushed_authorization_request_endpoint: Option<String>,
    backchannel_authentication_endpoint: Option<String>,
}

impl ProviderMetadata {
    /// The origin of the authorisation endpoint.
    pub(crate) fn authorisation_origin(&self) -> String {
        Url::parse(&self.authorization_endpoint).map(|url| url.origin().ascii_serialization()).unwrap_or_default()
    }

    /// The endpoint where codes are exchanged.
    pub(crate) fn token_endpoint(&self, with_certificate: bool) -> &str {
        let alias = self.mtls_endpoint_aliases.token_endpoint.as_ref().filter(|_| with_certificate);
        alias.unwrap_or(&self.token_endpoint)
    }

    /// The endpoint for pushed requests, if the provider has one.
    pub(crate) fn pushed_endpoint(&self, with_certificate: bool) -> Option<&str> {
        let alias = self.mtls_endpoint_aliases.pushed_authorization_request_endpoint.as_ref();
        alias.filter(|_| with_certificate).or(self.pushed_authorization_request_endpoint.as_ref()).map(String::as_str)
    }

    /// The endpoint for backchannel requests, if the provider has one.
    pub(crate) fn backchannel_endpoint(&self, with_certificate: bool) -> Option<&str> {
        let alias = self.mtls_endpoint_aliases.backchannel_authentication_endpoint.as_ref();
        alias.filter(|_| with_certificate).or(self.backchannel_authentication_endpoint.as_ref()).map(String::as_str)
    }
}

/// Fetches the metadata and checks that it names the configured issuer.
pub(crate) async fn fetch(fetcher: &Fetcher, settings: &OidcSettings) -> Result<ProviderMetadata, ProviderError> {
    fetch_of_issuer(fetcher, &settings.issuer).await
}

/// Fetches the metadata of this issuer.
pub(crate) async fn fetch_of_issuer(fetcher: &Fetcher, issuer: &str) -> Result<ProviderMetadata, ProviderError> {
    let address = format!("{}/.well-known/openid-configuration", issuer.trim_end_matches('/'));
    let fetched = fetcher.get(ProviderCall::Metadata, &address).await?;
    if fetched.status != StatusCode::OK {
        return Err(ProviderError::Unusable("its metadata are not there"));
    }
    let metadata: ProviderMetadata =
        from_json(&fetched.body).map_err(|_| ProviderError::Unusable("its metadata cannot be read"))?;
    if metadata.issuer != issuer {
        return Err(ProviderError::Unusable("its metadata name another issuer"));
    }
    let mut addresses = vec![metadata.authorization_endpoint.as_str(), &metadata.jwks_uri];
    for with_certificate in [false, true] {
        addresses.push(metadata.token_endpoint(with_certificate));
        addresses.extend(metadata.pushed_endpoint(with_certificate));
        addresses.extend(metadata.backchannel_endpoint(with_certificate));
    }
    if addresses.into_iter().all(|address| fetcher.may_call(address)) {
        Ok(metadata)
    } else {
        Err(ProviderError::Unusable("its metadata name an address that is not https"))
    }
}

/// Fetches the provider's public keys.
pub(crate) async fn fetch_keys(fetcher: &Fetcher, metadata: &ProviderMetadata) -> Result<KeySet, ProviderError> {
    let fetched = fetcher.get(ProviderCall::Keys, &metadata.jwks_uri).await?;
    if fetched.status != StatusCode::OK {
        return Err(ProviderError::Unusable("its keys are not there"));
    }
    let document = String::from_utf8(fetched.body).map_err(|_| ProviderError::Unusable("its keys cannot be read"))?;
    KeySet::parse(&document).map_err(|_| ProviderError::Unusable("its keys cannot be read"))
}
