//! Forms that were refused: their pages show them again as they were submitted, with the labels of the faulty fields in
//! the message.

use super::frame::PortalNotice;
use lombard_pages::form::FormFields;
use std::borrow::Cow;

/// A form that was refused, as it was sent.
pub(crate) struct RefusedForm {
    /// Its name on the page.
    place: Cow<'static, str>,
    fields: FormFields,
}

impl RefusedForm {
    /// A form of this name on its page, and the notice of why it was refused, which the page shows at the form.
    pub(super) fn new(
        place: impl Into<Cow<'static, str>>,
        fields: FormFields,
        why: PortalNotice,
    ) -> (Self, PortalNotice) {
        let place = place.into();
        (Self { place: place.clone(), fields }, why.at(place))
    }

    /// Whether it is the form of this name.
    pub(super) fn is_at(&self, place: &str) -> bool {
        self.place == place
    }

    /// What was typed into a field of the form of this name, if that is the form that was refused; of other forms what stands there first.
    pub(super) fn typed<'p>(refused: Option<&'p Self>, place: &str, name: &str, first: &'p str) -> &'p str {
        refused.filter(|form| form.is_at(place)).map_or(first, |form| form.fields.first(name))
    }
}

/// A sentence that begins with the name of a field and a colon, with the field's label instead.
pub(super) fn labelled(text: &str, labels: &[(&str, &str)]) -> String {
    let named = text.split_once(": ").and_then(|(name, rest)| {
        let (_, label) = labels.iter().find(|(known, _)| *known == name)?;
        Some(format!("{label}: {rest}"))
    });
    named.unwrap_or_else(|| text.to_owned())
}
