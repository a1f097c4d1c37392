//! Parses the query string of a list: the date filters and the page. Source: RW-011, RW-084 to RW-087, AIS-124 to
//! AIS-126, RW-275.

use jiff::Timestamp;
use lombard_domain::refusal::{Fault, FaultCode, FaultLocation, Refusal};
use lombard_edge::error::ApiError;
use lombard_service::accounts::{DateFilter, ResourceQuery};
use lombard_wire::time::{end_of_query_time, parse_query_time};

/// The parameter that names a page.
pub const PAGE: &str = "pg";

/// A parsed list query, with its filters as they were sent, for the links of its pages.
#[derive(Debug)]
pub(crate) struct ListQuery {
    /// The parsed query.
    pub(crate) query: ResourceQuery,
    /// The recognised filters as they were sent, decoded. Source: RW-274.
    filters: Vec<(&'static str, String)>,
}

impl ListQuery {
    /// Parses the parameters that the list supports; others are ignored.
    ///
    /// # Errors
    /// Every fault, each with its parameter.
    pub(super) fn read(text: &str, filter: DateFilter, page_size: usize) -> Result<Self, ApiError> {
        let mut faults = Vec::new();
        let page = single_value(text, PAGE, &mut faults);
        let mut list =
            Self { query: ResourceQuery { page, ..ResourceQuery::first_page(page_size) }, filters: Vec::new() };
        if let Some((from, to)) = filter_names(filter) {
            list.query.from = list.instant(text, from, &mut faults);
            list.query.to = list.instant(text, to, &mut faults);
            if matches!((list.query.from, list.query.to), (Some(from), Some(to)) if from > to) {
                let message = "Must not lie before the start.";
                faults.push(Fault::at(FaultCode::FieldInvalidDate, FaultLocation::Query(to), message));
            }
            list.query.to = list.query.to.map(end_of_query_time);
        }
        if faults.is_empty() { Ok(list) } else { Err(ApiError::Refused(Refusal::invalid(faults))) }
    }

    fn instant(&mut self, text: &str, name: &'static str, faults: &mut Vec<Fault>) -> Option<Timestamp> {
        let value = single_value(text, name, faults)?;
        let instant = parse_query_time(&value);
        if instant.is_none() {
            let message = "Must be an ISO 8601 date or date-time.";
            faults.push(Fault::at(FaultCode::FieldInvalidDate, FaultLocation::Query(name), message));
        }
        self.filters.push((name, value));
        instant
    }

