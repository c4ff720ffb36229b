//! Problem 4 of S0, (k,l)-safety: figures 10 and 11.

use anyhow::Result;
use paretonym::front::{Cutoff, Solution};

use super::{effort, faithful};
use crate::adult::{Adult, Outcome, search, table};
use crate::tables::{or_dash, percent, table as markdown};

/// Problem 4: both orders of the paper, and a limit for each of k and l.
pub struct Safety {
    l_first: Outcome,
    k_first: Outcome,
    pub joint: Outcome,
}

/// The most k of a run for some l within a loss.
pub fn best(run: &Outcome, l: f64, limit: f64) -> Option<u64> {
    let all = run.solutions.iter().filter(|s| s.loss <= limit && s.l.is_some_and(|own| own >= l));
    all.map(|solution| solution.k).max()
}

impl Safety {
    pub fn search(adult: &Adult) -> Result<Self> {
        let study = adult.study_with_sensitive()?;
        let kl = table(&study)?;
        let ordered = |prefer: &str| faithful(&study.search.clone().with("form", "ordered").with("prefer", prefer));
        Ok(Safety {
            l_first: search(&kl, &ordered("l"))?,
            k_first: search(&kl, &ordered("k"))?,
            joint: search(&kl, &study.search)?,
        })
    }

    /// The largest class that the paper would print for some l within a loss.
    fn claimed(&self, l: f64, limit: f64) -> Option<(u64, u64)> {
        // The first class that stays under k << l, whatever else stays.
        let class = |solution: &Solution| match solution.cutoff {
            Cutoff::Before(levels) => Some((-levels.costs()[0], -levels.costs()[1])),
            _ => Some((solution.k as f64, solution.l?)),
        };
        let classes = self.l_first.solutions.iter().filter(|solution| solution.loss <= limit).filter_map(class);
        classes.filter(|(_, own)| *own == l).map(|(k, l)| (k as u64, l as u64)).max()
    }

    pub fn section(&self) -> String {
        let Safety { l_first, k_first, joint } = self;
        let mut text = "### Problem 4, (k,l)-safety, at most 10 % suppressed (figures 10 and 11): the most k for each l\n\n\
             Occupation is sensitive. k and l are measured on what stays, so they hold; the paper's are the class (d1,d2) \
             that ends its order, which need not (an erratum of the paper); the last but one column has that class \
             for our faithful run, as the paper would print it. *joint* suppresses by a limit for each.\n\n"
            .to_owned();
        let published =
            [(0.20, 4, "(20,4)"), (0.21, 3, "(22,3)"), (0.21, 5, "(20,5)"), (0.21, 6, "(18,6)"), (0.30, 7, "(15,7)")];
        let mut rows = Vec::new();
        for limit in [0.20, 0.21, 0.30] {
            for l in 2..=7 {
                let runs = [l_first, k_first, joint].map(|run| or_dash(best(run, f64::from(l), limit)));
                let paper =
                    published.iter().find(|(own, level, _)| *own == limit && *level == l).map_or("", |(_, _, t)| t);
                let class = self.claimed(f64::from(l), limit).map_or("–".to_owned(), |(k, l)| format!("({k},{l})"));
                rows.push(
                    [percent(limit), l.to_string()].into_iter().chain(runs).chain([class, paper.to_owned()]).collect(),
                );
            }
        }
        let header = [
            "loss at most",
            "l",
            "faithful, k << l",
            "faithful, l << k",
            "ours, joint",
            "class, k << l",
            "published, k << l",
        ];
        text += &markdown(&header, &rows);
        text += &effort(&[("k << l", l_first), ("l << k", k_first), ("joint", joint)]);
        text
    }

    /// The most l within a loss, and the most k with it.
    pub fn safe(&self, limit: f64) -> String {
        let level = (2..=8).rev().find_map(|l| best(&self.joint, f64::from(l), limit).map(|k| (k, l)));
        level.map_or("none".to_owned(), |(k, l)| format!("({k},{l})"))
    }
}
