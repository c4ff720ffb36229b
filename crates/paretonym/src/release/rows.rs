//! What happens to each row and each column of a table on its way into a release.

use foldhash::fast::FixedState;
use hashbrown::HashMap;

use crate::data::{OtherColumns, Role};
use crate::error::{Error, Result};
use crate::study::Study;

/// What happens to a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fate {
    /// It is left out.
    Drop,
    /// Each value is replaced by a random token.
    Token,
    /// It is recoded; the position among the quasi columns.
    Recode(usize),
    /// It stays as it is, and a missing value in it is a missing value of the row.
    KeepUsed,
    /// It stays as it is.
    Keep,
}

/// The fate of each column of a table, in its order. `recoded` are the names of the quasi columns.
pub fn fates(study: &Study, names: &[String], recoded: &[&str], tokens: bool) -> Result<Vec<Fate>> {
    let place = study.data.place();
    let used = study.columns.iter().filter(|column| column.role.has(Role::Quasi) || column.role.has(Role::Sensitive));
    if let Some(column) = used.into_iter().find(|column| !names.contains(&column.name)) {
        return Err(Error::UnknownColumn { name: column.name.clone(), place, known: names.to_vec() });
    }
    let fate = |name: &String| {
        if let Some(at) = recoded.iter().position(|own| own == name) {
            return Ok(Fate::Recode(at));
        }
        let Some(column) = study.columns.iter().find(|column| column.name == *name) else {
            return match study.data.other_columns {
                OtherColumns::Drop => Ok(Fate::Drop),
                OtherColumns::Insensitive => Ok(Fate::Keep),
                OtherColumns::Error => Err(Error::study(format!(
                    "{place} has the column {name:?}, which the study does not name; describe it, or set [data] \
                     other_columns = \"insensitive\" or \"drop\""
                ))),
            };
        };
        Ok(if column.role.has(Role::Drop) {
            Fate::Drop
        } else if column.role.has(Role::Identifying) {
            if tokens { Fate::Token } else { Fate::Drop }
        } else if column.role.has(Role::Sensitive) || column.role.has(Role::Target) {
            Fate::KeepUsed
        } else {
            Fate::Keep
        })
    };
    names.iter().map(fate).collect()
}

/// The groups that stay. A row is looked up by the codes of its quasi cells. Where one recoding holds for the whole
/// table, the codes are those of sets already; where it differs from region to region, they are those of single values,
/// and each tuple of them is known together with the sets that it shows.
#[derive(Clone, Debug, Default)]
pub struct KeptGroups {
    groups: SetOf<()>,
    /// Per column, whether each set is shown by some group.
    shown: Vec<Vec<bool>>,
    local: Option<LocalRows>,
}

/// The tuples of a table and what they show.
#[derive(Clone, Debug, Default)]
struct LocalRows {
    /// The number of the group of each tuple that stays.
    group_of: SetOf<u32>,
    /// The number of each group.
    numbers: SetOf<u32>,
    /// The sets of group after group.
    sets: Vec<u32>,
}

/// Short lists of codes with something known of each. Lists that fit into one number are looked up faster.
#[derive(Clone, Debug, Default)]
struct SetOf<T> {
    packed: HashMap<u128, T, FixedState>,
    wide: HashMap<Box<[u32]>, T, FixedState>,
}

/// The codes in one number; none where one is too large for its share of the bits.
fn pack(codes: &[u32]) -> Option<u128> {
    let bits = (128 / codes.len().max(1)).min(32) as u32;
    let fits = bits > 0 && codes.iter().all(|code| u64::from(*code) >> bits == 0);
    fits.then(|| codes.iter().fold(0, |key, code| key << bits | u128::from(*code)))
}

/// The codes that are in one number.
fn unpack(number: u128, columns: usize) -> Vec<u32> {
    let bits = (128 / columns.max(1)).min(32) as u32;
    let mask = (1u128 << bits) - 1;
    (0..columns as u32).rev().map(|at| (number >> (at * bits) & mask) as u32).collect()
}

impl<T: Copy> SetOf<T> {
    fn insert(&mut self, codes: &[u32], known: T) {
        match pack(codes) {
            Some(number) => self.packed.insert(number, known),
            None => self.wide.insert(codes.into(), known),
        };
    }

    fn get(&self, codes: &[u32]) -> Option<T> {
        match pack(codes) {
            Some(number) => self.packed.get(&number).copied(),
            None => self.wide.get(codes).copied(),
        }
    }

    fn len(&self) -> usize {
        self.packed.len() + self.wide.len()
    }

