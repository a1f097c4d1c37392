//! Generates random documents from the schemas, so that a new member is tested without a change here.

use super::member;
use crate::form::node::JsonNode;
use proptest::strategy::{Strategy, ValueTree};
use proptest::string::string_regex;
use proptest::test_runner::TestRunner;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};
use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

/// Generates documents from schemas, and records which members they contain.
pub(super) struct Sampler<'a> {
    schemas: &'a BTreeMap<String, JsonNode<'static>>,
    chance: ChaCha8Rng,
    texts: TestRunner,
    /// The members of the present document, as `Object.Member`.
    pub(super) seen: BTreeSet<String>,
}

/// Texts for schemas that allow more than the form, found by a part of the schema's pattern.
const TEXTS: [(&str, &[&str]); 7] = [
    (r"^-?\d{1,19}$", &["0", "-42", "9223372036854775807"]),
    ("^[A-Z]{3}$", &["GBP", "EUR", "JPY"]),
    (r"^\d{1,13}(", &["0", "7", "1234567890123"]),
    (r"^\d{1,15}(", &["1", "0.85", "123.000001"]),
    (r"^-?\d{1,", &["0", "-1.5", "12.25"]),
    ("SCOTTISHSTATUTORY", &["QtrDay:SCOTTISHSTATUTORY", "QtrDay:SCOTTISH", "LastWorkgDay:2", "QtrEndDay:1"]),
    ("^(NotKnown", &["NotKnown", "IntrvlMnthDay:01:28", "QtrDay:SCOTTISH", "WkInMnthDay:05:07"]),
];

impl<'a> Sampler<'a> {
    pub(super) fn new(schemas: &'a BTreeMap<String, JsonNode<'static>>, seed: u64) -> Self {
        Self {
            schemas,
            chance: ChaCha8Rng::seed_from_u64(seed),
            texts: TestRunner::deterministic(),
            seen: BTreeSet::new(),
        }
    }

    fn below(&mut self, bound: usize) -> usize {
        usize::try_from(self.chance.next_u32()).unwrap() % bound
    }

    fn pick<T: Copy>(&mut self, items: &[T]) -> T {
        items[self.below(items.len())]
    }

