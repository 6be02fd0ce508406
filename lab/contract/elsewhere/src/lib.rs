//! The tests are all there is.
