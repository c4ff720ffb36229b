//! Somebody between the program and a PostgreSQL server who hears what the server says: what leaves an engine is what is heard
//! here, whatever the statements look like.

use std::io::{Read, Write};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::sync::{Arc, Mutex};

/// What was said on each connection.
type Heard = Arc<Mutex<Vec<Vec<u8>>>>;

pub struct Wire {
    pub port: u16,
    heard: Heard,
}

impl Wire {
    /// Hears everything that is said at a port of its own, which leads to another.
    pub fn to(port: u16) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let own = listener.local_addr().unwrap().port();
        let heard = Heard::default();
        let all = Arc::clone(&heard);
        // It ends with the process of the test.
        std::thread::spawn(move || {
            for client in listener.incoming() {
                let client = client.unwrap();
                let server = TcpStream::connect(("127.0.0.1", port)).unwrap();
                let number = {
                    let mut all = all.lock().unwrap();
                    all.push(Vec::new());
                    all.len() - 1
                };
                let (from, to) = (client.try_clone().unwrap(), server.try_clone().unwrap());
                std::thread::spawn(move || pass_on(from, to, |_| ()));
                let all = Arc::clone(&all);
                std::thread::spawn(move || {
                    pass_on(server, client, |bytes| all.lock().unwrap()[number].extend_from_slice(bytes));
                });
            }
        });
        Wire { port: own, heard }
    }

    /// What came since the last time as messages of the server, each with its letter.
    pub fn messages(&self) -> Vec<(u8, Vec<u8>)> {
        let mut messages = Vec::new();
        for said in self.heard.lock().unwrap().iter_mut() {
            let said = std::mem::take(said);
            let mut rest = said.as_slice();
            // The answer to a wish for encryption is one letter, which no message is.
            if rest.first() == Some(&b'N') && rest.get(1) == Some(&b'R') {
                rest = &rest[1..];
            }
            while rest.len() >= 5 {
                let length = u32::from_be_bytes(rest[1..5].try_into().unwrap()) as usize;
                assert!(length < rest.len(), "a message of {length} bytes in {}", rest.len());
                messages.push((rest[0], rest[5..1 + length].to_vec()));
                rest = &rest[1 + length..];
            }
            assert!(rest.is_empty(), "something that is no message");
        }
        messages
    }
}

fn pass_on(mut from: TcpStream, mut to: TcpStream, mut hear: impl FnMut(&[u8])) {
    let mut bytes = vec![0; 1 << 16];
    while let Ok(read) = from.read(&mut bytes) {
        if read == 0 {
            break;
        }
        // Before it is handed on: whoever waits for the program has all of it.
        hear(&bytes[..read]);
        if to.write_all(&bytes[..read]).is_err() {
            break;
        }
    }
    let _ = (from.shutdown(Shutdown::Both), to.shutdown(Shutdown::Both));
}
