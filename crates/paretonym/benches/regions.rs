//! The front of local recodings of Adult for all k, and of levels beside it: losses, and the processor time of a run.
//!
//! `cargo bench -p paretonym --bench regions`

#[path = "../tests/tables/mod.rs"]
mod tables;

use paretonym::engine::Unwatched;
use paretonym::study::{count, run};

fn main() {
    let (Some((rows, regions)), Some((_, levels))) = (tables::adult(), tables::adult_levels()) else { return };
    let with_cells = |cells: &str| {
        let mut study = regions.clone();
        study.search.set("cells", cells);
        study
    };
    let studies =
        [("regions, sets", with_cells("sets")), ("regions, nodes", with_cells("nodes")), ("levels", levels.clone())];
    for (name, study) in studies {
        let before = processor_time();
        count(&study, &rows, &Unwatched).expect("Adult can be counted");
        let counted = processor_time();
        let found = run(&study, &rows, &Unwatched).expect("Adult can be explored");
        let after = processor_time();
        let front = &found.front;
        println!("{name}: {} tuples, {} solutions", front.distinct, front.solutions.len());
        for k in [2, 3, 5, 10, 25, 50, 100, 250, 1000] {
            let best = front.solutions.iter().filter(|solution| solution.k >= k).map(|solution| solution.loss);
            println!("  k = {k:>4}: loss {:.4}", best.fold(f64::INFINITY, f64::min));
        }
        let counting = counted - before;
        println!("  processor seconds: counting {counting:.2}, search and front {:.2}", after - counted - counting);
    }
}

/// Seconds that all threads of this process have used, where the system tells; otherwise the time of day.
fn processor_time() -> f64 {
    let ticks = std::fs::read_to_string("/proc/self/stat").ok().and_then(|stat| {
        let fields: Vec<String> = stat.rsplit(')').next()?.split_whitespace().map(str::to_owned).collect();
        Some(fields.get(11)?.parse::<f64>().ok()? + fields.get(12)?.parse::<f64>().ok()?)
    });
    let clock = || std::time::SystemTime::UNIX_EPOCH.elapsed().map_or(0.0, |time| time.as_secs_f64());
    ticks.map_or_else(clock, |ticks| ticks / 100.0)
}
