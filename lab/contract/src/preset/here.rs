//! The executor that a preset has made, found where the author's functions spawn on it.

use std::{any::Any, cell::RefCell, rc::Rc, sync::Arc};

/// What a preset has made.
#[derive(Clone)]
pub(super) enum Object {
    /// It may be bound to its thread.
    Bound(Rc<dyn Any>),
    /// It has threads of its own.
    Shared(Arc<dyn Any + Send + Sync>),
}

thread_local! {
    /// The objects that run on this thread, one inside the other.
    static HERE: RefCell<Vec<Object>> = const { RefCell::new(Vec::new()) };
}

/// An object runs on this thread, until this is dropped.
pub(super) struct IsHere;

impl IsHere {
    pub fn enter(object: Object) -> IsHere {
        HERE.with_borrow_mut(|here| here.push(object));
        IsHere
    }
}

impl Drop for IsHere {
    fn drop(&mut self) {
        let object = HERE.with_borrow_mut(Vec::pop);
        drop(object); // when the list is free
    }
}

/// The object that runs on this thread: of several, the innermost.
pub(super) fn object() -> Option<Object> {
    HERE.with_borrow(|here| here.last().cloned())
}

/// Calls `f` with that object.
pub(super) fn with<H: 'static, T>(f: impl FnOnce(&H) -> T) -> T {
    let here = object().expect("the executor runs on this thread");
    let object = match &here {
        Object::Bound(object) => object.downcast_ref(),
        Object::Shared(pool) => pool.downcast_ref(),
    };
    f(object.expect("it is what was made for the preset"))
}
