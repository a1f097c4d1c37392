//! The outbox of events.

use super::session::{Session, Sql};
use super::statement::{both, statements};
use lombard_domain::event::Event;
use lombard_domain::ids::ClientId;
use lombard_ports::store::{EventQueue, StoreError};

statements! { "events" =>
    APPEND = both("INSERT INTO events (id, client_id, cause, occurred_at, claims) VALUES ($1, $2, $3, $4, $5)");
    OF_CLIENT = both(
        "SELECT id, client_id, cause, occurred_at, claims FROM events WHERE client_id = $1 \
         ORDER BY occurred_at, id LIMIT $2");
}

impl<S: Sql> EventQueue for Session<S> {
    fn event_append(&mut self, event: &Event) -> Result<(), StoreError> {
        let parameters = [
            (&event.id).into(),
            (&event.client).into(),
            (&event.cause).into(),
            event.occurred_at.into(),
            (&event.claims).into(),
        ];
        self.execute(&APPEND, &parameters).map(drop)
    }

    fn events(&mut self, client: &ClientId, limit: u32) -> Result<Vec<Event>, StoreError> {
        self.all(&OF_CLIENT, &[client.into(), i64::from(limit).into()], |row| {
            Ok(Event {
                id: row.id()?,
                client: row.id()?,
                cause: row.id()?,
                occurred_at: row.instant()?,
                claims: row.id()?,
            })
        })
    }
}
