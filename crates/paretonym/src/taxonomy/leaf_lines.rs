//! The taxonomy file that ARX writes: one line per leaf, from the leaf to the top, `leaf;level 1;…;top`.
//!
//! Two leaves are in the same set of a level where their lines have the same text in that place.

use std::borrow::Cow;
use std::collections::HashMap;

use super::{Hierarchy, Level, MAX_LEVELS};
use crate::data::MOST_LEAVES;
use crate::error::{Error, Result};

/// One line that is not blank.
struct Line<'a> {
    /// Counted from 1.
    number: usize,
    /// Trimmed, not empty, without the quotes.
    cells: Vec<Cow<'a, str>>,
}

/// The sets of one level: which one each line is in, by order of first appearance, and the line that named it first.
struct Sets {
    of_line: Vec<u32>,
    first_line: Vec<usize>,
}

/// Reads the text of a taxonomy file; `place` is its name in messages.
///
/// The separator is `;` where the first line has one, `,` otherwise; cells may be quoted. A line that is shorter than
/// the longest repeats the value below its top. The leaves come back in pre-order, children in order of their first
/// appearance, so that every set of every level is a run of leaves.
///
/// Fails, naming the line, on a leaf given twice, a level that separates what a lower one joined, an empty cell, and
/// where there is no line at all.
///
/// ```
/// use paretonym::taxonomy::parse_leaf_lines;
///
/// let (leaves, hierarchy) = parse_leaf_lines("town.csv", "Bern;canton Bern;*\nThun;canton Bern;*\nBasel;north;*\n")?;
/// assert_eq!(leaves, ["Bern", "Thun", "Basel"]);
/// assert_eq!(hierarchy.level(1).labels, ["canton Bern", "north"]);
/// # Ok::<(), paretonym::error::Error>(())
/// ```
pub fn parse_leaf_lines(place: &str, text: &str) -> Result<(Vec<String>, Hierarchy)> {
    let lines = read_lines(place, text.strip_prefix('\u{feff}').unwrap_or(text))?;
    let Some(longest) = lines.iter().max_by_key(|line| line.cells.len()) else {
        return Err(Error::taxonomy(place, "has no lines; write one line per value: value;level 1;…;top"));
    };
    let depth = longest.cells.len();
    if depth > MAX_LEVELS {
        let problem = format!("has {depth} cells; a taxonomy may have {MAX_LEVELS}");
        return Err(at(place, longest.number, problem));
    }
    if lines.len() > MOST_LEAVES {
        let problem = format!("names more than {MOST_LEAVES} values, more than a taxonomy may have");
        return Err(at(place, lines[MOST_LEAVES].number, problem));
    }
    check_tops(place, &lines, depth)?;

    let sets: Vec<Sets> = (0..depth).map(|level| sets_of(&lines, depth, level)).collect();
    check_leaves(place, &lines, &sets[0])?;
    for level in 1..depth {
        check_nesting(place, &lines, &sets, level)?;
    }

    let mut order: Vec<usize> = (0..lines.len()).collect();
    order.sort_by(|a, b| {
        let key = |line: usize| sets.iter().rev().map(move |sets| sets.of_line[line]);
        key(*a).cmp(key(*b))
    });
    let leaves: Vec<String> = order.iter().map(|line| lines[*line].cells[0].to_string()).collect();
    let between = (1..depth).map(|level| level_in_order(&lines, depth, level, &sets[level], &order)).collect();
    let hierarchy = Hierarchy::from_partitions(place, &leaves, between)?;
    Ok((leaves, hierarchy))
}

fn at(place: &str, line: usize, problem: impl Into<String>) -> Error {
    Error::taxonomy(format!("{place}, line {line}"), problem)
}

