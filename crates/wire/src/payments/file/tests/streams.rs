//! Files in pieces, beyond a limit, truncated, or with arbitrary content.
#![allow(clippy::arithmetic_side_effects, reason = "sums of a test are small, and an overflow fails it")]

use super::*;
use lombard_domain::grant::Digest;
use lombard_domain::payment::file::FileInitiation;
use proptest::prelude::*;
use std::cell::Cell;
use std::io::{self, BufReader, Read};

/// A file generated piece by piece while it is read.
struct Made<'a, F> {
    pieces: F,
    rest: Vec<u8>,
    made: &'a Cell<usize>,
}

impl<F: FnMut(usize) -> Option<String>> Read for Made<'_, F> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        if self.rest.is_empty() {
            let number = self.made.get();
            self.rest = (self.pieces)(number).unwrap_or_default().into_bytes();
            self.made.set(number + 1);
        }
        let count = self.rest.as_slice().read(into)?;
        self.rest.drain(..count);
        Ok(count)
    }
}

/// The pieces of a file: the part before its payments, each payment, and the part after them.
fn pieces(kind: FileType, count: usize) -> impl FnMut(usize) -> Option<String> {
    let (head, tail) = match kind {
        FileType::Pain001 => {
            let file = message(&format!("<NbOfTxs>{count}</NbOfTxs>"), &[batch("", &["|".to_owned()])]);
            file.split_once('|').map(|(a, b)| (a.to_owned(), b.to_owned())).unwrap()
        }
        FileType::PaymentInitiation31 | FileType::PaymentInitiation40 => {
            ("{\"Data\":{\"DomesticPayments\":[".to_owned(), "]}}".to_owned())
        }
    };
    move |number| match number {
        0 => Some(head.clone()),
        _ if number <= count => Some(match kind {
            FileType::Pain001 => transfer(number, "1.01"),
            FileType::PaymentInitiation31 | FileType::PaymentInitiation40 => {
                let comma = if number > 1 { "," } else { "" };
                format!("{comma}{}", payment(number, "1.01"))
            }
        }),
        _ if number == count + 1 => Some(tail.clone()),
        _ => None,
    }
}

#[test]
fn a_line_is_handed_out_before_the_rest_is_there() {
    const COUNT: usize = 5_000;
    for kind in FileType::ALL {
        let made = Cell::new(0);
        let input = Made { pieces: pieces(kind, COUNT), rest: Vec::new(), made: &made };
        let mut seen = 0_usize;
        let totals =
            read_file_lines(Version::V3_1, kind, BufReader::with_capacity(1, input), &FileLimits::default(), |line| {
                seen += 1;
                assert_eq!(usize::try_from(line.number).unwrap(), seen);
                assert!(made.get() <= seen + 2, "piece {} of line {seen}", made.get());
                Ok::<_, Infallible>(())
            });
        let totals = totals.unwrap();
        assert_eq!((seen, totals.count), (COUNT, 5_000));
        assert_eq!(totals.sum.decimal().to_string(), "5050.00");
    }
}

#[test]
fn file_018_limits_hold_at_their_bounds() {
    for kind in FileType::ALL {
        let mut next = pieces(kind, 3);
        let file: String = (0..).map_while(&mut next).collect();
        let longest = (1..=3).filter_map(pieces(kind, 3)).map(|it| it.len()).max().unwrap();
        let all = FileLimits::default();
        let read = |limits: FileLimits| {
            read_file_lines(Version::V3_1, kind, file.as_bytes(), &limits, |_| Ok::<_, Infallible>(()))
        };
        let size = u64::try_from(file.len()).unwrap();
        assert!(read(FileLimits { file_bytes_max: size, ..all }).is_ok());
        assert!(matches!(read(FileLimits { file_bytes_max: size - 1, ..all }), Err(FileParseError::TooLarge)));
        assert!(read(FileLimits { lines_max: 3, ..all }).is_ok());
        assert!(matches!(read(FileLimits { lines_max: 2, ..all }), Err(FileParseError::Refused(_))));
        assert!(read(FileLimits { line_bytes_max: longest * 3, ..all }).is_ok());
        assert!(matches!(read(FileLimits { line_bytes_max: longest / 2, ..all }), Err(FileParseError::Refused(_))));
        assert!(matches!(read(FileLimits { depth_max: 3, ..all }), Err(FileParseError::Refused(_))));
    }
}

