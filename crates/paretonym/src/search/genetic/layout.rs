//! Where each column lies in a chromosome, and what its bits mean.
//!
//! - breaks: one bit between each two neighbouring leaves, 1 = separated;
//! - cuts: the same bits, of which only those patterns are valid that follow the tree;
//! - levels: as many ones as levels below the top, all ones in front.

use std::ops::Range;

use super::Genome;
use crate::group::FrequencyTable;
use crate::recode::{BreakBits, ColumnRecoding, Family, QuasiColumn, Recoding};
use crate::taxonomy::Hierarchy;

/// An inner node of a tree whose cuts are searched. It is *open* where its children are told apart.
#[derive(Clone, Debug)]
pub struct Inner {
    /// The inner node above, as a position in the segment's list.
    pub parent: Option<usize>,
    /// The inner nodes right below, as positions in the segment's list.
    pub children: Vec<usize>,
    /// The bits between neighbouring children: all one where it is open, all zero where not.
    pub gaps: Vec<usize>,
    /// All bits below it, its own gaps included.
    pub span: Range<usize>,
}

/// One column's part of a chromosome.
#[derive(Clone, Debug)]
pub struct Segment {
    /// How the column may be recoded.
    pub family: Family,
    /// Its bits.
    pub bits: Range<usize>,
    /// Cuts: the inner nodes in pre-order. A column of one leaf has none.
    pub tree: Vec<Inner>,
    /// The bits of each level of the column's hierarchy that are one, the leaves first.
    pub levels: Vec<Vec<usize>>,
    /// The number of sets of each level.
    pub sets: Vec<usize>,
}

impl Segment {
    fn of(column: &QuasiColumn, start: usize) -> Self {
        let (leaves, height) = (column.domain.len(), column.hierarchy.height());
        let length = if column.family == Family::Levels { height } else { leaves.saturating_sub(1) };
        let levels = (0..=height)
            .map(|level| match column.family {
                Family::Levels => (start..start + height - level).collect(),
                Family::Cuts | Family::Breaks => {
                    let sets = &column.hierarchy.level(level).set_of;
                    (0..length).filter(|gap| sets[*gap] != sets[gap + 1]).map(|gap| start + gap).collect()
                }
            })
            .collect();
        let tree = if column.family == Family::Cuts { inner_nodes(&column.hierarchy, start) } else { Vec::new() };
        let sets = (0..=height).map(|level| column.hierarchy.level(level).labels.len()).collect();
        Segment { family: column.family, bits: start..start + length, tree, levels, sets }
    }

    /// Whether the children of an inner node are told apart.
    pub fn is_open(&self, genome: &Genome, inner: usize) -> bool {
        genome.get(self.tree[inner].gaps[0])
    }

    /// Whether the bits follow the column's tree, or are a level.
    pub fn is_valid(&self, genome: &Genome) -> bool {
        match self.family {
            Family::Breaks => true,
            Family::Levels => self.bits.clone().is_sorted_by(|a, b| genome.get(*a) >= genome.get(*b)),
            Family::Cuts => self.tree.iter().enumerate().all(|(at, inner)| {
                let open = self.is_open(genome, at);
                let above = inner.parent.is_none_or(|parent| self.is_open(genome, parent));
                inner.gaps.iter().all(|gap| genome.get(*gap) == open) && (above || !open)
            }),
        }
    }

    /// How many recodings the column has; none past 2^63.
    pub fn size(&self) -> Option<u64> {
        match self.family {
            Family::Levels => Some(self.bits.len() as u64 + 1),
            Family::Breaks => (self.bits.len() < 63).then(|| 1 << self.bits.len()),
            Family::Cuts => {
                // A closed node is one cut; an open one has the cuts of its children, in every combination.
                let mut cuts = vec![1u64; self.tree.len()];
                for (at, inner) in self.tree.iter().enumerate().rev() {
                    let below = inner.children.iter().try_fold(1u64, |all, child| all.checked_mul(cuts[*child]))?;
                    cuts[at] = below.checked_add(1)?;
                }
                Some(cuts.first().copied().unwrap_or(1))
            }
        }
    }
}

