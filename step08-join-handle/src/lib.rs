//! # Stage 08: join handles and worker threads
