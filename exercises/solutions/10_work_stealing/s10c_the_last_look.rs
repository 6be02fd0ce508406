//! s10c · complete · 15 minutes · chapter 10, "Work stealing"
//!
//! A worker that finds nothing in any queue sleeps, and a push has to wake it. But waking a thread takes a system call,
//! so a push wakes nobody if another worker searches the queues already: that worker will find the task. And if a worker
//! has found the queues empty, and a task is pushed before it sleeps, then who runs the task?
//!
//! Complete `push`, `sleep` and `found`. Each `.await` in them is one step, and the other threads may take any number of
//! steps before it. In no order of the steps may a task stay in a queue while a worker sleeps that could run it. Nobody is woken
//! while another worker searches, and nobody is woken if no task is left. The steps are those of `Me` in
//! `given/s10c_the_last_look.rs`, which is right.
//!
//! tokio is less strict: its last searcher wakes another worker without looking whether a task is left. In tokio, a worker
//! whose last look finds a task wakes another one and sleeps, which is right here too.
//!
//! Run: `cargo test --bin s10c_the_last_look`, or save this file while `rustlings` runs.
//! Red: a test shows the steps after which a task is left in a queue, or says how many workers were woken.

#[path = "../../given/s10c_the_last_look.rs"]
mod given;

use given::*;

/// Puts a task into a queue, and wakes a worker if the task needs one. Any thread may call this.
async fn push(me: &Me<'_>, task: Task) {
    me.put(task).await;
    // After `put`: a searcher that is counted here has its last look still before it.
    let counts = me.counts().await;
    if counts.searching == 0 && counts.sleeping > 0 {
        me.wake_one().await;
    }
}

/// Called by a worker that has searched all queues and found nothing. It still counts as searching, and it has to count as
/// searching when this returns.
async fn sleep(me: &Me<'_>) {
    me.announce_sleep().await;
    // Once more, because a push that came before the announcement has seen a searcher, and woken nobody.
    if !me.is_anything_queued().await {
        me.park().await;
    }
    me.get_up().await;
}

/// Called by a worker that counts as searching, and has just taken a task out of a queue. Then it polls the task.
async fn found(me: &Me<'_>) {
    // Pushes have woken nobody while this worker was searching, and now no other one searches.
    if me.stop_searching().await && me.is_anything_queued().await {
        me.wake_one().await;
    }
}

/// What a worker does. It counts as searching when it starts.
async fn work(me: &Me<'_>) {
    loop {
        match me.take().await {
            Some(task) => {
                found(me).await;
                me.poll(task).await;
                me.start_searching().await;
            }
            None => sleep(me).await,
        }
    }
}

fn main() {}

// The tests are in the file that is named below. Read them, but do not change them. Each begins with #[test]
#[cfg(test)]
#[path = "../../checks/s10c_the_last_look.rs"]
mod tests;