#[test]
fn the_content_around_the_payments_is_limited_too() {
    let blanks = " ".repeat(100_000);
    let json = json_file(&[payment(1, "1.00")]);
    let xml = pain_file();
    for (kind, file) in [
        (FileType::PaymentInitiation31, json.replacen('{', &format!("{{{blanks}"), 1)),
        (FileType::PaymentInitiation31, json.replacen("ACME Inc", &blanks, 1)),
        (FileType::PaymentInitiation31, json.replacen('{', &format!("{{\"{blanks}\":1,"), 1)),
        (FileType::Pain001, xml.replacen("<PmtInf>", &format!("{blanks}<PmtInf>"), 1)),
        (FileType::Pain001, xml.replacen("<PmtInf>", &format!("<!--{blanks}--><PmtInf>"), 1)),
        (FileType::Pain001, xml.replacen("ACME Inc", &blanks, 1)),
        (FileType::Pain001, xml.replacen("<Nm>", &format!("<Nm {blanks}>"), 1)),
        (FileType::Pain001, xml.replacen("<Dbtr>", &format!("<Dbtr>{}", "<Id/>".repeat(20_000)), 1)),
    ] {
        let Err(FileParseError::Refused(faults)) = read(kind, file.as_bytes()) else { panic!() };
        assert_eq!(faults[0].message, "A payment of the file is too large.");
    }
    let attributes: String = (0..500).map(|number| format!(" a{number}=\"\"")).collect();
    assert_eq!(wrong(FileType::Pain001, xml.replacen("<Nm>", &format!("<Nm{attributes}>"), 1).as_bytes()), [""]);
    let deep = format!("<Nm>{}{}</Nm>", "<x>".repeat(5_000), "</x>".repeat(5_000));
    let deep = wrong(FileType::Pain001, xml.replacen("<Nm>ACME Inc</Nm>", &deep, 1).as_bytes());
    assert_eq!(deep, [""]);
    let deep = format!("{}{}", "[".repeat(5_000), "]".repeat(5_000));
    assert!(!wrong(FileType::PaymentInitiation31, json.replacen("\"ACME Inc\"", &deep, 1).as_bytes()).is_empty());
}

#[test]
fn the_receiver_of_lines_may_stop_the_parser() {
    for kind in FileType::ALL {
        let made = Cell::new(0);
        let input = Made { pieces: pieces(kind, 1_000), rest: Vec::new(), made: &made };
        let read =
            read_file_lines(Version::V3_1, kind, BufReader::with_capacity(64, input), &FileLimits::default(), |line| {
                if line.number == 3 { Err("enough") } else { Ok(()) }
            });
        assert!(matches!(read, Err(FileParseError::Stopped("enough"))));
        assert!(made.get() < 10, "nothing more was read");
    }
}

#[test]
fn an_input_that_fails_is_no_fault_of_the_file() {
    struct Failing;
    impl Read for Failing {
        fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
            Err(io::Error::new(io::ErrorKind::ConnectionReset, "gone"))
        }
    }
    for kind in FileType::ALL {
        let mut next = pieces(kind, 3);
        let begun: String = (0..3).map_while(&mut next).collect();
        let input = BufReader::new(begun.as_bytes().chain(Failing));
        let read = read_file_lines(Version::V3_1, kind, input, &FileLimits::default(), |_| Ok::<_, Infallible>(()));
        let Err(FileParseError::Input(error)) = read else { panic!("{kind:?}") };
        assert_eq!(error.kind(), io::ErrorKind::ConnectionReset);
    }
}

