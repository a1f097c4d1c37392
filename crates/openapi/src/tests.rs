use super::*;
use lombard_api::catalogue::{ENDPOINTS, list_operations};
use lombard_domain::version::Version;
use lombard_edge::endpoint_facts::RateGroup;
use lombard_edge::limits::RateLimit;
use std::collections::{BTreeSet, HashMap, HashSet};
use std::sync::LazyLock;

/// Rate limits for account information, and none for events.
static RATES: LazyLock<HashMap<RateGroup, RateLimit>> =
    LazyLock::new(|| HashMap::from([(RateGroup::AccountInformation, RateLimit { per_second: 5, burst: 20 })]));
static NO_VERSIONS: LazyLock<HashSet<Version>> = LazyLock::new(HashSet::new);

/// An API of the bank of this name, without these operations.
fn offer_of<'a>(bank_name: &'a str, switched_off: &'a HashSet<String>) -> PublishedApi<'a> {
    PublishedApi {
        bank_name,
        switched_off,
        retired_versions: LazyLock::force(&NO_VERSIONS),
        rates: LazyLock::force(&RATES),
        published_rates: LazyLock::force(&RATES),
        nodes: 1,
        mtls_url: "https://localhost:8444",
        public_url: "https://localhost:8443",
        registers_clients: true,
        authorization: "https://localhost:8443/authorize".into(),
        token: "https://localhost:8444/token".into(),
        discovery: "https://localhost:8443/.well-known/openid-configuration".into(),
    }
}

fn offer(switched_off: &HashSet<String>) -> PublishedApi<'_> {
    offer_of("Lombard", switched_off)
}

fn account_information(off: &[&str]) -> Value {
    let off = off.iter().map(|name| (*name).to_owned()).collect();
    catalogue_document(&offer(&off), EndpointGroup::AccountInformation)
}

/// The methods and paths of all described operations.
fn described_operations(document: &Value) -> BTreeSet<String> {
    let paths = document["paths"].as_object().unwrap().iter();
    let of_path = |(path, methods): (&String, &Value)| {
        methods
            .as_object()
            .unwrap()
            .keys()
            .map(|method| format!("{} {path}", method.to_uppercase()))
            .collect::<Vec<_>>()
    };
    paths.flat_map(of_path).collect()
}

