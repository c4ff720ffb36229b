//! The real server on a folder of the test's own, and requests that no browser would send.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, Stdio};
use std::time::Duration;

use crate::program::Folder;

pub struct Server {
    child: Child,
    /// The printed line: the address with the token.
    pub address: String,
    pub port: u16,
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Server {
    /// Serves a folder within a folder.
    pub fn start(folder: &Folder, served: &str) -> Self {
        let mut command = folder.command(&format!("serve {served} --port 0"));
        let mut child = command.stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
        let mut line = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
        let address = line.trim().to_owned();
        let port = address.strip_prefix("http://127.0.0.1:").and_then(|rest| rest.split('/').next()?.parse().ok());
        let port = port.unwrap_or_else(|| panic!("not an address: {line:?}"));
        assert!(address.contains("/?token="), "{address}");
        Server { child, address, port }
    }

    pub fn token(&self) -> &str {
        self.address.split("token=").nth(1).unwrap()
    }

    /// A view of the page, once the tab has the token.
    pub fn view(&self, hash: &str) -> String {
        format!("http://127.0.0.1:{}/#{hash}", self.port)
    }

    /// The status of a request with headers of its own.
    pub fn status(&self, method: &str, target: &str, headers: &[(&str, &str)]) -> u16 {
        let mut stream = TcpStream::connect(("127.0.0.1", self.port)).unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(60))).unwrap();
        let mut request = format!("{method} {target} HTTP/1.1\r\nConnection: close\r\n");
        if !headers.iter().any(|(name, _)| *name == "Host") {
            request.push_str(&format!("Host: 127.0.0.1:{}\r\n", self.port));
        }
        for (name, value) in headers {
            request.push_str(&format!("{name}: {value}\r\n"));
        }
        if method != "GET" {
            request.push_str("Content-Length: 2\r\n");
        }
        request.push_str(if method == "GET" { "\r\n" } else { "\r\n{}" });
        stream.write_all(request.as_bytes()).unwrap();
        let mut answer = Vec::new();
        let _ = stream.read_to_end(&mut answer);
        let text = String::from_utf8_lossy(&answer);
        text.split(' ').nth(1).and_then(|status| status.parse().ok()).unwrap_or_else(|| panic!("{target}: {text}"))
    }
}
