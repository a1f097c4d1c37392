//! The eight payment products as data: one row each.

use crate::code::StoredCode;
use crate::event::ResourceType;

/// How the orders of a product are executed; this determines their statuses. Source: table 1.4.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum OrderFamily {
    /// Executed at once.
    Immediate,
    /// Warehoused until their day.
    Scheduled,
    /// Set up once, then paid repeatedly.
    StandingOrder,
    /// Many payments in one file.
    File,
}

/// Whether a payment is domestic or international.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum PaymentTerritory {
    /// Within the country, without currency exchange.
    Domestic,
    /// Possibly to another country or in another currency.
    International,
}

struct ProductFacts {
    consent: ResourceType,
    order: ResourceType,
    id_member: &'static str,
    family: OrderFamily,
    reach: PaymentTerritory,
    confirms_funds: bool,
}

macro_rules! products {
    ($($(#[$doc:meta])* $name:ident($consent:ident, $order:ident, $id:literal, $family:ident, $reach:ident, $funds:literal);)*) => {
        /// A payment product. Source: table 1.1.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum PaymentProduct { $($(#[$doc])* $name,)* }

        impl PaymentProduct {
            /// Every product.
            pub const ALL: [Self; 8] = [$(Self::$name),*];

            const fn row(self) -> ProductFacts {
                match self {
                    $(Self::$name => ProductFacts {
                        consent: ResourceType::$consent,
                        order: ResourceType::$order,
                        id_member: $id,
                        family: OrderFamily::$family,
                        reach: PaymentTerritory::$reach,
                        confirms_funds: $funds,
                    },)*
                }
            }
        }
    };
}

products! {
    /// A domestic payment, now.
    DomesticPayment(DomesticPaymentConsent, DomesticPayment, "DomesticPaymentId", Immediate, Domestic, true);
    /// A domestic payment on a later day.
    DomesticScheduledPayment(DomesticScheduledPaymentConsent, DomesticScheduledPayment, "DomesticScheduledPaymentId",
        Scheduled, Domestic, false);
    /// A domestic standing order.
    DomesticStandingOrder(DomesticStandingOrderConsent, DomesticStandingOrder, "DomesticStandingOrderId",
        StandingOrder, Domestic, false);
    /// An international payment, now.
    InternationalPayment(InternationalPaymentConsent, InternationalPayment, "InternationalPaymentId",
        Immediate, International, true);
    /// A scheduled international payment. One with an actual rate is debited at once (INT-022), so its funds are
    /// confirmed.
    InternationalScheduledPayment(InternationalScheduledPaymentConsent, InternationalScheduledPayment,
        "InternationalScheduledPaymentId", Scheduled, International, true);
    /// An international standing order. Its id member is `InternationalStandingOrderId`, whatever the path's parameter
    /// is called (SO-017).
    InternationalStandingOrder(InternationalStandingOrderConsent, InternationalStandingOrder,
        "InternationalStandingOrderId", StandingOrder, International, false);
    /// A file of domestic payments.
    FilePayment(FilePaymentConsent, FilePayment, "FilePaymentId", File, Domestic, false);
    /// A payment under a VRP consent.
    DomesticVrp(DomesticVrpConsent, DomesticVrp, "DomesticVRPId", Immediate, Domestic, true);
}

impl PaymentProduct {
    /// The stored and logged name: the singular name of its orders.
    pub const fn name(self) -> &'static str {
        self.order_resource_type().name()
    }

    /// The product with this name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|product| product.name() == name)
    }

    /// The resource type of its consents in events and addresses.
    pub const fn consent_resource_type(self) -> ResourceType {
        self.row().consent
    }

    /// The resource type of its orders in events and addresses.
    pub const fn order_resource_type(self) -> ResourceType {
        self.row().order
    }

    /// The path of its consents under a version, as `/pisp/domestic-payment-consents`.
    pub const fn consents_path(self) -> &'static str {
        self.consent_resource_type().path()
    }

    /// The path of its orders under a version, as `/pisp/domestic-payments`.
    pub const fn orders_path(self) -> &'static str {
        self.order_resource_type().path()
    }

    /// The member of an order that holds its id.
    pub const fn id_member(self) -> &'static str {
        self.row().id_member
    }

    /// How its orders are executed.
    pub const fn family(self) -> OrderFamily {
        self.row().family
    }

    /// Whether its payments are domestic.
    pub const fn territory(self) -> PaymentTerritory {
        self.row().reach
    }

    /// Whether its consents have confirmation of funds. Source: PIS-084.
    pub const fn confirms_funds(self) -> bool {
        self.row().confirms_funds
    }

    /// Whether a file is uploaded before the authorisation.
    pub const fn requires_file(self) -> bool {
        matches!(self.family(), OrderFamily::File)
    }

    /// Whether one order consists of repeated payments.
    pub const fn is_recurring(self) -> bool {
        matches!(self.family(), OrderFamily::StandingOrder)
    }

    /// Whether one consent allows many orders. Source: VRP-001, PIS-041.
    pub const fn reuses_consents(self) -> bool {
        matches!(self, Self::DomesticVrp)
    }

    /// Whether its consents have a `Permission`, which is always "create". Source: PIS-028.
    pub const fn asks_permission(self) -> bool {
        matches!(self.family(), OrderFamily::Scheduled | OrderFamily::StandingOrder)
    }

    /// Whether its consents have a `Risk` block. Source: PIS-142.
    pub const fn has_risk(self) -> bool {
        !self.requires_file()
    }

    /// Whether its consents have `ReadRefundAccount`. Source: PIS-096.
    pub const fn reads_refund_account(self) -> bool {
        !self.requires_file()
    }

    /// Whether its responses have expected execution and settlement times. Source: table 1.2.
    pub const fn expects_times(self) -> bool {
        matches!(self.family(), OrderFamily::Immediate | OrderFamily::Scheduled)
    }

    /// Whether its consents show charges, the cut-off and expected times. If a consent allows many orders, each order
    /// shows its own. Source: table 1.2.
    pub const fn consents_show_conditions(self) -> bool {
        !self.reuses_consents()
    }

    /// Whether the debtor account is always shown, also if the PSU selected it; other products show only the holder's
    /// name then. Source: VRP-019, X-08.
    pub const fn shows_debtor_account(self) -> bool {
        self.reuses_consents()
    }

    /// Whether its orders repeat the `Risk` block. Source: PIS-159, X-08, X-09.
    pub const fn orders_repeat_risk(self) -> bool {
        self.reuses_consents()
    }

    /// Whether its consents may request an exchange rate. Standing orders use the price of each day. Source: section
    /// 5.1, SO-014.
    pub const fn quotes_rates(self) -> bool {
        matches!(self.territory(), PaymentTerritory::International) && !self.is_recurring()
    }

    /// Whether multi-authorisation is possible. Source: section 2.12, VRP-020.
    pub const fn allows_several_authorisers(self) -> bool {
        !self.reuses_consents()
    }
}

