//! Breaking inputs: bytes, numbers, words that mean something somewhere, pieces of other inputs, and nodes of JSON.

use rand::Rng;
use rand_chacha::ChaCha8Rng;
use serde_json::Value;

use crate::tree::break_node;
use crate::words::WORDS;

/// Inputs do not grow beyond this.
const LONGEST: usize = 1 << 16;

/// Chance, in the few ways that breaking needs.
pub struct Dice<'a>(pub &'a mut ChaCha8Rng);

impl Dice<'_> {
    /// A number below a limit; 0 where the limit is 0.
    #[expect(clippy::cast_possible_truncation, reason = "what is left of a division is below the limit, which fits")]
    pub fn below(&mut self, limit: usize) -> usize {
        if limit == 0 { 0 } else { (self.0.next_u64() % limit as u64) as usize }
    }

    pub(crate) fn byte(&mut self) -> u8 {
        self.below(256).try_into().unwrap_or(u8::MAX)
    }

    pub(crate) fn one<'t, T>(&mut self, of: &'t [T]) -> Option<&'t T> {
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