    /// All lists of so many codes in an order that depends on nothing but them.
    fn entries(&self, columns: usize) -> impl Iterator<Item = (Vec<u32>, T)> {
        let mut packed: Vec<(u128, T)> = self.packed.iter().map(|(number, known)| (*number, *known)).collect();
        packed.sort_unstable_by_key(|(number, _)| *number);
        let mut wide: Vec<(&[u32], T)> = self.wide.iter().map(|(codes, known)| (codes.as_ref(), *known)).collect();
        wide.sort_unstable_by_key(|(codes, _)| *codes);
        let unpacked = packed.into_iter().map(move |(number, known)| (unpack(number, columns), known));
        unpacked.chain(wide.into_iter().map(|(codes, known)| (codes.to_vec(), known)))
    }
}

impl KeptGroups {
    /// Keeps a group, given by the set that it shows in each column.
    pub fn insert(&mut self, sets: &[u32]) {
        self.shown.resize_with(self.shown.len().max(sets.len()), Vec::new);
        for (shown, set) in self.shown.iter_mut().zip(sets) {
            let set = *set as usize;
            if set >= shown.len() {
                shown.resize(set + 1, false);
            }
            shown[set] = true;
        }
        self.groups.insert(sets, ());
    }

    /// Whether some group shows a set of a column.
    pub fn shows(&self, column: usize, set: usize) -> bool {
        self.shown.get(column).and_then(|shown| shown.get(set)).is_some_and(|shown| *shown)
    }

    /// Rows with these codes show these sets, which make a group that stays.
    pub fn place(&mut self, codes: &[u32], sets: &[u32]) {
        self.insert(sets);
        let local = self.local.get_or_insert_default();
        let number = local.numbers.get(sets).unwrap_or_else(|| {
            let next = local.numbers.len() as u32;
            local.numbers.insert(sets, next);
            local.sets.extend_from_slice(sets);
            next
        });
        local.group_of.insert(codes, number);
    }

    /// How many groups stay.
    pub fn len(&self) -> usize {
        self.groups.len()
    }

    /// Whether nothing stays.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The groups that stay, each by the sets of so many columns, in ascending order.
    pub fn groups(&self, columns: usize) -> impl Iterator<Item = Vec<u32>> {
        let mut groups: Vec<Vec<u32>> = self.groups.packed.keys().map(|number| unpack(*number, columns)).collect();
        groups.extend(self.groups.wide.keys().map(|codes| codes.to_vec()));
        groups.sort_unstable();
        groups.into_iter()
    }

    /// Where the recoding differs from region to region: the codes of each tuple that stays, and the number of its group.
    pub fn local_tuples(&self, columns: usize) -> impl Iterator<Item = (Vec<u32>, u32)> {
        self.local.iter().flat_map(move |local| local.group_of.entries(columns))
    }

    /// The sets that each of these groups shows, by its number.
    pub fn local_groups(&self, columns: usize) -> impl Iterator<Item = &[u32]> {
        self.local.iter().flat_map(move |local| local.sets.chunks_exact(columns.max(1)))
    }

    /// Whether a group stays.
    pub fn holds(&self, sets: &[u32]) -> bool {
        self.groups.get(sets).is_some()
    }

    /// Replaces the codes of a row by the sets that it shows; tells whether it stays.
    pub fn show(&self, codes: &mut [u32]) -> bool {
        let Some(local) = &self.local else { return self.holds(codes) };
        let Some(group) = local.group_of.get(codes) else { return false };
        let start = group as usize * codes.len();
        codes.copy_from_slice(&local.sets[start..start + codes.len()]);
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_show_their_sets_and_regions_their_own() {
        let mut wide = KeptGroups::default();
        wide.insert(&[1, 2]);
        let mut codes = [1, 2];
        assert!(wide.show(&mut codes) && codes == [1, 2]);
        assert!(!wide.show(&mut [2, 1]));
        let mut listed = KeptGroups::default();
        let groups = [vec![0, 7], vec![3, u32::MAX - 9], vec![5, 1]];
        groups.iter().rev().for_each(|sets| listed.insert(sets));
        assert_eq!(listed.groups(2).collect::<Vec<_>>(), groups);

        let mut local = KeptGroups::default();
        local.place(&[7, u32::MAX - 9], &[0, 4]);
        local.place(&[8, 1], &[0, 4]);
        local.place(&[9, 1], &[1, 4]);
        let mut codes = [8, 1];
        assert!(local.show(&mut codes) && codes == [0, 4]);
        let mut codes = [9, 1];
        assert!(local.show(&mut codes) && codes == [1, 4]);
        assert!(!local.show(&mut [0, 4]), "sets are no values");
        assert!(local.holds(&[0, 4]) && local.len() == 2);
        let tuples: Vec<(Vec<u32>, u32)> = local.local_tuples(2).collect();
        assert_eq!(tuples, [(vec![7, u32::MAX - 9], 0), (vec![8, 1], 0), (vec![9, 1], 1)]);
        assert_eq!(local.local_groups(2).collect::<Vec<_>>(), [[0, 4], [1, 4]]);
        assert_eq!(wide.local_tuples(2).count() + wide.local_groups(2).count(), 0);
    }
}
