//! `lombard logs`: lists the requests of TPPs that the running server recorded, and why it refused them.

use super::error::CommandError;
use super::installation::InstallationArguments;
use super::tpps::segment;
use crate::ops_client::{self, OpsClient};
use crate::output::try_print_line;
use crate::server::Endpoints;
use clap::Args;
use jiff::Timestamp;
use lombard_edge::request_log::{MessageView, RequestPage, RequestView, StatusFilter};
use lombard_ops::TppView;

/// The number of requests that are listed at first.
const PAGE: usize = 50;
/// The number of seconds for which the server waits for a further request under `--follow`.
const WAIT_SECS: u64 = 25;

#[derive(Debug, Args)]
pub(super) struct LogsCommand {
    /// Print further requests as they come, until the server stops.
    #[arg(long)]
    follow: bool,
    /// Only the requests of this TPP: its folder's name, client id, software id or name.
    #[arg(long, value_name = "NAME")]
    tpp: Option<String>,
    /// Only the requests with this `x-fapi-interaction-id`, or the one whose error has this `Id`, with their headers and bodies.
    #[arg(long, value_name = "ID")]
    id: Option<String>,
    /// Only the requests with this status, such as 401, or of this class, such as 4xx.
    #[arg(long, value_name = "STATUS", value_parser = status)]
    status: Option<String>,
    /// Why the requests of customers are read, for the audit log. Production needs it.
    #[arg(long, value_name = "TEXT")]
    reason: Option<String>,
    /// Print each request as one line of JSON, with its headers and bodies.
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    installation: InstallationArguments,
}

pub(super) async fn run(command: LogsCommand) -> Result<(), CommandError> {
    let config = command.installation.load()?;
    let running = Endpoints::of_running(&config.data_dir).await;
    let endpoints = running.ok_or_else(|| CommandError::NoServer(config.data_dir.clone()))?;
    let ops = OpsClient::of_installation(&config, &endpoints.ops)?;
    let path = path(config.is_sandbox(), command.reason.as_deref());
    let filter = filter(&ops, &command).await?;
    let mut page = fetch(&ops, &format!("{path}limit={PAGE}{filter}")).await?;
    if command.id.is_some() && page.requests.is_empty() && !command.follow {
        return Err(CommandError::NoRecordedRequest);
    }
    loop {
        for request in page.requests.iter().rev() {
            if try_print_line(&shown(request, &command)?).is_err() {
                // Standard output was closed by its reader.
                return Ok(());
            }
        }
        if !command.follow {
            return Ok(());
        }
        let further = format!("{path}limit={PAGE}&after={}&wait_secs={WAIT_SECS}{filter}", page.next);
        page = fetch(&ops, &further).await?;
    }
}

/// The path of the request log, with the beginning of its query. The customers of a sandbox are made up, so its testers need no reason.
fn path(is_sandbox: bool, reason: Option<&str>) -> String {
    match (is_sandbox, reason) {
        (true, None) => "/sandbox/requests?".to_owned(),
        (_, Some(reason)) => format!("/operations/requests?reason={}&", segment(reason)),
        (false, None) => "/operations/requests?".to_owned(),
    }
}

/// Builds the query parameters for the command's conditions.
async fn filter(ops: &OpsClient, command: &LogsCommand) -> Result<String, CommandError> {
    let mut filter = String::new();
    if let Some(name) = &command.tpp {
        let path = format!("/operations/tpps/{}", segment(name));
        let tpp: TppView = serde_json::from_value(ops_client::fetch_from_ops(ops, &path).await?)?;
        filter.push_str(&format!("&client_id={}", segment(tpp.client_id.as_str())));
    }
    if let Some(id) = &command.id {
        filter.push_str(&format!("&interaction_id={}", segment(id)));
    }
    if let Some(status) = &command.status {
        filter.push_str(&format!("&status={status}"));
    }
    Ok(filter)
}

/// Parses a filter of statuses and returns it in the server's form.
fn status(text: &str) -> Result<String, String> {
    let filter = StatusFilter::parse(text).map(|_| text.to_owned());
    filter.ok_or_else(|| "a number such as 401, or a class such as 4xx".to_owned())
}

async fn fetch(ops: &OpsClient, path: &str) -> Result<RequestPage, CommandError> {
    Ok(serde_json::from_str(&ops_client::fetch_page(ops, path).await?)?)
}

