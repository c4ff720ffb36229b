//! Fronts and limits at random, with everything that makes choosing hard: ties, last bits, numbers that are not known.

use paretonym::front::{FrontFile, Limits};
use paretonym::view::View;
use rand::RngExt;
use rand_chacha::ChaCha8Rng;
use serde_json::{Value, json};

/// What may be traded.
const TRADES: [&[(&str, &str)]; 5] = [
    &[("k", "max"), ("loss", "min")],
    &[("l", "max"), ("loss", "min")],
    &[("t", "min"), ("loss", "min")],
    &[("k", "max"), ("l", "max"), ("loss", "min")],
    &[("weighted_k", "max"), ("gl", "min"), ("sl", "min")],
];

/// A front; the later ones hold solutions that were not measured.
pub fn random_front(dice: &mut ChaCha8Rng, at: usize) -> FrontFile {
    let trade = TRADES[at % TRADES.len()];
    let (sensitive, half_done) = (!at.is_multiple_of(3) || !at.is_multiple_of(5), at >= 15);
    let solutions: Vec<Value> =
        (1..=dice.random_range(3..60)).map(|id| solution(dice, id, trade, sensitive, half_done)).collect();
    let objectives: Vec<Value> = trade.iter().map(|(name, sense)| json!({ "name": name, "sense": sense })).collect();
    let front = json!({
        "format": "paretonym-front/1", "problem": "max-suppression", "optimizer": "exact", "privacy": ["k"],
        "loss": if at == 7 { "discernibility" } else { "general" }, "eta": 0.1, "rows": 10_000, "dropped": at % 2 * 100,
        "distinct": 500, "evaluated": 100, "space": 200, "exact": true, "complete": true, "seed": 1, "seconds": 0.5,
        "objectives": objectives, "solutions": solutions,
    });
    serde_json::from_value(front).expect("a front")
}

fn solution(dice: &mut ChaCha8Rng, id: u32, trade: &[(&str, &str)], sensitive: bool, half_done: bool) -> Value {
    let coarse = |dice: &mut ChaCha8Rng, steps: u32| f64::from(dice.random_range(0..=steps)) / f64::from(steps);
    let noise = if dice.random_bool(0.3) { 1.0 + 1e-13 } else { 1.0 };
    let sl = coarse(dice, 20) * 0.1;
    let mut own = json!({
        "id": id, "k": dice.random_range(1..40), "loss": coarse(dice, 50) * noise, "gl": coarse(dice, 50), "sl": sl,
        "weighted_k": 10.0 * coarse(dice, 30) + 1.0, "privacy": [], "necd": coarse(dice, 100), "suppressed": (sl * 10_000.0).round() as u64,
        "groups": dice.random_range(1..200), "alternatives": 0, "cutoff": "nothing", "recoding": { "age": { "level": 1 } },
        "l": if sensitive { json!(1.0 + 4.0 * coarse(dice, 8)) } else { Value::Null },
        "t": if sensitive { json!(coarse(dice, 25)) } else { Value::Null },
    });
    let traded = |own: &Value, name: &str| own[name].as_f64().unwrap_or(1.0);
    // Objectives are rounded to twelve digits; what was measured is not.
    let objectives: Vec<f64> = trade.iter().map(|(name, _)| (traded(&own, name) * 1e12).round() / 1e12).collect();
    own["objectives"] = json!(objectives);
    if half_done && dice.random_bool(0.4) {
        own["described"] = json!(false);
        for name in ["k", "loss", "gl", "sl", "weighted_k", "l", "t", "necd", "suppressed", "groups"] {
            if !trade.iter().any(|(traded, _)| *traded == name) {
                own[name] = Value::Null;
            }
        }
    }
    own
}

/// Up to three limits that make sense for a front, often exactly at a solution.
pub fn random_limits(dice: &mut ChaCha8Rng, front: &FrontFile) -> Limits {
    let view = View::new(front);
    let mut limits = json!({});
    for bound in &view.bounds {
        if dice.random_bool(0.4) {
            let values: Vec<f64> = view.fields[bound.field].values.iter().flatten().copied().collect();
            let value = values[dice.random_range(0..values.len())];
            limits[&bound.name] =
                json!(if dice.random_bool(0.5) { value } else { value * dice.random_range(0.8..1.25) });
        }
    }
    serde_json::from_value(limits).expect("limits")
}

/// The same JSON, whether or not whole numbers are written with a point.
pub fn same_numbers(one: &Value, two: &Value) -> bool {
    compare(one, two, &|one, two| one == two)
}

/// The same within what logarithms and powers differ from machine to machine.
pub fn near_numbers(one: &Value, two: &Value) -> bool {
    compare(one, two, &|one, two| (one - two).abs() <= 1e-9 * one.abs().max(1.0))
}

fn compare(one: &Value, two: &Value, equal: &dyn Fn(f64, f64) -> bool) -> bool {
    match (one, two) {
        (Value::Array(one), Value::Array(two)) => {
            one.len() == two.len() && one.iter().zip(two).all(|(one, two)| compare(one, two, equal))
        }
        (Value::Number(one), Value::Number(two)) => match (one.as_f64(), two.as_f64()) {
            (Some(one), Some(two)) => equal(one, two),
            _ => false,
        },
        (one, two) => one == two,
    }
}
