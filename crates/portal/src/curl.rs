//! Formats a recorded request as a curl command for the server's data folder. Masked values become shell variables, so the command contains
//! no secret, and its user supplies the values.

use lombard_edge::request_log::{MessageView, RequestView};
use serde_json::Value;

/// The mark of a masked value in a record.
const MASKED: &str = "[masked]";

/// Headers that curl sets itself, or that belong to a single connection.
const OWN_HEADERS: [&str; 11] = [
    "accept-encoding",
    "connection",
    "content-length",
    "expect",
    "host",
    "te",
    "traceparent",
    "tracestate",
    "transfer-encoding",
    "user-agent",
    "x-forwarded-for",
];

/// A curl command.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct CurlCommand {
    /// The text of the command, on several lines.
    pub(super) text: String,
    /// The variables in the command, each once.
    pub(super) variables: Vec<String>,
}

/// Builds the command for a request to this base URL, with the files of a TPP's folder.
pub(super) fn curl_command(request: &RequestView, base_url: &str, folder: &str) -> CurlCommand {
    let mut writer = CommandWriter::default();
    writer.line(&format!("curl --include --cacert ca.pem --cert {folder}/transport.pem --key {folder}/transport.key"));
    let is_usual = if has_body(&request.request) { "POST" } else { "GET" } == request.method;
    if !is_usual {
        writer.line(&format!("--request {}", quoted(&request.method)));
    }
    writer.address(base_url, &request.path);
    for (name, value) in &request.request.headers {
        let is_told = !OWN_HEADERS.contains(&name.as_str()) && value.as_str() != MASKED;
        if is_told || ["authorization", "x-jws-signature"].contains(&name.as_str()) {
            writer.header(name, value);
        }
    }
    writer.body(&request.request);
    CurlCommand { text: writer.lines.join(" \\\n  "), variables: writer.variables }
}

fn has_body(message: &MessageView) -> bool {
    !message.body.is_null()
}

#[derive(Debug, Default)]
struct CommandWriter {
    lines: Vec<String>,
    variables: Vec<String>,
}

impl CommandWriter {
    fn line(&mut self, text: &str) {
        self.lines.push(text.to_owned());
    }

    /// Adds a shell variable, which the user of the command must set.
    fn variable(&mut self, name: &str) -> String {
        let upper = |letter: char| if letter.is_ascii_alphanumeric() { letter.to_ascii_uppercase() } else { '_' };
        let name: String = name.chars().map(upper).collect();
        let name = if name.starts_with(|first: char| first.is_ascii_alphabetic()) { name } else { format!("V_{name}") };
        if !self.variables.contains(&name) {
            self.variables.push(name.clone());
        }
        format!("${name}")
    }

    /// Writes the URL. A masked query value becomes a variable with the parameter's name.
    fn address(&mut self, base_url: &str, target: &str) {
        let Some((path, query)) = target.split_once('?') else {
            return self.line(&quoted(&format!("{base_url}{target}")));
        };
        if !query.contains(MASKED) {
            return self.line(&quoted(&format!("{base_url}{target}")));
        }
        self.line("--get");
        self.line(&quoted(&format!("{base_url}{path}")));
        for pair in query.split('&') {
            let (name, value) = pair.split_once('=').unwrap_or((pair, ""));
            self.parameter("--data", name, value);
        }
    }

    fn parameter(&mut self, option: &str, name: &str, value: &str) {
        if value == MASKED {
            let variable = self.variable(name);
            let text = format!("{option} {}\"{variable}\"", quoted(&format!("{name}=")));
            self.line(&text);
        } else {
            self.line(&format!("{option} {}", quoted(&format!("{name}={value}"))));
        }
    }

    fn header(&mut self, name: &str, value: &str) {
        let text = match (name, value.strip_suffix(MASKED)) {
            ("authorization", Some(_)) => {
                let variable = self.variable("TOKEN");
                format!("--header \"Authorization: Bearer {variable}\"")
            }
            ("x-jws-signature", _) => {
                let variable = self.variable("SIGNATURE");
                format!("--header \"x-jws-signature: {variable}\"")
            }
            _ => format!("--header {}", quoted(&format!("{name}: {value}"))),
        };
        self.line(&text);
    }

