//! The notification port: notifies a client, at the client's own address, that a backchannel request was answered. Source:
//! AS-160.

use async_trait::async_trait;

/// The notification of a client that one of its backchannel requests was answered.
#[derive(Clone, Copy)]
pub struct BackchannelNotification<'a> {
    /// The client's registered address.
    pub endpoint: &'a str,
    /// The secret that the client sent with the request; it is the bearer token of the notification.
    pub token: &'a str,
    /// The `auth_req_id` of the request.
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
    /// The address is not allowed.
    #[error("the address is not one that may be notified")]
    NotAllowed,
    /// The client rejected the notification with this status, or redirected it. A retry would have the same result.
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

/// A sender that notifies nobody, for installations without trusted hosts.
#[derive(Debug, Clone, Copy, Default)]
pub struct NoNotifications;

#[async_trait]
impl NotificationSender for NoNotifications {
    async fn notify(&self, _: &BackchannelNotification<'_>) -> Result<(), NotificationError> {
        Err(NotificationError::NotAllowed)
    }
}
