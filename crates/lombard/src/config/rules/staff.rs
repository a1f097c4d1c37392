//! Checks how the bank's staff log in, and that nobody reaches the ops listener in the clear from another machine.

use super::provider::{self, ProviderSettings};
use crate::config::problem::Problem;
use crate::config::settings::Config;
use crate::config::value::{Mode, StaffKind};

/// The settings of each way to log in must be complete where it is configured, and absent elsewhere.
pub(super) fn check(config: &Config, problems: &mut Vec<Problem>) {
    let ops = &config.ops;
    if ops.certificate_file.is_some() != ops.key_file.is_some() {
        let missing = if ops.key_file.is_none() { "ops.key_file" } else { "ops.certificate_file" };
        problems.push(Problem::new(missing, "is missing; certificate and key come together"));
    }
    let kind = config.staff_kind();
    if kind != Some(StaffKind::Mtls) {
        for (setting, is_given) in [
            ("ops.staff_ca_file", ops.staff_ca_file.is_some()),
            ("ops.staff_crl_files", !ops.staff_crl_files.is_empty()),
        ] {
            if is_given {
                problems.push(Problem::new(setting, "is for ops.staff = \"mtls\" alone; remove it, or set ops.staff"));
            }
        }
    }
    if kind != Some(StaffKind::Oidc) {
        for (setting, is_given) in [
            ("ops.issuer", ops.issuer.is_some()),
            ("ops.client_id", ops.client_id.is_some()),
            ("ops.client_secret_file", ops.client_secret_file.is_some()),
            ("ops.anchors_file", ops.anchors_file.is_some()),
            ("ops.audience", ops.audience.is_some()),
            ("ops.public_url", ops.public_url.is_some()),
        ] {
            if is_given {
                problems.push(Problem::new(setting, "is for ops.staff = \"oidc\" alone; remove it, or set ops.staff"));
            }
        }
    }
    match kind {
        None => {
            let message = "is required in production: `mtls`, with a staff authority, or `oidc`, at the bank's OpenID provider. \
                           Without it nobody could be named for what is done on the ops listener";
            problems.push(Problem::new("ops.staff", message));
        }
        Some(StaffKind::Password) => password(config, problems),
        Some(StaffKind::Mtls) => mtls(config, problems),
        Some(StaffKind::Oidc) => oidc(config, problems),
    }
}

fn password(config: &Config, problems: &mut Vec<Problem>) {
    if config.mode == Mode::Production {
        let message = "must be `mtls` or `oidc` in production: the password is one for everybody, in a file";
        problems.push(Problem::new("ops.staff", message));
    }
}

fn mtls(config: &Config, problems: &mut Vec<Problem>) {
    let (ops, tls) = (&config.ops, &config.tls);
    if ops.staff_ca_file.is_none() {
        let message = "is required with ops.staff = \"mtls\": without it no certificate names a staff member";
        problems.push(Problem::new("ops.staff_ca_file", message));
    }
    let has_own =
        ops.certificate_file.is_some() || tls.rsa_certificate_file.is_some() || tls.ec_certificate_file.is_some();
    if config.mode == Mode::Production && !has_own {
        let message = "is required with ops.staff = \"mtls\": the listener has no certificate of [tls] to show";
        problems.push(Problem::new("ops.certificate_file", message));
    }
}

fn oidc(config: &Config, problems: &mut Vec<Problem>) {
    let ops = &config.ops;
    let provider = ProviderSettings {
        section: "ops",
        switch: "ops.staff = \"oidc\"",
        issuer: ops.issuer.as_deref(),
        client_id: ops.client_id.as_deref(),
        credential: ("client_secret_file", ops.client_secret_file.is_some(), "codes are exchanged with it"),
        has_anchors: ops.anchors_file.is_some(),
        scopes: &ops.scopes,
    };
    provider::check(&provider, config.is_sandbox(), problems);
    let mut problem = |setting: &str, message: &str| problems.push(Problem::new(setting, message));
    for (setting, claim) in [("ops.role_claim", &ops.role_claim), ("ops.name_claim", &ops.name_claim)] {
        if claim.is_empty() {
            problem(setting, "must not be empty");
        }
    }
    if config.mode == Mode::Production && !config.server.ops_bind.is_loopback() && ops.certificate_file.is_none() {
        let message = "is required where server.ops_bind is not a loopback address: sessions and tokens of staff must not cross a \
                       network in the clear. Probes and monitoring use server.health_port";
        problem("ops.certificate_file", message);
    }
    if ops.public_url.is_some() && ops.certificate_file.is_none() {
        problem("ops.certificate_file", "is required with ops.public_url, which is an https address");
    }
}
