//! The rows of the catalogue.

use crate::extract::{contract_of, permissions_of, with_pipeline};
use crate::handlers;
use lombard_domain::scope::Scope;
use lombard_edge::endpoint::{ApiEndpoint, ServedVersion};
use lombard_edge::endpoint_facts::Conformance::{Conditional, Mandatory, Optional, WithPost};
use lombard_edge::endpoint_facts::HttpMethod::{Delete, Get, Patch, Post, Put};
use lombard_edge::endpoint_facts::RequiredGrant::{Client, Either, Psu};
use lombard_edge::endpoint_facts::{
    Conformance, EndpointGroup, HttpMethod, MessageSigning, RequiredGrant, ResponseMedia,
};
use lombard_service::accounts::{
    AccountOwner, AccountParties, Accounts, Balances, Beneficiaries, DirectDebits, Offers, Products, ScheduledPayments,
    StandingOrders, Statements, Transactions,
};
use lombard_wire::StandardVersion;
use lombard_wire::payments::{
    DomesticPayment, DomesticScheduledPayment, DomesticStandingOrder, DomesticVrp, FilePayment, InternationalPayment,
    InternationalScheduledPayment, InternationalStandingOrder,
};
use lombard_wire::v3_1::V3_1;
use lombard_wire::v4_0::V4_0;

/// Serves a row in some versions through one handler, generic over the version if that matters to it:
/// `each!(V in [V3_1] => f::<V>)`. A further version of a row is one more name in the brackets.
macro_rules! each {
    ($release:ident in [$($version:ty),+] => $handler:expr) => {
        &[$({
            type $release = $version;
            ServedVersion {
                version: <$release as StandardVersion>::VERSION,
                route: |row| with_pipeline(row, <$release as StandardVersion>::VERSION, $handler),
                contract: || contract_of($handler),
                opened_by: || permissions_of($handler),
            }
        }),+]
    };
}

