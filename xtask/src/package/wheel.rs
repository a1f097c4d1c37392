//! The wheel for Python, which carries the program.
//!
//! Source: Python packaging, binary distribution format 1.0 and the platform tags of PEP 600.

use super::artefact::Artefact;
use super::contents::Contents;
use super::sums::sha256_bytes;
use super::tree::FileTree;
use crate::error::TaskError;
use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use std::fmt::Write as _;
use std::io::{Cursor, Write as _};
use std::sync::Arc;
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, DateTime, ZipWriter};

/// Makes `lombard-VERSION-py3-none-manylinux_2_35_x86_64.whl`.
pub(super) fn package(contents: &Contents) -> Result<Artefact, TaskError> {
    let version = &contents.source.version;
    let (major, minor) = contents.program.glibc;
    let tag = format!("py3-none-manylinux_{major}_{minor}_x86_64");
    let description = format!("lombard-{version}.dist-info");
    let mut tree = FileTree::default();
    tree.add_program(&format!("lombard-{version}.data/scripts/lombard"), Arc::clone(&contents.program.bytes));
    for (name, document, _) in contents.documents()?.files() {
        match name {
            "README.md" | "CHANGELOG.md" => {}
            super::bill_of_materials::NAME => tree.add(&format!("{description}/sboms/{name}"), document),
            _ => tree.add(&format!("{description}/licenses/{name}"), document),
        }
    }
    tree.add(&format!("{description}/METADATA"), metadata(contents)?.into_bytes());
    let wheel = format!("Wheel-Version: 1.0\nGenerator: cargo-xtask-package\nRoot-Is-Purelib: false\nTag: {tag}\n");
    tree.add(&format!("{description}/WHEEL"), wheel.into_bytes());
    let mut record = String::new();
    for (path, bytes, _) in tree.files() {
        writeln!(record, "{path},sha256={},{}", URL_SAFE_NO_PAD.encode(sha256_bytes(bytes)), bytes.len())?;
    }
    writeln!(record, "{description}/RECORD,,")?;
    tree.add(&format!("{description}/RECORD"), record.into_bytes());
    let name = format!("lombard-{version}-{tag}.whl");
    Ok(Artefact { name, bytes: zip(&tree, &contents.source.instant)? })
}

fn metadata(contents: &Contents) -> Result<String, TaskError> {
    let source = &contents.source;
    Ok(format!(
        "Metadata-Version: 2.4\nName: lombard\nVersion: {}\nSummary: UK Open Banking account provider in one program\n\
         License-Expression: Apache-2.0\nLicense-File: LICENSE\nLicense-File: {}\nProject-URL: Source, {}\n\
         Requires-Python: >=3.8\nDescription-Content-Type: text/markdown\n\n{}",
        source.version,
        super::licences::NAME,
        source.repository,
        super::repository::repository_text("README.md")?,
    ))
}

/// The files as a zip file, in the order of their paths.
fn zip(tree: &FileTree, instant: &str) -> Result<Vec<u8>, TaskError> {
    let mut archive = ZipWriter::new(Cursor::new(Vec::new()));
    for (path, bytes, is_program) in tree.files() {
        let options = SimpleFileOptions::default()
            .compression_method(CompressionMethod::Deflated)
            .last_modified_time(date_time(instant)?)
            .unix_permissions(if is_program { 0o755 } else { 0o644 });
        archive.start_file(path, options)?;
        archive.write_all(bytes)?;
    }
    Ok(archive.finish()?.into_inner())
}

/// An RFC 3339 instant as a zip file states it: without a zone, to two seconds.
fn date_time(instant: &str) -> Result<DateTime, TaskError> {
    let numbers: Vec<u16> = instant
        .split(|letter: char| !letter.is_ascii_digit())
        .filter(|part| !part.is_empty())
        .map(str::parse)
        .collect::<Result<_, _>>()?;
    let [year, month, day, hour, minute, second] = numbers[..] else {
        return Err(format!("{instant} is not an instant").into());
    };
    let [month, day, hour, minute, second] = [month, day, hour, minute, second].map(u8::try_from);
    Ok(DateTime::from_date_and_time(year, month?, day?, hour?, minute?, second?)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_time_of_a_commit_is_that_of_the_files() {
        let time = date_time("2026-11-29T18:38:27Z").unwrap();
        assert_eq!((time.year(), time.month(), time.day(), time.hour(), time.minute()), (2026, 11, 29, 18, 38));
        assert!(date_time("yesterday").is_err());
    }
}
