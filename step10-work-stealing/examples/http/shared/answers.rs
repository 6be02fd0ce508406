//! What the server answers.

use std::{
    convert::Infallible,
    sync::LazyLock,
    time::{Duration, Instant},
};

use futures::{StreamExt, stream};
use http_body_util::{Either, Full, StreamBody, combinators::BoxBody};
use hyper::{
    Request, Response, StatusCode,
    body::{Bytes, Frame},
    rt::Timer,
};

use super::Platform;

/// What is known at once, or what comes piece by piece.
pub type Body = Either<Full<Bytes>, BoxBody<Bytes, Infallible>>;

/// More than the system buffers for a connection.
static BIG: LazyLock<Bytes> = LazyLock::new(|| vec![b'.'; 16 << 20].into());

/// Answers a request. It reads nothing but the head of it, so hyper closes the connection if there is more than that.
pub async fn answer<P: Platform, B>(request: Request<B>) -> Result<Response<Body>, Infallible> {
    let uri = request.uri();
    let mut status = StatusCode::OK;
    let body = match uri.path() {
        "/" => whole("Hello.\n"),
        "/work" => whole(P::spawn_blocking(work).await),
        "/slow" => slow::<P>(uri.query()),
        "/big" => whole(BIG.clone()),
        _ => {
            status = StatusCode::NOT_FOUND;
            whole("There is /, /work, /slow?MILLISECONDS and /big.\n")
        }
    };
    let mut response = Response::new(body);
    *response.status_mut() = status;
    Ok(response)
}

fn whole(content: impl Into<Bytes>) -> Body {
    Either::Left(Full::new(content.into()))
}

/// Takes the thread for a while. On a worker, the other tasks there would wait so long.
fn work() -> String {
    let is_prime = |number: &u32| (2..*number).all(|divisor| number % divisor != 0);
    let start = Instant::now();
    let count = (2..10_000).filter(is_prime).count();
    format!("{count} primes below 10000, in {:?}\n", start.elapsed())
}

/// A line at once, and a second one some time later.
fn slow<P: Platform>(milliseconds: Option<&str>) -> Body {
    let milliseconds = milliseconds.and_then(|number| number.parse().ok());
    let time = Duration::from_millis(milliseconds.unwrap_or(1_000)).min(Duration::from_secs(60));
    let second = async move {
        P::Timer::default().sleep(time).await;
        "That was all.\n"
    };
    let lines = stream::iter(["Wait.\n"]).chain(stream::once(second));
    let frames = lines.map(|line| Ok(Frame::data(Bytes::from_static(line.as_bytes()))));
    Either::Right(BoxBody::new(StreamBody::new(frames)))
}
