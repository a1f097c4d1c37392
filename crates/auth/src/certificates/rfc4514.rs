//! Parses distinguished names in the text form of RFC 4514 and in the variants that tools write.

use super::attribute::{Attribute, AttributeValue, BadName, RelativeName, sorted};

use std::iter::Peekable;
use std::str::Chars;

/// Parses a name: commas separate relative names, pluses separate attributes, and spaces around both are allowed.
pub(super) fn parse(text: &str) -> Result<Vec<RelativeName>, BadName> {
    let mut names = Vec::new();
    let mut rest = text.chars().peekable();
    loop {
        names.push(relative_name(&mut rest)?);
        match rest.next() {
            Some(',') => {}
            None => return Ok(names),
            Some(_) => return Err(BadName),
        }
    }
}

/// Parses one relative name, up to but not including the comma or the end.
fn relative_name(rest: &mut Peekable<Chars<'_>>) -> Result<RelativeName, BadName> {
    let mut attributes = Vec::new();
    loop {
        let kind = object_identifier(&kind(rest)?)?;
        let value = value(rest)?;
        attributes.push(Attribute { kind, value });
        if rest.next_if_eq(&'+').is_none() {
            return Ok(sorted(attributes));
        }
    }
}

/// Parses an attribute type and its equals sign.
fn kind(rest: &mut Peekable<Chars<'_>>) -> Result<String, BadName> {
    let mut kind = String::new();
    loop {
        match rest.next() {
            Some('=') => return Ok(kind.trim_matches(' ').to_owned()),
            Some(c) if c.is_ascii_alphanumeric() || matches!(c, '.' | '-' | ' ') => kind.push(c),
            Some(_) | None => return Err(BadName),
        }
    }
}

/// Parses a value, up to but not including the next unescaped comma, plus or the end.
fn value(rest: &mut Peekable<Chars<'_>>) -> Result<AttributeValue, BadName> {
    while rest.next_if_eq(&' ').is_some() {}
    if rest.next_if_eq(&'#').is_some() {
        return der_value(rest);
    }
    let mut bytes = Vec::new();
    while let Some(c) = rest.next_if(|c| !matches!(c, ',' | '+')) {
        match c {
            '\\' => bytes.extend(escaped(rest)?),
            '"' | ';' | '<' | '>' | '\0' => return Err(BadName),
            plain => bytes.extend_from_slice(plain.encode_utf8(&mut [0; 4]).as_bytes()),
        }
    }
    String::from_utf8(bytes).map(|text| AttributeValue::text(&text)).map_err(|_| BadName)
}

/// Parses an escape after a backslash: a special character, or two hexadecimal digits for a byte.
fn escaped(rest: &mut Peekable<Chars<'_>>) -> Result<Option<u8>, BadName> {
    let first = rest.next().ok_or(BadName)?;
    if matches!(first, ' ' | '"' | '#' | '+' | ',' | ';' | '<' | '=' | '>' | '\\') {
        return u8::try_from(first).map(Some).map_err(|_| BadName);
    }
    byte(first, rest.next()).map(Some)
}

/// Parses the rest of a `#` value: exactly one DER value with a low tag number, in hexadecimal digits.
fn der_value(rest: &mut Peekable<Chars<'_>>) -> Result<AttributeValue, BadName> {
    let mut der = Vec::new();
    while let Some(first) = rest.next_if(char::is_ascii_hexdigit) {
        der.push(byte(first, rest.next())?);
    }
    while rest.next_if_eq(&' ').is_some() {}
    if !matches!(rest.peek(), None | Some(',' | '+')) {
        return Err(BadName);
    }
    let (tag, after_tag) = der.split_first().ok_or(BadName)?;
    let (length, content) = definite_length(after_tag)?;
    if tag & 0x1f == 0x1f || length != content.len() {
        return Err(BadName);
    }
    // Only universal, primitive types are text; other values keep their whole tag, so that they equal no text.
    Ok(AttributeValue::decode(u32::from(*tag), content))
}

/// Splits off the DER length, which has at most two bytes because no name is longer.
fn definite_length(der: &[u8]) -> Result<(usize, &[u8]), BadName> {
    match der {
        [short @ 0..=0x7f, content @ ..] => Ok((usize::from(*short), content)),
        [0x81, length @ 0x80..=0xff, content @ ..] => Ok((usize::from(*length), content)),
        [0x82, high @ 1..=0xff, low, content @ ..] => Ok((usize::from(u16::from_be_bytes([*high, *low])), content)),
        _ => Err(BadName),
    }
}

fn byte(high: char, low: Option<char>) -> Result<u8, BadName> {
    let digit = |c: char| c.to_digit(16).and_then(|digit| u8::try_from(digit).ok()).ok_or(BadName);
    Ok(digit(high)? << 4 | digit(low.ok_or(BadName)?)?)
}

/// The dotted form of an attribute type given as `OID.1.2.3`, `1.2.3` or a name in any case.
fn object_identifier(kind: &str) -> Result<String, BadName> {
    let known = KINDS.iter().find(|(name, _)| name.eq_ignore_ascii_case(kind));
    if let Some((_, dotted)) = known {
        return Ok((*dotted).to_owned());
    }
    let prefixed = kind.split_at_checked(4).filter(|(prefix, _)| prefix.eq_ignore_ascii_case("oid."));
    let dotted = prefixed.map_or(kind, |(_, dotted)| dotted);
    let is_arc =
        |arc: &str| !arc.is_empty() && arc.bytes().all(|b| b.is_ascii_digit()) && (arc == "0" || !arc.starts_with('0'));
    let sound = dotted.contains('.') && dotted.split('.').all(is_arc);
    if sound { Ok(dotted.to_owned()) } else { Err(BadName) }
}