    fn body(&mut self, message: &MessageView) {
        let is_form =
            message.headers.get("content-type").is_some_and(|it| it.starts_with("application/x-www-form-urlencoded"));
        match &message.body {
            Value::Null => {}
            Value::Object(parameters) if is_form => {
                for (name, value) in parameters {
                    let text = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
                    self.parameter("--data-urlencode", name, &text);
                }
            }
            // The body was not recorded, so the command reads it from a file of its user.
            Value::String(masked) if masked == MASKED => self.line("--data-binary @body"),
            body => {
                let text = serde_json::to_string_pretty(body).unwrap_or_default();
                self.line(&format!("--data {}", quoted(&text)));
            }
        }
    }
}

/// Puts a text in single quotes, so that a shell takes it literally.
fn quoted(text: &str) -> String {
    let plain = |letter: char| if letter.is_control() && letter != '\n' { '\u{fffd}' } else { letter };
    let text: String = text.chars().map(plain).collect();
    format!("'{}'", text.replace('\'', r"'\''"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn command(method: &str, path: &str, headers: Value, body: Value) -> CurlCommand {
        let request: RequestView = serde_json::from_value(json!({
            "at": "2026-01-02T03:04:05Z", "method": method, "path": path, "status": 401, "interaction_id": "i",
            "client_id": null, "duration_ms": 1.0, "request": {"headers": headers, "body": body},
            "response": {"headers": {}, "body": null},
        }))
        .unwrap();
        curl_command(&request, "https://bank.example", "tpps/acme")
    }

    const BEGIN: &str =
        "curl --include --cacert ca.pem --cert tpps/acme/transport.pem --key tpps/acme/transport.key \\\n  ";

    #[test]
    fn a_read_has_its_headers_and_a_variable_for_its_token() {
        let headers = json!({
            "authorization": "Bearer [masked]", "accept": "application/json", "host": "h", "cookie": "[masked]",
            "x-fapi-interaction-id": "it's",
        });
        let read = command("GET", "/open-banking/v3.1/aisp/accounts", headers, Value::Null);
        let expected = format!(
            "{BEGIN}'https://bank.example/open-banking/v3.1/aisp/accounts' \\\n  --header 'accept: application/json' \\\n  \
             --header \"Authorization: Bearer $TOKEN\" \\\n  --header 'x-fapi-interaction-id: it'\\''s'"
        );
        assert_eq!((read.text.as_str(), read.variables), (expected.as_str(), vec!["TOKEN".to_owned()]));
    }

    #[test]
    fn what_is_masked_in_forms_and_queries_is_a_variable_of_its_name() {
        let form = json!({"content-type": "application/x-www-form-urlencoded"});
        let body = json!({"grant_type": "client_credentials", "client_assertion": "[masked]"});
        let token = command("POST", "/token", form, body);
        assert!(token.text.contains("--data-urlencode 'client_assertion='\"$CLIENT_ASSERTION\""), "{}", token.text);
        assert!(token.text.contains("--data-urlencode 'grant_type=client_credentials'"), "{}", token.text);
        let search = command("GET", "/x?a=1&b=[masked]", json!({}), Value::Null);
        let expected =
            format!("{BEGIN}--get \\\n  'https://bank.example/x' \\\n  --data 'a=1' \\\n  --data 'b='\"$B\"");
        assert_eq!((search.text.as_str(), search.variables), (expected.as_str(), vec!["B".to_owned()]));
    }

    #[test]
    fn a_payment_has_its_body_and_a_variable_for_its_signature() {
        let headers = json!({"content-type": "application/json", "x-jws-signature": "eyJ..abc[masked]"});
        let payment = command("POST", "/p", headers, json!({"Data": {"Name": "[masked]"}}));
        assert!(
            payment.text.ends_with("--data '{\n  \"Data\": {\n    \"Name\": \"[masked]\"\n  }\n}'"),
            "{}",
            payment.text
        );
        assert!(payment.text.contains("--header \"x-jws-signature: $SIGNATURE\""));
        let deleted = command("DELETE", "/p", json!({}), Value::Null);
        assert!(deleted.text.contains("--request 'DELETE'"));
        let hidden = command("POST", "/p", json!({}), json!("[masked]"));
        assert!(hidden.text.ends_with("--data-binary @body"));
        let hostile = command("GET", "/p", json!({"accept": "a'; rm -rf ~ #\u{1b}"}), Value::Null);
        assert!(hostile.text.ends_with("'accept: a'\\''; rm -rf ~ #\u{fffd}'"), "{}", hostile.text);
    }
}
