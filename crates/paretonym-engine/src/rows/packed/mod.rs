//! The distinct tuples of a file that do not fit into memory, packed and sorted on the disk: nodes are counted from them, and
//! from the groups of finer nodes, without reading the file again.

mod classes;
mod entries;
mod groups;
mod packing;
mod sorted;

use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use paretonym::data::{ColumnRequest, CountRequest, OnMissing, Part, Source};
use paretonym::engine::{DistantRequest, Watch};
use paretonym::error::{Error, FileAction, Result};

use crate::rows::table::Table;
use crate::rows::tally::Tally;
use classes::Classes;
use entries::{Entries, EntryWriter};
use groups::NodeGroups;
use packing::Packing;
use sorted::{Packer, merge};

pub(crate) use classes::SizeClasses;

/// Bytes that a tuple takes in memory where all are there: what a limit of tuples means in bytes.
const BYTES_PER_TUPLE: u64 = 60;

/// The most nodes whose groups are kept: each is an open file.
const MOST_KEPT: usize = 64;

/// The tuples of a table, and the groups of some of its nodes.
pub(crate) struct PackedTuples {
    packing: Packing,
    folder: PathBuf,
    most: u64,
    /// Nodes whose groups are kept: the tuples, and then those that were used last, at the end.
    kept: Mutex<Vec<Kept>>,
}

#[derive(Clone)]
struct Kept {
    node: Vec<u32>,
    entries: Arc<Entries>,
}

impl PackedTuples {
    /// Reads a table once. None where a tuple needs more than eight bytes.
    pub fn read(source: &Source, request: &DistantRequest, folder: &Path, watch: &dyn Watch) -> Result<Option<Self>> {
        let Some(packing) = Packing::new(request) else { return Ok(None) };
        let failed = |source: io::Error| failed(folder, source);
        let most = source.most_tuples().unwrap_or(u64::MAX);
        // Of attributes it matters only whether they are missing.
        let asked = |column: &&ColumnRequest| column.part == Part::Quasi || source.on_missing != OnMissing::Value;
        let count = CountRequest {
            columns: request.count.columns.iter().filter(asked).cloned().collect(),
            ..CountRequest::default()
        };
        let table = Table::open(source)?;
        let (projection, slots) = table.projection(count.columns.iter().map(|column| &column.name))?;
        let threads = rayon::current_num_threads();
        // A quarter of the memory is for what waits to be sorted.
        let at_once = most.saturating_mul(BYTES_PER_TUPLE) / 4 / 8 / threads as u64;
        let at_once = at_once.clamp(16, 1 << 20) as usize;
        let trouble = Mutex::new(None);
        let packer = |_| {
            let tally = Tally::new(source, &count, &slots, table.null_is_empty());
            Packer::new(tally, &packing, at_once, folder, &trouble).map_err(failed)
        };
        let packers = (0..threads).map(packer).collect::<Result<Vec<Packer>>>()?;
        let packers = table.counting_pass(&projection, packers, watch);
        if let Some(error) = trouble.lock().unwrap_or_else(PoisonError::into_inner).take() {
            return Err(failed(error));
        }
        let pieces = packers?.into_iter().map(Packer::finish).collect::<io::Result<Vec<_>>>().map_err(failed)?;
        let entries = Arc::new(merge(&pieces, folder).map_err(failed)?);
        drop(pieces);
        let node = vec![0; packing.columns.len()];
        let kept = Mutex::new(vec![Kept { node, entries }]);
        Ok(Some(PackedTuples { packing, folder: folder.to_owned(), most, kept }))
    }

    /// The groups of a node by their sizes.
    pub fn profile(&self, request: &DistantRequest, node: &[u32], watch: &dyn Watch) -> Result<SizeClasses> {
        let failed = |source: io::Error| failed(&self.folder, source);
        let from = self.source(node);
        let groups = NodeGroups::new(&self.packing, request, node, self.most);
        let mut classes = Classes::new(&groups, &self.packing, request, node);
        let mut kept = Keeping::new(&from.entries);
        let done = groups.each(&from.entries, watch, &mut |group, rows| {
            let key = classes.add(group, rows);
            kept.put(key, rows, &self.folder)
        });
        if !done.map_err(failed)? {
            return Err(Error::Cancelled);
        }
        if let Some(out) = kept.out {
            let entries = Arc::new(out.finish().map_err(failed)?);
            self.keep(Kept { node: node.to_vec(), entries });
        }
        Ok(classes.finish())
    }

    /// The fewest groups that the node can be made from.
    fn source(&self, node: &[u32]) -> Kept {
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        let is_finer = |own: &Kept| own.node.iter().zip(node).all(|(finer, level)| finer <= level);
        let finer = (0..kept.len()).filter(|at| is_finer(&kept[*at]));
        let fewest = finer.min_by_key(|at| kept[*at].entries.len).unwrap_or(0);
        let source = kept[fewest].clone();
        if fewest > 0 {
            kept[fewest..].rotate_left(1);
        }
        source
    }

    /// Keeps the groups of a node. Those that were not used for longest go where there are too many: all of them take no more
    /// than twice what the tuples take.
    fn keep(&self, node: Kept) {
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        kept.push(node);
        let room = kept[0].entries.len.saturating_mul(2);
        while kept.len() > MOST_KEPT || kept[1..].iter().map(|own| own.entries.len).sum::<u64>() > room {
            kept.remove(1);
        }
    }
}

/// The groups of a node while they are counted, to be kept where they are far fewer than what they were made from.
struct Keeping {
    out: Option<EntryWriter>,
    begun: bool,
    most: u64,
}

impl Keeping {
    fn new(from: &Entries) -> Self {
        Keeping { out: None, begun: false, most: from.len / 2 }
    }

    fn put(&mut self, key: u64, rows: u64, folder: &Path) -> io::Result<()> {
        if !self.begun {
            self.begun = true;
            self.out = Some(EntryWriter::new(folder)?);
        }
        if self.out.as_ref().is_some_and(|out| out.len >= self.most) {
            self.out = None;
        }
        self.out.as_mut().map_or(Ok(()), |out| out.put(key, rows))
    }
}

fn failed(folder: &Path, source: io::Error) -> Error {
    Error::File { action: FileAction::Write, path: folder.to_owned(), source }
}