    /// The address of a page of this list: its filters, and the cursor if it is not the first. Source: RW-274.
    pub(crate) fn address(&self, list: &str, page: Option<&str>) -> String {
        if self.filters.is_empty() && page.is_none() {
            return list.to_owned();
        }
        let mut pairs = form_urlencoded::Serializer::new(String::new());
        pairs.extend_pairs(&self.filters);
        pairs.extend_pairs(page.map(|page| (PAGE, page)));
        format!("{list}?{}", pairs.finish())
    }
}

/// The names of a filter's parameters: from, to.
pub const fn filter_names(filter: DateFilter) -> Option<(&'static str, &'static str)> {
    match filter {
        DateFilter::None => None,
        DateFilter::Booking => Some(("fromBookingDateTime", "toBookingDateTime")),
        DateFilter::Statement => Some(("fromStatementDateTime", "toStatementDateTime")),
    }
}

/// The value of a parameter, which must occur at most once. Source: AIS-126.
fn single_value(text: &str, name: &'static str, faults: &mut Vec<Fault>) -> Option<String> {
    let mut found = form_urlencoded::parse(text.as_bytes()).filter(|(key, _)| key == name);
    let (_, value) = found.next()?;
    if found.next().is_some() {
        faults.push(Fault::at(FaultCode::FieldInvalid, FaultLocation::Query(name), "This parameter occurs twice."));
        return None;
    }
    Some(value.into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    const FROM: &str = "fromBookingDateTime";
    const TO: &str = "toBookingDateTime";

    fn read(text: &str) -> Result<ListQuery, Vec<(FaultCode, Option<FaultLocation>)>> {
        match ListQuery::read(text, DateFilter::Booking, 100) {
            Ok(list) => Ok(list),
            Err(ApiError::Refused(refusal)) => {
                Err(refusal.faults.into_iter().map(|fault| (fault.code, fault.at)).collect())
            }
            Err(other) => panic!("{other:?}"),
        }
    }

    fn instants(text: &str) -> (Option<Timestamp>, Option<Timestamp>) {
        let list = read(text).unwrap();
        (list.query.from, list.query.to)
    }

    #[test]
    fn rw_084_to_rw_086_every_way_to_write_a_date() {
        let expected = Some("2016-01-01T10:40:12Z".parse().unwrap());
        for value in [
            "2016-01-01T10:40:12",
            "2016-01-01T10:40:12Z",
            "2016-01-01T10:40:12+01",
            "2016-01-01T10:40:12%2B01:00",
            "2016-01-01T10%3A40%3A12-05:00",
            "20160101T104012+01",
        ] {
            assert_eq!(instants(&format!("{FROM}={value}")), (expected, None), "{value}");
        }
        assert_eq!(
            instants(&format!("{TO}=2016-12-31")),
            (None, Some(end_of_query_time("2016-12-31T00:00:00Z".parse().unwrap())))
        );
    }

    #[test]
    fn ais_126_faults_of_a_filter() {
        let one = |code, name| Err(vec![(code, Some(FaultLocation::Query(name)))]);
        for (text, expected) in [
            (format!("{FROM}=yesterday"), one(FaultCode::FieldInvalidDate, FROM)),
            (format!("{FROM}="), one(FaultCode::FieldInvalidDate, FROM)),
            (format!("{FROM}=2016-01-02&{TO}=2016-01-01"), one(FaultCode::FieldInvalidDate, TO)),
            (format!("{FROM}=2016-01-02&{FROM}=2016-01-02"), one(FaultCode::FieldInvalid, FROM)),
            ("pg=a&pg=b".to_owned(), one(FaultCode::FieldInvalid, "pg")),
            (
                format!("{FROM}=x&{TO}=y"),
                Err(vec![
                    (FaultCode::FieldInvalidDate, Some(FaultLocation::Query(FROM))),
                    (FaultCode::FieldInvalidDate, Some(FaultLocation::Query(TO))),
                ]),
            ),
        ] {
            assert_eq!(read(&text).map(|list| list.query), expected, "{text}");
        }
        assert!(read(&format!("{FROM}=2016-01-01&{TO}=2016-01-01")).is_ok());
    }

    #[test]
    fn ais_143_statements_are_narrowed_by_parameters_of_their_own() {
        let day = |text: &str| Some(format!("{text}T00:00:00Z").parse().unwrap());
        let text = "fromStatementDateTime=20160101T000000+01&toStatementDateTime=2016-01-31&fromBookingDateTime=x";
        let list = ListQuery::read(text, DateFilter::Statement, 100).unwrap();
        assert_eq!((list.query.from, list.query.to), (day("2016-01-01"), day("2016-01-31").map(end_of_query_time)));
        let next = list.address("https://bank/statements", Some("a"));
        assert!(next.contains("fromStatementDateTime=") && next.contains("toStatementDateTime=2016-01-31"), "{next}");
        assert!(!next.contains("Booking"), "RW-274");
        for (text, name) in [
            ("fromStatementDateTime=yesterday", "fromStatementDateTime"),
            ("fromStatementDateTime=2016-01-02&toStatementDateTime=2016-01-01", "toStatementDateTime"),
        ] {
            match ListQuery::read(text, DateFilter::Statement, 100) {
                Err(ApiError::Refused(refusal)) => {
                    assert_eq!(refusal.faults[0].code, FaultCode::FieldInvalidDate);
                    assert_eq!(refusal.faults[0].at, Some(FaultLocation::Query(name)));
                }
                other => panic!("{other:?}"),
            }
        }
    }

    #[test]
    fn rw_011_and_rw_270_what_the_list_does_not_know_is_ignored() {
        let list = ListQuery::read(&format!("{FROM}=nonsense&x=1&page=2"), DateFilter::None, 100).unwrap();
        assert_eq!(list.query, ResourceQuery::first_page(100));
        assert_eq!(list.address("https://bank/balances", None), "https://bank/balances");
    }

    #[test]
    fn rw_243_and_rw_274_addresses_keep_the_filters_as_sent() {
        let list = read(&format!("x=1&{FROM}=2016-01-01T00:00:00%2B01:00&pg=abc")).unwrap();
        assert_eq!(list.query.page.as_deref(), Some("abc"));
        let first = list.address("https://bank/t", None);
        assert_eq!(first, "https://bank/t?fromBookingDateTime=2016-01-01T00%3A00%3A00%2B01%3A00");
        let next = list.address("https://bank/t", Some("a_b-c"));
        assert_eq!(next, format!("{first}&pg=a_b-c"));
        let (_, query) = next.split_once('?').unwrap();
        let again = read(query).unwrap();
        assert_eq!(again.query.from, list.query.from);
        assert_eq!(again.query.page.as_deref(), Some("a_b-c"));
    }
}
