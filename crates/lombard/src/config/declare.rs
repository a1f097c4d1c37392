//! The macros that declare all settings in one place: their structs, their parsing and their reference.

/// The range of a setting, if it has one.
macro_rules! range {
    () => {
        None
    };
    ($range:expr) => {
        Some($range)
    };
}

/// Generates the struct of a section, its parsing and its reference. `settings!` uses it for each section.
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

/// Generates the structs of all sections, the configuration struct, its parsing and its reference from one declaration.
macro_rules! settings {
    ($Config:ident, $SECTIONS:ident; $(
        $(#[doc = $section_doc:literal])*
        $section:ident: $Section:ident {$(
            $(#[doc = $doc:literal])*
            $key:ident: $type:ty = $default:expr $(, within $range:expr)?;
        )*}
    )*) => {
        $(section! {
            $(#[doc = $section_doc])*
            $section: $Section {$(
                $(#[doc = $doc])*
                $key: $type = $default $(, within $range)?;
            )*}
        })*

        /// The whole configuration.
        #[derive(Debug, Clone, PartialEq, Eq)]
        pub struct $Config {
            /// The folder for all files of the installation. It is given on the command line and is not a setting.
            pub data_dir: PathBuf,
            /// Whether this is a sandbox or a bank.
            pub mode: Mode,
            $(
                $(#[doc = $section_doc])*
                pub $section: $Section,
            )*
        }

        impl $Config {
            pub(super) fn read(reader: &mut SettingReader) -> Self {
                Self {
                    data_dir: PathBuf::from("data"),
                    mode: reader.take("", "mode", DEFAULT_MODE, None),
                    $($section: $Section::read(reader),)*
                }
            }

            /// Formats the effective configuration as TOML, without secrets. Settings without a value are left out.
            pub fn show(&self) -> String {
                let mut text = format!("mode = {}\n", self.mode.show().unwrap_or_default());
                $(
                    text.push_str(concat!("\n[", stringify!($section), "]\n"));
                    for (key, value) in self.$section.show() {
                        if let Some(value) = value {
                            text.push_str(&format!("{key} = {value}\n"));
                        }
                    }
                )*
                text
            }
        }

        /// All sections, for the reference.
        pub(super) const $SECTIONS: &[Section] = &[
            Section { name: "", doc: &["What this installation is."], settings: mode_reference },
            $(Section {
                name: stringify!($section),
                doc: &[$($section_doc),*],
                settings: $Section::reference,
            },)*
        ];
    };
}

pub(super) use {range, section, settings};
