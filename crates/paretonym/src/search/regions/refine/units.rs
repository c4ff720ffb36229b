//! What is put into clusters, and what a cluster's cells cost.
//!
//! A unit is a tuple with all its rows, or one of its rows where rows of a tuple may part.

use crate::search::regions::split_table::{Shows, SplitTable};

/// What two ends cost is looked up in columns with at most so many leaves.
const LISTED: usize = 256;

/// How a column's cells are charged.
pub(in crate::search::regions) enum Charge {
    /// By the first and the last leaf: what each pair of them costs is listed, or worked out.
    Ends(Option<Vec<f64>>),
    /// By how many leaves there are; where their bits begin.
    Set(usize),
    /// By how many leaves there are up to so many, and by the first and the last beyond.
    Capped(usize, u32, Option<Vec<f64>>),
}

/// One quasi column.
pub(in crate::search::regions) struct UnitColumn {
    pub charge: Charge,
    pub weight: f64,
    pub leaves: usize,
    at: usize,
}

/// All units.
pub(in crate::search::regions) struct Units<'a> {
    pub split_table: &'a SplitTable<'a>,
    pub columns: Vec<UnitColumn>,
    /// Rows of each unit.
    pub rows: Vec<u64>,
    /// Words of bits that a cluster needs for the leaves of columns that show sets.
    pub words: usize,
    /// The leaves of unit after unit.
    codes: Vec<u32>,
}

impl<'a> Units<'a> {
    /// The tuples of a table.
    pub fn of_tuples(split_table: &'a SplitTable<'a>) -> Self {
        let tuples: Vec<u32> = (0..split_table.rows.len() as u32).collect();
        Units::new(split_table, &tuples, split_table.rows.clone())
    }

    /// Some tuples, which may come several times, each with so many rows.
    pub fn new(split_table: &'a SplitTable<'a>, tuples: &[u32], rows: Vec<u64>) -> Self {
        let mut bits = 0;
        let mut take = |leaves: usize| {
            let first = bits;
            bits += leaves;
            first
        };
        let columns: Vec<UnitColumn> = split_table
            .columns
            .iter()
            .enumerate()
            .map(|(at, column)| {
                let leaves = split_table.table.columns[at].domain.len();
                let listed = || (leaves <= LISTED).then(|| pairs(split_table, at, leaves));
                let charge = match column.shows {
                    Shows::Interval | Shows::Node => Charge::Ends(listed()),
                    Shows::Set(most) if (most as usize) < leaves => Charge::Capped(take(leaves), most, listed()),
                    Shows::Set(_) => Charge::Set(take(leaves)),
                };
                UnitColumn { charge, weight: column.weight, leaves, at }
            })
            .collect();
        let mut codes = vec![0; tuples.len() * columns.len()];
        for (at, column) in split_table.columns.iter().enumerate() {
            let own = codes.iter_mut().skip(at).step_by(columns.len());
            own.zip(tuples).for_each(|(code, tuple)| *code = column.codes[*tuple as usize]);
        }
        Units { split_table, columns, rows, words: bits.div_ceil(64), codes }
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.rows.len()
    }

    /// The leaves of a unit.
    #[inline]
    pub fn codes(&self, unit: u32) -> &[u32] {
        let width = self.columns.len();
        &self.codes[unit as usize * width..(unit as usize + 1) * width]
    }

    /// What a row pays in a column for showing everything from one leaf to another, or the node above both.
    #[inline]
    pub fn between(&self, column: &UnitColumn, low: u32, high: u32) -> f64 {
        match &column.charge {
            Charge::Ends(Some(listed)) | Charge::Capped(.., Some(listed)) => {
                listed[low as usize * column.leaves + high as usize]
            }
            _ => worked_out(self.split_table, column.at, low, high),
        }
    }

    /// What a row pays where two units are a cluster.
    pub fn distance(&self, one: u32, other: u32) -> f64 {
        let pairs = self.codes(one).iter().zip(self.codes(other)).enumerate();
        pairs.map(|(column, (one, other))| self.together(column, *one, *other)).sum()
    }

    /// What a row pays in a column for showing two leaves together.
    #[inline]
    pub fn together(&self, column: usize, one: u32, other: u32) -> f64 {
        let own = &self.columns[column];
        match &own.charge {
            _ if one == other => 0.0,
            Charge::Set(_) => own.weight,
            Charge::Capped(_, most, _) if *most > 1 => own.weight,
            Charge::Ends(_) | Charge::Capped(..) => self.between(own, one.min(other), one.max(other)),
        }
    }
}

/// What each pair of ends costs.
fn pairs(split_table: &SplitTable, column: usize, leaves: usize) -> Vec<f64> {
    let mut listed = vec![0.0; leaves * leaves];
    for low in 0..leaves {
        for high in low..leaves {
            listed[low * leaves + high] = worked_out(split_table, column, low as u32, high as u32);
        }
    }
    listed
}

fn worked_out(split_table: &SplitTable, column: usize, low: u32, high: u32) -> f64 {
    let own = &split_table.columns[column];
    let (first, last) = match own.shows {
        Shows::Interval => (low, high),
        Shows::Set(_) | Shows::Node => split_table.node(column, low, high),
    };
    own.weight * f64::from(own.values_beyond(first, last))
}
