//! Parameters of statements and values of rows, in the types that both engines share.

use jiff::Timestamp;
use lombard_domain::grant::Digest;
use lombard_domain::instant;
use lombard_ports::store::{Source, StoreError};

/// A parameter of a statement.
#[derive(Debug, Clone)]
pub enum SqlValue<'a> {
    /// No value.
    Null,
    /// A whole number; also flags (0 or 1) and instants (microseconds since 1970).
    Integer(i64),
    /// A text.
    Text(&'a str),
    /// An owned text.
    Owned(String),
    /// Bytes.
    Bytes(&'a [u8]),
    /// 32 bytes.
    Digest([u8; 32]),
    /// A list of texts: an array on PostgreSQL, a JSON array on SQLite.
    List(Vec<&'a str>),
    /// Owned bytes.
    OwnedBytes(Vec<u8>),
    /// A list of owned texts.
    OwnedList(Vec<String>),
    /// A column of a set of rows, on PostgreSQL only: whole numbers.
    Integers(Vec<Option<i64>>),
    /// A column of a set of rows, on PostgreSQL only: texts.
    Texts(Vec<Option<String>>),
}

impl SqlValue<'_> {
    /// The same value without borrowed data, for a statement that is sent after its caller has continued.
    pub(crate) fn to_static(&self) -> SqlValue<'static> {
        match self {
            Self::Null => SqlValue::Null,
            Self::Integer(value) => SqlValue::Integer(*value),
            Self::Text(text) => SqlValue::Owned((*text).to_owned()),
            Self::Owned(text) => SqlValue::Owned(text.clone()),
            Self::Bytes(bytes) => SqlValue::OwnedBytes(bytes.to_vec()),
            Self::OwnedBytes(bytes) => SqlValue::OwnedBytes(bytes.clone()),
            Self::Digest(bytes) => SqlValue::Digest(*bytes),
            Self::List(texts) => SqlValue::OwnedList(texts.iter().map(|text| (*text).to_owned()).collect()),
            Self::OwnedList(texts) => SqlValue::OwnedList(texts.clone()),
            Self::Integers(values) => SqlValue::Integers(values.clone()),
            Self::Texts(texts) => SqlValue::Texts(texts.clone()),
        }
    }

    /// Turns rows into columns, for a statement that takes a set of rows as one array for each column. A column in which every
    /// value is absent counts as a column of texts, unless it is sent with another type.
    pub(crate) fn columns(rows: &[Vec<SqlValue<'_>>]) -> Vec<SqlValue<'static>> {
        let width = rows.first().map_or(0, Vec::len);
        let column = |place: usize| {
            let cells = || rows.iter().map(move |row| row.get(place));
            let number = |cell: Option<&SqlValue<'_>>| match cell {
                Some(SqlValue::Integer(value)) => Some(*value),
                _ => None,
            };
            if cells().any(|cell| number(cell).is_some()) {
                SqlValue::Integers(cells().map(number).collect())
            } else {
                SqlValue::Texts(cells().map(|cell| cell?.as_text().map(str::to_owned)).collect())
            }
        };
        (0..width).map(column).collect()
    }

    /// The value as text; `None` if it is not a text.
    pub(crate) fn as_text(&self) -> Option<&str> {
        match self {
            Self::Text(text) => Some(text),
            Self::Owned(text) => Some(text),
            _ => None,
        }
    }

    /// Whether both values are equal, so that a statement with the other value is the same statement.
    pub(crate) fn is_same(&self, other: &SqlValue<'_>) -> bool {
        if let (Some(mine), Some(theirs)) = (self.as_text(), other.as_text()) {
            return mine == theirs;
        }
        if let (Some(mine), Some(theirs)) = (self.as_bytes(), other.as_bytes()) {
            return mine == theirs;
        }
        match (self, other) {
            (Self::Null, SqlValue::Null) => true,
            (Self::Integer(mine), SqlValue::Integer(theirs)) => mine == theirs,
            (Self::OwnedList(mine), SqlValue::List(theirs)) => mine == theirs,
            (Self::OwnedList(mine), SqlValue::OwnedList(theirs)) => mine == theirs,
            (Self::List(mine), SqlValue::List(theirs)) => mine == theirs,
            (Self::List(mine), SqlValue::OwnedList(theirs)) => mine == theirs,
            (Self::Integers(mine), SqlValue::Integers(theirs)) => mine == theirs,
            (Self::Texts(mine), SqlValue::Texts(theirs)) => mine == theirs,
            _ => false,
        }
    }

    fn as_bytes(&self) -> Option<&[u8]> {
        match self {
            Self::Bytes(bytes) => Some(bytes),
            Self::OwnedBytes(bytes) => Some(bytes),
            Self::Digest(bytes) => Some(bytes),
            _ => None,
        }
    }
}

impl From<i64> for SqlValue<'_> {
    fn from(value: i64) -> Self {
        Self::Integer(value)
    }
}

