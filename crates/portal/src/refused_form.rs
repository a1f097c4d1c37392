//! Refused forms. Their pages show them again with the submitted values, and the message names the labels of the faulty fields.

use super::frame::PortalNotice;
use lombard_pages::form::FormFields;
use std::borrow::Cow;

/// A refused form with its submitted values.
pub(crate) struct RefusedForm {
    /// The name of the form on the page.
    place: Cow<'static, str>,
    fields: FormFields,
}

impl RefusedForm {
    /// Creates a refused form, and assigns the notice with the reason to it.
    pub(super) fn new(
        place: impl Into<Cow<'static, str>>,
        fields: FormFields,
        why: PortalNotice,
    ) -> (Self, PortalNotice) {
        let place = place.into();
        (Self { place: place.clone(), fields }, why.at(place))
    }

    /// Whether this is the form of the given name.
    pub(super) fn is_at(&self, place: &str) -> bool {
        self.place == place
    }

    /// The value of a field: the submitted value if the form of this name was refused, otherwise the initial value.
    pub(super) fn typed<'p>(refused: Option<&'p Self>, place: &str, name: &str, first: &'p str) -> &'p str {
        refused.filter(|form| form.is_at(place)).map_or(first, |form| form.fields.first(name))
    }
}

/// Replaces the field name at the beginning of a sentence by the field's label.
pub(super) fn labelled(text: &str, labels: &[(&str, &str)]) -> String {
    let named = text.split_once(": ").and_then(|(name, rest)| {
        let (_, label) = labels.iter().find(|(known, _)| *known == name)?;
        Some(format!("{label}: {rest}"))
    });
    named.unwrap_or_else(|| text.to_owned())
}
