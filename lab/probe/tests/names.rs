//! Code of a library that names tokio's types compiles with those of `why_pending::tokio`, and does the same.
//!
//! `use why_pending::tokio;` stands in the place of the crate. Where a type has to be tokio's own, there is `.into()`, as the compiler says.

// Miri takes minutes for it, and there is no unsafe code in it.
#![cfg(not(miri))]

use std::{
    collections::BTreeSet,
    future::{pending, poll_fn},
    pin::pin,
    sync::{Arc, LazyLock},
    time::Duration,
};

use futures::StreamExt;
use tokio::{
    sync::{
        Barrier, MappedMutexGuard, Mutex, MutexGuard, Notify, OwnedMappedMutexGuard,
        OwnedMutexGuard, OwnedRwLockMappedWriteGuard, OwnedRwLockReadGuard, OwnedRwLockWriteGuard,
        OwnedSemaphorePermit, RwLock, RwLockMappedWriteGuard, RwLockReadGuard, RwLockWriteGuard,
        Semaphore, SemaphorePermit, broadcast, mpsc, oneshot, watch,
    },
    task::{JoinHandle, JoinSet, LocalSet},
};
use tokio_stream::wrappers::{
    BroadcastStream, ReceiverStream, UnboundedReceiverStream, WatchStream,
};
use tokio_util::{
    sync::{PollSemaphore, PollSender},
    task::AbortOnDropHandle,
};
use why_pending::tokio;

static LOCK: Mutex<u32> = Mutex::const_new(1);
static TABLE: RwLock<(u32, u32)> = RwLock::const_new((1, 2));
static PERMITS: Semaphore = Semaphore::const_new(3);
static NOTIFY: Notify = Notify::const_new();
static LAZY: LazyLock<Mutex<Vec<u8>>> = LazyLock::new(|| Mutex::new(vec![1]));

/// What another crate asks for.
fn tokios_own(_: &::tokio::sync::Mutex<u32>, _: &::tokio::sync::Semaphore) {}

trait HasLock {
    fn lock(&self) -> &Mutex<u32>;
}

struct Service {
    pair: Arc<Mutex<(u32, u32)>>,
    worker: JoinHandle<u32>,
    weak: mpsc::WeakSender<u32>,
}

impl Service {
    async fn first(&self) -> MappedMutexGuard<'_, u32> {
        MutexGuard::map(self.pair.lock().await, |pair| &mut pair.0)
    }

    async fn second(&self) -> OwnedMappedMutexGuard<(u32, u32), u32> {
        let guard: OwnedMutexGuard<_> = self.pair.clone().lock_owned().await;
        OwnedMutexGuard::map(guard, |pair| &mut pair.1)
    }
}

async fn reads(table: &RwLock<(u32, u32)>) -> RwLockReadGuard<'_, u32> {
    let guard: RwLockWriteGuard<'_, _> = table.write().await;
    RwLockReadGuard::map(guard.downgrade(), |pair| &pair.1)
}

async fn writes(table: &RwLock<(u32, u32)>) -> RwLockMappedWriteGuard<'_, u32> {
    RwLockWriteGuard::map(table.write().await, |pair| &mut pair.0)
}

