//! The handler of polls for events. Source: EVT-*.

use crate::extract::{AuthorisedCall, BodyBounds, BoundsSource, ClientOnly, Json};
use axum::Extension;
use axum::body::Body;
use axum::response::IntoResponse;
use bytes::Bytes;
use http::header::{CACHE_CONTROL, CONTENT_TYPE};
use http::{HeaderValue, StatusCode};
use http_body::{Frame, SizeHint};
use lombard_domain::event::EventPoll;
use lombard_edge::App;
use lombard_edge::endpoint::OperationContract;
use lombard_edge::endpoint::contract::{ResponseKind, TypedResponse};
use lombard_edge::endpoint_facts::RateGroup;
use lombard_edge::error::{ApiError, JSON};
use lombard_edge::listener::TrackedBody;
use lombard_service::events::{DeliveryReceipt, PollingClient};
use lombard_wire::Parse;
use lombard_wire::describe::Describe;
use lombard_wire::events::PollResponseBody;
use std::convert::Infallible;
use std::marker::PhantomData;
use std::pin::Pin;
use std::task::{Context, Poll};

/// The deepest nesting of a poll. Source: EVT-029.
const DEPTH_MAX: usize = 16;

/// The number of acknowledged or reported events for which a poll counts as one further call. Source: EVT-014.
const IDS_OF_A_CALL: usize = 500;

/// The limits of a poll's body, which are narrower than those of other bodies.
#[derive(Debug)]
pub(crate) struct PollBounds;

impl BoundsSource for PollBounds {
    fn of(app: &App) -> BodyBounds {
        BodyBounds { bytes_max: app.settings.poll_bytes_max, depth_max: DEPTH_MAX }
    }
}

/// `POST /events`. A long poll waits here; between two queries it holds only a waiter. Source: EVT-035 to EVT-079.
pub(crate) async fn poll<W: Parse<EventPoll> + Describe<EventPoll> + Describe<PollResponseBody>>(
    call: AuthorisedCall<ClientOnly, Json<W, EventPoll, PollBounds>>,
) -> Result<TypedResponse<PollAnswer<W>>, ApiError> {
    let (call, body) = call.split();
    let client = PollingClient {
        client: call.caller.client.clone(),
        scopes: call.caller.scopes,
        expires_at: call.caller.expires_at,
        version: W::VERSION,
    };
    let ids = body.value.acknowledged.len().saturating_add(body.value.reported.len());
    let further_calls = u32::try_from(ids / IDS_OF_A_CALL).unwrap_or(u32::MAX);
    call.app.throttle.count_further_calls(
        further_calls,
        RateGroup::Events,
        &client.client,
        call.app.context.clocks.wall_now(),
    )?;
    let polling = &call.app.event_polling;
    // A waiting poll has its own limits (EVT-076).
    let page = polling.poll_events(&client, body.value, || call.exempt_from_quota()).await?;
    if page.was_held && (page.is_client_stopped || !page.is_empty()) {
        call.still_admitted().await?;
    }
    let response = polling.sign_response(&client, page).await?;
    let bytes = Bytes::from(lombard_wire::events::write_poll_response(&response.sets, response.more));
    let body = DeliveryTrackedBody::new(bytes.clone(), response.receipt);
    let headers = [(CONTENT_TYPE, JSON), (CACHE_CONTROL, HeaderValue::from_static("no-store"))];
    Ok((StatusCode::OK, headers, Extension(TrackedBody(bytes)), Body::new(body)).into_response().into())
}

/// The response to a poll.
#[derive(Debug)]
pub(crate) struct PollAnswer<W>(PhantomData<W>);

impl<W: Describe<EventPoll> + Describe<PollResponseBody>> ResponseKind for PollAnswer<W> {
    fn contract() -> OperationContract {
        let asked = <W as Describe<EventPoll>>::schema();
        let answered = <W as Describe<PollResponseBody>>::schema();
        OperationContract::changing(asked, "application/json", answered)
    }
}

/// A response body that marks its events as delivered when it is handed to the connection, not before (EVT-057, EVT-075).
struct DeliveryTrackedBody {
    bytes: Bytes,
    receipt: Option<DeliveryReceipt>,
}

impl DeliveryTrackedBody {
    const fn new(bytes: Bytes, receipt: DeliveryReceipt) -> Self {
        Self { bytes, receipt: Some(receipt) }
    }
}

impl http_body::Body for DeliveryTrackedBody {
    type Data = Bytes;
    type Error = Infallible;

    fn poll_frame(mut self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<Option<Result<Frame<Bytes>, Infallible>>> {
        let Some(receipt) = self.receipt.take() else { return Poll::Ready(None) };
        receipt.mark_delivered();
        Poll::Ready(Some(Ok(Frame::data(std::mem::take(&mut self.bytes)))))
    }

    fn is_end_stream(&self) -> bool {
        self.receipt.is_none()
    }

    fn size_hint(&self) -> SizeHint {
        SizeHint::with_exact(u64::try_from(self.bytes.len()).unwrap_or(u64::MAX))
    }
}
