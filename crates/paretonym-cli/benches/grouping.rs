//! The kernel: random 105-bit recodings of Adult at several densities of breaks, grouped and judged on one core.
//!
//! `cargo bench -p paretonym-cli --bench grouping`

mod adult;

use std::time::Duration;

use cpu_time::ThreadTime;
use paretonym::catalog;
use paretonym::group::Grouping;
use paretonym::recode::{BreakBits, ColumnRecoding, Family, Recoding};
use paretonym::search::Evaluator;
use paretonym::settings::{CutoffRule, SearchSettings};
use rand::{Rng, RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

const RECODINGS: usize = 2_000;

fn main() {
    let Some(data) = adult::data() else { return };
    let table = adult::table("breaks.toml", &data, Some(Family::Breaks));
    let settings = SearchSettings { eta: 0.1, cutoffs: CutoffRule::Budget, ..SearchSettings::default() };
    let problem = catalog::problem(&settings, &table).expect("the problem fits");
    let bits: usize = table.columns.iter().map(|column| column.domain.len() - 1).sum();
    println!("{} rows, {} distinct tuples, {bits} bits, one core", table.rows, table.tuples.len());
    println!("density   groups on average   evaluations per CPU second");
    for denominator in [2, 4, 8, 16] {
        let mut random = ChaCha8Rng::seed_from_u64(1);
        let recodings: Vec<Recoding> =
            (0..RECODINGS).map(|_| random_recoding(&table.columns, denominator, &mut random)).collect();
        let mut evaluator = Evaluator::new(&table, problem.as_ref());
        let mut grouping = Grouping::default();
        let (mut groups, mut rounds, mut spent) = (0, 0, Duration::ZERO);
        // Several rounds, the best of them: other programs share the machine's caches.
        let mut best = Duration::MAX;
        while rounds < 5 || spent < Duration::from_secs(1) {
            let started = ThreadTime::now();
            for recoding in &recodings {
                evaluator.group(&table.tuples, recoding, &mut grouping);
                evaluator.judge(&grouping, &mut |outcome| {
                    std::hint::black_box(outcome);
                });
                groups += grouping.len();
            }
            let elapsed = started.elapsed();
            best = best.min(elapsed);
            spent += elapsed;
            rounds += 1;
        }
        println!(
            "1/{denominator:<7} {:>17} {:>28.0}",
            groups / (rounds * RECODINGS),
            RECODINGS as f64 / best.as_secs_f64()
        );
    }
}

/// Each gap between neighbouring leaves is a break with probability 1 / denominator.
fn random_recoding(columns: &[paretonym::recode::QuasiColumn], denominator: u32, random: &mut impl Rng) -> Recoding {
    let columns = columns.iter().map(|column| {
        let gaps = 1..column.domain.len();
        ColumnRecoding::Breaks(BreakBits::from_flags(gaps.map(|_| random.random_ratio(1, denominator))))
    });
    Recoding { columns: columns.collect() }
}
