//! Page cursors: the start of a page, encrypted so that a cursor is valid only for the query that it was made for. Source:
//! RW-275.
//!
//! A cursor contains direction, as-of point, sort key and the bank's id. It is encrypted, because the bank's ids must not leave
//! the server; the encryption also binds it to consent, resource, account, statement and filters. The result is base64url. The
//! cipher is resistant to nonce reuse, so a constant nonce is used: the same position in the same query always has the same
//! cursor.

use super::{ReadTarget, ResourceQuery};
use aws_lc_rs::aead::{AES_256_GCM_SIV, Aad, LessSafeKey, NONCE_LEN, Nonce, UnboundKey};
use aws_lc_rs::hmac;
use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use jiff::Timestamp;
use lombard_domain::ids::ConsentId;
use lombard_domain::page::{Direction, ListWindow, Page, Position};
use lombard_domain::refusal::{Fault, FaultCode, FaultLocation, Refusal};

/// The longest cursor that is decoded, in characters; valid cursors are much shorter.
const CURSOR_CHARS_MAX: usize = 1_024;

/// Encodes and decodes the cursors of one query.
#[derive(Debug)]
pub(super) struct Cursors<'a> {
    pub(super) key: &'a [u8],
    pub(super) consent: &'a ConsentId,
    pub(super) resource: &'static str,
    pub(super) within: &'a ReadTarget,
    pub(super) query: &'a ResourceQuery,
}

impl Cursors<'_> {
    /// The window that the query requests.
    ///
    /// # Errors
    /// A fault at `pg` if the cursor does not belong to this query.
    pub(super) fn window(&self) -> Result<ListWindow, Refusal> {
        let Some(text) = &self.query.page else { return Ok(ListWindow::first_page(self.query.page_size)) };
        self.open(text).ok_or_else(|| {
            let message = "Must be a page of this list, as given in Links.";
            Refusal::invalid(vec![Fault::at(FaultCode::FieldInvalid, FaultLocation::Query("pg"), message)])
        })
    }

    /// The cursors of the pages before and after a page.
    pub(super) fn around<T>(&self, page: &Page<T>) -> (Option<String>, Option<String>) {
        let seal = |direction, position: &Option<Position>| {
            position.as_ref().and_then(|position| self.seal(direction, position, page.as_of))
        };
        (seal(Direction::Prev, &page.prev), seal(Direction::Next, &page.next))
    }

    /// Encrypts a cursor. `None` only if the cryptographic library fails; then the page has no link to the neighbouring page.
    fn seal(&self, direction: Direction, position: &Position, as_of: i64) -> Option<String> {
        let mut place = Vec::with_capacity(33_usize.saturating_add(position.id.len()));
        place.push(match direction {
            Direction::Next => 0,
            Direction::Prev => 1,
        });
        place.extend(as_of.to_be_bytes());
        place.extend(position.at.as_microsecond().to_be_bytes());
        place.extend(position.id.as_bytes());
        self.cipher()?.seal_in_place_append_tag(no_nonce(), Aad::from(self.bound_to()), &mut place).ok()?;
        Some(URL_SAFE_NO_PAD.encode(place))
    }

    fn open(&self, text: &str) -> Option<ListWindow> {
        if text.len() > CURSOR_CHARS_MAX {
            return None;
        }
        let mut sealed = URL_SAFE_NO_PAD.decode(text).ok()?;
        let place = self.cipher()?.open_in_place(no_nonce(), Aad::from(self.bound_to()), &mut sealed).ok()?;
        let (direction, rest) = place.split_first()?;
        let direction = match direction {
            0 => Direction::Next,
            1 => Direction::Prev,
            _ => return None,
        };
        let (as_of, rest) = rest.split_first_chunk()?;
        let (micros, id) = rest.split_first_chunk()?;
        let at = Timestamp::from_microsecond(i64::from_be_bytes(*micros)).ok()?;
        let id = std::str::from_utf8(id).ok()?.to_owned();
        Some(ListWindow {
            from: Some((direction, Position { at, id })),
            as_of: Some(i64::from_be_bytes(*as_of)),
            size: self.query.page_size,
        })
    }

    /// The cipher under a key derived for cursors. The input from which account ids are derived starts with a length; this text
    /// keeps the two uses of the configured key apart.
    fn cipher(&self) -> Option<LessSafeKey> {
        let key = hmac::sign(&hmac::Key::new(hmac::HMAC_SHA256, self.key), b"lombard page cursor");
        Some(LessSafeKey::new(UnboundKey::new(&AES_256_GCM_SIV, key.as_ref()).ok()?))
    }

    /// The values to which a cursor is bound: each part, preceded by its length.
    fn bound_to(&self) -> Vec<u8> {
        let instant = |time: Option<Timestamp>| time.map(|time| time.as_nanosecond().to_be_bytes());
        let (from, to) = (instant(self.query.from), instant(self.query.to));
        let parts: [&[u8]; 6] = [
            self.consent.as_str().as_bytes(),
            self.resource.as_bytes(),
            self.within.account().map_or(&[], |account| account.as_str().as_bytes()),
            self.within.statement().map_or(&[], |statement| statement.as_str().as_bytes()),
            from.as_ref().map_or(&[], |from| from),
            to.as_ref().map_or(&[], |to| to),
        ];
        parts.into_iter().flat_map(|part| part.iter().copied().chain(part.len().to_be_bytes())).collect()
    }
}

