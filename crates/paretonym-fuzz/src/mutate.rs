//! Breaking inputs: bytes, numbers, words that mean something somewhere, pieces of other inputs, and nodes of JSON.

use rand::Rng;
use rand_chacha::ChaCha8Rng;
use serde_json::Value;

/// Inputs do not grow beyond this.
const LONGEST: usize = 1 << 16;

/// Words that some reader treats in a way of its own.
const WORDS: &[&str] = &[
    "0",
    "-0",
    "-1",
    "1",
    "255",
    "256",
    "65536",
    "2147483647",
    "2147483648",
    "4294967295",
    "4294967296",
    "9223372036854775807",
    "18446744073709551615",
    "18446744073709551616",
    "1e308",
    "-1e308",
    "1e400",
    "5e-324",
    "0.1",
    "nan",
    "inf",
    "-inf",
    "null",
    "true",
    "false",
    "\"\"",
    "[]",
    "{}",
    "[[",
    "]]",
    ",",
    ";",
    "\t",
    "|",
    "\n",
    "\r\n",
    "\r",
    "\"",
    "\"\"",
    "'",
    "''",
    "*",
    "?",
    " ",
    "\u{feff}",
    "\u{0}",
    "ä",
    "\u{202e}",
    "regions",
    "level",
    "cut",
    "breaks",
    "missing",
    "name",
    "role",
    "quasi",
    "sensitive",
    "target",
    "identifying",
    "insensitive",
    "numeric",
    "ordinal",
    "categorical",
    "range",
    "granularity",
    "bins",
    "widths",
    "groups",
    "taxonomy",
    "order",
    "hierarchy",
    "prefix",
    "dates",
    "flat",
    "weight",
    "on_missing",
    "value",
    "drop-row",
    "error",
    "delimiter",
    "header",
    "columns",
    "leaves",
    "holds",
    "sets",
    "boxes",
    "node",
    "exceptions",
    "suppressed",
    "median",
    "labels",
    "by",
    "numbers",
    "from",
    "to",
    "closed",
    "PAR1",
    "2024-02-30",
    "0000-00-00",
    "99999-01-01",
    "[0, 5)",
    "{a, b}",
    "# ",
    "[[columns]]",
    "[data]",
    "[search]",
];

/// Chance, in the few ways that breaking needs.
pub struct Dice<'a>(pub &'a mut ChaCha8Rng);

impl Dice<'_> {
    /// A number below a limit; 0 where the limit is 0.
    #[expect(clippy::cast_possible_truncation, reason = "what is left of a division is below the limit, which fits")]
    pub fn below(&mut self, limit: usize) -> usize {
        if limit == 0 { 0 } else { (self.0.next_u64() % limit as u64) as usize }
    }

    fn byte(&mut self) -> u8 {
        self.below(256).try_into().unwrap_or(u8::MAX)
    }

    fn one<'t, T>(&mut self, of: &'t [T]) -> Option<&'t T> {
        of.get(self.below(of.len()))
    }
}

/// Breaks an input in a few places. `other` is another input to take pieces of.
pub fn mutate(input: &[u8], other: &[u8], dice: &mut Dice) -> Vec<u8> {
    let mut bytes = input.to_vec();
    if dice.below(2) == 0
        && let Ok(mut tree) = serde_json::from_slice::<Value>(&bytes)
    {
        let donor = serde_json::from_slice::<Value>(other).unwrap_or(Value::Null);
        for _ in 0..1 + dice.below(3) {
            break_node(&mut tree, &donor, dice);
        }
        if let Ok(text) = serde_json::to_vec(&tree) {
            bytes = text;
        }
        if dice.below(8) > 0 {
            return shortened(bytes);
        }
    }
    for _ in 0..1 + dice.below(4) {
        break_bytes(&mut bytes, other, dice);
    }
    shortened(bytes)
}

fn shortened(mut bytes: Vec<u8>) -> Vec<u8> {
    bytes.truncate(LONGEST);
    bytes
}

fn break_bytes(bytes: &mut Vec<u8>, other: &[u8], dice: &mut Dice) {
    let at = dice.below(bytes.len());
    let span = |dice: &mut Dice, len: usize| {
        let start = dice.below(len);
        start..(start + 1 + dice.below(24)).min(len)
    };
    match dice.below(12) {
        0 if !bytes.is_empty() => bytes[at] ^= 1 << dice.below(8),
        1 if !bytes.is_empty() => bytes[at] = [0, 1, 0x7f, 0x80, 0xff, b'"', b'\n', b','][dice.below(8)],
        2 if !bytes.is_empty() => bytes[at] = dice.byte(),
        3 => bytes.truncate(at),
        4 | 5 => {
            let word = dice.one(WORDS).copied().unwrap_or_default();
            bytes.splice(at..at, word.bytes());
        }
        6 if !bytes.is_empty() => {
            let range = span(dice, bytes.len());
            bytes.drain(range);
        }
        7 if !bytes.is_empty() => {
            // The same again, many times over: lines, cells, brackets.
            let range = span(dice, bytes.len());
            let again = bytes[range].repeat(1 + dice.below(40));
            bytes.splice(at..at, again);
        }
        8 if !other.is_empty() => {
            let range = span(dice, other.len());
            bytes.splice(at..at, other[range].iter().copied());
        }
        9 if !other.is_empty() => {
            let from = dice.below(other.len());
            bytes.truncate(at);
            bytes.extend_from_slice(&other[from..]);
        }
        _ => break_number(bytes, dice),
    }
}

