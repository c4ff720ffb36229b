//! The level of a group by each privacy model, and the cut-offs that it gives.

use super::Naive;
use super::hidden::Hidden;

impl Naive {
    /// Whether less is better in a model.
    pub fn less_is_better(model: &str) -> bool {
        model == "t" || model.starts_with("alpha")
    }

    /// The level of a group.
    pub fn level(&self, model: &str, group: &[usize]) -> f64 {
        let size = group.len() as f64;
        let least = |level: &dyn Fn(&Hidden) -> f64| self.sensitive.iter().map(level).fold(f64::INFINITY, f64::min);
        let most = |level: &dyn Fn(&Hidden) -> f64| self.sensitive.iter().map(level).fold(0.0, f64::max);
        let distinct = |hidden: &Hidden| hidden.falling(group).len() as f64;
        let recursive = |hidden: &Hidden, c: f64| {
            let counts = hidden.falling(group);
            let holds = |l: &usize| (counts[0] as f64) < c * counts[l - 1..].iter().sum::<usize>() as f64;
            (1..=counts.len()).filter(holds).max().unwrap_or(0) as f64
        };
        match model {
            "k" => size,
            "frequency-l" => least(&|hidden| (group.len() / hidden.falling(group)[0]) as f64),
            "distinct-l" => least(&distinct),
            "entropy-l" => least(&|hidden| {
                let shares = hidden.falling(group).into_iter().map(|count| count as f64 / size);
                (-shares.map(|share| share * share.ln()).sum::<f64>()).exp()
            }),
            "recursive-l" => least(&|hidden| recursive(hidden, 2.0)),
            "recursive-l(c=3)" => least(&|hidden| recursive(hidden, 3.0)),
            "recursive-l(c=0.5)" => least(&|hidden| recursive(hidden, 0.5)),
            "t" => most(&|hidden| hidden.earth_movers(group)),
            "alpha(k=2)" if group.len() < 2 => 1.0,
            "alpha" | "alpha(k=2)" => most(&|hidden| hidden.falling(group)[0] as f64 / size),
            "p-sensitive(k=3)" if group.len() < 3 => 0.0,
            "p-sensitive" | "p-sensitive(k=3)" => least(&distinct),
            _ => panic!("no definition of {model}"),
        }
    }

    /// The mean over rows of their own group's level.
    pub fn weighted_level(&self, model: &str, groups: &[Vec<usize>]) -> f64 {
        groups.iter().map(|group| group.len() as f64 * self.level(model, group)).sum::<f64>() / self.rows as f64
    }

    /// The cut-offs that fit into a number of rows, from none on: which groups are suppressed at each.
    pub fn cutoffs(&self, model: &str, groups: &[Vec<usize>], budget: usize) -> Vec<Vec<bool>> {
        let sign = if Naive::less_is_better(model) { -1.0 } else { 1.0 };
        let levels: Vec<f64> = groups.iter().map(|group| sign * self.level(model, group)).collect();
        let mut order: Vec<usize> = (0..groups.len()).collect();
        order.sort_by(|a, b| levels[*a].total_cmp(&levels[*b]));
        let mut gone = vec![false; groups.len()];
        let mut cutoffs = vec![gone.clone()];
        while let Some(worst) = order.iter().find(|group| !gone[**group]) {
            let worst = levels[*worst];
            (0..groups.len()).filter(|group| levels[*group] <= worst + 1e-12).for_each(|group| gone[group] = true);
            let rows: usize = groups.iter().zip(&gone).filter(|(_, gone)| **gone).map(|(group, _)| group.len()).sum();
            if rows > budget {
                break;
            }
            cutoffs.push(gone.clone());
        }
        cutoffs
    }
}
