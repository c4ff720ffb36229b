//! How often the values of columns repeat: one pass over their cells alone, in memory that does not grow with the rows.
//!
//! Values are hashed, and of the hashes only those with enough zero bits at their end are remembered: all of them at first,
//! and half as many whenever there are too many. What is remembered depends on the set of values alone, so that the answer
//! is the same whatever the number of threads.

use std::hash::BuildHasher;

use arrow_array::Array;
use foldhash::quality::FixedState;
use hashbrown::HashMap;
use paretonym::data::{Repeats, Source};
use paretonym::engine::Watch;
use paretonym::error::Result;

use crate::rows::cells::Cells;
use crate::rows::missing::MissingCells;
use crate::rows::pass::{Consumer, Fault};
use crate::rows::table::Table;

/// Hashes that a worker remembers of all columns together.
const REMEMBERED: usize = 1 << 20;
/// And at least and at most of one column: with the fewest, estimates are good to about one in a hundred.
const OF_COLUMN: (usize, usize) = (1 << 14, 1 << 18);

/// The answer for each column, none for one that cannot be read.
pub(crate) fn repeats(source: &Source, columns: &[String], watch: &dyn Watch) -> Result<Vec<Option<Repeats>>> {
    let table = Table::open(source)?;
    let positions = columns.iter().map(|name| table.position(name)).collect::<Result<Vec<usize>>>()?;
    let mut projection: Vec<usize> = positions.iter().copied().filter(|at| table.is_readable(*at)).collect();
    projection.sort_unstable();
    projection.dedup();
    if projection.is_empty() {
        return Ok(vec![None; columns.len()]);
    }
    let most = (REMEMBERED / projection.len()).clamp(OF_COLUMN.0, OF_COLUMN.1);
    let missing = MissingCells::new(source.cell_rule(), table.null_is_empty());
    let worker = |_| RepeatsWorker { missing, sketches: projection.iter().map(|_| Sketch::new(most)).collect() };
    let workers = table.pass(&projection, (0..rayon::current_num_threads()).map(worker).collect(), watch)?;
    let mut sums: Vec<Sketch> = projection.iter().map(|_| Sketch::new(most)).collect();
    for worker in workers {
        sums.iter_mut().zip(worker.sketches).for_each(|(sum, own)| sum.join(own));
    }
    let answer = |at: &usize| projection.binary_search(at).ok().map(|place| sums[place].answer());
    Ok(positions.iter().map(answer).collect())
}

/// One worker's view of all columns.
struct RepeatsWorker<'a> {
    missing: MissingCells<'a>,
    sketches: Vec<Sketch>,
}

impl Consumer for RepeatsWorker<'_> {
    fn take(&mut self, cells: &[Cells], _rows: usize) -> Result<(), Fault> {
        let RepeatsWorker { missing, sketches } = self;
        for (cells, sketch) in cells.iter().zip(sketches) {
            let text = |sketch: &mut Sketch, text: Option<&str>, count: u64| match text.map(str::trim) {
                None if missing.null => {}
                None => sketch.add(hash_of(""), count),
                Some(text) if missing.is_sign(text) => {}
                Some(text) => sketch.add(hash_of(text), count),
            };
            match cells {
                Cells::Text(texts) => texts.iter().for_each(|cell| text(sketch, cell, 1)),
                Cells::Dictionary(keys, texts) => {
                    let mut counts = vec![0; texts.len()];
                    keys.iter().flatten().for_each(|key| counts[key as usize] += 1);
                    for (at, count) in counts.into_iter().enumerate().filter(|(_, count)| *count > 0) {
                        text(sketch, (!texts.is_null(at)).then(|| texts.value(at)), count);
                    }
                }
                Cells::Integers(numbers) => {
                    numbers.iter().flatten().for_each(|number| sketch.add(FixedState::default().hash_one(number), 1));
                }
                Cells::Floats(numbers) => {
                    let hash = |number: f64| FixedState::default().hash_one((number + 0.0).to_bits());
                    numbers.iter().flatten().for_each(|number| sketch.add(hash(number), 1));
                }
            }
        }
        Ok(())
    }
}

fn hash_of(text: &str) -> u64 {
    FixedState::default().hash_one(text)
}

/// The values of one column.
struct Sketch {
    most: usize,
    /// Zero bits that a remembered hash ends with.
    zeros: u32,
    /// Whether each hash was met once only.
    once: HashMap<u64, bool, foldhash::fast::RandomState>,
    cells: u64,
}

impl Sketch {
    fn new(most: usize) -> Self {
        Sketch { most, zeros: 0, once: HashMap::default(), cells: 0 }
    }

    /// Meets a value `count` times.
    fn add(&mut self, hash: u64, count: u64) {
        self.cells += count;
        self.remember(hash, count == 1);
    }

    fn remember(&mut self, hash: u64, once: bool) {
        if hash.trailing_zeros() < self.zeros {
            return;
        }
        self.once.entry(hash).and_modify(|once| *once = false).or_insert(once);
        while self.once.len() > self.most {
            self.zeros += 1;
            self.once.retain(|hash, _| hash.trailing_zeros() >= self.zeros);
        }
    }

    fn join(&mut self, other: Sketch) {
        self.cells += other.cells;
        self.zeros = self.zeros.max(other.zeros);
        self.once.retain(|hash, _| hash.trailing_zeros() >= self.zeros);
        for (hash, once) in other.once {
            self.remember(hash, once);
        }
    }

    fn answer(&self) -> Repeats {
        let scale = |count: usize| ((count as u64) << self.zeros.min(63)).min(self.cells);
        Repeats {
            cells: self.cells,
            distinct: scale(self.once.len()),
            once: scale(self.once.values().filter(|once| **once).count()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use paretonym::engine::Unwatched;

    fn look(text: &str, names: &[&str]) -> Vec<Option<Repeats>> {
        let file = tempfile::Builder::new().suffix(".csv").tempfile().unwrap();
        std::fs::write(file.path(), text).unwrap();
        let names: Vec<String> = names.iter().map(|name| (*name).to_owned()).collect();
        repeats(&Source::at(file.path()), &names, &Unwatched).unwrap()
    }

    #[test]
    fn small_columns_are_counted_exactly() {
        let found = look("a,b,c\nx,1,\nx , 2,q\ny,3,q\n", &["c", "a", "b"]);
        let exact = |cells, distinct, once| Some(Repeats { cells, distinct, once });
        assert_eq!(found, [exact(2, 1, 0), exact(3, 2, 1), exact(3, 3, 3)]);
    }

    #[test]
    fn large_columns_are_estimated_alike_with_any_number_of_threads() {
        let lines: String = (0..600_000u32).map(|row| format!("{row},{}\n", row % 200_000)).collect();
        let text = format!("a,b\n{lines}");
        let on = |threads| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            pool.install(|| look(&text, &["a", "b"]))
        };
        let found = on(1);
        assert_eq!(found, on(3));
        let near = |value: u64, wanted: f64| (value as f64 - wanted).abs() < 0.02 * wanted;
        let (a, b) = (found[0].unwrap(), found[1].unwrap());
        assert!(a.cells == 600_000 && near(a.distinct, 6e5) && near(a.once, 6e5), "{a:?}");
        assert!(near(b.distinct, 2e5) && b.once == 0, "{b:?}");
    }
}