#[tokio::test]
async fn locks_of_a_library() {
    *LOCK.lock().await += 1;
    assert_eq!(*LOCK.lock().await, 2);
    tokios_own(&LOCK, &PERMITS);
    assert_eq!(*reads(&TABLE).await, 2);
    assert_eq!(*writes(&TABLE).await, 1);
    LAZY.lock().await.push(2);
    assert_eq!(LAZY.try_lock().unwrap().len(), 2);

    let (sender, _inbox) = mpsc::channel(1);
    let service = Service {
        pair: Arc::new(Mutex::new((1, 2))),
        worker: tokio::spawn(async { 7 }),
        weak: sender.downgrade(),
    };
    *service.first().await += 10;
    *service.second().await += 10;
    assert_eq!(*service.pair.lock().await, (11, 12));
    assert!(service.weak.upgrade().is_some());
    drop(sender);
    assert!(service.weak.upgrade().is_none());
    assert_eq!(service.worker.await.unwrap(), 7);

    let table = Arc::new(RwLock::new(1));
    assert_eq!(LOCK.lock().await.to_string(), "2");
    assert_eq!(table.read().await.to_string(), "1");
    assert_eq!(format!("{:>3}", table.write().await), "  1");
    let write: OwnedRwLockWriteGuard<_> = table.clone().write_owned().await;
    let _read: OwnedRwLockReadGuard<_> = write.downgrade();
    assert!(table.clone().try_write_owned().is_err());
    assert!(table.clone().try_read_owned().is_ok());
    let mut alone = Mutex::from(1);
    *alone.get_mut() = 2;
    assert_eq!(alone.into_inner(), 2);
}

#[tokio::test]
async fn permits_of_a_library() {
    let permits = Arc::new(Semaphore::new(5));
    let mut three: SemaphorePermit<'_> = permits.acquire_many(3).await.unwrap();
    let one = three.split(1).unwrap();
    assert_eq!((three.num_permits(), one.num_permits()), (2, 1));
    three.merge(one);
    assert_eq!((three.num_permits(), permits.available_permits()), (3, 2));
    let owned: OwnedSemaphorePermit = permits.clone().acquire_owned().await.unwrap();
    owned.forget();
    drop(three);
    assert_eq!(permits.available_permits(), 4);
    let mut polls = PollSemaphore::new(permits.to_tokio());
    let of_tokio = poll_fn(|cx| polls.poll_acquire(cx)).await.unwrap();
    let owned: OwnedSemaphorePermit = of_tokio.into();
    drop(::tokio::sync::OwnedSemaphorePermit::from(owned));
    assert_eq!(PERMITS.available_permits(), 3);

    let notify = Arc::new(Notify::new());
    let mut notified = pin!(notify.clone().notified_owned());
    assert!(!notified.as_mut().enable());
    notify.notify_waiters();
    notified.await;
    NOTIFY.notify_one();
    NOTIFY.notified().await;
    assert!(Barrier::new(1).wait().await.is_leader());
}

#[tokio::test]
async fn channels_of_a_library() {
    let (sender, mut inbox) = mpsc::channel::<u32>(4);
    for place in sender.reserve_many(2).await.unwrap() {
        place.send(1);
    }
    let sender = sender.reserve_owned().await.unwrap().send(2);
    sender
        .send_timeout(3, Duration::from_secs(60))
        .await
        .unwrap();
    let mut all = Vec::new();
    assert_eq!(inbox.recv_many(&mut all, 9).await, 4);
    assert_eq!(all, [1, 1, 2, 3]);
    let mut sink = PollSender::new(sender.clone().into());
    poll_fn(|cx| sink.poll_reserve(cx)).await.unwrap();
    sink.send_item(4).unwrap();
    drop((sender, sink));
    let rest = ReceiverStream::new(inbox.into()).collect::<Vec<_>>();
    assert_eq!(rest.await, [4]);

    let (sender, inbox) = mpsc::unbounded_channel::<u32>();
    sender.send(1).unwrap();
    let mut stream = UnboundedReceiverStream::new(inbox.into());
    assert_eq!(stream.next().await, Some(1));

    let events = broadcast::Sender::<u32>::new(4);
    let mut late = events.subscribe();
    events.send(1).unwrap();
    let mut later = late.resubscribe();
    assert_eq!(late.recv().await, Ok(1));
    assert!(later.try_recv().is_err());
    assert!(events.downgrade().upgrade().is_some());
    let stream = BroadcastStream::new(late.into());
    drop((events, stream));

    let state = watch::Sender::new(1);
    let mut seen = state.subscribe();
    state.send_modify(|value| *value += 1);
    assert_eq!(*seen.wait_for(|value| *value > 1).await.unwrap(), 2);
    assert_eq!(WatchStream::new(seen.into()).next().await, Some(2));

    let (mut reply, answer) = oneshot::channel::<u32>();
    drop(answer);
    reply.closed().await;
}

