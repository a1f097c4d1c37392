//! Payment files: upload, download, payment details and report. No file is ever held in memory as a whole.

use crate::extract::{AuthorisedCall, ClientOnly, ClientOrPsu, FileUploadRequest, NoBody, RequestBody, SignedUpload};
use axum::response::{IntoResponse, Response};
use bytes::Bytes;
use futures_util::{Stream, StreamExt, TryStreamExt, stream};
use http::StatusCode;
use lombard_domain::ids::{ConsentId, OrderId};
use lombard_domain::payment::file::FileType;
use lombard_domain::payment::order::DetailsView;
use lombard_domain::refusal::{Fault, FaultCode};
use lombard_domain::version::Version;
use lombard_edge::App;
use lombard_edge::endpoint::contract::{FileDownload, OperationContract, ResponseKind, SingleResource, TypedResponse};
use lombard_edge::error::{ApiError, InsufficientToken, JSON_TEXT};
use lombard_edge::limits::ClientPermit;
use lombard_edge::signing::signed_stream_response;
use lombard_ports::store::StoreError;
use lombard_service::Failure;
use lombard_service::payments::files::{
    self, FilePaymentStatuses, FileUpload, FinishedFileOrder, LineReader, ReceivedFile,
};
use lombard_wire::describe::Describe;
use lombard_wire::files::{read_file_lines, write_report_entries};
use lombard_wire::payments::file::{
    FileLimits, FileParseError, ReportFrame, ReportedPayment, StatusReport, file_media_types, read_original,
};
use lombard_wire::{Links, Meta, Render, ResponseEnvelope, StandardVersion};
use std::error::Error;
use std::sync::Arc;

/// The number of payments in one piece of a response. Rendering a piece takes a fraction of a millisecond, during which other work on the
/// thread waits.
const PAGE: usize = 100;

/// `POST /file-payment-consents/{ConsentId}/file`. Source: FILE-005 to FILE-018, PIS-074.
pub(crate) async fn upload<V: StandardVersion>(
    call: AuthorisedCall<ClientOnly, FileUploadRequest>,
) -> Result<TypedResponse<FileAccepted>, ApiError> {
    let id: ConsentId = call.path_id("ConsentId")?;
    let (call, upload) = call.split();
    let context = &call.app.context;
    let announced = files::find_upload_consent(context, &call.caller.client, &id, V::VERSION).await?;
    let read = file_media_types(announced.kind());
    if !read.contains(&upload.media_type()) {
        return Err(ApiError::UnsupportedMediaType { read });
    }
    let _place = call.app.upload_permits.try_take(&call.caller.client)?;
    let mut sending = announced.begin_upload(context, upload.bytes_max()).await?;
    match receive(&call, upload, &mut sending).await {
        // The upload of a large file takes minutes, during which the client may have been disabled (AS-113).
        Ok(_) if !may_still_act(&call).await? => {
            sending.discard_upload().await;
            return Err(ApiError::invalid_token(InsufficientToken::ClientDisabled));
        }
        Ok(sent) => sending.finish_upload(sent, reader(&call.app, V::VERSION)).await?,
        Err(error) => {
            sending.discard_upload().await;
            return Err(error);
        }
    }
    Ok(StatusCode::OK.into_response().into())
}

/// Whether the client is still active after its file was received. Source: AS-113.
async fn may_still_act(call: &AuthorisedCall<ClientOnly, NoBody>) -> Result<bool, ApiError> {
    let client = call.caller.client.clone();
    let may_act = call.app.context.store.read(move |tx| tx.client_may_act(&client)).await;
    may_act.map_err(|error: StoreError| Failure::from(error).into())
}

/// Receives the file piece by piece up to its end.
async fn receive(
    call: &AuthorisedCall<ClientOnly, NoBody>,
    mut upload: FileUploadRequest,
    sending: &mut FileUpload,
) -> Result<ReceivedFile, ApiError> {
    while let Some(piece) = upload.next().await? {
        sending.append_bytes(&piece).await?;
    }
    let media_type = upload.content_type().to_owned();
    let SignedUpload { idempotent_request, digest, bytes } = upload.finish(&call.app, &call.caller).await?;
    Ok(ReceivedFile { idempotent_request, digest, bytes, media_type })
}

