use super::*;
use crate::browser::BrowserSecret;
use crate::devices::DeviceCookie;
use crate::submission::SubmittedPage;
use crate::testing::{START, World};
use crate::throttle::LoginLimits;
use jiff::SignedDuration;

fn from(last: u8) -> IpAddr {
    IpAddr::from([192, 0, 2, last])
}

/// A server with these limits, whose clock starts at zero seconds.
async fn world(limits: LoginLimits) -> World {
    let mut world = World::new().await;
    let settings = crate::AuthSettings { login: limits, ..(*world.auth.settings).clone() };
    world.auth.settings = std::sync::Arc::new(settings);
    world
}

fn guess_in(world: &World, devices: &DeviceCookie, user: &str, from: IpAddr) -> LoginAttempt {
    let browser = BrowserSecret::fresh(&world.auth.context.ids);
    let page = SubmittedPage { browser, form_token: String::new(), from, devices: devices.clone() };
    world.auth.login_attempt(user, &page)
}

fn guess(world: &World, user: &str, from: IpAddr) -> LoginAttempt {
    guess_in(world, &DeviceCookie::default(), user, from)
}

async fn count(world: &World, guess: LoginAttempt) -> Result<(), Throttled> {
    let now = world.wall();
    world.auth.context.store.write::<_, StoreError, _>(move |tx| guess.count_in(tx, now)).await.unwrap()
}

async fn forgive(world: &World, guess: LoginAttempt) {
    let now = world.wall();
    world.auth.context.store.write::<_, StoreError, _>(move |tx| guess.uncount_in(tx, now)).await.unwrap();
}

/// The result of an attempt that is throttled until this second after the start.
fn until(second: i64) -> Result<(), Throttled> {
    Err(Throttled { until: Timestamp::from_second(START + second).unwrap() })
}

/// A browser in which this user has logged in.
fn device_of(world: &World, user: &str) -> DeviceCookie {
    let lifetime = SignedDuration::from_secs(world.auth.settings.login.device_secs);
    world.auth.devices.remember(&DeviceCookie::default(), user, world.wall(), lifetime, &world.auth.context.ids)
}

#[tokio::test]
async fn as_143_five_failures_of_a_user_block_the_sixth_for_ten_minutes() {
    let world = world(LoginLimits::default()).await;
    for _ in 0..5 {
        assert_eq!(count(&world, guess(&world, "amelia", from(1))).await, Ok(()));
        world.pass_secs(1);
    }
    assert_eq!(count(&world, guess(&world, "amelia", from(1))).await, until(600));
    assert_eq!(count(&world, guess(&world, "bashir", from(2))).await, Ok(()));
    world.pass_secs(594);
    let elsewhere = count(&world, guess(&world, " Amelia", from(2))).await;
    assert_eq!(elsewhere, until(600), "wherever, and however it is written");
    world.pass_secs(1);
    assert_eq!(count(&world, guess(&world, "amelia", from(1))).await, Ok(()), "what was stopped did not count");
    assert_eq!(count(&world, guess(&world, "amelia", from(1))).await, until(601));
}

#[tokio::test]
async fn as_143_twenty_failures_from_one_address_stop_nobody_else() {
    let world = world(LoginLimits::default()).await;
    for number in 0..4 {
        for _ in 0..5 {
            assert_eq!(count(&world, guess(&world, &format!("user-{number}"), from(1))).await, Ok(()));
        }
    }
    assert_eq!(count(&world, guess(&world, "somebody", from(1))).await, Ok(()));
}

#[tokio::test]
async fn as_143_an_address_that_fails_for_many_users_is_blocked_and_others_not() {
    let world = world(LoginLimits::default()).await;
    let mut judged = 0;
    for number in 0..1_000 {
        judged += u32::from(count(&world, guess(&world, &format!("user-{number}"), from(1))).await.is_ok());
    }
    assert_eq!(judged, world.auth.settings.login.address_users_max, "one password, tried for each of a thousand users");
    assert_eq!(count(&world, guess(&world, "somebody", from(2))).await, Ok(()));
    assert_eq!(count(&world, guess(&world, "user-0", from(1))).await, Ok(()), "who failed there counts already");
    let own = device_of(&world, "amelia");
    assert_eq!(count(&world, guess_in(&world, &own, "amelia", from(1))).await, Ok(()), "known devices pass");
    world.pass_secs(600);
    assert_eq!(count(&world, guess(&world, "somebody", from(1))).await, Ok(()));
}

