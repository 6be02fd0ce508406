use super::*;
use probe::{Counted, Counts, watch, within};
use std::sync::{Arc, Mutex};
use tokio::{
    runtime::Builder,
    sync::{
        mpsc::{UnboundedSender, unbounded_channel},
        oneshot,
    },
    task::{JoinHandle, yield_now},
    time::Instant,
};

/// A task that runs `serve`, and what surrounds it.
struct Server {
    connections: Option<UnboundedSender<Connection>>,
    stop: CancellationToken,
    task: JoinHandle<()>,
    counts: Counts,
    /// All requests.
    sent: Arc<Mutex<Vec<Counts>>>,
    /// How many were under way when `serve` returned.
    left: Arc<Mutex<Option<usize>>>,
}

/// A client with a connection.
struct Client {
    requests: Option<UnboundedSender<Request>>,
    sent: Arc<Mutex<Vec<Counts>>>,
}

/// A request that was sent.
struct Sent {
    end: Option<oneshot::Sender<()>>,
    counts: Counts,
}

impl Server {
    fn new() -> Server {
        let (connect, connections) = unbounded_channel();
        let stop = CancellationToken::new();
        let serving = Counted::new(serve(connections, stop.clone()));
        let counts = serving.counts();
        let sent = Arc::<Mutex<Vec<Counts>>>::default();
        let left = Arc::<Mutex<Option<usize>>>::default();
        let (all, tell) = (Arc::clone(&sent), Arc::clone(&left));
        let task = spawn(watch("serve", async move {
            serving.await;
            let is_left = |it: &&Counts| it.polls() > 0 && it.drops() == 0;
            let left = all.lock().unwrap().iter().filter(is_left).count();
            *tell.lock().unwrap() = Some(left);
        }));
        let connections = Some(connect);
        Server {
            connections,
            stop,
            task,
            counts,
            sent,
            left,
        }
    }

    /// A client connects, and is not accepted yet.
    fn connects(&self) -> Client {
        let (send, requests) = unbounded_channel();
        let connect = self.connections.as_ref().expect("more may come");
        let _ = connect.send(requests);
        let sent = Arc::clone(&self.sent);
        Client {
            requests: Some(send),
            sent,
        }
    }

    async fn stops(&self) {
        self.stop.cancel();
        settle().await;
    }

    fn is_over(&self, wanted: bool, what: &str) {
        let over = self.task.is_finished();
        assert!(
            !over || wanted,
            "{what}\n`serve` has returned. What is still under way, and who waits for it?"
        );
        assert!(
            over || !wanted,
            "{what}\n`serve` has not returned. What does it still wait for?"
        );
        let left = self.left.lock().unwrap().unwrap_or(0);
        assert!(
            left == 0,
            "{what}\nWhen `serve` returned, {left} requests were under way, whose futures were dropped only later.\n\
             Look at: is a task over when it has been aborted? Who waits for that?"
        );
    }

    /// Sees to it that it has returned and has not panicked.
    async fn ends(self, what: &str) {
        self.is_over(true, what);
        let joined = self.task.await;
        assert!(
            joined.is_ok(),
            "{what}\n`serve` has panicked. Which panic is its own?"
        );
    }
}

impl Client {
    /// A request that takes until the test ends it.
    fn sends(&self) -> Sent {
        let (end, ended) = oneshot::channel();
        let request =
            Counted::new(async move { ended.await.expect("no such request may be answered") });
        let counts = request.counts();
        self.request(request);
        self.sent.lock().unwrap().push(counts.clone());
        Sent {
            end: Some(end),
            counts,
        }
    }

    /// A request that takes so long.
    fn sends_for(&self, time: Duration) -> Sent {
        let request = Counted::new(sleep(time));
        let counts = request.counts();
        self.request(request);
        self.sent.lock().unwrap().push(counts.clone());
        Sent { end: None, counts }
    }

    fn request(&self, request: impl Future<Output = ()> + Send + 'static) {
        let requests = self.requests.as_ref().expect("it has not hung up");
        let _ = requests.send(Box::pin(request));
    }

    /// Whether the server has dropped its end.
    fn is_dropped(&self) -> bool {
        self.requests
            .as_ref()
            .is_some_and(UnboundedSender::is_closed)
    }

    fn is_dropped_at_once(&self, what: &str) {
        assert!(
            self.is_dropped(),
            "{what}\nIts connection is still there. What does its task wait for, and how would it hear of `stop`?"
        );
    }
}

impl Sent {
    fn has_begun(&self) -> bool {
        self.counts.polls() > 0
    }

