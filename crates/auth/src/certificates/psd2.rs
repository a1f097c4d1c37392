//! The qualified statements of a certificate: the PSD2 roles of its holder and the types of certificate it is. Source:
//! DCR-053, ETSI TS 119 495 section 5.1, ETSI EN 319 412-5 section 4.2.3.

use lombard_domain::scope::TppRole;
use x509_parser::der_parser::ber::BerObject;
use x509_parser::der_parser::{Oid, oid, parse_der};

/// The extension that holds qualified statements (RFC 3739).
pub(super) const QC_STATEMENTS: Oid<'static> = oid!(1.3.6.1.5.5.7.1.3);
const PSD2_STATEMENT: Oid<'static> = oid!(0.4.0.19495.2);
const ROLES: [(Oid<'static>, TppRole); 3] = [
    (oid!(0.4.0.19495.1.2), TppRole::Pisp),
    (oid!(0.4.0.19495.1.3), TppRole::Aisp),
    (oid!(0.4.0.19495.1.4), TppRole::Cbpii),
];

/// The statement of certificate types (`id-etsi-qcs-QcType`).
const TYPE_STATEMENT: Oid<'static> = oid!(0.4.0.1862.1.6);
/// The type of a certificate for electronic signatures.
const TYPE_SIGNATURE: Oid<'static> = oid!(0.4.0.1862.1.6.1);
/// The type of a certificate for electronic seals.
const TYPE_SEAL: Oid<'static> = oid!(0.4.0.1862.1.6.2);
/// The type of a certificate for website authentication, which a transport certificate has.
const TYPE_WEB: Oid<'static> = oid!(0.4.0.1862.1.6.3);

/// The parsed qualified statements of a certificate.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct QcStatements {
    /// The PSD2 roles; `None` without a PSD2 statement. Roles that TPPs do not have are left out.
    pub(super) roles: Option<Vec<TppRole>>,
    /// Whether the stated types allow use in TLS.
    pub(super) for_tls: bool,
}

/// The qualified statements cannot be parsed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct BadQcStatements;

/// Parses the extension that holds the qualified statements.
///
/// A certificate for seals or signatures must not be used in TLS. A certificate that states types must state website authentication. A
/// certificate that states no type is checked by its key usages alone.
pub(super) fn read(extension: &[u8]) -> Result<QcStatements, BadQcStatements> {
    let (rest, statements) = parse_der(extension).map_err(|_| BadQcStatements)?;
    if !rest.is_empty() {
        return Err(BadQcStatements);
    }
    let (mut roles, mut types) = (None, Vec::new());
    for statement in members(&statements)? {
        let [id, content @ ..] = members(statement)? else { return Err(BadQcStatements) };
        let id = id.as_oid().map_err(|_| BadQcStatements)?;
        if id == &PSD2_STATEMENT && roles.is_none() {
            roles = Some(roles_of(content)?);
        } else if id == &TYPE_STATEMENT {
            let [stated, ..] = content else { return Err(BadQcStatements) };
            for kind in members(stated)? {
                types.push(kind.as_oid().map_err(|_| BadQcStatements)?.clone());
            }
        }
    }
    let is_sealing = types.contains(&TYPE_SEAL) || types.contains(&TYPE_SIGNATURE);
    Ok(QcStatements { roles, for_tls: !is_sealing && (types.is_empty() || types.contains(&TYPE_WEB)) })
}

