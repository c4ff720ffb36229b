//! A tuple in eight bytes: the leaves of its columns, each in as many bits as it needs.

use paretonym::engine::DistantRequest;

/// Where the columns lie in a packed tuple.
pub(super) struct Packing {
    /// In the order of the request.
    pub columns: Vec<PackedColumn>,
    /// The column in the highest bits, which packed tuples are sorted by first: the one with most leaves.
    pub first: usize,
}

/// One column of a packed tuple.
pub(super) struct PackedColumn {
    /// The leaf of each code; that of a missing cell is the last.
    leaf_of: Vec<u32>,
    pub leaves: usize,
    shift: u32,
    mask: u64,
}

impl Packing {
    /// None where the columns need more than eight bytes, or their values are not declared.
    pub fn new(request: &DistantRequest) -> Option<Self> {
        let leaf_of: Vec<Vec<u32>> =
            request.levels.iter().map(|levels| levels[0].iter().map(|code| code.set).collect()).collect();
        let leaves: Vec<u32> =
            leaf_of.iter().map(|leaves| leaves.iter().max().map(|last| last + 1)).collect::<Option<_>>()?;
        let bits: Vec<u32> = leaves.iter().map(|leaves| u32::BITS - (leaves - 1).leading_zeros()).collect();
        let first = (0..leaves.len()).max_by_key(|column| (leaves[*column], std::cmp::Reverse(*column)))?;
        let all: u32 = bits.iter().sum();
        if all > u64::BITS {
            return None;
        }
        let mut below = all - bits[first];
        let columns = leaf_of.into_iter().enumerate().map(|(column, leaf_of)| {
            let shift = if column == first {
                all - bits[first]
            } else {
                below -= bits[column];
                below
            };
            // A column with a single leaf has no bits, and may lie above all others.
            let (shift, mask) =
                if bits[column] == 0 { (0, 0) } else { (shift, u64::MAX >> (u64::BITS - bits[column])) };
            PackedColumn { leaf_of, leaves: leaves[column] as usize, shift, mask }
        });
        Some(Packing { columns: columns.collect(), first })
    }

    /// Packs rows, given their codes column by column.
    pub fn pack(&self, codes: &[Vec<u32>], rows: usize, packed: &mut Vec<u64>) {
        packed.clear();
        packed.resize(rows, 0);
        for (column, codes) in self.columns.iter().zip(codes) {
            let last = column.leaf_of.len() - 1;
            for (key, code) in packed.iter_mut().zip(codes) {
                *key |= u64::from(column.leaf_of[(*code as usize).min(last)]) << column.shift;
            }
        }
    }
}

impl PackedColumn {
    /// The leaf of a packed tuple.
    pub fn leaf(&self, key: u64) -> usize {
        ((key >> self.shift) & self.mask) as usize
    }

    /// A leaf as it lies in a packed tuple.
    pub fn bits_of(&self, leaf: u32) -> u64 {
        u64::from(leaf) << self.shift
    }

    /// Something known of each code, by its leaf.
    pub fn by_leaf<T: Copy + Default>(&self, of_code: impl Fn(usize) -> T) -> Vec<T> {
        let mut found = vec![T::default(); self.leaves];
        self.leaf_of.iter().enumerate().for_each(|(code, leaf)| found[*leaf as usize] = of_code(code));
        found
    }
}
