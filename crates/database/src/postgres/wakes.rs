//! Wake-ups across nodes: each node has one dedicated connection, which uses `LISTEN` and `NOTIFY` outside of transactions.
//!
//! `NOTIFY` inside a transaction takes a lock on the whole database, so a node collects the wake-ups of a few milliseconds and
//! sends them together. A server without `LISTEN` still works: waiters are told that no wake-ups of other nodes arrive, and query
//! periodically instead.

use super::connect::ConnectionGuard;
use super::server::{PostgresServers, ServerConnection};
use crate::StoreTimeouts;
use lombard_domain::ids::ClientId;
use lombard_ports::store::Source;
use lombard_ports::wake::Wake;
use parking_lot::Mutex;
use std::collections::BTreeSet;
use std::future::poll_fn;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicI32, Ordering};
use std::time::Duration;
use tokio::sync::Notify;
use tokio::task::JoinHandle;
use tokio::time::timeout;
use tokio_postgres::{AsyncMessage, Client, Error};

/// The time for which wake-ups are collected before they are sent.
const GATHER: Duration = Duration::from_millis(2);

/// The first pause before a lost connection is opened again. The pause doubles with every further attempt.
const FIRST_PAUSE: Duration = Duration::from_millis(100);

/// The longest pause.
const PAUSE_MAX: Duration = Duration::from_secs(5);

/// The largest `NOTIFY` payload in bytes; the server allows 7,999.
const MESSAGE_BYTES_MAX: usize = 7_000;

/// The number of collected clients above which all clients are woken instead.
const CLIENTS_MAX: usize = 10_000;

/// The payload that wakes every client. No client id equals it.
const EVERYONE: &str = "*";

const LISTEN: &str = "SET synchronous_commit = off; LISTEN lombard_events";
const NOTIFY: &str = "SELECT pg_notify('lombard_events', $1)";

/// Sends wake-ups to this node and to the others. Dropping the notifier closes its connection.
#[derive(Debug)]
pub(super) struct WakeNotifier {
    local: Arc<dyn Wake>,
    gathered: Arc<PendingWakes>,
    /// What connects and listens, unless there is nothing to listen to.
    task: Option<JoinHandle<()>>,
}

/// Wake-ups that have not been sent to the other nodes yet.
#[derive(Debug, Default)]
struct PendingWakes {
    clients: Mutex<BTreeSet<ClientId>>,
    /// Whether a wake-up was lost because the connection failed; every client is woken then.
    is_incomplete: AtomicBool,
    notify: Notify,
}

impl WakeNotifier {
    /// Starts the task that connects and listens, with retries.
    pub(super) fn start(servers: PostgresServers, waits: &StoreTimeouts, local: Arc<dyn Wake>) -> Self {
        let server = ListenTarget { servers, patience: waits.connection };
        let gathered = Arc::<PendingWakes>::default();
        local.receives_remote_wakes(false);
        let task = tokio::spawn(run(server, Arc::clone(&local), Arc::clone(&gathered)));
        Self { local, gathered, task: Some(task) }
    }

    /// Wakes this node alone, where notifications of others cannot arrive: its waiters query instead.
    pub(super) fn of_this_node(local: Arc<dyn Wake>) -> Self {
        local.receives_remote_wakes(false);
        Self { local, gathered: Arc::default(), task: None }
    }

    /// Notifies that events were committed to the queues of these clients.
    pub(super) fn queued(&self, clients: &[ClientId]) {
        clients.iter().for_each(|client| self.local.wake_client(client));
        if self.task.is_none() {
            return;
        }
        self.gathered.clients.lock().extend(clients.iter().cloned());
        self.gathered.notify.notify_one();
    }
}

impl Drop for WakeNotifier {
    fn drop(&mut self) {
        if let Some(task) = &self.task {
            task.abort();
        }
    }
}

impl PendingWakes {
    /// Records that a wake-up was lost; the next connection wakes every client.
    fn missed(&self) {
        self.is_incomplete.store(true, Ordering::Relaxed);
        self.notify.notify_one();
    }

    /// The collected wake-ups as payloads.
    fn messages(&self) -> Vec<String> {
        let clients = std::mem::take(&mut *self.clients.lock());
        if self.is_incomplete.swap(false, Ordering::Relaxed) || clients.len() > CLIENTS_MAX {
            return vec![EVERYONE.to_owned()];
        }
        let mut messages: Vec<String> = Vec::new();
        for client in clients {
            match messages.last_mut() {
                Some(message) if message.len() + client.as_str().len() < MESSAGE_BYTES_MAX => {
                    message.push('\n');
                    message.push_str(client.as_str());
                }
                _ => messages.push(client.as_str().to_owned()),
            }
        }
        messages
    }
}

