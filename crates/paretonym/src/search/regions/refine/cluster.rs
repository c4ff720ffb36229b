//! Units that are shown together: what they cover, what that costs a row, and what it would cost with one unit more or less.

use super::units::{Charge, Units};

/// What some units cover in every column.
#[derive(Clone, Debug, Default)]
pub(in crate::search::regions) struct Cover {
    pub rows: u64,
    /// First and last leaf of each column that is charged by them.
    ends: Vec<[u32; 2]>,
    /// The leaves of columns that show sets.
    mask: Vec<u64>,
}

impl Cover {
    /// Of nothing.
    pub fn empty(units: &Units) -> Self {
        Cover { rows: 0, ends: vec![[u32::MAX, 0]; units.columns.len()], mask: vec![0; units.words] }
    }

    /// Adds a unit.
    pub fn add(&mut self, units: &Units, unit: u32) {
        self.rows += units.rows[unit as usize];
        for ((column, ends), &leaf) in units.columns.iter().zip(&mut self.ends).zip(units.codes(unit)) {
            if let Charge::Set(bits) | Charge::Capped(bits, ..) = column.charge {
                set(&mut self.mask, bits + leaf as usize);
            }
            *ends = [ends[0].min(leaf), ends[1].max(leaf)];
        }
    }

    /// Adds all that another one covers.
    pub fn join(&mut self, other: &Cover) {
        self.rows += other.rows;
        for (own, other) in self.ends.iter_mut().zip(&other.ends) {
            *own = [own[0].min(other[0]), own[1].max(other[1])];
        }
        self.mask.iter_mut().zip(&other.mask).for_each(|(own, other)| *own |= other);
    }

    /// What a row pays.
    pub fn cell(&self, units: &Units) -> f64 {
        let costs = units.columns.iter().zip(&self.ends).map(|(column, [low, high])| match &column.charge {
            Charge::Ends(_) => units.between(column, *low, *high),
            Charge::Set(bits) => column.weight * (ones(&self.mask, *bits, column.leaves) - 1.0),
            Charge::Capped(bits, most, _) => {
                let count = ones(&self.mask, *bits, column.leaves);
                if count <= f64::from(*most) {
                    column.weight * (count - 1.0)
                } else {
                    units.between(column, *low, *high)
                }
            }
        });
        costs.sum()
    }

    /// What all rows pay.
    pub fn loss(&self, units: &Units) -> f64 {
        if self.rows == 0 { 0.0 } else { self.rows as f64 * self.cell(units) }
    }
}

/// Some units, and what is needed to tell at once what a change of them costs.
#[derive(Clone, Debug, Default)]
pub(in crate::search::regions) struct Cluster {
    pub members: Vec<u32>,
    pub rows: u64,
    /// What a row pays.
    pub cell: f64,
    /// Whether its rows are left out instead, each at a fixed price.
    pub hidden: bool,
    cover: Cover,
    /// The ends of each column without one unit that has them.
    inner: Vec<[u32; 2]>,
    /// The leaves that at least two units have.
    twice: Vec<u64>,
}

/// What a cluster was before units were added.
pub(in crate::search::regions) struct Summary {
    count: usize,
    rows: u64,
    cell: f64,
    cover: Cover,
    inner: Vec<[u32; 2]>,
    twice: Vec<u64>,
}

impl Cluster {
    /// Of some units.
    pub fn new(units: &Units, members: Vec<u32>) -> Self {
        let mut cluster = Cluster { members, ..Cluster::default() };
        cluster.look(units);
        cluster
    }

    /// Whose rows are left out at a price.
    pub fn hidden(units: &Units, price: f64) -> Self {
        Cluster { hidden: true, cell: price, ..Cluster::new(units, Vec::new()) }
    }

    /// What all its rows pay.
    pub fn loss(&self) -> f64 {
        self.rows as f64 * self.cell
    }

    /// Adds a unit.
    pub fn push(&mut self, units: &Units, unit: u32) {
        self.members.push(unit);
        if self.hidden {
            self.rows += units.rows[unit as usize];
            return;
        }
        self.note(units, unit);
        self.rows = self.cover.rows;
        self.cell = self.cover.cell(units);
    }

    /// What it is without its members, to go back to.
    pub fn summary(&self) -> Summary {
        Summary {
            count: self.members.len(),
            rows: self.rows,
            cell: self.cell,
            cover: self.cover.clone(),
            inner: self.inner.clone(),
            twice: self.twice.clone(),
        }
    }

    /// Goes back to what it was before units were added.
    pub fn restore(&mut self, before: Summary) {
        self.members.truncate(before.count);
        (self.rows, self.cell) = (before.rows, before.cell);
        (self.cover, self.inner, self.twice) = (before.cover, before.inner, before.twice);
    }