/// The announcement of a file with these amounts, in pence.
fn announced(kind: FileType, pence: &[u64]) -> FileInitiation {
    FileInitiation {
        count: Some(pence.len().try_into().unwrap()),
        sum: Some(rust_decimal::Decimal::from_i128_with_scale(pence.iter().map(|it| i128::from(*it)).sum(), 2)),
        ..FileInitiation::new(kind, Digest([0; 32]))
    }
}

fn file_of(kind: FileType, pence: &[u64]) -> String {
    let amounts: Vec<_> = pence.iter().map(|it| format!("{}.{:02}", it / 100, it % 100)).collect();
    match kind {
        FileType::Pain001 => {
            let transfers: Vec<_> = amounts.iter().enumerate().map(|(at, amount)| transfer(at, amount)).collect();
            let said = announced(kind, pence);
            let header = format!("<NbOfTxs>{}</NbOfTxs><CtrlSum>{}</CtrlSum>", pence.len(), said.sum.unwrap());
            message(&header, &[batch("", &transfers)])
        }
        FileType::PaymentInitiation31 | FileType::PaymentInitiation40 => {
            let payments: Vec<_> = amounts.iter().enumerate().map(|(at, amount)| payment(at, amount)).collect();
            json_file(&payments)
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn file_013_a_file_has_the_count_and_sum_of_its_payments(
        pence in prop::collection::vec(0_u64..999_999_999_999_999, 1..40),
        chunk in 1_usize..200,
        off in 1_u64..1_000,
    ) {
        for kind in FileType::ALL {
            let file = file_of(kind, &pence);
            let input = BufReader::with_capacity(chunk, file.as_bytes());
            let mut minors = Vec::new();
            let totals = read_file_lines(Version::V3_1, kind, input, &FileLimits::default(), |line| {
                minors.push(line.amount.minor());
                Ok::<_, Infallible>(())
            }).unwrap();
            prop_assert_eq!(&minors, &pence);
            let said = announced(kind, &pence);
            prop_assert_eq!(said.faults(&totals), []);
            let more = rust_decimal::Decimal::new(off.try_into().unwrap(), 2);
            let wrong = FileInitiation { sum: said.sum.and_then(|sum| sum.checked_add(more)), count: Some(0), ..said };
            prop_assert_eq!(wrong.faults(&totals).len(), 2);
        }
    }

    #[test]
    fn a_file_that_breaks_off_is_refused(at in any::<prop::sample::Index>()) {
        for kind in FileType::ALL {
            let file = file_of(kind, &[1, 2, 3]);
            let end = file.trim_end().len();
            let torn = &file.as_bytes()[..at.index(end)];
            let refused = matches!(read(kind, torn), Err(FileParseError::Refused(_)));
            prop_assert!(refused);
        }
    }

    #[test]
    fn no_bytes_make_the_readers_panic(bytes: Vec<u8>, from: prop::sample::Index, cut: prop::sample::Index) {
        for kind in FileType::ALL {
            let good = file_of(kind, &[1, 2, 3]).into_bytes();
            let mut torn = good[..cut.index(good.len())].to_vec();
            torn.extend(&bytes);
            torn.extend(&good[from.index(good.len())..]);
            let _ = (read(kind, &bytes), read(kind, &torn));
        }
    }

    #[test]
    fn a_changed_byte_is_read_or_refused_but_never_lost(at in any::<prop::sample::Index>(), to: u8) {
        for kind in FileType::ALL {
            let mut bytes = file_of(kind, &[1, 2, 3]).into_bytes();
            let at = at.index(bytes.len());
            bytes[at] = to;
            match read(kind, &bytes) {
                Ok((lines, totals)) => {
                    prop_assert_eq!(lines.len(), usize::try_from(totals.count).unwrap());
                    prop_assert_eq!(lines.len(), 3);
                }
                Err(FileParseError::Refused(faults)) => prop_assert!(!faults.is_empty()),
                Err(other) => prop_assert!(false, "{:?}", other),
            }
        }
    }
}
