//! What each file of the data folder holds. The tables of the databases are described beside their migrations.

use lombard_database::{StoredData, stored_data};

/// The files of the data folder.
pub(crate) const STORED_FILES: &[StoredData] = stored_data! {
    "lombard.db, lombard.db-wal, lombard.db-shm": "the tables below, on SQLite; bytes of deleted rows are overwritten with zeros, and the log `-wal` is emptied at a clean stop",
        Yes, "the database", "as long as the installation", Kept("its rows are erased by table");
    "bank.db, bank.db-wal, bank.db-shm": "the tables of the built-in bank, if it runs as a process of its own", Yes, "the bank's database", "as long as the installation",
        Kept("its rows are erased by table");
    "private/": "the key-encryption key and private keys of the sandbox", No, "secrets in the database are sealed with it", "as long as the installation", NoRows;
    "tpps/": "certificates, keys and registrations of the sandbox's TPPs; the customer that a TPP without a browser acts for", Pseudonymous, "the sandbox", "as long as the installation",
        Kept("the id of a made-up customer; remove the folder of the TPP");
    "ca.pem, tpp-ca.pem, directory/": "trust anchors and the sandbox's directory", No, "the sandbox", "as long as the installation", NoRows;
    "operator.json": "user, password and token of the sandbox's operator", Staff, "the ops listener of a sandbox", "as long as the installation", NoRows;
    "endpoints.json, core.json": "addresses of the running process", No, "other programs find it", "until it stops", NoRows;
};
