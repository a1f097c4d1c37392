//! The message `pain.001.001.08`.

use super::*;
use jiff::civil::date;
use lombard_domain::account::{AccountScheme, AddressType};
use lombard_domain::money::Currency;
use lombard_domain::payment::file::{CommonValue, UnpayableReason};
use lombard_domain::payment::transfer::Instrument;

const KIND: FileType = FileType::Pain001;
const MESSAGE: &str = "Document.CstmrCdtTrfInitn";
const LINE: &str = "Document.CstmrCdtTrfInitn.PmtInf[0].CdtTrfTxInf[0]";

fn refused(file: &str) -> Vec<String> {
    wrong(KIND, file.as_bytes())
}

/// A message of one payment in which one part is replaced.
fn with(part: &str, other: &str) -> String {
    let file = message("<NbOfTxs>1</NbOfTxs>", &[batch("", &[transfer(1, "20.50")])]);
    assert!(file.contains(part), "{part}");
    file.replacen(part, other, 1)
}

/// The one payment of such a message.
fn line(part: &str, other: &str) -> FileLine {
    let (mut lines, _) = read(KIND, with(part, other).as_bytes()).unwrap();
    assert_eq!(lines.len(), 1);
    lines.remove(0)
}

const ACCOUNT: &str = "<CdtrAcct><Id><Othr><Id>08080021325698</Id></Othr></Id></CdtrAcct>";
const AMOUNT: &str = "<Amt><InstdAmt Ccy=\"GBP\">20.50</InstdAmt></Amt>";
const IDS: &str = "<PmtId><InstrId>I-1</InstrId><EndToEndId>E-1</EndToEndId></PmtId>";
const NAME: &str = "<Cdtr><Nm>ACME Inc</Nm></Cdtr>";

#[test]
fn file_015_a_message_and_its_payments() {
    let (lines, totals) = read(KIND, pain_file().as_bytes()).unwrap();
    let [first, second] = lines.as_slice() else { panic!("{lines:?}") };
    assert_eq!((first.number, second.number), (1, 2));
    assert_eq!((first.amount.minor(), second.amount.minor()), (2_050, 4_950));
    assert_eq!(first.references.instruction.as_deref(), Some("I-1"));
    assert_eq!(first.references.end_to_end.as_deref(), Some("E-1"));
    assert_eq!(first.execute_on, Some(date(2026, 7, 1)));
    let debtor = first.debtor.as_ref().unwrap();
    assert_eq!((debtor.scheme, debtor.number.as_str()), (AccountScheme::Iban, "GB33BUKB20201555555555"));
    assert_eq!(debtor.name.as_deref(), Some("Payer Ltd"));
    let payee = first.payee.as_ref().unwrap();
    assert_eq!(
        (payee.creditor.scheme, payee.creditor.holder_name()),
        (AccountScheme::SortCodeAccountNumber, "ACME Inc")
    );
    assert_eq!((totals.count, totals.sum.decimal().to_string().as_str()), (2, "70.00"));
    assert_eq!(totals.debtor, CommonValue::Single(debtor.clone()));
}

