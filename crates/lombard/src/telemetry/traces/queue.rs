//! The queue of spans that wait to be sent, and the task that sends them.

use opentelemetry::Context;
use opentelemetry_sdk::error::{OTelSdkError, OTelSdkResult};
use opentelemetry_sdk::trace::{Span, SpanData, SpanExporter, SpanProcessor};
use std::error::Error;
use std::time::Duration;
use tokio::sync::{mpsc, oneshot};
use tokio::time::{Instant, timeout_at};

/// The most spans of one call of the collector.
const BATCH_SPANS_MAX: usize = 512;

/// The entry of the queue. Clones share the queue.
#[derive(Debug, Clone)]
pub(super) struct SpanQueue {
    spans: mpsc::Sender<SpanData>,
    flushes: mpsc::Sender<oneshot::Sender<()>>,
}

/// The exit of the queue.
#[derive(Debug)]
pub(super) struct QueuedSpans {
    spans: mpsc::Receiver<SpanData>,
    flushes: mpsc::Receiver<oneshot::Sender<()>>,
}

impl SpanQueue {
    /// A queue with this many places.
    pub(super) fn new(spans_max: usize) -> (Self, QueuedSpans) {
        let (spans, queued) = mpsc::channel(spans_max.max(1));
        let (flushes, asked) = mpsc::channel(1);
        (Self { spans, flushes }, QueuedSpans { spans: queued, flushes: asked })
    }

    /// Waits until everything that is queued now was sent, or was not taken by the collector.
    pub(super) async fn flush(&self) {
        let (done, is_done) = oneshot::channel();
        if self.flushes.send(done).await.is_ok() {
            // Without an answer, nothing is sent any more.
            let _ended = is_done.await;
        }
    }
}

impl SpanProcessor for SpanQueue {
    fn on_start(&self, _: &mut Span, _: &Context) {}

    /// Takes a place in the queue, and never waits for one.
    fn on_end(&self, span: SpanData) {
        if self.spans.try_send(span).is_err() {
            count(1, "queue_full");
        }
    }

    fn force_flush(&self) -> OTelSdkResult {
        Ok(())
    }

    fn shutdown_with_timeout(&self, _: Duration) -> OTelSdkResult {
        Ok(())
    }
}

/// Sends queued spans in batches, as long as the queue has an entry. A span waits at most for `pause` for others.
pub(super) async fn export_queued<E: SpanExporter>(mut queued: QueuedSpans, exporter: E, pause: Duration) {
    let mut batch = Vec::new();
    loop {
        let flush = match queued.gather(&mut batch, pause).await {
            Gathered::Closed => return,
            Gathered::Batch => None,
            Gathered::Flush(done) => Some(done),
        };
        export(&exporter, &mut batch).await;
        if let Some(done) = flush {
            while queued.take_ready(&mut batch) {
                export(&exporter, &mut batch).await;
            }
            // Whoever asked may have stopped waiting.
            let _gone = done.send(());
        }
    }
}

enum Gathered {
    Batch,
    Flush(oneshot::Sender<()>),
    Closed,
}

impl QueuedSpans {
    /// Waits for a span, and then for others until the batch is full, the pause is over, or the queue is to be flushed.
    async fn gather(&mut self, batch: &mut Vec<SpanData>, pause: Duration) -> Gathered {
        let mut end = None;
        loop {
            let room = BATCH_SPANS_MAX.saturating_sub(batch.len());
            if room == 0 {
                return Gathered::Batch;
            }
            let until = end.unwrap_or_else(|| Instant::now() + Duration::from_secs(3600));
            tokio::select! {
                flush = self.flushes.recv() => return flush.map_or(Gathered::Closed, Gathered::Flush),
                received = timeout_at(until, self.spans.recv_many(batch, room)) => match received {
                    Ok(0) => return Gathered::Closed,
                    Ok(_) => end = end.or_else(|| Some(Instant::now() + pause)),
                    Err(_) if !batch.is_empty() => return Gathered::Batch,
                    Err(_) => {}
                },
            }
        }
    }

    /// Takes what is queued now, a batch at most; false if nothing is.
    fn take_ready(&mut self, batch: &mut Vec<SpanData>) -> bool {
        while batch.len() < BATCH_SPANS_MAX
            && let Ok(span) = self.spans.try_recv()
        {
            batch.push(span);
        }
        !batch.is_empty()
    }
}

/// Sends a batch and leaves it empty. Spans that the collector does not take are lost.
async fn export<E: SpanExporter>(exporter: &E, batch: &mut Vec<SpanData>) {
    let spans = batch.len();
    if spans == 0 {
        return;
    }
    match exporter.export(std::mem::take(batch)).await {
        Ok(()) => count(spans, "sent"),
        Err(error) => {
            count(spans, "failed");
            report(&error, spans);
        }
    }
}

fn report(error: &OTelSdkError, spans: usize) {
    tracing::warn!(error = error as &dyn Error, spans, "the collector has not taken spans");
}

fn count(spans: usize, outcome: &'static str) {
    let spans = u64::try_from(spans).unwrap_or(u64::MAX);
    metrics::counter!("lombard_trace_spans_total", "outcome" => outcome).increment(spans);
}

#[cfg(test)]
mod tests {
    use super::*;
    use opentelemetry::trace::{Tracer, TracerProvider};
    use opentelemetry_sdk::trace::SdkTracerProvider;
    use std::sync::Arc;
    use tokio::sync::{Mutex, Semaphore};

    /// A collector that takes a batch for each permit.
    #[derive(Debug, Clone)]
    struct Collector {
        permits: Arc<Semaphore>,
        batches: Arc<Mutex<Vec<usize>>>,
    }

    impl SpanExporter for Collector {
        async fn export(&self, batch: Vec<SpanData>) -> OTelSdkResult {
            self.permits.acquire().await.unwrap().forget();
            self.batches.lock().await.push(batch.len());
            Ok(())
        }
    }

    fn collector(permits: usize) -> Collector {
        Collector { permits: Arc::new(Semaphore::new(permits)), batches: Arc::default() }
    }

    fn record(queue: &SpanQueue, spans: usize) {
        let provider = SdkTracerProvider::builder().with_span_processor(queue.clone()).build();
        let tracer = provider.tracer("test");
        (0..spans).for_each(|_| drop(tracer.start("work")));
    }

    #[tokio::test]
    async fn a_collector_that_hangs_delays_nobody_and_fills_no_more_than_the_queue() {
        let (queue, queued) = SpanQueue::new(100);
        let collector = collector(0);
        let task = tokio::spawn(export_queued(queued, collector.clone(), Duration::ZERO));
        // More spans than the queue takes, and none of these calls waits.
        record(&queue, 10_000);
        assert_eq!(queue.spans.capacity(), 0);
        collector.permits.add_permits(1_000);
        queue.flush().await;
        assert_eq!(collector.batches.lock().await.iter().sum::<usize>(), 100);
        drop(queue);
        task.await.unwrap();
    }

    #[tokio::test]
    async fn a_flush_sends_all_that_is_queued_in_batches() {
        let (queue, queued) = SpanQueue::new(2_000);
        let collector = collector(1_000);
        let hour = Duration::from_secs(3600);
        let task = tokio::spawn(export_queued(queued, collector.clone(), hour));
        record(&queue, 1_200);
        queue.flush().await;
        let batches = collector.batches.lock().await.clone();
        assert_eq!(batches.iter().sum::<usize>(), 1_200);
        assert!(batches.iter().all(|spans| *spans <= BATCH_SPANS_MAX), "{batches:?}");
        drop(queue);
        task.await.unwrap();
    }
}
