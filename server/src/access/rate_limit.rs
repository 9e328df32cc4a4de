//! How much one token, or one address without a token, may ask for.

use std::{
    net::{IpAddr, Ipv6Addr},
    num::NonZeroU32,
    time::Duration,
};

use governor::{DefaultKeyedRateLimiter, Quota, RateLimiter, clock::Clock};

/// Seconds' worth of requests that may come at once: a page of the dashboard, a batch of an agent.
const BURST_SECONDS: NonZeroU32 = NonZeroU32::new(10).expect("not 0");
/// Callers that are remembered before those are forgotten who are within their limits anyway.
const MOST_CALLERS: usize = 10_000;

/// Who asks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Caller {
    /// The id of the caller's token.
    Token(i64),
    Address(IpAddr),
    /// A connection that has no address.
    Unknown,
}

impl Caller {
    /// Whoever has an address of IPv6 has all of its last 64 bits.
    pub(super) fn at(address: Option<IpAddr>) -> Self {
        match address.map(|address| address.to_canonical()) {
            None => Self::Unknown,
            Some(IpAddr::V6(v6)) => {
                let network = v6.to_bits() & !u128::from(u64::MAX);
                Self::Address(Ipv6Addr::from_bits(network).into())
            }
            Some(v4) => Self::Address(v4),
        }
    }
}

pub(super) struct Limits(DefaultKeyedRateLimiter<Caller>);

impl Limits {
    pub(super) fn new(per_second: NonZeroU32) -> Self {
        let quota = Quota::per_second(per_second);
        Self(RateLimiter::keyed(
            quota.allow_burst(per_second.saturating_mul(BURST_SECONDS)),
        ))
    }

    /// Counts a request.
    ///
    /// # Errors
    /// It is one too many: how long to wait for the next.
    pub(super) fn count(&self, caller: Caller) -> Result<(), Duration> {
        if self.0.len() > MOST_CALLERS {
            self.0.retain_recent();
        }
        let refused = |refusal: governor::NotUntil<_>| refusal.wait_time_from(self.0.clock().now());
        self.0.check_key(&caller).map_err(refused)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_is_one_caller_however_it_is_written_and_whatever_its_last_bits() {
        let at = |text: &str| Caller::at(Some(text.parse().unwrap()));
        assert_eq!(at("::ffff:10.0.0.1"), at("10.0.0.1"));
        assert_ne!(at("10.0.0.1"), at("10.0.0.2"));
        assert_eq!(at("2001:db8:1:2::1"), at("2001:db8:1:2:ffff::9"));
        assert_ne!(at("2001:db8:1:2::1"), at("2001:db8:1:3::1"));
    }

    #[test]
    fn ten_seconds_worth_may_come_at_once_and_no_caller_takes_anothers() {
        let limits = Limits::new(NonZeroU32::new(2).unwrap());
        for _ in 0..20 {
            limits.count(Caller::Token(1)).unwrap();
        }
        let wait = limits.count(Caller::Token(1)).unwrap_err();
        assert!(
            Duration::ZERO < wait && wait <= Duration::from_millis(500),
            "{wait:?}"
        );
        limits.count(Caller::Token(2)).unwrap();
        limits.count(Caller::Unknown).unwrap();
    }
}