#[test]
fn file_015_header_and_batches_agree_with_the_body() {
    let two = || [transfer(1, "20.50"), transfer(2, "49.50")];
    let file = |header: &str, of_batch: &str| refused(&message(header, &[batch(of_batch, &two())]));
    assert_eq!(file("<NbOfTxs>2</NbOfTxs>", ""), Vec::<String>::new());
    assert_eq!(file("<NbOfTxs>02</NbOfTxs><CtrlSum>70.000</CtrlSum>", "<CtrlSum>70</CtrlSum>"), Vec::<String>::new());
    let header = |name: &str| vec![format!("{MESSAGE}.GrpHdr.{name}")];
    let of_batch = |name: &str| vec![format!("{MESSAGE}.PmtInf[0].{name}")];
    assert_eq!(file("<NbOfTxs>3</NbOfTxs>", ""), header("NbOfTxs"));
    assert_eq!(file("<NbOfTxs>2</NbOfTxs><CtrlSum>70.01</CtrlSum>", ""), header("CtrlSum"));
    assert_eq!(file("<NbOfTxs>2</NbOfTxs>", "<NbOfTxs>1</NbOfTxs>"), of_batch("NbOfTxs"));
    assert_eq!(file("<NbOfTxs>2</NbOfTxs>", "<CtrlSum>69.99</CtrlSum>"), of_batch("CtrlSum"));
    assert_eq!(file("", ""), header("NbOfTxs"), "it is required");
    assert_eq!(file("<NbOfTxs>two</NbOfTxs>", ""), header("NbOfTxs"));
    assert_eq!(file("<NbOfTxs>2</NbOfTxs><CtrlSum>-70</CtrlSum>", ""), header("CtrlSum"));
    let batches = [batch("<NbOfTxs>2</NbOfTxs>", &two()), batch("<NbOfTxs>1</NbOfTxs>", &[transfer(3, "1")])];
    assert_eq!(refused(&message("<NbOfTxs>3</NbOfTxs><CtrlSum>71</CtrlSum>", &batches)), Vec::<String>::new());
    let short = [batch("", &two()), batch("<NbOfTxs>2</NbOfTxs>", &[transfer(3, "1")])];
    assert_eq!(refused(&message("<NbOfTxs>3</NbOfTxs>", &short)), [format!("{MESSAGE}.PmtInf[1].NbOfTxs")]);
}

#[test]
fn file_015_equivalent_amounts_count_and_stay_at_home() {
    let equivalent = |transfer: &str| {
        line(
            AMOUNT,
            &format!("<Amt><EqvtAmt><Amt Ccy=\"GBP\">20.50</Amt><CcyOfTrf>{transfer}</CcyOfTrf></EqvtAmt></Amt>"),
        )
    };
    assert_eq!(equivalent("USD").payee, Err(UnpayableReason::Exchange));
    assert_eq!(equivalent("USD").amount.minor(), 2_050, "it counts all the same");
    assert!(equivalent("GBP").payee.is_ok());
}

#[test]
fn file_015_no_document_type_no_entities() {
    let (declaration, rest) =
        with(ACCOUNT, ACCOUNT).split_once('\n').map(|(a, b)| (a.to_owned(), b.to_owned())).unwrap();
    for doctype in [
        "<!DOCTYPE Document>",
        "<!DOCTYPE Document SYSTEM \"http://127.0.0.1/x.dtd\">",
        "<!DOCTYPE Document [<!ENTITY x SYSTEM \"file:///etc/passwd\">]>",
        "<!DOCTYPE Document [<!ENTITY a \"aaaa\"><!ENTITY b \"&a;&a;&a;&a;\">]>",
    ] {
        let Err(FileParseError::Refused(faults)) = read(KIND, format!("{declaration}{doctype}{rest}").as_bytes())
        else {
            panic!()
        };
        assert_eq!(faults[0].message, "The file must not have a document type.", "{doctype}");
    }
    for entity in ["&x;", "&nbsp;", "&#0;", "&#xD800;", "&#;"] {
        assert_eq!(refused(&with("ACME Inc", entity)), [""], "{entity}");
    }
    assert_eq!(line("ACME Inc", "A &amp; B &lt;&#x41;&#66;&gt;").payee.unwrap().creditor.holder_name(), "A & B <AB>");
    assert_eq!(line("ACME Inc", "<![CDATA[A & B]]>").payee.unwrap().creditor.holder_name(), "A & B");
    assert_eq!(line("ACME Inc", "AC<!-- no -->ME <?pi x?>Inc").payee.unwrap().creditor.holder_name(), "ACME Inc");
}

