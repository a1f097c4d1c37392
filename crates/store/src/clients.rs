//! Registered clients.

use crate::rows::Rows;
use lombard_database::document;
use lombard_database::readable::{first_readable, leave_out};
use lombard_database::statement::both;
use lombard_database::statements;
use lombard_database::value::{SqlRow, SqlValue, optional};
use lombard_domain::backchannel::BackchannelDelivery;
use lombard_domain::client::{Client, ClientAuthentication, ClientStatus, Jwks, KeySetAddress};
use lombard_domain::code::StoredCode;
use lombard_domain::ids::ClientId;
use lombard_domain::scope::TppRole;
use lombard_domain::security_profile::{SecurityProfile, SignedMessages};
use lombard_ports::store::{
    ClientHolder, ClientPage, ClientRegistration, ClientStore, SoftwareClientLimits, StoreError,
};

/// The columns that an update may change, in the order of [`parameters`], each with this prefix.
macro_rules! changeable_client_columns {
    ($of:literal) => {
        lombard_database::listed_columns!(
            $of,
            status,
            org_id,
            org_name,
            software_id,
            software_name,
            on_behalf_of,
            roles,
            redirect_uris,
            tls_subject_dn,
            jwks,
            jwks_url,
            jwks_revoked_url,
            software_statement,
            headless_psu_id,
            backchannel,
            registration,
            profile,
            signed_messages,
            epoch
        )
    };
}

/// The columns that [`read`] reads, each with this prefix: empty, or the name of the table and a dot if other tables are joined.
macro_rules! client_columns {
    ($of:literal) => {
        concat!($of, "id, ", $crate::clients::changeable_client_columns!($of), ", ", $of, "created_at")
    };
}

pub(crate) use {changeable_client_columns, client_columns};

statements! { "clients" =>
    INSERT = both(concat!("INSERT INTO clients (", changeable_client_columns!(""),
        ", id, created_at) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21)"));
    UPDATE = both(
        "UPDATE clients SET status = $1, org_id = $2, org_name = $3, software_id = $4, software_name = $5, \
         on_behalf_of = $6, roles = $7, redirect_uris = $8, tls_subject_dn = $9, jwks = $10, \
         jwks_url = $11, jwks_revoked_url = $12, software_statement = $13, headless_psu_id = $14, backchannel = $15, \
         registration = $16, profile = $17, signed_messages = $18, epoch = $19 WHERE id = $20 AND epoch < $19");
    BY_ID = both(concat!("SELECT ", client_columns!(""), " FROM clients WHERE id = $1"));
    ALL = both(concat!("SELECT ", client_columns!(""), " FROM clients ORDER BY id"));
    IDS = both("SELECT id FROM clients ORDER BY id");
    STATUS = both("SELECT status FROM clients WHERE id = $1");
    NAMED = both(concat!("SELECT ", client_columns!(""),
        " FROM clients WHERE id = $1 OR software_id = $1 OR software_name = $1 OR org_name = $1 ORDER BY id LIMIT $2"));
    OF_ORGANISATION = both(concat!("SELECT ", client_columns!(""),
        " FROM clients WHERE org_id = $1 AND status = 'active' ORDER BY id LIMIT $2"));
    ACTIVE_OF_SOFTWARE = both(concat!("SELECT ", client_columns!(""),
        " FROM clients WHERE software_id = $1 AND status = 'active' ORDER BY id LIMIT $2"));
    // The software's row is locked until the transaction ends, whether it is new or existed before.
    SOFTWARE = both("INSERT INTO registered_software (software_id) VALUES ($1) \
         ON CONFLICT (software_id) DO UPDATE SET software_id = excluded.software_id");
    OF_SOFTWARE = both("SELECT COUNT(CASE WHEN status <> $1 THEN 1 END), COUNT(CASE WHEN created_at > $2 THEN 1 END) \
         FROM clients WHERE software_id = $3 AND (directory IS NULL OR directory = $4)");
    SET_DIRECTORY = both("UPDATE clients SET directory = $1 WHERE id = $2");
    PAGE = both(concat!("SELECT id, ", client_columns!(""), " FROM clients WHERE id > $1 ORDER BY id LIMIT $2"));
}

