//! Numbered pieces of work, done side by side and handed over in the order of their numbers.

use std::collections::BTreeMap;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

use rayon::prelude::*;

/// What has been begun, what is ready, and what has been handed over.
struct Turns<T, E> {
    begun: usize,
    ready: BTreeMap<usize, T>,
    taken: usize,
    /// Whether somebody is handing over.
    taking: bool,
    failed: Option<E>,
    /// Whether somebody panicked, which nobody may wait for.
    broken: bool,
}

impl<T, E> Turns<T, E> {
    fn is_over(&self) -> bool {
        self.failed.is_some() || self.broken
    }
}

/// Lets everybody go on where a piece of work panics.
struct Watchful<'a, T, E> {
    turns: &'a Mutex<Turns<T, E>>,
    moved: &'a Condvar,
}

impl<T, E> Drop for Watchful<'_, T, E> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            lock(self.turns).broken = true;
            self.moved.notify_all();
        }
    }
}

/// Makes `count` pieces, on all threads, and hands them over one after the other. No more than a few wait at a time. Makers
/// must not wait for each other, nor begin parallel work of their own.
pub(super) fn in_turn<T: Send, E: Send>(
    count: usize,
    make: impl Fn(usize) -> Result<T, E> + Sync,
    take: impl FnMut(T) -> Result<(), E> + Send,
) -> Result<(), E> {
    let threads = rayon::current_num_threads();
    let begin = Turns { begun: 0, ready: BTreeMap::new(), taken: 0, taking: false, failed: None, broken: false };
    let turns = Mutex::new(begin);
    let (moved, take) = (Condvar::new(), Mutex::new(take));
    (0..threads).into_par_iter().with_max_len(1).for_each(|_| {
        let _watchful = Watchful { turns: &turns, moved: &moved };
        while let Some(number) = next(&turns, &moved, count, threads + 1) {
            let made = make(number);
            let mut now = lock(&turns);
            match made {
                Ok(piece) => drop(now.ready.insert(number, piece)),
                Err(error) => drop(now.failed.get_or_insert(error)),
            }
            while !now.taking && !now.is_over() {
                let turn = now.taken;
                let Some(piece) = now.ready.remove(&turn) else { break };
                now.taking = true;
                drop(now);
                let took = (lock(&take))(piece);
                now = lock(&turns);
                now.taking = false;
                now.taken += 1;
                if let Err(error) = took {
                    now.failed.get_or_insert(error);
                }
                moved.notify_all();
            }
            moved.notify_all();
        }
    });
    let turns = turns.into_inner().unwrap_or_else(PoisonError::into_inner);
    turns.failed.map_or(Ok(()), Err)
}

/// The number of the next piece, once there is room for it; none where nothing is left to do.
fn next<T, E>(turns: &Mutex<Turns<T, E>>, moved: &Condvar, count: usize, room: usize) -> Option<usize> {
    let mut now = lock(turns);
    while now.begun < count && now.begun >= now.taken + room && !now.is_over() {
        now = moved.wait(now).unwrap_or_else(PoisonError::into_inner);
    }
    if now.begun >= count || now.is_over() {
        return None;
    }
    now.begun += 1;
    Some(now.begun - 1)
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::*;

    fn on(threads: usize, work: impl FnOnce() + Send) {
        rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap().install(work);
    }

    #[test]
    fn pieces_come_in_order_and_few_wait() {
        for threads in [1, 2, 5] {
            on(threads, || {
                let waiting = AtomicUsize::new(0);
                let most = AtomicUsize::new(0);
                let mut out = Vec::new();
                let make = |number: usize| {
                    most.fetch_max(waiting.fetch_add(1, Ordering::SeqCst) + 1, Ordering::SeqCst);
                    // Some pieces take longer than others.
                    let spin = (0..(number % 7) as u64 * 5_000).fold(0u64, |sum, step| sum ^ step.rotate_left(7));
                    Ok::<(usize, u64), String>((number, spin))
                };
                let take = |(number, _): (usize, u64)| {
                    waiting.fetch_sub(1, Ordering::SeqCst);
                    out.push(number);
                    Ok(())
                };
                in_turn(200, make, take).unwrap();
                assert!(out.into_iter().eq(0..200));
                assert!(most.into_inner() <= threads + 1);
            });
        }
    }

    #[test]
    fn nobody_waits_for_a_piece_that_panicked() {
        on(2, || {
            let make = |number: usize| if number == 0 { panic!("on purpose") } else { Ok::<usize, String>(number) };
            let work = || in_turn(100, make, |_| Ok(()));
            assert!(std::panic::catch_unwind(std::panic::AssertUnwindSafe(work)).is_err());
        });
    }

    #[test]
    fn the_first_failure_ends_the_work() {
        on(3, || {
            let make = |number: usize| if number == 20 { Err("made") } else { Ok(number) };
            assert_eq!(in_turn(1000, make, |_| Ok(())), Err("made"));
            let mut taken = 0;
            let take = |number: usize| {
                taken += 1;
                if number == 5 { Err("taken") } else { Ok(()) }
            };
            assert_eq!(in_turn(1000, Ok, take), Err("taken"));
            assert_eq!(taken, 6);
        });
    }
}
