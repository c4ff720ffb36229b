//! Tables and fronts that the stories start from.

use std::fmt::Write;

use serde_json::{Value, json};

/// Numbers that look random and are the same every time.
struct Dice(u64);

impl Dice {
    fn below(&mut self, sides: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.0 >> 33) % sides
    }
}

/// People with an age, a sex, a postcode, an occupation and a diagnosis.
pub fn people(rows: usize) -> String {
    let mut dice = Dice(7);
    let mut text = "age,sex,postcode,occupation,diagnosis\n".to_owned();
    let occupations = ["Clerk", "Teacher", "Nurse", "Driver", "Farmer", "Engineer", "Cook", "Retired"];
    let diagnoses = ["none", "asthma", "flu", "diabetes", "migraine"];
    for _ in 0..rows {
        let (age, sex) = (18 + dice.below(30) + dice.below(30), ["f", "m"][dice.below(2) as usize]);
        let postcode = 1000 + 100 * dice.below(4) + 10 * dice.below(3) + dice.below(4);
        let occupation = occupations[dice.below(8) as usize];
        let diagnosis = diagnoses[(dice.below(5) * dice.below(5) / 4) as usize % 5];
        let _ = writeln!(text, "{age},{sex},{postcode},{occupation},{diagnosis}");
    }
    text
}

/// A table whose header and values are markup.
pub fn markup(rows: usize) -> String {
    let mut dice = Dice(3);
    let mut text = "\"<img src=x onerror=window.broken=1>\",age,\"<b>job</b>\"\n".to_owned();
    let values = ["<script>window.broken=2</script>", "<img src=y onerror=window.broken=3>", "a & b", "plain"];
    for _ in 0..rows {
        let (value, other) = (values[dice.below(4) as usize], values[dice.below(4) as usize]);
        let _ = writeln!(text, "\"{value}\",{},\"{other}\"", 20 + dice.below(40));
    }
    text
}

/// A front.json with many solutions that no search made: k falls and loss falls with it.
pub fn large_front(count: usize) -> Value {
    let mut dice = Dice(11);
    let solutions: Vec<Value> = (0..count)
        .map(|at| {
            let k = (2 * (count - at)) as u64;
            let loss = (count - at) as f64 / (count + 1) as f64;
            let suppressed = dice.below(2000);
            let level = if at % 2 == 0 { 0 } else { 1 };
            json!({
                "id": at + 1, "objectives": [k, loss], "k": k, "loss": loss, "gl": loss * 0.9,
                "sl": suppressed as f64 / 100_000.0, "weighted_k": k as f64 * 1.5, "l": 1.0 + dice.below(50) as f64 / 10.0,
                "t": dice.below(1000) as f64 / 1000.0, "privacy": [k], "necd": 0.0, "suppressed": suppressed,
                "groups": 100, "alternatives": 0, "cutoff": "nothing",
                "recoding": {"age": {"level": level}}, "bias": {"below_twice_k": 0.0, "curve": []},
            })
        })
        .collect();
    json!({
        "format": "paretonym-front/1", "problem": "max-suppression", "optimizer": "exact", "privacy": ["k"],
        "loss": "general", "eta": 0.02, "cutoffs": "all", "rows": 100_000, "dropped": 0, "distinct": 5000,
        "evaluated": count, "space": count, "exact": true, "complete": true, "seed": 1, "seconds": 1.0,
        "objectives": [{"name": "k", "sense": "max"}, {"name": "loss", "sense": "min"}], "solutions": solutions,
    })
}
