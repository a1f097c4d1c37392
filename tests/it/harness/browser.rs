//! A minimal browser: it keeps cookies, parses and submits forms, and does not follow redirects by itself.

use lombard_tpp::{HttpCall, HttpExchange, Protocol, Tpp};
use std::collections::BTreeMap;
use url::Url;

/// A browser with its cookies.
#[derive(Debug, Clone)]
pub(crate) struct Browser {
    /// Any TPP's connections, without a client certificate.
    wire: Tpp,
    cookies: BTreeMap<String, String>,
    /// Where a proxy says that it is.
    forwarded_for: Option<String>,
}

/// A page with what can be filled in.
#[derive(Debug)]
pub(crate) struct Page {
    /// The answer it came in.
    pub(crate) exchange: HttpExchange,
    /// Its forms.
    pub(crate) forms: Vec<Form>,
}

/// A form: where it goes and what it sends.
#[derive(Debug, Clone)]
pub(crate) struct Form {
    /// Where it goes.
    pub(crate) action: Url,
    /// Inputs in their order: name, value, kind (`checkbox`, `hidden`, `text`, `submit`…), whether it is checked.
    pub(crate) inputs: Vec<Input>,
}

/// An input of a form.
#[derive(Debug, Clone)]
pub(crate) struct Input {
    pub(crate) name: String,
    pub(crate) value: String,
    pub(crate) kind: String,
    pub(crate) checked: bool,
}

impl Browser {
    /// A browser that trusts what this TPP trusts.
    pub(crate) fn new(tpp: &Tpp) -> Self {
        let wire = tpp.with_certificate(None, Protocol::Any).unwrap();
        Self { wire, cookies: BTreeMap::new(), forwarded_for: None }
    }

    /// The same browser at this address, as a proxy between it and the bank says.
    pub(crate) fn behind_proxy(self, address: &str) -> Self {
        Self { forwarded_for: Some(address.to_owned()), ..self }
    }

    /// Opens an address, following redirects within the bank. A redirect elsewhere is given back as it is.
    pub(crate) async fn open(&mut self, url: &str) -> Page {
        let exchange = self.send(HttpCall::get(url)).await;
        self.follow(exchange).await
    }

    /// Submits a form with these fields set; hidden inputs and checked boxes go with it, buttons only if set.
    pub(crate) async fn submit(&mut self, form: &Form, set: &[(&str, &str)]) -> Page {
        let exchange = self.post(form, set).await;
        self.follow(exchange).await
    }

    /// Submits a form and stays at the answer.
    pub(crate) async fn post(&mut self, form: &Form, set: &[(&str, &str)]) -> HttpExchange {
        self.send(HttpCall::post(form.action.as_str()).with_form(form.fields(set))).await
    }

    /// Sends a call with the cookies kept, keeping those that come back.
    pub(crate) async fn send(&mut self, call: HttpCall) -> HttpExchange {
        let jar: Vec<_> = self.cookies.iter().map(|(name, value)| format!("{name}={value}")).collect();
        let call = if jar.is_empty() { call } else { call.with_header("cookie", jar.join("; ")) };
        let call = match &self.forwarded_for {
            Some(address) => call.with_header("x-forwarded-for", address),
            None => call,
        };
        let exchange = self.wire.send(call).await.unwrap();
        for cookie in exchange.headers.get_all("set-cookie") {
            let (name, value) = cookie.to_str().unwrap().split(';').next().unwrap().split_once('=').unwrap();
            self.cookies.insert(name.to_owned(), value.to_owned());
        }
        exchange
    }

    /// The value of a cookie it keeps.
    pub(crate) fn cookie(&self, name: &str) -> Option<String> {
        self.cookies.get(name).cloned()
    }

    /// Keeps a cookie from elsewhere.
    pub(crate) fn keep(&mut self, name: &str, value: &str) {
        self.cookies.insert(name.to_owned(), value.to_owned());
    }

    async fn follow(&mut self, mut exchange: HttpExchange) -> Page {
        for _ in 0..5 {
            let Some(location) = exchange.header("location") else { break };
            let target = exchange.url.join(location).unwrap();
            if target.origin() != exchange.url.origin() || target.path().ends_with("/callback") {
                break;
            }
            exchange = self.send(HttpCall::get(target.as_str())).await;
        }
        let forms = forms(&exchange);
        Page { exchange, forms }
    }
}

