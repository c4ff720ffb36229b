//! `paretonym choose`

use std::io::Write;
use std::path::PathBuf;

use anyhow::Result;
use clap::Args;
use paretonym::front::{Choice, FrontFile, LIMITS, LeftOut, Limits, Solution, choose};
use paretonym_engine::folder::read_front;

use crate::display;
use crate::numbers::{from_zero, share};

/// Answers "how much privacy can I have for this loss?", and what relaxing a limit a little would buy.
#[derive(Args)]
#[command(
    after_help = "Examples:\n  paretonym choose paretonym-demo --max-loss 0.25\n  paretonym choose study-front --min-k 10 --max-suppression 0.01 --json"
)]
pub struct Arguments {
    /// The folder that `explore` or `demo` wrote.
    dir: PathBuf,
    /// The largest loss, such as 0.25.
    #[arg(long, value_name = "X", value_parser = from_zero, allow_negative_numbers = true)]
    max_loss: Option<f64>,
    /// The largest share of suppressed rows, such as 0.02.
    #[arg(long, value_name = "X", value_parser = share, allow_negative_numbers = true)]
    max_suppression: Option<f64>,
    /// The smallest k.
    #[arg(long, value_name = "N", value_parser = from_zero, allow_negative_numbers = true)]
    min_k: Option<f64>,
    /// The smallest l.
    #[arg(long, value_name = "N", value_parser = from_zero, allow_negative_numbers = true)]
    min_l: Option<f64>,
    /// The largest t.
    #[arg(long, value_name = "X", value_parser = share, allow_negative_numbers = true)]
    max_t: Option<f64>,
    /// Print JSON.
    #[arg(long)]
    json: bool,
    /// Print the solutions' numbers only.
    #[arg(long)]
    quiet: bool,
}

pub fn run(arguments: &Arguments) -> Result<()> {
    let front = read_front(&arguments.dir)?;
    let limits = Limits {
        max_loss: arguments.max_loss,
        max_suppression: arguments.max_suppression,
        min_k: arguments.min_k,
        min_l: arguments.min_l,
        max_t: arguments.max_t,
    };
    let choice = choose(&front, &limits)?;
    let mut out = std::io::stdout().lock();
    if arguments.json {
        writeln!(out, "{}", serde_json::to_string_pretty(&choice)?)?;
    } else if arguments.quiet {
        for solution in &choice.best {
            writeln!(out, "{}", solution.id)?;
        }
    } else {
        write!(out, "{}", answer(&front, &choice))?;
    }
    Ok(())
}

/// The answer in words.
fn answer(front: &FrontFile, choice: &Choice) -> String {
    let mut text = String::new();
    if choice.best.is_empty() {
        text += &format!("None of the {} solutions holds these limits.\n", front.solutions.len());
    } else {
        text += &format!("{} of {} solutions hold the limits. Best:\n", choice.feasible, front.solutions.len());
        text += &display::solutions(front, choice.best.iter());
        text.push('\n');
    }
    for solution in &choice.best {
        text += &format!("Solution {}: {}.\n", solution.id, LeftOut::of(front, solution).words());
        if let Some(bound) = solution.loss_bound {
            let less = solution.loss - bound;
            text += &format!(
                "Solution {}: no recoding as private loses less than {}, {} below its own.\n",
                solution.id,
                display::value(front, "loss", bound),
                if less == 0.0 { "nothing".to_owned() } else { display::value(front, "loss", less) }
            );
        }
    }
    if !choice.relaxations.is_empty() {
        text += if choice.best.is_empty() { "Nearest:\n" } else { "What a little more would buy:\n" };
    }
    for step in &choice.relaxations {
        let bounded = LIMITS.iter().find(|rule| rule.name == step.limit).map_or("", |rule| rule.quantity.name());
        let number = |value| display::value(front, bounded, value);
        text += &format!(
            "  {} {} instead of {}: {}\n",
            step.limit.replace('_', "-"),
            number(step.to),
            number(step.from),
            bought(front, &step.solution)
        );
    }
    text += &display::warnings(&front.warnings_of_table());
    if let Some(solution) = choice.best.iter().find(|solution| solution.one_valued > 0) {
        let what = "some group has but one value of a sensitive column (l = 1)";
        text += &display::warnings(&[format!("In solution {} {what}.", solution.id)]);
    }
    if !front.complete {
        text += "The search was stopped early: there may be better solutions than these.\n";
    }
    text
}

/// What a solution offers, in one line.
fn bought(front: &FrontFile, solution: &Solution) -> String {
    let objectives = front.objectives.iter().zip(&solution.objectives);
    let values = objectives
        .map(|(objective, value)| format!("{} = {}", objective.name, display::value(front, &objective.name, *value)));
    format!("{} (solution {})", values.collect::<Vec<_>>().join(", "), solution.id)
}
