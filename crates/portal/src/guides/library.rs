//! The served documents: the guides for TPPs, the documents to which they refer, and the example programs. Their sources are in the
//! repository at the same paths, and are compiled into the program.

/// A document or a program.
#[derive(Debug)]
pub(super) struct Document {
    /// The path of the file in the repository.
    pub(super) path: &'static str,
    /// The section of the list in which the document appears.
    pub(super) part: LibraryPart,
    /// The text of the file.
    pub(super) text: &'static str,
}

/// A section of the list.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum LibraryPart {
    /// A guide for beginners, in the order of reading.
    Guide,
    /// A guide to one resource in more detail.
    Topic,
    /// A reference document.
    Reference,
    /// An example program, served as plain text.
    Program,
    /// The list of libraries that an example program needs, in the format of a package manager.
    Dependencies,
}

impl LibraryPart {
    /// The sections whose documents are pages, in their order, with their headings.
    pub(super) const PAGES: [(Self, &'static str); 3] =
        [(Self::Guide, "Guides"), (Self::Topic, "Topics"), (Self::Reference, "Reference")];
}

impl Document {
    /// The end of the document's URL, such as `events`, `operating/sandbox` or `examples/tpp-curl/client.sh`.
    pub(super) fn name(&self) -> &'static str {
        let name = self.path.strip_prefix("docs/").unwrap_or(self.path);
        let name = name.strip_prefix("tpps/").unwrap_or(name);
        name.strip_suffix(".md").unwrap_or(name)
    }

    /// Whether the document is a page, and not a program or its list of libraries.
    pub(super) fn is_page(&self) -> bool {
        !matches!(self.part, LibraryPart::Program | LibraryPart::Dependencies)
    }
}

/// Declares the documents by their paths in the repository.
macro_rules! documents {
    ($($part:ident $path:literal;)*) => {
        [$(Document {
            path: $path,
            part: LibraryPart::$part,
            text: include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/../../", $path)),
        }),*]
    };
}

/// All documents, in the order of the list.
pub(super) static LIBRARY: [Document; 35] = documents! {
    Guide "docs/tpps/get-started.md";
    Guide "docs/tpps/which-endpoint.md";
    Guide "docs/tpps/authorisation.md";
    Guide "docs/tpps/signing.md";
    Guide "docs/tpps/testing.md";
    Guide "docs/tpps/faq.md";
    Guide "docs/tpps/errors.md";
    Guide "docs/tpps/request-log.md";
    Guide "docs/tpps/portal.md";
    Topic "docs/tpps/accounts.md";
    Topic "docs/tpps/payments.md";
    Topic "docs/tpps/international.md";
    Topic "docs/tpps/files.md";
    Topic "docs/tpps/vrp.md";
    Topic "docs/tpps/funds.md";
    Topic "docs/tpps/events.md";
    Topic "docs/tpps/decoupled.md";
    Topic "docs/tpps/registration.md";
    Topic "docs/tpps/security-profiles.md";
    Topic "docs/tpps/versions.md";
    Topic "docs/tpps/limits.md";
    Reference "docs/tpps/glossary.md";
    Reference "docs/operating/sandbox.md";
    Reference "docs/operating/payments.md";
    Reference "docs/reference/endpoints.md";
    Reference "docs/reference/codes.md";
    Reference "docs/reference/rules.md";
    Reference "CHANGELOG.md";
    Program "examples/tpp-javascript/client.mjs";
    Dependencies "examples/tpp-javascript/package.json";
    Program "examples/tpp-python/client.py";
    Dependencies "examples/tpp-python/requirements.txt";
    Program "examples/tpp-curl/client.sh";
    Program "crates/lombard/examples/tpp.rs";
    Program "examples/bruno/make.mjs";
};

/// The document at this path of the repository.
pub(super) fn at_path(path: &str) -> Option<&'static Document> {
    LIBRARY.iter().find(|document| document.path == path)
}