impl StoredCode for PaymentProduct {
    fn code(&self) -> &'static str {
        self.name()
    }

    fn from_code(word: &str) -> Option<Self> {
        Self::from_name(word)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn table_1_1_every_product_has_names_of_its_own() {
        let distinct = |name: fn(PaymentProduct) -> &'static str| {
            PaymentProduct::ALL.map(name).into_iter().collect::<HashSet<_>>()
        };
        for names in [
            distinct(PaymentProduct::name),
            distinct(PaymentProduct::consents_path),
            distinct(PaymentProduct::orders_path),
            distinct(PaymentProduct::id_member),
        ] {
            assert_eq!(names.len(), 8);
        }
        assert!(
            PaymentProduct::ALL.into_iter().all(|product| PaymentProduct::from_name(product.name()) == Some(product))
        );
        assert_eq!(PaymentProduct::DomesticPayment.orders_path(), "/pisp/domestic-payments");
        assert_eq!(PaymentProduct::DomesticVrp.consents_path(), "/pisp/domestic-vrp-consents");
    }

    #[test]
    fn table_1_2_what_the_products_carry() {
        let those =
            |has: fn(PaymentProduct) -> bool| PaymentProduct::ALL.into_iter().filter(|it| has(*it)).collect::<Vec<_>>();
        use PaymentProduct as P;
        assert_eq!(
            those(PaymentProduct::confirms_funds),
            [P::DomesticPayment, P::InternationalPayment, P::InternationalScheduledPayment, P::DomesticVrp]
        );
        assert_eq!(
            those(PaymentProduct::asks_permission),
            [
                P::DomesticScheduledPayment,
                P::DomesticStandingOrder,
                P::InternationalScheduledPayment,
                P::InternationalStandingOrder
            ]
        );
        assert_eq!(those(|it| !it.has_risk()), [P::FilePayment]);
        assert_eq!(
            those(|it| !it.expects_times()),
            [P::DomesticStandingOrder, P::InternationalStandingOrder, P::FilePayment]
        );
        assert_eq!(those(PaymentProduct::quotes_rates), [P::InternationalPayment, P::InternationalScheduledPayment]);
        assert_eq!(those(PaymentProduct::reuses_consents), [P::DomesticVrp]);
        assert_eq!(those(|it| !it.consents_show_conditions()), [P::DomesticVrp]);
        assert_eq!(those(PaymentProduct::shows_debtor_account), [P::DomesticVrp], "VRP-019");
        assert_eq!(those(PaymentProduct::orders_repeat_risk), [P::DomesticVrp], "PIS-159, X-08");
        assert_eq!(those(|it| !it.allows_several_authorisers()), [P::DomesticVrp], "VRP-020");
        assert_eq!(those(PaymentProduct::requires_file), [P::FilePayment]);
        assert_eq!(those(|it| !it.reads_refund_account()), [P::FilePayment], "PIS-096");
        assert_eq!(those(PaymentProduct::is_recurring), [P::DomesticStandingOrder, P::InternationalStandingOrder]);
        assert_eq!(
            those(|it| it.territory() == PaymentTerritory::International),
            [P::InternationalPayment, P::InternationalScheduledPayment, P::InternationalStandingOrder]
        );
    }
}
