//! A quasi column of a release: what its values become, without telling values that nobody who stays has.

use std::collections::HashSet;

use super::saved::{MappedBin, MappedNumber, MappedValue, Mapping, SavedColumn, SavedSet, Shown};
use crate::data::Kind;
use crate::error::{Error, Result};
use crate::group::FrequencyTable;
use crate::loss::{NumericForm, cell_loss};
use crate::recode::{
    ColumnRecoding, ColumnSets, LeafRun, QuasiColumn, RegionSet, interval_of_leaves, leaves_label, set_labels,
};
use crate::study::{ColumnSpec, Study};

/// A column and those of its values that may be told.
pub(super) struct ReleasedColumn<'a> {
    spec: &'a ColumnSpec,
    column: &'a QuasiColumn,
    /// Rows of each leaf that stay.
    rows: Vec<u64>,
    /// The leaf of missing cells.
    missing: Option<usize>,
    /// How the study's loss charges numbers.
    form: NumericForm,
}

/// What the sets of a column are called.
pub(super) struct SetNames {
    /// The name of each set.
    pub labels: Vec<String>,
    /// Which of them are called by the values of those who stay alone.
    narrowed: Vec<bool>,
}

impl<'a> ReleasedColumn<'a> {
    /// `rows` are those of each leaf that stay.
    pub fn new(study: &'a Study, table: &'a FrequencyTable, at: usize, rows: Vec<u64>) -> Result<Self> {
        let column = &table.columns[at];
        let spec = study.columns.iter().find(|spec| spec.name == column.name);
        let spec = spec.ok_or_else(|| Error::internal("the table has a column that the study lacks"))?;
        let missing = study.data.missing_leaf(&column.domain).map(|leaf| leaf as usize);
        let form = NumericForm::of_study(&study.search.loss);
        Ok(ReleasedColumn { spec, column, rows, missing, form })
    }

    /// Values that the data brought along, rather than the study, must not be told where nobody who stays has them.
    fn hidden(&self, leaf: usize) -> bool {
        let learned = self.spec.taxonomy.is_none() && self.spec.order.is_none() && self.spec.range.is_none();
        learned && self.rows[leaf] == 0
    }

    /// Whether the leaves are intervals that tile a range, so that none can be left out.
    fn tiled(&self) -> bool {
        self.column.domain.bounds.as_ref().is_some_and(|bounds| bounds.iter().any(|(low, high)| low < high))
    }

    /// The leaves that may be told.
    fn listed(&self) -> impl Iterator<Item = usize> {
        let tiled = self.tiled();
        (0..self.column.domain.len()).filter(move |leaf| tiled || !self.hidden(*leaf))
    }

    /// The mapping of some values to labels.
    fn mapping(&self, listed: impl Iterator<Item = usize>, label_at: impl Fn(usize) -> String) -> Mapping {
        let domain = &self.column.domain;
        let leaves = listed.filter(|leaf| Some(*leaf) != self.missing);
        match &domain.bounds {
            Some(bounds) if self.tiled() => Mapping::Bins {
                bins: leaves
                    .map(|leaf| MappedBin { from: bounds[leaf].0, to: bounds[leaf].1, label: label_at(leaf) })
                    .collect(),
                closed: false,
            },
            Some(bounds) => Mapping::Numbers {
                numbers: leaves.map(|leaf| MappedNumber { value: bounds[leaf].0, label: label_at(leaf) }).collect(),
            },
            None => Mapping::Values {
                values: leaves
                    .map(|leaf| MappedValue { value: domain.labels[leaf].clone(), label: label_at(leaf) })
                    .collect(),
            },
        }
    }

    fn saved(
        &self,
        sets: Vec<SavedSet>,
        shown: Shown,
        listed: impl Iterator<Item = usize>,
        label_at: impl Fn(usize) -> String,
    ) -> SavedColumn {
        let domain = &self.column.domain;
        SavedColumn {
            name: self.column.name.clone(),
            kind: domain.kind,
            shown: if domain.kind == Kind::Numeric { shown } else { Shown::Labels },
            domain: domain.size(),
            sets,
            mapping: self.mapping(listed, &label_at),
            leaves: Vec::new(),
            missing: self.missing.map(label_at),
        }
    }

    /// What the sets of one recoding for the whole table are called.
    pub fn set_names(&self, recoding: &ColumnRecoding, sets: &ColumnSets) -> SetNames {
        let column = self.column;
        let mut labels = set_labels(column, recoding, sets);
        // Sets that are called by the values at their ends, rather than by borders that somebody chose.
        let generated = self.spec.groups.is_some() || self.spec.bins.is_some();
        let named_by_values = !self.tiled() && (matches!(recoding, ColumnRecoding::Breaks(_)) || generated);
        let mut narrowed = vec![false; sets.len()];
        for (set, label) in labels.iter_mut().enumerate() {
            let leaves = sets.first[set] as usize..sets.first[set + 1] as usize;
            let visible: Vec<usize> = leaves.clone().filter(|leaf| !self.hidden(*leaf)).collect();
            // A set that nobody who stays shows is told nowhere: a later table may show it under its own name.
            if named_by_values && !visible.is_empty() && visible.len() < leaves.len() {
                *label = leaves_label(column, &visible);
                narrowed[set] = true;
            }
        }
        self.distinguish(&mut labels, |set| vec![(sets.first[set], sets.first[set + 1] - 1)]);
        SetNames { labels, narrowed }
    }

