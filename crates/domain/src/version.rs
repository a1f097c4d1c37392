//! The versions of the standard, as provenance of resources. Everything else about versions is in `lombard-wire`.

/// A published version line of the Read/Write API, by its path segment. Ordered by age. Source: RW-002.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Version {
    /// 3.1.11 under `v3.1`.
    V3_1,
    /// 4.0.1 under `v4.0`.
    V4_0,
}

crate::code::document_codes! {
    Version { V3_1 = "v3.1", V4_0 = "v4.0", }
}

impl Version {
    /// Every version, oldest first.
    pub const ALL: [Self; 2] = [Self::V3_1, Self::V4_0];

    /// The path segment.
    pub const fn segment(self) -> &'static str {
        match self {
            Self::V3_1 => "v3.1",
            Self::V4_0 => "v4.0",
        }
    }

    /// The version with this path segment.
    pub fn from_segment(text: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|version| version.segment() == text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rw_002_versions_are_known_by_their_segments_and_ordered_by_age() {
        assert_eq!(Version::ALL.map(Version::segment), ["v3.1", "v4.0"]);
        assert_eq!(Version::ALL.map(|it| Version::from_segment(it.segment())), Version::ALL.map(Some));
        assert_eq!(["v3.2", "V3.1", ""].map(Version::from_segment), [None; 3]);
        assert!(Version::ALL.is_sorted());
    }
}
