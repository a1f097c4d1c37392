//! The form of enumerations whose variants have content: an object with exactly one of several members.

use super::shape::MemberReader;

/// Returns the value of the only member that is present, or records a fault. `read` holds each parsed member.
pub fn take_only<T, const N: usize>(
    members: &mut MemberReader<'_, '_>,
    names: [&'static str; N],
    read: [Option<Option<T>>; N],
) -> Option<T> {
    if read.iter().any(Option::is_none) {
        return None;
    }
    let mut found = read.into_iter().flatten().flatten();
    match (found.next(), found.next()) {
        (Some(only), None) => Some(only),
        _ => {
            let (last, rest) = names.split_last().unwrap_or((&"", &[]));
            members.reader.fault(members.at, format!("Must have exactly one of {} and {last}.", rest.join(", ")))
        }
    }
}

/// Declares the form of enumerations whose variants have one field each:
///
/// ```ignore
/// Segment as "Segment" of Segment {
///     /// What the member says.
///     Personal(FormOf<PersonalSegment>, "Personal");
/// }
/// ```
/// The enumeration is named after `of`. If its type belongs to another crate than the declaration, the declaration first names a form
/// type.
#[macro_export]
macro_rules! choices {
    ($(
        $(#[doc = $about:literal])* $type:ty as $name:literal of $value:ident {
            $($(#[doc = $doc:literal])* $variant:ident($form:ty, $member:literal);)+
        }
    )*) => {$(
        impl $crate::form::shape::ObjectForm for $type {
            type Value = $value;

            const ABOUT: &'static str = concat!($($about),*);

            fn name() -> String {
                $name.to_owned()
            }

            fn describe(list: &mut $crate::form::schema::MemberList<'_>) {
                $(list.optional::<$form>($member, concat!($($doc),*));)+
                list.only_one(vec![$($member),+]);
            }

            fn parse_members(members: &mut $crate::form::shape::MemberReader<'_, '_>) -> Option<Self::Value> {
                let read = [$(members.optional::<_, $form>($member).map(|it| it.map($value::$variant))),+];
                $crate::form::choice::take_only(members, [$($member),+], read)
            }

            fn write_members(value: &Self::Value, object: &mut $crate::form::shape::MemberWriter) {
                match value {
                    $($value::$variant(it) => object.required::<_, $form>($member, it),)+
                }
            }
        }
    )*};
}