impl Page {
    /// The form with an input of this name.
    pub(crate) fn form_with(&self, name: &str) -> &Form {
        let found = self.forms.iter().find(|form| form.inputs.iter().any(|input| input.name == name));
        found.unwrap_or_else(|| panic!("no form with {name} on {}: {}", self.exchange.url, self.exchange.text()))
    }
}

impl Form {
    fn fields(&self, set: &[(&str, &str)]) -> Vec<(String, String)> {
        let is_set = |name: &str| set.iter().any(|(it, _)| *it == name);
        let kept = self.inputs.iter().filter(|input| {
            !input.name.is_empty()
                && !is_set(&input.name)
                && match input.kind.as_str() {
                    "submit" | "button" | "radio" => input.checked,
                    "checkbox" => input.checked,
                    _ => true,
                }
        });
        let mut fields: Vec<_> = kept.map(|input| (input.name.clone(), input.value.clone())).collect();
        fields.extend(set.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())));
        fields
    }

    /// The values an input of this name may have.
    pub(crate) fn values(&self, name: &str) -> Vec<String> {
        self.inputs.iter().filter(|input| input.name == name).map(|input| input.value.clone()).collect()
    }
}

/// The forms of a page. Reads what our own templates write, not the HTML of the world.
fn forms(exchange: &HttpExchange) -> Vec<Form> {
    let html = exchange.text();
    let mut forms = Vec::new();
    for piece in html.split("<form").skip(1) {
        let (head, rest) = piece.split_once('>').unwrap();
        let body = rest.split("</form>").next().unwrap();
        let action = attribute(head, "action").unwrap_or_default();
        let mut inputs = Vec::new();
        for tag in body.split('<').filter(|tag| tag.starts_with("input") || tag.starts_with("button")) {
            let tag = tag.split('>').next().unwrap();
            let default = if tag.starts_with("button") { "submit" } else { "text" };
            inputs.push(Input {
                name: attribute(tag, "name").unwrap_or_default(),
                value: attribute(tag, "value").unwrap_or_else(|| "on".to_owned()),
                kind: attribute(tag, "type").unwrap_or_else(|| default.to_owned()),
                checked: tag.split_ascii_whitespace().any(|word| word.trim_end_matches('/') == "checked"),
            });
        }
        inputs.iter_mut().filter(|it| it.kind == "text" && it.value == "on").for_each(|it| it.value.clear());
        forms.push(Form { action: exchange.url.join(&action).unwrap(), inputs });
    }
    forms
}

fn attribute(tag: &str, name: &str) -> Option<String> {
    let start = tag.find(&format!(" {name}=\"")).or_else(|| tag.find(&format!("\n{name}=\"")))?;
    let value = tag[start..].split('"').nth(1)?;
    let unescaped = [("&#38;", "&"), ("&#34;", "\""), ("&#39;", "'"), ("&#60;", "<"), ("&#62;", ">"), ("&quot;", "\"")];
    let text = unescaped.iter().fold(value.to_owned(), |text, (from, to)| text.replace(from, to));
    Some(text.replace("&amp;", "&"))
}

/// A person who follows the bank's pages.
impl Browser {
    /// Opens an authorisation address and logs in with name, password and one-time code; ends at the decision.
    pub(crate) async fn log_in(&mut self, url: &str, person: &str) -> Page {
        let login = self.open(url).await;
        let second = self.submit(login.form_with("password"), &[("name", person), ("password", person)]).await;
        let code = second.shown_code();
        self.submit(second.form_with("code"), &[("code", &code)]).await
    }

    /// Agrees to share all accounts offered; gives the redirect to the TPP.
    pub(crate) async fn agree(&mut self, decision: &Page) -> HttpExchange {
        let form = decision.form_with("decision");
        let accounts = form.values("account");
        let mut set: Vec<_> = accounts.iter().map(|account| ("account", account.as_str())).collect();
        set.push(("decision", "approve"));
        self.submit(form, &set).await.exchange
    }
}

impl Page {
    /// The one-time code that the sandbox shows.
    pub(crate) fn shown_code(&self) -> String {
        let html = self.exchange.text();
        let shown = html.split("<strong><code>").nth(1).and_then(|rest| rest.split("</code>").next());
        shown.unwrap_or_else(|| panic!("no code is shown: {html}")).to_owned()
    }
}
