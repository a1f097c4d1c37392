//! The image for containers, made without a daemon.
//!
//! The archive is an image layout of OCI, and has beside it the list that `docker load` reads.
//! Source: OCI Image Format 1.1, `image-layout.md`, `manifest.md` and `config.md`.

use super::artefact::Artefact;
use super::contents::Contents;
use super::repository::repository_file;
use super::sums::sha256;
use super::tree::{FileTree, gzip};
use crate::error::TaskError;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Value, json};
use std::fs;
use std::sync::Arc;

/// The user and the group of the program: no user of a system has this number.
const USER: u64 = 65532;
const DATA_DIR: &str = "var/lib/lombard";
/// The texts of libraries' licences on the machine that builds, as Debian and Ubuntu install them.
const LIBRARY_LICENCES: [&str; 2] = ["usr/share/doc/libc6/copyright", "usr/share/doc/libgcc-s1/copyright"];
const TEXT_WIDTH: usize = 64;

/// Makes `lombard-VERSION.oci.tar`.
pub(super) fn package(contents: &Contents) -> Result<Artefact, TaskError> {
    let layer = layer(contents)?.tar(&contents.source)?;
    let packed = gzip(&layer)?;
    let config = to_bytes(&config(contents, &layer))?;
    let manifest = to_bytes(&json!({
        "schemaVersion": 2,
        "mediaType": "application/vnd.oci.image.manifest.v1+json",
        "config": descriptor("application/vnd.oci.image.config.v1+json", &config),
        "layers": [descriptor("application/vnd.oci.image.layer.v1.tar+gzip", &packed)],
    }))?;
    let name = format!("lombard:{}", contents.source.version);
    let mut described = descriptor("application/vnd.oci.image.manifest.v1+json", &manifest);
    if let Some(members) = described.as_object_mut() {
        let annotations = json!({
            "io.containerd.image.name": format!("docker.io/library/{name}"),
            "org.opencontainers.image.ref.name": contents.source.version,
        });
        members.insert("annotations".to_owned(), annotations);
    }
    let mut layout = FileTree::default();
    layout.add("oci-layout", to_bytes(&json!({ "imageLayoutVersion": "1.0.0" }))?);
    layout.add(
        "index.json",
        to_bytes(&json!({
            "schemaVersion": 2,
            "mediaType": "application/vnd.oci.image.index.v1+json",
            "manifests": [described],
        }))?,
    );
    let loaded = json!([{ "Config": blob(&config), "RepoTags": [name], "Layers": [blob(&packed)] }]);
    layout.add("manifest.json", to_bytes(&loaded)?);
    for bytes in [config, manifest, packed] {
        layout.add(&blob(&bytes), bytes);
    }
    let name = format!("lombard-{}.oci.tar", contents.source.version);
    Ok(Artefact { name, bytes: layout.tar(&contents.source)? })
}

/// The files of the image.
fn layer(contents: &Contents) -> Result<FileTree, TaskError> {
    let mut tree = FileTree::default();
    tree.add_program("usr/bin/lombard", Arc::clone(&contents.program.bytes));
    for library in contents.program.libraries()? {
        let path = library.to_string_lossy().trim_start_matches('/').to_owned();
        tree.add_program(&path, fs::read(&library)?);
    }
    tree.add("etc/ssl/certs/ca-certificates.crt", authorities().into_bytes());
    for name in ["passwd", "group", "nsswitch.conf"] {
        tree.add(&format!("etc/{name}"), repository_file(&format!("deploy/image/{name}"))?);
    }
    tree.add_folder("etc/lombard", 0o755, 0);
    tree.add_folder(DATA_DIR, 0o700, USER);
    tree.add_folder("tmp", 0o1777, 0);
    tree.add_tree("usr/share/doc/lombard", &contents.documents()?);
    for path in LIBRARY_LICENCES {
        if let Ok(text) = fs::read(format!("/{path}")) {
            tree.add(path, text);
        }
    }
    Ok(tree)
}

/// How a container of the image is run.
fn config(contents: &Contents, layer: &[u8]) -> Value {
    let source = &contents.source;
    json!({
        "architecture": "amd64",
        "os": "linux",
        "created": source.instant,
        "config": {
            "User": format!("{USER}:{USER}"),
            "Entrypoint": ["/usr/bin/lombard"],
            "WorkingDir": format!("/{DATA_DIR}"),
            "Env": ["PATH=/usr/bin"],
            "ExposedPorts": { "8443/tcp": {}, "8444/tcp": {}, "9091/tcp": {} },
            "Volumes": { format!("/{DATA_DIR}"): {} },
            "StopSignal": "SIGTERM",
            "Labels": {
                "org.opencontainers.image.title": "Lombard",
                "org.opencontainers.image.description": "UK Open Banking account provider",
                "org.opencontainers.image.licenses": "Apache-2.0",
                "org.opencontainers.image.source": source.repository,
                "org.opencontainers.image.version": source.version,
                "org.opencontainers.image.revision": source.commit,
                "org.opencontainers.image.created": source.instant,
            },
        },
        "rootfs": { "type": "layers", "diff_ids": [format!("sha256:{}", sha256(layer))] },
        "history": [{ "created": source.instant, "created_by": "cargo xtask package" }],
    })
}

/// The authorities that Mozilla trusts for servers, as PEM.
fn authorities() -> String {
    let mut text = String::new();
    for certificate in webpki_root_certs::TLS_SERVER_ROOT_CERTS {
        let encoded = STANDARD.encode(certificate);
        text.push_str("-----BEGIN CERTIFICATE-----\n");
        for line in encoded.as_bytes().chunks(TEXT_WIDTH) {
            text.push_str(&String::from_utf8_lossy(line));
            text.push('\n');
        }
        text.push_str("-----END CERTIFICATE-----\n");
    }
    text
}

fn descriptor(kind: &str, bytes: &[u8]) -> Value {
    json!({ "mediaType": kind, "digest": format!("sha256:{}", sha256(bytes)), "size": bytes.len() })
}

/// The path of a blob in the layout.
fn blob(bytes: &[u8]) -> String {
    format!("blobs/sha256/{}", sha256(bytes))
}

fn to_bytes(value: &Value) -> Result<Vec<u8>, TaskError> {
    Ok(serde_json::to_vec(value)?)
}
