//! Bodies that are read whole, up to a limit, then understood. Step 11.

use super::arrived::{CheckedHttpRequest, Whole, expected};
use crate::App;
use crate::error::ApiError;
use lombard_domain::refusal::{Fault, Refusal};
use lombard_jose::sha256;
use lombard_service::payments::Once;
use lombard_wire::{Parse, document};
use std::marker::PhantomData;

/// The media type of every body that is no file. Source: RW-067.
const JSON: &[&str] = &["application/json"];

/// Most bytes of a request that is kept and shown again, whatever is configured for others: an order to pay with every
/// member at its longest is far below, and what is kept is kept for years.
const SUBMITTED_BYTES_MAX: usize = 64 * 1024;

/// What a handler expects as a body.
pub(crate) trait Payload: Sized + Send + 'static {
    /// The media types it may have; none if there is no body.
    const READ: &'static [&'static str];

    /// Whether it comes with the key of a request that is carried out once.
    const ONCE: bool = false;

    /// Takes what has arrived, and understands it if it is taken whole.
    ///
    /// # Errors
    /// Every fault of it.
    fn receive(arrived: CheckedHttpRequest<'_>) -> impl Future<Output = Result<Self, ApiError>> + Send;
}

/// No body. One that comes all the same is ignored.
#[derive(Debug)]
pub(crate) struct NoBody;

impl Payload for NoBody {
    const READ: &'static [&'static str] = &[];

    async fn receive(arrived: CheckedHttpRequest<'_>) -> Result<Self, ApiError> {
        arrived.unread().await.map(|()| Self)
    }
}

/// How much JSON is read.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Bounds {
    pub(crate) bytes_max: usize,
    pub(crate) depth_max: usize,
}

/// The bounds of some bodies.
pub(crate) trait BoundsSource: Send + 'static {
    /// What is configured.
    fn of(app: &App) -> Bounds;
}

/// The bounds of bodies that have none of their own.
#[derive(Debug)]
pub(crate) struct Usual;

impl BoundsSource for Usual {
    fn of(app: &App) -> Bounds {
        Bounds { bytes_max: app.settings.body_bytes_max, depth_max: app.settings.json_depth_max }
    }
}

/// A JSON body within bounds, read as release `W` reads a `T`.
#[derive(Debug)]
pub(crate) struct Json<W, T, B = Usual> {
    pub(crate) value: T,
    release: PhantomData<(W, B)>,
}

impl<W: Parse<T>, T: Send + 'static, B: BoundsSource> Payload for Json<W, T, B> {
    const READ: &'static [&'static str] = JSON;

    async fn receive(arrived: CheckedHttpRequest<'_>) -> Result<Self, ApiError> {
        let Bounds { bytes_max, depth_max } = B::of(arrived.app);
        let Whole { bytes, .. } = arrived.whole(bytes_max).await?;
        let value = W::parse(&bytes, depth_max).map_err(|faults| ApiError::Refused(Refusal::invalid(faults)))?;
        Ok(Self { value, release: PhantomData })
    }
}

/// How a body is understood.
pub(crate) trait Reading: Send + 'static {
    /// What it says.
    type Read: Send + 'static;

    /// Reads it.
    ///
    /// # Errors
    /// Every fault found, at least one.
    fn read(body: &[u8], depth_max: usize) -> Result<Self::Read, Vec<Fault>>;
}

/// A JSON body that is carried out once, however often it comes.
#[derive(Debug)]
pub(crate) struct Submitted<R: Reading> {
    /// What it says.
    pub(crate) value: R::Read,
    /// By what it is known when it comes again.
    pub(crate) once: Once,
}

impl<R: Reading> Payload for Submitted<R> {
    const READ: &'static [&'static str] = JSON;
    const ONCE: bool = true;

    async fn receive(arrived: CheckedHttpRequest<'_>) -> Result<Self, ApiError> {
        let Bounds { bytes_max, depth_max } = Usual::of(arrived.app);
        let Whole { bytes, key } = arrived.whole(bytes_max.min(SUBMITTED_BYTES_MAX)).await?;
        let key = expected(key)?;
        let value = R::read(&bytes, depth_max).map_err(|faults| ApiError::Refused(Refusal::invalid(faults)))?;
        // It has been read, so it has a canonical form.
        let canonical = document::canonical(&bytes).map_err(|error| ApiError::Broken(error.into()))?;
        Ok(Self { value, once: Once { key, body: sha256(&canonical) } })
    }
}
