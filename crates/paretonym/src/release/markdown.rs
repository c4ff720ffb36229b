//! A certificate for people: what was done, what was measured, and what that does and does not promise.

use std::fmt::{self, Write};

use super::{Certificate, Fresh, Reapplied};
use crate::data::format_number;

/// The certificate as Markdown.
pub fn markdown(certificate: &Certificate) -> String {
    let mut text = format!("# Certificate of {}\n\n", certificate.output.name);
    // Writing to a string cannot fail.
    let _ = write(&mut text, certificate);
    text
}

fn percent(share: f64) -> String {
    format!("{:.2} %", share * 100.0)
}

fn number(value: f64) -> String {
    format_number((value * 1e6).round() / 1e6)
}

fn write(text: &mut String, one: &Certificate) -> fmt::Result {
    origin(text, one)?;
    warnings(text, one)?;
    writeln!(text, "\n## What was done\n")?;
    columns(text, one)?;
    left_out(text, one)?;
    solution(text, one)?;
    measured(text, one)?;
    group_sizes(text, one)?;
    planned(text, one)?;
    if let Some(again) = &one.reapplied {
        used_again(text, one, again)?;
    }
    meaning(text, one)
}

/// Which file this is about, and which table it was made from.
fn origin(text: &mut String, one: &Certificate) -> fmt::Result {
    writeln!(text, "Made by {} on {}. Everything under \"Measured\" was counted", one.program, one.created)?;
    let file = &one.output;
    match &one.counted {
        None => {
            writeln!(text, "again from the written file before it was given its name.\n")?;
            writeln!(text, "| file | rows | bytes | SHA-256 |\n|---|---|---|---|")?;
            writeln!(text, "| {} | {} | {} | `{}` |\n", file.name, file.rows, file.bytes, file.sha256)?;
        }
        Some(place) => {
            writeln!(text, "again from the written table, {place}, before it was given its name.\n")?;
            writeln!(text, "| table | rows |\n|---|---|\n| {} | {} |\n", file.name, file.rows)?;
        }
    }
    writeln!(text, "Original table: `{}`, a digest whose key its owner keeps.", one.input.digest)?;
    writeln!(text, "Figures that compare with rows left out of the release are rounded up.")
}

/// What its reader should be warned of.
fn warnings(text: &mut String, one: &Certificate) -> fmt::Result {
    if !one.warnings.is_empty() {
        writeln!(text, "\n## Warnings\n")?;
        for warning in &one.warnings {
            writeln!(text, "- {warning}")?;
        }
    }
    Ok(())
}

/// What became of each column.
fn columns(text: &mut String, one: &Certificate) -> fmt::Result {
    for fate in ["recoded", "kept", "dropped", "token"] {
        let names: Vec<&str> = one.columns.iter().filter(|own| own.fate == fate).map(|own| own.name.as_str()).collect();
        if !names.is_empty() {
            let what = match fate {
                "recoded" => "Recoded",
                "kept" => "Kept as they are",
                "dropped" => "Left out",
                _ => "Replaced by random tokens, one per value",
            };
            writeln!(text, "- {what}: {}", names.join(", "))?;
        }
    }
    Ok(())
}

/// Which rows are not there, and in which order the others are.
fn left_out(text: &mut String, one: &Certificate) -> fmt::Result {
    writeln!(
        text,
        "- At most {} rows of too small groups suppressed ({}), {}",
        one.suppressed,
        percent(one.sl),
        if one.suppressed_rows == "star" { "kept as rows of stars" } else { "left out" }
    )?;
    if one.dropped_for_missing > 0 {
        let rows = one.dropped_for_missing;
        writeln!(text, "- At most {rows} rows with missing values left out before anything else")?;
    }
    writeln!(text, "- In all, at most {} of the rows of the original are not in the release", percent(one.left_out))?;
    writeln!(
        text,
        "- Rows in {}",
        if one.row_order == "kept" {
            "the order of the original, which links each to its source"
        } else {
            "random order"
        }
    )
}

/// Which solution of which search it is.
fn solution(text: &mut String, one: &Certificate) -> fmt::Result {
    writeln!(
        text,
        "- Solution {} of a front found with: {}, privacy {}, loss {}, optimizer {}, seed {}",
        one.solution,
        one.study.problem,
        one.study.privacy.join(" and "),
        one.study.loss,
        one.study.optimizer,
        one.seed
    )
}

