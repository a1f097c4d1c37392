//! Objects written member by member: one domain type, three dialects, and nothing absent or empty (RW-245).

use super::dialect::{Dialect, DialectWord};
use lombard_domain::account::product::{CodeOrOther, OtherCode};
use serde::ser::{Serialize, SerializeMap, Serializer};

/// Something in a dialect.
#[derive(Debug, Clone, Copy)]
pub(super) struct InDialect<'a, T: ?Sized>(pub(super) Dialect, pub(super) &'a T);

/// An object that is being written.
#[derive(Debug)]
pub(super) struct ObjectWriter<M> {
    dialect: Dialect,
    members: M,
}

impl<M: SerializeMap> ObjectWriter<M> {
    /// Begins an object.
    pub(super) fn begin<S>(dialect: Dialect, serializer: S) -> Result<Self, S::Error>
    where
        S: Serializer<SerializeMap = M>,
    {
        Ok(Self { dialect, members: serializer.serialize_map(None)? })
    }

    /// A member that is always there.
    pub(super) fn put<T: Serialize + ?Sized>(&mut self, name: &'static str, value: &T) -> Result<(), M::Error> {
        self.members.serialize_entry(name, value)
    }

    /// A member that may be absent.
    pub(super) fn maybe<T: Serialize>(&mut self, name: &'static str, value: Option<T>) -> Result<(), M::Error> {
        value.map_or(Ok(()), |value| self.put(name, &value))
    }

    /// A list, left out when it is empty.
    pub(super) fn list<T: Serialize>(
        &mut self,
        name: &'static str,
        items: impl IntoIterator<Item = T>,
    ) -> Result<(), M::Error> {
        let items: Vec<T> = items.into_iter().collect();
        if items.is_empty() { Ok(()) } else { self.put(name, &items) }
    }

    /// A word of a list; left out where the dialect has none for it.
    pub(super) fn word<T: DialectWord>(&mut self, name: &'static str, word: Option<T>) -> Result<(), M::Error> {
        self.maybe(name, word.and_then(|word| word.in_dialect(self.dialect)))
    }

    /// A word of a list, or `Other` and beside it, under the other name, the explanation.
    pub(super) fn choice<T: DialectWord>(
        &mut self,
        name: &'static str,
        other_name: &'static str,
        choice: &CodeOrOther<T>,
    ) -> Result<(), M::Error> {
        let said = said(self.dialect, choice);
        self.maybe(name, said.word)?;
        self.maybe(other_name, said.explained)
    }

    /// A choice that may be absent.
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

/// What a dialect says for a choice.
#[derive(Debug, Clone, Copy)]
pub(super) struct DialectCode<'a> {
    pub(super) word: Option<&'static str>,
    pub(super) explained: Option<Explained<'a>>,
}

/// A word the dialect has; else its `Other` and an explanation; else nothing.
pub(super) fn said<T: DialectWord>(dialect: Dialect, choice: &CodeOrOther<T>) -> DialectCode<'_> {
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

/// What stands beside the word `Other`. Source: `OB_OtherCodeType1_0`, `OB_OtherFeeChargeDetailType`.
#[derive(Debug, Clone, Copy)]
pub(super) struct Explained<'a> {
    dialect: Dialect,
    what: OtherCodeKind<'a>,
    category: Option<&'static str>,
}

#[derive(Debug, Clone, Copy)]
enum OtherCodeKind<'a> {
    Code(&'a OtherCode),
    /// A word of the list that this dialect lacks.
    Label(&'static str),
}

impl<'a> Explained<'a> {
    /// The bank's own words.
    pub(super) const fn code(dialect: Dialect, code: &'a OtherCode) -> Self {
        Self { dialect, what: OtherCodeKind::Code(code), category: None }
    }

    /// With the word for the category of the fee it is about.
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
        // Among other products the published pattern of a code (`OB_CodeMnemonic`) begins with a backslash: no code
        // that a bank has matches it, so none is shown.
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
