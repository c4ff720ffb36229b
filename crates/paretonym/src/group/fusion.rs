//! Several small columns as one: the kernel then needs one look-up where it would need three or four.

use crate::data::Narrow;

/// Fused columns hold at most this many combinations of leaves, so that their look-up tables stay in the first cache.
const LARGEST: usize = 2048;

/// Which columns are fused, and how to get a leaf back.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Fusion {
    /// The columns of each fused column; the last one varies fastest.
    pub members: Vec<Vec<usize>>,
    /// The number of leaves of each column.
    sizes: Vec<usize>,
    /// For each column: its fused column and its stride there.
    place: Vec<(usize, u32)>,
    /// For each column that shares its place with others: the leaf behind each fused code. Two divisions less.
    leaves: Vec<Option<Vec<u16>>>,
}

impl Fusion {
    /// Packs columns of the given numbers of leaves: the largest first, each into the first place with room.
    pub fn of_sizes(sizes: &[usize]) -> Self {
        let mut order: Vec<usize> = (0..sizes.len()).collect();
        order.sort_by_key(|column| (std::cmp::Reverse(sizes[*column]), *column));
        let mut bins: Vec<(usize, Vec<usize>)> = Vec::new();
        for column in order {
            let size = sizes[column].max(1);
            match bins.iter_mut().find(|(product, _)| product.saturating_mul(size) <= LARGEST) {
                Some((product, members)) => {
                    *product *= size;
                    members.push(column);
                }
                None => bins.push((size, vec![column])),
            }
        }
        let members: Vec<Vec<usize>> = bins.into_iter().map(|(_, members)| members).collect();
        let mut place = vec![(0, 0); sizes.len()];
        let mut leaves = vec![None; sizes.len()];
        for (fused, columns) in members.iter().enumerate() {
            let combinations: usize = columns.iter().map(|column| sizes[*column].max(1)).product();
            let mut stride = 1;
            for &column in columns.iter().rev() {
                let size = sizes[column].max(1);
                place[column] = (fused, stride as u32);
                if columns.len() > 1 {
                    leaves[column] = Some((0..combinations).map(|code| (code / stride % size) as u16).collect());
                }
                stride *= size;
            }
        }
        Fusion { members, sizes: sizes.to_vec(), place, leaves }
    }

    /// The fused codes of a tuple of leaves.
    pub fn fuse(&self, leaves: &[u32], fused: &mut [u32]) {
        fused.fill(0);
        for (column, &(at, stride)) in self.place.iter().enumerate() {
            fused[at] += leaves[column] * stride;
        }
    }

    /// The fused codes of tuples whose leaves are given column by column. A column goes as soon as it is fused.
    pub fn fuse_columns(&self, leaves: Vec<Narrow>) -> Vec<Narrow> {
        let mut leaves: Vec<Option<Narrow>> = leaves.into_iter().map(Some).collect();
        let mut fused_column = |members: &Vec<usize>| {
            let mut fused = Vec::new();
            for &column in members {
                let codes = leaves[column].take().expect("each column is fused once");
                if let [_] = members.as_slice() {
                    return in_two_or_four(codes, self.sizes[column]);
                }
                let stride = self.place[column].1 as u16;
                fused.resize(codes.len(), 0u16);
                fused.iter_mut().zip(codes.iter()).for_each(|(code, leaf)| *code += leaf as u16 * stride);
            }
            Narrow::Two(fused)
        };
        self.members.iter().map(&mut fused_column).collect()
    }

    /// Where a column lies among the fused ones.
    pub fn fused_of(&self, column: usize) -> usize {
        self.place[column].0
    }

    /// The leaves of a column behind all fused codes; none where the codes are the leaves.
    pub fn leaves(&self, column: usize) -> Option<&[u16]> {
        self.leaves[column].as_deref()
    }

    /// The leaf of a column behind a fused code.
    pub fn leaf(&self, column: usize, code: u32) -> u32 {
        self.leaves[column].as_ref().map_or(code, |leaves| u32::from(leaves[code as usize]))
    }
}

/// Codes in two bytes or, where they may need more, in four: the kernel knows these widths.
fn in_two_or_four(codes: Narrow, values: usize) -> Narrow {
    match codes {
        Narrow::Two(_) if values <= 1 << 16 => codes,
        Narrow::Four(_) if values > 1 << 16 => codes,
        _ if values <= 1 << 16 => Narrow::Two(codes.iter().map(|code| code as u16).collect()),
        _ => Narrow::Four(codes.iter().map(|code| code as u32).collect()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn leaves_come_back() {
        let sizes = [20, 7, 16, 7, 14, 5, 2, 41, 2, 5000];
        let fusion = Fusion::of_sizes(&sizes);
        let leaves = [19, 6, 3, 0, 13, 4, 1, 40, 0, 4999];
        let mut fused = vec![0; fusion.members.len()];
        fusion.fuse(&leaves, &mut fused);
        for (column, leaf) in leaves.iter().enumerate() {
            assert_eq!(fusion.leaf(column, fused[fusion.fused_of(column)]), *leaf);
        }
        assert!(fusion.members.len() <= 5, "{:?}", fusion.members);
    }
}
