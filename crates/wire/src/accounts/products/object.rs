//! Serialises objects member by member: one domain type in three dialects, without absent or empty members (RW-245).

use super::dialect::{Dialect, DialectWord};
use lombard_domain::account::product::{CodeOrOther, OtherCode};
use serde::ser::{Serialize, SerializeMap, Serializer};

/// A value in a dialect.
#[derive(Debug, Clone, Copy)]
pub(super) struct InDialect<'a, T: ?Sized>(pub(super) Dialect, pub(super) &'a T);

/// An object that is being serialised.
#[derive(Debug)]
pub(super) struct ObjectWriter<M> {
    dialect: Dialect,
    members: M,
}

impl<M: SerializeMap> ObjectWriter<M> {
    /// Starts an object.
    pub(super) fn begin<S>(dialect: Dialect, serializer: S) -> Result<Self, S::Error>
    where
        S: Serializer<SerializeMap = M>,
    {
        Ok(Self { dialect, members: serializer.serialize_map(None)? })
    }

    /// Writes a member that is always present.
    pub(super) fn put<T: Serialize + ?Sized>(&mut self, name: &'static str, value: &T) -> Result<(), M::Error> {
        self.members.serialize_entry(name, value)
    }

    /// Writes an optional member.
    pub(super) fn maybe<T: Serialize>(&mut self, name: &'static str, value: Option<T>) -> Result<(), M::Error> {
        value.map_or(Ok(()), |value| self.put(name, &value))
    }

    /// Writes a list, unless it is empty.
    pub(super) fn list<T: Serialize>(
        &mut self,
        name: &'static str,
        items: impl IntoIterator<Item = T>,
    ) -> Result<(), M::Error> {
        let items: Vec<T> = items.into_iter().collect();
        if items.is_empty() { Ok(()) } else { self.put(name, &items) }
    }

    /// Writes a code; omitted if the dialect has none for the value.
    pub(super) fn word<T: DialectWord>(&mut self, name: &'static str, word: Option<T>) -> Result<(), M::Error> {
        self.maybe(name, word.and_then(|word| word.in_dialect(self.dialect)))
    }

    /// Writes a code, or `Other` with its explanation in a second member.
    pub(super) fn choice<T: DialectWord>(
        &mut self,
        name: &'static str,
        other_name: &'static str,
        choice: &CodeOrOther<T>,
    ) -> Result<(), M::Error> {
        let said = dialect_code(self.dialect, choice);
        self.maybe(name, said.word)?;
        self.maybe(other_name, said.explained)
    }

    /// Writes an optional choice.
    pub(super) fn maybe_choice<T: DialectWord>(
        &mut self,
        name: &'static str,
        other_name: &'static str,
        choice: Option<&CodeOrOther<T>>,
    ) -> Result<(), M::Error> {
        choice.map_or(Ok(()), |choice| self.choice(name, other_name, choice))
    }

    /// Ends the object.
    pub(super) fn end(self) -> Result<M::Ok, M::Error> {
        self.members.end()
    }
}

/// The result of writing a choice in a dialect.
#[derive(Debug, Clone, Copy)]
pub(super) struct DialectCode<'a> {
    pub(super) word: Option<&'static str>,
    pub(super) explained: Option<Explained<'a>>,
}

/// The dialect's code, or else its `Other` with an explanation, or else `None`.
pub(super) fn dialect_code<T: DialectWord>(dialect: Dialect, choice: &CodeOrOther<T>) -> DialectCode<'_> {
    let other = |what| match T::other_in(dialect) {
        Some(word) => DialectCode { word: Some(word), explained: Some(Explained { dialect, what, category: None }) },
        None => DialectCode { word: None, explained: None },
    };
    match choice {
        CodeOrOther::Other(code) => other(OtherCodeKind::Code(code)),
        CodeOrOther::Listed(value) => match value.in_dialect(dialect) {
            Some(word) => DialectCode { word: Some(word), explained: None },
            None => other(OtherCodeKind::Label(value.label())),
        },
    }
}

/// The explanation beside `Other`. Source: `OB_OtherCodeType1_0`, `OB_OtherFeeChargeDetailType`.
#[derive(Debug, Clone, Copy)]
pub(super) struct Explained<'a> {
    dialect: Dialect,
    what: OtherCodeKind<'a>,
    category: Option<&'static str>,
}

#[derive(Debug, Clone, Copy)]
enum OtherCodeKind<'a> {
    Code(&'a OtherCode),
    /// The label of a listed value that has no code in this dialect.
    Label(&'static str),
}

impl<'a> Explained<'a> {
    /// The bank's own code and description.
    pub(super) const fn code(dialect: Dialect, code: &'a OtherCode) -> Self {
        Self { dialect, what: OtherCodeKind::Code(code), category: None }
    }

    /// The explanation with the code of the fee's category.
    pub(super) const fn of_category(self, category: Option<&'static str>) -> Self {
        Self { category, ..self }
    }
}

impl Serialize for Explained<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let (code, name, description) = match self.what {
            OtherCodeKind::Code(other) => (other.code.as_deref(), other.name.as_str(), other.description.as_str()),
            OtherCodeKind::Label(label) => (None, label, label),
        };
        // For other products the published pattern of a code (`OB_CodeMnemonic`) begins with a backslash. No code of a
        // bank matches it, so none is written.
        let code = match self.dialect {
            Dialect::Personal | Dialect::Business => code,
            Dialect::Other => None,
        };
        let mut object = ObjectWriter::begin(self.dialect, serializer)?;
        object.maybe("Code", code)?;
        object.maybe("FeeCategory", self.category)?;
        object.put("Name", name)?;
        object.put("Description", description)?;
        object.end()
    }
}
