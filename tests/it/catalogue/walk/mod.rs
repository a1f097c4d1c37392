//! Tests the common refusals on every endpoint of the catalogue, in every version. Source: RW-025, T3.

mod cast;
mod row;

use crate::harness::funds::about;
use crate::harness::{Bank, CustomerAccess, EVERYTHING, ExchangeExt, FundsTpp, PayingTpp, ValueExt, access};
use cast::{Paid, RowInputs, consents_of};
use http::Method;
use jiff::SignedDuration;
use lombard_api::catalogue::{ENDPOINTS, list_operations};
use lombard_domain::scope::Scope;
use lombard_domain::version::Version;
use lombard_edge::endpoint_facts::{EndpointGroup, HttpMethod, RequiredGrant, ResponseMedia};
use lombard_tpp::{HttpCall, Protocol, SIGNATURE, Tpp};
use row::Row;

#[tokio::test]
async fn rw_009_rows_that_are_not_built_are_404_for_every_request() {
    let cast = RowInputs::new().await;
    assert_eq!(ENDPOINTS.len(), 84);
    let everything = ENDPOINTS.iter().flat_map(|endpoint| Version::ALL.map(|version| (endpoint, version)));
    for (endpoint, version) in everything.filter(|(endpoint, version)| !endpoint.versions().any(|it| it == *version)) {
        let row = cast.row(endpoint, version);
        let path = endpoint.full_path(version);
        if list_operations().any(|it| it.path() == path) {
            // The resource is there, and has other methods: V4-020.
            cast.send(row.call()).await.refused_with(405, row.code("UK.Lombard.Method.NotAllowed"), "");
            continue;
        }
        // Step 1 of RW-025: whatever the token.
        for call in [row.call(), row.call().with_bearer(cast.access.token()), row.call().with_bearer("x")] {
            cast.send(call).await.refused_with(404, row.code("UK.Lombard.Path.NotFound"), "");
        }
    }
}

#[tokio::test]
async fn rw_109_as_111_112_tokens_that_are_not_ours_open_nothing() {
    let cast = RowInputs::new().await;
    let rows_before = cast.bank.rows();
    let rival = cast.bank.tpp("rival");
    let rivals_own = rival.client_credentials("accounts").await.unwrap().access_token;
    let rows_before_rival = cast.bank.rows();
    assert_ne!(rows_before, rows_before_rival, "a token is a row");
    for row in cast.rows() {
        let good = &row.token;
        let wrong_kind = &row.wrong;
        let refused = [
            row.call(),
            row.call().with_header("authorization", ""),
            row.call().with_header("authorization", "Bearer"),
            row.call().with_header("authorization", "Bearer "),
            row.call().with_header("authorization", format!("Basic {good}")),
            row.call().with_header("authorization", good),
            row.call().with_bearer("garbage"),
            row.call().with_bearer(&good[1..]),
            row.call().with_bearer(&format!("{good}x")),
            row.call().with_bearer(&good.to_uppercase()),
            // Another client's token on our connection.
            row.call().with_bearer(&rivals_own),
            // RW-047, AS-179: the wrong kind of token.
            row.call().with_bearer(wrong_kind),
        ];
        for call in refused {
            cast.send(call).await.unauthorised();
        }
        for (what, tpp) in [
            ("the rival's certificate", rival.clone()),
            ("no certificate", cast.access.tpp.with_certificate(None, Protocol::Any).unwrap()),
        ] {
            let answer = tpp.send(cast.good(&row)).await.unwrap();
            assert_eq!(answer.status, 401, "{what}: {row:?}", row = row.endpoint);
            answer.unauthorised();
        }
        let in_query = HttpCall::get(format!("{}?access_token={good}", row.url));
        let answer = cast.send(in_query).await;
        assert!([401, 405].contains(&answer.status.as_u16()), "AS-112: {}", answer.status);
        let twice = row.call().with_bearer(good).with_header("authorization", format!("Bearer {wrong_kind}"));
        cast.send(twice).await.refused(400);
        let lower = row.call().with_header("authorization", format!("bearer {good}"));
        if !row.is_delete() {
            // AS-112: the scheme is case-insensitive.
            row.assert_done(&cast.send(lower).await);
        }
    }
    let rows_after = cast.bank.rows();
    for (table, ends) in [("consents", "-consents"), ("orders", "s"), ("funds_confirmations", "/funds-confirmations")] {
        let posts = cast
            .rows()
            .into_iter()
            .filter(|row| row.endpoint.method == HttpMethod::Post && !row.is_of(EndpointGroup::Events));
        let longest = |row: &Row| match &*row.url {
            url if url.ends_with("-consents") => "-consents",
            url if url.ends_with("/funds-confirmations") => "/funds-confirmations",
            // Of those nothing is kept (VRP-075).
            url if url.ends_with("/funds-confirmation") => "",
            // A file is its consent's.
            url if url.ends_with("/file") => "",
            _ => "s",
        };
        let posts = posts.filter(|row| longest(row) == ends);
        let good = i64::try_from(posts.count()).unwrap();
        assert_eq!(rows_after[table], rows_before_rival[table] + good, "only the good POSTs stored something");
    }
}