/// Puts another number in place of one that is written in digits, or over four or eight bytes.
fn break_number(bytes: &mut Vec<u8>, dice: &mut Dice) {
    let starts: Vec<usize> = (0..bytes.len())
        .filter(|at| bytes[*at].is_ascii_digit() && (*at == 0 || !bytes[at - 1].is_ascii_digit()))
        .collect();
    match dice.one(&starts).copied() {
        Some(start) if dice.below(4) > 0 => {
            let end = start + bytes[start..].iter().take_while(|byte| byte.is_ascii_digit()).count();
            let old: u64 = String::from_utf8_lossy(&bytes[start..end]).parse().unwrap_or(0);
            let new = match dice.below(5) {
                0 => old.wrapping_add(1).to_string(),
                1 => old.wrapping_sub(1).to_string(),
                2 => old.wrapping_mul(1000).to_string(),
                _ => WORDS[dice.below(21)].to_owned(),
            };
            bytes.splice(start..end, new.bytes());
        }
        _ => {
            let number = [0, 1, u64::MAX, u64::from(u32::MAX), 1 << 31, 1 << 16][dice.below(6)].to_le_bytes();
            let at = dice.below(bytes.len().saturating_sub(8));
            let width = [1, 2, 4, 8][dice.below(4)].min(bytes.len() - at);
            bytes[at..at + width].copy_from_slice(&number[..width]);
        }
    }
}

fn nodes(tree: &Value) -> usize {
    1 + match tree {
        Value::Array(items) => items.iter().map(nodes).sum::<usize>(),
        Value::Object(entries) => entries.values().map(nodes).sum::<usize>(),
        _ => 0,
    }
}

/// The node with a number, counted in pre-order.
fn node_at<'t>(tree: &'t mut Value, at: &mut usize) -> Option<&'t mut Value> {
    if *at == 0 {
        return Some(tree);
    }
    *at -= 1;
    match tree {
        Value::Array(items) => items.iter_mut().find_map(|item| node_at(item, at)),
        Value::Object(entries) => entries.values_mut().find_map(|item| node_at(item, at)),
        _ => None,
    }
}

/// Breaks one node of a tree, which stays a tree.
fn break_node(tree: &mut Value, donor: &Value, dice: &mut Dice) {
    let mut at = dice.below(nodes(tree));
    let Some(node) = node_at(tree, &mut at) else { return };
    let choice = dice.below(8);
    match node {
        Value::Array(items) if choice < 6 && !items.is_empty() => {
            let (one, two) = (dice.below(items.len()), dice.below(items.len()));
            match choice {
                0 => drop(items.remove(one)),
                1 | 2 => items.insert(two, items[one].clone()),
                3 => items.swap(one, two),
                4 => items.truncate(one),
                _ => items.extend_from_within(..),
            }
        }
        Value::Object(entries) if choice < 4 && !entries.is_empty() => {
            let key = entries.keys().nth(dice.below(entries.len())).cloned().unwrap_or_default();
            let value = entries.remove(&key).unwrap_or(Value::Null);
            match choice {
                0 => {}
                1 => drop(entries.insert(WORDS[dice.below(WORDS.len())].to_owned(), value)),
                _ => drop(entries.insert(key, broken_value(dice))),
            }
        }
        Value::Number(number) if choice < 6 => {
            let old = number.as_f64().unwrap_or(0.0);
            *node = match choice {
                0 => Value::from(old + 1.0),
                1 => Value::from(number.as_u64().unwrap_or(0).wrapping_add(1)),
                2 => Value::from(number.as_u64().unwrap_or(0).wrapping_sub(1)),
                3 => Value::from(-old),
                _ => broken_value(dice),
            };
        }
        Value::String(text) if choice < 6 => match choice {
            0 => text.clear(),
            1 => text.push_str(WORDS[dice.below(WORDS.len())]),
            2 => *text = text.chars().rev().collect(),
            _ => *text = WORDS[dice.below(WORDS.len())].to_owned(),
        },
        node if choice == 7 => {
            let mut from = dice.below(nodes(donor));
            *node = node_at(&mut donor.clone(), &mut from).cloned().unwrap_or(Value::Null);
        }
        node => *node = broken_value(dice),
    }
}

fn broken_value(dice: &mut Dice) -> Value {
    match dice.below(4) {
        0 => serde_json::from_str(WORDS[dice.below(31)]).unwrap_or(Value::Null),
        1 => Value::from(dice.below(12)),
        2 => Value::from(WORDS[dice.below(WORDS.len())]),
        _ => serde_json::from_str(WORDS[dice.below(20)]).unwrap_or(Value::Null),
    }
}

#[cfg(test)]
mod tests {
    use rand::SeedableRng;

    use super::*;

    #[test]
    fn any_input_can_be_broken_and_the_same_seed_breaks_it_the_same_way() {
        let run = |seed| {
            let mut generator = ChaCha8Rng::seed_from_u64(seed);
            let mut dice = Dice(&mut generator);
            let inputs: [&[u8]; 4] = [b"", b"x", br#"{"a":[1,2,{"b":"c"}],"d":-1.5}"#, b"a,b\n1,2\n"];
            (0..4000).map(|at| mutate(inputs[at % 4], inputs[at / 4 % 4], &mut dice)).collect::<Vec<_>>()
        };
        assert_eq!(run(1), run(1));
        assert_ne!(run(1), run(2));
        assert!(run(3).iter().all(|input| input.len() <= LONGEST));
    }
}
