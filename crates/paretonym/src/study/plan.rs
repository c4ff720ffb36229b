//! From what a study says of a column to how its cells are coded, and from what the count found to its domain and tree.

use std::path::Path;

use super::values::value_counts;
use super::{ColumnSpec, Generated};
use crate::data::{ColumnRequest, Dictionary, Domain, Encoding, Kind, MISSING, Part, Source, unusable_number};
use crate::engine::{Engine, Watch};
use crate::error::{Error, Result};
use crate::taxonomy::{
    Hierarchy, Level, date_levels, doubling, equal_frequency_edges, from_groups, from_nested, from_widths,
    months_level, parse_leaf_lines, prefix_masking,
};

/// How the cells of a column become codes, and what is known of its domain beforehand.
pub(crate) struct ColumnPlan<'a> {
    spec: &'a ColumnSpec,
    pub encoding: Encoding,
    /// The domain, where the study declares it.
    declared: Option<(Domain, Option<Hierarchy>)>,
}

/// A column after the count.
pub(crate) struct Finished {
    pub domain: Domain,
    pub hierarchy: Hierarchy,
    /// Whether the study gave a tree, rather than just the values.
    pub has_tree: bool,
    /// Leaf of each code of the count.
    pub leaf_of: Vec<u32>,
}

impl Finished {
    /// The leaf behind a code of the count.
    pub fn leaf(&self, code: u32) -> u32 {
        if code == MISSING { self.domain.missing.expect("it was seen") } else { self.leaf_of[code as usize] }
    }

    /// Whether the codes are the leaves already.
    pub fn keeps_codes(&self) -> bool {
        self.domain.missing.is_none() && self.leaf_of.iter().enumerate().all(|(code, leaf)| code == *leaf as usize)
    }
}

impl<'a> ColumnPlan<'a> {
    /// The plan of one column.
    pub fn new(spec: &'a ColumnSpec, source: &Source, engine: &dyn Engine, watch: &dyn Watch) -> Result<Self> {
        let mut one = ColumnPlan::all(&[spec], source, engine, watch)?;
        one.pop().ok_or_else(|| Error::internal(format!("there is no plan for column {:?}", spec.name)))
    }

