//! Fronts for tests.

use crate::recode::{WrittenColumn, WrittenRecoding};

use crate::front::{Bias, Cutoff, FORMAT, FrontFile, Objective, Solution};

/// A front of k against loss, best k first.
pub(crate) fn front_of(points: &[(u64, f64)]) -> FrontFile {
    let solution = |(at, (k, loss)): (usize, &(u64, f64))| Solution {
        id: at as u32 + 1,
        objectives: vec![*k as f64, *loss],
        k: *k,
        loss: *loss,
        gl: *loss,
        sl: 0.0,
        weighted_k: *k as f64 * 1.5,
        l: None,
        t: None,
        privacy: vec![*k as f64],
        necd: 0.0123456789,
        suppressed: Some(0),
        groups: (30_162 / k).max(1),
        loss_bound: None,
        gap: None,
        one_valued: 0,
        alternatives: 0,
        cutoff: Cutoff::Nothing,
        recoding: WrittenRecoding::TableWide(vec![("age".to_owned(), WrittenColumn::Level(at as u32))]),
        bias: Bias::default(),
        described: true,
    };
    FrontFile {
        format: FORMAT.to_owned(),
        problem: "max-suppression".to_owned(),
        optimizer: "exact".to_owned(),
        privacy: vec!["k".to_owned()],
        loss: "general".to_owned(),
        eta: Some(0.01),
        cutoffs: Some("all".to_owned()),
        at_least: Default::default(),
        at_most: Default::default(),
        rows: 30_162,
        dropped: 2_399,
        distinct: 19_502,
        evaluated: 879,
        space: Some(12_960),
        exact: true,
        complete: true,
        seed: 1,
        moved: None,
        seconds: 0.1,
        notes: Vec::new(),
        warnings: Vec::new(),
        objectives: vec![Objective::max("k"), Objective::min("loss")],
        solutions: points.iter().enumerate().map(solution).collect(),
    }
}
