//! Questions about the nodes of a lattice, answered by passes over a file: where its tuples do not fit into memory, one part of
//! the groups is counted after the other.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, Ordering};

use paretonym::data::{ColumnRequest, CountRequest, Counted, OnMissing, Part, Source, TuplePart, ValueCounts};
use paretonym::engine::{Distant, DistantRequest, Keeper, LevelCode, LooksAt, SizeClass, Watch};
use paretonym::error::{Error, Result};

use crate::rows::count::count;
use crate::rows::packed::PackedTuples;

/// The most parts: each is a pass.
const MOST_PARTS: u64 = 1 << 10;

/// A file that is asked about nodes.
pub(crate) struct DistantFile {
    source: Source,
    request: DistantRequest,
    /// The parts that sufficed last time.
    parts: AtomicU64,
    /// The tuples, where they can be packed.
    packed: Option<PackedTuples>,
}

impl DistantFile {
    /// Reads the file once, and keeps its tuples in the folder of the results where they can be packed.
    pub fn new(source: &Source, request: &DistantRequest, watch: &dyn Watch) -> Result<Self> {
        let folder = watch.keeper().and_then(Keeper::folder).unwrap_or_else(std::env::temp_dir);
        // Packed tuples tell nothing of the values of other columns.
        let packed = match request.sensitive.is_empty() {
            true => PackedTuples::read(source, request, &folder, watch)?,
            false => None,
        };
        Ok(DistantFile { source: source.clone(), request: request.clone(), parts: AtomicU64::new(1), packed })
    }

    /// What becomes of the codes of each column at a node.
    fn levels(&self, node: &[u32]) -> impl Iterator<Item = &Vec<LevelCode>> {
        self.request.levels.iter().zip(node).map(|(levels, level)| &levels[*level as usize])
    }

    /// Counts the groups of a node, part after part, in as many parts as it takes for each to fit.
    fn each_part(
        &self,
        node: &[u32],
        looks_at: LooksAt,
        watch: &dyn Watch,
        mut take: impl FnMut(Counted),
    ) -> Result<()> {
        let quasi = self.request.count.columns.iter().filter(|column| column.part == Part::Quasi);
        let attributes = self.request.count.columns.iter().filter(|column| column.part == Part::Attribute);
        // Of attributes that no level depends on it matters only whether they are missing.
        let asked = self.source.on_missing != OnMissing::Value;
        let (first, others): (Vec<_>, Vec<_>) =
            attributes.enumerate().partition(|(at, _)| looks_at > LooksAt::Rows && self.request.sensitive.contains(at));
        let inside = first.into_iter().chain(others.into_iter().filter(|_| asked)).map(|(_, column)| column);
        let coarse = quasi.enumerate().map(|(at, column)| {
            let codes = &self.request.levels[at][node[at] as usize];
            ColumnRequest { encoding: column.encoding.joined(|code| codes[code as usize].set), ..column.clone() }
        });
        let columns: Vec<ColumnRequest> = coarse.chain(inside.cloned()).collect();
        let missing: Vec<Option<u32>> = self.levels(node).map(|codes| codes.last().map(|code| code.set)).collect();
        let mut parts = self.parts.load(Ordering::Relaxed);
        loop {
            let of = |part: u64| CountRequest {
                columns: columns.clone(),
                at_most: self.source.most_tuples(),
                part: Some(TuplePart { number: part, of: parts, missing: missing.clone() }),
            };
            // The first part tells whether the others will fit: codes are spread evenly.
            match count(&self.source, &of(0), watch) {
                Err(Error::TooManyTuples(_)) if parts < MOST_PARTS => parts *= 2,
                first => {
                    take(first?);
                    self.parts.store(parts, Ordering::Relaxed);
                    for part in 1..parts {
                        // A part that is a little larger than the first must fit, too.
                        take(count(&self.source, &CountRequest { at_most: None, ..of(part) }, watch)?);
                    }
                    return Ok(());
                }
            }
        }
    }
}

impl Distant for DistantFile {
    fn groups(&self, node: &[u32], watch: &dyn Watch) -> Result<u64> {
        if let Some(packed) = &self.packed {
            return Ok(packed.profile(&self.request, node, watch)?.groups);
        }
        let mut groups = 0;
        self.each_part(node, LooksAt::Rows, watch, |counted| groups += counted.counts.len() as u64)?;
        Ok(groups)
    }

    fn profile(&self, node: &[u32], looks_at: LooksAt, watch: &dyn Watch) -> Result<Vec<SizeClass>> {
        if let (Some(packed), LooksAt::Rows) = (&self.packed, looks_at) {
            return Ok(packed.profile(&self.request, node, watch)?.classes);
        }
        let covered = |codes: &Vec<LevelCode>| codes.iter().map(|code| (code.set, u64::from(code.covered))).collect();
        let covered: Vec<BTreeMap<u32, u64>> = self.levels(node).map(covered).collect();
        let sensitive = if looks_at > LooksAt::Rows { self.request.sensitive.len() } else { 0 };
        let mut classes: BTreeMap<(u64, Vec<Vec<u64>>), SizeClass> = BTreeMap::new();
        self.each_part(node, looks_at, watch, |counted| {
            for (group, size) in counted.counts.iter().enumerate() {
                let inside =
                    counted.attributes[..sensitive].iter().map(|values| counts(size, values.of(group), looks_at));
                let inside: Vec<Vec<u64>> = inside.collect();
                let class = classes.entry((size, inside)).or_insert_with_key(|(size, counts)| SizeClass {
                    size: *size,
                    groups: 0,
                    covered: vec![0; node.len()],
                    counts: counts.clone(),
                });
                class.groups += 1;
                for (column, sum) in class.covered.iter_mut().enumerate() {
                    let set = counted.tuples[column].get(group) as u32;
                    *sum += size * covered[column].get(&set).copied().unwrap_or_default();
                }
            }
        })?;
        Ok(classes.into_values().collect())
    }
}

/// How many rows of a group have each value of a column, as far as that is looked at.
fn counts(size: u64, values: ValueCounts, looks_at: LooksAt) -> Vec<u64> {
    if looks_at == LooksAt::Extent {
        return SizeClass::of_extent(size, values.counts().max().unwrap_or(size), values.len() as u64);
    }
    let mut counts: Vec<u64> = values.counts().collect();
    counts.sort_unstable();
    counts
}