#[tokio::test]
async fn rw_109_expired_and_revoked_tokens_open_nothing() {
    let cast = RowInputs::new().await;
    let code = crate::harness::code(&cast.access.tpp, &cast.access.consent).await;
    cast.access.tpp.exchange_code(&code).await.unwrap().ok(200);
    let psu_rows =
        |row: &&Row| row.is_of(EndpointGroup::AccountInformation) && row.endpoint.grant == RequiredGrant::Psu;
    for row in cast.rows().iter().filter(psu_rows) {
        cast.send(cast.good(row)).await.unauthorised();
    }
    cast.bank.clock.advance(SignedDuration::from_secs(3_600));
    // VRP-021: tokens for payments within limits live as long as those.
    let lasts =
        |row: &Row| row.is_of(EndpointGroup::VariableRecurringPayments) && row.endpoint.grant == RequiredGrant::Psu;
    for row in cast.rows() {
        let answer = cast.send(cast.good(&row)).await;
        if lasts(&row) { row.assert_done(&answer) } else { answer.unauthorised() }
    }
}

#[tokio::test]
async fn rw_105_a_token_without_the_scope_is_403() {
    let cast = RowInputs::new().await;
    for row in cast.rows().iter().filter(|row| row.endpoint.grant != RequiredGrant::Psu) {
        let others =
            Scope::ALL.into_iter().filter(|scope| *scope != Scope::OpenId && !row.endpoint.scopes.contains(scope));
        for scope in others {
            let token = cast.access.tpp.client_credentials(scope.name()).await.unwrap().access_token;
            let answer = cast.send(row.call().with_bearer(&token)).await;
            answer.refused_with(403, row.code("UK.Lombard.Forbidden.Scope"), "");
        }
    }
}

#[tokio::test]
async fn rw_110_111_other_methods_are_405_and_say_which_are_allowed() {
    let cast = RowInputs::new().await;
    for row in cast.rows() {
        let path = row.endpoint.full_path(row.version);
        let same_path = list_operations().filter(|it| it.path() == path);
        let allowed: Vec<_> = same_path.map(|it| it.endpoint.method.name()).collect();
        for method in ["GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS", "PROPFIND"] {
            if allowed.contains(&method) {
                continue;
            }
            let call = HttpCall::new(Method::from_bytes(method.as_bytes()).unwrap(), &row.url);
            // Step 2 of RW-025: before the token.
            for call in [call.clone(), call.with_bearer(&row.token)] {
                let answer = cast.send(call).await;
                answer.decent();
                assert_eq!(answer.status, 405, "{method} {path}");
                let said: Vec<_> = answer.head("allow").split(',').map(str::trim).collect();
                assert!(allowed.iter().all(|it| said.contains(it)), "{method} {path}: {said:?}");
            }
        }
    }
}

#[tokio::test]
async fn rw_069_070_072_accept_must_admit_what_the_row_offers() {
    let cast = RowInputs::new().await;
    for row in cast.rows().iter().filter(|row| !row.is_delete()) {
        let offers = |media: &ResponseMedia| row.endpoint.response_media.contains(media);
        let xml = if offers(&ResponseMedia::Xml) { "application/soap+xml" } else { "application/xml" };
        for accept in [xml, "text/html", "application/jose+jwe", "application/json;q=0"] {
            let answer = cast.send(cast.good(row).with_header("accept", accept)).await;
            // RW-069, PIS-011.
            answer.refused_with(406, row.code("UK.OBIE.Header.Invalid"), "Accept");
        }
        // A client that asks for JSON everywhere gets files too (AIS-156).
        let mut accepted = ["*/*", "application/*;q=0.1", "application/json"].map(str::to_owned).to_vec();
        for (kind, subtype) in row.endpoint.response_media.iter().map(|media| media.name()) {
            accepted.push(format!("{kind}/{subtype}"));
            accepted.push(format!("text/html, {kind}/{subtype}; charset=utf-8"));
        }
        for accept in accepted {
            let answer = cast.send(cast.good(row).with_header("accept", &accept)).await;
            row.assert_done(&answer);
        }
    }
}