    /// The plans of some columns: reads their taxonomies, and, in one pass over the table, what those with bins of equal
    /// frequency hold.
    pub fn all(specs: &[&'a ColumnSpec], source: &Source, engine: &dyn Engine, watch: &dyn Watch) -> Result<Vec<Self>> {
        let declared = specs.iter().map(|spec| ColumnPlan::declared(spec, source, engine));
        let declared = declared.collect::<Result<Vec<Option<Self>>>>()?;
        let open = specs.iter().zip(&declared).filter(|(_, plan)| plan.is_none());
        let open: Vec<&str> = open.map(|(spec, _)| spec.name.as_str()).collect();
        let values = value_counts(&open, source, engine, watch)?;
        let plans = specs.iter().zip(declared);
        Ok(plans.map(|(spec, plan)| plan.unwrap_or_else(|| ColumnPlan::binned(spec, &values[&spec.name]))).collect())
    }

    /// What the study says of a column; none where that depends on its values.
    fn declared(spec: &'a ColumnSpec, source: &Source, engine: &dyn Engine) -> Result<Option<Self>> {
        let kind = spec.kind();
        let plan = |encoding, declared| Ok(Some(ColumnPlan { spec, encoding, declared }));
        if let Some(taxonomy) = &spec.taxonomy {
            let (leaves, tree) = read_taxonomy(spec, taxonomy, engine)?;
            let (leaves, tree) = match spec.order() {
                Some(order) => reorder(spec, leaves, &tree, order)?,
                None => (leaves, tree),
            };
            let domain = domain_of_labels(kind, leaves.clone(), source);
            return plan(Encoding::Labels(leaves), Some((domain, Some(tree))));
        }
        if let Some(order) = spec.order() {
            let mut sorted = order.clone();
            sorted.sort();
            if let Some(pair) = sorted.windows(2).find(|pair| pair[0] == pair[1]) {
                return Err(Error::study(format!("column {:?}: order names {:?} twice", spec.name, pair[0])));
            }
            let domain = Domain::of_labels(kind, order.clone());
            return plan(Encoding::Labels(order), Some((domain, None)));
        }
        if let (Some((low, high)), Some(step)) = (spec.range, spec.granularity) {
            let count = ((high - low) / step - 1e-9).ceil().max(1.0) as usize;
            let mut edges: Vec<f64> = (0..count).map(|bin| low + bin as f64 * step).collect();
            edges.push(high);
            let domain = Domain::of_bins(&edges);
            return plan(Encoding::Bins { edges, closed: false }, Some((domain, None)));
        }
        if spec.bins.is_some() {
            return Ok(None);
        }
        plan(encoding_of_values(kind), None)
    }

    /// Bins of equal frequency, or the values themselves where they are no more than the bins.
    fn binned(spec: &'a ColumnSpec, values: &[(f64, u64)]) -> Self {
        let Some(bins) = spec.bins.filter(|bins| values.len() > *bins) else {
            return ColumnPlan { spec, encoding: encoding_of_values(spec.kind()), declared: None };
        };
        let edges = equal_frequency_edges(values, bins);
        let domain = Domain::of_values_between(&edges, values);
        let edges = [f64::NEG_INFINITY].into_iter().chain(edges).chain([f64::INFINITY]).collect();
        ColumnPlan { spec, encoding: Encoding::Bins { edges, closed: false }, declared: Some((domain, None)) }
    }

    /// The column's part in the count.
    pub fn request(&self, part: Part) -> ColumnRequest {
        ColumnRequest { name: self.spec.name.clone(), part, encoding: self.encoding.clone() }
    }

    /// Domain and tree, now that the values are known. `has_missing` tells whether missing is a value that occurs.
    pub fn finish(self, dictionary: &Dictionary, source: &Source, has_missing: bool) -> Result<Finished> {
        let spec = self.spec;
        let place = format!("column {:?}", spec.name);
        let (mut domain, tree, leaf_of) = match (self.declared, dictionary) {
            (Some((domain, tree)), _) => {
                let leaves = domain.len() as u32;
                (domain, tree, (0..leaves).collect::<Vec<u32>>())
            }
            (None, Dictionary::Numbers(numbers)) => {
                let (order, leaf_of) = ranks(numbers.len(), |a, b| numbers[a].total_cmp(&numbers[b]));
                let sorted: Vec<f64> = order.iter().map(|code| numbers[*code]).collect();
                check_numbers(&place, &sorted)?;
                (Domain::of_numbers(&sorted), None, leaf_of)
            }
            (None, Dictionary::Text(texts)) => of_texts(spec, &place, texts)?,
            (None, Dictionary::Declared) => {
                return Err(Error::internal(format!(
                    "{place}: the engine declared values that the study does not have"
                )));
            }
        };
        let has_tree = tree.is_some();
        let mut hierarchy = match tree {
            Some(tree) => tree,
            None => generated(spec, &place, &domain)?,
        };
        // A study may give "missing" a place of its own among the values it names. No other cell can read like a sign for
        // it, but a number can: -9 may mean missing where -9.0 does not.
        if matches!(self.encoding, Encoding::Labels(_)) {
            let declared = domain.labels.iter().position(|label| source.is_missing(label));
            domain.missing = declared.map(|leaf| leaf as u32);
        }
        if has_missing && domain.missing.is_none() {
            let names = (0..=hierarchy.height()).flat_map(|level| &hierarchy.level(level).labels);
            let taken: std::collections::HashSet<&str> = names.chain(&domain.labels).map(String::as_str).collect();
            let label = source.missing_label(|word| taken.contains(word));
            domain.push_missing(&label);
            hierarchy = hierarchy.with_missing(&label);
        }
        Ok(Finished { domain, hierarchy, has_tree, leaf_of })
    }
}

/// Domain and tree of texts, and the leaf of each of them.
fn of_texts(spec: &ColumnSpec, place: &str, texts: &[String]) -> Result<(Domain, Option<Hierarchy>, Vec<u32>)> {
    let (labels, tree) = match spec.hierarchy {
        Some(Generated::Prefix) => {
            prefix_masking(place, texts, spec.prefixes.as_deref()).map(|(labels, tree)| (labels, Some(tree)))?
        }
        Some(Generated::Dates) => {
            date_levels(place, texts, spec.date_format).map(|(labels, tree)| (labels, Some(tree)))?
        }
        _ => {
            let mut labels = texts.to_vec();
            labels.sort();
            (labels, None)
        }
    };
    let position: std::collections::HashMap<&str, u32> =
        labels.iter().enumerate().map(|(leaf, label)| (label.as_str(), leaf as u32)).collect();
    let leaf_of = texts.iter().map(|text| position[text.as_str()]).collect();
    let mut domain = Domain::of_labels(spec.kind(), labels);
    if let (Some(Generated::Dates), Some(tree)) = (spec.hierarchy, &tree) {
        // Days follow each other, whatever the study calls them.
        (domain.kind, domain.interval_level) = (Kind::Ordinal, months_level(tree));
    }
    Ok((domain, tree, leaf_of))
}

/// The levels of a column without a taxonomy.
fn generated(spec: &ColumnSpec, place: &str, domain: &Domain) -> Result<Hierarchy> {
    let bounds = domain.bounds.as_deref();
    match (&spec.widths, &spec.groups, bounds) {
        (Some(widths), _, Some(bounds)) => {
            let origin = spec.range.map_or(0.0, |range| range.0);
            from_widths(place, bounds, &domain.labels, origin, widths)
        }
        (_, Some(sizes), _) => from_groups(place, &domain.labels, bounds, sizes),
        _ if spec.bins.is_some() && spec.hierarchy.is_none() => Ok(doubling(&domain.labels, bounds)),
        _ => Ok(Hierarchy::flat(&domain.labels)),
    }
}

/// A taxonomy from its file or from the study.
fn read_taxonomy(spec: &ColumnSpec, taxonomy: &toml::Value, engine: &dyn Engine) -> Result<(Vec<String>, Hierarchy)> {
    match taxonomy.as_str() {
        Some(path) => parse_leaf_lines(path, &engine.read_text(Path::new(path))?),
        None => from_nested(&format!("taxonomy of column {:?}", spec.name), taxonomy),
    }
}

/// The same tree over leaves in a declared order; the order must name the same leaves and must not tear a set apart.
fn reorder(
    spec: &ColumnSpec,
    leaves: Vec<String>,
    tree: &Hierarchy,
    order: Vec<String>,
) -> Result<(Vec<String>, Hierarchy)> {
    let place = format!("column {:?}, order", spec.name);
    let position: std::collections::HashMap<&str, usize> =
        leaves.iter().enumerate().map(|(leaf, label)| (label.as_str(), leaf)).collect();
    let mut old: Vec<usize> = Vec::with_capacity(order.len());
    for label in &order {
        let leaf = position.get(label.as_str());
        old.push(*leaf.ok_or_else(|| Error::taxonomy(&place, format!("the taxonomy has no value {label:?}")))?);
    }
    let mut seen = old.clone();
    seen.sort_unstable();
    seen.dedup();
    if seen.len() != leaves.len() || old.len() != leaves.len() {
        let absent = (0..leaves.len()).find(|leaf| !old.contains(leaf));
        let what = absent.map_or("it names a value twice".to_owned(), |leaf| format!("it lacks {:?}", leaves[leaf]));
        return Err(Error::taxonomy(place, format!("{what}; it must name every value of the taxonomy once")));
    }
    let mut between = Vec::new();
    for n in 1..=tree.height() {
        let level = tree.level(n);
        let (mut set_of, mut labels): (Vec<u32>, Vec<String>) = (Vec::new(), Vec::new());
        let mut last = None;
        for &leaf in &old {
            let set = level.set_of[leaf];
            if last != Some(set) {
                let label = &level.labels[set as usize];
                if labels.contains(label) {
                    return Err(Error::taxonomy(place, format!("it tears apart the values of {label:?}")));
                }
                labels.push(label.clone());
                last = Some(set);
            }
            set_of.push(labels.len() as u32 - 1);
        }
        between.push(Level { set_of, labels });
    }
    let tree = Hierarchy::from_partitions(&place, &order, between)?;
    Ok((order, tree))
}

/// Labels as a domain; numbers in ascending order get their bounds.
fn domain_of_labels(kind: Kind, labels: Vec<String>, source: &Source) -> Domain {
    let mut domain = Domain::of_labels(kind, labels);
    if kind == Kind::Numeric {
        // A label is a number only where a cell that reads like it is the same number.
        let number =
            |label: &String| label.parse().ok().filter(|number| source.cell_rule().number(label) == Some(*number));
        let usable = |label: &String| number(label).filter(|number| unusable_number(*number).is_none());
        let numbers: Option<Vec<f64>> = domain.labels.iter().map(usable).collect();
        if let Some(numbers) = numbers.filter(|numbers| numbers.windows(2).all(|pair| pair[0] < pair[1])) {
            domain.bounds = Some(numbers.iter().map(|number| (*number, *number)).collect());
        }
    }
    domain
}

/// How a column of any values is coded.
fn encoding_of_values(kind: Kind) -> Encoding {
    if kind == Kind::Numeric { Encoding::Numbers } else { Encoding::Text }
}

/// Numbers in ascending order must not be so large that sums over them run over.
pub(super) fn check_numbers(place: &str, sorted: &[f64]) -> Result<()> {
    match sorted.first().into_iter().chain(sorted.last()).find_map(|number| unusable_number(*number)) {
        None => Ok(()),
        Some(why) => Err(Error::study(format!(
            "{place}: {why}; correct the cell, list it under [data] missing, or set kind = \"categorical\""
        ))),
    }
}

/// The order of `len` things, and the rank of each.
fn ranks(len: usize, compare: impl Fn(usize, usize) -> std::cmp::Ordering) -> (Vec<usize>, Vec<u32>) {
    let mut order: Vec<usize> = (0..len).collect();
    order.sort_by(|a, b| compare(*a, *b));
    let mut rank = vec![0; len];
    order.iter().enumerate().for_each(|(place, one)| rank[*one] = place as u32);
    (order, rank)
}
