//! The remittance information of payment requests in v3.1. Source: PIS-131.

/// Declares the remittance object in two modules: closed, and open for the payment classes that allow unknown members. Source:
/// PIS-157.
macro_rules! remittance {
    ($($module:ident: $openness:ident;)*) => {$(
        pub(crate) mod $module {
            use crate::parse::object;
            use crate::payments::values::RailText;
            use lombard_domain::payment::transfer::References;

            object! {
                /// Source: PIS-131, `OBWriteDomestic2/Data/Initiation/RemittanceInformation`, `OBVRPRemittanceInformation`.
                struct Remittance: $openness {
                    optional message: RailText<1, 140> = "Unstructured",
                    optional reference: RailText<1, 35> = "Reference",
                }
            }

            impl From<Remittance> for References {
                fn from(it: Remittance) -> Self {
                    let message = it.message.map(|text| text.0);
                    let reference = it.reference.map(|text| text.0);
                    Self { message, reference, ..Self::default() }
                }
            }
        }
    )*};
}

remittance! {
    closed: Closed;
    open: Open;
}
