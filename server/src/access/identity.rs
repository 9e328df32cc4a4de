use std::sync::{Arc, OnceLock};

use super::Bearer;

/// Who asks, as soon as that is known: whoever is in front of the guard leaves one with the request, and reads it when
/// the request is done.
#[derive(Clone, Default)]
pub(crate) struct Identity(Arc<OnceLock<Arc<Bearer>>>);

impl Identity {
    /// It is the bearer of this token.
    pub(super) fn is(&self, bearer: &Arc<Bearer>) {
        // Once known it does not change.
        let _ = self.0.set(Arc::clone(bearer));
    }

    /// None: nobody with a valid token, so far.
    pub(crate) fn bearer(&self) -> Option<&Bearer> {
        self.0.get().map(|it| &**it)
    }
}