/// The empty response to an accepted payment file. Source: FILE-009.
#[derive(Debug)]
pub(crate) struct FileAccepted;

impl ResponseKind for FileAccepted {
    fn contract() -> OperationContract {
        OperationContract::accepting_files(FileUploadRequest::READ)
    }
}

/// The limits of payment files.
fn limits(app: &App) -> FileLimits {
    FileLimits { file_bytes_max: app.settings.file_bytes_max, ..FileLimits::default() }
}

/// The reader of the files of a version's consents.
fn reader(app: &App, version: Version) -> LineReader {
    let limits = limits(app);
    Box::new(move |kind, bytes, each| {
        read_file_lines(version, kind, bytes, &limits, each).map_err(|unread| match unread {
            FileParseError::Refused(faults) => files::FileReadError::Refused(faults),
            FileParseError::TooLarge => {
                files::FileReadError::Refused(vec![Fault::new(FaultCode::InvalidFormat, "The file is too large.")])
            }
            FileParseError::Input(error) => files::FileReadError::Input(error),
            FileParseError::Stopped(stopped) => files::FileReadError::Stopped(stopped),
        })
    })
}

/// `GET /file-payment-consents/{ConsentId}/file`. Source: FILE-020, PIS-004, PIS-074.
pub(crate) async fn download<V: StandardVersion>(
    call: AuthorisedCall<ClientOrPsu>,
) -> Result<TypedResponse<FileDownload>, ApiError> {
    let id: ConsentId = call.path_id("ConsentId")?;
    let place = Arc::new(call.app.download_permits.take(&call.caller.client).await?);
    let reader = call.grant.reader(&call.caller);
    let kept = files::download_file(&call.app.context, reader, &id, V::VERSION).await?;
    let pieces = || {
        let place = Arc::clone(&place);
        kept.pieces().map_ok(move |piece| {
            let _held_until_sent = &place;
            Bytes::from(piece)
        })
    };
    Ok(signed_stream_response(&call.app, &kept.media_type, pieces).await?.into())
}

/// `GET /file-payments/{FilePaymentId}/payment-details`. Source: PIS-090 to PIS-095.
pub(crate) async fn details<V>(
    call: AuthorisedCall<ClientOrPsu>,
) -> Result<TypedResponse<SingleResource<V, DetailsView>>, ApiError>
where
    V: Render<DetailsView> + Describe<DetailsView>,
{
    let id: OrderId = call.only_path_id()?;
    let place = call.app.download_permits.take(&call.caller.client).await?;
    let reader = call.grant.reader(&call.caller);
    let outcomes = files::read_file_payment_statuses(&call.app.context, reader, &id, V::VERSION).await?;
    let envelope = ResponseEnvelope { links: Links::self_only(call.address()), meta: Meta::ONE_PAGE };
    let frame = ReportFrame::details::<V>(&envelope)?;
    Ok(list(&call.app, JSON_TEXT, V::VERSION, outcomes, frame, place).await?.into())
}

/// `GET /file-payments/{FilePaymentId}/report-file`. Source: FILE-022, PIS-074.
pub(crate) async fn report<V: StandardVersion>(
    call: AuthorisedCall<ClientOrPsu>,
) -> Result<TypedResponse<FileDownload>, ApiError> {
    let id: OrderId = call.only_path_id()?;
    let place = call.app.download_permits.take(&call.caller.client).await?;
    let reader = call.grant.reader(&call.caller);
    let ended = files::read_finished_order(&call.app.context, reader, &id, V::VERSION).await?;
    // The report requires parsing the heads of the message again, which costs as much as receiving a file.
    let _reading = call.app.upload_permits.try_take(&call.caller.client)?;
    let report = match ended.kind {
        FileType::Pain001 => message(&call.app, ended, place).await?,
        FileType::PaymentInitiation31 | FileType::PaymentInitiation40 => {
            let frame = ReportFrame::report();
            list(&call.app, &ended.file.media_type, V::VERSION, ended.outcomes, frame, place).await?
        }
    };
    Ok(report.into())
}