#[test]
fn file_012_only_well_formed_xml_in_utf_8() {
    let good = with(ACCOUNT, ACCOUNT);
    let declared =
        |declaration: &str| refused(&good.replacen("<?xml version=\"1.0\" encoding=\"UTF-8\"?>", declaration, 1));
    for fine in ["", "<?xml version=\"1.0\"?>", "<?xml version='1.0' encoding='utf-8' standalone='yes'?>", "\u{feff}"] {
        assert_eq!(declared(fine), Vec::<String>::new(), "{fine}");
    }
    for bad in [
        "<?xml version=\"1.1\"?>",
        "<?xml version=\"1.0\" encoding=\"ISO-8859-1\"?>",
        "<?xml version=\"1.0\" encoding=\"UTF-16\"?>",
        "<?xml version=\"1.0\"?><?xml version=\"1.0\"?>",
        "<!-- before --><?xml version=\"1.0\"?>",
        "text",
        "<x/>",
    ] {
        assert_eq!(declared(bad).len(), 1, "{bad}");
    }
    for bad in [
        String::new(),
        "{}".into(),
        "<Document/>".into(),
        format!("{good}<Document/>"),
        format!("{good}text"),
        good.replacen("</Document>", "", 1),
        good.replacen("</Document>", "</document>", 1),
        good.replacen("<Nm>ACME Inc</Nm>", "<Nm>ACME Inc</Cdtr>", 1),
        good.replacen("<Nm>ACME Inc</Nm>", "<Nm>ACME < Inc</Nm>", 1),
        good.replacen("Ccy=\"GBP\"", "Ccy=\"GBP\" Ccy=\"GBP\"", 1),
        good.replacen("Ccy=\"GBP\"", "Ccy=GBP", 1),
        good.replacen("ACME", "AC\u{1}ME", 1),
    ] {
        assert_eq!(refused(&bad).len(), 1, "{bad}");
    }
    assert!(
        !wrong(
            KIND,
            &good
                .replacen("ACME", "AC\u{fffd}ME", 1)
                .replace('\u{fffd}', "?")
                .into_bytes()
                .into_iter()
                .map(|byte| if byte == b'?' { 0xff } else { byte })
                .collect::<Vec<_>>()
        )
        .is_empty()
    );
    let wide: Vec<u8> = good.encode_utf16().flat_map(u16::to_le_bytes).collect();
    assert!(!wrong(KIND, &wide).is_empty());
}

#[test]
fn file_012_only_the_message_itself() {
    let other = with("pain.001.001.08", "pain.001.001.03");
    assert_eq!(refused(&other), ["Document"]);
    assert_eq!(refused(&with(" xmlns=\"urn:iso:std:iso:20022:tech:xsd:pain.001.001.08\"", "")), ["Document"]);
    let prefixed = with(ACCOUNT, ACCOUNT).replace("xmlns=", "xmlns:p=").replace("</", "</p:");
    let mut names = String::new();
    for part in prefixed.split_inclusive('<') {
        names.push_str(part);
        if part.ends_with('<') {
            names.push_str("p:");
        }
    }
    let names = names.replace("<p:/p:", "</p:").replace("<p:?", "<?");
    assert_eq!(refused(&names), Vec::<String>::new(), "under any prefix: {names}");
    let foreign = with("<Nm>ACME Inc</Nm>", "<Nm xmlns=\"urn:other\">ACME Inc</Nm>");
    assert_eq!(refused(&foreign), [format!("{LINE}.Cdtr")]);
    let supplement =
        "<SplmtryData><Envlp><x:any xmlns:x=\"urn:other\"><x:thing/></x:any></Envlp></SplmtryData></CdtTrfTxInf>";
    assert_eq!(refused(&with("</CdtTrfTxInf>", supplement)), Vec::<String>::new(), "what is foreign is passed over");
    let after = "</PmtInf><SplmtryData><Envlp/></SplmtryData>";
    assert_eq!(refused(&with("</PmtInf>", after)), Vec::<String>::new());
}