    fn is_under_way(&self, what: &str) {
        assert!(self.has_begun(), "{what}\nIts answer has not begun.");
        assert!(
            self.counts.drops() == 0,
            "{what}\nThe future that answers it was dropped in the middle. Which `select!` is it in, and who aborts its task?"
        );
    }

    /// The answer is complete.
    async fn is_answered(&mut self) {
        let _ = self.end.take().expect("it is ended once").send(());
        settle().await;
        assert!(
            self.counts.completions() == 1,
            "a request could go on, and was not polled"
        );
    }
}

/// Runs `test` and the tasks that it starts on one thread, whose clock is paused.
fn run(test: impl Future<Output = ()>) {
    let mut builder = Builder::new_current_thread();
    let runtime = builder.enable_time().start_paused(true).build().unwrap();
    within(Duration::from_secs(2), || {
        runtime.block_on(watch("the test", test))
    });
}

/// Lets each task get as far as it can. They are on this thread, and no time passes.
async fn settle() {
    for _ in 0..50 {
        yield_now().await;
    }
}

#[test]
fn what_waits_is_dropped_and_what_is_answered_goes_on() {
    run(async {
        let server = Server::new();
        let [idle, busy, slow] = [(); 3].map(|()| server.connects());
        let [mut one, mut two] = [busy.sends(), slow.sends()];
        settle().await;
        let what = "One client waited, and the requests of two others were being answered. Then `stop` was cancelled.";
        server.stops().await;
        idle.is_dropped_at_once(what);
        one.is_under_way(what);
        two.is_under_way(what);
        server.is_over(false, what);
        one.is_answered().await;
        busy.is_dropped_at_once("A request was answered after `stop`.");
        two.is_under_way(what);
        server.is_over(
            false,
            "Two requests were being answered when `stop` was cancelled, and one of them still is.",
        );
        two.is_answered().await;
        slow.is_dropped_at_once("A request was answered after `stop`.");
        server.ends("Two requests were being answered when `stop` was cancelled, and now both are answered.").await;
    });
}

#[test]
fn nothing_begins_after_stop() {
    run(async {
        // So many, because a `select!` that takes any of its ready branches is right now and then.
        for _ in 0..40 {
            let server = Server::new();
            let client = server.connects();
            let mut first = client.sends();
            settle().await;
            let second = client.sends();
            let waiting = server.connects();
            let third = waiting.sends();
            server.stops().await;
            let what = "A request was being answered. The client had sent a second one, and another client had connected and sent one. Then \
                        `stop` was cancelled, before any task was polled.";
            waiting.is_dropped_at_once(&format!("{what} Nobody had accepted the other client."));
            assert!(
                !third.has_begun(),
                "{what}\nThe request of the client that nobody had accepted was begun."
            );
            first.is_under_way(what);
            first.is_answered().await;
            assert!(
                !second.has_begun(),
                "{what} Now the first request is answered, and the second one was begun.\n\
                 Look at: if two branches of a `select!` are ready, which one is taken?"
            );
            client.is_dropped_at_once(
                "A request was answered after `stop`, and another one had come before it.",
            );
            server
                .ends("The only request was answered after `stop`.")
                .await;
        }
    });
}

#[test]
fn a_request_and_stop_may_come_together() {
    run(async {
        let server = Server::new();
        // So many, because a `select!` that takes any of its ready branches is right now and then.
        let clients = [(); 40].map(|()| server.connects());
        settle().await;
        let requests = clients.each_ref().map(Client::sends);
        server.stops().await;
        let begun = requests.iter().filter(|it| it.has_begun()).count();
        let what = "Forty clients waited. Each sent a request, and then `stop` was cancelled, before any task was polled.";
        assert!(
            begun == 0,
            "{what}\nRequests that were begun: {begun}. Wanted: none.\nLook at: if two branches of a `select!` are ready, which one is taken?"
        );
        clients.iter().for_each(|it| it.is_dropped_at_once(what));
        server.ends(what).await;
    });
}

