//! One list of groups from the counts of all workers.

use foldhash::fast::RandomState;
use hashbrown::HashMap;
use paretonym::data::{Decimal, Encoding, MISSING};

use super::count::Counter;
use super::groups::{Groups, SensitiveValue, SensitiveValues};
use super::{AuditRequest, Declared, Distance};
use crate::rows::interner::Interner;

/// Joins the counts of all workers; their codes are their own, the cells are what they share.
pub(super) fn join(counters: Vec<Counter>, request: &AuditRequest) -> (Groups, u64) {
    let width = request.quasi.len();
    let extra = request.sensitive.len();
    let mut columns: Vec<HashMap<String, u32, RandomState>> = vec![HashMap::default(); width];
    let mut joined: HashMap<Vec<u32>, u32, RandomState> = HashMap::default();
    let mut counts: Vec<u64> = Vec::new();
    let mut suppressed = 0;
    let mut names: Vec<Vec<SensitiveValue>> = vec![Vec::new(); extra];
    let mut known: Vec<HashMap<String, u32, RandomState>> = vec![HashMap::default(); extra];
    let mut tallies: Vec<HashMap<(u32, u32), u64, RandomState>> = vec![HashMap::default(); extra];
    for counter in counters {
        suppressed += counter.suppressed;
        let translations: Vec<Vec<u32>> = counter
            .quasi
            .into_iter()
            .zip(&mut columns)
            .map(|(coder, column)| {
                let (texts, _) = coder.into_dictionary();
                let ids = 0..texts.len() as u32;
                ids.map(|id| {
                    let next = column.len() as u32;
                    *column.entry_ref(texts.get(id)).or_insert(next)
                })
                .collect()
            })
            .collect();
        let mut group_of = vec![0; counter.counts.len()];
        for (group, codes) in counter.groups.into_lists().chunks_exact(width).enumerate() {
            let codes: Vec<u32> = codes.iter().zip(&translations).map(|(code, to)| to[*code as usize]).collect();
            let next = counts.len() as u32;
            let id = *joined.entry(codes).or_insert(next);
            if id == next {
                counts.push(0);
            }
            counts[id as usize] += counter.counts[group];
            group_of[group] = id;
        }
        for (at, ((column, coder), tally)) in counter.sensitive.into_iter().zip(counter.tallies).enumerate() {
            let (texts, numbers) = coder.into_dictionary();
            let mut translated: HashMap<u32, u32, RandomState> = HashMap::default();
            for (group, code, rows) in tally.into_entries() {
                let value = *translated.entry(code).or_insert_with(|| {
                    let value = match &column.distance {
                        Distance::Declared(declared) => SensitiveValue::Leaf(leaf(declared, code, &texts, &numbers)),
                        _ => SensitiveValue::Text(texts.get(code).to_owned()),
                    };
                    let key = match &value {
                        SensitiveValue::Text(text) => text.clone(),
                        SensitiveValue::Leaf(leaf) => leaf.to_string(),
                    };
                    let next = names[at].len() as u32;
                    let id = *known[at].entry(key).or_insert(next);
                    if id == next {
                        names[at].push(value);
                    }
                    id
                });
                *tallies[at].entry((group_of[group as usize], value)).or_insert(0) += rows;
            }
        }
    }
    (arrange(columns, joined, counts, names, tallies, request.decimal), suppressed)
}

/// The position of a coded cell in a declared domain.
fn leaf(declared: &Declared, code: u32, texts: &Interner, numbers: &[f64]) -> u32 {
    if code == MISSING {
        return declared.missing.unwrap_or(MISSING);
    }
    match &declared.encoding {
        Encoding::Labels(_) | Encoding::Bins { .. } | Encoding::Known { .. } => code,
        Encoding::Numbers => {
            let number = numbers[code as usize];
            let at = declared.numbers.partition_point(|own| *own < number);
            if declared.numbers.get(at) == Some(&number) { at as u32 } else { MISSING }
        }
        Encoding::Text => {
            let text = texts.get(code);
            declared.labels.iter().position(|own| own == text).map_or(MISSING, |at| at as u32)
        }
    }
}

/// Puts cells, groups and values into an order that does not depend on who counted what.
fn arrange(
    columns: Vec<HashMap<String, u32, RandomState>>,
    joined: HashMap<Vec<u32>, u32, RandomState>,
    counts: Vec<u64>,
    names: Vec<Vec<SensitiveValue>>,
    tallies: Vec<HashMap<(u32, u32), u64, RandomState>>,
    decimal: Decimal,
) -> Groups {
    let mut cells = Vec::new();
    let mut ranks: Vec<Vec<u32>> = Vec::new();
    for column in columns {
        let mut sorted: Vec<(String, u32)> = column.into_iter().collect();
        sorted.sort_unstable();
        let mut rank = vec![0; sorted.len()];
        sorted.iter().enumerate().for_each(|(place, (_, code))| rank[*code as usize] = place as u32);
        cells.push(sorted.into_iter().map(|(text, _)| text).collect::<Vec<String>>());
        ranks.push(rank);
    }
    let mut ordered: Vec<(Vec<u32>, u32)> = Vec::with_capacity(counts.len());
    for (codes, group) in joined {
        let codes: Vec<u32> = codes.iter().zip(&ranks).map(|(code, rank)| rank[*code as usize]).collect();
        ordered.push((codes, group));
    }
    ordered.sort_unstable();
    let mut place = vec![0; counts.len()];
    ordered.iter().enumerate().for_each(|(at, (_, group))| place[*group as usize] = at as u32);
    let sensitive = names
        .into_iter()
        .zip(tallies)
        .map(|(names, tally)| {
            let mut order: Vec<usize> = (0..names.len()).collect();
            order.sort_by(|a, b| compare(&names[*a], &names[*b], decimal));
            let mut rank = vec![0; order.len()];
            order.iter().enumerate().for_each(|(at, value)| rank[*value] = at as u32);
            let mut entries: Vec<(u32, u32, u64)> = tally
                .into_iter()
                .map(|((group, value), rows)| (place[group as usize], rank[value as usize], rows))
                .collect();
            entries.sort_unstable();
            SensitiveValues { names: order.into_iter().map(|at| names[at].clone()).collect(), entries }
        })
        .collect();
    let counts = ordered.iter().map(|(_, group)| counts[*group as usize]).collect();
    let codes = ordered.into_iter().flat_map(|(codes, _)| codes).collect();
    Groups { cells, codes, counts, sensitive }
}

/// Numbers by size, everything else by text.
fn compare(left: &SensitiveValue, right: &SensitiveValue, decimal: Decimal) -> std::cmp::Ordering {
    match (left, right) {
        (SensitiveValue::Text(left), SensitiveValue::Text(right)) => match (decimal.read(left), decimal.read(right)) {
            (Some(a), Some(b)) => a.total_cmp(&b).then_with(|| left.cmp(right)),
            (Some(_), None) => std::cmp::Ordering::Less,
            (None, Some(_)) => std::cmp::Ordering::Greater,
            (None, None) => left.cmp(right),
        },
        (SensitiveValue::Leaf(left), SensitiveValue::Leaf(right)) => left.cmp(right),
        (SensitiveValue::Text(_), SensitiveValue::Leaf(_)) => std::cmp::Ordering::Less,
        (SensitiveValue::Leaf(_), SensitiveValue::Text(_)) => std::cmp::Ordering::Greater,
    }
}