#[test]
fn file_012_members_are_those_of_the_schema_in_its_order() {
    for (part, other, at) in [
        (NAME, "<Cdtr><Nm>A</Nm><Mood>good</Mood></Cdtr>", format!("{LINE}.Cdtr")),
        (NAME, "<Payee/>", LINE.into()),
        (IDS, "", format!("{LINE}.PmtId")),
        (IDS, "<PmtId><InstrId>I-1</InstrId></PmtId>", format!("{LINE}.PmtId.EndToEndId")),
        (IDS, "<PmtId><EndToEndId>1</EndToEndId><InstrId>2</InstrId></PmtId>", format!("{LINE}.PmtId")),
        ("E-1", "123456789012345678901234567890123456", format!("{LINE}.PmtId.EndToEndId")),
        ("E-1", "", format!("{LINE}.PmtId.EndToEndId")),
        ("E-1", "a<b/>", format!("{LINE}.PmtId.EndToEndId")),
        (AMOUNT, "", format!("{LINE}.Amt")),
        (AMOUNT, "<Amt/>", format!("{LINE}.Amt")),
        (" Ccy=\"GBP\"", "", format!("{LINE}.Amt.InstdAmt")),
        ("Ccy=\"GBP\"", "Ccy=\"XXY\"", format!("{LINE}.Amt.InstdAmt")),
        ("20.50", "20.505", format!("{LINE}.Amt.InstdAmt")),
        ("20.50", "-20.50", format!("{LINE}.Amt.InstdAmt")),
        ("20.50", "2e1", format!("{LINE}.Amt.InstdAmt")),
        ("<Amt>", "text<Amt>", LINE.into()),
        ("<Dt>2026-07-01</Dt>", "2026-07-01", format!("{MESSAGE}.PmtInf[0].ReqdExctnDt")),
        ("<Dt>2026-07-01</Dt>", "<Dt>2026-02-30</Dt>", format!("{MESSAGE}.PmtInf[0].ReqdExctnDt")),
        ("<Dt>2026-07-01</Dt>", "<Dt>2026-07-01T10:00:00</Dt>", format!("{MESSAGE}.PmtInf[0].ReqdExctnDt")),
        ("<PmtMtd>TRF</PmtMtd>", "<PmtMtd>CHK</PmtMtd>", format!("{MESSAGE}.PmtInf[0].PmtMtd")),
        ("<PmtInfId>B-1</PmtInfId>", "", format!("{MESSAGE}.PmtInf[0].PmtInfId")),
        ("<Dbtr><Nm>Payer Ltd</Nm></Dbtr>", "", format!("{MESSAGE}.PmtInf[0].Dbtr")),
        ("<IBAN>GB33BUKB20201555555555</IBAN>", "<Othr><Id>x</Id></Othr>", format!("{MESSAGE}.PmtInf[0].DbtrAcct")),
        ("</PmtInf>", "<ChrgBr>SHAR</ChrgBr></PmtInf>", format!("{MESSAGE}.PmtInf[0]")),
        ("<MsgId>ABC/120928/CCT001</MsgId>", "", format!("{MESSAGE}.GrpHdr.MsgId")),
        ("2026-06-30T14:07:00", "yesterday", format!("{MESSAGE}.GrpHdr.CreDtTm")),
        ("<InitgPty><Nm>Payer Ltd</Nm></InitgPty>", "", format!("{MESSAGE}.GrpHdr.InitgPty")),
        ("</GrpHdr>", "</GrpHdr><Extra/>", MESSAGE.into()),
        ("</GrpHdr>", "</GrpHdr><GrpHdr/>", MESSAGE.into()),
        ("</CstmrCdtTrfInitn>", "</CstmrCdtTrfInitn><CstmrCdtTrfInitn/>", "Document".into()),
    ] {
        assert_eq!(refused(&with(part, other)), [at], "{part} -> {other}");
    }
    let empty = message("<NbOfTxs>0</NbOfTxs>", &[]);
    assert_eq!(refused(&empty), [MESSAGE]);
    assert_eq!(refused(&message("<NbOfTxs>0</NbOfTxs>", &[batch("", &[])])), [format!("{MESSAGE}.PmtInf[0]")]);
}