#[tokio::test]
async fn tasks_of_a_library() {
    let handle = tokio::runtime::Handle::current();
    let of_handle: JoinHandle<u32> = handle.spawn(async { 1 }).into();
    assert_eq!(AbortOnDropHandle::new(of_handle.into()).await.unwrap(), 1);
    let local = LocalSet::new();
    let of_set: JoinHandle<u32> = local.spawn_local(async { 2 });
    let both = async { tokio::task::spawn_local(of_set).await.unwrap().unwrap() };
    assert_eq!(local.run_until(both).await, 2);
    let of_set = local.spawn_local(async { 3 });
    let mut set: JoinSet<u32> = JoinSet::new();
    set.spawn_local_on(async { 4 }, &local);
    local.await;
    assert_eq!(of_set.await.unwrap(), 3);
    assert_eq!(set.join_next().await.unwrap().unwrap(), 4);
    drop(::tokio::task::LocalSet::from(LocalSet::default()));

    let mut set: JoinSet<u32> = (0..3).map(|n| async move { n }).collect();
    set.spawn_on(async { 3 }, &handle);
    set.spawn_blocking_on(|| 4, &handle);
    let mut ends = BTreeSet::new();
    while let Some(end) = set.join_next_with_id().await {
        ends.insert(end.unwrap().1);
    }
    assert_eq!(ends, BTreeSet::from([0, 1, 2, 3, 4]));
    let aborted = tokio::spawn(pending::<()>());
    aborted.abort();
    assert!(aborted.await.unwrap_err().is_cancelled());
}

impl HasLock for Service {
    fn lock(&self) -> &Mutex<u32> {
        &LOCK
    }
}

#[tokio::test]
async fn a_reference_to_a_lock_is_one_to_tokios() {
    fn of_a_trait(has: &impl HasLock) {
        tokios_own(has.lock(), &PERMITS);
    }
    let (sender, _inbox) = mpsc::channel(1);
    of_a_trait(&Service {
        pair: Arc::default(),
        worker: tokio::spawn(async { 0 }),
        weak: sender.downgrade(),
    });
}