fn read_lines<'a>(place: &str, text: &'a str) -> Result<Vec<Line<'a>>> {
    let mut lines = Vec::new();
    let mut separator = None;
    for (index, text) in text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()) {
        let number = index + 1;
        let separator = *separator.get_or_insert_with(|| if has_semicolon(text) { ';' } else { ',' });
        let cells = split(text, separator).map_err(|problem| at(place, number, problem))?;
        if let Some(empty) = cells.iter().position(|cell| cell.is_empty()) {
            let problem = format!("cell {} is empty; a short branch repeats its value: Private;Private;*", empty + 1);
            return Err(at(place, number, problem));
        }
        lines.push(Line { number, cells });
    }
    Ok(lines)
}

/// Whether a line has a `;` that is not quoted.
fn has_semicolon(line: &str) -> bool {
    line.split('"').step_by(2).any(|outside| outside.contains(';'))
}

/// The trimmed cells of a line. A cell that starts with `"` goes up to the next `"` that is not doubled.
fn split(line: &str, separator: char) -> Result<Vec<Cow<'_, str>>, String> {
    let mut cells = Vec::new();
    let mut rest = line;
    loop {
        let after = if let Some(quoted) = rest.trim_start().strip_prefix('"') {
            let end = closing_quote(quoted).ok_or("a quote is opened and not closed")?;
            let cell = &quoted[..end];
            cells.push(if cell.contains('"') {
                Cow::Owned(cell.replace("\"\"", "\"").trim().to_owned())
            } else {
                Cow::Borrowed(cell.trim())
            });
            let tail = quoted[end + 1..].trim_start();
            if tail.is_empty() {
                None
            } else {
                let next = tail.strip_prefix(separator);
                Some(next.ok_or_else(|| format!("{tail:?} follows a closing quote; write \"\" for a quote in a cell"))?)
            }
        } else {
            let (cell, after) = match rest.split_once(separator) {
                Some((cell, after)) => (cell, Some(after)),
                None => (rest, None),
            };
            cells.push(Cow::Borrowed(cell.trim()));
            after
        };
        match after {
            Some(after) => rest = after,
            None => return Ok(cells),
        }
    }
}

/// Where the first `"` is that is not one of two.
fn closing_quote(text: &str) -> Option<usize> {
    let mut from = 0;
    loop {
        let quote = from + text[from..].find('"')?;
        if !text[quote + 1..].starts_with('"') {
            return Some(quote);
        }
        from = quote + 2;
    }
}

/// Short lines are only understood where all lines end in the same top.
fn check_tops(place: &str, lines: &[Line], depth: usize) -> Result<()> {
    let Some(short) = lines.iter().find(|line| line.cells.len() < depth) else {
        return Ok(());
    };
    let top = |line: &Line| line.cells[line.cells.len() - 1].to_string();
    if let Some(lone) = lines.iter().find(|line| line.cells.len() == 1) {
        let problem =
            format!("{:?} has no level above it, but other lines have; add the cells up to the top", top(lone));
        return Err(at(place, lone.number, problem));
    }
    if let Some(other) = lines.iter().find(|line| line.cells.last() != short.cells.last()) {
        let problem = format!(
            "has {} cells where the longest line has {depth}, and ends in {:?} where line {} ends in {:?}; \
             lines of different lengths must end in the same top, such as *",
            short.cells.len(),
            top(short),
            other.number,
            top(other)
        );
        return Err(at(place, short.number, problem));
    }
    Ok(())
}

/// The cell of a line at a level, short lines repeating the value below their top.
fn cell<'a>(line: &'a Line, depth: usize, level: usize) -> &'a str {
    let length = line.cells.len();
    let index = if level + 1 == depth { length - 1 } else { level.min(length.saturating_sub(2)) };
    &line.cells[if length == depth { level } else { index }]
}

