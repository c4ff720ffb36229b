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

#[cfg(test)]
mod tests {
    use super::*;

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
