//! The reasons why a client was not authenticated: each has one text for the log and one sentence for the client.

use crate::error::{FailedCheck, OAuthError, OAuthErrorCode};

/// Why a client was not authenticated.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum ClientAuthenticationError {
    /// The connection has no client certificate. Source: AS-028.
    NoCertificate,
    /// The request does not say which client is calling.
    NoMechanism,
    /// The request uses a client secret, in a header or in the form. Source: AS-020.
    Secret,
    /// The request authenticates in two ways at once. Source: AS-021.
    TwoMechanisms,
    /// The ids in form and assertion differ. Source: AS-021, AS-023.
    IdsDiffer,
    /// The assertion type is not the supported one. Source: AS-023.
    AssertionType,
    /// The assertion is not a signed JWT with the claims that name its client.
    AssertionMalformed,
    /// A claim of the assertion has a wrong type; holds the error description. Source: AS-081.
    WrongClaim(&'static str),
    /// The client did not prove its identity. Only the log names the missing proof. Source: AS-030.
    Unproven(MissingProof),
    /// The certificate is outside its validity period, or is not for TLS clients.
    CertificateUnusable,
    /// The assertion is not meant for this endpoint. Source: AS-024.
    Audience,
    /// The audience of the assertion is not the issuer alone. Source: AS-154.
    AudienceOfFapi2,
    /// The assertion has no `exp` or no `jti`. Source: AS-023.
    ClaimMissing,
    /// The assertion has expired. Source: AS-025.
    Expired,
    /// The `exp` of the assertion is too far in the future. Source: AS-025.
    TooLong,
    /// The assertion is not valid yet. Source: AS-025.
    NotYet,
    /// The assertion was used before. Source: AS-026.
    Replayed,
}

/// The proof of a client's identity that is missing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum MissingProof {
    /// No client is registered under the id.
    UnknownClient,
    /// The client is disabled.
    Disabled,
    /// The client registered another method. Source: AS-020.
    OtherMethod,
    /// The assertion is signed with another algorithm than PS256. Source: AS-023.
    Algorithm,
    /// No key of the client has the `kid` of the assertion. Source: AS-023.
    UnknownKey,
    /// The signature of the assertion is not valid for the client's key. Source: AS-023.
    Signature,
    /// The certificate is not the client's. Source: AS-022, AS-029.
    OtherCertificate,
    /// The directory publishes no keys of the client's software any more. Source: DCR-044.
    Withdrawn,
    /// The directory has revoked the certificate for the client's software. Source: TLS-006.
    RevokedCertificate,
}

impl MissingProof {
    const fn rule(self) -> &'static str {
        match self {
            Self::UnknownClient => "AS-030",
            Self::Disabled => "AS-113",
            Self::OtherMethod => "AS-021",
            Self::Algorithm | Self::UnknownKey | Self::Signature => "AS-023",
            Self::OtherCertificate => "AS-029",
            Self::Withdrawn => "DCR-044",
            Self::RevokedCertificate => "TLS-006",
        }
    }

    /// The text for the log; the client learns only that it is not authenticated. Source: AS-030.
    const fn detail(self) -> &'static str {
        match self {
            Self::UnknownClient => "No client is registered under the client id.",
            Self::Disabled => "The client is disabled or deleted.",
            Self::OtherMethod => "The client registered another method of authentication.",
            Self::Algorithm => "The client assertion is not signed with PS256.",
            Self::UnknownKey => "No registered key of the client has the kid of the client assertion.",
            Self::Signature => "The signature of the client assertion does not hold for the registered key.",
            Self::OtherCertificate => "The client certificate is not one of this client.",
            Self::Withdrawn => "The directory publishes no keys of the client's software any more.",
            Self::RevokedCertificate => "The directory has revoked the client certificate.",
        }
    }
}

impl ClientAuthenticationError {
    /// Counts the refusal and returns the error, which also holds the reason for the log.
    pub(super) fn noted(self) -> OAuthError {
        let reason = self.reason();
        metrics::counter!("lombard_client_authentication_refusals_total", "reason" => reason).increment(1);
        let reason_for_log = match self {
            Self::Unproven(missing) => missing.detail(),
            _ => self.description(),
        };
        let check = FailedCheck { rule: self.rule(), reason: reason_for_log };
        OAuthError::new(self.code(), self.description()).with_log_reason(reason).with_check(check)
    }

