//! The enumerations of variable recurring payments, one table each for parsing and writing. The other interfaces of this program
//! use the same names.

use crate::payments::names::{codes, names};
use lombard_domain::payment::vrp::{AuthenticationMethod, InteractionType, LimitPeriod, PeriodAlignment, VrpType};

codes! {
    /// The commercial types exist in v4.0 only. Source: VRP-007, CVRP-002, `OBVRPConsentType`.
    vrp_type / read_vrp_type(VrpType) {
        Sweeping => "UK.OBIE.VRPType.Sweeping",
        Other => "UK.OBIE.VRPType.Other",
        Commercial1 => "UK.OBIE.VRPType.CVRP1",
        Commercial2 => "UK.OBIE.VRPType.CVRP2",
        Commercial3 => "UK.OBIE.VRPType.CVRP3",
    }
    /// Source: VRP-008, `OBVRPAuthenticationMethods`.
    authentication_method / read_authentication_method(AuthenticationMethod) {
        Strong => "UK.OBIE.SCA",
        NotRequired => "UK.OBIE.SCANotRequired",
    }
    /// Source: VRP-009, `OBVRPInteractionTypes`.
    interaction_type / read_interaction_type(InteractionType) {
        InSession => "InSession",
        OffSession => "OffSession",
    }
    /// Source: VRP-010, `OBDomesticVRPControlParameters/PeriodicLimits/PeriodType`.
    period_type / read_period_type(LimitPeriod) {
        Day => "Day",
        Week => "Week",
        Fortnight => "Fortnight",
        Month => "Month",
        HalfYear => "Half-year",
        Year => "Year",
    }
    /// Source: VRP-010, `OBDomesticVRPControlParameters/PeriodicLimits/PeriodAlignment`.
    period_alignment / read_period_alignment(PeriodAlignment) {
        Consent => "Consent",
        Calendar => "Calendar",
    }
}