/// The cipher's nonce, always the same.
fn no_nonce() -> Nonce {
    Nonce::assume_unique_for_key([0; NONCE_LEN])
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn query(page: Option<String>) -> ResourceQuery {
        ResourceQuery { page, ..ResourceQuery::first_page(100) }
    }

    fn cursors<'a>(consent: &'a ConsentId, query: &'a ResourceQuery) -> Cursors<'a> {
        Cursors { key: b"key", consent, resource: "transactions", within: &ReadTarget::Consent, query }
    }

    fn sealed(query: &ResourceQuery) -> String {
        let position = Position { at: Timestamp::UNIX_EPOCH, id: "t-1".into() };
        cursors(&ConsentId::from("c"), query).seal(Direction::Next, &position, 7).unwrap()
    }

    #[test]
    fn rw_275_a_cursor_leads_back_to_its_place() {
        let text = sealed(&query(None));
        let asked = query(Some(text));
        let window = cursors(&ConsentId::from("c"), &asked).window().unwrap();
        let position = Position { at: Timestamp::UNIX_EPOCH, id: "t-1".into() };
        assert_eq!(window, ListWindow { from: Some((Direction::Next, position)), as_of: Some(7), size: 100 });
    }

    #[test]
    fn ais_087_a_cursor_tells_nothing_and_is_the_same_each_time() {
        let text = sealed(&query(None));
        let bytes = URL_SAFE_NO_PAD.decode(&text).unwrap();
        assert!(!bytes.windows(3).any(|window| window == b"t-1"));
        assert_eq!(text, sealed(&query(None)));
    }

    #[test]
    fn rw_275_a_cursor_of_another_query_is_refused() {
        let text = sealed(&query(None));
        let (mine, other) = (ConsentId::from("c"), ConsentId::from("d"));
        let account = ReadTarget::Account("a".into());
        let statement = ReadTarget::Statement("a".into(), "s".into());
        let asked = query(Some(text.clone()));
        let filtered = ResourceQuery { from: Some(Timestamp::UNIX_EPOCH), ..asked.clone() };
        let ended = ResourceQuery { to: Some(Timestamp::UNIX_EPOCH), ..asked.clone() };
        for foreign in [
            cursors(&other, &asked),
            Cursors { resource: "balances", ..cursors(&mine, &asked) },
            Cursors { within: &account, ..cursors(&mine, &asked) },
            Cursors { within: &statement, ..cursors(&mine, &asked) },
            Cursors { key: b"yek", ..cursors(&mine, &asked) },
            cursors(&mine, &filtered),
            cursors(&mine, &ended),
        ] {
            let refusal = foreign.window().unwrap_err();
            assert_eq!(refusal.faults[0].code, FaultCode::FieldInvalid);
            assert_eq!(refusal.faults[0].at, Some(FaultLocation::Query("pg")));
        }
        assert!(cursors(&mine, &asked).window().is_ok());
    }

    proptest! {
        #[test]
        fn rw_275_a_garbled_cursor_is_refused(at in 0_usize..48, with in "[A-Za-z0-9_-]") {
            let text = sealed(&query(None));
            let mut garbled = text.clone();
            let at = at % garbled.len();
            garbled.replace_range(at..=at, &with);
            prop_assume!(garbled != text);
            let asked = query(Some(garbled));
            prop_assert!(cursors(&ConsentId::from("c"), &asked).window().is_err());
        }

        #[test]
        fn any_text_is_a_cursor_or_refused(text in "\\PC{0,600}") {
            let asked = query(Some(text));
            prop_assert!(cursors(&ConsentId::from("c"), &asked).window().is_err());
        }
    }
}