impl From<bool> for SqlValue<'_> {
    fn from(value: bool) -> Self {
        Self::Integer(i64::from(value))
    }
}

impl From<Timestamp> for SqlValue<'_> {
    fn from(value: Timestamp) -> Self {
        Self::Integer(instant::to_micros(value))
    }
}

impl From<Digest> for SqlValue<'_> {
    fn from(value: Digest) -> Self {
        Self::Digest(value.0)
    }
}

impl From<String> for SqlValue<'_> {
    fn from(value: String) -> Self {
        Self::Owned(value)
    }
}

/// Converts ids and texts.
impl<'a, T: AsRef<str> + ?Sized> From<&'a T> for SqlValue<'a> {
    fn from(value: &'a T) -> Self {
        Self::Text(value.as_ref())
    }
}

/// A value that may be absent.
pub fn optional<'a, T: Into<SqlValue<'a>>>(value: Option<T>) -> SqlValue<'a> {
    value.map_or(SqlValue::Null, Into::into)
}

/// A value of a row, borrowed from the engine.
#[derive(Debug, Clone, Copy)]
pub(crate) enum SqlCell<'a> {
    Null,
    Integer(i64),
    Text(&'a str),
    Bytes(&'a [u8]),
}

/// A row of an engine.
pub(crate) trait SqlCells {
    /// The value in a column, counted from 0.
    fn cell(&self, column: usize) -> Result<SqlCell<'_>, Source>;
}

/// A row whose columns are read one after the other, in the order of the statement. The first column is the row's id in errors.
pub struct SqlRow<'r> {
    table: &'static str,
    cells: &'r dyn SqlCells,
    /// The index of the column with the row's id.
    id: usize,
    next: usize,
}

impl std::fmt::Debug for SqlRow<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Row").field("table", &self.table).field("next", &self.next).finish_non_exhaustive()
    }
}

impl<'r> SqlRow<'r> {
    pub(crate) fn new(table: &'static str, cells: &'r dyn SqlCells) -> Self {
        Self { table, cells, id: 0, next: 0 }
    }

    /// Declares that the next columns belong to a row of this table and begin with its id. Later errors name that row.
    pub fn enter_table(&mut self, table: &'static str) {
        (self.table, self.id) = (table, self.next);
    }