/// The inner nodes of a tree in pre-order, their gaps counted from `start`.
fn inner_nodes(hierarchy: &Hierarchy, start: usize) -> Vec<Inner> {
    let nodes = hierarchy.nodes();
    let mut place = vec![usize::MAX; nodes.len()];
    let mut tree: Vec<Inner> = Vec::new();
    for (node, shown) in nodes.iter().enumerate().filter(|(_, node)| !node.children.is_empty()) {
        place[node] = tree.len();
        let parent = shown.parent.map(|parent| place[parent as usize]);
        if let Some(parent) = parent {
            let own = tree.len();
            tree[parent].children.push(own);
        }
        // The gap between two neighbouring children lies behind the last leaf of the first.
        let (_, firsts) = shown.children.split_last().expect("inner nodes have children");
        let gaps = firsts.iter().map(|child| start + nodes[*child as usize].leaves.end as usize - 1).collect();
        let span = start + shown.leaves.start as usize..start + shown.leaves.end as usize - 1;
        tree.push(Inner { parent, children: Vec::new(), gaps, span });
    }
    tree
}

/// The chromosome of a table.
#[derive(Clone, Debug)]
pub struct Layout {
    /// One segment per quasi column, in their order.
    pub segments: Vec<Segment>,
    /// The length of a chromosome.
    pub bits: usize,
}

impl Layout {
    /// For the quasi columns of a table.
    pub fn of(table: &FrequencyTable) -> Self {
        let (mut segments, mut bits) = (Vec::new(), 0);
        for column in &table.columns {
            let segment = Segment::of(column, bits);
            bits = segment.bits.end;
            segments.push(segment);
        }
        Layout { segments, bits }
    }

    /// Whether every column's bits are valid.
    pub fn is_valid(&self, genome: &Genome) -> bool {
        self.segments.iter().all(|segment| segment.is_valid(genome))
    }

    /// The number of recodings; none past 2^63.
    pub fn size(&self) -> Option<u64> {
        let mut sizes = self.segments.iter().map(Segment::size);
        sizes.try_fold(1u64, |all, size| all.checked_mul(size?)).filter(|size| *size < 1 << 63)
    }

    /// The chromosome of one level per column. Every level is a valid recoding of every family.
    pub fn of_levels(&self, levels: &[usize]) -> Genome {
        let mut genome = Genome::zeros(self.bits);
        for (segment, &level) in self.segments.iter().zip(levels) {
            segment.levels[level].iter().for_each(|bit| genome.set(*bit, true));
        }
        genome
    }

    /// The recoding behind a valid chromosome.
    pub fn decode(&self, table: &FrequencyTable, genome: &Genome) -> Recoding {
        let columns = self.segments.iter().zip(&table.columns).map(|(segment, column)| match segment.family {
            Family::Levels => ColumnRecoding::Level((segment.bits.len() - genome.ones(segment.bits.clone())) as u32),
            Family::Breaks => {
                ColumnRecoding::Breaks(BreakBits::from_flags(segment.bits.clone().map(|bit| genome.get(bit))))
            }
            Family::Cuts => ColumnRecoding::Cut(shown_nodes(segment, &column.hierarchy, genome)),
        });
        Recoding { columns: columns.collect() }
    }

    /// The chromosome of a recoding.
    pub fn encode(&self, table: &FrequencyTable, recoding: &Recoding) -> Genome {
        let mut genome = Genome::zeros(self.bits);
        for ((segment, column), recoded) in self.segments.iter().zip(&table.columns).zip(&recoding.columns) {
            let start = segment.bits.start;
            match recoded {
                ColumnRecoding::Level(level) => {
                    segment.levels[*level as usize].iter().for_each(|bit| genome.set(*bit, true));
                }
                ColumnRecoding::Breaks(bits) => {
                    (0..bits.len()).for_each(|gap| genome.set(start + gap, bits.get(gap)));
                }
                ColumnRecoding::Cut(shown) => {
                    let ends = shown.iter().map(|node| column.hierarchy.nodes()[*node as usize].leaves.end as usize);
                    ends.filter(|end| *end < column.domain.len()).for_each(|end| genome.set(start + end - 1, true));
                }
            }
        }
        genome
    }
}

/// The nodes that a cut shows, in leaf order: the first closed one on each way down.
fn shown_nodes(segment: &Segment, hierarchy: &Hierarchy, genome: &Genome) -> Vec<u32> {
    let nodes = hierarchy.nodes();
    let mut shown = Vec::new();
    let mut stack = vec![0u32];
    while let Some(node) = stack.pop() {
        let Some((first, rest)) = nodes[node as usize].children.split_first() else {
            shown.push(node);
            continue;
        };
        let gap = segment.bits.start + nodes[*first as usize].leaves.end as usize - 1;
        if genome.get(gap) {
            stack.extend(rest.iter().rev());
            stack.push(*first);
        } else {
            shown.push(node);
        }
    }
    shown
}
