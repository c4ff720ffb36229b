//! Random tokens in place of identifying values: equal values of a column get equal tokens, and without the key, which
//! is drawn for one release and never kept, a token says nothing about its value.

use arrow_array::{Array, StringArray};
use hmac::{Hmac, KeyInit, Mac};
use sha2::Sha256;

use crate::hex::hex;
use crate::rows::cells::Cells;

/// Makes the tokens of one column.
pub(crate) struct Tokens {
    keyed: Hmac<Sha256>,
}

impl Tokens {
    /// Columns do not share tokens, so that they cannot be matched with each other.
    pub fn new(key: &[u8; 32], column: &str) -> Self {
        // HMAC takes keys of any length.
        let mut keyed = Hmac::new_from_slice(key).unwrap_or_else(|_| unreachable!("a key of any length is allowed"));
        keyed.update(&(column.len() as u64).to_le_bytes());
        keyed.update(column.as_bytes());
        Tokens { keyed }
    }

    /// What stands before a value in the inner of the two digests that a token is made of, for an engine that makes tokens
    /// itself: HMAC as it is defined.
    pub fn inner(key: &[u8; 32], column: &str) -> Vec<u8> {
        [&padded(key, 0x36), (column.len() as u64).to_le_bytes().as_slice(), column.as_bytes()].concat()
    }

    /// What stands before the inner digest in the outer one. It is the same for all columns.
    pub fn outer(key: &[u8; 32]) -> Vec<u8> {
        padded(key, 0x5c)
    }

    /// The tokens of a batch; a null stays one.
    pub fn of(&self, cells: &Cells, rows: usize) -> StringArray {
        let absent = |row: usize| match cells {
            Cells::Slices(cells) => cells.at(cells.spans[row]).is_empty(),
            Cells::Text(texts) => texts.is_null(row),
            Cells::Dictionary(keys, texts) => keys.is_null(row) || texts.is_null(keys.value(row) as usize),
            Cells::Integers(integers) => integers.is_null(row),
            Cells::Floats(floats) => floats.is_null(row),
        };
        (0..rows).map(|row| (!absent(row)).then(|| self.token(&cells.show(row)))).collect()
    }

    fn token(&self, value: &str) -> String {
        let mut mac = self.keyed.clone();
        mac.update(value.as_bytes());
        hex(&mac.finalize().into_bytes()[..16])
    }
}

/// A key as long as a block of SHA-256, changed by a number.
fn padded(key: &[u8; 32], by: u8) -> Vec<u8> {
    key.iter().chain(&[0; 32]).map(|byte| byte ^ by).collect()
}

#[cfg(test)]
mod tests {
    use sha2::Digest;

    use super::*;

    #[test]
    fn an_engine_makes_the_same_tokens_of_two_digests() {
        let key: [u8; 32] = std::array::from_fn(|at| at as u8 * 7);
        let digest = |before: &[u8], value: &[u8]| Sha256::digest([before, value].concat()).to_vec();
        for (column, value) in [("id", "Ann"), ("näme \"", ""), ("id", &"long ".repeat(50))] {
            let inner = digest(&Tokens::inner(&key, column), value.as_bytes());
            let outer = digest(&Tokens::outer(&key), &inner);
            assert_eq!(hex(&outer[..16]), Tokens::new(&key, column).token(value));
        }
    }

    #[test]
    fn tokens_depend_on_key_column_and_value() {
        let token = |key: u8, column: &str, value: &str| Tokens::new(&[key; 32], column).token(value);
        let one = token(1, "id", "Ann");
        // Worked out by another program: HMAC-SHA-256 of the length of the name, the name and the value.
        assert_eq!(one, "aaeea830c003142d026af64a815cbff5");
        assert_eq!(one, token(1, "id", "Ann"));
        assert!(
            [token(2, "id", "Ann"), token(1, "no", "Ann"), token(1, "id", "Bob")].iter().all(|other| *other != one)
        );
    }
}