    /// Takes a unit out.
    pub fn take(&mut self, units: &Units, unit: u32) {
        if let Some(at) = self.members.iter().position(|member| *member == unit) {
            self.members.remove(at);
        }
        self.look(units);
    }

    /// Puts a unit in the place of another.
    pub fn replace(&mut self, units: &Units, out: u32, unit: u32) {
        self.members.iter_mut().filter(|member| **member == out).for_each(|member| *member = unit);
        self.look(units);
    }

    /// Looks at all members anew.
    fn look(&mut self, units: &Units) {
        if self.hidden {
            self.rows = self.members.iter().map(|unit| units.rows[*unit as usize]).sum();
            return;
        }
        let width = units.columns.len();
        self.cover.rows = 0;
        self.cover.ends.clear();
        self.cover.ends.resize(width, [u32::MAX, 0]);
        self.inner.clear();
        self.inner.resize(width, [u32::MAX, 0]);
        for mask in [&mut self.cover.mask, &mut self.twice] {
            mask.clear();
            mask.resize(units.words, 0);
        }
        for at in 0..self.members.len() {
            self.note(units, self.members[at]);
        }
        self.rows = self.cover.rows;
        self.cell = if self.members.is_empty() { 0.0 } else { self.cover.cell(units) };
    }

    /// Notes the leaves of one unit more.
    fn note(&mut self, units: &Units, unit: u32) {
        self.cover.rows += units.rows[unit as usize];
        for (at, (column, &leaf)) in units.columns.iter().zip(units.codes(unit)).enumerate() {
            if let Charge::Set(bits) | Charge::Capped(bits, ..) = column.charge {
                let bit = bits + leaf as usize;
                self.twice[bit / 64] |= self.cover.mask[bit / 64] & 1 << (bit % 64);
                set(&mut self.cover.mask, bit);
                if matches!(column.charge, Charge::Set(_)) {
                    continue;
                }
            }
            let (ends, inner) = (&mut self.cover.ends[at], &mut self.inner[at]);
            inner[0] = inner[0].min(leaf.max(ends[0]));
            inner[1] = inner[1].max(leaf.min(ends[1]));
            *ends = [ends[0].min(leaf), ends[1].max(leaf)];
        }
    }

    /// What a row would pay with one unit more.
    #[inline]
    pub fn with(&self, units: &Units, unit: u32) -> f64 {
        self.changed(units, None, Some(unit))
    }

    /// What a row would pay with one unit less.
    #[inline]
    pub fn without(&self, units: &Units, unit: u32) -> f64 {
        if self.members.len() == 1 && !self.hidden { 0.0 } else { self.changed(units, Some(unit), None) }
    }

    /// What a row would pay with one unit in the place of another.
    pub fn swapped(&self, units: &Units, out: u32, unit: u32) -> f64 {
        if self.members.len() == 1 && !self.hidden { 0.0 } else { self.changed(units, Some(out), Some(unit)) }
    }

    #[inline]
    fn changed(&self, units: &Units, out: Option<u32>, unit: Option<u32>) -> f64 {
        let mut cell = self.cell;
        if self.hidden {
            return cell;
        }
        let (gone, come) = (out.map(|unit| units.codes(unit)), unit.map(|unit| units.codes(unit)));
        for (at, column) in units.columns.iter().enumerate() {
            let (gone, come) = (gone.map(|codes| codes[at]), come.map(|codes| codes[at]));
            if gone == come {
                continue;
            }
            match &column.charge {
                Charge::Set(bits) => {
                    let lost = gone.is_some_and(|leaf| !holds(&self.twice, bits + leaf as usize));
                    let won = come.is_some_and(|leaf| !holds(&self.cover.mask, bits + leaf as usize));
                    cell += column.weight * f64::from(i8::from(won) - i8::from(lost));
                }
                Charge::Ends(_) => {
                    let ends = self.cover.ends[at];
                    let moved = self.moved(at, gone, come);
                    if moved != ends {
                        cell += units.between(column, moved[0], moved[1]) - units.between(column, ends[0], ends[1]);
                    }
                }
                Charge::Capped(bits, most, _) => {
                    let lost = gone.is_some_and(|leaf| !holds(&self.twice, bits + leaf as usize));
                    let won = come.is_some_and(|leaf| !holds(&self.cover.mask, bits + leaf as usize));
                    let count = ones(&self.cover.mask, *bits, column.leaves);
                    let cost = |count: f64, [low, high]: [u32; 2]| match count <= f64::from(*most) {
                        true => column.weight * (count - 1.0),
                        false => units.between(column, low, high),
                    };
                    let then = count + f64::from(i8::from(won) - i8::from(lost));
                    cell += cost(then, self.moved(at, gone, come)) - cost(count, self.cover.ends[at]);
                }
            }
        }
        cell
    }

