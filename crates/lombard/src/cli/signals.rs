//! The signals that a long-running command handles.

use tokio::signal::unix::{Signal, SignalKind, signal};

/// The exit code that a shell reports for an interrupted program.
pub(super) const INTERRUPTED: i32 = 130;

/// The request that a signal stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum SignalRequest {
    /// SIGTERM or SIGINT.
    Stop,
    /// SIGHUP: the terminal was closed, or a reload of the settings was requested.
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

    /// Waits for a signal to stop.
    pub(super) async fn until_stop(&mut self) {
        while self.next().await == SignalRequest::HangUp {
            tracing::warn!("SIGHUP is ignored: settings are read at the start; SIGTERM stops the server");
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
    async fn a_hang_up_is_no_reason_to_stop() {
        let mut told = SignalStreams::new().unwrap();
        send("-HUP");
        assert_eq!(told.next().await, SignalRequest::HangUp);
        for name in ["-TERM", "-INT"] {
            send(name);
            assert_eq!(told.next().await, SignalRequest::Stop, "{name}");
        }
    }
}