/// Every endpoint of the standard. Source: T1, T6.
#[rustfmt::skip]
pub static ENDPOINTS: &[ApiEndpoint] = &[
    // Account information: 29.
    ais("CreateAccountAccessConsents", Post, "/account-access-consents", Client, Mandatory).served(each!(V in [V3_1, V4_0] => handlers::consents::create::<V>)),
    ais("GetAccountAccessConsentsConsentId", Get, "/account-access-consents/{ConsentId}", Client, Mandatory).served(each!(V in [V3_1, V4_0] => handlers::consents::read::<V>)),
    ais("DeleteAccountAccessConsentsConsentId", Delete, "/account-access-consents/{ConsentId}", Client, Mandatory).served(each!(V in [V3_1, V4_0] => handlers::consents::delete::<V>)),
    ais("GetAccounts", Get, "/accounts", Psu, Mandatory).served(each!(V in [V3_1, V4_0] => handlers::accounts::list::<V, Accounts>)),
    ais("GetAccountsAccountId", Get, "/accounts/{AccountId}", Psu, Mandatory).served(each!(V in [V3_1, V4_0] => handlers::accounts::single_element_list::<V, Accounts>)),
    ais("GetAccountsAccountIdBalances", Get, "/accounts/{AccountId}/balances", Psu, Mandatory).served(each!(V in [V3_1, V4_0] => handlers::accounts::list::<V, Balances>)),
    ais("GetAccountsAccountIdBeneficiaries", Get, "/accounts/{AccountId}/beneficiaries", Psu, Conditional).served(each!(V in [V3_1, V4_0] => handlers::accounts::list::<V, Beneficiaries>)),
    ais("GetAccountsAccountIdDirectDebits", Get, "/accounts/{AccountId}/direct-debits", Psu, Conditional).served(each!(V in [V3_1, V4_0] => handlers::accounts::list::<V, DirectDebits>)),
    ais("GetAccountsAccountIdOffers", Get, "/accounts/{AccountId}/offers", Psu, Conditional).served(each!(V in [V3_1, V4_0] => handlers::accounts::list::<V, Offers>)),
    ais("GetAccountsAccountIdParties", Get, "/accounts/{AccountId}/parties", Psu, Conditional).served(each!(V in [V3_1, V4_0] => handlers::accounts::list::<V, AccountParties>)),
    ais("GetAccountsAccountIdParty", Get, "/accounts/{AccountId}/party", Psu, Conditional).served(each!(V in [V3_1, V4_0] => handlers::accounts::object::<V, AccountOwner>)),
    ais("GetAccountsAccountIdProduct", Get, "/accounts/{AccountId}/product", Psu, Conditional).served(each!(V in [V3_1, V4_0] => handlers::accounts::single_element_list::<V, Products>)),
    ais("GetAccountsAccountIdScheduledPayments", Get, "/accounts/{AccountId}/scheduled-payments", Psu, Conditional).served(each!(V in [V3_1, V4_0] => handlers::accounts::list::<V, ScheduledPayments>)),
    ais("GetAccountsAccountIdStandingOrders", Get, "/accounts/{AccountId}/standing-orders", Psu, Conditional).served(each!(V in [V3_1, V4_0] => handlers::accounts::list::<V, StandingOrders>)),
    ais("GetAccountsAccountIdStatements", Get, "/accounts/{AccountId}/statements", Psu, Conditional).served(each!(V in [V3_1, V4_0] => handlers::accounts::list::<V, Statements>)),
    ais("GetAccountsAccountIdStatementsStatementId", Get, "/accounts/{AccountId}/statements/{StatementId}", Psu, Conditional).served(each!(V in [V3_1, V4_0] => handlers::accounts::single_element_list::<V, Statements>)),
    ais("GetAccountsAccountIdStatementsStatementIdFile", Get, "/accounts/{AccountId}/statements/{StatementId}/file", Psu, Optional).with_response_media(&[ResponseMedia::Pdf, ResponseMedia::Csv]).served(each!(V in [V3_1, V4_0] => handlers::accounts::statement_file)),
    ais("GetAccountsAccountIdStatementsStatementIdTransactions", Get, "/accounts/{AccountId}/statements/{StatementId}/transactions", Psu, Conditional).served(each!(V in [V3_1, V4_0] => handlers::accounts::list::<V, Transactions>)),
    ais("GetAccountsAccountIdTransactions", Get, "/accounts/{AccountId}/transactions", Psu, Mandatory).served(each!(V in [V3_1, V4_0] => handlers::accounts::list::<V, Transactions>)),
    ais("GetBalances", Get, "/balances", Psu, Optional).served(each!(V in [V3_1, V4_0] => handlers::accounts::list::<V, Balances>)),
    ais("GetBeneficiaries", Get, "/beneficiaries", Psu, Optional).served(each!(V in [V3_1, V4_0] => handlers::accounts::list::<V, Beneficiaries>)),
    ais("GetDirectDebits", Get, "/direct-debits", Psu, Optional).served(each!(V in [V3_1, V4_0] => handlers::accounts::list::<V, DirectDebits>)),
    ais("GetOffers", Get, "/offers", Psu, Optional).served(each!(V in [V3_1, V4_0] => handlers::accounts::list::<V, Offers>)),
    ais("GetParty", Get, "/party", Psu, Conditional).served(each!(V in [V3_1, V4_0] => handlers::accounts::psu_party::<V>)),
    ais("GetProducts", Get, "/products", Psu, Optional).served(each!(V in [V3_1, V4_0] => handlers::accounts::list::<V, Products>)),
    ais("GetScheduledPayments", Get, "/scheduled-payments", Psu, Optional).served(each!(V in [V3_1, V4_0] => handlers::accounts::list::<V, ScheduledPayments>)),
    ais("GetStandingOrders", Get, "/standing-orders", Psu, Optional).served(each!(V in [V3_1, V4_0] => handlers::accounts::list::<V, StandingOrders>)),
    ais("GetStatements", Get, "/statements", Psu, Optional).served(each!(V in [V3_1, V4_0] => handlers::accounts::list::<V, Statements>)),
    ais("GetTransactions", Get, "/transactions", Psu, Optional).served(each!(V in [V3_1, V4_0] => handlers::accounts::list::<V, Transactions>)),
    // Payments: 41.
    payment_post("CreateDomesticPaymentConsents", "/domestic-payment-consents", Client, Mandatory).served(each!(V in [V3_1, V4_0] => handlers::payments::create_consent::<V, DomesticPayment>)),
    payment_get("GetDomesticPaymentConsentsConsentId", "/domestic-payment-consents/{ConsentId}", Either, Mandatory).served(each!(V in [V3_1, V4_0] => handlers::payments::read_consent::<V, DomesticPayment>)),
    payment_get("GetDomesticPaymentConsentsConsentIdFundsConfirmation", "/domestic-payment-consents/{ConsentId}/funds-confirmation", Psu, Mandatory).served(each!(V in [V3_1, V4_0] => handlers::payments::confirm_funds::<V, DomesticPayment>)),
    payment_post("CreateDomesticPayments", "/domestic-payments", Psu, Mandatory).served(each!(V in [V3_1, V4_0] => handlers::payments::create_order::<V, DomesticPayment>)),
    payment_get("GetDomesticPaymentsDomesticPaymentId", "/domestic-payments/{DomesticPaymentId}", Either, Mandatory).served(each!(V in [V3_1, V4_0] => handlers::payments::read_order::<V, DomesticPayment>)),
    payment_get("GetDomesticPaymentsDomesticPaymentIdPaymentDetails", "/domestic-payments/{DomesticPaymentId}/payment-details", Either, Optional).served(each!(V in [V3_1, V4_0] => handlers::payments::read_order_details::<V, DomesticPayment>)),
    payment_post("CreateDomesticScheduledPaymentConsents", "/domestic-scheduled-payment-consents", Client, Conditional).served(each!(V in [V3_1, V4_0] => handlers::payments::create_consent::<V, DomesticScheduledPayment>)),
    payment_get("GetDomesticScheduledPaymentConsentsConsentId", "/domestic-scheduled-payment-consents/{ConsentId}", Either, WithPost).served(each!(V in [V3_1, V4_0] => handlers::payments::read_consent::<V, DomesticScheduledPayment>)),
    payment_post("CreateDomesticScheduledPayments", "/domestic-scheduled-payments", Psu, Conditional).served(each!(V in [V3_1, V4_0] => handlers::payments::create_order::<V, DomesticScheduledPayment>)),
    payment_get("GetDomesticScheduledPaymentsDomesticScheduledPaymentId", "/domestic-scheduled-payments/{DomesticScheduledPaymentId}", Either, WithPost).served(each!(V in [V3_1, V4_0] => handlers::payments::read_order::<V, DomesticScheduledPayment>)),
    payment_get("GetDomesticScheduledPaymentsDomesticScheduledPaymentIdPaymentDetails", "/domestic-scheduled-payments/{DomesticScheduledPaymentId}/payment-details", Either, Optional).served(each!(V in [V3_1, V4_0] => handlers::payments::read_order_details::<V, DomesticScheduledPayment>)),
    payment_post("CreateDomesticStandingOrderConsents", "/domestic-standing-order-consents", Client, Conditional).served(each!(V in [V3_1, V4_0] => handlers::payments::create_consent::<V, DomesticStandingOrder>)),
    payment_get("GetDomesticStandingOrderConsentsConsentId", "/domestic-standing-order-consents/{ConsentId}", Either, WithPost).served(each!(V in [V3_1, V4_0] => handlers::payments::read_consent::<V, DomesticStandingOrder>)),
    payment_post("CreateDomesticStandingOrders", "/domestic-standing-orders", Psu, Conditional).served(each!(V in [V3_1, V4_0] => handlers::payments::create_order::<V, DomesticStandingOrder>)),
    payment_get("GetDomesticStandingOrdersDomesticStandingOrderId", "/domestic-standing-orders/{DomesticStandingOrderId}", Either, WithPost).served(each!(V in [V3_1, V4_0] => handlers::payments::read_order::<V, DomesticStandingOrder>)),
    payment_get("GetDomesticStandingOrdersDomesticStandingOrderIdPaymentDetails", "/domestic-standing-orders/{DomesticStandingOrderId}/payment-details", Either, Optional).served(each!(V in [V3_1, V4_0] => handlers::payments::read_order_details::<V, DomesticStandingOrder>)),
    payment_post("CreateFilePaymentConsents", "/file-payment-consents", Client, Conditional).served(each!(V in [V3_1, V4_0] => handlers::payments::create_consent::<V, FilePayment>)),
    payment_get("GetFilePaymentConsentsConsentId", "/file-payment-consents/{ConsentId}", Either, WithPost).served(each!(V in [V3_1, V4_0] => handlers::payments::read_consent::<V, FilePayment>)),
    payment_file_post("CreateFilePaymentConsentsConsentIdFile", "/file-payment-consents/{ConsentId}/file", Client, WithPost).served(each!(V in [V3_1, V4_0] => handlers::files::upload::<V>)),
    payment_get("GetFilePaymentConsentsConsentIdFile", "/file-payment-consents/{ConsentId}/file", Either, Conditional).with_response_media(FILES).served(each!(V in [V3_1, V4_0] => handlers::files::download::<V>)),
    payment_post("CreateFilePayments", "/file-payments", Psu, Conditional).served(each!(V in [V3_1, V4_0] => handlers::payments::create_order::<V, FilePayment>)),
    payment_get("GetFilePaymentsFilePaymentId", "/file-payments/{FilePaymentId}", Either, WithPost).served(each!(V in [V3_1, V4_0] => handlers::payments::read_order::<V, FilePayment>)),
    payment_get("GetFilePaymentsFilePaymentIdPaymentDetails", "/file-payments/{FilePaymentId}/payment-details", Either, Optional).served(each!(V in [V3_1, V4_0] => handlers::files::details::<V>)),
    payment_get("GetFilePaymentsFilePaymentIdReportFile", "/file-payments/{FilePaymentId}/report-file", Either, Conditional).with_response_media(FILES).served(each!(V in [V3_1, V4_0] => handlers::files::report::<V>)),
    payment_post("CreateInternationalPaymentConsents", "/international-payment-consents", Client, Conditional).served(each!(V in [V3_1, V4_0] => handlers::payments::create_consent::<V, InternationalPayment>)),
    payment_get("GetInternationalPaymentConsentsConsentId", "/international-payment-consents/{ConsentId}", Either, WithPost).served(each!(V in [V3_1, V4_0] => handlers::payments::read_consent::<V, InternationalPayment>)),
    payment_get("GetInternationalPaymentConsentsConsentIdFundsConfirmation", "/international-payment-consents/{ConsentId}/funds-confirmation", Psu, WithPost).served(each!(V in [V3_1, V4_0] => handlers::payments::confirm_funds::<V, InternationalPayment>)),
    payment_post("CreateInternationalPayments", "/international-payments", Psu, Conditional).served(each!(V in [V3_1, V4_0] => handlers::payments::create_order::<V, InternationalPayment>)),
    payment_get("GetInternationalPaymentsInternationalPaymentId", "/international-payments/{InternationalPaymentId}", Either, WithPost).served(each!(V in [V3_1, V4_0] => handlers::payments::read_order::<V, InternationalPayment>)),
    payment_get("GetInternationalPaymentsInternationalPaymentIdPaymentDetails", "/international-payments/{InternationalPaymentId}/payment-details", Either, Optional).served(each!(V in [V3_1, V4_0] => handlers::payments::read_order_details::<V, InternationalPayment>)),
    payment_post("CreateInternationalScheduledPaymentConsents", "/international-scheduled-payment-consents", Client, Conditional).served(each!(V in [V3_1, V4_0] => handlers::payments::create_consent::<V, InternationalScheduledPayment>)),
    payment_get("GetInternationalScheduledPaymentConsentsConsentId", "/international-scheduled-payment-consents/{ConsentId}", Either, WithPost).served(each!(V in [V3_1, V4_0] => handlers::payments::read_consent::<V, InternationalScheduledPayment>)),
    payment_get("GetInternationalScheduledPaymentConsentsConsentIdFundsConfirmation", "/international-scheduled-payment-consents/{ConsentId}/funds-confirmation", Psu, WithPost).served(each!(V in [V3_1, V4_0] => handlers::payments::confirm_funds::<V, InternationalScheduledPayment>)),
    payment_post("CreateInternationalScheduledPayments", "/international-scheduled-payments", Psu, Conditional).served(each!(V in [V3_1, V4_0] => handlers::payments::create_order::<V, InternationalScheduledPayment>)),
    payment_get("GetInternationalScheduledPaymentsInternationalScheduledPaymentId", "/international-scheduled-payments/{InternationalScheduledPaymentId}", Either, WithPost).served(each!(V in [V3_1, V4_0] => handlers::payments::read_order::<V, InternationalScheduledPayment>)),
    payment_get("GetInternationalScheduledPaymentsInternationalScheduledPaymentIdPaymentDetails", "/international-scheduled-payments/{InternationalScheduledPaymentId}/payment-details", Either, Optional).served(each!(V in [V3_1, V4_0] => handlers::payments::read_order_details::<V, InternationalScheduledPayment>)),
    payment_post("CreateInternationalStandingOrderConsents", "/international-standing-order-consents", Client, Conditional).served(each!(V in [V3_1, V4_0] => handlers::payments::create_consent::<V, InternationalStandingOrder>)),
    payment_get("GetInternationalStandingOrderConsentsConsentId", "/international-standing-order-consents/{ConsentId}", Either, WithPost).served(each!(V in [V3_1, V4_0] => handlers::payments::read_consent::<V, InternationalStandingOrder>)),
    payment_post("CreateInternationalStandingOrders", "/international-standing-orders", Psu, Conditional).served(each!(V in [V3_1, V4_0] => handlers::payments::create_order::<V, InternationalStandingOrder>)),
    payment_get("GetInternationalStandingOrdersInternationalStandingOrderPaymentId", "/international-standing-orders/{InternationalStandingOrderPaymentId}", Either, WithPost).served(each!(V in [V3_1, V4_0] => handlers::payments::read_order::<V, InternationalStandingOrder>)),
    payment_get("GetInternationalStandingOrdersInternationalStandingOrderPaymentIdPaymentDetails", "/international-standing-orders/{InternationalStandingOrderPaymentId}/payment-details", Either, Optional).served(each!(V in [V3_1, V4_0] => handlers::payments::read_order_details::<V, InternationalStandingOrder>)),
    // Confirmation of funds: 4.
    cbpii("CreateFundsConfirmationConsents", Post, "/funds-confirmation-consents", Client).served(each!(V in [V3_1, V4_0] => handlers::funds::create::<V>)),
    cbpii("GetFundsConfirmationConsentsConsentId", Get, "/funds-confirmation-consents/{ConsentId}", Client).served(each!(V in [V3_1, V4_0] => handlers::funds::read::<V>)),
    cbpii("DeleteFundsConfirmationConsentsConsentId", Delete, "/funds-confirmation-consents/{ConsentId}", Client).served(each!(V in [V3_1, V4_0] => handlers::funds::delete::<V>)),
    cbpii("CreateFundsConfirmations", Post, "/funds-confirmations", Psu).served(each!(V in [V3_1, V4_0] => handlers::funds::confirm::<V>)),
    // Variable recurring payments: 9.
    vrp("domesticVrpConsentsPost", Post, "/domestic-vrp-consents", Client, true, MessageSigning::Both, Mandatory).served(each!(V in [V3_1, V4_0] => handlers::payments::create_consent::<V, DomesticVrp>)),
    vrp("domesticVrpConsentsGet", Get, "/domestic-vrp-consents/{ConsentId}", Either, false, MessageSigning::Response, Mandatory).served(each!(V in [V3_1, V4_0] => handlers::payments::read_consent::<V, DomesticVrp>)),
    vrp("domesticVrpConsentsPut", Put, "/domestic-vrp-consents/{ConsentId}", Client, true, MessageSigning::Both, Optional).served(each!(V in [V4_0] => handlers::vrp::replace::<V>)),
    vrp("domesticVrpConsentsPatch", Patch, "/domestic-vrp-consents/{ConsentId}", Client, true, MessageSigning::Both, Optional).served(each!(V in [V4_0] => handlers::vrp::patch::<V>)),
    vrp("domesticVrpConsentsDelete", Delete, "/domestic-vrp-consents/{ConsentId}", Either, false, MessageSigning::Nothing, Mandatory).served(each!(V in [V3_1, V4_0] => handlers::vrp::delete::<V>)),
    vrp("domesticVrpConsentsFundsConfirmation", Post, "/domestic-vrp-consents/{ConsentId}/funds-confirmation", Psu, false, MessageSigning::Both, Mandatory).served(each!(V in [V3_1, V4_0] => handlers::vrp::confirm_funds::<V>)),
    vrp("domesticVrpPost", Post, "/domestic-vrps", Psu, true, MessageSigning::Both, Conditional).served(each!(V in [V3_1, V4_0] => handlers::payments::create_order::<V, DomesticVrp>)),
    vrp("domesticVrpGet", Get, "/domestic-vrps/{DomesticVRPId}", Either, false, MessageSigning::Response, Conditional).served(each!(V in [V3_1, V4_0] => handlers::payments::read_order::<V, DomesticVrp>)),
    vrp("domesticVrpPaymentDetailsGet", Get, "/domestic-vrps/{DomesticVRPId}/payment-details", Either, false, MessageSigning::Response, Optional).served(each!(V in [V3_1, V4_0] => handlers::payments::read_order_details::<V, DomesticVrp>)),
    // Events: 1.
    endpoint("CreateEvents", EndpointGroup::Events, Post, "/events", ANY_SCOPE, Client, Optional).served(each!(V in [V3_1, V4_0] => handlers::events::poll::<V>)),
];