fn sets_of(lines: &[Line], depth: usize, level: usize) -> Sets {
    let mut ids: HashMap<&str, u32> = HashMap::new();
    let mut sets = Sets { of_line: Vec::with_capacity(lines.len()), first_line: Vec::new() };
    for (index, line) in lines.iter().enumerate() {
        let id = *ids.entry(cell(line, depth, level)).or_insert_with(|| {
            sets.first_line.push(index);
            sets.first_line.len() as u32 - 1
        });
        sets.of_line.push(id);
    }
    sets
}

fn check_leaves(place: &str, lines: &[Line], leaves: &Sets) -> Result<()> {
    for (index, line) in lines.iter().enumerate() {
        let first = leaves.first_line[leaves.of_line[index] as usize];
        if first != index {
            let problem = format!("the value {:?} is already given in line {}", line.cells[0], lines[first].number);
            return Err(at(place, line.number, problem));
        }
    }
    Ok(())
}

/// All lines of a set of the level below must be in one set of this level.
fn check_nesting(place: &str, lines: &[Line], sets: &[Sets], level: usize) -> Result<()> {
    let (below, here) = (&sets[level - 1], &sets[level]);
    let depth = sets.len();
    for (index, line) in lines.iter().enumerate() {
        let first = below.first_line[below.of_line[index] as usize];
        if here.of_line[first] != here.of_line[index] {
            let problem = format!(
                "level {level} separates what level {} has joined: {:?} belongs to {:?} here and to {:?} in line {}",
                level - 1,
                cell(line, depth, level - 1),
                cell(line, depth, level),
                cell(&lines[first], depth, level),
                lines[first].number
            );
            return Err(at(place, line.number, problem));
        }
    }
    Ok(())
}