    /// One recoding for the whole table.
    pub fn table_wide(&self, recoding: &ColumnRecoding, sets: &ColumnSets, shown: Shown) -> SavedColumn {
        let column = self.column;
        let SetNames { labels, narrowed } = self.set_names(recoding, sets);
        let run = |set: usize| (sets.first[set], sets.first[set + 1] - 1);
        let saved_sets = (0..sets.len()).map(|set| SavedSet {
            label: labels[set].clone(),
            values: column.domain.values(sets.first[set] as usize, sets.first[set + 1] as usize),
            loss: cell_loss(column, &[run(set)], self.form),
            median: self.median((run(set).0..=run(set).1).map(|leaf| (leaf, self.rows[leaf as usize]))),
            holds: Vec::new(),
        });
        let saved_sets = saved_sets.collect();
        // Where a set is called by the values of those who stay, its name is not true of the others.
        let set_of = |leaf: usize| sets.set_of[leaf] as usize;
        let true_of = |leaf: &usize| !narrowed[set_of(*leaf)] || !self.hidden(*leaf);
        let listed = (0..column.domain.len()).filter(true_of);
        self.saved(saved_sets, shown, listed, |leaf| labels[set_of(leaf)].clone())
    }

    /// Sets that regions show, and the rows by leaf that show each of them. The second result is the code of each leaf
    /// that may be told.
    pub fn local(
        &self,
        sets: &[&RegionSet],
        rows: &[Vec<(u32, u64)>],
        shown: Shown,
    ) -> (SavedColumn, Vec<Option<u32>>) {
        let column = self.column;
        let mut codes = vec![None; column.domain.len()];
        let mut leaves = Vec::new();
        for leaf in self.listed() {
            codes[leaf] = Some(leaves.len() as u32);
            leaves.push(column.domain.labels[leaf].clone());
        }
        let label = |set: &&RegionSet| {
            let all = set.shown().iter().flat_map(|(first, last)| *first as usize..=*last as usize);
            let visible: Vec<usize> = all.clone().filter(|leaf| !self.hidden(*leaf)).collect();
            let ordered = column.domain.kind != Kind::Categorical && !self.tiled();
            if ordered && visible.len() < all.count() {
                interval_of_leaves(column, &visible)
            } else {
                set.label.clone()
            }
        };
        let mut labels: Vec<String> = sets.iter().map(label).collect();
        self.distinguish(&mut labels, |set| sets[set].shown().to_vec());
        let saved_sets = sets.iter().zip(labels).zip(rows).map(|((set, label), rows)| SavedSet {
            label,
            values: set.values(column),
            loss: cell_loss(column, set.shown(), self.form),
            median: self.median(rows.iter().copied()),
            holds: held(set.shown(), &codes),
        });
        let saved_sets = saved_sets.collect();
        let saved = self.saved(saved_sets, shown, self.listed(), |leaf| column.domain.labels[leaf].clone());
        (SavedColumn { leaves, ..saved }, codes)
    }

    /// Two sets of a cut may have one name, taken from different heights of a tree. In a file they would be one set.
    fn distinguish(&self, labels: &mut [String], runs: impl Fn(usize) -> Vec<LeafRun>) {
        let mut seen: HashSet<String> = HashSet::new();
        for (set, label) in labels.iter_mut().enumerate() {
            if seen.contains(label) {
                let leaves = runs(set).into_iter().flat_map(|(first, last)| first as usize..=last as usize);
                let names = leaves.filter(|leaf| !self.hidden(*leaf));
                let names: Vec<&str> = names.map(|leaf| self.column.domain.labels[leaf].as_str()).collect();
                *label = format!("{label} {{{}}}", names.join(", "));
            }
            while !seen.insert(label.clone()) {
                label.push('\'');
            }
        }
    }

    /// The median of some entries, given as leaves in order with their rows. Of a bin only its middle is known.
    fn median(&self, entries: impl Iterator<Item = (u32, u64)>) -> Option<f64> {
        let numbers = entries.filter_map(|(leaf, rows)| Some((self.column.domain.middle(leaf as usize)?, rows)));
        let numbers: Vec<(f64, u64)> = numbers.filter(|(_, rows)| *rows > 0).collect();
        let total: u64 = numbers.iter().map(|(_, rows)| rows).sum();
        let at = |place: u64| {
            let mut before = 0;
            numbers.iter().find(|(_, rows)| {
                before += rows;
                place < before
            })
        };
        Some((at(total.checked_sub(1)? / 2)?.0 + at(total / 2)?.0) / 2.0)
    }
}

/// Runs of leaves as runs of codes; leaves without a code are passed over.
fn held(runs: &[LeafRun], codes: &[Option<u32>]) -> Vec<LeafRun> {
    let mut held: Vec<LeafRun> = Vec::new();
    for code in runs.iter().flat_map(|(first, last)| &codes[*first as usize..=*last as usize]).flatten() {
        match held.last_mut() {
            Some(run) if run.1 + 1 == *code => run.1 = *code,
            _ => held.push((*code, *code)),
        }
    }
    held
}