/// Formats a request as the command's options require.
fn shown(request: &RequestView, command: &LogsCommand) -> Result<String, CommandError> {
    if command.json {
        return Ok(without_controls(&serde_json::to_string(request)?));
    }
    let line = line(request);
    if command.id.is_none() {
        return Ok(line);
    }
    Ok(format!("{line}\n{}\n{}", message("request", &request.request)?, message("response", &request.response)?))
}

/// Formats a request as one line: time, method, path, status, duration, client, interaction id, the check that refused the request, and the
/// fault that a tester had planned for it. Control characters from callers are replaced.
fn line(request: &RequestView) -> String {
    let RequestView { at, method, path, status, duration_ms, client_id, interaction_id, .. } = request;
    let RequestView { by_certificate, refused_by, reason, fault, .. } = request;
    // The fraction is always written, so that the column has a constant width.
    let at = at.parse::<Timestamp>().map_or_else(|_| at.clone(), |at| format!("{at:.6}"));
    let by = if *by_certificate { " (by its certificate)" } else { "" };
    let client = client_id.as_deref().unwrap_or("-");
    let fault = fault.as_ref().map(|fault| format!("  fault: {fault}")).unwrap_or_default();
    let refusal = match (refused_by, reason) {
        (Some(rule), Some(reason)) => format!("  {rule}  {reason}"),
        (Some(rule), None) => format!("  {rule}"),
        (None, _) => String::new(),
    };
    let line = format!(
        "{at}  {method:<6} {path}  {status}  {duration_ms:.1} ms  {client}{by}  {interaction_id}{refusal}{fault}"
    );
    without_controls(&line)
}

/// Replaces control characters in a text, so that a terminal does not interpret text from a TPP.
pub(super) fn without_controls(text: &str) -> String {
    text.chars().map(|character| if character.is_control() { '\u{fffd}' } else { character }).collect()
}

/// Formats the headers and the body of a message, indented.
fn message(name: &str, message: &MessageView) -> Result<String, CommandError> {
    let MessageView { headers, body, truncated } = message;
    let mut lines = vec![format!("  {name}")];
    lines.extend(headers.iter().map(|(name, value)| without_controls(&format!("    {name}: {value}"))));
    if !body.is_null() {
        lines.extend(serde_json::to_string_pretty(body)?.lines().map(|line| format!("    {}", without_controls(line))));
    }
    if *truncated {
        lines.push("    (only the beginning of the body is shown)".to_owned());
    }
    Ok(lines.join("\n"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn requests_are_read_with_a_reason_or_as_a_tester() {
        assert_eq!(path(true, None), "/sandbox/requests?");
        assert_eq!(path(true, Some("case 7")), "/operations/requests?reason=case%207&");
        assert_eq!(path(false, Some("a&b")), "/operations/requests?reason=a%26b&");
        assert_eq!(path(false, None), "/operations/requests?");
    }

    #[test]
    fn a_request_is_one_line_without_control_characters() {
        let mut request: RequestView = serde_json::from_value(json!({
            "at": "2026-01-02T03:04:05.12Z", "method": "GET", "path": "/open-banking/v3.1/aisp/accounts", "status": 401,
            "interaction_id": "i", "client_id": null, "duration_ms": 1.234, "refused_by": "AS-111",
            "reason": "The access token is bound to another client certificate.",
            "request": {"headers": {"accept": "a\u{1b}b"}, "body": null},
            "response": {"headers": {}, "body": {"a": 1}, "truncated": true},
        }))
        .unwrap();
        let expected = "2026-01-02T03:04:05.120000Z  GET    /open-banking/v3.1/aisp/accounts  401  1.2 ms  -  i  AS-111  The access \
                        token is bound to another client certificate.";
        assert_eq!(line(&request), expected);
        request.path = "/a\u{1b}b".to_owned();
        request.client_id = Some("c".to_owned());
        (request.by_certificate, request.fault) = (true, Some("delay_ms=5".to_owned()));
        (request.refused_by, request.reason) = (None, None);
        assert_eq!(
            line(&request),
            "2026-01-02T03:04:05.120000Z  GET    /a\u{fffd}b  401  1.2 ms  c (by its certificate)  i  fault: delay_ms=5"
        );
        assert_eq!(message("request", &request.request).unwrap(), "  request\n    accept: a\u{fffd}b");
        let response = message("response", &request.response).unwrap();
        assert!(response.starts_with("  response\n    {\n") && response.ends_with("is shown)"), "{response}");
    }
}