#[tokio::test]
async fn as_143_a_successful_login_counts_against_neither_user_nor_address() {
    let world = world(LoginLimits { address_users_max: 3, ..LoginLimits::default() }).await;
    for number in 0..50 {
        let user = format!("user-{number}");
        assert_eq!(count(&world, guess(&world, &user, from(1))).await, Ok(()), "a slip, by {user}");
        world.pass_secs(1);
        assert_eq!(count(&world, guess(&world, &user, from(1))).await, Ok(()));
        forgive(&world, guess(&world, &user, from(1))).await;
    }
    let unlimited = self::world(LoginLimits { address_users_max: 0, ..LoginLimits::default() }).await;
    for number in 0..50 {
        assert_eq!(count(&unlimited, guess(&unlimited, &format!("user-{number}"), from(1))).await, Ok(()));
    }
}

#[tokio::test]
async fn as_143_strangers_cannot_lock_a_user_out_of_a_known_device() {
    let world = world(LoginLimits::default()).await;
    let (own, theirs) = (device_of(&world, "amelia"), device_of(&world, "mallory"));
    for _ in 0..5 {
        assert_eq!(count(&world, guess_in(&world, &theirs, "amelia", from(9))).await, Ok(()));
    }
    let stranger = count(&world, guess_in(&world, &theirs, "amelia", from(8))).await;
    assert_eq!(stranger, until(600), "a device known for another is a stranger's");
    let at_home = guess_in(&world, &own, "amelia", from(1));
    for _ in 0..5 {
        assert_eq!(count(&world, at_home.clone()).await, Ok(()));
    }
    assert_eq!(count(&world, at_home.clone()).await, until(600), "guesses there count as well");
    world.pass_secs(600);
    assert_eq!(count(&world, at_home).await, Ok(()));
}

#[tokio::test]
async fn as_143_many_known_devices_of_a_user_gain_few_guesses() {
    let world = world(LoginLimits::default()).await;
    let mut judged = 0;
    for _ in 0..100 {
        let farmed = guess_in(&world, &device_of(&world, "amelia"), "amelia", from(9));
        judged += usize::from(count(&world, farmed).await.is_ok());
    }
    assert_eq!(judged, DEVICES_FAILURES_MAX);
    let none = self::world(LoginLimits { device_secs: 0, ..LoginLimits::default() }).await;
    let cookie = device_of(&none, "amelia");
    assert_eq!(guess_in(&none, &cookie, "amelia", from(1)), guess(&none, "amelia", from(1)), "none is known");
}

#[tokio::test]
async fn as_143_an_ipv6_network_is_one_address() {
    let world = world(LoginLimits::default()).await;
    let guess = |address: &str| guess(&world, "amelia", address.parse().unwrap());
    assert_eq!(guess("2001:db8:1:2::1"), guess("2001:db8:1:2:ffff::9"));
    assert_ne!(guess("2001:db8:1:2::1"), guess("2001:db8:1:3::1"));
    assert_eq!(guess("::ffff:192.0.2.1"), guess("192.0.2.1"));
    assert_ne!(guess("192.0.2.1"), guess("192.0.2.2"));
}

#[tokio::test]
async fn a_customer_is_unlocked_everywhere_and_nobody_else() {
    let world = world(LoginLimits::default()).await;
    let (own, others) = (device_of(&world, "amelia"), device_of(&world, "bashir"));
    let attempts = [
        guess(&world, "amelia", from(1)),
        guess_in(&world, &own, "amelia", from(1)),
        guess_in(&world, &others, "bashir", from(1)),
    ];
    for attempt in &attempts {
        for _ in 0..5 {
            assert_eq!(count(&world, attempt.clone()).await, Ok(()));
        }
        assert_eq!(count(&world, attempt.clone()).await, until(600));
    }
    let forget = |tx: &mut dyn lombard_ports::store::ServerTransaction| super::forget_failures_in(tx, "Amelia");
    world.auth.context.store.write::<_, StoreError, _>(forget).await.unwrap();
    let [unknown, known, other] = attempts;
    assert_eq!((count(&world, unknown).await, count(&world, known).await), (Ok(()), Ok(())));
    assert_eq!(count(&world, other).await, until(600));
}
