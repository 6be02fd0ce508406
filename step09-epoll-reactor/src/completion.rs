//! Reads by completion, from a kernel of our own, which is a thread.
//!
//! A read is handed over together with its buffer. Between two polls the buffer belongs to the ring, whatever becomes of the
//! future. No other file of this stage uses it.

use std::{
    collections::{HashMap, VecDeque},
    future::Future,
    io,
    pin::Pin,
    sync::{
        Arc, Mutex, MutexGuard,
        mpsc::{self, Receiver, Sender, SyncSender},
    },
    task::{Context, Poll, Waker},
    thread,
};

use crate::contain::contain;

/// A kernel that carries out reads, and the buffers of those that are under way.
///
/// ```
/// use step09_epoll_reactor::{block_on, completion::Ring};
///
/// let ring = Ring::new()?;
/// ring.arrive(b"hello");
/// let (length, buffer) = block_on(ring.read(vec![0; 8]));
/// assert_eq!(&buffer[..length], b"hello");
/// # std::io::Result::Ok(())
/// ```
// ANCHOR: struct
#[derive(Debug)]
pub struct Ring {
    /// The way to the kernel.
    submissions: Sender<Submission>,
    orders: Arc<Orders>,
}

#[derive(Debug)]
enum Submission {
    /// The order with this number is to be carried out.
    Read(u64),
    /// Bytes have arrived. The sender is dropped when the kernel has handled them.
    Arrived(Vec<u8>, SyncSender<()>),
}

/// The orders that are under way, or completed and not asked for since, by their numbers.
#[derive(Debug, Default)]
struct Orders(Mutex<(u64, HashMap<u64, Order>)>);

#[derive(Debug)]
struct Order {
    buffer: Vec<u8>,
    /// How many bytes the kernel has written into the buffer. `None`: it is not done yet.
    length: Option<usize>,
    /// The task that waits.
    waker: Option<Waker>,
    /// The future has been dropped, so no task will ask for the result.
    abandoned: bool,
}
// ANCHOR_END: struct

impl Ring {
    /// Starts the kernel. It ends when the ring has been dropped.
    ///
    /// # Errors
    ///
    /// If the system has no thread left.
    pub fn new() -> io::Result<Ring> {
        let (submissions, received) = mpsc::channel();
        let orders = Arc::new(Orders::default());
        let kept = Arc::clone(&orders);
        let thread = thread::Builder::new().name("kernel".into());
        thread.spawn(move || kernel(&received, &kept))?;
        Ok(Ring {
            submissions,
            orders,
        })
    }

    /// Reads the bytes that arrive next. Gives out how many there are, and the buffer with them.
    ///
    /// The read is handed over at the first poll. It is *not* cancel safe: if it is dropped after that, the kernel still
    /// carries it out, and the bytes are lost with the buffer.
    pub fn read(&self, buffer: Vec<u8>) -> Read<'_> {
        Read {
            ring: self,
            state: State::New(buffer),
        }
    }

    /// Plays the peer: these bytes arrive. Returns when the kernel has handled them.
    pub fn arrive(&self, bytes: &[u8]) {
        let (handled, wait) = mpsc::sync_channel(0);
        // Errors: there is no kernel any more, or it drops the sender, which is what this waits for.
        let _ = self
            .submissions
            .send(Submission::Arrived(bytes.to_vec(), handled));
        let _ = wait.recv();
    }

    /// How many buffers the ring owns.
    pub fn buffers(&self) -> usize {
        self.orders.lock().1.len()
    }
}

/// The thread. It takes orders, and carries them out in turn as bytes arrive.
fn kernel(submissions: &Receiver<Submission>, orders: &Orders) {
    let mut reads = VecDeque::new();
    let mut bytes = VecDeque::new();
    for submission in submissions {
        let _handled = match submission {
            Submission::Read(number) => {
                reads.push_back(number);
                None
            }
            Submission::Arrived(arrived, handled) => {
                bytes.extend(arrived);
                Some(handled)
            }
        };
        while !bytes.is_empty() {
            let Some(number) = reads.pop_front() else {
                break;
            };
            if let Some(waker) = orders.complete(number, &mut bytes) {
                contain(|| waker.wake()); // it may panic, and the kernel goes on
            }
        }
    }
}

