//! Declares methods: the arguments, the answer and the row of each method in one place.

/// Declares methods:
///
/// ```ignore
/// /// What it does.
/// Balances "balances" for list_balances, Reads, 5, "In the order of the ids." {
///     /// What the argument is.
///     ids: Vec<BankAccountId>, list(AsciiKey<40>, "AccountId");
/// } -> Answer<Several<BalanceKind>>
/// ```
/// Each declaration gives, in this order: the name of the method's type, its name in the path, the method of the port, the effect of a
/// call, the deadline in seconds, and the promised order.
macro_rules! calls {
    ($(
        $(#[doc = $about:literal])+
        $call:ident $name:literal for $port:ident, $effect:ident, $seconds:literal, $order:literal
        { $($(#[doc = $doc:literal])+ $field:ident: $type:ty, $need:ident $args:tt;)* } -> $answer:ty
    )+) => {
        $(
            $(#[doc = $about])+
            #[derive(Debug, Clone, PartialEq, Eq)]
            pub struct $call {
                $($(#[doc = $doc])+ pub $field: $type,)*
            }

            $crate::objects! {
                $(#[doc = $about])+
                $call as $name { $($(#[doc = $doc])+ $field: $need $args;)* }
            }

            impl $crate::calls::CoreCall for $call {
                const METHOD: &'static $crate::calls::Method = &$crate::calls::Method {
                    name: $name,
                    port: stringify!($port),
                    about: concat!($($about),+),
                    effect: $crate::calls::Effect::$effect,
                    deadline: std::time::Duration::from_secs($seconds),
                    order: $order,
                    request: $crate::calls::call::request_schema::<$call>,
                    answer: <$answer as $crate::calls::AnswerForm>::schema,
                };
                type Answer = $answer;
            }
        )+

        /// The rows of the methods of this module.
        pub(super) const ROWS: &[&$crate::calls::Method] = &[$(<$call as $crate::calls::CoreCall>::METHOD),+];
    };
}
pub(super) use calls;

/// Declares kinds of records in answers: the record, its form, the member that holds it, and its description.
macro_rules! kinds {
    ($($kind:ident: $record:ty, $form:ty, $member:literal, $about:literal;)+) => {$(
        #[doc = $about]
        #[derive(Debug)]
        pub struct $kind;

        impl $crate::calls::answers::RecordKind for $kind {
            type Record = $record;
            type Form = $form;
            const MEMBER: &'static str = $member;
            const ABOUT: &'static str = $about;
        }
    )+};
}
pub(super) use kinds;
