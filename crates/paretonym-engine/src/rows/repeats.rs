//! How often the values of columns repeat: one pass over their cells alone, in memory that does not grow with the rows.
//!
//! Values are hashed, and of the hashes only those with enough zero bits at their end are remembered: all of them at first,
//! and half as many whenever there are too many. What is remembered depends on the set of values alone, so that the answer
//! is the same whatever the number of threads.

use std::hash::BuildHasher;

use arrow_array::Array;
use foldhash::quality::FixedState;
use paretonym::data::{Repeats, Source};
use paretonym::engine::Watch;
use paretonym::error::Result;

use crate::rows::cells::Cells;
use crate::rows::missing::MissingCells;
use crate::rows::pass::{Consumer, Fault};
use crate::rows::recent::{RecentCodes, cell_words};
use crate::rows::sketch::Sketch;
use crate::rows::table::{Table, TableFile};

/// Hashes that a worker remembers of all columns together.
const REMEMBERED: usize = 1 << 20;
/// And at least and at most of one column: with the fewest, estimates are good to about one in a hundred.
const OF_COLUMN: (usize, usize) = (1 << 14, 1 << 16);

/// The answer for each column, none for one that cannot be read.
pub(crate) fn repeats(source: &Source, columns: &[String], watch: &dyn Watch) -> Result<Vec<Option<Repeats>>> {
    let table = Table::open(source)?;
    if let TableFile::Database(database) = &table.file {
        let answer = |name: &String| {
            let position = table.position(name)?;
            let readable = table.is_readable(position);
            readable.then(|| database.repeats(position, source, watch)).transpose()
        };
        return columns.iter().map(answer).collect();
    }
    if source.counts.is_some() {
        // Lines are not rows: how often a value repeats does not show.
        return Ok(vec![None; columns.len()]);
    }
    let positions = columns.iter().map(|name| table.position(name)).collect::<Result<Vec<usize>>>()?;
    let mut projection: Vec<usize> = positions.iter().copied().filter(|at| table.is_readable(*at)).collect();
    projection.sort_unstable();
    projection.dedup();
    if projection.is_empty() {
        return Ok(vec![None; columns.len()]);
    }
    let most = (REMEMBERED / projection.len()).clamp(OF_COLUMN.0, OF_COLUMN.1);
    let missing = MissingCells::new(source.cell_rule(), table.null_is_empty());
    let worker = |_| RepeatsWorker {
        missing,
        sketches: projection.iter().map(|_| Sketch::new(most)).collect(),
        known: projection.iter().map(|_| RecentCodes::new(UNKNOWN)).collect(),
    };
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
    /// Short cells of each column of which nothing is learned any more.
    known: Vec<RecentCodes<2>>,
}

/// What is remembered of a cell: that it is known, or nothing.
const KNOWN: u32 = 0;
const UNKNOWN: u32 = 1;

impl Consumer for RepeatsWorker<'_> {
    fn take(&mut self, cells: &[Cells], _rows: usize) -> Result<(), Fault> {
        let RepeatsWorker { missing, sketches, known } = self;
        for ((cells, sketch), known) in cells.iter().zip(sketches).zip(known) {
            // Whether nothing is learned from meeting the text again, but that there is one more cell.
            let text = |sketch: &mut Sketch, text: Option<&str>, count: u64| match text.map(str::trim) {
                None if missing.null => false,
                None => sketch.add(hash_of(""), count),
                Some(text) if missing.is_sign(text) => false,
                Some(text) => sketch.add(hash_of(text), count),
            };
            match cells {
                Cells::Slices(cells) => {
                    for span in cells.spans {
                        let length = (span.end - span.start) as usize;
                        let words = cell_words::<2>(cells.bytes, span.start as usize, length);
                        if words.is_some_and(|words| known.find(&words).is_some()) {
                            sketch.add_known();
                        } else if text(sketch, Some(cells.at(*span)), 1)
                            && let Some(words) = words
                        {
                            known.put(words, KNOWN);
                        }
                    }
                }
                Cells::Text(texts) => texts.iter().for_each(|cell| {
                    text(sketch, cell, 1);
                }),
                Cells::Dictionary(keys, texts) => {
                    let mut counts = vec![0; texts.len()];
                    keys.iter().flatten().for_each(|key| counts[key as usize] += 1);
                    for (at, count) in counts.into_iter().enumerate().filter(|(_, count)| *count > 0) {
                        text(sketch, (!texts.is_null(at)).then(|| texts.value(at)), count);
                    }
                }
                Cells::Integers(numbers) => {
                    for number in numbers.iter().flatten() {
                        sketch.add(FixedState::default().hash_one(number), 1);
                    }
                }
                Cells::Floats(numbers) => {
                    let hash = |number: f64| FixedState::default().hash_one((number + 0.0).to_bits());
                    for number in numbers.iter().flatten() {
                        sketch.add(hash(number), 1);
                    }
                }
            }
        }
        Ok(())
    }
}

fn hash_of(text: &str) -> u64 {
    FixedState::default().hash_one(text)
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