/// The media types of payment files and of reports on them. Source: FILE-007, FILE-022.
const FILES: &[ResponseMedia] = &[ResponseMedia::Xml, ResponseMedia::TextXml, ResponseMedia::Json];

const ANY_SCOPE: &[Scope] = &[Scope::Accounts, Scope::Payments, Scope::FundsConfirmations];

/// A row that is not idempotent and not signed.
const fn endpoint(
    name: &'static str,
    group: EndpointGroup,
    verb: HttpMethod,
    path: &'static str,
    scopes: &'static [Scope],
    grant: RequiredGrant,
    need: Conformance,
) -> ApiEndpoint {
    let idempotent = false;
    let signed = MessageSigning::Nothing;
    let served = &[];
    ApiEndpoint {
        name,
        group,
        method: verb,
        path,
        scopes,
        grant,
        idempotent,
        signed,
        conformance: need,
        response_media: &[ResponseMedia::Json],
        served,
    }
}

/// A row of account information, which is neither idempotent nor signed. Source: RW-180, RW-200.
const fn ais(
    name: &'static str,
    verb: HttpMethod,
    path: &'static str,
    grant: RequiredGrant,
    need: Conformance,
) -> ApiEndpoint {
    endpoint(name, EndpointGroup::AccountInformation, verb, path, &[Scope::Accounts], grant, need)
}

