//! Memory that is the caller's own again after a while.

use std::{
    process,
    sync::{Arc, Mutex, PoisonError, RwLock, RwLockReadGuard},
};

use opencl3::error_codes::{CL_INVALID_MEM_OBJECT, ClError};

use super::{ErrorContext, Event, OpenClError};

/// Memory of a caller, until it is given back: what is enqueued with it is known here, and after that nothing is
/// enqueued with it any more, though buffers of it may still be arguments of functions.
#[derive(Default)]
pub(super) struct Loan {
    is_over: RwLock<bool>,
    used_by: Mutex<Vec<Event>>,
}

/// Gives memory back, also where `work` panics.
pub(super) struct Return(pub(super) Arc<Loan>);

impl Loan {
    /// Keeps it from being given back until what is enqueued is [known](Self::used_by).
    ///
    /// # Errors
    /// It was given back.
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
