//! `damier serve`, and a page that talks to it over a real socket.
use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::Duration;
use tungstenite::client::IntoClientRequest;
use tungstenite::http::HeaderValue;
use tungstenite::protocol::frame::coding::CloseCode;
use tungstenite::{Error, Message, WebSocket};

/// Nothing in these tests takes this long, even on a busy machine.
pub const LONG: Duration = Duration::from_secs(60);

/// The server.
pub struct Server {
    child: Child,
    pub port: u16,
    pub token: Option<String>,
}

impl Server {
    /// `damier serve` with one engine, a small table, and these arguments.
    pub fn start(arguments: &[&str]) -> Server {
        Server::of(&[&["--tt-size", "16", "--engines", "1"], arguments].concat())
    }

    /// `damier serve` on a free port with these arguments.
    pub fn of(arguments: &[&str]) -> Server {
        let mut child = Command::new(env!("CARGO_BIN_EXE_damier"))
            .args(["serve", "--no-open", "--port", "0"])
            .args(arguments)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .spawn()
            .expect("the binary");
        let output = child.stdout.take().expect("piped");
        Server::at(child, output)
    }

    /// `damier match --serve` with these arguments.
    pub fn of_match(arguments: &[&str]) -> Server {
        let mut child = Command::new(env!("CARGO_BIN_EXE_damier"))
            .args(["match", "--serve", "0"])
            .args(arguments)
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the binary");
        let output = child.stderr.take().expect("piped");
        Server::at(child, output)
    }

    /// The server whose address stands in the first line of this output.
    fn at(child: Child, output: impl Read) -> Server {
        let mut line = String::new();
        BufReader::new(output).read_line(&mut line).expect("a line");
        let (_, address) = line.trim().split_once("http://").expect("an address");
        let (place, fragment) = address.split_once('/').expect("a path");
        let (_, port) = place.rsplit_once(':').expect("a port");
        let token = fragment.strip_prefix("#token=").map(str::to_owned);
        Server {
            child,
            port: port.parse().expect("a number"),
            token,
        }
    }

    /// Ends with this exit status, by itself or after Ctrl-C.
    pub fn wait(mut self) -> ExitStatus {
        self.child.wait().expect("a status")
    }

    /// Sends Ctrl-C.
    pub fn interrupt(&self) {
        let id = self.child.id().to_string();
        let sent = Command::new("kill").args(["-INT", &id]).status();
        assert!(sent.expect("kill").success());
    }

    /// Resident memory in MiB, where the system tells it.
    pub fn memory(&self) -> Option<u64> {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.child.id())).ok()?;
        let line = status
            .lines()
            .find_map(|line| line.strip_prefix("VmRSS:"))?;
        let kib: u64 = line.split_whitespace().next()?.parse().ok()?;
        Some(kib >> 10)
    }

    /// What is answered to this, head and body.
    pub fn http(&self, request: &str) -> String {
        let mut stream = TcpStream::connect(("127.0.0.1", self.port)).expect("a connection");
        stream.set_read_timeout(Some(LONG)).expect("a time");
        stream.write_all(request.as_bytes()).expect("a reader");
        let mut answer = Vec::new();
        stream.read_to_end(&mut answer).expect("an answer");
        String::from_utf8_lossy(&answer).into_owned()
    }

    /// The answer to a plain GET.
    pub fn get(&self, path: &str) -> String {
        let host = format!("127.0.0.1:{}", self.port);
        self.http(&format!(
            "GET {path} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n"
        ))
    }

    /// A page.
    pub fn page(&self) -> Page {
        let origin = format!("http://127.0.0.1:{}", self.port);
        let mut page = self.try_page("/ws", Some(&origin)).expect("a page");
        let welcome = page.hear();
        assert_eq!(
            (&welcome["type"], &welcome["protocol"]),
            (&json!("welcome"), &json!(1))
        );
        page
    }

    /// A page with this origin; the status of the refusal otherwise.
    pub fn try_page(&self, path: &str, origin: Option<&str>) -> Result<Page, u16> {
        let address = format!("ws://127.0.0.1:{}{path}", self.port);
        let mut request = address.into_client_request().expect("a request");
        if let Some(origin) = origin {
            let value = HeaderValue::from_str(origin).expect("a header");
            request.headers_mut().insert("origin", value);
        }
        let stream = TcpStream::connect(("127.0.0.1", self.port)).expect("a connection");
        stream.set_read_timeout(Some(LONG)).expect("a time");
        match tungstenite::client(request, stream) {
            Ok((socket, _)) => Ok(Page { socket, id: 0 }),
            Err(tungstenite::HandshakeError::Failure(tungstenite::Error::Http(response))) => {
                Err(response.status().as_u16())
            }
            Err(error) => panic!("{error}"),
        }
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // Both fail where it has ended.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// A page.
pub struct Page {
    pub socket: WebSocket<TcpStream>,
    id: u64,
}

impl Page {
    /// Sends a request; its number.
    pub fn ask(&mut self, mut request: Value) -> u64 {
        self.id += 1;
        request["id"] = json!(self.id);
        self.say(&request.to_string());
        self.id
    }

    /// Sends a text.
    pub fn say(&mut self, text: &str) {
        self.socket.send(Message::text(text)).expect("a reader");
    }

    /// The next message.
    pub fn hear(&mut self) -> Value {
        loop {
            match self.socket.read().expect("a message") {
                Message::Text(text) => return serde_json::from_str(&text).expect("JSON"),
                Message::Close(frame) => panic!("closed: {frame:?}"),
                _ => {}
            }
        }
    }

    /// Code and reason with which the connection is closed.
    pub fn closed(&mut self) -> (CloseCode, String) {
        loop {
            match self.socket.read() {
                Ok(Message::Close(Some(frame))) => return (frame.code, frame.reason.to_string()),
                Ok(Message::Close(None)) | Err(Error::ConnectionClosed) => panic!("no reason"),
                Ok(_) => {}
                Err(error) => panic!("{error}"),
            }
        }
    }

    /// The first message of this type.
    pub fn hear_a(&mut self, kind: &str) -> Value {
        loop {
            let message = self.hear();
            if message["type"] == kind {
                return message;
            }
            assert_ne!(message["type"], "error", "{message}");
        }
    }

    /// The answer to a request.
    pub fn answer(&mut self, request: Value) -> Value {
        let id = self.ask(request);
        loop {
            let message = self.hear();
            if message["id"] == id {
                return message;
            }
        }
    }
}
