//! Network addresses, as the units by which requests are counted.

use std::fmt;
use std::net::{IpAddr, Ipv6Addr};

/// The network whose requests are counted together: an IPv4 address, or the /64 of an IPv6 address, which belongs to
/// one subscriber.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Network(IpAddr);

impl Network {
    /// The network of an address. An IPv4-mapped IPv6 address counts as the IPv4 address.
    pub fn from_address(address: IpAddr) -> Self {
        match address.to_canonical() {
            IpAddr::V4(address) => Self(address.into()),
            IpAddr::V6(address) => Self(Ipv6Addr::from_bits(address.to_bits() & (u128::MAX << 64)).into()),
        }
    }
}

/// The stored form for counting login attempts: the IPv4 address, or the first four groups without leading zeros and
/// `::/64`.
impl fmt::Display for Network {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            IpAddr::V4(address) => address.fmt(out),
            IpAddr::V6(address) => {
                let [a, b, c, d, ..] = address.segments();
                write!(out, "{a:x}:{b:x}:{c:x}:{d:x}::/64")
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn as_143_a_subscriber_of_ipv6_is_one_network() {
        let of = |address: &str| Network::from_address(address.parse().unwrap());
        for (first, second, are_one) in [
            ("192.0.2.1", "192.0.2.1", true),
            ("192.0.2.1", "192.0.2.2", false),
            ("192.0.2.1", "::ffff:192.0.2.1", true),
            ("2001:db8:0:1::1", "2001:db8:0:1:ffff::2", true),
            ("2001:db8:0:1::1", "2001:db8:0:2::1", false),
        ] {
            assert_eq!(of(first) == of(second), are_one, "{first} {second}");
            assert_eq!(of(first).to_string() == of(second).to_string(), are_one, "{first} {second}");
        }
        assert_eq!(of("2001:db8:0:1:ffff::2").to_string(), "2001:db8:0:1::/64");
        assert_eq!(of("::ffff:192.0.2.1").to_string(), "192.0.2.1");
    }
}
