use super::*;
use probe::{Counted, Counts, watch, within};
use std::{cell::RefCell, rc::Rc, sync::Mutex, time::Duration};
use tokio::{
    runtime::Builder,
    sync::oneshot,
    task::{JoinHandle, LocalSet, spawn_local, yield_now},
};

type Answer = Result<String, Error>;

/// What a page is answered with. `None`: it panics.
type End = oneshot::Sender<Option<Answer>>;

/// The server, and what it is asked for.
#[derive(Clone, Default)]
struct Server(Arc<Mutex<Vec<Page>>>);

struct Page {
    number: u32,
    end: Option<End>,
    counts: Counts,
}

impl Server {
    /// Is under way from its first poll on, until the test ends it.
    fn fetch(&self, number: u32) -> impl Future<Output = Answer> + Send + use<> {
        let server = self.clone();
        async move {
            let (end, ended) = oneshot::channel();
            let page = Counted::new(async { ended.await.expect("the server is there") });
            let counts = page.counts();
            let end = Some(end);
            server.0.lock().unwrap().push(Page {
                number,
                end,
                counts,
            });
            match page.await {
                Some(answer) => answer,
                None => panic!("page {number} panics"),
            }
        }
    }

    /// The pages under way, in the order in which they were begun.
    fn under_way(&self) -> Vec<u32> {
        let pages = self.0.lock().unwrap();
        let is_under_way = |page: &&Page| page.counts.drops() == 0;
        pages
            .iter()
            .filter(is_under_way)
            .map(|page| page.number)
            .collect()
    }

    fn begun(&self) -> usize {
        self.0.lock().unwrap().len()
    }

    async fn end(&self, number: u32, with: Option<Answer>) {
        let end = {
            let mut pages = self.0.lock().unwrap();
            let mut ends = pages.iter_mut().filter(|page| page.number == number);
            ends.find_map(|page| page.end.take())
        };
        let _ = end.expect("this page is under way").send(with);
        settle().await;
    }

    async fn answers(&self, number: u32) {
        self.end(number, Some(Ok(format!("page {number}")))).await;
    }

    fn has(&self, wanted: &[u32], what: &str) {
        let under_way = self.under_way();
        assert!(
            under_way == wanted,
            "{what}\nPages under way: {under_way:?}. Wanted: {wanted:?}.\n\
             Look at: what begins a page, and what does it wait for?"
        );
    }
}

/// A task that fetches pages, and what surrounds it.
struct Fetching {
    server: Server,
    task: JoinHandle<Result<Vec<String>, Error>>,
    counts: Counts,
}

impl Fetching {
    async fn new(pages: impl IntoIterator<Item = u32>, limit: usize) -> Fetching {
        let (server, pages) = (Server::default(), pages.into_iter().collect());
        let asked = server.clone();
        let all = async move { fetch_all(pages, limit, |page| asked.fetch(page)).await };
        let all = Counted::new(all);
        let counts = all.counts();
        let task = spawn_local(watch("fetch_all", all));
        settle().await;
        Fetching {
            server,
            task,
            counts,
        }
    }

    /// Its result, which is there.
    async fn result(self, what: &str) -> Result<Vec<String>, Error> {
        assert!(
            self.task.is_finished(),
            "{what}\n`fetch_all` has not returned. What does it still wait for?"
        );
        self.task.await.unwrap()
    }
}

/// Runs `test` and the tasks that it starts on one thread.
fn run(test: impl Future<Output = ()>) {
    let runtime = Builder::new_current_thread().build().unwrap();
    within(Duration::from_secs(2), || {
        LocalSet::new().block_on(&runtime, watch("the test", test));
    });
}

/// Lets each task get as far as it can. They are on this thread, so nothing else happens meanwhile.
async fn settle() {
    for _ in 0..50 {
        yield_now().await;
    }
}

fn texts(pages: impl IntoIterator<Item = u32>) -> Vec<String> {
    pages
        .into_iter()
        .map(|page| format!("page {page}"))
        .collect()
}

#[test]
fn as_many_as_the_limit_allows_are_under_way() {
    run(async {
        let all = Fetching::new(0..7, 3).await;
        let server = all.server.clone();
        server.has(&[0, 1, 2], "Seven pages are asked for, three at a time.");
        server.answers(1).await;
        server.has(&[0, 2, 3], "Of the first three pages, page 1 was ready.");
        server.answers(2).await;
        server.answers(3).await;
        let what = "Page 0 is slow, and pages 1, 2 and 3 were ready.";
        server.has(&[0, 4, 5], what);
        server.answers(4).await;
        server.answers(5).await;
        server.has(&[0, 6], "Page 0 is slow, and five others were ready.");
        server.answers(6).await;
        server.has(&[0], "Page 0 is slow, and all others were ready.");
        assert!(
            !all.task.is_finished(),
            "page 0 is under way, and `fetch_all` has returned"
        );
        server.answers(0).await;
        let answers = all.result("All pages were ready.").await;
        assert_eq!(
            answers,
            Ok(texts(0..7)),
            "The pages were ready in another order than that in which they were asked for: page 0 was the last. Left is what \
             `fetch_all` returned, right what it should have returned."
        );
    });
}

