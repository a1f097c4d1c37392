//! The JSON messages between a server and the process of the built-in bank that differ from the records of [`lombard_ports::controls`]; the
//! records themselves are sent unchanged.

use http::StatusCode;
use jiff::{SignedDuration, Timestamp};
use lombard_ports::controls::{ClockMove, ControlError, DataFileFault};
use serde::{Deserialize, Serialize};

/// The offset of the bank's clock from the wall clock.
#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
pub struct ClockForm {
    /// The offset in microseconds.
    pub offset_micros: i64,
}

/// The result of a batch of due work.
#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
pub struct DueWorkDoneForm {
    /// The number of completed items.
    pub done: u32,
}

/// Whether work is due.
#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
pub struct DueWorkForm {
    /// Whether work is due.
    pub is_due: bool,
}

/// A move of the bank's clock: by a duration or to a time.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum ClockMoveForm {
    /// Moves the clock by this duration.
    By {
        /// Whole seconds.
        secs: i64,
        /// The remaining nanoseconds, with the same sign.
        nanos: i32,
    },
    /// Moves the clock to this time, RFC 3339.
    To(String),
}

impl From<ClockMove> for ClockMoveForm {
    fn from(to: ClockMove) -> Self {
        match to {
            ClockMove::By(by) => Self::By { secs: by.as_secs(), nanos: by.subsec_nanos() },
            ClockMove::To(time) => Self::To(time.to_string()),
        }
    }
}

impl ClockMoveForm {
    /// Parses the move; `None` if it is malformed.
    pub fn read(&self) -> Option<ClockMove> {
        match self {
            Self::By { secs, nanos } => {
                let by = SignedDuration::from_secs(*secs).checked_add(SignedDuration::from_nanos((*nanos).into()))?;
                Some(ClockMove::By(by))
            }
            Self::To(time) => time.parse::<Timestamp>().ok().map(ClockMove::To),
        }
    }
}

/// Why a control was refused.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct RefusalForm {
    /// The sentence for the tester.
    pub error: String,
    /// The faults of a data file.
    #[serde(default)]
    pub faults: Vec<DataFileFault>,
}

impl RefusalForm {
    /// Converts the refusal in a response with this status to an error.
    pub fn into_error(self, status: StatusCode) -> ControlError {
        let Self { error, faults } = self;
        match status {
            StatusCode::BAD_REQUEST if !faults.is_empty() => ControlError::Faulty(faults),
            StatusCode::BAD_REQUEST => ControlError::Refused(error.into()),
            StatusCode::NOT_FOUND => ControlError::NotFound(error.into()),
            StatusCode::CONFLICT => ControlError::Conflict(error.into()),
            StatusCode::SERVICE_UNAVAILABLE => ControlError::Unavailable(error.into()),
            _ => ControlError::Broken(error.into()),
        }
    }
}
