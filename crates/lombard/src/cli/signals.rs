//! The signals that a long-running command handles.

use tokio::signal::unix::{Signal, SignalKind, signal};

/// The exit code that a shell reports for an interrupted program.
pub(super) const INTERRUPTED: i32 = 130;

/// A request that a signal expresses.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum SignalRequest {
    /// SIGTERM or SIGINT.
    Stop,
    /// SIGHUP: the terminal was closed, or a reload of files was requested.
    HangUp,
}

/// The signals that the program handles.
pub(super) struct SignalStreams {
    terminate: Signal,
    interrupt: Signal,
    hang_up: Signal,
}

impl SignalStreams {
    pub(super) fn new() -> std::io::Result<Self> {
        Ok(Self {
            terminate: signal(SignalKind::terminate())?,
            interrupt: signal(SignalKind::interrupt())?,
            hang_up: signal(SignalKind::hangup())?,
        })
    }

    async fn next(&mut self) -> SignalRequest {
        tokio::select! {
            _ = self.terminate.recv() => SignalRequest::Stop,
            _ = self.interrupt.recv() => SignalRequest::Stop,
            _ = self.hang_up.recv() => SignalRequest::HangUp,
        }
    }

    /// Waits for a stop signal and ignores SIGHUP.
    pub(super) async fn until_stop(&mut self) {
        self.until_stop_reloading(async || {
            tracing::warn!("SIGHUP is ignored now: nothing can be reloaded; SIGTERM stops the process");
        })
        .await;
    }

    /// Waits for a stop signal, and reloads on each SIGHUP.
    pub(super) async fn until_stop_reloading(&mut self, reload: impl AsyncFn()) {
        while self.next().await == SignalRequest::HangUp {
            reload().await;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::process::Command;

    fn send(name: &str) {
        let sent = Command::new("kill").args([name, &std::process::id().to_string()]).status().unwrap();
        assert!(sent.success());
    }

    #[tokio::test]
    async fn a_hang_up_reloads_and_is_no_reason_to_stop() {
        let mut told = SignalStreams::new().unwrap();
        let reloads = std::cell::Cell::new(0);
        send("-HUP");
        // The reload on the first signal sends the second one, so that both arrive in order.
        let reload = async || {
            reloads.set(reloads.get() + 1);
            send("-TERM");
        };
        told.until_stop_reloading(reload).await;
        assert_eq!(reloads.get(), 1);
        send("-HUP");
        assert_eq!(told.next().await, SignalRequest::HangUp);
        for name in ["-TERM", "-INT"] {
            send(name);
            assert_eq!(told.next().await, SignalRequest::Stop, "{name}");
        }
    }
}