/// A row of confirmation of funds, which is mandatory, unsigned and not idempotent. Source: part 3 of the rules.
const fn cbpii(name: &'static str, verb: HttpMethod, path: &'static str, grant: RequiredGrant) -> ApiEndpoint {
    endpoint(name, EndpointGroup::FundsConfirmation, verb, path, &[Scope::FundsConfirmations], grant, Mandatory)
}

const fn payment_get(name: &'static str, path: &'static str, grant: RequiredGrant, need: Conformance) -> ApiEndpoint {
    let row = endpoint(name, EndpointGroup::Payments, Get, path, &[Scope::Payments], grant, need);
    ApiEndpoint { signed: MessageSigning::Response, ..row }
}

const fn payment_post(name: &'static str, path: &'static str, grant: RequiredGrant, need: Conformance) -> ApiEndpoint {
    let row = endpoint(name, EndpointGroup::Payments, Post, path, &[Scope::Payments], grant, need);
    ApiEndpoint { idempotent: true, signed: MessageSigning::Both, ..row }
}

/// The row of the upload of a payment file, whose empty response is not signed.
const fn payment_file_post(
    name: &'static str,
    path: &'static str,
    grant: RequiredGrant,
    need: Conformance,
) -> ApiEndpoint {
    ApiEndpoint { signed: MessageSigning::Request, ..payment_post(name, path, grant, need) }
}

const fn vrp(
    name: &'static str,
    verb: HttpMethod,
    path: &'static str,
    grant: RequiredGrant,
    idempotent: bool,
    signed: MessageSigning,
    need: Conformance,
) -> ApiEndpoint {
    let row = endpoint(name, EndpointGroup::VariableRecurringPayments, verb, path, &[Scope::Payments], grant, need);
    ApiEndpoint { idempotent, signed, ..row }
}
