//! Rung 9.

use std::{
    convert::Infallible,
    future::poll_fn,
    io::{self, Read, Write},
    net,
    pin::Pin,
    process, thread,
    time::{Duration, Instant},
};

use futures::{AsyncWriteExt, channel::oneshot};
use http_body_util::Full;
use hyper::{
    Request, Response,
    body::{Bytes, Incoming},
    rt::{Read as _, ReadBuf},
    server::conn::http1,
    service::service_fn,
};
use probe::watch;
use yours::{Http, Runtime, net::TcpListener, spawn};

use super::{Check, run, sockets::connection};
use crate::referee::{Looking, Rest};

pub(super) const CHECKS: &[Check] = &[
    Check::new("connections_that_stay_open", connections_that_stay_open),
    Check::new("a_long_body", a_long_body),
    Check::new("a_long_request", a_long_request),
    Check::new("the_end_of_a_connection", the_end_of_a_connection),
    Check::new("a_client_that_goes_away", a_client_that_goes_away),
    Check::new("room_for_a_few_bytes", room_for_a_few_bytes).look(
        "`remaining` says how many bytes there is room for. Read no more than that from the socket, which keeps the rest for the next read.",
    ),
];

/// Room for seven bytes at a time, and more of them in the socket.
fn room_for_a_few_bytes() {
    let sent: Vec<u8> = (0..100).collect();
    let got = run(async {
        let (mut client, server) = connection().await;
        client.write_all(&sent).await.expect("written");
        drop(client);
        let (mut http, mut got) = (Http(server), Vec::<u8>::new());
        loop {
            let mut place = [0; 7];
            let mut room = ReadBuf::new(&mut place);
            let read = poll_fn(|cx| Pin::new(&mut http).poll_read(cx, room.unfilled()));
            watch("a read by hyper", read).await.expect("read");
            if room.filled().is_empty() {
                break got;
            }
            got.extend(room.filled());
        }
    });
    assert_eq!(
        got.len(),
        sent.len(),
        "bytes that were read, of a hundred that were sent, by a reader with room for seven at a time"
    );
    assert!(
        got == sent,
        "the bytes in the order in which they were sent"
    );
}

/// As many bytes as the path says.
async fn answer(request: Request<Incoming>) -> Result<Response<Full<Bytes>>, Infallible> {
    let length = request.uri().path()[1..].parse().unwrap_or(5);
    Ok(Response::new(Full::from(vec![b'x'; length])))
}

/// Serves with hyper as long as the listener does.
pub async fn serve(listener: TcpListener) {
    while let Ok((stream, _)) = listener.accept().await {
        let _ = stream.set_nodelay(true);
        spawn(async move {
            let _ = http1::Builder::new()
                .serve_connection(Http(stream), service_fn(answer))
                .await;
        });
    }
}

/// One request, whose head is as long as `padding` and a little more.
fn request(stream: &mut Client, length: usize, padding: usize, end: &str) {
    let padding = "x".repeat(padding);
    let head = format!("GET /{length} HTTP/1.1\r\nhost: me\r\npadding: {padding}\r\n{end}\r\n");
    stream
        .0
        .write_all(head.as_bytes())
        .expect("a request is written");
}

/// Why the client hasn't got what it read for.
fn waited(what: &str, error: &io::Error) -> String {
    match error.kind() {
        io::ErrorKind::WouldBlock | io::ErrorKind::TimedOut => {
            format!(
                "The client waited for {what}, and no thread of your runtime did anything any more."
            )
        }
        io::ErrorKind::UnexpectedEof => {
            format!("The connection ended before the client got {what}.")
        }
        _ => format!("The client waited for {what}, and there was an error: {error}."),
    }
}

fn read<T>(what: &str, result: io::Result<T>) -> T {
    result.unwrap_or_else(|error| panic!("{}", waited(what, &error)))
}

/// Reads until nothing goes on any more, for so long at least, because TCP waits in the kernel, where no thread shows it. A server on a
/// busy machine may be slow.
struct Client(net::TcpStream);

const PATIENCE: Duration = Duration::from_secs(2);

