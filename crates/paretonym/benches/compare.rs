//! Comparing property vectors of a million rows by all comparators.
//!
//! `cargo bench -p paretonym --bench compare`

use std::time::Instant;

use paretonym::compare::{Comparators, Comparison, Matched, Property, PropertyKind, Release};

fn main() {
    let vector = |step: u64| (0..1_000_000u64).map(|row| ((row * step) % 9973 + 2) as f64).collect();
    let property = |step| Property { kind: PropertyKind::GroupSize, values: vector(step), rows: None };
    let release = |name: &str, step| Release::new(name, vec![property(step)], Matched::Solution);
    let releases = [release("A", 7), release("B", 11)];
    for _ in 0..3 {
        let started = Instant::now();
        let comparison = Comparison::new(&releases, &Comparators::default()).expect("they are of the same rows");
        let seconds = started.elapsed().as_secs_f64();
        println!("two releases of {} rows, all comparators: {seconds:.3} s", comparison.rows);
    }
}
