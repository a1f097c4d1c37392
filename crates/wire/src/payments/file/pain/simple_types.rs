//! The lexical forms of the XML Schema simple types in the message. Every form that the schema allows is accepted. Source:
//! FILE-012, XML Schema 1.0 part 2, sections 3.2.2, 3.2.3 and 3.2.9.

use jiff::civil::Date;

/// A boolean: `true`, `false`, `1` or `0`.
pub(super) fn read_boolean(text: &str) -> Option<bool> {
    match text {
        "true" | "1" => Some(true),
        "false" | "0" => Some(false),
        _ => None,
    }
}

/// A date without its optional zone: `2027-01-10`, `2027-01-10Z`, `2027-01-10+01:00`.
pub(super) fn read_date(text: &str) -> Option<Date> {
    let (date, zone) = text.split_at_checked("2027-01-10".len())?;
    let is_date = date.bytes().enumerate().all(|(index, byte)| match index {
        4 | 7 => byte == b'-',
        _ => byte.is_ascii_digit(),
    });
    (is_date && is_zone(zone)).then(|| date.parse().ok()).flatten()
}

/// Whether a text is the zone of a date: nothing, `Z`, or an offset of at most 14 hours.
fn is_zone(text: &str) -> bool {
    let Some(offset) = text.strip_prefix(['+', '-']) else { return matches!(text, "" | "Z") };
    let Some((hours, minutes)) = offset.split_once(':') else { return false };
    let number = |part: &str, max: u8| {
        let value = part.parse().ok().filter(|value: &u8| *value <= max);
        value.filter(|_| part.len() == 2 && part.bytes().all(|byte| byte.is_ascii_digit()))
    };
    matches!((number(hours, 14), number(minutes, 59)), (Some(0..=13), Some(_)) | (Some(14), Some(0)))
}

/// The canonical text of a decimal number: no plus sign, a digit before the point, no redundant zeros. `+10.00`, `10.` and `0010`
/// are `10`, `.50` is `0.5`.
pub(super) fn canonical_decimal(text: &str) -> Option<String> {
    let (sign, digits) = match text.strip_prefix('-') {
        Some(digits) => ("-", digits),
        None => ("", text.strip_prefix('+').unwrap_or(text)),
    };
    let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
    let is_number = |part: &str| part.bytes().all(|byte| byte.is_ascii_digit());
    if (whole.is_empty() && fraction.is_empty()) || !is_number(whole) || !is_number(fraction) {
        return None;
    }
    let whole = whole.trim_start_matches('0');
    let whole = if whole.is_empty() { "0" } else { whole };
    let fraction = fraction.trim_end_matches('0');
    Some(match (whole, fraction) {
        ("0", "") => "0".to_owned(),
        (_, "") => format!("{sign}{whole}"),
        _ => format!("{sign}{whole}.{fraction}"),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn file_012_every_lexical_form_of_a_simple_type_is_read() {
        let day: Date = "2027-01-10".parse().unwrap();
        for text in ["2027-01-10", "2027-01-10Z", "2027-01-10+01:00", "2027-01-10-14:00", "2027-01-10+00:00"] {
            assert_eq!(read_date(text), Some(day), "{text}");
        }
        for text in ["", "2027-1-10", "2027-02-30", "20270110", "2027-01-10z", "2027-01-10+0100", "2027-01-10+14:01"] {
            assert_eq!(read_date(text), None, "{text}");
        }
        for text in ["2027-01-10 ", "2027-01-10T", "2027-01-10+1:00", "+2027-01-1", "2027-01-10+15:00", "2027-010-1"] {
            assert_eq!(read_date(text), None, "{text}");
        }
        for (text, canonical) in [
            ("10", "10"),
            ("+10.00", "10"),
            ("10.", "10"),
            (".50", "0.5"),
            ("10.000000", "10"),
            ("0010.5", "10.5"),
            ("-0.0", "0"),
            ("-1.50", "-1.5"),
        ] {
            assert_eq!(canonical_decimal(text).as_deref(), Some(canonical), "{text}");
        }
        for text in ["", ".", "+", "-.", "1,0", "1e3", "+-1", "1.0.0", "INF", "٣"] {
            assert_eq!(canonical_decimal(text), None, "{text}");
        }
        for (text, truth) in [("true", Some(true)), ("1", Some(true)), ("false", Some(false)), ("0", Some(false))] {
            assert_eq!(read_boolean(text), truth, "{text}");
        }
        for text in ["yes", "TRUE", "", "2"] {
            assert_eq!(read_boolean(text), None, "{text}");
        }
    }
}
