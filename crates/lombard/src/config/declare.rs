//! The macro that declares the settings of a section once: its struct, its parsing and its reference.

/// The range of a setting, if it has one.
macro_rules! range {
    () => {
        None
    };
    ($range:expr) => {
        Some($range)
    };
}

/// Generates the struct of a section, its parsing and its reference. Used by the declaration of all settings.
macro_rules! section {
    (
        $(#[doc = $section_doc:literal])*
        $section:ident: $Section:ident {$(
            $(#[doc = $doc:literal])*
            $key:ident: $type:ty = $default:expr $(, within $range:expr)?;
        )*}
    ) => {
        $(#[doc = $section_doc])*
        #[derive(Debug, Clone, PartialEq, Eq)]
        pub struct $Section {$(
            $(#[doc = $doc])*
            pub $key: $type,
        )*}

        impl $Section {
            fn read(reader: &mut SettingReader) -> Self {
                Self {$(
                    $key: reader.take(stringify!($section), stringify!($key), $default, range!($($range)?)),
                )*}
            }

            fn reference() -> Vec<Setting> {
                vec![$(Setting {
                    section: stringify!($section),
                    key: stringify!($key),
                    kind: <$type as SettingValue>::KIND,
                    doc: &[$($doc),*],
                    default: <$type as SettingValue>::show(&$default),
                    range: range!($($range)?),
                },)*]
            }

            fn show(&self) -> Vec<(&'static str, Option<String>)> {
                vec![$((stringify!($key), self.$key.show()),)*]
            }
        }
    };
}

pub(super) use {range, section};
