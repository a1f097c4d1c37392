//! Reads Prometheus' text format, as far as this server writes it.

/// A series with its value.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Sample<'t> {
    /// The name of the metric; a histogram's with `_sum` or `_count`.
    pub(crate) name: &'t str,
    /// The labels between the braces, as they were written.
    labels: &'t str,
    /// The value.
    pub(crate) value: f64,
}

impl<'t> Sample<'t> {
    /// The value of a label; `None` without this label. Escapes are kept.
    pub(crate) fn label(&self, name: &str) -> Option<&'t str> {
        let mut rest = self.labels;
        while let Some((label, after)) = rest.split_once("=\"") {
            let end = end_of_value(after);
            let (value, behind) = after.split_at_checked(end)?;
            if label == name {
                return Some(value);
            }
            rest = behind.trim_start_matches('"').trim_start_matches(',');
        }
        None
    }

    /// The value as a count.
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "the value is a count below 2^53")]
    pub(crate) fn count(&self) -> u64 {
        self.value.max(0.0) as u64
    }
}

/// Where the value of a label ends: at the first quotation mark that is not escaped.
fn end_of_value(text: &str) -> usize {
    let mut is_escaped = false;
    for (place, byte) in text.bytes().enumerate() {
        match byte {
            b'"' if !is_escaped => return place,
            b'\\' => is_escaped = !is_escaped,
            _ => is_escaped = false,
        }
    }
    text.len()
}

/// Reads the samples of a text. Lines that are none are left out.
pub(crate) fn read_samples(text: &str) -> impl Iterator<Item = Sample<'_>> {
    text.lines().filter(|line| !line.starts_with('#')).filter_map(|line| {
        let (series, value) = line.rsplit_once(' ')?;
        let (name, labels) = match series.split_once('{') {
            Some((name, labels)) => (name, labels.strip_suffix('}')?),
            None => (series, ""),
        };
        Some(Sample { name, labels, value: value.parse().ok()? })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn samples_are_read_with_labels_that_hold_braces_and_quotes() {
        let text = "# HELP a b\na{route=\"/x/{Id}\",status=\"2xx\"} 3\nb 1.5\nc{d=\"e\\\"f\",g=\"h\"} 7\n\nnonsense\n";
        let samples: Vec<_> = read_samples(text).collect();
        assert_eq!(samples.len(), 3);
        assert_eq!((samples[0].name, samples[0].count()), ("a", 3));
        assert_eq!((samples[0].label("route"), samples[0].label("status")), (Some("/x/{Id}"), Some("2xx")));
        assert_eq!((samples[1].label("route"), samples[1].value), (None, 1.5));
        assert_eq!((samples[2].label("d"), samples[2].label("g")), (Some("e\\\"f"), Some("h")));
    }
}
