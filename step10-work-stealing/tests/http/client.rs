//! A client that can do everything wrong.

use std::{
    io::{self, BufRead, BufReader, ErrorKind, Read, Write},
    net::TcpStream,
};

use crate::server::Server;

pub struct Client(BufReader<TcpStream>);

#[derive(Debug, PartialEq, Eq)]
pub struct Answer {
    pub status: u16,
    pub body: String,
}

pub fn ok(body: &str) -> Answer {
    let body = body.to_owned();
    Answer { status: 200, body }
}

impl Client {
    pub fn connect(server: &Server) -> Client {
        Client(BufReader::new(TcpStream::connect(server.address).unwrap()))
    }

    /// # Errors
    ///
    /// If the connection has been closed.
    pub fn send(&mut self, bytes: impl AsRef<[u8]>) -> io::Result<()> {
        self.0.get_mut().write_all(bytes.as_ref())
    }

    /// # Errors
    ///
    /// If the connection has been closed.
    pub fn get(&mut self, path: &str) -> io::Result<Answer> {
        self.send(request(path))?;
        self.answer()
    }

    /// Reads an answer that says how long it is.
    ///
    /// # Errors
    ///
    /// If the connection is closed before its end.
    pub fn answer(&mut self) -> io::Result<Answer> {
        let head = self.head()?;
        let (_, length) = head.split_once("content-length: ").unwrap();
        let mut body = vec![0; length.lines().next().unwrap().parse().unwrap()];
        self.0.read_exact(&mut body)?;
        Ok(Answer {
            status: head.split(' ').nth(1).unwrap().parse().unwrap(),
            body: String::from_utf8(body).unwrap(),
        })
    }

    /// Reads the head of an answer.
    ///
    /// # Errors
    ///
    /// If the connection is closed before its end.
    pub fn head(&mut self) -> io::Result<String> {
        let mut head = String::new();
        while !head.ends_with("\r\n\r\n") {
            if self.0.read_line(&mut head)? == 0 {
                return Err(ErrorKind::UnexpectedEof.into());
            }
        }
        Ok(head)
    }

    /// Reads what comes until the server closes the connection.
    pub fn rest(&mut self) -> String {
        let mut rest = Vec::new();
        match self.0.read_to_end(&mut rest) {
            Ok(_) => {}
            // It had not read everything that was sent.
            Err(error) => assert_eq!(error.kind(), ErrorKind::ConnectionReset),
        }
        String::from_utf8(rest).unwrap()
    }
}

pub fn request(path: &str) -> String {
    format!("GET {path} HTTP/1.1\r\nHost: me\r\n\r\n")
}
