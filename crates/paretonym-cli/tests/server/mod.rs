//! Starts the real server and talks plain HTTP to it.

// Each test file uses some of this.
#![allow(dead_code)]

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use serde_json::Value;

/// A running server; it ends with the test.
pub struct Server {
    child: Child,
    pub port: u16,
    pub token: String,
    /// Everything that it wrote after its address.
    output: PathBuf,
}

/// An answer.
pub struct Answer {
    pub status: u16,
    pub headers: Vec<(String, String)>,
    pub body: Vec<u8>,
}

impl Answer {
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(own, _)| own == name).map(|(_, value)| value.as_str())
    }

    pub fn text(&self) -> String {
        String::from_utf8_lossy(&self.body).into_owned()
    }

    /// The JSON of an answer that must be a good one.
    pub fn json(&self) -> Value {
        assert_eq!(self.status, 200, "{}", self.text());
        serde_json::from_slice(&self.body).unwrap()
    }

    /// The message of a refusal.
    pub fn error(&self, status: u16) -> String {
        assert_eq!(self.status, status, "{}", self.text());
        let answer: Value = serde_json::from_slice(&self.body).unwrap();
        answer["error"].as_str().unwrap().to_owned()
    }
}

impl Server {
    /// On a working folder, with more arguments.
    pub fn start(dir: &Path, arguments: &[&str]) -> Self {
        Server::spawn(Command::new(assert_cmd::cargo::cargo_bin!("paretonym")), dir, arguments)
    }

    /// The same where only so many files may be open.
    #[cfg(unix)]
    pub fn with_few_files(dir: &Path, files: u32) -> Self {
        let mut shell = Command::new("sh");
        shell.args(["-c", &format!("ulimit -n {files}; exec \"$0\" \"$@\"")]);
        shell.arg(assert_cmd::cargo::cargo_bin!("paretonym"));
        Server::spawn(shell, dir, &[])
    }

    fn spawn(mut program: Command, dir: &Path, arguments: &[&str]) -> Self {
        let output = dir.with_extension("log");
        let log = std::fs::File::options().create(true).append(true).open(&output).unwrap();
        let mut child = program
            .arg("serve")
            .arg(dir)
            .args(["--port", "0"])
            .args(arguments)
            .stdout(Stdio::piped())
            .stderr(log)
            .spawn()
            .unwrap();
        let mut line = String::new();
        let mut printed = BufReader::new(child.stdout.take().unwrap());
        printed.read_line(&mut line).unwrap();
        let rest = line.strip_prefix("http://127.0.0.1:").unwrap_or_else(|| panic!("{line:?}")).trim_end();
        let (port, token) = rest.split_once("/?token=").unwrap();
        let server = Server { child, port: port.parse().unwrap(), token: token.to_owned(), output: output.clone() };
        // Whatever else it prints goes where errors go.
        std::thread::spawn(move || {
            let mut log = std::fs::File::options().append(true).open(output).unwrap();
            let _ = std::io::copy(&mut printed, &mut log);
        });
        server
    }

    /// Any request, with exactly these headers.
    pub fn raw(&self, method: &str, path: &str, headers: &[(&str, &str)], body: &[u8]) -> Answer {
        let mut stream = TcpStream::connect(("127.0.0.1", self.port)).unwrap();
        send(&mut stream, method, path, headers, body);
        let mut bytes = Vec::new();
        stream.read_to_end(&mut bytes).unwrap();
        parse(&bytes)
    }

    fn host(&self) -> String {
        format!("127.0.0.1:{}", self.port)
    }

    /// A request as the page makes it.
    pub fn ask(&self, method: &str, path: &str, kind: &str, body: &[u8]) -> Answer {
        let (host, origin) = (self.host(), format!("http://127.0.0.1:{}", self.port));
        let headers = [
            ("Host", host.as_str()),
            ("X-Paretonym-Token", &self.token),
            ("Origin", &origin),
            ("Sec-Fetch-Site", "same-origin"),
            ("Content-Type", kind),
        ];
        self.raw(method, path, &headers, body)
    }

    pub fn get(&self, path: &str) -> Answer {
        self.raw("GET", path, &[("Host", &self.host()), ("X-Paretonym-Token", &self.token)], b"")
    }

    pub fn post(&self, path: &str, body: &Value) -> Answer {
        self.ask("POST", path, "application/json", body.to_string().as_bytes())
    }