    fn take(&mut self) -> Result<SqlCell<'r>, StoreError> {
        let column = self.next;
        self.next += 1;
        self.cells.cell(column).map_err(|source| self.corrupt(source))
    }

    /// The error for a row that cannot be read.
    pub fn corrupt(&self, source: impl Into<Source>) -> StoreError {
        let id = match self.cells.cell(self.id) {
            Ok(SqlCell::Text(id)) => id.to_owned(),
            Ok(SqlCell::Integer(id)) => id.to_string(),
            Ok(SqlCell::Bytes(_) | SqlCell::Null) | Err(_) => String::from("?"),
        };
        StoreError::Corrupt { table: self.table, id, source: source.into() }
    }

    fn wrong(&self, expected: &str) -> StoreError {
        self.corrupt(format!("column {} is not {expected}", self.next))
    }

    /// Reads a text.
    ///
    /// # Errors
    /// [`StoreError::Corrupt`] when the column is something else.
    pub fn text(&mut self) -> Result<&'r str, StoreError> {
        self.text_or_null()?.ok_or_else(|| self.wrong("a text"))
    }

    /// Like [`Self::text`], for a text that may be absent.
    ///
    /// # Errors
    /// [`StoreError::Corrupt`] when the column is something else.
    pub fn text_or_null(&mut self) -> Result<Option<&'r str>, StoreError> {
        match self.take()? {
            SqlCell::Null => Ok(None),
            SqlCell::Text(text) => Ok(Some(text)),
            SqlCell::Integer(_) | SqlCell::Bytes(_) => Err(self.wrong("a text")),
        }
    }

    /// Reads a whole number.
    ///
    /// # Errors
    /// [`StoreError::Corrupt`] when the column is something else.
    pub fn integer(&mut self) -> Result<i64, StoreError> {
        self.integer_or_null()?.ok_or_else(|| self.wrong("an integer"))
    }

    /// Like [`Self::integer`], for a number that may be absent.
    ///
    /// # Errors
    /// [`StoreError::Corrupt`] when the column is something else.
    pub fn integer_or_null(&mut self) -> Result<Option<i64>, StoreError> {
        match self.take()? {
            SqlCell::Null => Ok(None),
            SqlCell::Integer(value) => Ok(Some(value)),
            SqlCell::Text(_) | SqlCell::Bytes(_) => Err(self.wrong("an integer")),
        }
    }

    /// Reads bytes.
    ///
    /// # Errors
    /// [`StoreError::Corrupt`] when the column is something else.
    pub fn bytes(&mut self) -> Result<&'r [u8], StoreError> {
        match self.take()? {
            SqlCell::Bytes(bytes) => Ok(bytes),
            SqlCell::Null | SqlCell::Integer(_) | SqlCell::Text(_) => Err(self.wrong("bytes")),
        }
    }

    /// Reads an id, or another value that is converted from text without a check.
    ///
    /// # Errors
    /// [`StoreError::Corrupt`] when the column is not a text.
    pub fn id<T: From<&'r str>>(&mut self) -> Result<T, StoreError> {
        self.text().map(T::from)
    }

    /// Like [`Self::id`], for an id that may be absent.
    ///
    /// # Errors
    /// [`StoreError::Corrupt`] when the column is not a text.
    pub fn id_or_null<T: From<&'r str>>(&mut self) -> Result<Option<T>, StoreError> {
        Ok(self.text_or_null()?.map(T::from))
    }

    /// Reads a text and parses it by a function.
    ///
    /// # Errors
    /// [`StoreError::Corrupt`] with the function's reason if it fails.
    pub fn parsed<T, E: Into<Source>>(&mut self, parse: impl FnOnce(&'r str) -> Result<T, E>) -> Result<T, StoreError> {
        parse(self.text()?).map_err(|source| self.corrupt(source))
    }

    /// Like [`Self::parsed`], for a text that may be absent.
    ///
    /// # Errors
    /// [`StoreError::Corrupt`] if the function fails.
    pub fn parsed_or_null<T, E: Into<Source>>(
        &mut self,
        parse: impl FnOnce(&'r str) -> Result<T, E>,
    ) -> Result<Option<T>, StoreError> {
        self.text_or_null()?.map(parse).transpose().map_err(|source| self.corrupt(source))
    }

    /// Reads a count, or another number that is never negative.
    ///
    /// # Errors
    /// [`StoreError::Corrupt`] when it is out of range.
    pub fn number<T: TryFrom<i64>>(&mut self) -> Result<T, StoreError> {
        let value = self.integer()?;
        T::try_from(value).map_err(|_| self.wrong("a number in its range"))
    }

    /// Reads a flag: 0 is `false`, any other number is `true`.
    ///
    /// # Errors
    /// [`StoreError::Corrupt`] when the column is not a number.
    pub fn flag(&mut self) -> Result<bool, StoreError> {
        self.integer().map(|value| value != 0)
    }

    /// Reads an instant from microseconds since 1970.
    ///
    /// # Errors
    /// [`StoreError::Corrupt`] when the number is out of range.
    pub fn instant(&mut self) -> Result<Timestamp, StoreError> {
        self.instant_or_null()?.ok_or_else(|| self.wrong("an instant"))
    }

    /// Like [`Self::instant`], for an instant that may be absent.
    ///
    /// # Errors
    /// [`StoreError::Corrupt`] when the number is out of range.
    pub fn instant_or_null(&mut self) -> Result<Option<Timestamp>, StoreError> {
        let instant = self.integer_or_null()?.map(instant::from_micros).transpose();
        instant.map_err(|source| self.corrupt(source))
    }

    /// Reads a digest of 32 bytes.
    ///
    /// # Errors
    /// [`StoreError::Corrupt`] when the column has fewer or more bytes.
    pub fn digest(&mut self) -> Result<Digest, StoreError> {
        let bytes = self.bytes()?;
        bytes.try_into().map(Digest).map_err(|_| self.wrong("32 bytes"))
    }
}