    const fn code(self) -> OAuthErrorCode {
        match self {
            Self::TwoMechanisms => OAuthErrorCode::InvalidRequest,
            _ => OAuthErrorCode::InvalidClient,
        }
    }

    const fn reason(self) -> &'static str {
        match self {
            Self::NoCertificate => "no_certificate",
            Self::NoMechanism => "no_mechanism",
            Self::Secret => "secret",
            Self::TwoMechanisms => "two_mechanisms",
            Self::IdsDiffer => "ids_differ",
            Self::AssertionType => "assertion_type",
            Self::AssertionMalformed | Self::WrongClaim(_) => "assertion_malformed",
            Self::Unproven(MissingProof::UnknownClient) => "unknown_client",
            Self::Unproven(MissingProof::Disabled) => "client_disabled",
            Self::Unproven(MissingProof::OtherMethod) => "other_method",
            Self::Unproven(MissingProof::Algorithm) => "assertion_algorithm",
            Self::Unproven(MissingProof::UnknownKey) => "assertion_key_unknown",
            Self::Unproven(MissingProof::Signature) => "assertion_signature",
            Self::Unproven(MissingProof::OtherCertificate) => "other_certificate",
            Self::Unproven(MissingProof::Withdrawn) => "software_withdrawn",
            Self::Unproven(MissingProof::RevokedCertificate) => "certificate_revoked",
            Self::CertificateUnusable => "certificate_unusable",
            Self::Audience | Self::AudienceOfFapi2 => "assertion_audience",
            Self::ClaimMissing => "assertion_claim_missing",
            Self::Expired => "assertion_expired",
            Self::TooLong => "assertion_too_long",
            Self::NotYet => "assertion_not_yet",
            Self::Replayed => "assertion_replayed",
        }
    }

    /// The rule of the check that failed.
    const fn rule(self) -> &'static str {
        match self {
            Self::NoCertificate => "AS-028",
            Self::NoMechanism | Self::Secret => "AS-020",
            Self::TwoMechanisms | Self::IdsDiffer => "AS-021",
            Self::AssertionType | Self::AssertionMalformed | Self::ClaimMissing => "AS-023",
            Self::Unproven(missing) => missing.rule(),
            Self::CertificateUnusable => "TLS-005",
            Self::Audience => "AS-024",
            Self::AudienceOfFapi2 => "AS-154",
            Self::Expired | Self::TooLong | Self::NotYet => "AS-025",
            Self::WrongClaim(_) => "AS-081",
            Self::Replayed => "AS-026",
        }
    }

    const fn description(self) -> &'static str {
        match self {
            Self::NoCertificate => "A client certificate is required.",
            Self::NoMechanism => "Send a client_assertion, or a client_id for tls_client_auth.",
            Self::Secret => "Client secrets are not supported; use private_key_jwt or tls_client_auth.",
            Self::TwoMechanisms => "Authenticate in one way only.",
            Self::IdsDiffer => "The client is not the same in all places that name it.",
            Self::AssertionType => {
                "client_assertion_type must be urn:ietf:params:oauth:client-assertion-type:jwt-bearer."
            }
            Self::AssertionMalformed => "client_assertion must be a signed JWT whose iss and sub are the client_id.",
            Self::WrongClaim(sentence) => sentence,
            Self::Unproven(_) => "The client could not be authenticated.",
            Self::CertificateUnusable => "The client certificate is not valid now, or not one for TLS clients.",
            Self::Audience => "The aud of the assertion must be the issuer or the token endpoint.",
            Self::AudienceOfFapi2 => {
                "The bank holds this client to FAPI 2.0: the aud of the assertion must be the issuer, as one string."
            }
            Self::ClaimMissing => "The assertion must have aud, exp and jti.",
            Self::Expired => "The assertion has expired.",
            Self::TooLong => "The exp of the assertion must be at most 60 minutes ahead.",
            Self::NotYet => "The assertion is not valid yet.",
            Self::Replayed => "The assertion was used before.",
        }
    }
}