#[test]
fn file_012_faults_of_several_payments_are_reported_at_once() {
    let transfers = [transfer(1, "x"), transfer(2, "1.00"), transfer(3, "y")];
    let amount = |index: usize| format!("{MESSAGE}.PmtInf[0].CdtTrfTxInf[{index}].Amt.InstdAmt");
    assert_eq!(refused(&message("<NbOfTxs>9</NbOfTxs>", &[batch("", &transfers)])), [amount(0), amount(2)]);
    let many: Vec<_> = (0..500).map(|number| transfer(number, "x")).collect();
    assert_eq!(refused(&message("<NbOfTxs>1</NbOfTxs>", &[batch("", &many)])).len(), 100);
}

#[test]
fn pis_114_accounts_by_their_schemes() {
    let account = |id: &str| {
        line(ACCOUNT, &format!("<CdtrAcct><Id>{id}</Id></CdtrAcct>"))
            .payee
            .map(|payee| (payee.creditor.scheme, payee.creditor.number.clone()))
    };
    let other = |number: &str, scheme: &str| account(&format!("<Othr><Id>{number}</Id>{scheme}</Othr>"));
    use AccountScheme as S;
    let iban = "GB33BUKB20201555555555";
    assert_eq!(account(&format!("<IBAN>{iban}</IBAN>")), Ok((S::Iban, iban.into())));
    assert_eq!(other("08080021325698", ""), Ok((S::SortCodeAccountNumber, "08080021325698".into())));
    let named = |name: &str| format!("<SchmeNm><Prtry>{name}</Prtry></SchmeNm>");
    assert_eq!(other("4111111111111111", &named("UK.OBIE.PAN")), Ok((S::Pan, "4111111111111111".into())));
    assert_eq!(other("21325698", &named("BBAN")), Ok((S::Bban, "21325698".into())));
    assert_eq!(other("21325698", "<SchmeNm><Cd>BBAN</Cd></SchmeNm>"), Ok((S::Bban, "21325698".into())));
    for (number, scheme) in
        [("21325698", String::new()), ("x", named("Pigeon")), ("x", "<SchmeNm><Cd>UPIC</Cd></SchmeNm>".into())]
    {
        assert_eq!(other(number, &scheme), Err(UnpayableReason::Account), "{number} {scheme}");
    }
    for scheme in ["", "<SchmeNm><Cd>BBAN</Cd></SchmeNm>"] {
        let agent = "<CdtrAgt><FinInstnId><ClrSysMmbId><ClrSysId><Cd>GBDSC</Cd></ClrSysId><MmbId>080800</MmbId>\
                     </ClrSysMmbId></FinInstnId></CdtrAgt>";
        let beside = format!("{agent}{NAME}<CdtrAcct><Id><Othr><Id>21325698</Id>{scheme}</Othr></Id></CdtrAcct>");
        let payee = line(&format!("{NAME}{ACCOUNT}"), &beside).payee.unwrap();
        assert_eq!(
            (payee.creditor.scheme, payee.creditor.number.as_str()),
            (S::SortCodeAccountNumber, "08080021325698")
        );
    }
}

