use super::*;
use crate::tests::{key, set};
use crate::{CompactJws, DetachedJws, DetachedSigner, VerifyError};
use std::sync::mpsc;
use std::task::{Context, Poll, Waker};

fn header() -> JoseHeader {
    JoseHeader::ps256(key().id())
}

type Call = std::pin::Pin<Box<dyn Future<Output = Result<String, PoolError>>>>;

/// Submits work without waiting; `Err` with the result if it is available at once.
fn ask(pool: &SigningPool, work: SigningWork) -> Result<Call, Result<String, PoolError>> {
    ask_for("acme", pool, work)
}

/// As [`ask`], on behalf of another client.
fn ask_for(client: &'static str, pool: &SigningPool, work: SigningWork) -> Result<Call, Result<String, PoolError>> {
    let pool = pool.clone();
    let mut call: Call = Box::pin(async move { pool.run(client, work).await });
    match call.as_mut().poll(&mut Context::from_waker(Waker::noop())) {
        Poll::Ready(answer) => Err(answer),
        Poll::Pending => Ok(call),
    }
}

/// Work that signals its start and ends on command.
fn held() -> (SigningWork, mpsc::Receiver<()>, mpsc::Sender<()>) {
    let (begun, begins) = mpsc::channel();
    let (release_reservation, wait) = mpsc::channel::<()>();
    let work = Box::new(move || {
        begun.send(()).unwrap();
        let _let_go = wait.recv();
        Ok("held".to_owned())
    });
    (work, begins, release_reservation)
}

#[tokio::test]
async fn it_signs_both_forms_and_what_was_digested_before() {
    let pool = SigningPool::new(2, 8);
    let compact = pool.sign_compact("acme", key(), header(), b"{}".to_vec()).await.unwrap();
    assert_eq!(CompactJws::parse(&compact).unwrap().verify(&set(&key())), Ok(()));
    let detached = pool.sign_detached("acme", key(), header(), b"body".to_vec()).await.unwrap();
    let detached = DetachedJws::parse(&detached).unwrap();
    assert_eq!(detached.verify(b"body", &set(&key()), &[]), Ok(()));
    assert_eq!(detached.verify(b"another", &set(&key()), &[]), Err(VerifyError::Signature));
    let mut input = DetachedSigner::new(&header()).unwrap();
    [&b"bo"[..], b"dy"].into_iter().for_each(|piece| input.update(piece));
    let digested = pool.sign_digest("acme", key(), input.finish()).await.unwrap();
    assert_eq!(DetachedJws::parse(&digested).unwrap().verify(b"body", &set(&key()), &[]), Ok(()));
}

#[tokio::test]
async fn many_callers_each_get_their_own_answer() {
    let pool = SigningPool::new(2, 64);
    let calls: Vec<_> = (0..64_u8)
        .map(|number| {
            let pool = pool.clone();
            tokio::spawn(async move { pool.sign_compact("acme", key(), header(), vec![number]).await })
        })
        .collect();
    for (number, call) in (0..64_u8).zip(calls) {
        let message = CompactJws::parse(&call.await.unwrap().unwrap()).unwrap();
        assert_eq!((message.payload(), message.verify(&set(&key()))), (&[number][..], Ok(())));
    }
}

#[tokio::test]
async fn a_header_that_may_not_be_signed_comes_back_as_an_error() {
    let pool = SigningPool::new(1, 1);
    let wrong = JoseHeader { alg: "none".into(), ..header() };
    assert_eq!(pool.sign_compact("acme", key(), wrong, Vec::new()).await, Err(PoolError::Key(KeyError::Algorithm)));
}

#[tokio::test]
async fn a_full_queue_refuses_at_once_and_recovers() {
    let pool = SigningPool::new(1, 2);
    let (work, begins, release_reservation) = held();
    let in_hand = ask(&pool, work).unwrap();
    begins.recv().unwrap();
    let answer = |text: &'static str| -> SigningWork { Box::new(move || Ok(text.to_owned())) };
    let first = ask(&pool, answer("first")).unwrap();
    let second = ask(&pool, answer("second")).unwrap();
    assert_eq!(ask(&pool, answer("third")).err(), Some(Err(PoolError::Busy)));
    release_reservation.send(()).unwrap();
    assert_eq!(in_hand.await.as_deref(), Ok("held"));
    assert_eq!((first.await.as_deref(), second.await.as_deref()), (Ok("first"), Ok("second")));
    assert_eq!(pool.run("acme", answer("fourth")).await.as_deref(), Ok("fourth"));
}

