//! The nodes of a table whose tuples are too many to be held: those above a base are made from the groups of the base, which
//! are here; whoever holds the rows is asked for the others.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::Mutex;
use std::sync::PoisonError;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::engine::{Distant, LooksAt, SizeClass, Watch};
use crate::error::Error;

/// The nodes of a distant table.
pub struct DistantNodes {
    asked: Box<dyn Distant>,
    /// The levels of the groups that are here.
    base: Vec<u32>,
    /// How many distinct tuples there are.
    pub tuples: u64,
    /// How many groups the nodes have that were asked for.
    groups: Mutex<BTreeMap<Vec<u32>, u64>>,
    failed: AtomicBool,
    failure: Mutex<Option<Error>>,
}

impl DistantNodes {
    /// Of a table whose groups at a node are here.
    pub fn new(asked: Box<dyn Distant>, base: Vec<u32>, tuples: u64) -> Self {
        DistantNodes {
            asked,
            base,
            tuples,
            groups: Mutex::default(),
            failed: AtomicBool::new(false),
            failure: Mutex::default(),
        }
    }

    /// Whether a node is made from what is here.
    pub fn is_here(&self, node: &[u32]) -> bool {
        self.base.iter().zip(node).all(|(base, level)| base <= level)
    }

    /// The groups of any node by what levels depend on; none where that fails, and from then on.
    pub fn profile(&self, node: &[u32], looks_at: LooksAt, watch: &dyn Watch) -> Option<Vec<SizeClass>> {
        if self.has_failed() {
            return None;
        }
        match self.asked.profile(node, looks_at, watch) {
            Ok(profile) => {
                let groups = profile.iter().map(|class| class.groups).sum();
                self.groups.lock().unwrap_or_else(PoisonError::into_inner).insert(node.to_vec(), groups);
                Some(profile)
            }
            Err(error) => {
                self.failure.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(error);
                self.failed.store(true, Ordering::Relaxed);
                None
            }
        }
    }

    /// How many groups a node has that was asked for before.
    pub fn groups(&self, node: &[u32]) -> Option<u64> {
        self.groups.lock().unwrap_or_else(PoisonError::into_inner).get(node).copied()
    }

    /// Whether an answer failed: a search that needs it must stop.
    pub fn has_failed(&self) -> bool {
        self.failed.load(Ordering::Relaxed)
    }

    /// Why it failed, told once.
    pub fn failure(&self) -> Option<Error> {
        self.failure.lock().unwrap_or_else(PoisonError::into_inner).take()
    }
}

impl fmt::Debug for DistantNodes {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_struct("DistantNodes").field("base", &self.base).field("tuples", &self.tuples).finish_non_exhaustive()
    }
}
