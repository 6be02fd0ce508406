//! Calls of the author's functions, whose panics are no fault of the executor.

use std::{
    any::Any,
    panic::{AssertUnwindSafe, catch_unwind, resume_unwind},
    sync::{Arc, Mutex, Weak},
};

use super::here::{self, IsHere, Object};
use crate::{lock::lock, message};

/// Calls a function of the adapter's author in a task, perhaps on a thread of the pool. Its panic is no fault of the executor, which may
/// contain it as that of a task.
#[derive(Clone)]
pub(super) struct Calls {
    of: &'static str,
    pool: Option<Weak<dyn Any + Send + Sync>>,
    panicked: Arc<Mutex<Option<String>>>,
}

impl Calls {
    pub fn of(of: &'static str) -> Calls {
        Calls {
            of,
            pool: None,
            panicked: Arc::default(),
        }
    }

    /// The same for the object that runs on this thread.
    pub fn on_this(&self) -> Calls {
        let pool = match here::object() {
            Some(Object::Shared(pool)) => Some(Arc::downgrade(&pool)),
            _ => None, // it runs on this thread alone, or is made of functions
        };
        Calls {
            pool,
            ..self.clone()
        }
    }

    pub fn call<T>(&self, function: impl FnOnce() -> T) -> T {
        let pool = self.pool.as_ref().and_then(Weak::upgrade);
        let called = catch_unwind(AssertUnwindSafe(|| {
            let _here = pool.map(|pool| IsHere::enter(Object::Shared(pool)));
            function()
        }));
        called.unwrap_or_else(|payload| {
            *lock(&self.panicked) = Some(message(&*payload));
            resume_unwind(payload)
        })
    }

    /// Runs an executor whose tasks call the function, and panics if that has.
    pub fn run<T>(&self, run: impl FnOnce() -> T) -> T {
        let ran = catch_unwind(AssertUnwindSafe(run));
        let panicked = lock(&self.panicked).take();
        if let Some(message) = panicked {
            panic!("the function of `{}` panicked: {message}", self.of);
        }
        ran.unwrap_or_else(|payload| resume_unwind(payload))
    }
}
