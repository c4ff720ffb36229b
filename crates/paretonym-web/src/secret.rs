//! Texts that nobody can guess: the token, and tickets for downloads.
//!
//! A browser saves a large file without taking it into memory only where it goes to an address, and an address cannot carry
//! a header. So the page, which has the token, asks for a ticket: it opens one path, once, within a minute, and is worthless
//! in a history.

use std::collections::VecDeque;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use subtle::ConstantTimeEq;

/// How long a ticket can be used.
const VALID: Duration = Duration::from_secs(60);
/// The most tickets that wait to be used; the oldest go first.
const MOST: usize = 64;

/// A new one.
pub fn random() -> std::io::Result<String> {
    let mut bytes = [0u8; 24];
    getrandom::fill(&mut bytes).map_err(|error| std::io::Error::other(error.to_string()))?;
    Ok(bytes.iter().map(|byte| format!("{byte:02x}")).collect())
}

/// Takes the same time wherever a wrong one differs.
pub fn same(own: &str, other: &str) -> bool {
    own.as_bytes().ct_eq(other.as_bytes()).into()
}

struct Ticket {
    text: String,
    path: String,
    given: Instant,
}

/// The tickets that were given and not used yet.
#[derive(Default)]
pub struct Tickets {
    waiting: Mutex<VecDeque<Ticket>>,
}

impl Tickets {
    /// A ticket for a path.
    pub fn give(&self, path: &str) -> std::io::Result<String> {
        let text = random()?;
        let mut waiting = self.waiting.lock().unwrap_or_else(PoisonError::into_inner);
        while waiting.len() >= MOST {
            waiting.pop_front();
        }
        waiting.push_back(Ticket { text: text.clone(), path: path.to_owned(), given: Instant::now() });
        Ok(text)
    }

    /// Whether a ticket opens a path; it is used up then.
    pub fn take(&self, text: &str, path: &str) -> bool {
        let mut waiting = self.waiting.lock().unwrap_or_else(PoisonError::into_inner);
        waiting.retain(|ticket| ticket.given.elapsed() < VALID);
        let found = waiting.iter().position(|ticket| same(&ticket.text, text) && ticket.path == path);
        found.and_then(|at| waiting.remove(at)).is_some()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_ticket_is_used_once_for_its_path_while_it_is_young() {
        let tickets = Tickets::default();
        let ticket = tickets.give("/a").unwrap();
        assert!(!tickets.take(&ticket, "/b") && !tickets.take("", "/a"));
        assert!(tickets.take(&ticket, "/a"));
        assert!(!tickets.take(&ticket, "/a"));
        let old = tickets.give("/a").unwrap();
        if let Some(given) = Instant::now().checked_sub(VALID) {
            tickets.waiting.lock().unwrap()[0].given = given;
            assert!(!tickets.take(&old, "/a"));
        }
        let first = tickets.give("/a").unwrap();
        (0..MOST).for_each(|_| drop(tickets.give("/a").unwrap()));
        assert!(!tickets.take(&first, "/a"), "only so many wait");
    }

    #[test]
    fn texts_are_compared_as_a_whole() {
        assert!(same("abc", "abc") && same("", ""));
        assert!(!same("abc", "abd") && !same("abc", "ab") && !same("ab", "abc") && !same("abc", ""));
    }
}