impl Orders {
    // ANCHOR: complete
    /// Carries out an order. Returns the waker of the task that waits for it.
    fn complete(&self, number: u64, bytes: &mut VecDeque<u8>) -> Option<Waker> {
        let mut orders = self.lock();
        let order = orders.1.get_mut(&number)?;
        let length = bytes.len().min(order.buffer.len());
        for (place, byte) in order.buffer.iter_mut().zip(bytes.drain(..length)) {
            *place = byte;
        }
        order.length = Some(length);
        if order.abandoned {
            orders.1.remove(&number); // and drops the buffer
            return None;
        }
        order.waker.take()
    }
    // ANCHOR_END: complete

    fn lock(&self) -> MutexGuard<'_, (u64, HashMap<u64, Order>)> {
        self.0
            .lock()
            .expect("no code panics while it holds this lock")
    }
}

/// A read that [`Ring::read`] has begun.
#[derive(Debug)]
pub struct Read<'r> {
    ring: &'r Ring,
    state: State,
}

#[derive(Debug)]
enum State {
    New(Vec<u8>),
    Submitted(u64),
    Done,
}

impl Future for Read<'_> {
    type Output = (usize, Vec<u8>);

    /// # Panics
    ///
    /// If it has been ready before.
    // ANCHOR: poll
    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Self::Output> {
        let waker = cx.waker().clone(); // before the lock is taken, because we do not control `clone`
        let number = match &mut self.state {
            State::New(buffer) => {
                let buffer = std::mem::take(buffer);
                let number = self.ring.submit(buffer, waker);
                self.state = State::Submitted(number);
                return Poll::Pending;
            }
            State::Submitted(number) => *number,
            State::Done => panic!("a read was polled after it was ready"),
        };
        match self.ring.take(number, waker) {
            None => Poll::Pending,
            Some(completed) => {
                self.state = State::Done;
                Poll::Ready(completed)
            }
        }
    }
    // ANCHOR_END: poll
}

impl Ring {
    fn submit(&self, buffer: Vec<u8>, waker: Waker) -> u64 {
        let order = Order {
            buffer,
            length: None,
            waker: Some(waker),
            abandoned: false,
        };
        let mut orders = self.orders.lock();
        orders.0 += 1;
        let number = orders.0;
        orders.1.insert(number, order);
        drop(orders);
        let _ = self.submissions.send(Submission::Read(number)); // the kernel lives as long as the ring
        number
    }

    /// Takes a completed order out, or keeps the waker of this poll in place of the earlier one.
    fn take(&self, number: u64, waker: Waker) -> Option<(usize, Vec<u8>)> {
        let mut orders = self.orders.lock();
        let order = orders.1.get_mut(&number)?;
        let Some(length) = order.length else {
            let earlier = order.waker.replace(waker);
            drop(orders);
            drop(earlier);
            return None;
        };
        let order = orders.1.remove(&number)?;
        drop(orders);
        Some((length, order.buffer))
    }
}

// ANCHOR: drop
impl Drop for Read<'_> {
    fn drop(&mut self) {
        let State::Submitted(number) = self.state else {
            return;
        };
        let mut orders = self.ring.orders.lock();
        let Some(order) = orders.1.get_mut(&number) else {
            return;
        };
        let unused = order.waker.take();
        if order.length.is_some() {
            orders.1.remove(&number); // the kernel is done with the buffer
        } else {
            order.abandoned = true; // the kernel still writes into the buffer
        }
        drop(orders);
        drop(unused);
    }
}
// ANCHOR_END: drop