    /// Generates a document of this schema. Deeply nested objects get few members.
    pub(super) fn sample(&mut self, schema: &JsonNode<'static>, depth: usize) -> JsonNode<'static> {
        if let Some(JsonNode::Text(reference)) = member(schema, "$ref") {
            let name = reference.rsplit('/').next().unwrap();
            return self.object(name, depth + 1);
        }
        if let Some(JsonNode::List(values)) = member(schema, "enum") {
            return values[self.below(values.len())].clone();
        }
        if let Some(JsonNode::List(values)) = member(schema, "anyOf") {
            let one = self.below(values.len());
            return self.sample(&values[one], depth);
        }
        let Some(JsonNode::Text(kind)) = member(schema, "type") else { panic!("{schema:?}") };
        match kind.as_ref() {
            "array" => {
                let count = if depth > 6 { 1 } else { 1 + self.below(2) };
                let items = member(schema, "items").unwrap();
                JsonNode::List((0..count).map(|_| self.sample(items, depth)).collect())
            }
            "boolean" => JsonNode::Bool(self.below(2) == 0),
            "integer" => JsonNode::Integer(i64::try_from(1 + self.below(99)).unwrap()),
            "object" => JsonNode::object([("Any", JsonNode::text("thing")), ("Number", JsonNode::Integer(7))]),
            "string" => self.text(schema),
            other => panic!("{other}"),
        }
    }

    fn text(&mut self, schema: &JsonNode<'static>) -> JsonNode<'static> {
        if let Some(JsonNode::Text(pattern)) = member(schema, "pattern") {
            let listed = TEXTS.iter().find(|(head, _)| pattern.contains(head));
            let made = listed.map(|(_, texts)| self.pick(texts).to_owned());
            return JsonNode::text(made.unwrap_or_else(|| {
                let bare = pattern.trim_start_matches('^').trim_end_matches('$');
                string_regex(bare).unwrap().new_tree(&mut self.texts).unwrap().current()
            }));
        }
        match member(schema, "format") {
            Some(JsonNode::Text(format)) if format == "date-time" => JsonNode::text(self.pick(&[
                "2026-03-01T09:30:00.000001Z",
                "1970-01-01T00:00:00Z",
                "2199-12-31T23:59:59Z",
            ])),
            Some(JsonNode::Text(format)) if format == "date" => {
                JsonNode::text(self.pick(&["2026-03-01", "2028-02-29"]))
            }
            Some(JsonNode::Text(format)) if format == "ip" => JsonNode::text(self.pick(&["192.0.2.7", "2001:db8::1"])),
            _ => {
                let Some(JsonNode::Integer(max)) = member(schema, "maxLength") else { panic!("{schema:?}") };
                let max = usize::try_from(*max).unwrap();
                let whole = "Müller & Söhne, 12\n\"Straße\" \u{1F3E6} x";
                JsonNode::text(whole.chars().take(1 + self.below(max.min(whole.chars().count()))).collect::<String>())
            }
        }
    }

    fn object(&mut self, name: &str, depth: usize) -> JsonNode<'static> {
        let schema = &self.schemas[name];
        let names = |key| match member(schema, key) {
            Some(JsonNode::List(names)) => names
                .iter()
                .filter_map(|it| if let JsonNode::Text(it) = it { Some(it.as_ref()) } else { None })
                .collect(),
            _ => BTreeSet::new(),
        };
        let (required, mut there) = (names("required"), names("required"));
        let Some(JsonNode::Object(properties)) = member(schema, "properties") else { panic!("{name}") };
        for (property, _) in properties.iter().filter(|(property, _)| !required.contains(property.as_ref())) {
            if self.below(2 + depth) == 0 {
                there.insert(property.as_ref());
            }
        }
        if let Some(JsonNode::List(choices)) = member(schema, "allOf") {
            for choice in choices {
                let Some(JsonNode::List(options)) = member(choice, "oneOf") else { panic!("{choice:?}") };
                let options: Vec<_> = options
                    .iter()
                    .map(|it| {
                        let Some(JsonNode::List(names)) = member(it, "required") else { panic!("{it:?}") };
                        let JsonNode::Text(name) = &names[0] else { panic!("{it:?}") };
                        name.as_ref()
                    })
                    .collect();
                there.retain(|it| !options.contains(it));
                there.insert(self.pick(&options));
            }
        }
        if let Some(JsonNode::Object(pairs)) = member(schema, "dependentRequired") {
            for (one, others) in pairs {
                if let (true, JsonNode::List(others)) = (there.contains(one.as_ref()), others) {
                    there.extend(
                        others
                            .iter()
                            .filter_map(|it| if let JsonNode::Text(it) = it { Some(it.as_ref()) } else { None }),
                    );
                }
            }
        }
        let words = self.agree(&mut there, |name| properties.iter().any(|(it, _)| it == name));
        let mut members = Vec::new();
        for (property, node) in properties.iter().filter(|(property, _)| there.contains(property.as_ref())) {
            self.seen.insert(format!("{name}.{property}"));
            members.push((
                Cow::Owned(property.clone().into_owned()),
                match words.iter().find(|(name, _)| name == property) {
                    Some((_, word)) => JsonNode::text(*word),
                    None => self.sample(node, depth),
                },
            ));
        }
        JsonNode::Object(members)
    }

    /// Makes members consistent where the schema does not express the rule. Returns the names that decide it.
    fn agree<'n>(
        &mut self,
        there: &mut BTreeSet<&'n str>,
        has: impl Fn(&str) -> bool,
    ) -> Vec<(&'static str, &'static str)> {
        for (one, other) in [
            ("RequestedExecutionDate", "StandingOrder"),
            ("NumberOfPayments", "FinalPaymentDate"),
            ("BIC", "ClearingCode"),
        ] {
            if there.contains(one) && there.contains(other) {
                there.remove(self.pick(&[one, other]));
            }
        }
        let only = |there: &mut BTreeSet<&'n str>, all: &[&'static str], wanted: &[&'static str]| {
            there.retain(|it| !all.contains(it));
            there.extend(wanted);
        };
        if has("BIC") && has("Country") {
            let wanted: [&[&str]; 2] = [&["BIC"], &["Country", "ClearingCode"]];
            only(there, &["BIC", "Country", "ClearingCode"], self.pick(&wanted));
        }
        if has("ProductType") {
            let kinds = [
                ("PersonalCurrentAccount", "PCA"),
                ("BusinessCurrentAccount", "BCA"),
                ("Other", "OtherProductType"),
                ("SMELoan", "ProductType"),
            ];
            let (word, terms) = self.pick(&kinds);
            only(there, &["PCA", "BCA", "OtherProductType"], &[terms]);
            return vec![("ProductType", word)];
        }
        if has("RateType") && has("ContractIdentification") {
            let is_quote = has("ExpirationDateTime");
            let word = self.pick(&["Actual", "Agreed", "Indicative"]);
            let wanted: &[&str] = match word {
                "Actual" if is_quote => &["ExpirationDateTime"],
                "Agreed" if is_quote => &["ContractIdentification"],
                "Agreed" => &["ContractIdentification", "ExchangeRate"],
                _ => &[],
            };
            let all: &[&str] = if is_quote {
                &["ExpirationDateTime", "ContractIdentification"]
            } else {
                &["ContractIdentification", "ExchangeRate"]
            };
            only(there, all, wanted);
            return vec![("RateType", word)];
        }
        if has("Outcome") {
            let kinds: [(&str, &[&str]); 4] =
                [("Match", &[]), ("CloseMatch", &["Name"]), ("NoMatch", &[]), ("Unavailable", &["Reason"])];
            let (word, wanted) = self.pick(&kinds);
            only(there, &["Name", "Reason"], wanted);
            return vec![("Outcome", word)];
        }
        if has("PeriodAlignment") {
            return vec![("PeriodType", "Half-year")];
        }
        if has("Change") && has("Payment") {
            there.extend(["Reason", "Payment"]);
        }
        Vec::new()
    }
}
