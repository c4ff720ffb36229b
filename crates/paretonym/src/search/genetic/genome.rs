//! A recoding as a string of bits. In every column more ones mean more sets, so that one recoding is coarser than
//! another exactly where its ones are among the other's: whatever the families of the columns.

use std::ops::Range;

use crate::recode::Bits;

/// A chromosome.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Genome {
    bits: Bits,
}

impl Genome {
    /// All zeros: one set in every column.
    pub fn zeros(bits: usize) -> Self {
        Genome { bits: Bits::zeros(bits) }
    }

    /// One bit.
    pub fn get(&self, bit: usize) -> bool {
        self.bits.get(bit)
    }

    /// Sets one bit.
    pub fn set(&mut self, bit: usize, value: bool) {
        self.bits.set(bit, value);
    }

    /// Sets a run of bits.
    pub fn fill(&mut self, bits: Range<usize>, value: bool) {
        bits.for_each(|bit| self.set(bit, value));
    }

    /// Takes a run of bits from another chromosome.
    pub fn copy(&mut self, from: &Genome, bits: Range<usize>) {
        bits.for_each(|bit| self.set(bit, from.get(bit)));
    }

    /// The number of ones in a run.
    pub fn ones(&self, bits: Range<usize>) -> usize {
        bits.filter(|bit| self.get(*bit)).count()
    }

    /// Whether its recoding joins whatever the other's joins: it can be grouped from the other's groups.
    pub fn is_coarser(&self, other: &Genome) -> bool {
        self.bits.is_within(&other.bits)
    }

    /// Takes over the ones of another: the coarsest recoding that is finer than both. Of two valid chromosomes it makes a
    /// valid one.
    pub fn join(&mut self, other: &Genome) {
        self.bits.join(&other.bits);
    }

    /// What stands for the chromosome where only whether it was met before matters: a chromosome of a large taxonomy has
    /// thousands of bytes. Two of a search's chromosomes share a fingerprint less often than memory fails.
    pub fn fingerprint(&self) -> u128 {
        let lane = |seed: u64| {
            self.bits.words().iter().fold(seed, |state, word| {
                // The finalizer of splitmix64.
                let mixed = (state ^ word).wrapping_add(0x9e37_79b9_7f4a_7c15);
                let mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
                let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
                (mixed ^ (mixed >> 31)).rotate_left(17) ^ seed
            })
        };
        u128::from(lane(0x243f_6a88_85a3_08d3)) << 64 | u128::from(lane(0x1319_8a2e_0370_7344))
    }

    /// As text: sixteen hexadecimal digits a word.
    pub fn to_text(&self) -> String {
        self.bits.words().iter().map(|word| format!("{word:016x}")).collect()
    }

    /// From text, for chromosomes of that many bits.
    pub fn from_text(text: &str, bits: usize) -> Option<Self> {
        let words = bits.div_ceil(64);
        if text.len() != 16 * words || !text.is_ascii() {
            return None;
        }
        let words = (0..words).map(|at| u64::from_str_radix(&text[16 * at..16 * (at + 1)], 16).ok());
        Some(Genome { bits: Bits::from_words(words.collect::<Option<_>>()?, bits)? })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_comes_back() {
        let mut genome = Genome::zeros(105);
        [0, 63, 64, 104].into_iter().for_each(|bit| genome.set(bit, true));
        assert_eq!(Genome::from_text(&genome.to_text(), 105), Some(genome.clone()));
        assert_eq!(Genome::from_text(&genome.to_text(), 128), Some(genome.clone()));
        assert_eq!(Genome::from_text(&genome.to_text(), 129), None);
        assert_eq!(Genome::from_text(&genome.to_text(), 104), None, "a bit too many");
        assert_eq!(Genome::from_text("x", 1), None);
        assert_eq!(genome.ones(0..105), 4);
    }

    #[test]
    fn fingerprints_tell_chromosomes_apart() {
        let genomes = (0..200).flat_map(|one| (0..one).map(move |two| (one, two))).map(|(one, two)| {
            let mut genome = Genome::zeros(200);
            genome.set(one, true);
            genome.set(two, true);
            genome.fingerprint()
        });
        let all: std::collections::HashSet<u128> = genomes.collect();
        assert_eq!(all.len(), 200 * 199 / 2);
        let halves: std::collections::HashSet<u64> =
            all.iter().flat_map(|one| [*one as u64, (*one >> 64) as u64]).collect();
        assert_eq!(halves.len(), 200 * 199, "either half does");
    }

    #[test]
    fn fewer_ones_are_coarser() {
        let (mut fine, mut coarse) = (Genome::zeros(70), Genome::zeros(70));
        [3, 65].into_iter().for_each(|bit| fine.set(bit, true));
        coarse.set(65, true);
        assert!(coarse.is_coarser(&fine) && !fine.is_coarser(&coarse) && fine.is_coarser(&fine));
    }
}
