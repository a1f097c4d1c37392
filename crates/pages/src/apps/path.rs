//! The page that a customer requested before the login. The login forms carry its path, so the path is checked like any browser input: it
//! must belong to one of these pages.

/// The path of the first page, which is the prefix of all others.
pub(super) const HOME: &str = "/apps";

/// The path of a page under `/apps`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct AppsPath(String);

impl AppsPath {
    /// Parses a path; the first page replaces a path that belongs to none of these pages.
    pub(crate) fn read(path: &str) -> Self {
        let is_segment = |segment: &str| {
            !segment.is_empty() && segment.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_".contains(&byte))
        };
        let below = path.strip_prefix(HOME).and_then(|rest| rest.strip_prefix('/'));
        let is_ours = below.is_some_and(|below| below.split('/').all(is_segment));
        Self(if is_ours { path } else { HOME }.to_owned())
    }

    /// The path as text.
    pub(super) fn path(&self) -> &str {
        &self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_pages_of_the_customer_are_gone_to() {
        for ours in ["/apps", "/apps/payments", "/apps/payments/0198-a", "/apps/c_1/stop", "/apps/payments/1/file"] {
            assert_eq!(AppsPath::read(ours).path(), ours);
        }
        for other in [
            "",
            "/",
            "apps",
            "/apps/",
            "/appsx/1",
            "/apps//evil.example",
            "/apps/../portal",
            "/apps/%2e%2e",
            "/apps/1?x=/evil",
            "/apps/1#x",
            "/apps/\\evil.example",
            "/apps/1\r\nSet-Cookie: a=b",
            "//evil.example/apps",
            "https://evil.example/apps/1",
            "/portal",
        ] {
            assert_eq!(AppsPath::read(other).path(), HOME, "{other}");
        }
    }
}
