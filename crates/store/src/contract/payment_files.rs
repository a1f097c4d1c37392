//! Files of payments: their bytes and what was read from them.

use super::samples::{at, read, write};
use super::samples_of_payments::file_lines;
use lombard_domain::file::FileLine;
use lombard_domain::ids::UploadId;
use lombard_ports::store::{Store, StoreError};

/// How many compete.
const RACERS: usize = 8;

/// An upload with a piece and the sample lines.
async fn uploaded(store: &Store, id: &str, second: i64) {
    let id = UploadId::from(id);
    write(store, move |tx| {
        tx.upload_begin(&id, at(second))?;
        tx.upload_append(&id, 0, b"bytes")?;
        tx.file_lines_append(&id, &file_lines())
    })
    .await;
}

async fn piece(store: &Store, id: &str, piece: u32) -> Option<Vec<u8>> {
    let id = UploadId::from(id);
    read(store, move |tx| tx.upload_piece(&id, piece)).await
}

async fn lines(store: &Store, id: &str, after: u32, limit: u32) -> Vec<FileLine> {
    let id = UploadId::from(id);
    read(store, move |tx| tx.file_lines(&id, after, limit)).await
}

/// To the byte, whatever they are; no piece is stored twice, or of an upload that is not there. Source: FILE-020.
pub async fn a_file_comes_back_piece_by_piece(store: Store) {
    let pieces = [vec![0_u8, 255, 0, 39, 92], Vec::new(), (0..=255).cycle().take(300_000).collect::<Vec<u8>>()];
    let first = pieces.clone();
    write(&store, |tx| tx.upload_begin(&"u".into(), at(1))).await;
    write(&store, |tx| tx.upload_begin(&"other".into(), at(1))).await;
    for (number, bytes) in (0..).zip(first) {
        write(&store, move |tx| tx.upload_append(&"u".into(), number, &bytes)).await;
    }
    for (number, bytes) in (0..).zip(&pieces) {
        assert_eq!(piece(&store, "u", number).await.as_ref(), Some(bytes));
    }
    assert_eq!(piece(&store, "u", 3).await, None, "after the last");
    assert_eq!(piece(&store, "other", 0).await, None);
    let again: Result<(), StoreError> = store.write(|tx| tx.upload_append(&"u".into(), 2, b"x")).await;
    assert!(matches!(again, Err(StoreError::Duplicate("uploads"))), "{again:?}");
    let begun: Result<(), StoreError> = store.write(|tx| tx.upload_begin(&"u".into(), at(2))).await;
    assert!(matches!(begun, Err(StoreError::Duplicate("uploads"))), "{begun:?}");
    let none: Result<(), StoreError> = store.write(|tx| tx.upload_append(&"none".into(), 0, b"x")).await;
    assert!(matches!(none, Err(StoreError::Corrupt { .. })), "{none:?}");
    let kept: Result<(), StoreError> = store.write(|tx| tx.upload_keep(&"none".into())).await;
    assert!(matches!(kept, Err(StoreError::Corrupt { .. })), "{kept:?}");
}

/// Each with all it says, or why it cannot be paid; and each number once. Source: FILE-016, FILE-023.
pub async fn payments_of_a_file_come_by_number(store: Store) {
    uploaded(&store, "u", 1).await;
    uploaded(&store, "other", 1).await;
    assert_eq!(lines(&store, "u", 0, 99).await, file_lines());
    assert_eq!(lines(&store, "u", 2, 3).await, file_lines()[2..5]);
    let count = u32::try_from(file_lines().len()).unwrap();
    assert_eq!(lines(&store, "u", count, 9).await, []);
    assert_eq!(lines(&store, "none", 0, 9).await, []);
    let mut more = file_lines();
    more.truncate(2);
    more[0].number = count + 5;
    let again: Result<(), StoreError> = store.write(move |tx| tx.file_lines_append(&"u".into(), &more)).await;
    assert!(matches!(again, Err(StoreError::Duplicate("file_lines"))), "{again:?}");
    assert_eq!(lines(&store, "u", 0, 99).await, file_lines(), "not one of the batch");
    let orphan: Result<(), StoreError> = store.write(|tx| tx.file_lines_append(&"none".into(), &file_lines())).await;
    assert!(matches!(orphan, Err(StoreError::Corrupt { .. })), "{orphan:?}");
    write(&store, |tx| tx.file_lines_append(&"u".into(), &[])).await;
}

/// The oldest first, their end belonging to the time that is over.
pub async fn only_uploads_that_no_consent_took_are_removed(store: Store) {
    for (id, second) in [("young", 9), ("b", 5), ("taken", 1), ("a", 5), ("old", 2)] {
        uploaded(&store, id, second).await;
    }
    write(&store, |tx| tx.upload_keep(&"taken".into())).await;
    let abandoned = |second, limit| {
        let store = store.clone();
        async move { read(&store, move |tx| tx.uploads_abandoned(at(second), limit)).await }
    };
    assert_eq!(abandoned(1, 9).await, []);
    assert_eq!(abandoned(5, 9).await, ["old".into(), "a".into(), "b".into()]);
    assert_eq!(abandoned(99, 2).await, ["old".into(), "a".into()]);
    for id in ["old", "taken", "none", "old"] {
        write(&store, move |tx| tx.upload_remove(&id.into())).await;
    }
    assert_eq!(abandoned(5, 9).await, ["a".into(), "b".into()]);
    assert_eq!((piece(&store, "old", 0).await, lines(&store, "old", 0, 9).await), (None, vec![]));
    assert_eq!(piece(&store, "taken", 0).await.as_deref(), Some(&b"bytes"[..]));
    assert_eq!(lines(&store, "taken", 0, 99).await, file_lines());
    uploaded(&store, "old", 3).await;
}

/// A consent takes an upload while it is swept: one of them comes first.
pub async fn an_upload_is_kept_or_removed_and_never_half_of_it(store: Store) {
    for round in 0..RACERS {
        let id = format!("u{round}");
        uploaded(&store, &id, 1).await;
        let (sweeper, upload) = (store.clone(), UploadId::from(id.as_str()));
        let swept = tokio::spawn(async move { write(&sweeper, move |tx| tx.upload_remove(&upload)).await });
        let (taker, upload) = (store.clone(), UploadId::from(id.as_str()));
        let kept =
            tokio::spawn(async move { taker.write::<_, StoreError, _>(move |tx| tx.upload_keep(&upload)).await });
        swept.await.unwrap();
        let expected = match kept.await.unwrap() {
            Ok(()) => (Some(b"bytes".to_vec()), file_lines()),
            Err(error) => {
                assert!(matches!(error, StoreError::Corrupt { .. }), "{error:?}");
                (None, vec![])
            }
        };
        assert_eq!((piece(&store, &id, 0).await, lines(&store, &id, 0, 99).await), expected);
    }
}