impl Read for Client {
    fn read(&mut self, place: &mut [u8]) -> io::Result<usize> {
        let (start, mut rest) = (Instant::now(), Rest::default());
        loop {
            match self.0.read(place) {
                Err(error) if is_late(&error) => {
                    if rest.is_there() && start.elapsed() > PATIENCE {
                        return Err(error);
                    }
                }
                result => return result,
            }
        }
    }
}

fn is_late(error: &io::Error) -> bool {
    matches!(
        error.kind(),
        io::ErrorKind::WouldBlock | io::ErrorKind::TimedOut
    )
}

fn head_is_good(stream: &mut Client) {
    let (mut head, mut byte) = (Vec::new(), [0]);
    while !head.ends_with(b"\r\n\r\n") {
        read("the head of an answer", stream.read_exact(&mut byte));
        head.push(byte[0]);
    }
    assert!(
        head.starts_with(b"HTTP/1.1 200 OK\r\n"),
        "the answer is 200 OK"
    );
}

/// Clients at once on threads of their own, each with a connection.
fn with_clients(client: fn(Client)) {
    with_so_many(8, client);
}

fn with_so_many(clients: usize, client: fn(Client)) {
    let runtime = Runtime::new(2);
    runtime.block_on(async {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        let address = listener.local_addr().expect("it listens");
        spawn(watch("the server", serve(listener)));
        let start = || {
            let (end, ended) = oneshot::channel();
            thread::spawn(move || {
                let _looking = Looking::start();
                let stream = net::TcpStream::connect(address).expect("a connection");
                let look = Some(PATIENCE / 40);
                stream.set_read_timeout(look).expect("a socket");
                client(Client(stream));
                let _ = end.send(());
            });
            ended
        };
        for ended in (0..clients).map(|_| start()).collect::<Vec<_>>() {
            if ended.await.is_err() {
                process::exit(1); // the client has said why
            }
        }
    });
}

fn body(stream: &mut Client, length: usize) {
    let mut body = Vec::new();
    // What has come before an error is kept.
    let result = stream.take(length as u64).read_to_end(&mut body);
    let what = if length > 1000 {
        "the rest of a long body"
    } else {
        "the rest of a body"
    };
    let got = body.len();
    if got < length {
        let seen = match result {
            Ok(_) => waited(what, &io::ErrorKind::UnexpectedEof.into()),
            Err(error) => waited(what, &error),
        };
        panic!(
            "{seen} It has got {got} of {length} bytes.\n\
             look  does your `poll_write` say how many bytes were written, or how many it was given?"
        );
    }
    assert!(
        body.iter().all(|byte| *byte == b'x'),
        "the body is what the service returned"
    );
}

fn connections_that_stay_open() {
    with_clients(|mut stream| {
        for length in [5, 0, 13, 1000, 5, 5, 5, 5] {
            request(&mut stream, length, 0, "");
            head_is_good(&mut stream);
            body(&mut stream, length);
        }
    });
}

/// More than the buffers of a connection hold.
fn a_long_body() {
    with_so_many(2, |mut stream| {
        for length in [12_000_000, 5] {
            request(&mut stream, length, 0, "");
            thread::sleep(Duration::from_millis(30)); // so that the server fills them
            head_is_good(&mut stream);
            body(&mut stream, length);
        }
    });
}

/// More than hyper has room for at first.
fn a_long_request() {
    with_clients(|mut stream| {
        for padding in [5_000, 20_000, 60_000] {
            request(&mut stream, 5, padding, "");
            head_is_good(&mut stream);
            body(&mut stream, 5);
        }
    });
}

fn the_end_of_a_connection() {
    with_clients(|mut stream| {
        request(&mut stream, 5, 0, "connection: close\r\n");
        head_is_good(&mut stream);
        let mut body = Vec::new();
        let result = stream.read_to_end(&mut body);
        read("the end of the connection", result);
        assert_eq!(body, b"xxxxx", "the body");
    });
}

fn a_client_that_goes_away() {
    with_clients(|mut stream| {
        request(&mut stream, 1_000_000, 0, "");
        head_is_good(&mut stream);
        drop(stream); // in the middle of the body
    });
    connections_that_stay_open();
}
