//! The PKCS#11 libraries that this process has loaded. A library is initialised only once in a process, even if several modules use it.

use crate::error::TokenError;
use cryptoki::context::{CInitializeArgs, CInitializeFlags, Pkcs11};
use cryptoki::error::{Error, RvError};
use parking_lot::{Mutex, RwLock};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

static LOADED: Mutex<BTreeMap<PathBuf, Arc<Library>>> = Mutex::new(BTreeMap::new());

/// The shortest time between two reinitialisations of a library.
const RESTARTED_EVERY: Duration = Duration::from_secs(5);

/// A loaded and initialised library.
#[derive(Debug)]
pub(crate) struct Library {
    /// Callers of the library hold a read lock, so that it is not finalised meanwhile.
    pkcs11: RwLock<Pkcs11>,
    restarted_at: Mutex<Option<Instant>>,
}

/// The library in this file, loaded and initialised. It is never unloaded.
pub(crate) fn load_library(file: &Path) -> Result<Arc<Library>, TokenError> {
    let mut loaded = LOADED.lock();
    if let Some(library) = loaded.get(file) {
        return Ok(Arc::clone(library));
    }
    // The loader searches its own folders for a name without a slash, and not the working directory. Source: dlopen(3).
    let path = std::path::absolute(file).unwrap_or_else(|_| file.to_owned());
    let pkcs11 = Pkcs11::new(path)?;
    initialise(&pkcs11)?;
    let library = Arc::new(Library { pkcs11: RwLock::new(pkcs11), restarted_at: Mutex::default() });
    loaded.insert(file.to_owned(), Arc::clone(&library));
    Ok(library)
}

impl Library {
    /// Runs work that calls the library, under the read lock.
    pub(crate) fn with_library<T>(&self, work: impl FnOnce(&Pkcs11) -> Result<T, TokenError>) -> Result<T, TokenError> {
        work(&self.pkcs11.read())
    }

    /// Finalises the library and initialises it again, because many libraries find a reconnected token only then. `false` if that was done
    /// recently, or the library is in use. `close` must close every open session.
    pub(crate) fn restart(&self, close: impl FnOnce()) -> Result<bool, TokenError> {
        let Some(pkcs11) = self.pkcs11.try_write() else { return Ok(false) };
        let mut restarted_at = self.restarted_at.lock();
        if restarted_at.is_some_and(|at| at.elapsed() < RESTARTED_EVERY) {
            return Ok(false);
        }
        *restarted_at = Some(Instant::now());
        close();
        // A library that cannot be finalised is initialised nevertheless; it returns an error if it is still initialised.
        let _ended = pkcs11.clone().finalize();
        initialise(&pkcs11)?;
        Ok(true)
    }
}

fn initialise(pkcs11: &Pkcs11) -> Result<(), TokenError> {
    match pkcs11.initialize(CInitializeArgs::new(CInitializeFlags::OS_LOCKING_OK)) {
        Ok(()) | Err(Error::Pkcs11(RvError::CryptokiAlreadyInitialized, _)) => Ok(()),
        Err(error) => Err(error.into()),
    }
}