    /// The ends of a column without one leaf and with another.
    #[inline]
    fn moved(&self, at: usize, gone: Option<u32>, come: Option<u32>) -> [u32; 2] {
        let (ends, inner) = (self.cover.ends[at], self.inner[at]);
        let low = if gone == Some(ends[0]) { inner[0] } else { ends[0] };
        let high = if gone == Some(ends[1]) { inner[1] } else { ends[1] };
        come.map_or([low, high], |leaf| [low.min(leaf), high.max(leaf)])
    }

    /// What all rows of two clusters would pay in one.
    pub fn joined(&self, units: &Units, other: &Cluster) -> f64 {
        let (own, them) = (&self.cover, &other.cover);
        let costs = units.columns.iter().enumerate().map(|(at, column)| {
            let (one, two) = (own.ends[at], them.ends[at]);
            let ends = || units.between(column, one[0].min(two[0]), one[1].max(two[1]));
            match &column.charge {
                Charge::Ends(_) => ends(),
                Charge::Set(bits) => column.weight * (ones_of_both(&own.mask, &them.mask, *bits, column.leaves) - 1.0),
                Charge::Capped(bits, most, _) => {
                    let count = ones_of_both(&own.mask, &them.mask, *bits, column.leaves);
                    if count <= f64::from(*most) { column.weight * (count - 1.0) } else { ends() }
                }
            }
        });
        (own.rows + them.rows) as f64 * costs.sum::<f64>()
    }
}

fn set(mask: &mut [u64], bit: usize) {
    mask[bit / 64] |= 1 << (bit % 64);
}

#[inline]
fn holds(mask: &[u64], bit: usize) -> bool {
    mask[bit / 64] >> (bit % 64) & 1 == 1
}

/// How many of the bits from `first` on are set.
fn ones(mask: &[u64], first: usize, bits: usize) -> f64 {
    ones_of_both(mask, mask, first, bits)
}

/// How many of the bits from `first` on are set in one mask or the other.
fn ones_of_both(one: &[u64], other: &[u64], first: usize, bits: usize) -> f64 {
    let (mut count, mut at) = (0, first);
    while at < first + bits {
        let (word, shift) = (at / 64, at % 64);
        let taken = (64 - shift).min(first + bits - at);
        count += ((one[word] | other[word]) >> shift & (u64::MAX >> (64 - taken))).count_ones();
        at += taken;
    }
    f64::from(count)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::recode::CellForm;
    use crate::search::regions::split_table::SplitTable;
    use crate::search::regions::tests::table;

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]

        /// What a change would cost is what it costs once it is made.
        #[test]
        fn a_change_costs_what_was_said(
            cells in prop::collection::vec((0u32..90, 0u32..40, 0u32..7), 4..40),
            form in 0usize..3,
        ) {
            let table = table(cells);
            let form = [CellForm::Nodes, CellForm::Sets, CellForm::SetsOfAtMost(2)][form];
            let split_table = SplitTable::new(&table, form, &[0.4, 0.3, 0.3]);
            let units = Units::of_tuples(&split_table);
            let all = units.len() as u32;
            let own = Cluster::new(&units, (0..all / 2).collect());
            let facts = |members: &[u32]| -> f64 {
                let columns = split_table.columns.iter().enumerate().map(|(at, column)| {
                    let mut leaves: Vec<u32> = members.iter().map(|unit| column.codes[*unit as usize]).collect();
                    leaves.sort_unstable();
                    leaves.dedup();
                    column.weight * f64::from(split_table.facts(at, &leaves).values - 1)
                });
                columns.sum()
            };
            prop_assert!((own.cell - facts(&own.members)).abs() < 1e-9);
            for unit in all / 2..all {
                let mut more = own.clone();
                more.push(&units, unit);
                prop_assert!((own.with(&units, unit) - more.cell).abs() < 1e-9);
                prop_assert!((more.without(&units, unit) - own.cell).abs() < 1e-9);
                prop_assert!((own.joined(&units, &Cluster::new(&units, vec![unit])) - more.loss()).abs() < 1e-6);
                if own.members.len() > 1 {
                    let mut other = own.clone();
                    other.replace(&units, 0, unit);
                    prop_assert!((own.swapped(&units, 0, unit) - other.cell).abs() < 1e-9);
                    prop_assert!((other.cell - facts(&other.members)).abs() < 1e-9);
                }
            }
        }
    }
}