/// The payment details of a file order. They are held until the response has been read.
struct OutcomeList {
    version: Version,
    outcomes: FilePaymentStatuses,
    frame: ReportFrame,
    _permit: ClientPermit,
}

async fn list(
    app: &App,
    media_type: &str,
    version: Version,
    outcomes: FilePaymentStatuses,
    frame: ReportFrame,
    place: ClientPermit,
) -> Result<Response, ApiError> {
    let list = Arc::new(OutcomeList { version, outcomes, frame, _permit: place });
    signed_stream_response(app, media_type, || list_pieces(&list)).await
}

fn list_pieces(list: &Arc<OutcomeList>) -> impl Stream<Item = Result<Bytes, Failure>> + Send + 'static {
    let head = list.frame.head.clone();
    let tail = list.frame.tail.clone();
    let list = Arc::clone(list);
    let pages = (0..list.outcomes.count()).step_by(PAGE).map(move |from| {
        let page = list.outcomes.entries(from..from.saturating_add(PAGE));
        write_report_entries(list.version, page, from == 0).map(Bytes::from).map_err(broken)
    });
    stream::iter(std::iter::once(Ok(head.into())).chain(pages).chain([Ok(tail.into())]))
}

/// A report in the message format of the submitted file.
struct StatusReportMessage {
    app: App,
    ended: FinishedFileOrder,
    report: StatusReport,
    _permit: ClientPermit,
}

async fn message(app: &App, ended: FinishedFileOrder, place: ClientPermit) -> Result<Response, ApiError> {
    // The file was accepted under the limit of that time, which may have changed.
    let usual = limits(app);
    let limits = FileLimits { file_bytes_max: usual.file_bytes_max.max(ended.file.bytes), ..usual };
    let original =
        files::reread_file(&app.context, &ended.order.client, &ended.file, move |bytes| read_original(bytes, &limits))
            .await?;
    let original = original.map_err(|unread| match unread {
        FileParseError::Input(error) => Failure::Unavailable(error.into()),
        FileParseError::Refused(_) | FileParseError::TooLarge => {
            Failure::Broken("a file that was read once is not one".into())
        }
        FileParseError::Stopped(never) => match never {},
    })?;
    let media_type = ended.file.media_type.clone();
    let message = Arc::new(StatusReportMessage {
        app: app.clone(),
        ended,
        report: StatusReport::for_message(original),
        _permit: place,
    });
    signed_stream_response(app, &media_type, || message_pieces(&message)).await
}

fn message_pieces(message: &Arc<StatusReportMessage>) -> impl Stream<Item = Result<Bytes, Failure>> + Send + 'static {
    let places = (0..message.ended.outcomes.count()).step_by(PAGE);
    let head = message.head();
    let tail = message.report.tail().map(Bytes::from).map_err(broken);
    let message = Arc::clone(message);
    let pages = stream::iter(places).then(move |from| {
        let message = Arc::clone(&message);
        async move { message.page(from).await }
    });
    stream::iter([head]).chain(pages).chain(stream::iter([tail]))
}

impl StatusReportMessage {
    fn head(&self) -> Result<Bytes, Failure> {
        let FinishedFileOrder { order, file, at, outcomes, .. } = &self.ended;
        let head = self.report.head(&order.id, *at, &file.totals, &|range| outcomes.tally(range));
        head.map(Bytes::from).map_err(broken)
    }

    /// Renders the next payments from this position on.
    async fn page(&self, from: usize) -> Result<Bytes, Failure> {
        let FinishedFileOrder { file, outcomes, .. } = &self.ended;
        let after = u32::try_from(from).unwrap_or(u32::MAX);
        let limit = u32::try_from(PAGE).unwrap_or(u32::MAX);
        let lines = files::read_stored_lines(&self.app.context, file, after, limit).await?;
        let page = outcomes.entries(from..from.saturating_add(PAGE)).zip(lines);
        let page = page.map(|(entry, line)| ReportedPayment { entry, line });
        let page = self.report.payments(from, page, &|range| outcomes.tally(range));
        page.map(Bytes::from).map_err(broken)
    }
}

fn broken(error: impl Error + Send + Sync + 'static) -> Failure {
    Failure::Broken(error.into())
}