/// The roles in the content of a PSD2 statement.
fn roles_of(content: &[BerObject<'_>]) -> Result<Vec<TppRole>, BadQcStatements> {
    let [content, ..] = content else { return Err(BadQcStatements) };
    let [stated, ..] = members(content)? else { return Err(BadQcStatements) };
    members(stated)?.iter().filter_map(|role| role_of(role).transpose()).collect()
}

fn role_of(stated: &BerObject<'_>) -> Result<Option<TppRole>, BadQcStatements> {
    let [id, ..] = members(stated)? else { return Err(BadQcStatements) };
    let id = id.as_oid().map_err(|_| BadQcStatements)?;
    Ok(ROLES.iter().find(|(known, _)| known == id).map(|(_, role)| *role))
}

fn members<'a, 'b>(object: &'b BerObject<'a>) -> Result<&'b [BerObject<'a>], BadQcStatements> {
    object.as_sequence().map(Vec::as_slice).map_err(|_| BadQcStatements)
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use proptest::prelude::*;

    fn sequence(parts: &[Vec<u8>]) -> Vec<u8> {
        let content = parts.concat();
        [vec![0x30, u8::try_from(content.len()).unwrap()], content].concat()
    }

    fn role(last: u8) -> Vec<u8> {
        sequence(&[vec![6, 7, 4, 0, 0x81, 0x98, 0x27, 1, last], vec![12, 1, b'R']])
    }

    /// The object identifier of a type of certificate.
    fn of_type(last: u8) -> Vec<u8> {
        vec![6, 7, 4, 0, 0x8e, 0x46, 1, 6, last]
    }

    /// The extension's content with a statement of these types: 1 for signatures, 2 for seals, 3 for websites.
    pub(crate) fn typed(types: &[u8]) -> Vec<u8> {
        let stated = sequence(&types.iter().copied().map(of_type).collect::<Vec<_>>());
        sequence(&[sequence(&[vec![6, 6, 4, 0, 0x8e, 0x46, 1, 6], stated])])
    }

    fn roles(extension: &[u8]) -> Result<Option<Vec<TppRole>>, BadQcStatements> {
        read(extension).map(|statements| statements.roles)
    }

    /// The extension's content with a PSD2 statement of these role numbers.
    pub(crate) fn statements(roles: &[u8]) -> Vec<u8> {
        let stated = sequence(&roles.iter().copied().map(role).collect::<Vec<_>>());
        let content =
            sequence(&[stated, vec![12, 3, b'F', b'C', b'A'], vec![12, 6, b'G', b'B', b'-', b'F', b'C', b'A']]);
        let compliance = sequence(&[vec![6, 6, 4, 0, 0x8e, 0x46, 1, 1]]);
        sequence(&[compliance, sequence(&[vec![6, 6, 4, 0, 0x81, 0x98, 0x27, 2], content])])
    }

    #[test]
    fn dcr_053_roles_are_read() {
        assert_eq!(roles(&statements(&[2, 3, 4])), Ok(Some(vec![TppRole::Pisp, TppRole::Aisp, TppRole::Cbpii])));
        assert_eq!(roles(&statements(&[3])), Ok(Some(vec![TppRole::Aisp])));
        assert_eq!(roles(&statements(&[1])), Ok(Some(vec![])), "an account servicer is no TPP");
        assert_eq!(roles(&statements(&[])), Ok(Some(vec![])));
        let other = sequence(&[sequence(&[vec![6, 6, 4, 0, 0x8e, 0x46, 1, 1]])]);
        assert_eq!(roles(&other), Ok(None), "other statements say nothing of roles");
    }

    #[test]
    fn dcr_053_broken_statements_are_not_absent_ones() {
        let sound = statements(&[3]);
        assert_eq!(roles(&sound[..sound.len() - 1]), Err(BadQcStatements));
        assert_eq!(roles(&[sound.clone(), vec![0]].concat()), Err(BadQcStatements));
        assert_eq!(roles(b""), Err(BadQcStatements));
        assert_eq!(roles(&sequence(&[vec![5, 0]])), Err(BadQcStatements));
        let untyped = sequence(&[sequence(&[vec![6, 6, 4, 0, 0x8e, 0x46, 1, 6]])]);
        assert_eq!(read(&untyped), Err(BadQcStatements));
    }

    proptest! {
        #[test]
        fn reading_never_panics(at in 0usize..60, byte: u8) {
            let mut bytes = statements(&[2, 3]);
            if let Some(place) = bytes.get_mut(at) { *place = byte; }
            let _ = read(&bytes);
            let mut bytes = typed(&[2, 3]);
            if let Some(place) = bytes.get_mut(at) { *place = byte; }
            let _ = read(&bytes);
        }
    }
}