/// The level as numbered runs of the leaves in their final order.
fn level_in_order(lines: &[Line], depth: usize, level: usize, sets: &Sets, order: &[usize]) -> Level {
    let mut runs = Level { set_of: Vec::with_capacity(order.len()), labels: Vec::new() };
    let mut previous = None;
    for &line in order {
        if previous != Some(sets.of_line[line]) {
            previous = Some(sets.of_line[line]);
            runs.labels.push(cell(&lines[line], depth, level).to_owned());
        }
        runs.set_of.push(runs.labels.len() as u32 - 1);
    }
    runs
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn problem(text: &str) -> String {
        parse_leaf_lines("workclass.csv", text).unwrap_err().to_string()
    }

    #[test]
    fn leaves_come_in_pre_order() {
        let (leaves, hierarchy) = parse_leaf_lines("x.csv", "a;X;*\nb;Y;*\nc;X;*\n").unwrap();
        assert_eq!(leaves, ["a", "c", "b"]);
        assert_eq!(hierarchy.height(), 2);
        assert_eq!(hierarchy.level(1).set_of, [0, 0, 1]);
        assert_eq!(hierarchy.level(1).labels, ["X", "Y"]);
        assert_eq!(hierarchy.level(2).labels, ["*"]);
    }

    #[test]
    fn byte_order_mark_blank_lines_quotes_and_spaces_are_understood() {
        let text = "\u{feff}\r\n \"New York, NY\" , East ,*\r\n\r\n\"the \"\"Bay\"\"\",West,*\r\n";
        let (leaves, hierarchy) = parse_leaf_lines("x.csv", text).unwrap();
        assert_eq!(leaves, ["New York, NY", "the \"Bay\""]);
        assert_eq!(hierarchy.level(1).labels, ["East", "West"]);
        let (leaves, _) = parse_leaf_lines("x.csv", "\"a;b\",X\nc,X").unwrap();
        assert_eq!(leaves, ["a;b", "c"]);
    }

    #[test]
    fn one_column_is_flat() {
        let (leaves, hierarchy) = parse_leaf_lines("x.csv", "a\nb").unwrap();
        assert_eq!(hierarchy, Hierarchy::flat(&leaves));
    }

    #[test]
    fn several_tops_are_joined_by_a_star() {
        let (_, hierarchy) = parse_leaf_lines("x.csv", "a;X\nb;Y").unwrap();
        assert_eq!(hierarchy.height(), 2);
        assert_eq!(hierarchy.level(2).labels, ["*"]);
    }

    #[test]
    fn short_lines_repeat_the_value_below_the_top() {
        let text = "State-gov;Government;*\nPrivate;*\nLocal-gov;Government;*";
        let (leaves, hierarchy) = parse_leaf_lines("x.csv", text).unwrap();
        assert_eq!(leaves, ["State-gov", "Local-gov", "Private"]);
        assert_eq!(hierarchy.level(1).labels, ["Government", "Private"]);
        let (_, joined) = parse_leaf_lines("x.csv", "a;X;*\nb;Y;X;*").unwrap();
        assert_eq!(joined.level(1).labels, ["X", "Y"]);
        assert_eq!(joined.level(2).labels, ["X"]);
    }

    #[test]
    fn errors_name_the_lines() {
        let twice = problem("a;X;*\n\nb;X;*\na;Y;*");
        assert!(twice.starts_with("workclass.csv, line 4: ") && twice.contains("line 1"), "{twice}");
        let split = problem("a;X;P;*\nb;X;Q;*");
        assert!(split.starts_with("workclass.csv, line 2: "), "{split}");
        assert!(split.contains("\"X\" belongs to \"Q\" here and to \"P\" in line 1"), "{split}");
        assert!(problem("a;X;*\nb;;*").contains("line 2: cell 2 is empty"));
        assert!(problem("a;X;*\nb;\"X;*").contains("line 2: a quote is opened and not closed"));
        assert!(problem("a;X;*\n\"b\"c;X;*").contains("line 2: \"c;X;*\" follows a closing quote"));
        assert!(problem(" \n").contains("has no lines"));
        let tops = problem("a;X;*\nb;any");
        assert!(tops.contains("line 2: has 2 cells") && tops.contains("line 1 ends in \"*\""), "{tops}");
        assert!(problem("a;X;*\nb").contains("line 2: \"b\" has no level above it"));
        assert!(problem(&"x;".repeat(200)).contains("line 1: cell 201 is empty"));
        assert!(problem(&format!("{}*", "x;".repeat(200))).contains("line 1: has 201 cells"));
    }

    #[test]
    fn many_leaves_are_read() {
        let text: String = (0..100_000).map(|i| format!("{i};{};{};*\n", i % 5_000, i % 50)).collect();
        let (leaves, hierarchy) = parse_leaf_lines("x.csv", &text).unwrap();
        assert_eq!(leaves.len(), 100_000);
        assert_eq!(leaves[..2], ["0", "5000"]);
        assert_eq!(hierarchy.level(2).labels.len(), 50);
    }

    proptest! {
        #[test]
        fn no_text_panics(text in "(?s)[ab;,\"\\r\\n *\u{feff}é]{0,60}|(?s).{0,60}") {
            let _ = parse_leaf_lines("x.csv", &text);
        }

        #[test]
        fn a_tree_is_read_whatever_the_order_of_its_lines(order in Just((0..24usize).collect::<Vec<_>>()).prop_shuffle()) {
            let text: String = order.iter().map(|i| format!("{i};a{};b{};*\n", i / 3, i / 6)).collect();
            let (leaves, hierarchy) = parse_leaf_lines("x.csv", &text).unwrap();
            for level in 1..3 {
                for (leaf, set) in leaves.iter().zip(&hierarchy.level(level).set_of) {
                    let number: usize = leaf.parse().unwrap();
                    let expected = [format!("a{}", number / 3), format!("b{}", number / 6)];
                    prop_assert_eq!(&hierarchy.level(level).labels[*set as usize], &expected[level - 1]);
                }
            }
            let mut sorted: Vec<usize> = leaves.iter().map(|leaf| leaf.parse().unwrap()).collect();
            sorted.sort_unstable();
            prop_assert_eq!(sorted, (0..24).collect::<Vec<_>>());
        }
    }
}
