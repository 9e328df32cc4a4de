//! Memory that a caller lends for a while.

use std::{
    process,
    sync::{Arc, Mutex, PoisonError, RwLock, RwLockReadGuard},
};

use opencl3::error_codes::{CL_INVALID_MEM_OBJECT, ClError};

use super::{ErrorContext, Event, OpenClError};

/// A caller's memory until it is given back. The loan knows the commands that were enqueued with it. Afterwards nothing
/// can be enqueued with it, though its buffers may still be arguments of functions.
#[derive(Default)]
pub(super) struct Loan {
    is_over: RwLock<bool>,
    used_by: Mutex<Vec<Event>>,
}

/// Gives the memory back when dropped, also if `work` panics.
pub(super) struct Return(pub(super) Arc<Loan>);

impl Loan {
    /// Keeps the memory from being given back until a new command is [noted](Self::used_by).
    ///
    /// # Errors
    /// The memory was given back already.
    pub(super) fn hold(&self) -> Result<RwLockReadGuard<'_, bool>, OpenClError> {
        match self.is_over.try_read() {
            Ok(over) if !*over => Ok(over),
            _ => Err(ClError(CL_INVALID_MEM_OBJECT)).when("memory that was lent until now"),
        }
    }

    pub(super) fn used_by(&self, event: Event) {
        let mut used_by = self.used_by.lock().unwrap_or_else(PoisonError::into_inner);
        used_by.push(event);
    }
}

impl Drop for Return {
    fn drop(&mut self) {
        let loan = &self.0;
        *loan.is_over.write().unwrap_or_else(PoisonError::into_inner) = true;
        let used_by = loan.used_by.lock();
        for event in &*used_by.unwrap_or_else(PoisonError::into_inner) {
            if event.wait().is_err() && !event.has_ended() {
                // The device may still write to memory that is about to be somebody else's.
                process::abort();
            }
        }
    }
}
