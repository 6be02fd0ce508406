//! Serves connections until it is asked to stop.

use std::{future::Future, io, pin::pin};

use futures::{
    Stream, StreamExt,
    channel::{mpsc, oneshot},
    future::select,
};
use hyper::{rt::Timer, server::conn::http1, service::service_fn};

use super::{Platform, answers::answer, options::Options, patient::Patient};

/// The head of a request must fit into it.
const MOST_BUFFERED: usize = 16 * 1024;

/// One of the places for connections. Dropping it gives it back.
struct Place {
    number: usize,
    give_back: mpsc::UnboundedSender<usize>,
}

impl Drop for Place {
    fn drop(&mut self) {
        // It fails if the server has ended, and then nobody needs the place.
        let _ = self.give_back.unbounded_send(self.number);
    }
}

/// Serves as many connections at a time as there are places, until `stop` is ready. Then it accepts no more, and lets the
/// requests that are being answered finish. Returns how many connections were not finished within the grace.
pub async fn serve<P: Platform>(
    incoming: impl Stream<Item = io::Result<P::Connection>>,
    options: &Options,
    stop: impl Future<Output = ()>,
) -> usize {
    let (give_back, mut places) = mpsc::unbounded();
    for number in 0..options.connections {
        give_back.unbounded_send(number).expect("`places` is here");
    }
    // For each place, what tells the connection in it to stop.
    let mut stops: Vec<_> = (0..options.connections).map(|_| None).collect();

    let accept = async {
        let mut incoming = pin!(incoming);
        while let Some(number) = places.next().await {
            let give_back = give_back.clone();
            let place = Place { number, give_back };
            let connection = loop {
                match incoming.next().await {
                    Some(Ok(connection)) => break connection,
                    // It concerns this connection alone, or the stream waits before it tries again.
                    Some(Err(_)) => {}
                    None => return,
                }
            };
            let (sender, stop) = oneshot::channel::<()>();
            stops[number] = Some(sender);
            let connection = serve_one::<P>(connection, options, stop);
            P::spawn(async move {
                connection.await;
                drop(place);
            });
        }
    };
    // Dropped at the end of the statement, and the listener with it.
    select(Box::pin(accept), pin!(stop)).await;

    drop(stops);
    let mut left = options.connections;
    let all_back = async {
        while left > 0 && places.next().await.is_some() {
            left -= 1;
        }
    };
    select(pin!(all_back), P::Timer::default().sleep(options.grace)).await;
    left
}

/// Serves a connection until it ends. Once `stop` is ready, its current request is the last one.
fn serve_one<P: Platform>(
    connection: P::Connection,
    options: &Options,
    stop: oneshot::Receiver<()>,
) -> impl Future<Output = ()> + Send + use<P> {
    let timer = P::Timer::default();
    let patient = Patient::new(connection, timer.clone(), options.patience);
    let connection = http1::Builder::new()
        .timer(timer)
        .header_read_timeout(options.patience)
        .max_buf_size(MOST_BUFFERED)
        .serve_connection(patient, service_fn(answer::<P, _>));
    async move {
        let mut connection = pin!(connection);
        // If it ends with an error, for example because the client has gone, nothing is left to do.
        if let futures::future::Either::Right(_) = select(connection.as_mut(), stop).await {
            connection.as_mut().graceful_shutdown();
            let _ = connection.await;
        }
    }
}
