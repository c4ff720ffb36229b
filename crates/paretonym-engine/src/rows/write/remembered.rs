//! Which combinations of sets stay, remembered by number: most tables have few, and each is met by many rows.

use paretonym::release::{KeptGroups, SavedRecoding};

/// The most combinations that are remembered.
const MOST: usize = 1 << 20;

const NOT_ASKED: u8 = 0;
const GOES: u8 = 1;
const STAYS: u8 = 2;

/// One worker's memory of the answers of [`KeptGroups`].
pub(super) struct Remembered {
    /// The number of sets of each column.
    sets: Vec<u32>,
    answers: Vec<u8>,
}

impl Remembered {
    /// Only where one recoding holds for the whole table, so that the codes of a row are sets, and combinations are few.
    pub fn new(saved: &SavedRecoding) -> Option<Self> {
        let sets: Vec<u32> = saved.columns.iter().map(|column| column.sets.len() as u32).collect();
        let all =
            sets.iter().try_fold(1usize, |all, sets| all.checked_mul(*sets as usize)).filter(|all| *all <= MOST)?;
        saved.regions.is_none().then(|| Remembered { sets, answers: vec![NOT_ASKED; all] })
    }

    /// Whether a row with these codes stays; none where one of them is no set.
    pub fn stays(&mut self, codes: &mut [u32], kept: &KeptGroups) -> Option<bool> {
        let mut number = 0;
        for (code, sets) in codes.iter().zip(&self.sets) {
            if code >= sets {
                return None;
            }
            number = number * *sets as usize + *code as usize;
        }
        let answer = &mut self.answers[number];
        if *answer == NOT_ASKED {
            *answer = if kept.show(codes) { STAYS } else { GOES };
        }
        Some(*answer == STAYS)
    }
}