#[tokio::test]
async fn rw_067_068_140_bodies_that_cannot_be_read() {
    let cast = RowInputs::new().await;
    let rows_before = cast.bank.rows();
    for row in cast.rows().iter().filter(|row| row.endpoint.method == HttpMethod::Post) {
        let post = |body: &[u8]| row.posting(body).with_bearer(&row.token);
        let json = |body: &[u8]| post(body).with_header("content-type", "application/json");
        let body = row.body.as_deref().unwrap().as_bytes();
        cast.send(post(body)).await.refused_with(400, row.code("UK.OBIE.Header.Missing"), "Content-Type");
        let text = post(body).with_header("content-type", "text/plain");
        // RW-067, PIS-010.
        cast.send(text).await.refused_with(415, row.code("UK.OBIE.Header.Invalid"), "Content-Type");
        if row.endpoint.path.ends_with("/file") {
            // What a file says is looked at once it is the one that was announced (FILE-011).
            continue;
        }
        for unreadable in ["", "x", "[]", "null", "{\"Data\":", &"[".repeat(10_000)] {
            let found = cast.send(json(unreadable.as_bytes())).await.refused(400);
            let start = &unreadable[..unreadable.len().min(20)];
            assert_eq!(found[0].0, row.code("UK.OBIE.Resource.InvalidFormat"), "{start}");
        }
        // EVT-029; RW-279.
        let most = if row.endpoint.group == EndpointGroup::Events { 256 } else { 64 } * 1024;
        cast.send(json(&vec![b' '; most + 1])).await.refused(413);
        if row.endpoint.group == EndpointGroup::Events {
            // Whoever asks for events may leave everything out (EVT-021).
            continue;
        }
        let found = cast.send(json(b"{}")).await.refused(400);
        assert!(found.iter().all(|(code, _)| code == row.code("UK.OBIE.Field.Missing")), "{found:?}");
    }
    for row in cast.rows().iter().filter(|row| row.is_migration()) {
        let long =
            row.posting(&vec![b' '; 64 * 1024 + 1]).with_bearer(&row.token).with_header("content-type", row.media());
        cast.send(long).await.refused(413);
    }
    assert_eq!(cast.bank.rows(), rows_before, "nothing is stored");
}

#[tokio::test]
async fn rw_102_104_ids_that_name_nothing_or_somebody_elses() {
    let cast = RowInputs::new().await;
    let rival = cast.bank.tpp("rival");
    let rivals_own = rival.client_credentials("accounts").await.unwrap().access_token;
    let foreign_consent = rival.consent_create(&rivals_own, &EVERYTHING).await.unwrap();
    let payer = PayingTpp::as_tpp(&cast.bank, "rival").await;
    let mut foreign_payments = Vec::new();
    for paid in &cast.paid {
        let made = payer.through(paid.version).consent(paid.made.product, &paid.made.asked).await;
        foreign_payments.push(made["Data"].text("ConsentId").to_owned());
    }
    let foreign_asking = FundsTpp::with(rival).await.consent(&about(&cast.funds.account)).await;
    let rows_before = cast.bank.rows();
    let strange = ["unknown", "%00", "..%2f..%2fetc", "%27%20OR%201=1--", &"x".repeat(4_000), "%E2%82%AC"];
    for row in cast.rows() {
        let Some(id) = &row.id else { continue };
        let not_found = row.code("UK.OBIE.Resource.NotFound");
        let foreign = row.code("UK.Lombard.Forbidden.Owner");
        for other in strange {
            let url = row.url.replace(id, other);
            cast.send(row.elsewhere(&url).with_bearer(&row.token)).await.refused_with(400, not_found, "");
        }
        let of_payments = |(paid, theirs): (&Paid, _)| {
            let is_of = row.endpoint.path.starts_with(consents_of(paid.made.product));
            (is_of && paid.version == row.version).then_some(theirs)
        };
        let theirs = match row.endpoint.group {
            EndpointGroup::FundsConfirmation => Some(&foreign_asking),
            EndpointGroup::AccountInformation if *id == cast.access.consent => Some(&foreign_consent),
            EndpointGroup::Payments | EndpointGroup::VariableRecurringPayments => {
                cast.paid.iter().zip(&foreign_payments).find_map(of_payments)
            }
            _ => None,
        };
        if let Some(theirs) = theirs {
            let url = row.url.replace(id, theirs);
            cast.send(row.elsewhere(&url).with_bearer(&row.token)).await.refused_with(403, foreign, "");
        }
    }
    assert_eq!(cast.bank.rows(), rows_before, "nothing is stored");
}

