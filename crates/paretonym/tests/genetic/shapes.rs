//! Random tables of several shapes.

use super::*;

pub(crate) fn labels(prefix: &str, count: usize) -> Vec<String> {
    (0..count).map(|value| format!("{prefix}{value}")).collect()
}

pub(crate) fn column(name: &str, leaves: usize, widths: &[usize], family: Family) -> QuasiColumn {
    let names = labels(name, leaves);
    let levels = widths.iter().map(|width| {
        let set_of: Vec<u32> = (0..leaves).map(|leaf| (leaf / width) as u32).collect();
        Level { set_of, labels: labels(&format!("{name}/{width}-"), leaves.div_ceil(*width)) }
    });
    let hierarchy = Hierarchy::from_partitions(name, &names, levels.collect()).unwrap();
    let domain = Domain::of_labels(Kind::Categorical, names);
    QuasiColumn { name: name.into(), domain, hierarchy, family, weight: 0.25 }
}

/// Which columns a table has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Shape {
    /// 26 and 9 cuts, 64 break patterns, 3 levels: 44,928 recodings.
    Mixed,
    /// 26, 9, 9 and 5 cuts, 3 levels: 31,590 recodings.
    Cuts,
    /// 32, 32, 16 and 2 break patterns: 32,768 recodings.
    Breaks,
}

impl Shape {
    pub(crate) fn columns(self) -> Vec<QuasiColumn> {
        match self {
            Shape::Mixed => vec![
                column("a", 8, &[2, 4], Family::Cuts),
                column("b", 6, &[2], Family::Cuts),
                column("c", 7, &[], Family::Breaks),
                column("d", 4, &[2], Family::Levels),
            ],
            Shape::Cuts => vec![
                column("a", 12, &[3, 6], Family::Cuts),
                column("b", 6, &[2], Family::Cuts),
                column("c", 9, &[3], Family::Cuts),
                column("d", 4, &[2], Family::Cuts),
                column("e", 4, &[2], Family::Levels),
            ],
            Shape::Breaks => vec![
                column("a", 6, &[], Family::Breaks),
                column("b", 6, &[], Family::Breaks),
                column("c", 5, &[], Family::Breaks),
                column("d", 2, &[], Family::Breaks),
            ],
        }
    }
}

pub(crate) fn table_of(shape: Shape, seed: u64) -> FrequencyTable {
    let mut dice = Dice::new(seed);
    let columns = shape.columns();
    let mut rows: Vec<(Vec<u32>, u32)> = (0..1500)
        .map(|_| {
            let kind = dice.share();
            let leaves: Vec<u32> = columns
                .iter()
                .map(|column| {
                    let place = (0.5 * kind + 0.5 * dice.share() * dice.share()) * column.domain.len() as f64;
                    place as u32
                })
                .collect();
            let sensitive = ((0.3 * kind + 0.7 * dice.share()) * 6.0) as u32;
            (leaves, sensitive)
        })
        .collect();
    rows.sort();
    let (mut leaves, mut counts, mut sensitive): (Vec<u32>, Vec<u64>, Vec<AttributeCount>) = Default::default();
    let mut last: Option<&(Vec<u32>, u32)> = None;
    for row in &rows {
        if last.is_none_or(|last| last.0 != row.0) {
            leaves.extend(&row.0);
            counts.push(0);
        }
        let tuple = counts.len() as u32 - 1;
        *counts.last_mut().unwrap() += 1;
        match sensitive.last_mut().filter(|entry| entry.tuple == tuple && entry.value == row.1) {
            Some(entry) => entry.count += 1,
            None => sensitive.push(AttributeCount { tuple, value: row.1, count: 1 }),
        }
        last = Some(row);
    }
    let attribute = Attribute {
        name: "s".into(),
        sensitive: true,
        target: true,
        domain: Domain::of_labels(Kind::Categorical, labels("s", 6)),
        hierarchy: None,
        totals: Vec::new(),
    };
    FrequencyTable::new(columns, vec![attribute], &leaves, &counts, &[sensitive], 0).unwrap()
}
