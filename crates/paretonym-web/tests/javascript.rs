//! Rules that are written twice, in Rust and in the one JavaScript module that page and report share: both are asked the same
//! at random, and must answer the same. Needs Node.js; passes with a word where there is none.

#[path = "javascript/fronts.rs"]
mod fronts;
#[path = "javascript/node.rs"]
mod node;

use paretonym::front::{FrontFile, Limits, choose};
use paretonym::view::{Format, Scale, View, log_ticks, ticks};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use serde_json::{Value, json};

fn dice(seed: u64) -> ChaCha8Rng {
    ChaCha8Rng::seed_from_u64(seed)
}

/// 200 random limits on each of 20 fronts: the same solutions are best, and the same relaxations buy something.
#[test]
fn both_choose_the_same() {
    let mut dice = dice(13);
    let fronts: Vec<FrontFile> = (0..20).map(|at| fronts::random_front(&mut dice, at)).collect();
    let asked: Vec<Vec<Limits>> =
        fronts.iter().map(|front| (0..200).map(|_| fronts::random_limits(&mut dice, front)).collect()).collect();
    let input: Vec<Value> =
        fronts.iter().zip(&asked).map(|(front, asked)| json!({ "view": View::new(front), "asked": asked })).collect();
    let Some(answers) = node::ask(
        r#"import { choose, setLimits } from "./choose.js";
        export const answer = (fronts) => fronts.map(({ view, asked }) => asked.map((limits) => {
            const { count, best, relaxations } = choose(view, setLimits(view.bounds, limits));
            const to = (limit, at) => view.fields[view.bounds.find(({ name }) => name === limit).field].values[at];
            return [count, best.map((at) => view.ids[at]), relaxations.map(({ limit, at }) => [limit, view.ids[at], to(limit, at)])];
        }));"#,
        &json!(input),
    ) else {
        return;
    };
    let (mut relaxed, mut several) = (0, 0);
    for (at, (front, asked)) in fronts.iter().zip(&asked).enumerate() {
        for (place, limits) in asked.iter().enumerate() {
            let ours = choose(front, limits).unwrap();
            let best: Vec<u32> = ours.best.iter().map(|solution| solution.id).collect();
            let relaxations: Vec<Value> =
                ours.relaxations.iter().map(|one| json!([one.limit, one.solution.id, one.to])).collect();
            let theirs = &answers[at][place];
            assert_eq!(theirs[0], ours.feasible, "front {at}, {limits:?}");
            assert_eq!(theirs[1], json!(best), "front {at}, {limits:?}");
            assert!(
                fronts::same_numbers(&theirs[2], &json!(relaxations)),
                "front {at}, {limits:?}: {} {relaxations:?}",
                theirs[2]
            );
            relaxed += usize::from(!relaxations.is_empty());
            several += usize::from(best.len() > 1);
        }
    }
    // The questions were worth asking.
    assert!(relaxed > 1000 && several > 100, "{relaxed} {several}");
}

/// Numbers of all sizes are shown in the same letters.
#[test]
fn both_show_numbers_alike() {
    let mut dice = dice(14);
    let mut values =
        vec![0.0, -0.0, 1.0, 0.5, 9.9995, 0.00125, 999.95, 1e15, 1e-6, 1e21, 0.1 + 0.2, 1234567890.125, 2.5e-7];
    for power in -12..18 {
        values.push(format!("1e{power}").parse().unwrap());
        for _ in 0..200 {
            let value = dice.random_range(1.0..10.0) * 10f64.powi(power);
            let digits = dice.random_range(1..6);
            let rounded: f64 = format!("{value:.digits$e}").parse().unwrap();
            values.extend([value, -value, rounded, value.round()]);
        }
    }
    let Some(answers) = node::ask(
        r#"import { show, showRound } from "./number.js";
        export const answer = (values) => values.map((value) => ["number", "share"].map((format) => [show(format, value), showRound(format, value)]));"#,
        &json!(values),
    ) else {
        return;
    };
    for (at, value) in values.iter().enumerate() {
        for (place, format) in [Format::Number, Format::Share].into_iter().enumerate() {
            // Shares of more than everything are not shown.
            if format == Format::Share && value.abs() > 1e6 {
                continue;
            }
            let ours = json!([format.show(*value), format.show_round(*value)]);
            assert_eq!(answers[at][place], ours, "{value:e} as {format:?}");
        }
    }
}

/// Axes have the same ends and the same marks, whole and zoomed.
#[test]
fn both_mark_axes_alike() {
    let mut dice = dice(15);
    let mut asked: Vec<(f64, f64, usize)> =
        vec![(0.0, 1.0, 5), (1.0, 1e6, 3), (1.0, 1000.0, 9), (0.1, 100.0, 9), (2.0, 2.0, 4)];
    for _ in 0..3000 {
        let low = dice.random_range(0.1..10.0) * 10f64.powi(dice.random_range(-4..5));
        let high = low * (1.0 + 10f64.powf(dice.random_range(-3.0..6.0)));
        asked.push((low, high, dice.random_range(1..15)));
        asked.push((-low, high, dice.random_range(1..15)));
    }
    let groups: Vec<Vec<f64>> = (0..500)
        .map(|_| {
            (0..dice.random_range(0..6))
                .map(|_| dice.random_range(0.0..1.2) * 10f64.powi(dice.random_range(0..4)))
                .collect()
        })
        .collect();
    let Some(answers) = node::ask(
        r#"import { Scale, logTicks, ticks } from "./scale.js";
        const held = (values, log, format) => {
            const { low, high } = Scale.holding(values, log, format);
            const scale = new Scale(log, low, high, 50, 700);
            return [low, high, values.map((value) => scale.at(value)), scale.value(321), scale.ticks()];
        };
        export const answer = ({ asked, groups }) => [
            asked.map(([low, high, count]) => [ticks(low, high, count), low > 0 ? logTicks(low, high, count) : []]),
            groups.map((values) => [held(values, false, "number"), held(values, false, "share"), held(values, true, "number")]),
        ];"#,
        &json!({ "asked": asked, "groups": groups }),
    ) else {
        return;
    };
    for (at, (low, high, count)) in asked.iter().enumerate() {
        let log = if *low > 0.0 { log_ticks(*low, *high, *count) } else { Vec::new() };
        let ours = json!([ticks(*low, *high, *count), log]);
        assert!(fronts::same_numbers(&answers[0][at], &ours), "{low} {high} {count}: {} {ours}", answers[0][at]);
    }
    for (at, values) in groups.iter().enumerate() {
        for (place, (log, format)) in
            [(false, Format::Number), (false, Format::Share), (true, Format::Number)].into_iter().enumerate()
        {
            let scale = Scale::holding(values.iter().copied(), log, format, 50.0, 700.0);
            let places: Vec<f64> = values.iter().map(|value| scale.at(*value)).collect();
            let ours = json!([scale.low, scale.high, places, scale.value(321.0), scale.ticks()]);
            assert!(
                fronts::near_numbers(&answers[1][at][place], &ours),
                "{values:?}: {} {ours}",
                answers[1][at][place]
            );
        }
    }
}
