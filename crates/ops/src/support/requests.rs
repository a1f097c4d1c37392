//! The recorded requests about a case.

use lombard_edge::request_log::{NumberedRequest, RequestLog, RequestQuery, RequestView};
use lombard_service::support::SupportCase;

/// The number of records that are examined at a time, and the most such batches.
const EXAMINED: (usize, usize) = (200, 5);

/// The most requests of a story.
const SHOWN_MAX: usize = 200;

/// Finds the recorded requests about a case among the latest of its client, the newest first: those that name the consent or one of its
/// orders, and those that caused one of its orders or events.
pub fn find_requests_of_case(log: &RequestLog, case: &SupportCase) -> Vec<RequestView> {
    let orders = case.orders.iter().map(|it| it.order.id.as_str());
    let ids: Vec<&str> = std::iter::once(case.consent.id.as_str()).chain(orders).collect();
    let of_orders = case.orders.iter().filter_map(|it| it.order.interaction_id.as_ref());
    let causes: Vec<&str> = of_orders
        .chain(case.events.iter().map(|found| &found.event.interaction_id))
        .map(|interaction| interaction.as_str())
        .collect();
    let is_about = |request: &RequestView| {
        causes.contains(&request.interaction_id.as_str()) || ids.iter().any(|id| request.names(id))
    };
    let (limit, batches) = EXAMINED;
    let client_id = Some(case.consent.client.clone());
    let mut query = RequestQuery { client_id, limit, ..RequestQuery::default() };
    let mut found = Vec::new();
    for _ in 0..batches {
        let batch = log.list_numbered(&query);
        let is_last = batch.len() < limit;
        for NumberedRequest { number, request } in batch {
            query.before = Some(number);
            if found.len() < SHOWN_MAX && is_about(&request) {
                found.push(request);
            }
        }
        if is_last {
            break;
        }
    }
    found
}