/// Names of attribute types: those of RFC 4514 section 3 and RFC 4519, and others that OpenSSL, Java and Go write.
const KINDS: &[(&str, &str)] = &[
    ("CN", "2.5.4.3"),
    ("commonName", "2.5.4.3"),
    ("SN", "2.5.4.4"),
    ("surname", "2.5.4.4"),
    ("serialNumber", "2.5.4.5"),
    ("C", "2.5.4.6"),
    ("countryName", "2.5.4.6"),
    ("L", "2.5.4.7"),
    ("localityName", "2.5.4.7"),
    ("ST", "2.5.4.8"),
    ("S", "2.5.4.8"),
    ("stateOrProvinceName", "2.5.4.8"),
    ("street", "2.5.4.9"),
    ("streetAddress", "2.5.4.9"),
    ("O", "2.5.4.10"),
    ("organizationName", "2.5.4.10"),
    ("OU", "2.5.4.11"),
    ("organizationalUnitName", "2.5.4.11"),
    ("title", "2.5.4.12"),
    ("T", "2.5.4.12"),
    ("businessCategory", "2.5.4.15"),
    ("postalCode", "2.5.4.17"),
    ("name", "2.5.4.41"),
    ("GN", "2.5.4.42"),
    ("givenName", "2.5.4.42"),
    ("initials", "2.5.4.43"),
    ("dnQualifier", "2.5.4.46"),
    ("pseudonym", "2.5.4.65"),
    ("organizationIdentifier", "2.5.4.97"),
    ("DC", "0.9.2342.19200300.100.1.25"),
    ("domainComponent", "0.9.2342.19200300.100.1.25"),
    ("UID", "0.9.2342.19200300.100.1.1"),
    ("userId", "0.9.2342.19200300.100.1.1"),
    ("E", "1.2.840.113549.1.9.1"),
    ("emailAddress", "1.2.840.113549.1.9.1"),
    ("jurisdictionL", "1.3.6.1.4.1.311.60.2.1.1"),
    ("jurisdictionLocalityName", "1.3.6.1.4.1.311.60.2.1.1"),
    ("jurisdictionST", "1.3.6.1.4.1.311.60.2.1.2"),
    ("jurisdictionStateOrProvinceName", "1.3.6.1.4.1.311.60.2.1.2"),
    ("jurisdictionC", "1.3.6.1.4.1.311.60.2.1.3"),
    ("jurisdictionCountryName", "1.3.6.1.4.1.311.60.2.1.3"),
];

#[cfg(test)]
mod tests {
    use super::super::DistinguishedName;
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn rfc_4514_section_4_examples_read() {
        for text in [
            "UID=jsmith,DC=example,DC=net",
            "OU=Sales+CN=J.  Smith,DC=example,DC=net",
            "CN=James \\\"Jim\\\" Smith\\, III,DC=example,DC=net",
            "CN=Before\\0dAfter,DC=example,DC=net",
            "1.3.6.1.4.1.1466.0=#04024869",
            "CN=Lu\\C4\\8Di\\C4\\87",
        ] {
            assert!(DistinguishedName::parse(text).is_ok(), "{text}");
        }
        assert!(
            DistinguishedName::parse("CN=Lu\\C4\\8Di\\C4\\87")
                .unwrap()
                .is_same(&DistinguishedName::parse("CN=Lučić").unwrap())
        );
    }

    #[test]
    fn what_is_no_name() {
        for text in [
            "",
            " ",
            ",",
            "CN",
            "CN=a,",
            ",CN=a",
            "CN=a,,O=b",
            "CN=a+",
            "=a",
            "X=a",
            "nonsense=a",
            "1=a",
            "1..2=a",
            ".1.2=a",
            "01.2=a",
            "OID.=a",
            "OID.CN=a",
            "CN=\"a\"",
            "CN=a;O=b",
            "CN=<a>",
            "CN=a\\",
            "CN=a\\g",
            "CN=a\\4",
            "CN=\\ff",
            "CN=#",
            "CN=#1",
            "CN=#13",
            "CN=#1301",
            "CN=#13016162",
            "CN=#zz",
            "CN=#1f8101",
            "CN=#13810161",
            "CN=#1380",
            "CN=#130161x",
            "C\0N=a",
            "CN=a\0",
        ] {
            assert_eq!(DistinguishedName::parse(text), Err(BadName), "{text}");
        }
    }

    #[test]
    fn long_der_values_read() {
        let long = format!("CN=#0c8180{}", "61".repeat(128));
        assert!(
            DistinguishedName::parse(&long)
                .unwrap()
                .is_same(&DistinguishedName::parse(&format!("CN={}", "a".repeat(128))).unwrap())
        );
        let longer = format!("CN=#0c820100{}", "61".repeat(256));
        assert!(
            DistinguishedName::parse(&longer)
                .unwrap()
                .is_same(&DistinguishedName::parse(&format!("CN={}", "a".repeat(256))).unwrap())
        );
    }

    proptest! {
        #[test]
        fn parsing_never_panics(text in "\\PC{0,80}") {
            let _ = DistinguishedName::parse(&text);
        }

        #[test]
        fn near_names_never_panic(text in "((CN|OID\\.2\\.5\\.4\\.97|c) ?= ?([a-c#\\\\,+0-9 ]{0,12})[,+]?){0,4}") {
            let _ = DistinguishedName::parse(&text);
        }

        #[test]
        fn dcr_050_any_text_survives_escaping(text in "[ -~é]{1,30}") {
            let escaped: String = text.bytes().map(|byte| format!("\\{byte:02x}")).collect();
            let name = DistinguishedName::parse(&format!("CN={escaped}")).unwrap();
            prop_assert_eq!(name.text("2.5.4.3"), Some(text.trim_matches(' ')));
        }
    }
}