/// The server to connect to, and the time limit for its answers.
struct ListenTarget {
    servers: PostgresServers,
    patience: Duration,
}

/// Keeps a listening connection open, and opens a new one when it is lost.
async fn run(server: ListenTarget, local: Arc<dyn Wake>, gathered: Arc<PendingWakes>) {
    let mut pause = FIRST_PAUSE;
    let mut told = false;
    loop {
        let connecting = timeout(server.patience, connect(&server.servers, &local)).await;
        let ended = match connecting.map_err(Source::from).and_then(|line| Ok(line?)) {
            Ok(line) => {
                (pause, told) = (FIRST_PAUSE, false);
                local.receives_remote_wakes(true);
                // Wake-ups sent while no connection was listening are lost.
                local.wake_all();
                let ended = line.serve(&gathered, server.patience).await;
                local.receives_remote_wakes(false);
                ended
            }
            Err(error) => Some(error),
        };
        if !std::mem::replace(&mut told, true) {
            let error = ended.as_deref().map(|error| error as &dyn std::error::Error);
            tracing::warn!(error, "other nodes' notifications are not received; held polls query more often");
        }
        tokio::time::sleep(pause).await;
        pause = (pause * 2).min(PAUSE_MAX);
    }
}

/// A connection that listens.
struct ListeningConnection {
    client: Client,
    notifications: JoinHandle<()>,
}

async fn connect(servers: &PostgresServers, local: &Arc<dyn Wake>) -> Result<ListeningConnection, Error> {
    let (client, connection) = servers.connect().await?;
    let own = Arc::new(AtomicI32::new(0));
    let hearing = tokio::spawn(receive_wakes(connection, Arc::clone(local), Arc::clone(&own)));
    let unfinished = ConnectionGuard::new(&hearing);
    let process: i32 = client.query_one("SELECT pg_backend_pid()", &[]).await?.try_get(0)?;
    own.store(process, Ordering::Relaxed);
    client.batch_execute(LISTEN).await?;
    unfinished.finish();
    Ok(ListeningConnection { client, notifications: hearing })
}

/// Passes on the wake-ups of other nodes until the connection ends.
async fn receive_wakes(mut connection: ServerConnection, local: Arc<dyn Wake>, own: Arc<AtomicI32>) {
    while let Some(Ok(message)) = poll_fn(|cx| connection.poll_message(cx)).await {
        let AsyncMessage::Notification(said) = message else { continue };
        if said.process_id() == own.load(Ordering::Relaxed) {
            continue;
        }
        match said.payload() {
            EVERYONE => local.wake_all(),
            clients => clients.lines().for_each(|client| local.wake_client(&ClientId::from(client))),
        }
    }
}

impl ListeningConnection {
    /// Sends the collected wake-ups until the connection ends. Returns the cause of the end, if it is known.
    async fn serve(mut self, gathered: &PendingWakes, patience: Duration) -> Option<Source> {
        loop {
            tokio::select! {
                _ = &mut self.notifications => return None,
                () = gathered.notify.notified() => {}
            }
            tokio::time::sleep(GATHER).await;
            for message in gathered.messages() {
                let sending = timeout(patience, self.client.execute(NOTIFY, &[&message])).await;
                if let Err(error) = sending.map_err(Source::from).and_then(|sent| Ok(sent?)) {
                    gathered.missed();
                    self.notifications.abort();
                    return Some(error);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_name_each_client_once_and_fit() {
        let gathered = PendingWakes::default();
        let names: Vec<ClientId> =
            (0..500).map(|number| format!("client-{number:04}-{}", "x".repeat(30)).into()).collect();
        gathered.clients.lock().extend(names.iter().chain(&names).cloned());
        let messages = gathered.messages();
        assert!(messages.iter().all(|message| message.len() <= MESSAGE_BYTES_MAX));
        let named: Vec<ClientId> = messages.iter().flat_map(|message| message.lines()).map(ClientId::from).collect();
        assert_eq!(named, names);
        assert!(gathered.messages().is_empty(), "each is told once");
    }

    #[test]
    fn what_was_missed_is_made_up_by_telling_everyone_once() {
        let gathered = PendingWakes::default();
        gathered.clients.lock().insert("t".into());
        gathered.missed();
        assert_eq!(gathered.messages(), [EVERYONE]);
        assert!(gathered.messages().is_empty());
    }

    #[test]
    fn too_many_are_everyone() {
        let gathered = PendingWakes::default();
        gathered.clients.lock().extend((0..=CLIENTS_MAX).map(|number| ClientId::from(number.to_string())));
        assert_eq!(gathered.messages(), [EVERYONE]);
    }
}
