//! What the catalogue promises, held against random small tables for every entry and every form of it.

#[path = "laws/front.rs"]
mod front;
#[path = "laws/grouping.rs"]
mod grouping;
#[path = "laws/loss.rs"]
mod loss;
#[path = "laws/privacy.rs"]
mod privacy;
mod support;

use paretonym::catalog;
use paretonym::group::{FrequencyTable, Grouping, Kept, Suppressed};
use paretonym::measure::{Loss, Privacy};
use paretonym::recode::Recoding;
use paretonym::settings::SearchSettings;
use support::{LOSS_FORMS, LossForm, NEEDS_NO_SENSITIVE, PRIVACY_FORMS, Sample, class_costs, grouped, nodes};

/// A table with the groups of every node of its lattice.
struct Lattice {
    table: FrequencyTable,
    nodes: Vec<Vec<u32>>,
    groupings: Vec<Grouping>,
}

impl Lattice {
    fn of(sample: &Sample) -> Self {
        let table = sample.table();
        let nodes = nodes(&table.heights());
        let groupings = nodes.iter().map(|node| grouped(&table, &Recoding::of_levels(node))).collect();
        Lattice { table, nodes, groupings }
    }

    /// Every node with each node that is one level above it in one column.
    fn steps(&self) -> impl Iterator<Item = (usize, usize)> + '_ {
        let above = |node: usize, column: usize| {
            let mut above = self.nodes[node].clone();
            above[column] += 1;
            self.nodes.iter().position(|own| *own == above)
        };
        let columns = self.table.columns.len();
        (0..self.nodes.len())
            .flat_map(move |node| (0..columns).filter_map(move |column| Some((node, above(node, column)?))))
    }
}

/// The part of a form before its parameters.
fn plain(form: &str) -> &str {
    form.split('(').next().unwrap_or_default()
}

/// Every privacy model of the catalogue that the table has columns for, in every form.
fn models(table: &FrequencyTable) -> Vec<(&'static str, Box<dyn Privacy>)> {
    let mut models = Vec::new();
    for entry in catalog::PRIVACY {
        // One that is not listed is tried in its plain form.
        let mut forms: Vec<&str> =
            PRIVACY_FORMS.iter().copied().filter(|form| plain(form) == entry.entry.name).collect();
        if forms.is_empty() {
            forms.push(entry.entry.name);
        }
        for form in forms {
            if table.sensitive().next().is_some() || NEEDS_NO_SENSITIVE.contains(&form) {
                let model = catalog::privacy(form, table).unwrap();
                assert_eq!(model.behaviour(), entry.behaviour, "{form}");
                models.push((form, model));
            }
        }
    }
    models
}

/// Every loss of the catalogue, in every form.
fn losses(sample: &Sample, table: &FrequencyTable) -> Vec<(LossForm, Box<dyn Loss>)> {
    let mut losses = Vec::new();
    for entry in catalog::LOSSES {
        let own = LOSS_FORMS.iter().copied().filter(|form| plain(form.name) == entry.entry.name);
        let mut forms: Vec<LossForm> = own.collect();
        if forms.is_empty() {
            forms.push(LossForm { name: entry.entry.name, costs: false });
        }
        for form in forms {
            let costs = if form.costs { class_costs(&sample.classes()) } else { Vec::new() };
            let settings = SearchSettings { costs, ..SearchSettings::default() };
            losses.push((form, catalog::loss(form.name, table, &settings).unwrap()));
        }
    }
    losses
}

/// Ways of suppressing some groups and keeping others: nothing, the cut-offs of models, and every third group.
fn suppressions(grouping: &Grouping, models: &[&dyn Privacy]) -> Vec<Suppressed> {
    let mut all = vec![Suppressed::none(grouping.len()), Suppressed::by(grouping, |group| group % 3 == 1)];
    for model in models {
        let costs: Vec<f64> = (0..grouping.len()).map(|group| model.cost(grouping.groups.view(group))).collect();
        let mut limits = costs.clone();
        limits.sort_by(f64::total_cmp);
        limits.dedup();
        all.extend(limits.iter().map(|limit| Suppressed::by(grouping, |group| costs[group] > *limit)));
    }
    all
}

/// A grouping with some groups suppressed.
fn kept<'a>(table: &'a FrequencyTable, grouping: &'a Grouping, suppressed: &'a Suppressed) -> Kept<'a> {
    Kept { table, grouping, suppressed }
}
