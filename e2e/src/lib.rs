//! No code of its own: its tests hold the workspace together.
