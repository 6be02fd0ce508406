//! Here would be a runtime. Its test is in `tests/contract.rs`.
