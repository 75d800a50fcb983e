//! The published experiments that sinew reproduces.