#[test]
fn file_023_an_unpayable_line_has_a_reason_and_counts() {
    let kind = |inner: &str| format!("{IDS}<PmtTpInf>{inner}</PmtTpInf>");
    for (part, other, why) in [
        (ACCOUNT, "", UnpayableReason::NoAccount),
        (NAME, "", UnpayableReason::NoName),
        (NAME, "<Cdtr/>", UnpayableReason::NoName),
        (IDS, &kind("<LclInstrm><Prtry>Pigeon</Prtry></LclInstrm>"), UnpayableReason::Instrument),
        (IDS, &kind("<LclInstrm><Cd>CORE</Cd></LclInstrm>"), UnpayableReason::Instrument),
        (
            "</CdtTrfTxInf>",
            &format!("<RmtInf><Ustrd>{0}</Ustrd><Ustrd>{0}</Ustrd></RmtInf></CdtTrfTxInf>", "x".repeat(100)),
            UnpayableReason::Remittance,
        ),
    ] {
        let line = line(part, other);
        assert_eq!(line.payee, Err(why), "{other}");
        assert_eq!(line.amount.minor(), 2_050);
    }
    assert!(line(ACCOUNT, &ACCOUNT.replace("</Id></CdtrAcct>", "</Id><Nm>Ada</Nm></CdtrAcct>")).payee.is_ok());
    let holder = format!("<Cdtr/>{}", ACCOUNT.replace("</Id></CdtrAcct>", "</Id><Nm>Ada</Nm></CdtrAcct>"));
    assert_eq!(line(&format!("{NAME}{ACCOUNT}"), &holder).payee.unwrap().creditor.holder_name(), "Ada");
}

#[test]
fn pis_138_rails_of_the_batch_and_of_the_payment() {
    let of_payment = |inner: &str| line(IDS, &format!("{IDS}<PmtTpInf>{inner}</PmtTpInf>")).instrument;
    assert_eq!(of_payment("<LclInstrm><Prtry>UK.OBIE.BACS</Prtry></LclInstrm>"), Some(Instrument::Bacs));
    assert_eq!(of_payment("<LclInstrm><Prtry>CHAPS</Prtry></LclInstrm>"), Some(Instrument::Chaps));
    assert_eq!(of_payment("<LclInstrm><Cd>INST</Cd></LclInstrm>"), Some(Instrument::SepaInstantCreditTransfer));
    assert_eq!(of_payment("<SvcLvl><Cd>SEPA</Cd></SvcLvl>"), Some(Instrument::SepaCreditTransfer));
    assert_eq!(of_payment("<SvcLvl><Cd>URGP</Cd></SvcLvl>"), None);
    let both = |own: &str| {
        let batch = batch(
            "<PmtTpInf><LclInstrm><Prtry>FPS</Prtry></LclInstrm></PmtTpInf>",
            &[transfer(1, "1").replace("</PmtId>", &format!("</PmtId>{own}"))],
        );
        read(KIND, message("<NbOfTxs>1</NbOfTxs>", &[batch]).as_bytes()).unwrap().0[0].instrument
    };
    assert_eq!(both(""), Some(Instrument::FasterPayments));
    assert_eq!(both("<PmtTpInf><InstrPrty>HIGH</InstrPrty></PmtTpInf>"), Some(Instrument::FasterPayments));
    assert_eq!(both("<PmtTpInf><LclInstrm><Prtry>BACS</Prtry></LclInstrm></PmtTpInf>"), Some(Instrument::Bacs));
}

#[test]
fn pis_130_131_references_and_addresses() {
    let remittance = "<RmtInf><Ustrd>One</Ustrd><Ustrd>two</Ustrd><Strd><CdtrRefInf><Ref>RF18</Ref></CdtrRefInf></Strd>\
                      </RmtInf></CdtTrfTxInf>";
    let references = line("</CdtTrfTxInf>", remittance).references;
    assert_eq!((references.message.as_deref(), references.reference.as_deref()), (Some("One two"), Some("RF18")));
    let postal = "<Cdtr><Nm>ACME Inc</Nm><PstlAdr><AdrTp>BIZZ</AdrTp><StrtNm>High Street</StrtNm><BldgNb>7</BldgNb>\
                  <PstCd>N1 1AA</PstCd><TwnNm>London</TwnNm><Ctry>GB</Ctry><AdrLine>a</AdrLine><AdrLine>b</AdrLine>\
                  </PstlAdr></Cdtr>";
    let address = line(NAME, postal).payee.unwrap().address.unwrap();
    assert_eq!((address.kind, address.town.as_deref()), (Some(AddressType::Business), Some("London")));
    assert_eq!(address.lines, ["a", "b"]);
    assert_eq!(refused(&with(NAME, &postal.replace("BIZZ", "PIER"))), [format!("{LINE}.Cdtr.PstlAdr.AdrTp")]);
}