impl ClientStore for Rows<'_, '_> {
    fn client_insert(&mut self, client: &Client) -> Result<(), StoreError> {
        let mut parameters = parameters(client);
        parameters.push(client.created_at.into());
        self.execute_later(&INSERT, &parameters)
    }

    fn client_register(
        &mut self,
        client: &Client,
        directory: &str,
        limits: SoftwareClientLimits,
    ) -> Result<ClientRegistration, StoreError> {
        self.execute(&SOFTWARE, &[(&client.software_id).into()])?;
        let deleted = ClientStatus::Deleted.code();
        let parameters = [deleted.into(), limits.recent_since.into(), (&client.software_id).into(), directory.into()];
        let counted = self.one(&OF_SOFTWARE, &parameters, |row| Ok((row.integer()?, row.integer()?)))?;
        let (live, recent): (i64, i64) = counted.unwrap_or_default();
        if live >= i64::from(limits.live_max) {
            return Ok(ClientRegistration::TooManyLive);
        }
        if recent >= i64::from(limits.recent_max) {
            return Ok(ClientRegistration::TooManyRecent);
        }
        self.client_insert(client)?;
        self.execute(&SET_DIRECTORY, &[directory.into(), (&client.id).into()])?;
        Ok(ClientRegistration::Added)
    }

    fn client_update(&mut self, client: &Client) -> Result<(), StoreError> {
        if self.execute(&UPDATE, &parameters(client))? == 1 {
            // The status or the scopes may have changed, which held polls must notice.
            self.queued_for([&client.id].into_iter());
            return Ok(());
        }
        match self.client(&client.id)? {
            // The client was changed after it was read.
            Some(_) => Err(self.fail(StoreError::Contended)),
            None => Err(self.no_row(&UPDATE, client.id.as_str())),
        }
    }

    fn client(&mut self, id: &ClientId) -> Result<Option<Client>, StoreError> {
        self.one(&BY_ID, &[id.into()], read)
    }

    fn client_may_act(&mut self, id: &ClientId) -> Result<bool, StoreError> {
        let status = self.one(&STATUS, &[id.into()], |row| row.parsed(ClientStatus::decode))?;
        Ok(status == Some(ClientStatus::Active))
    }

    fn clients_named(&mut self, name: &str, limit: u32) -> Result<Vec<Client>, StoreError> {
        first_readable(limit, |count| self.all(&NAMED, &[name.into(), count.into()], |row| Ok(read(row))))
    }

    fn clients_of(&mut self, holder: &ClientHolder, limit: u32) -> Result<Vec<Client>, StoreError> {
        let (statement, id) = match holder {
            ClientHolder::Organisation(id) => (&OF_ORGANISATION, id.as_str()),
            ClientHolder::Software(id) => (&ACTIVE_OF_SOFTWARE, id.as_str()),
        };
        first_readable(limit, |count| self.all(statement, &[id.into(), count.into()], |row| Ok(read(row))))
    }

    fn clients_page(&mut self, after: Option<&ClientId>, limit: u32) -> Result<ClientPage, StoreError> {
        let after = after.map(ClientId::as_str).unwrap_or_default();
        let parameters = [after.into(), i64::from(limit).into()];
        let found = self.all(&PAGE, &parameters, |row| Ok((row.id::<ClientId>()?, read(row))))?;
        let is_full = u32::try_from(found.len()).is_ok_and(|count| count >= limit);
        let next = found.last().filter(|_| is_full).map(|(id, _)| id.clone());
        Ok(ClientPage { clients: leave_out(found.into_iter().map(|(_, client)| client).collect()), next })
    }

    fn clients(&mut self) -> Result<Vec<Client>, StoreError> {
        let found = self.all(&ALL, &[], |row| Ok(read(row)))?;
        Ok(leave_out(found))
    }

    fn client_ids(&mut self) -> Result<Vec<ClientId>, StoreError> {
        self.all(&IDS, &[], |row| row.id())
    }
}