/// Collects every reference in a document.
fn references(value: &Value, found: &mut BTreeSet<String>) {
    match value {
        Value::Object(members) => {
            if let Some(Value::String(reference)) = members.get("$ref") {
                found.insert(reference.clone());
            }
            members.values().for_each(|member| references(member, found));
        }
        Value::Array(items) => items.iter().for_each(|item| references(item, found)),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

#[test]
fn rw_252_what_is_built_is_described_and_nothing_else() {
    let built = list_operations().filter(|it| it.endpoint.group == EndpointGroup::AccountInformation);
    let built: BTreeSet<_> = built.map(|operation| format!("{operation:?}")).collect();
    assert_eq!(described_operations(&account_information(&[])), built);
}

#[test]
fn ais_001_disabled_endpoints_are_not_described_and_mandatory_ones_stay() {
    let all = described_operations(&account_information(&[]));
    let some = described_operations(&account_information(&["GetOffers", "GetAccounts"]));
    let gone: Vec<_> = all.difference(&some).collect();
    assert!(!gone.is_empty() && gone.iter().all(|operation| operation.ends_with("/aisp/offers")), "{gone:?}");
}

#[test]
fn every_reference_has_a_target_and_every_operation_a_name_of_its_own() {
    let document = account_information(&[]);
    let mut found = BTreeSet::new();
    references(&document, &mut found);
    for reference in &found {
        assert!(document.pointer(reference.trim_start_matches('#')).is_some(), "{reference}");
    }
    let operations = document["paths"].as_object().unwrap().values().flat_map(|it| it.as_object().unwrap().values());
    let names: Vec<_> = operations.map(|it| it["operationId"].as_str().unwrap()).collect();
    assert_eq!(names.iter().collect::<BTreeSet<_>>().len(), names.len());
}

#[test]
fn every_schema_is_one() {
    let document = account_information(&[]);
    for (name, schema) in document["components"]["schemas"].as_object().unwrap() {
        let members = schema["properties"].as_object().unwrap_or_else(|| panic!("{name}: {schema}"));
        assert!(!members.is_empty() && schema["type"] == "object", "{name}");
        assert!(schema.get("$defs").is_none(), "{name} refers to itself");
    }
}

#[test]
fn t6_permissions_filters_and_media_types_are_those_of_the_handlers() {
    let document = account_information(&[]);
    let get = |path: &str| document["paths"][path]["get"].clone();
    let transactions = get("/open-banking/v3.1/aisp/accounts/{AccountId}/transactions");
    assert_eq!(transactions["x-permissions"].as_array().unwrap().len(), 2);
    let names = |operation: &Value| {
        let all = operation["parameters"].as_array().unwrap().iter();
        all.filter_map(|it| Some(it.get("name")?.as_str()?.to_owned())).collect::<Vec<_>>()
    };
    assert_eq!(names(&transactions), ["AccountId", "fromBookingDateTime", "toBookingDateTime", "pg"]);
    let within = get("/open-banking/v3.1/aisp/accounts/{AccountId}/statements/{StatementId}/transactions");
    assert_eq!(names(&within), ["AccountId", "StatementId", "pg"], "AIS-147");
    let file = get("/open-banking/v3.1/aisp/accounts/{AccountId}/statements/{StatementId}/file");
    let media: Vec<_> = file["responses"]["200"]["content"].as_object().unwrap().keys().collect();
    assert_eq!(media, ["application/pdf", "text/csv"], "AIS-156");
    assert_eq!(file["x-permissions"][0][0], "ReadStatementsDetail");
}

#[test]
fn rw_112_too_many_requests_is_described_where_calls_are_limited() {
    let document = account_information(&[]);
    let accounts = &document["paths"]["/open-banking/v3.1/aisp/accounts"]["get"]["responses"];
    assert!(accounts.get("429").is_some() && accounts.get("413").is_none());
    let free = HashMap::new();
    let off = HashSet::new();
    let document = catalogue_document(&PublishedApi { rates: &free, ..offer(&off) }, EndpointGroup::AccountInformation);
    assert!(document["paths"]["/open-banking/v3.1/aisp/accounts"]["get"]["responses"].get("429").is_none());
}

#[test]
fn rw_200_rw_252_payments_are_described_with_their_keys_and_signatures() {
    let off = HashSet::new();
    let document = catalogue_document(&offer(&off), EndpointGroup::Payments);
    let built = list_operations().filter(|it| it.endpoint.group == EndpointGroup::Payments);
    let built: BTreeSet<_> = built.map(|operation| format!("{operation:?}")).collect();
    assert_eq!(described_operations(&document), built);
    let names = |operation: &Value| -> BTreeSet<String> {
        let parameters = operation["parameters"].as_array().unwrap().iter();
        parameters.filter_map(|it| it["$ref"].as_str()).map(|it| it.rsplit('/').next().unwrap().to_owned()).collect()
    };
    let place = &document["paths"]["/open-banking/v3.1/pisp/domestic-payments"]["post"];
    assert!(names(place).contains("x-idempotency-key") && names(place).contains("x-jws-signature"));
    assert!(place["responses"]["201"]["headers"].get("x-jws-signature").is_some(), "RW-223");
    assert_eq!(place["security"].as_array().unwrap().len(), 1, "PIS-003");
    let read = &document["paths"]["/open-banking/v3.1/pisp/domestic-payments/{DomesticPaymentId}"]["get"];
    assert!(!names(read).contains("x-jws-signature") && !names(read).contains("x-idempotency-key"));
    assert_eq!(read["security"].as_array().unwrap().len(), 2, "PIS-004");
    let errors = &document["components"]["responses"];
    assert!(errors["400"]["headers"].get("x-jws-signature").is_some(), "RW-135");
    assert!(errors["401"]["headers"].get("x-jws-signature").is_none(), "PIS-009");
    let mut found = BTreeSet::new();
    references(&document, &mut found);
    for reference in &found {
        assert!(document.pointer(reference.trim_start_matches('#')).is_some(), "{reference}");
    }
}

#[test]
fn no_row_that_is_described_is_without_a_contract() {
    let described = |group| DOCUMENTS.iter().any(|document| document.group() == Some(group));
    let silent = ENDPOINTS.iter().filter(|row| described(row.group) && row.is_implemented());
    for row in silent {
        let told = list_operations().filter(|it| it.endpoint.name == row.name).all(|it| it.contract().is_some());
        assert!(told, "{row:?}: its handler's answer does not say what it holds");
    }
}

/// Visits every schema within a value, with its name.
fn walk<'v>(value: &'v Value, name: &'v str, look: &mut impl FnMut(&'v str, &'v Value)) {
    look(name, value);
    match value {
        Value::Object(members) => members.iter().for_each(|(name, value)| walk(value, name, look)),
        Value::Array(values) => values.iter().for_each(|value| walk(value, name, look)),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

#[test]
fn rw_252_schemas_have_content_unique_values_and_property_descriptions() {
    let off = HashSet::new();
    for about in DOCUMENTS {
        let document = build_openapi_document(&offer(&off), about.subject);
        walk(&document, "", &mut |name, value| {
            assert!(!value.is_null(), "{}: {name} is null", about.name);
            if let Some(values) = value.get("enum").and_then(Value::as_array) {
                let each: HashSet<_> = values.iter().map(Value::to_string).collect();
                assert_eq!(each.len(), values.len(), "{}: {name} has a value twice", about.name);
            }
            if let Some(Value::Object(properties)) = value.get("properties") {
                for (property, schema) in properties {
                    let described = schema.get("description").is_some_and(Value::is_string);
                    assert!(described, "{}: {name}.{property} has no description", about.name);
                }
            }
        });
        let unused: Vec<_> = document["components"]["responses"].as_object().into_iter().flat_map(Map::keys).collect();
        let text = document["paths"].to_string();
        assert!(unused.iter().all(|status| text.contains(&format!("#/components/responses/{status}"))), "{unused:?}");
        let tags: HashSet<_> =
            document["tags"].as_array().unwrap().iter().map(|tag| tag["name"].as_str().unwrap()).collect();
        walk(&document["paths"], "", &mut |_, value| {
            let named = value.get("tags").and_then(Value::as_array).into_iter().flatten();
            assert!(named.into_iter().all(|tag| tags.contains(tag.as_str().unwrap())), "{tags:?}");
        });
    }
}

/// The lists of codes of a schema without an upper bound of twice the number of codes, and how many lists there are.
fn unbounded_lists(schema: &Value, lists: &mut usize) -> Vec<Value> {
    let codes = schema.pointer("/items/enum").and_then(Value::as_array).map(Vec::len);
    *lists += usize::from(codes.is_some());
    let is_bounded = codes.is_none_or(|codes| schema["maxItems"].as_u64() == u64::try_from(codes * 2).ok());
    let within: Vec<&Value> = match schema {
        Value::Object(members) => members.values().collect(),
        Value::Array(elements) => elements.iter().collect(),
        _ => Vec::new(),
    };
    let within = within.into_iter().flat_map(|it| unbounded_lists(it, lists)).collect::<Vec<_>>();
    (!is_bounded).then(|| schema.clone()).into_iter().chain(within).collect()
}

#[test]
fn rw_279_every_list_of_codes_in_a_request_is_bounded() {
    let mut lists = 0;
    for operation in list_operations() {
        let Some(schema) = operation.contract().and_then(|contract| contract.request_schema) else { continue };
        assert_eq!(unbounded_lists(&schema, &mut lists), Vec::<Value>::new(), "{operation:?}");
    }
    assert!(lists >= 8, "permissions, VRP types, methods and interactions of two versions: {lists}");
}

#[test]
fn rw_252_every_request_with_a_body_has_an_example_that_fits_its_schema() {
    let mut examples = 0;
    for operation in list_operations() {
        let asked = operation.contract().and_then(|contract| contract.request_schema);
        let example = example_request(&operation);
        assert_eq!(asked.is_some(), example.is_some(), "{operation:?}");
        let Some((schema, example)) = asked.zip(example) else { continue };
        let faults: Vec<_> =
            jsonschema::validator_for(&schema).unwrap().iter_errors(&example).map(|it| it.to_string()).collect();
        assert_eq!(faults, Vec::<String>::new(), "{operation:?}: {example}");
        examples += 1;
    }
    assert!(examples > 40, "{examples}");
    let document = catalogue_document(&offer(&HashSet::new()), EndpointGroup::Payments);
    let body = &document["paths"]["/open-banking/v4.0/pisp/domestic-payments"]["post"]["requestBody"];
    let example = &body["content"]["application/json"]["example"];
    assert_eq!(example["Data"]["Initiation"]["InstructedAmount"]["Currency"], "GBP");
}

#[test]
fn rw_252_all_authorisation_server_requests_have_schema_valid_examples() {
    let faults = |schema: &Value, example: &Value| -> Vec<_> {
        jsonschema::validator_for(schema).unwrap().iter_errors(example).map(|it| it.to_string()).collect()
    };
    let off = HashSet::new();
    let mut examples = 0;
    for about in DOCUMENTS.iter().filter(|about| about.group().is_none()) {
        let document = build_openapi_document(&offer(&off), about.subject);
        let mut found = BTreeSet::new();
        references(&document, &mut found);
        let unused = document["components"]["schemas"].as_object().unwrap().keys();
        let unused = unused.map(|name| format!("#/components/schemas/{name}")).filter(|name| !found.contains(name));
        assert_eq!(unused.collect::<Vec<_>>(), Vec::<String>::new(), "{}", about.name);
        assert!(found.iter().all(|it| document.pointer(it.trim_start_matches('#')).is_some()), "{found:?}");
        let operations =
            document["paths"].as_object().unwrap().values().flat_map(|it| it.as_object().unwrap().values());
        for media in operations.filter_map(|it| it["requestBody"]["content"].as_object()).flat_map(Map::values) {
            let schema = document.pointer(media["schema"]["$ref"].as_str().unwrap().trim_start_matches('#')).unwrap();
            let named = media["examples"].as_object().into_iter().flat_map(Map::values).map(|it| &it["value"]);
            for example in named.chain(media.get("example")) {
                assert_eq!(faults(schema, example), Vec::<String>::new(), "{}: {example}", about.name);
                examples += 1;
            }
            if let Some(claims) = schema.pointer("/contentSchema/prefixItems/1") {
                assert_eq!(faults(claims, &claims["examples"][0]), Vec::<String>::new(), "{claims}");
            }
        }
    }
    assert!(examples > 10, "{examples}");
}

#[test]
fn dcr_001_registration_is_described_if_enabled_with_operation_servers() {
    let off = HashSet::new();
    let subject = |part| DocumentSubject::OAuth(part);
    let document = build_openapi_document(&offer(&off), subject(OAuthPart::Registration));
    let expected =
        ["POST /register", "GET /register/{ClientId}", "PUT /register/{ClientId}", "DELETE /register/{ClientId}"];
    assert_eq!(described_operations(&document), expected.map(str::to_owned).into());
    let media: Vec<_> =
        document["paths"]["/register"]["post"]["requestBody"]["content"].as_object().unwrap().keys().collect();
    assert_eq!(media, ["application/jose", "application/jwt"], "DCR-002");
    let closed = PublishedApi { registers_clients: false, ..offer(&off) };
    let closed = build_openapi_document(&closed, subject(OAuthPart::Registration));
    assert_eq!(described_operations(&closed), BTreeSet::new());
    let document = build_openapi_document(&offer(&off), subject(OAuthPart::Authorisation));
    let server = |path: &str, method: &str| document["paths"][path][method]["servers"][0]["url"].as_str();
    assert_eq!(server("/authorize", "get"), Some("https://localhost:8443"), "TLS-003");
    assert_eq!(server("/token", "post"), None, "TLS-003");
    assert_eq!(document["servers"][0]["url"], "https://localhost:8444");
    assert_eq!(
        document["paths"]["/userinfo"]["get"]["security"],
        json!([{ "certificate": [], "customer": ["openid"] }])
    );
}
