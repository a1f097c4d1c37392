//! Balances: those of v3.1 with four-letter type codes. Source: AIS-110 to AIS-113.

use super::{V4_0, names, write};
use crate::describe::Describe;
use crate::v3_1::balances::{self, Balances};
use crate::{Render, RenderError, ResponseEnvelope};
use lombard_domain::account::{Aliased, Balance};
use serde_json::Value;

impl Describe<[Aliased<Balance>]> for V4_0 {
    fn schema() -> Value {
        balances::described(names::listed::balance_type())
    }
}

impl Render<[Aliased<Balance>]> for V4_0 {
    fn render(balances: &[Aliased<Balance>], envelope: &ResponseEnvelope) -> Result<Vec<u8>, RenderError> {
        write(Balances::of(balances, names::balance_type), envelope, Balances::size(balances.len()))
    }
}