/// Each function of tokio's that takes a value and is there, by the name of its type: `remains.rs` lists the others.
#[tokio::test]
async fn what_takes_values() {
    static READERS: RwLock<u32> = RwLock::const_with_max_readers(1, 2);
    static NEVER: Notify = Notify::const_new();
    assert_eq!((*READERS.read().await, Notify::new().notify_one()), (1, ()));
    drop((
        NEVER.notified(),
        Semaphore::const_new(1),
        RwLock::const_new(1),
        Mutex::const_new(1),
    ));

    let lock = Arc::new(Mutex::new((1, [2, 3])));
    let guard = Mutex::lock_owned(lock.clone()).await;
    assert!(Mutex::try_lock_owned(lock.clone()).is_err());
    let part = OwnedMutexGuard::map(guard, |all| &mut all.1);
    let part = OwnedMappedMutexGuard::map(part, |part| &mut part[0]);
    drop(OwnedMappedMutexGuard::try_map(part, |_| None::<&mut u8>).unwrap_err());
    drop(
        OwnedMutexGuard::try_map(lock.clone().lock_owned().await, |_| None::<&mut u8>).unwrap_err(),
    );
    let part = MutexGuard::map(lock.lock().await, |all| &mut all.1);
    let part = MappedMutexGuard::map(part, |part| &mut part[0]);
    drop(MappedMutexGuard::try_map(part, |_| None::<&mut u8>).unwrap_err());
    drop(MutexGuard::try_map(lock.lock().await, |_| None::<&mut u8>).unwrap_err());
    let other = lock.clone();
    let blocks = tokio::task::spawn_blocking(|| Mutex::blocking_lock_owned(other).0);
    assert_eq!(blocks.await.unwrap(), 1);
    assert_eq!(Mutex::into_inner(Arc::into_inner(lock).unwrap()).0, 1);

    let table = Arc::new(RwLock::with_max_readers((1, [2, 3]), 4));
    let read = RwLock::read_owned(table.clone()).await;
    assert!(RwLock::try_write_owned(table.clone()).is_err());
    drop(RwLock::try_read_owned(table.clone()).unwrap());
    let read = OwnedRwLockReadGuard::map(read, |all| &all.1);
    let read = OwnedRwLockReadGuard::map(read, |part| &part[0]);
    drop(OwnedRwLockReadGuard::try_map(read, |_| None::<&u8>).unwrap_err());
    let write = RwLock::write_owned(table.clone()).await;
    let write = OwnedRwLockWriteGuard::try_map(write, |_| None::<&mut u8>).unwrap_err();
    let write = OwnedRwLockWriteGuard::map(write, |all| &mut all.1);
    let write = OwnedRwLockMappedWriteGuard::map(write, |part| &mut part[0]);
    drop(OwnedRwLockMappedWriteGuard::try_map(write, |_| None::<&mut u8>).unwrap_err());
    let read = RwLockReadGuard::map(table.read().await, |all| &all.1);
    drop(RwLockReadGuard::try_map(read, |_| None::<&u8>).unwrap_err());
    let write = table.write().await;
    let write = RwLockWriteGuard::try_map(write, |_| None::<&mut u8>).unwrap_err();
    let write = RwLockWriteGuard::map(write, |all| &mut all.1);
    let write = RwLockMappedWriteGuard::map(write, |part| &mut part[0]);
    drop(RwLockMappedWriteGuard::try_map(write, |_| None::<&mut u8>).unwrap_err());
    drop(RwLockWriteGuard::downgrade(table.write().await));
    drop(OwnedRwLockWriteGuard::downgrade(
        table.clone().write_owned().await,
    ));
    assert_eq!(RwLock::into_inner(Arc::into_inner(table).unwrap()).0, 1);
    assert_eq!(RwLock::new(1).into_inner(), 1);

    let permits = Arc::new(Semaphore::new(8));
    let many = Semaphore::acquire_many_owned(permits.clone(), 2);
    OwnedSemaphorePermit::forget(many.await.unwrap());
    drop(Semaphore::acquire_owned(permits.clone()).await.unwrap());
    drop(Semaphore::try_acquire_owned(permits.clone()).unwrap());
    drop(Semaphore::try_acquire_many_owned(permits.clone(), 2).unwrap());
    SemaphorePermit::forget(permits.acquire().await.unwrap());
    assert_eq!(permits.available_permits(), 5);
    let notify = Arc::new(Notify::new());
    notify.notify_one();
    Notify::notified_owned(notify).await;
    assert!(Barrier::new(1).wait().await.is_leader());

    let (sender, mut inbox) = mpsc::channel(2);
    let place = mpsc::Sender::reserve_owned(sender).await.unwrap();
    let sender = mpsc::OwnedPermit::release(place);
    let place = mpsc::Sender::try_reserve_owned(sender).unwrap();
    let sender = mpsc::OwnedPermit::send(place, 1);
    mpsc::Permit::send(sender.reserve().await.unwrap(), 2);
    let sender = mpsc::Sender::try_reserve_owned(sender)
        .unwrap_err()
        .into_inner();
    drop(sender);
    assert_eq!(
        [inbox.recv().await, inbox.recv().await, inbox.recv().await],
        [Some(1), Some(2), None]
    );
    let (reply, answer) = oneshot::channel();
    oneshot::Sender::send(reply, 1).unwrap();
    let blocks = tokio::task::spawn_blocking(|| oneshot::Receiver::blocking_recv(answer));
    assert_eq!(blocks.await.unwrap(), Ok(1));
    drop((broadcast::Sender::<u32>::new(1), watch::Sender::new(1)));
    let mut set = JoinSet::new();
    set.spawn(async { 1 });
    assert_eq!(JoinSet::join_all(set).await, [1]);
}
