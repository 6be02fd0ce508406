//! A sign-in service: what keeps its task `Send`, what would block its neighbours, and where an `Rc` may live.

use std::{
    cell::Cell,
    collections::HashMap,
    hash::{DefaultHasher, Hash, Hasher},
    io,
    rc::Rc,
    sync::{
        Arc, Mutex,
        atomic::{AtomicUsize, Ordering},
    },
};

use tokio::task::{LocalSet, spawn_blocking, yield_now};

const UNPOISONED: &str = "no code panics while it holds this lock";

/// The hash of each user's password, by the user's name.
type Users = Arc<Mutex<HashMap<String, u64>>>;

// ANCHOR: sign_in
/// Whether this is the password of the user with this name.
async fn sign_in(users: Users, name: String, password: String) -> io::Result<bool> {
    // The guard is dropped at the end of this line, before the `.await`.
    let stored = users.lock().expect(UNPOISONED).get(&name).copied();
    let hash = spawn_blocking(move || slow_hash(&password)).await?;
    Ok(stored == Some(hash))
}
// ANCHOR_END: sign_in

// ANCHOR: local
/// Lets many users sign in at once, and counts those who fail.
async fn failures(users: Users, attempts: Vec<(String, String)>) -> usize {
    let failed = Rc::new(Cell::new(0));
    let tasks = LocalSet::new();
    for (name, password) in attempts {
        let (users, failed) = (Arc::clone(&users), Rc::clone(&failed));
        tasks.spawn_local(async move {
            if !matches!(sign_in(users, name, password).await, Ok(true)) {
                failed.set(failed.get() + 1);
            }
        });
    }
    tasks.await;
    failed.get()
}
// ANCHOR_END: local

/// Computes for a while, as a hash for passwords must. (A real service takes one from a library, such as argon2.)
fn slow_hash(password: &str) -> u64 {
    let mut hasher = DefaultHasher::new();
    for _ in 0..500_000 {
        password.hash(&mut hasher);
    }
    hasher.finish()
}

fn users() -> Users {
    let known = [("ada", "engine"), ("grace", "cobol")];
    let hashed = known.map(|(name, password)| (name.to_owned(), slow_hash(password)));
    Arc::new(Mutex::new(HashMap::from(hashed)))
}

/// How many times a neighbour on the same thread runs until `work` is finished.
async fn turns_of_a_neighbour<T>(work: impl Future<Output = T>) -> usize {
    let turns = Arc::new(AtomicUsize::new(0));
    let count = Arc::clone(&turns);
    let neighbour = tokio::spawn(async move {
        loop {
            count.fetch_add(1, Ordering::Relaxed);
            yield_now().await;
        }
    });
    work.await;
    neighbour.abort();
    turns.load(Ordering::Relaxed)
}

#[tokio::main(flavor = "current_thread")]
async fn main() {
    println!("1. While a password is hashed, how many times does another task run?");
    let turns = turns_of_a_neighbour(async { slow_hash("engine") }).await;
    println!("   on the thread of the tasks: {turns}");
    let task = tokio::spawn(sign_in(users(), "ada".into(), "engine".into()));
    let turns = turns_of_a_neighbour(task).await;
    println!(
        "   on a thread for blocking code: more than 100: {}",
        turns > 100
    );

    println!("2. Tasks on a LocalSet share a counter without a lock");
    let attempts = [("ada", "engine"), ("grace", "fortran"), ("eve", "")];
    let attempts = attempts.map(|(name, password)| (name.into(), password.into()));
    let failed = failures(users(), attempts.into()).await;
    println!("   of three attempts to sign in, {failed} failed");
}

#[cfg(test)]
mod tests {
    use std::{sync::mpsc, time::Duration};

    use super::*;

    #[test]
    fn other_tasks_run_while_a_password_is_hashed() {
        // The only thread for blocking code is taken until the neighbour has run three times. If `sign_in` hashes on the
        // thread of the tasks, it is finished before the neighbour has run at all.
        let runtime = tokio::runtime::Builder::new_current_thread()
            .max_blocking_threads(1)
            .build()
            .expect("a runtime without drivers starts");
        let turns = runtime.block_on(async {
            let (free, taken) = mpsc::channel::<()>();
            spawn_blocking(move || taken.recv_timeout(Duration::from_secs(20)));
            let turns = Arc::new(AtomicUsize::new(0));
            let count = Arc::clone(&turns);
            tokio::spawn(async move {
                for _ in 0..3 {
                    yield_now().await;
                    count.fetch_add(1, Ordering::Relaxed);
                }
                drop(free);
            });
            let signed_in = sign_in(users(), "ada".into(), "engine".into()).await;
            assert!(matches!(signed_in, Ok(true)));
            turns.load(Ordering::Relaxed)
        });
        assert_eq!(turns, 3);
    }

    #[tokio::test]
    async fn hashing_on_the_thread_of_the_tasks_lets_no_neighbour_run() {
        let turns = turns_of_a_neighbour(async { slow_hash("engine") }).await;
        assert_eq!(turns, 0);
    }

    #[tokio::test]
    async fn a_wrong_password_and_an_unknown_name_fail() {
        let attempts = [("ada", "engine"), ("grace", "fortran"), ("eve", "")];
        let attempts = attempts.map(|(name, password)| (name.into(), password.into()));
        assert_eq!(failures(users(), attempts.into()).await, 2);
    }

    #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
    async fn a_sign_in_may_be_spawned_on_any_worker() {
        let task = tokio::spawn(sign_in(users(), "grace".into(), "cobol".into()));
        assert!(matches!(task.await, Ok(Ok(true))));
    }
}
