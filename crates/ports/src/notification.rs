//! The notification port: tells a client at its own address that a backchannel request was answered. Source: AS-160.

use async_trait::async_trait;

/// A notification.
#[derive(Clone, Copy)]
pub struct BackchannelNotification<'a> {
    /// The client's registered address.
    pub endpoint: &'a str,
    /// The secret that the client gave for this request: its bearer token.
    pub token: &'a str,
    /// The request.
    pub auth_req_id: &'a str,
}

impl std::fmt::Debug for BackchannelNotification<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("BackchannelNotification").field("endpoint", &self.endpoint).finish_non_exhaustive()
    }
}

/// Why a client was not notified.
#[derive(Debug, thiserror::Error)]
pub enum NotificationError {
    /// The address is not an allowed one.
    #[error("the address is not one that may be notified")]
    NotAllowed,
    /// The client answered that it does not take the notification, or redirected it: another try would be answered alike.
    #[error("the client did not take the notification: it answered {0}")]
    Refused(u16),
    /// The client did not answer in time, or failed.
    #[error("the client was not notified")]
    Failed(#[source] Box<dyn std::error::Error + Send + Sync>),
}

/// Sends notifications.
#[async_trait]
pub trait NotificationSender: Send + Sync + std::fmt::Debug {
    /// Posts the notification. An implementation limits time and the answer's size, follows no redirect, and connects only to hosts
    /// that are configured as trusted.
    ///
    /// # Errors
    /// [`NotificationError`].
    async fn notify(&self, notification: &BackchannelNotification<'_>) -> Result<(), NotificationError>;
}

/// Notifies nobody: for installations without trusted hosts.
#[derive(Debug, Clone, Copy, Default)]
pub struct NoNotifications;

#[async_trait]
impl NotificationSender for NoNotifications {
    async fn notify(&self, _: &BackchannelNotification<'_>) -> Result<(), NotificationError> {
        Err(NotificationError::NotAllowed)
    }
}
