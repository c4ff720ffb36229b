//! Breaking JSON as a tree: parts change places, go, or become something else.

use serde_json::Value;

use crate::mutate::Dice;
use crate::words::WORDS;

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
pub(crate) fn break_node(tree: &mut Value, donor: &Value, dice: &mut Dice) {
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