#[tokio::test]
async fn a_client_that_fills_the_queue_keeps_no_other_out() {
    let pool = SigningPool::new(1, 8);
    let (work, begins, release_reservation) = held();
    let in_hand = ask(&pool, work).unwrap();
    begins.recv().unwrap();
    let (signed, signs) = mpsc::channel();
    let ask_as = |client: &'static str| {
        let signed = signed.clone();
        let work = move || signed.send(client).map(|()| client.to_owned()).map_err(|_| KeyError::Signing);
        ask_for(client, &pool, Box::new(work))
    };
    let flood: Vec<_> = (0..8).map(|_| ask_as("flood").unwrap()).collect();
    assert_eq!(ask_as("flood").err(), Some(Err(PoolError::Busy)));
    let few: Vec<_> = (0..4).map(|_| ask_as("few").unwrap()).collect();
    assert_eq!(ask_as("few").err(), Some(Err(PoolError::Busy)), "both have half of the places");
    release_reservation.send(()).unwrap();
    in_hand.await.unwrap();
    for one in few {
        assert_eq!(one.await.as_deref(), Ok("few"));
    }
    let mut answers = Vec::new();
    for one in flood {
        answers.push(one.await.is_ok());
    }
    assert_eq!(answers, [true, true, true, true, false, false, false, false], "the newest lose their places");
    let order: Vec<_> = signs.try_iter().collect();
    assert_eq!(order, ["flood", "few"].repeat(4), "clients take turns");
    let waiting = pool.0.queue.waiting.lock();
    assert_eq!((waiting.jobs.len(), waiting.turns.len(), waiting.depth), (0, 0, 0));
}

#[tokio::test]
async fn nothing_is_signed_for_a_caller_that_has_gone_away() {
    let pool = SigningPool::new(1, 2);
    let (work, begins, release_reservation) = held();
    let in_hand = ask(&pool, work).unwrap();
    begins.recv().unwrap();
    let (signed, signs) = mpsc::channel();
    drop(ask(&pool, Box::new(move || signed.send(()).map(|()| String::new()).map_err(|_| KeyError::Signing))).unwrap());
    release_reservation.send(()).unwrap();
    in_hand.await.unwrap();
    pool.sign_compact("acme", key(), header(), Vec::new()).await.unwrap();
    // The work was dropped, and its end of the channel with it, without having run.
    assert_eq!(signs.try_recv(), Err(mpsc::TryRecvError::Disconnected));
}

#[tokio::test]
async fn its_threads_end_with_its_last_clone() {
    let pool = SigningPool::new(3, 4);
    let queue = Arc::downgrade(&pool.0.queue);
    let clone = pool.clone();
    drop(pool);
    // The call was answered or is still queued; in both cases no caller waits for it.
    drop(ask(&clone, Box::new(|| Ok(String::new()))));
    drop(clone);
    assert!(queue.upgrade().is_none(), "a thread still draws from the queue");
}

#[tokio::test]
async fn a_caller_waits_for_a_security_module_no_longer_than_the_limit() {
    let pool = SigningPool::answering_within(1, 8, Duration::from_millis(20));
    let (work, begins, release) = held();
    let stuck = ask(&pool, work).unwrap();
    begins.recv().unwrap();
    assert_eq!(stuck.await, Err(PoolError::Unavailable));
    let behind = pool.run("acme", Box::new(|| Ok("behind".to_owned()))).await;
    assert_eq!(behind, Err(PoolError::Unavailable), "and so does whoever stands behind it");
    release.send(()).unwrap();
    let pool_of_the_others = SigningPool::new(1, 8);
    assert_eq!(pool_of_the_others.run("acme", Box::new(|| Ok("fine".to_owned()))).await.as_deref(), Ok("fine"));
    let fails = pool.run("acme", Box::new(|| Err(KeyError::Unavailable))).await;
    assert_eq!(fails, Err(PoolError::Unavailable));
}
