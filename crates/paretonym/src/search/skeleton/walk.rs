//! Evaluates the recodings of a skeleton. They are the leaves of a tree: its branches fix the simple partition of one column
//! after the other, the columns not yet fixed being as fine as can be, so that each is made from the groups of the one above.

use std::ops::Range;
use std::sync::Arc;

use super::profile::Profile;
use super::{Skeleton, with};
use crate::front::Archive;
use crate::group::{Grouping, Tuples};
use crate::search::Evaluator;
use crate::search::genetic::{Genome, Judged, Pool};

/// The tree is cut into about so many branches; the number does not depend on the threads...
const BRANCHES: usize = 64;
/// ...or more, so that none has more leaves than this.
const MOST_LEAVES: usize = 256;

/// A recoding of the skeleton with what it came to.
pub(super) struct Leaf {
    pub genome: Genome,
    pub judged: Judged,
    /// Where other recodings are to be told from it.
    pub profile: Option<Profile>,
}

impl Skeleton {
    /// The branches that are walked side by side. Their leaves, one branch after the other, are the recodings of the
    /// skeleton, the last column changing fastest.
    pub(super) fn branches(&self) -> Vec<Branch> {
        let most = (self.size as usize / BRANCHES).clamp(1, MOST_LEAVES);
        let mut branches = vec![Branch { depth: 0, genome: Genome::zeros(self.bits), next: 0..usize::MAX }];
        for (depth, column) in self.columns.iter().enumerate() {
            let below: usize = self.columns[depth + 1..].iter().map(|column| column.simple.len()).product();
            if below < most {
                // Several partitions of this column go together.
                let (count, together) = (column.simple.len(), (most / below).max(1));
                let cut = |branch: Branch| {
                    let parts = (0..count).step_by(together).map(move |start| start..(start + together).min(count));
                    parts.map(move |next| Branch { depth, genome: branch.genome.clone(), next })
                };
                return branches.into_iter().flat_map(cut).collect();
            }
            let longer = |branch: Branch| {
                let with = move |bits: &Vec<usize>| with(&branch.genome, bits);
                column.simple.iter().map(with).map(|genome| Branch { depth: depth + 1, genome, next: 0..usize::MAX })
            };
            branches = branches.into_iter().flat_map(longer).collect();
        }
        branches
    }
}

/// The first columns, fixed, and some of the simple partitions of the next one.
pub(super) struct Branch {
    depth: usize,
    genome: Genome,
    next: Range<usize>,
}

impl Branch {
    /// The recodings that are its leaves, in their order.
    pub fn genomes(&self, skeleton: &Skeleton) -> Vec<Genome> {
        let mut genomes = vec![self.genome.clone()];
        for depth in self.depth..skeleton.columns.len() {
            let simple = self.simple(skeleton, depth);
            let longer = |genome: &Genome| simple.iter().map(|bits| with(genome, bits)).collect::<Vec<_>>();
            genomes = genomes.iter().flat_map(longer).collect();
        }
        genomes
    }

    /// Evaluates all leaves on this thread. None after a cancellation.
    pub fn evaluate(&self, skeleton: &Skeleton, pool: &Pool, archive: &Archive) -> Option<Vec<Leaf>> {
        let evaluator = Evaluator::new(pool.table, pool.problem);
        let mut walk = Walk { skeleton, branch: self, pool, archive, evaluator, leaves: Vec::new() };
        let mut first = Grouping::default();
        walk.group(&pool.table.tuples, self.depth, &self.genome, &mut first);
        walk.visit(self.depth, &self.genome, &first).then_some(walk.leaves)
    }

    /// The simple partitions of a column that belong to the branch.
    fn simple<'s>(&self, skeleton: &'s Skeleton, depth: usize) -> &'s [Vec<usize>] {
        let all = &skeleton.columns[depth].simple;
        if depth == self.depth { &all[self.next.start..self.next.end.min(all.len())] } else { all }
    }
}

struct Walk<'a, 'p> {
    skeleton: &'a Skeleton,
    branch: &'a Branch,
    pool: &'a Pool<'p>,
    archive: &'a Archive,
    evaluator: Evaluator<'a>,
    leaves: Vec<Leaf>,
}

impl Walk<'_, '_> {
    /// Groups with the columns from a depth on as fine as can be.
    fn group(&mut self, from: &Arc<Tuples>, depth: usize, genome: &Genome, out: &mut Grouping) {
        let finest = self.skeleton.columns[depth..].iter();
        let genome = finest.fold(genome.clone(), |genome, column| with(&genome, &column.finest));
        let recoding = self.pool.layout.decode(self.pool.table, &genome);
        self.evaluator.group(from, &recoding, out);
    }

    /// All leaves below a node of the tree, given its groups. False after a cancellation.
    fn visit(&mut self, depth: usize, genome: &Genome, grouping: &Grouping) -> bool {
        if self.pool.cancelled() {
            return false;
        }
        let Some(column) = self.skeleton.columns.get(depth) else {
            let judged = self.pool.judge_groups(&mut self.evaluator, grouping, self.archive);
            let told = self.skeleton.size < self.skeleton.space;
            let profile = told.then(|| Profile::of(self.pool.table, self.pool.problem, grouping));
            self.leaves.push(Leaf { genome: genome.clone(), judged, profile });
            self.pool.advance(1);
            return true;
        };
        let mut below = Grouping::default();
        for bits in self.branch.simple(self.skeleton, depth) {
            let genome = with(genome, bits);
            // The finest partition of the column leaves the groups as they are.
            let going_on = if bits.len() == column.finest.len() {
                self.visit(depth + 1, &genome, grouping)
            } else {
                self.group(&grouping.groups, depth + 1, &genome, &mut below);
                self.visit(depth + 1, &genome, &below)
            };
            if !going_on {
                return false;
            }
        }
        true
    }
}
