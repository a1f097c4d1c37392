//! The codes by which the kinds and impacts of notices are stored.

use super::{NoticeImpact, NoticeKind};
use crate::code::codes;

codes! {
    NoticeKind {
        Self::Planned => "planned" => Self::Planned,
        Self::Unplanned => "unplanned" => Self::Unplanned,
        Self::Change => "change" => Self::Change,
    }
    NoticeImpact {
        Self::BusinessCritical => "business-critical" => Self::BusinessCritical,
        Self::DegradedService => "degraded-service" => Self::DegradedService,
        Self::General => "general" => Self::General,
    }
}