#[test]
fn what_takes_too_long_is_dropped() {
    run(async {
        let server = Server::new();
        let clients = [(); 3].map(|()| server.connects());
        settle().await;
        let second = Duration::from_secs(1);
        let short = clients[0].sends_for(4 * second);
        let long = [clients[1].sends_for(60 * second), clients[2].sends()];
        settle().await;
        // Before `stop`, an answer may take any time.
        sleep(2 * second).await;
        server.stops().await;
        let stopped = Instant::now();
        sleep(GRACE - second / 2).await;
        settle().await;
        let what = "Three requests were being answered when `stop` was cancelled. One of them needed 2 seconds more.";
        assert!(
            short.counts.completions() == 1,
            "{what} It was not answered to its end."
        );
        let soon = format!("{what} The grace of 10 seconds is not quite over.");
        long.iter().for_each(|it| it.is_under_way(&soon));
        server.is_over(false, &soon);
        let Server { task, left, .. } = server;
        let joined = timeout(10 * second, task).await;
        let took = stopped.elapsed().as_secs();
        assert!(
            joined.is_ok_and(|it| it.is_ok()) && took == GRACE.as_secs(),
            "{what} Two needed more than 10 seconds.\n`serve` returned {took} seconds after `stop`, or not at all. Wanted: 10, which is `GRACE`."
        );
        let left = left.lock().unwrap().unwrap_or(0);
        assert!(
            left == 0,
            "{what} When `serve` returned after 10 seconds, {left} of the two others were not dropped yet.\n\
             Look at: is a task over when it has been aborted? Who waits for that?"
        );
    });
}

#[test]
fn grace_begins_with_stop() {
    run(async {
        let server = Server::new();
        let client = server.connects();
        let mut request = client.sends();
        settle().await;
        let mut server = server;
        drop(server.connections.take());
        sleep(10 * GRACE).await;
        settle().await;
        let what = "No more connections come. A request has been answered for a hundred seconds, and `stop` was not cancelled.";
        request.is_under_way(what);
        server.is_over(false, what);
        request.is_answered().await;
        let second = client.sends();
        settle().await;
        second.is_under_way(
            "No more connections come, and a client that is there sends another request.",
        );
        let begun = Instant::now();
        server.stops().await;
        let Server { task, .. } = server;
        let joined = timeout(10 * GRACE, task).await;
        let took = begun.elapsed().as_secs();
        assert!(
            joined.is_ok() && took == GRACE.as_secs(),
            "No more connections came, and later `stop` was cancelled while a request was being answered. `serve` returned {took} seconds \
             after that, or not at all. Wanted: 10, which is `GRACE`."
        );
    });
}

#[test]
fn without_stop_it_goes_on_until_the_clients_hang_up() {
    run(async {
        let mut server = Server::new();
        let [mut one, mut two] = [(); 2].map(|()| server.connects());
        let [mut first, mut second] = [one.sends(), two.sends()];
        settle().await;
        let what = "Two clients sent a request each.";
        first.is_under_way(what);
        second.is_under_way(&format!("{what} They don't wait for each other."));
        second.is_answered().await;
        let mut third = two.sends();
        settle().await;
        third.is_under_way("A client sent its second request, after the first was answered.");
        drop(server.connections.take());
        settle().await;
        let what = "No more connections come, and the two that are there are being answered.";
        first.is_under_way(what);
        server.is_over(false, what);
        third.is_answered().await;
        first.is_answered().await;
        drop([one.requests.take(), two.requests.take()]);
        settle().await;
        server
            .ends("No more connections come, and all clients have hung up.")
            .await;
    });
}

#[test]
fn a_panic_ends_one_connection() {
    run(async {
        let server = Server::new();
        let [one, two] = [(); 2].map(|()| server.connects());
        let mut fine = two.sends();
        one.request(async { panic!("a request panics") });
        settle().await;
        let what =
            "The request of one client panicked, and that of another one was being answered.";
        one.is_dropped_at_once(what);
        fine.is_under_way(what);
        server.is_over(false, what);
        let three = server.connects();
        let mut late = three.sends();
        settle().await;
        late.is_under_way("A request panicked, and then a client connected and sent one.");
        server.stops().await;
        fine.is_answered().await;
        late.is_answered().await;
        server.ends("A request panicked. Later `stop` was cancelled, and all that was begun is answered.").await;
    });
}

#[test]
fn it_sleeps_while_nothing_happens() {
    run(async {
        let server = Server::new();
        let sleeps = async |what: &str| {
            let before = server.counts.polls();
            settle().await;
            let polls = server.counts.polls() - before;
            assert!(
                polls == 0,
                "{what}\n`serve` was polled {polls} times, although nothing happened. Who wakes it when it can go on?"
            );
        };
        settle().await;
        sleeps("No client has connected yet.").await;
        let mut clients = [(); 3].map(|()| server.connects());
        let mut one = clients[0].sends();
        settle().await;
        sleeps("Three clients are connected.").await;
        clients[1].requests = None;
        settle().await;
        sleeps("Three clients were connected, and one has hung up.").await;
        server.stop.cancel();
        settle().await;
        sleeps("`stop` was cancelled, and a request is being answered.").await;
        one.is_answered().await;
    });
}