    pub fn delete(&self, path: &str) -> Answer {
        self.ask("DELETE", path, "application/json", b"")
    }

    pub fn upload(&self, name: &str, content: &[u8]) -> Answer {
        self.ask("POST", &format!("/api/tables?name={name}"), "application/octet-stream", content)
    }

    /// The events of a run from now to its end: name and data.
    pub fn events(&self, run: &str) -> Vec<(String, Value)> {
        self.events_until(run, |_, _| false)
    }

    /// The events of a run until one is enough, or to its end.
    pub fn events_until(&self, run: &str, enough: impl Fn(&str, &Value) -> bool) -> Vec<(String, Value)> {
        let mut stream = TcpStream::connect(("127.0.0.1", self.port)).unwrap();
        let path = format!("/api/runs/{run}/events");
        send(&mut stream, "GET", &path, &[("Host", &self.host()), ("X-Paretonym-Token", &self.token)], b"");
        let (mut name, mut events) = (String::new(), Vec::new());
        // Chunk sizes stand between the lines and are passed over.
        for line in BufReader::new(stream).lines() {
            let line = line.unwrap();
            if let Some(rest) = line.strip_prefix("event: ") {
                name = rest.to_owned();
            } else if let Some(data) = line.strip_prefix("data: ") {
                events.push((name.clone(), serde_json::from_str(data).unwrap()));
                let (name, data) = events.last().unwrap();
                if enough(name, data) {
                    break;
                }
            }
        }
        events
    }

    /// The event that ends a run.
    pub fn wait(&self, run: &str) -> Value {
        let (name, end) = self.events(run).pop().unwrap();
        assert_eq!(name, "end", "{end}");
        end
    }

    /// Everything that it wrote to the terminal.
    pub fn log(&self) -> String {
        std::fs::read_to_string(&self.output).unwrap()
    }

    /// Ends it as Ctrl-C does; whether it ended well.
    #[cfg(unix)]
    pub fn interrupt(&mut self) -> bool {
        self.signal("-INT")
    }

    /// Ends it with a signal; whether it ended well.
    #[cfg(unix)]
    pub fn signal(&mut self, signal: &str) -> bool {
        let sent = Command::new("kill").args([signal, &self.child.id().to_string()]).status().unwrap();
        assert!(sent.success());
        self.child.wait().unwrap().success()
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn send(stream: &mut TcpStream, method: &str, path: &str, headers: &[(&str, &str)], body: &[u8]) {
    let mut head = format!("{method} {path} HTTP/1.1\r\nConnection: close\r\n");
    headers.iter().for_each(|(name, value)| head += &format!("{name}: {value}\r\n"));
    if !body.is_empty() || method != "GET" {
        head += &format!("Content-Length: {}\r\n", body.len());
    }
    head += "\r\n";
    stream.write_all(head.as_bytes()).unwrap();
    // A server that refuses may not read on.
    let _ = stream.write_all(body);
}

fn parse(bytes: &[u8]) -> Answer {
    let end = bytes.windows(4).position(|four| four == b"\r\n\r\n").expect("an answer has a head");
    let head = String::from_utf8_lossy(&bytes[..end]).into_owned();
    let mut lines = head.lines();
    let status = lines.next().unwrap().split(' ').nth(1).unwrap().parse().unwrap();
    let headers: Vec<(String, String)> = lines
        .filter_map(|line| line.split_once(": "))
        .map(|(name, value)| (name.to_ascii_lowercase(), value.to_owned()))
        .collect();
    let chunked = headers.iter().any(|(name, value)| name == "transfer-encoding" && value == "chunked");
    let rest = &bytes[end + 4..];
    let body = if chunked { joined(rest) } else { rest.to_vec() };
    Answer { status, headers, body }
}

/// A body without the sizes between its chunks.
fn joined(mut rest: &[u8]) -> Vec<u8> {
    let mut body = Vec::new();
    while let Some(end) = rest.windows(2).position(|two| two == b"\r\n") {
        let size = usize::from_str_radix(std::str::from_utf8(&rest[..end]).unwrap().trim(), 16).unwrap();
        if size == 0 {
            break;
        }
        body.extend_from_slice(&rest[end + 2..end + 2 + size]);
        rest = &rest[end + 2 + size + 2..];
    }
    body
}
