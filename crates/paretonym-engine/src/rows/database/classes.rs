//! The groups of a node by classes, counted where they are: those of one size, and of one kind inside where levels depend on
//! sensitive columns, come as one line.

use arrow_array::cast::AsArray;
use paretonym::engine::{LooksAt, SizeClass, Watch};
use paretonym::error::{Error, Result};

use super::distant::{DistantTable, grouped_by};

impl DistantTable {
    /// The classes of a node.
    pub(super) fn classes(&self, node: &[u32], looks_at: LooksAt, watch: &dyn Watch) -> Result<Vec<SizeClass>> {
        let columns = self.dividing(node);
        let sensitive = if looks_at > LooksAt::Rows { self.sensitive().len() } else { 0 };
        let groups = match sensitive {
            0 => self.groups_of(node, &columns),
            _ => self.looked_into(node, &columns, looks_at)?,
        };
        let sums: String =
            columns.iter().map(|column| format!(", CAST(SUM(size * w{column}) AS BIGINT) AS c{column}")).collect();
        let texts = if looks_at == LooksAt::Counts { sensitive } else { 0 };
        let kinds: Vec<String> = (0..sensitive).flat_map(|at| kinds(at, looks_at)).collect();
        let dialect = self.table.relation.client().dialect();
        let lists: String =
            kinds[..texts].iter().map(|kind| format!("{} AS {kind}, ", dialect.handed_out(kind))).collect();
        let numbers: String = kinds[texts..].iter().map(|kind| format!(", {kind}")).collect();
        let sql = format!(
            "{}SELECT {lists}size, CAST(COUNT(*) AS BIGINT) AS g{sums}{numbers} FROM ({groups}) AS groups{}",
            self.with,
            grouped_by([&"size".to_owned()].into_iter().chain(&kinds))
        );
        let mut classes = Vec::new();
        let mut answer = self.table.relation.texts_and_numbers(&sql, texts, watch)?;
        while let Some((lists, numbers)) = answer.next_numbers()? {
            let (sizes, counts) = (&numbers[0], &numbers[1]);
            for (row, (size, groups)) in sizes.iter().zip(counts).enumerate() {
                let (size, groups) = (*size as u64, *groups as u64);
                // Columns that show a single set cover the same everywhere.
                let covered = |column: usize| match columns.iter().position(|own| *own == column) {
                    Some(at) => numbers[2 + at][row] as u64,
                    None => size * groups * u64::from(self.request.levels[column][node[column] as usize][0].covered),
                };
                let counts = |at: usize| match lists.get(at) {
                    Some(list) => counts_in(list.as_string_opt::<i32>().map_or("", |texts| texts.value(row))),
                    None => {
                        let at = 2 + columns.len() + 2 * at;
                        Ok(SizeClass::of_extent(size, numbers[at][row] as u64, numbers[at + 1][row] as u64))
                    }
                };
                let counts = (0..sensitive).map(counts).collect::<Result<_>>()?;
                classes.push(SizeClass { size, groups, covered: (0..node.len()).map(covered).collect(), counts });
            }
        }
        Ok(classes)
    }

    /// The groups of a node as [`DistantTable::groups_of`] gives them, and what there is in each of every sensitive column.
    fn looked_into(&self, node: &[u32], columns: &[usize], looks_at: LooksAt) -> Result<String> {
        let dialect = self.table.relation.client().dialect();
        let inside = match looks_at {
            LooksAt::Counts => {
                let list = dialect.in_order("n").ok_or_else(|| {
                    Error::study(
                        "this privacy model needs lists of counts, and this database is not known to make such; search for k \
                         or frequency-l, or allow more distinct tuples with --groups-at-most",
                    )
                })?;
                format!("{list} AS x")
            }
            _ => "CAST(MAX(n) AS BIGINT) AS m, CAST(COUNT(*) AS BIGINT) AS d".to_owned(),
        };
        let sets: Vec<String> = columns.iter().map(|column| format!("g{column}")).collect();
        let shown: String = sets.iter().map(|set| format!("{set}, ")).collect();
        let covered: String = columns.iter().map(|column| format!(", MIN(w{column}) AS w{column}")).collect();
        let (mut all, mut from) = (vec!["e0.size AS size".to_owned()], String::new());
        all.extend(columns.iter().map(|column| format!("e0.w{column} AS w{column}")));
        for (at, sensitive) in self.sensitive().enumerate() {
            let valued = self.valued_groups(node, columns, sensitive);
            let one = format!(
                "(SELECT {shown}CAST(SUM(n) AS BIGINT) AS size, {inside}{covered} FROM ({valued}) AS v{at}{}) AS e{at}",
                grouped_by(&sets)
            );
            let same: Vec<String> = sets.iter().map(|set| format!("e0.{set} = e{at}.{set}")).collect();
            from += &match (at, same.is_empty()) {
                (0, _) => one,
                (_, true) => format!(" CROSS JOIN {one}"),
                (_, false) => format!(" INNER JOIN {one} ON {}", same.join(" AND ")),
            };
            let own = |kind: String| format!("e{at}.{} AS {kind}", &kind[..1]);
            all.extend(kinds(at, looks_at).into_iter().map(own));
        }
        Ok(format!("SELECT {} FROM {from}", all.join(", ")))
    }
}

/// What tells groups apart by one sensitive column: the list of its counts, or the largest of them and their number.
fn kinds(at: usize, looks_at: LooksAt) -> Vec<String> {
    match looks_at {
        LooksAt::Counts => vec![format!("x{at}")],
        _ => vec![format!("m{at}"), format!("d{at}")],
    }
}

/// The counts of a list.
fn counts_in(list: &str) -> Result<Vec<u64>> {
    let odd = || Error::Database(format!("a list of counts comes as {list:?}"));
    list.split(',').map(|count| count.parse().map_err(|_| odd())).collect()
}
