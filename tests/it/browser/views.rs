//! The views of a page: desktop, small phone and dark mode.

use super::Chromium;
use serde_json::json;
use std::path::PathBuf;

/// A way to look at a page.
#[derive(Debug, Clone, Copy)]
pub(crate) struct View {
    pub(crate) name: &'static str,
    width: u32,
    scheme: &'static str,
}

/// A phone held upright is 320 CSS pixels wide, and so is a desktop page at 400 %. Source: WCAG 2.2, 1.4.10.
pub(crate) const VIEWS: [View; 3] = [
    View { name: "wide", width: 1280, scheme: "light" },
    View { name: "wide-dark", width: 1280, scheme: "dark" },
    View { name: "narrow", width: 320, scheme: "light" },
];

const HEIGHT: u32 = 900;

impl Chromium {
    /// Looks at the page in this way.
    pub(crate) async fn look(&self, view: View) {
        self.size(view.width, HEIGHT).await;
        let features = json!([
            {"name": "prefers-color-scheme", "value": view.scheme},
            // A colour half-way through a transition has no contrast to speak of.
            {"name": "prefers-reduced-motion", "value": "reduce"},
        ]);
        self.driver.cdp().send_raw("Emulation.setEmulatedMedia", json!({"features": features})).await.unwrap();
    }

    /// That nothing stands out to the side: a page is read by scrolling down only.
    pub(crate) async fn fits(&self, what: &str) {
        let script = "return document.documentElement.scrollWidth - document.documentElement.clientWidth";
        let beyond: i64 = self.driver.execute(script, Vec::new()).await.unwrap().convert().unwrap();
        assert_eq!(beyond, 0, "{what} must be scrolled sideways");
    }

    /// Keeps a picture of the whole page where `LOMBARD_SCREENSHOTS_DIR` says, if it says so.
    pub(crate) async fn picture(&self, page: &str, view: View) {
        let Some(folder) = std::env::var_os("LOMBARD_SCREENSHOTS_DIR").map(PathBuf::from) else { return };
        let script = "return document.documentElement.scrollHeight";
        let height: u32 = self.driver.execute(script, Vec::new()).await.unwrap().convert().unwrap();
        self.size(view.width, height.max(HEIGHT)).await;
        std::fs::create_dir_all(&folder).unwrap();
        self.driver.screenshot(&folder.join(format!("{page}-{}.png", view.name))).await.unwrap();
    }

    async fn size(&self, width: u32, height: u32) {
        let size = json!({"width": width, "height": height, "deviceScaleFactor": 1, "mobile": false});
        self.driver.cdp().send_raw("Emulation.setDeviceMetricsOverride", size).await.unwrap();
    }
}
