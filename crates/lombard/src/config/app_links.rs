//! Parses the bank's apps from the text form that operators write.

use super::value::ListItem;
use lombard_edge::app::app_links::{AndroidApp, IosApp};

impl ListItem for IosApp {
    const KIND: &'static str = "a list of apps for iOS, such as `[\"ABCDE12345.example.bank\"]`";

    fn read(text: &str) -> Option<Self> {
        Self::parse(text)
    }

    fn write(&self) -> String {
        self.to_string()
    }
}

impl ListItem for AndroidApp {
    const KIND: &'static str = "a list of apps for Android, such as `[\"example.bank=14:6D:E9:…\"]` with 32 bytes";

    fn read(text: &str) -> Option<Self> {
        Self::parse(text)
    }

    fn write(&self) -> String {
        self.to_string()
    }
}
