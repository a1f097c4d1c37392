//! An element and its path, for the location of faults.

use super::simple_types::canonical_decimal;
use super::xml::Element;
use crate::parse::JsonPath;
use lombard_domain::refusal::{Fault, FaultCode, FaultLocation};
use rust_decimal::Decimal;
use std::borrow::Cow;

/// A value or a fault.
pub(super) type Faulty<T> = Result<T, Fault>;

/// An element with its path.
pub(super) struct LocatedElement<'e, 'a> {
    element: &'e Element,
    at: JsonPath<'a>,
}

impl<'e, 'a> LocatedElement<'e, 'a> {
    pub(super) const fn new(element: &'e Element, at: JsonPath<'a>) -> Self {
        Self { element, at }
    }

    /// The `Ccy` attribute.
    pub(super) fn currency(&self) -> Option<&'e str> {
        self.element.currency.as_deref()
    }

    /// A fault at this element.
    pub(super) fn fault(&self, message: impl Into<Cow<'static, str>>) -> Fault {
        fault(&self.at, message)
    }

    /// Checks that the element has only these members, in this order, and no text between them.
    pub(super) fn members(&self, known: &[&str]) -> Faulty<()> {
        let mut last = 0;
        for child in &self.element.children {
            let place = known.iter().position(|name| *name == child.name && !child.name.is_empty());
            match place {
                Some(place) if place >= last => last = place,
                Some(place) => {
                    let name = known.get(place).copied().unwrap_or_default();
                    let order = known.join(", ");
                    return Err(self.fault(format!("{name} is not in its place; the order is {order}.")));
                }
                None => return Err(self.fault(format!("A member is unknown; allowed are {}.", known.join(", ")))),
            }
        }
        let blank = self.element.text.trim().is_empty();
        if blank { Ok(()) } else { Err(self.fault("There must be no text here.")) }
    }

    /// The member with this name, of which there is at most one.
    pub(super) fn one<'s>(&'s self, name: &'s str) -> Faulty<Option<LocatedElement<'e, 's>>> {
        let mut found = self.element.children.iter().filter(|child| child.name == name);
        let first = found.next();
        let second = found.next();
        if second.is_some() {
            return Err(fault(&self.at.member(name), "This member occurs twice."));
        }
        Ok(first.map(|element| LocatedElement { element, at: self.at.member(name) }))
    }

    /// The required member with a name.
    pub(super) fn need<'s>(&'s self, name: &'s str) -> Faulty<LocatedElement<'e, 's>> {
        self.one(name)?.ok_or_else(|| fault(&self.at.member(name), "This member is required."))
    }

    /// The texts of all members with a name.
    pub(super) fn texts(&self, name: &str, chars_max: usize) -> Faulty<Vec<&'e str>> {
        let at = self.at.member(name);
        let found = self.element.children.iter().filter(|child| child.name == name).enumerate();
        found.map(|(index, element)| LocatedElement { element, at: at.index(index) }.text(chars_max)).collect()
    }

    /// The members with a name.
    pub(super) fn all(&self, name: &str) -> impl Iterator<Item = &'e Element> {
        self.element.children.iter().filter(move |child| child.name == name)
    }

    /// A child element, at the path of its parent.
    pub(super) const fn of<'s>(&'s self, element: &'e Element) -> LocatedElement<'e, 's>
    where
        'a: 's,
    {
        LocatedElement { element, at: self.at }
    }

    /// The text, of 1 to `chars_max` characters, without characters that no rail carries (PIS-135).
    pub(super) fn text(&self, chars_max: usize) -> Faulty<&'e str> {
        let text = self.leaf()?;
        let allowed = format!("1 to {chars_max} characters are allowed");
        match text.chars().count() {
            0 => Err(self.fault(format!("This text is empty; {allowed}."))),
            count if count > chars_max => Err(self.fault(format!("This text has {count} characters; {allowed}."))),
            _ if text.chars().any(char::is_control) => Err(self
                .fault("This text has a control character, such as a tab or the end of a line; payments carry none.")),
            _ => Ok(text),
        }
    }

    /// The text of an optional member.
    pub(super) fn text_of(&self, name: &str, chars_max: usize) -> Faulty<Option<String>> {
        self.one(name)?.map(|it| it.text(chars_max).map(str::to_owned)).transpose()
    }

    /// The text of a code or number, without surrounding white space.
    pub(super) fn token(&self) -> Faulty<&'e str> {
        self.leaf().map(str::trim)
    }

    /// A number of transactions: 1 to 15 digits.
    pub(super) fn count(&self) -> Faulty<u64> {
        let text = self.token()?;
        let plain = (1..=15).contains(&text.len()) && text.bytes().all(|it| it.is_ascii_digit());
        let count = text.parse().ok().filter(|_| plain);
        count.ok_or_else(|| self.fault("Must be a number of 1 to 15 digits."))
    }

    /// A decimal number, exact.
    pub(super) fn decimal(&self) -> Faulty<Decimal> {
        let number = canonical_decimal(self.token()?).and_then(|text| Decimal::from_str_exact(&text).ok());
        number.ok_or_else(|| self.fault("Must be a decimal number of at most 28 digits."))
    }

    fn leaf(&self) -> Faulty<&'e str> {
        if self.element.children.is_empty() {
            Ok(&self.element.text)
        } else {
            Err(self.fault("Must be a text, not elements."))
        }
    }
}

/// A fault of the file's content; all have one code. Source: FILE-012.
pub(super) fn fault(at: &JsonPath<'_>, message: impl Into<Cow<'static, str>>) -> Fault {
    Fault { code: FaultCode::InvalidFormat, at: at.path().map(FaultLocation::Path), message: message.into() }
}
