//! Describes an injected fault in a sentence.

use super::effect::{Cut, Delay, FaultEffect, Milliseconds};
use super::rule::FaultRule;

/// The calls, the effect and the remaining count of a fault, such as `GetAccounts: answered 503, delayed by 200 ms; once more`.
pub(super) fn describe_fault(rule: &FaultRule) -> String {
    let calls = rule.operation.as_deref().unwrap_or("Every call");
    let count = rule.count.map(|count| if count == 1 { "once more".to_owned() } else { format!("{count} more times") });
    let probability = rule.probability.as_ref().map(|it| format!("with probability {}", it.0));
    let conditions: Vec<_> = count.into_iter().chain(probability).collect();
    let effects = effects(&rule.effect).join(", ");
    if conditions.is_empty() {
        format!("{calls}: {effects}")
    } else {
        format!("{calls}: {effects}; {}", conditions.join(", "))
    }
}

fn effects(effect: &FaultEffect) -> Vec<String> {
    let status = effect.status.as_ref().map(|status| status.0.as_u16());
    let code = effect.code.as_ref().map(|code| code.text.as_str());
    let answer = match (status, code) {
        (Some(status), Some(code)) => Some(format!("answered {status} with {code}")),
        (Some(status), None) => Some(format!("answered {status}")),
        (None, Some(code)) => Some(format!("answered with {code}")),
        (None, None) => None,
    };
    let delay = effect.delay.map(|delay| match delay {
        Delay::Fixed(Milliseconds(ms)) => format!("delayed by {ms} ms"),
        Delay::Between(Milliseconds(least), Milliseconds(most)) => format!("delayed by {least} to {most} ms"),
    });
    let cut = effect.cut.map(|cut| match cut {
        Cut::Before => "the connection is cut before the work".to_owned(),
        Cut::After => "the connection is cut after the work".to_owned(),
    });
    let slow = effect.slow_body_ms.map(|Milliseconds(ms)| format!("the body is sent over {ms} ms"));
    let is_set = |it: Option<bool>, words: &str| (it == Some(true)).then(|| words.to_owned());
    let expired = is_set(effect.expired_token, "the token is taken as expired");
    let signature = is_set(effect.wrong_signature, "the signature of the answer is wrong");
    [answer, expired, delay, cut, slow, signature].into_iter().flatten().collect()
}

#[cfg(test)]
mod tests {
    use super::super::injection::{ErrorForm, FaultInjection, FaultOperation};
    use super::super::list::read_faults;
    use super::*;
    use http::Method;
    use lombard_ports::clock::Clocks;
    use lombard_ports::entropy::{CountingEntropy, IdGenerator};
    use std::sync::Arc;

    #[test]
    fn a_fault_is_told_in_a_sentence() {
        let operation = FaultOperation {
            name: "GetAccounts".to_owned(),
            method: Method::GET,
            path: "/accounts".to_owned(),
            unversioned: None,
            errors: ErrorForm::Api,
            signs_responses: true,
            unauthenticated: None,
        };
        let ids = IdGenerator::new(Arc::new(CountingEntropy::default()), Clocks::system());
        let injection = FaultInjection::new(ids, vec![operation]);
        let told = |json: &str| {
            let rules = read_faults(format!("[{json}]").as_bytes(), &injection, |_| None).unwrap();
            rules.iter().map(describe_fault).collect::<String>()
        };
        for (json, words) in [
            (
                r#"{"operation":"GetAccounts","status":503,"code":"U000","count":1}"#,
                "GetAccounts: answered 503 with U000; once more",
            ),
            (
                r#"{"delay_ms":{"min":10,"max":20},"cut":"after","probability":0.5,"count":3}"#,
                "Every call: delayed by 10 to 20 ms, the connection is cut after the work; 3 more times, with probability 0.5",
            ),
            (
                r#"{"slow_body":100,"wrong_signature":true}"#,
                "Every call: the body is sent over 100 ms, the signature of the answer is wrong",
            ),
            (r#"{"expired_token":true}"#, "Every call: the token is taken as expired"),
        ] {
            assert_eq!(told(json), words);
        }
    }
}
