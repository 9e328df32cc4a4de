//! Callers' memory while the device may use it.

use std::{
    process,
    sync::{Arc, Mutex, PoisonError, RwLock, RwLockReadGuard},
};

use opencl3::error_codes::{CL_INVALID_MEM_OBJECT, ClError};

use super::{ErrorContext, Event, OpenClError};

/// A loan of a caller's memory, with the commands that were enqueued with that memory. Once the loan is over, nothing
/// more can be enqueued with the memory, though its buffers may still be arguments of functions.
#[derive(Default)]
pub(super) struct Loan {
    is_over: RwLock<bool>,
    commands: Mutex<Vec<Event>>,
}

/// Ends the loan when dropped, also in a panic: waits until the device has left the memory.
#[derive(Default)]
pub(super) struct LoanGuard(pub(super) Arc<Loan>);

impl Loan {
    /// Keeps the loan from ending until a new command is [added](Self::add_command).
    ///
    /// # Errors
    /// The loan is over.
    pub(super) fn hold(&self) -> Result<RwLockReadGuard<'_, bool>, OpenClError> {
        match self.is_over.try_read() {
            Ok(is_over) if !*is_over => Ok(is_over),
            _ => Err(ClError(CL_INVALID_MEM_OBJECT)).when("memory that was lent until now"),
        }
    }

    pub(super) fn add_command(&self, event: Event) {
        let mut commands = self.commands.lock().unwrap_or_else(PoisonError::into_inner);
        commands.push(event);
    }
}

impl Drop for LoanGuard {
    fn drop(&mut self) {
        let loan = &self.0;
        *loan.is_over.write().unwrap_or_else(PoisonError::into_inner) = true;
        let commands = loan.commands.lock();
        for event in &*commands.unwrap_or_else(PoisonError::into_inner) {
            if event.wait().is_err() && !event.has_ended() {
                // The device may still write to memory that is about to be somebody else's.
                process::abort();
            }
        }
    }
}