#[test]
fn pis_154_a_time_is_a_day_of_london() {
    let late = line("<Dt>2026-07-01</Dt>", "<DtTm>2026-07-01T23:30:00Z</DtTm>");
    assert_eq!(late.execute_on, Some(date(2026, 7, 2)));
    assert_eq!(late.amount.currency(), Currency::GBP);
}

#[test]
fn file_012_what_the_schema_takes_is_taken() {
    for amount in ["20.50", "+20.50", "020.5", "20.500000", " 20.50 "] {
        let other = AMOUNT.replace("20.50", amount);
        assert_eq!(line(AMOUNT, &other).amount.minor(), 2_050, "{amount}");
    }
    let sum = "<NbOfTxs>1</NbOfTxs><CtrlSum>+20.5000000</CtrlSum>";
    assert!(read(KIND, with("<NbOfTxs>1</NbOfTxs>", sum).as_bytes()).is_ok(), "a control sum");
    for booking in ["true", "false", "1", "0", " true "] {
        let method = format!("<PmtMtd>TRF</PmtMtd><BtchBookg>{booking}</BtchBookg>");
        assert!(read(KIND, with("<PmtMtd>TRF</PmtMtd>", &method).as_bytes()).is_ok(), "{booking}");
    }
    let method = "<PmtMtd>TRF</PmtMtd><BtchBookg>yes</BtchBookg>";
    assert_eq!(refused(&with("<PmtMtd>TRF</PmtMtd>", method)), [format!("{MESSAGE}.PmtInf[0].BtchBookg")]);
    let marked = format!("\u{feff}{}", pain_file());
    assert_eq!(read(KIND, marked.as_bytes()).unwrap().0, read(KIND, pain_file().as_bytes()).unwrap().0, "a mark");
}

#[test]
fn file_012_a_refusal_names_what_was_found_and_what_is_allowed() {
    let said = |file: &[u8]| match read(KIND, file).unwrap_err() {
        FileParseError::Refused(faults) => {
            faults.into_iter().map(|fault| fault.message.into_owned()).collect::<String>()
        }
        other @ (FileParseError::TooLarge | FileParseError::Input(_) | FileParseError::Stopped(_)) => {
            panic!("{other:?}")
        }
    };
    let name = |text: &str| with("ACME Inc", text);
    for (file, words) in [
        (name(&"x".repeat(141)), ["has 141 characters", "1 to 140"]),
        (name(""), ["is empty", "1 to 140"]),
        (name("a\tb"), ["control character", "tab"]),
        (with(IDS, &format!("{AMOUNT}{IDS}")), ["PmtId is not in its place", "PmtTpInf, Amt"]),
        (with(IDS, "<Number/>"), ["unknown", "PmtId"]),
        (with("UTF-8", "ISO-8859-1"), ["ISO-8859-1", "UTF-8"]),
    ] {
        let said = said(file.as_bytes());
        assert!(words.iter().all(|word| said.contains(word)), "{words:?}: {said}");
    }
    let wide: Vec<u8> = std::iter::once(0xfeff).chain(pain_file().encode_utf16()).flat_map(u16::to_le_bytes).collect();
    for (file, encoding) in [(&wide[..], "UTF-16"), (b"\x1f\x8b\x08\0\0\0", "gzip"), (b"PK\x03\x04\0\0", "ZIP")] {
        assert!(said(file).contains(encoding), "{encoding}: {}", said(file));
    }
}
