//! The standard's JSON file: `{"Data":{"DomesticPayments":[…]}}`, each element the initiation of a domestic payment.
//! Source: FILE-008.

use super::limits::{FileLimits, InputLimits, LimitedInput};
use super::lines::{FileParseError, LineSink};
use crate::parse::{FaultCollector, FromJson as _, JsonMember, JsonPath, ReadSeed};
use crate::payments::forms::PaymentForms;
use crate::payments::initiation::Immediate;
use crate::payments::parts::references;
use lombard_domain::payment::file::{FileLine, FilePayee};
use lombard_domain::payment::transfer::TransferDetails;
use lombard_domain::refusal::{Fault, FaultCode};
use serde::de::{DeserializeSeed, Deserializer, Error, IgnoredAny, MapAccess, SeqAccess, Visitor};
use std::cell::RefCell;
use std::fmt;
use std::io::BufRead;
use std::marker::PhantomData;

/// The members that enclose the payments, from the root.
const AROUND: &[&str] = &["Data", "DomesticPayments"];

/// Parses the file and yields its lines.
pub(super) fn read<V: PaymentForms, R: BufRead, E>(
    input: LimitedInput<'_, R>,
    limits: &FileLimits,
    lines: &mut LineSink<'_, E>,
) -> Result<(), FileParseError<E>> {
    let reader = FaultCollector::new(limits.depth_max, FaultCode::InvalidFormat);
    let (seen, failure) = {
        let meter = input.meter();
        let context = ReadContext { reader: &reader, meter, lines: RefCell::new(lines), failure: RefCell::new(None) };
        let mut json = serde_json::Deserializer::from_reader(input);
        let seen =
            PaymentsLocator::<V, _> { context: &context, names: AROUND, at: &JsonPath::ROOT, version: PhantomData }
                .deserialize(&mut json);
        (seen.and_then(|()| json.end()), context.failure.take())
    };
    // All faults of a file's content have one code. Source: FILE-012.
    let faults = reader.into_faults().into_iter().map(|fault| Fault { code: FaultCode::InvalidFormat, ..fault });
    let mut faults: Vec<_> = faults.collect();
    match (failure, seen) {
        (Some(failure), _) => Err(failure),
        (None, Err(error)) if error.is_io() => Err(FileParseError::Input(error.into())),
        (None, Err(error)) if faults.is_empty() => {
            let line = error.line();
            let column = error.column();
            let message = format!("The file is not JSON of this kind (line {line}, column {column}).");
            faults.push(Fault::new(FaultCode::InvalidFormat, message));
            Err(FileParseError::Refused(faults))
        }
        (None, Ok(())) if faults.is_empty() => Ok(()),
        (None, _) => Err(FileParseError::Refused(faults)),
    }
}

/// The state that the parts of a file share during parsing.
struct ReadContext<'c, 'l, E> {
    reader: &'c FaultCollector,
    meter: &'c InputLimits,
    lines: RefCell<&'c mut LineSink<'l, E>>,
    /// The reason why parsing stopped, unless it is a fault in the text.
    failure: RefCell<Option<FileParseError<E>>>,
}

/// An object with one member, or, at the end of the path, the payments.
struct PaymentsLocator<'a, 'c, 'l, V, E> {
    context: &'a ReadContext<'c, 'l, E>,
    names: &'static [&'static str],
    at: &'a JsonPath<'a>,
    version: PhantomData<V>,
}

impl<'de, V: PaymentForms, E> DeserializeSeed<'de> for PaymentsLocator<'_, '_, '_, V, E> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, json: D) -> Result<(), D::Error> {
        if self.names.is_empty() { json.deserialize_seq(self) } else { json.deserialize_map(self) }
    }
}

impl<'de, V: PaymentForms, E> Visitor<'de> for PaymentsLocator<'_, '_, '_, V, E> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a file of domestic payments")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut json: A) -> Result<(), A::Error> {
        let Self { context, names, at, version } = self;
        let Some((name, inner)) = names.split_first() else { return Err(A::Error::custom("an object")) };
        let mut seen = false;
        while let Some(key) = json.next_key::<String>()? {
            let at = at.member(&key);
            if key != *name {
                context.reader.fault(FaultCode::InvalidFormat, &at, "This member is not part of such a file.");
                json.next_value::<IgnoredAny>()?;
            } else if seen {
                context.reader.duplicate(&at);
                json.next_value::<IgnoredAny>()?;
            } else {
                seen = true;
                json.next_value_seed(PaymentsLocator { context, names: inner, at: &at, version })?;
            }
        }
        if !seen {
            context.reader.fault(FaultCode::InvalidFormat, &at.member(name), "This member is required.");
        }
        Ok(())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut json: A) -> Result<(), A::Error> {
        let ReadContext { reader, meter, lines, failure } = self.context;
        for index in 0.. {
            meter.line_begins();
            let at = self.at.index(index);
            match json.next_element_seed(ReadSeed::<Immediate<V>>::new(reader, &at))? {
                None if index == 0 => {
                    reader.fault(FaultCode::InvalidFormat, self.at, "Must have at least one element.");
                    break;
                }
                None => break,
                Some(JsonMember::Value(payment)) if reader.reported().0 == 0 => {
                    let mut lines = lines.borrow_mut();
                    let line = line(lines.next_number(), payment);
                    if let Err(why) = lines.take(line) {
                        *failure.borrow_mut() = Some(why);
                        return Err(A::Error::custom("halted"));
                    }
                }
                Some(JsonMember::Value(_) | JsonMember::Faulty) => {}
                Some(JsonMember::Null) => reader.wrong_type(&at, Immediate::<V>::WANTED, "null"),
            }
            if !reader.reported().1 {
                return Err(A::Error::custom("too many faults"));
            }
        }
        Ok(())
    }
}

fn line<V: PaymentForms>(number: u32, it: Immediate<V>) -> FileLine {
    let references = references(Some(it.instruction), Some(it.end_to_end), it.remittance);
    let agent = it.agent.and_then(Into::into).map(|agent| agent.payee_agent);
    let (credit, details, debtor) = it.common.credit(it.instrument, it.address.map(Into::into), references);
    FileLine {
        number,
        amount: it.amount,
        references: credit.references,
        instrument: credit.instrument,
        debtor: debtor.map(Into::into),
        execute_on: None,
        payee: Ok(FilePayee { creditor: credit.creditor, address: credit.address }),
        details: TransferDetails { agent, ..details }.boxed(),
    }
}