#[tokio::test]
async fn rw_181_215_rows_that_ask_for_a_key_or_a_signature_are_refused_without() {
    let cast = RowInputs::new().await;
    let rows_before = cast.bank.rows();
    let mut asked = (0, 0);
    for row in cast.rows().iter().filter(|row| row.body.is_some()) {
        let bare = row.at(&row.url).with_bearer(&row.token).with_header("content-type", row.media());
        let bare = || bare.clone().with_body(row.body.clone().unwrap());
        if row.endpoint.idempotent {
            asked.0 += 1;
            let missing = row.code("UK.OBIE.Header.Missing");
            cast.send(bare()).await.refused_with(400, missing, "x-idempotency-key");
            let blank = bare().with_header("x-idempotency-key", "k".repeat(41));
            let invalid = row.code("UK.OBIE.Header.Invalid");
            cast.send(blank).await.refused_with(400, invalid, "x-idempotency-key");
        }
        if row.endpoint.signs_requests() {
            asked.1 += 1;
            let keyed = bare().with_header("x-idempotency-key", "k");
            cast.send(keyed).await.refused_with(400, row.code("UK.OBIE.Signature.Missing"), SIGNATURE);
        }
    }
    let more = Version::ALL.len();
    assert_eq!(asked.0 + more, asked.1, "what has a key is signed, and one row more in each version: VRP-070");
    assert!(asked.0 >= 12, "{asked:?}");
    assert_eq!(cast.bank.rows(), rows_before, "nothing is stored");
}

#[tokio::test]
async fn ais_063_066_a_deleted_consent_opens_no_row() {
    let cast = RowInputs::new().await;
    let CustomerAccess { tpp, own, .. } = &cast.access;
    tpp.delete(own, &cast.access.consent_path()).await.unwrap().ok(204);
    let deletes_another = |row: &Row| row.is_delete() && !row.is_of(EndpointGroup::AccountInformation);
    for row in cast.rows().into_iter().filter(|row| !deletes_another(row)) {
        match row.endpoint.grant {
            RequiredGrant::Psu if row.is_of(EndpointGroup::AccountInformation) => {
                cast.send(cast.good(&row)).await.unauthorised()
            }
            RequiredGrant::Client if row.url.contains(&cast.access.consent) => {
                cast.send(cast.good(&row)).await.refused_with(400, row.code("UK.OBIE.Resource.NotFound"), "");
            }
            RequiredGrant::Client | RequiredGrant::Psu | RequiredGrant::Either => {
                row.assert_done(&cast.send(cast.good(&row)).await);
            }
        }
    }
}

#[tokio::test]
async fn rw_050_every_row_answers_with_the_interaction_id_it_was_sent() {
    let cast = RowInputs::new().await;
    for row in cast.rows().iter().filter(|row| !row.is_delete()) {
        let answer = cast.send(cast.good(row).with_header("x-fapi-interaction-id", "an id")).await;
        answer.refused_with(400, row.code("UK.OBIE.Header.Invalid"), "x-fapi-interaction-id");
        let answer = cast.send(cast.good(row).with_header("x-fapi-interaction-id", "a-b-c")).await;
        row.assert_done(&answer);
        assert_eq!(answer.head("x-fapi-interaction-id"), "a-b-c");
        assert!(answer.header("date").is_some(), "AS-114");
        assert!(answer.header("access-control-allow-origin").is_none(), "TLS-017");
    }
}

#[tokio::test]
async fn ais_001_an_optional_row_can_be_switched_off() {
    let mut bank = Bank::unstarted(crate::harness::Engine::Sqlite).await;
    bank.restart_with(&[("endpoints.off", "GetBalances")]).await;
    let tpp: Tpp = bank.tpp("robot");
    let access = access(&tpp, &EVERYTHING).await;
    tpp.get(access.token(), "aisp/balances").await.unwrap().refused(404);
    let account = access.account_ids().await.remove(0);
    access.read(&format!("aisp/accounts/{account}/balances")).await;
}