#[test]
fn the_limit_and_the_pages_may_be_any() {
    run(async {
        for (pages, limit) in [
            (vec![], 3),
            (vec![7], 1),
            (vec![9, 3, 9, 5], 10),
            (vec![4, 2, 8], 1),
        ] {
            let what = format!("The pages {pages:?} were asked for, {limit} at a time.");
            let all = Fetching::new(pages.clone(), limit).await;
            let mut left = pages.clone();
            while !left.is_empty() {
                let wanted = &left[..limit.min(left.len())];
                all.server.has(wanted, &what);
                // The latest first.
                let last = wanted.len() - 1;
                let page = left[last];
                let first = left.iter().position(|it| *it == page).unwrap();
                left.remove(first);
                all.server.answers(page).await;
            }
            let answers = all.result(&what).await;
            assert_eq!(
                answers,
                Ok(texts(pages)),
                "{what} Left is what `fetch_all` returned."
            );
        }
    });
}

#[test]
fn three_hundred_pages_are_each_fetched_once() {
    run(async {
        let all = Fetching::new(0..300, 10).await;
        let server = all.server.clone();
        let mut most = 0;
        loop {
            let under_way = server.under_way();
            most = most.max(under_way.len());
            // Now from the one end and now from the other, so that they are ready in another order.
            let next = if under_way.len() % 2 == 0 {
                under_way.first()
            } else {
                under_way.last()
            };
            let Some(page) = next else { break };
            server.answers(*page).await;
        }
        assert!(
            most <= 10,
            "ten at a time are allowed, and {most} were under way"
        );
        let answers = all.result("Three hundred pages were ready.").await.unwrap();
        let wrong = answers
            .iter()
            .zip(texts(0..300))
            .position(|(left, right)| *left != right);
        assert_eq!(
            (answers.len(), wrong),
            (300, None),
            "how many answers there were, and which is the first wrong one"
        );
    });
}

#[test]
fn the_first_error_ends_it() {
    run(async {
        let all = Fetching::new(0..9, 3).await;
        let server = all.server.clone();
        server.answers(0).await;
        let error = || Error("page 2 is gone".to_owned());
        server.end(2, Some(Err(error()))).await;
        let what = "Page 1 is slow, and page 2 was an error.";
        let begun = server.begun();
        let result = all.result(what).await;
        assert_eq!(
            result,
            Err(error()),
            "{what} Left is what `fetch_all` returned."
        );
        server.has(&[], &format!("{what} The error was returned."));
        settle().await;
        assert!(
            // The place of the page that failed may have been taken before `fetch_all` was polled.
            begun <= 5 && server.begun() == begun,
            "{what}\nPages that were begun: {begun} until the error was returned, and {} after that. Wanted: none after it.",
            server.begun() - begun
        );
    });
}

#[test]
fn whoever_drops_it_drops_what_is_under_way() {
    run(async {
        let all = Fetching::new(0..9, 3).await;
        let server = all.server.clone();
        server.answers(0).await;
        let what = "Page 0 was ready, and three others were under way. Then the future of `fetch_all` was dropped.";
        all.task.abort();
        let _ = all.task.await;
        settle().await;
        let under_way = server.under_way();
        assert!(
            under_way.is_empty() && server.begun() == 4,
            "{what}\nPages under way: {under_way:?}, and begun: {}. Wanted: none under way, and four begun.\n\
             Look at: who owns the futures of `fetch`, and what happens to a task whose handle is dropped?",
            server.begun()
        );
    });
}

#[test]
fn a_panic_is_passed_on() {
    run(async {
        let all = Fetching::new(0..9, 3).await;
        let server = all.server.clone();
        server.end(1, None).await;
        let what = "`fetch` panicked for page 1.";
        assert!(
            all.task.is_finished(),
            "{what}\n`fetch_all` has not panicked. Pages under way: {:?}. Who knows of the panic?",
            server.under_way()
        );
        let joined = all.task.await;
        assert!(
            joined.as_ref().is_err_and(|error| error.is_panic()),
            "{what}\n`fetch_all` returned {:?}. Wanted: it panics too, since it can't know that page's answer.",
            joined.ok()
        );
    });
}

#[test]
fn it_sleeps_until_a_page_is_ready() {
    run(async {
        let all = Fetching::new(0..9, 3).await;
        let before = all.counts.polls();
        settle().await;
        let polls = all.counts.polls() - before;
        assert!(
            polls == 0,
            "Three pages are under way, and none became ready. `fetch_all` was polled {polls} times meanwhile.\n\
             Wanted: none. Who wakes it when a page is ready?"
        );
    });
}
