//! The partitions of one column, each as a sum and difference of simple ones.

use std::collections::BTreeMap;

use crate::recode::Family;
use crate::search::genetic::Segment;

/// The partitions of one column, and the simple ones that tell them all.
pub(super) struct ColumnSpace {
    /// The bits that are one in each simple partition.
    pub simple: Vec<Vec<usize>>,
    /// The bits that are one with every leaf apart.
    pub finest: Vec<usize>,
    /// Every partition of the column.
    pub partitions: Vec<Partition>,
}

/// One partition of a column.
pub(super) struct Partition {
    /// Its bits that are one.
    pub bits: Vec<usize>,
    /// Simple partitions, and how often each is added or taken away.
    pub terms: Vec<(usize, f64)>,
}

/// How many simple partitions a column has.
pub(super) fn skeleton_size(segment: &Segment) -> u64 {
    let bits = segment.bits.len() as u64;
    match segment.family {
        Family::Levels => bits + 1,
        Family::Breaks => 1 + bits + bits * bits.saturating_sub(1) / 2,
        Family::Cuts => 1 + segment.tree.len() as u64,
    }
}

impl ColumnSpace {
    /// For a column with few partitions.
    pub fn of(segment: &Segment) -> Self {
        match segment.family {
            Family::Levels => levels(segment),
            Family::Breaks => breaks(segment),
            Family::Cuts => cuts(segment),
        }
    }

    /// The same with every partition taken for a simple one.
    pub fn all_simple(mut self) -> Self {
        self.simple = self.partitions.iter().map(|partition| partition.bits.clone()).collect();
        self.partitions.iter_mut().enumerate().for_each(|(at, partition)| partition.terms = vec![(at, 1.0)]);
        self
    }
}

/// No level is a sum of others.
fn levels(segment: &Segment) -> ColumnSpace {
    let partition = |(at, bits): (usize, &Vec<usize>)| Partition { bits: bits.clone(), terms: vec![(at, 1.0)] };
    let partitions = segment.levels.iter().enumerate().map(partition).collect();
    ColumnSpace { simple: segment.levels.clone(), finest: segment.bits.clone().collect(), partitions }
}

/// Simple are those with at most two breaks: F(b1, ..., bs) = F(b1,b2) + F(b2,b3) + ... - F(b2) - ... - F(bs-1).
fn breaks(segment: &Segment) -> ColumnSpace {
    let gaps: Vec<usize> = segment.bits.clone().collect();
    let mut simple: Vec<Vec<usize>> = vec![Vec::new()];
    simple.extend(gaps.iter().map(|gap| vec![*gap]));
    let pairs = gaps.iter().enumerate().flat_map(|(at, a)| gaps[at + 1..].iter().map(|b| vec![*a, *b]));
    simple.extend(pairs);
    let place: BTreeMap<&[usize], usize> = simple.iter().enumerate().map(|(at, bits)| (bits.as_slice(), at)).collect();
    let partition = |mask: usize| {
        let bits: Vec<usize> =
            gaps.iter().enumerate().filter(|(at, _)| mask >> at & 1 == 1).map(|(_, gap)| *gap).collect();
        let terms = match bits.len() {
            0..=2 => vec![(place[bits.as_slice()], 1.0)],
            count => {
                let pairs = bits.windows(2).map(|pair| (place[pair], 1.0));
                let inner = bits[1..count - 1].iter().map(|gap| (place[std::slice::from_ref(gap)], -1.0));
                pairs.chain(inner).collect()
            }
        };
        Partition { bits, terms }
    };
    let partitions = (0..1usize << gaps.len()).map(partition).collect();
    ColumnSpace { simple, finest: gaps, partitions }
}

/// Simple are the root alone, and for each inner node the cut that opens nothing but the way down to it and itself. What a
/// node adds when it is opened depends on it alone, so that a cut is the root and what each of its open nodes adds.
fn cuts(segment: &Segment) -> ColumnSpace {
    let tree = &segment.tree;
    let gaps = |open: &[usize]| open.iter().flat_map(|node| tree[*node].gaps.iter().copied()).collect::<Vec<usize>>();
    let way = |node: usize| {
        let mut way = vec![node];
        while let Some(above) = tree[*way.last().expect("not empty")].parent {
            way.push(above);
        }
        way
    };
    let mut simple = vec![Vec::new()];
    simple.extend((0..tree.len()).map(|node| gaps(&way(node))));
    // The open nodes of every cut at or below each node; children come after their parents.
    let mut below: Vec<Vec<Vec<usize>>> = vec![Vec::new(); tree.len()];
    for node in (0..tree.len()).rev() {
        let mut open = vec![vec![node]];
        for child in &tree[node].children {
            let with = |open: &Vec<usize>, more: &Vec<usize>| [open.as_slice(), more.as_slice()].concat();
            open = open.iter().flat_map(|open| below[*child].iter().map(move |more| with(open, more))).collect();
        }
        open.push(Vec::new());
        below[node] = open;
    }
    let all = below.into_iter().next().unwrap_or_else(|| vec![Vec::new()]);
    let partition = |open: &Vec<usize>| {
        let mut terms = BTreeMap::from([(0, 1.0)]);
        for node in open {
            *terms.entry(node + 1).or_insert(0.0) += 1.0;
            *terms.entry(tree[*node].parent.map_or(0, |above| above + 1)).or_insert(0.0) -= 1.0;
        }
        Partition { bits: gaps(open), terms: terms.into_iter().filter(|(_, times)| *times != 0.0).collect() }
    };
    let finest = segment.bits.clone().collect();
    ColumnSpace { simple, finest, partitions: all.iter().map(partition).collect() }
}