/// Reads the columns of a client.
pub(super) fn read(row: &mut SqlRow<'_>) -> Result<Client, StoreError> {
    Ok(Client {
        id: row.id()?,
        status: row.parsed(ClientStatus::decode)?,
        org_id: row.id()?,
        org_name: row.id()?,
        software_id: row.id()?,
        software_name: row.id()?,
        on_behalf_of: row.id_or_null()?,
        roles: row.parsed(|text| {
            let role = |name| TppRole::from_name(name).ok_or("a role is not known to this program");
            text.split_whitespace().map(role).collect::<Result<_, _>>()
        })?,
        redirect_uris: row.parsed(document::read)?,
        authentication: match row.text_or_null()? {
            Some(subject_dn) => ClientAuthentication::TlsClientAuth { subject_dn: subject_dn.to_owned() },
            None => ClientAuthentication::PrivateKeyJwt,
        },
        jwks: {
            let document = row.id()?;
            let (url, revoked_url) = (row.id_or_null()?, row.id_or_null()?);
            url.map_or(Jwks::Local(document), |url| Jwks::Remote(KeySetAddress { url, revoked_url }))
        },
        software_statement: row.id()?,
        headless: row.id_or_null()?,
        backchannel: row.parsed_or_null(backchannel)?,
        registration: row.parsed_or_null(document::read)?,
        // Rows of earlier releases have no value here.
        profile: row
            .parsed_or_null(|name| SecurityProfile::from_name(name).ok_or("the profile is not known to this program"))?
            .unwrap_or_default(),
        signed_messages: row.parsed_or_null(signed_messages)?.unwrap_or_default(),
        epoch: row.integer()?,
        created_at: row.instant()?,
    })
}

/// The values of the columns that an update may change, and the client's id.
fn parameters(client: &Client) -> Vec<SqlValue<'_>> {
    vec![
        client.status.code().into(),
        (&client.org_id).into(),
        (&client.org_name).into(),
        (&client.software_id).into(),
        (&client.software_name).into(),
        optional(client.on_behalf_of.as_ref()),
        roles(client).into(),
        document::write(&client.redirect_uris).into(),
        optional(subject_dn(client)),
        client.jwks.local().unwrap_or_default().into(),
        optional(client.jwks.address().map(|address| address.url.as_str())),
        optional(client.jwks.address().and_then(|address| address.revoked_url.as_deref())),
        (&client.software_statement).into(),
        optional(client.headless.as_ref()),
        optional(client.backchannel.as_ref().map(backchannel_text)),
        optional(client.registration.as_ref().map(document::write)),
        client.profile.name().into(),
        client.signed_messages.names().join(" ").into(),
        client.epoch.into(),
        (&client.id).into(),
    ]
}

fn signed_messages(text: &str) -> Result<SignedMessages, &'static str> {
    let names = text.split_whitespace();
    SignedMessages::from_names(names).ok_or("a kind of signed messages is not known to this program")
}

fn backchannel(text: &str) -> Result<BackchannelDelivery, &'static str> {
    match text.split_once(' ') {
        None if text == "poll" => Ok(BackchannelDelivery::Poll),
        Some(("ping", endpoint)) => Ok(BackchannelDelivery::Ping { endpoint: endpoint.to_owned() }),
        _ => Err("the backchannel registration is not known to this program"),
    }
}

fn backchannel_text(delivery: &BackchannelDelivery) -> String {
    match delivery {
        BackchannelDelivery::Poll => delivery.name().to_owned(),
        BackchannelDelivery::Ping { endpoint } => format!("{} {endpoint}", delivery.name()),
    }
}

fn roles(client: &Client) -> String {
    let names: Vec<_> = client.roles.iter().map(|role| role.name()).collect();
    names.join(" ")
}

fn subject_dn(client: &Client) -> Option<&str> {
    match &client.authentication {
        ClientAuthentication::PrivateKeyJwt => None,
        ClientAuthentication::TlsClientAuth { subject_dn } => Some(subject_dn),
    }
}
