//! The guides for TPPs: their programs run, their examples are what programs and server do, and every link leads somewhere.

mod exchange_blocks;
mod exchanges;
mod faq;
mod files;
mod persons;
mod programs;
mod served;
mod signing;

use std::path::{Path, PathBuf};

/// The repository's folder.
fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap().to_owned()
}

/// A file of the repository.
fn file(path: &str) -> String {
    let file = repository().join(path);
    std::fs::read_to_string(&file).unwrap_or_else(|error| panic!("{}: {error}", file.display()))
}

/// The blocks of a page, each with its language.
fn blocks(page: &str) -> Vec<(String, String)> {
    let parts = page.split("\n```");
    let blocks = parts.skip(1).step_by(2);
    blocks
        .map(|block| {
            let (language, text) = block.split_once('\n').unwrap();
            (language.to_owned(), text.to_owned())
        })
        .collect()
}
