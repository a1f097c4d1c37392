//! Copies the head of a request into its own memory.
//!
//! Header values and the target of an HTTP/1 request are slices of the HTTP library's read buffer and keep the whole buffer in memory. A
//! request with a body may take long, because its caller is slow or a poll waits for events. The library then needs a second buffer, so
//! that every such connection takes 8 KiB more.

use bytes::BytesMut;
use http::{HeaderMap, HeaderName, HeaderValue, Request, Uri};

/// Copies the parts of the head that refer to the read buffer, so that the buffer is free for the body.
pub(super) fn detach_head<B>(request: &mut Request<B>) {
    let shared = std::mem::take(request.headers_mut());
    *request.headers_mut() = copy_headers(&shared);
    if let Ok(target) = Uri::try_from(request.uri().to_string()) {
        *request.uri_mut() = target;
    }
}

/// Copies the fields in the same order, with all values in one allocation.
fn copy_headers(shared: &HeaderMap) -> HeaderMap {
    let mut bytes = BytesMut::with_capacity(shared.values().map(HeaderValue::len).sum());
    shared.values().for_each(|value| bytes.extend_from_slice(value.as_bytes()));
    let mut bytes = bytes.freeze();
    let mut own = HeaderMap::with_capacity(shared.len());
    for (name, value) in shared {
        // The copied bytes are valid names and values, because they were before.
        let copy = HeaderValue::from_maybe_shared(bytes.split_to(value.len()));
        let mut copy = copy.unwrap_or_else(|_| value.clone());
        copy.set_sensitive(value.is_sensitive());
        let name = HeaderName::from_bytes(name.as_str().as_bytes()).unwrap_or_else(|_| name.clone());
        own.append(name, copy);
    }
    own
}

#[cfg(test)]
mod tests {
    use super::*;
    use bytes::Bytes;
    use http::header::{AUTHORIZATION, HOST};

    #[test]
    fn a_detached_head_is_the_same_and_holds_nothing_of_the_buffer() {
        let buffer = Bytes::from_static(b"/events?a=1 localhost x-fapi-interaction-id one two Bearer token");
        let buffer = Bytes::copy_from_slice(&buffer);
        let slice = |text: &str| {
            let at = buffer.windows(text.len()).position(|window| window == text.as_bytes()).unwrap();
            buffer.slice(at..at + text.len())
        };
        let mut request = Request::new(());
        *request.uri_mut() = Uri::from_maybe_shared(slice("/events?a=1")).unwrap();
        let value = |text| HeaderValue::from_maybe_shared(slice(text)).unwrap();
        let custom = HeaderName::from_static("x-fapi-interaction-id");
        for (name, text) in [(HOST, "localhost"), (custom.clone(), "one"), (custom.clone(), "two")] {
            request.headers_mut().append(name, value(text));
        }
        let mut token = value("Bearer token");
        token.set_sensitive(true);
        request.headers_mut().append(AUTHORIZATION, token);

        let before = (request.uri().clone(), request.headers().clone());
        detach_head(&mut request);
        assert_eq!((request.uri(), request.headers()), (&before.0, &before.1));
        assert_eq!(request.headers().get_all(&custom).iter().collect::<Vec<_>>(), ["one", "two"]);
        assert!(request.headers()[AUTHORIZATION].is_sensitive());
        let range = buffer.as_ptr_range();
        let kept = |bytes: &[u8]| range.contains(&bytes.as_ptr());
        assert!(kept(before.1[HOST].as_bytes()) && kept(before.0.path().as_bytes()), "as it is read");
        assert!(!kept(request.uri().path().as_bytes()));
        assert!(!request.headers().values().any(|value| kept(value.as_bytes())));
    }
}
