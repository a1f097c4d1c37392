//! The purposes of payments, by the standard's codes.

/// The purpose of a payment, the standard's payment context. Source: PIS-144, `OBRisk1`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum PaymentContext {
    /// Billed before delivery.
    BilledInAdvance,
    /// Billed after delivery.
    BilledInArrears,
    /// The TPP is the payee.
    PispPayee,
    /// The payment is initiated by the merchant.
    MerchantInitiated,
    /// A payment at the point of sale.
    FaceToFace,
    /// A transfer to an account of the same holder.
    TransferToSelf,
    /// A transfer to an account of another holder.
    TransferToThirdParty,
    /// A bill (discouraged).
    BillPayment,
    /// Goods bought online (discouraged).
    EcommerceGoods,
    /// Services bought online (discouraged).
    EcommerceServices,
    /// Anything else (discouraged).
    Other,
    /// From one person to another (discouraged).
    PartyToParty,
}

crate::code::document_codes! {
    PaymentContext {
        BilledInAdvance = "billed-in-advance", BilledInArrears = "billed-in-arrears", PispPayee = "pisp-payee",
        MerchantInitiated = "merchant-initiated", FaceToFace = "face-to-face", TransferToSelf = "transfer-to-self",
        TransferToThirdParty = "transfer-to-third-party", BillPayment = "bill-payment",
        EcommerceGoods = "ecommerce-goods", EcommerceServices = "ecommerce-services", Other = "other",
        PartyToParty = "party-to-party",
    }
}

impl PaymentContext {
    /// The contexts that v4.0 has not deprecated. Source: PIS-144.
    pub const CURRENT: [Self; 6] = [
        Self::BilledInAdvance,
        Self::BilledInArrears,
        Self::MerchantInitiated,
        Self::FaceToFace,
        Self::TransferToSelf,
        Self::TransferToThirdParty,
    ];

    /// Whether v4.0 has deprecated the context: consents of an older version keep it, new ones must not have it. Source:
    /// PIS-144, V4-028.
    pub const fn is_deprecated(self) -> bool {
        match self {
            Self::BilledInAdvance
            | Self::BilledInArrears
            | Self::MerchantInitiated
            | Self::FaceToFace
            | Self::TransferToSelf
            | Self::TransferToThirdParty => false,
            Self::PispPayee
            | Self::BillPayment
            | Self::EcommerceGoods
            | Self::EcommerceServices
            | Self::Other
            | Self::PartyToParty => true,
        }
    }
}