/// What was counted in the written file.
fn measured(text: &mut String, one: &Certificate) -> fmt::Result {
    writeln!(text, "\n## Measured\n\n| measure | value |\n|---|---|")?;
    writeln!(text, "| k (smallest group) | {} |", one.k)?;
    writeln!(text, "| weighted k (mean group size over rows) | {} |", number(one.weighted_k))?;
    for (name, l) in one.l.iter().flatten() {
        writeln!(
            text,
            "| l of {name} | frequency (rounded down) {}, distinct {}, entropy {}, recursive (c = {}) {} |",
            l.frequency,
            l.distinct,
            number(l.entropy),
            format_number(l.c),
            l.recursive
        )?;
    }
    for (name, t) in one.t.iter().flatten() {
        let own = one.t_in_release.as_ref().and_then(|all| all.get(name)).copied().unwrap_or_default();
        writeln!(
            text,
            "| t of {name} | at most {} against the original, {} within the release |",
            number(*t),
            number(own)
        )?;
    }
    writeln!(text, "| NECD (spread of group sizes) | {} |", number(one.necd))?;
    writeln!(text, "| GL (general loss of the released rows) | at most {} |", percent(one.gl))?;
    writeln!(text, "| SL (suppressed rows) | at most {} |", percent(one.sl))?;
    writeln!(text, "| highest risk of re-identification | {} |", percent(one.risk.highest))?;
    writeln!(text, "| average risk of re-identification | {} |", percent(one.risk.average))?;
    let over = format!("rows with a risk above {}", percent(one.risk.threshold));
    writeln!(text, "| {over} | {} |", percent(one.risk.share_over_threshold))
}

/// How many groups there are of which size.
fn group_sizes(text: &mut String, one: &Certificate) -> fmt::Result {
    writeln!(text, "\n### Group sizes\n\n| size | groups | rows |\n|---|---|---|")?;
    for class in &one.group_sizes {
        let size = match class.to {
            Some(to) if to == class.from => to.to_string(),
            Some(to) => format!("{} to {to}", class.from),
            None => format!("{} and more", class.from),
        };
        writeln!(text, "| {size} | {} | {} |", class.groups, class.rows)?;
    }
    Ok(())
}

/// What the search worked out.
fn planned(text: &mut String, one: &Certificate) -> fmt::Result {
    writeln!(text, "\n## Planned\n\nAs the search worked them out, not measured on the file.\n")?;
    writeln!(text, "| loss | at most |\n|---|---|")?;
    for (name, loss) in &one.losses {
        writeln!(text, "| {name} | {} |", number(*loss))?;
    }
    Ok(())
}

/// What a recoding of an earlier table made of this one.
fn used_again(text: &mut String, one: &Certificate, again: &Reapplied) -> fmt::Result {
    writeln!(text, "\n## A recoding used again\n")?;
    writeln!(text, "The recoding {} on a later table, with k = {} enforced.", again.recoding, again.enforced_k)?;
    if again.unknown_rows > 0 {
        writeln!(text, "{} rows held values that it does not know and were suppressed.", again.unknown_rows)?;
    }
    if again.moved_rows > 0 {
        writeln!(text, "{} rows lay in none of its regions and show the nearest one.", again.moved_rows)?;
    }
    for (name, values) in &again.moved_values {
        writeln!(text, "{values} values of {name} that it does not know went to the nearest that it knows.")?;
    }
    if let Some(fresh) = &again.fresh {
        against_fresh(text, one, fresh)?;
    }
    if let Some(reason) = &again.no_fresh {
        writeln!(text, "No comparison with a fresh search: {reason}.")?;
    }
    Ok(())
}

/// The recoding beside what a search of this table alone would have given.
fn against_fresh(text: &mut String, one: &Certificate, fresh: &Fresh) -> fmt::Result {
    writeln!(text, "\n| | k | GL | SL | loss |\n|---|---|---|---|---|")?;
    let line = |name: &str, k: u64, gl: f64, sl: f64| {
        format!("| {name} | {k} | {} | {} | {} |", percent(gl), percent(sl), percent(gl + sl))
    };
    writeln!(text, "{}", line("used again", one.k, one.gl, one.sl))?;
    let name = if fresh.exact { "fresh optimum" } else { "best of a fresh search" };
    writeln!(text, "{}", line(name, fresh.k, fresh.gl, fresh.sl))?;
    writeln!(text, "\nThe loss is {} times that of the fresh search.", number(fresh.ratio))
}

/// What the figures promise, and what they do not.
fn meaning(text: &mut String, one: &Certificate) -> fmt::Result {
    writeln!(text, "\n## What this means\n")?;
    writeln!(text, "Nobody who knows the recoded columns of a person can narrow the person down to fewer than")?;
    writeln!(text, "{} rows of this file. That says nothing about people who know other columns, nor about", one.k)?;
    writeln!(text, "what all rows of a group have in common; l and t limit the latter for the sensitive columns.")
}
