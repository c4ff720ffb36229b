//! Texts of Arrow as positions in a list of them: what coders take ten times faster than texts one by one, since most columns
//! have few. Nothing depends on the list: a text may be in it twice.

use arrow_array::cast::AsArray;
use arrow_array::{Array, ArrayRef, GenericStringArray, Int32Array, OffsetSizeTrait, StringArray, StringViewArray};
use arrow_buffer::ScalarBuffer;
use arrow_schema::DataType;

use crate::rows::recent::{CellWords, RecentCodes, cell_words};

/// Texts that are shorter than the words of a view are held in it.
const INLINE: u32 = 12;

/// Whether a column holds texts.
pub(super) fn is_text(kind: &DataType) -> bool {
    matches!(kind, DataType::Utf8 | DataType::LargeUtf8 | DataType::Utf8View)
}

/// Where the texts of a part that were met lately are in its list.
struct Places {
    short: RecentCodes<2>,
    longer: RecentCodes<4>,
}

impl Default for Places {
    fn default() -> Self {
        Places { short: RecentCodes::new(u32::MAX), longer: RecentCodes::new(u32::MAX) }
    }
}

/// The texts of a column as positions in a list; none where it holds something else.
pub(super) fn positions_of(array: &ArrayRef) -> Option<(Int32Array, StringArray)> {
    let mut places = Places::default();
    let (keys, texts) = match array.data_type() {
        DataType::Utf8 => of_texts(array.as_string::<i32>(), &mut places),
        DataType::LargeUtf8 => of_texts(array.as_string::<i64>(), &mut places),
        DataType::Utf8View => of_views(array.as_string_view(), &mut places),
        _ => return None,
    };
    let keys = Int32Array::new(ScalarBuffer::from(keys), array.nulls().cloned());
    Some((keys, StringArray::from_iter_values(texts)))
}

fn of_texts<'a, O: OffsetSizeTrait>(array: &'a GenericStringArray<O>, places: &mut Places) -> (Vec<i32>, Vec<&'a str>) {
    let (bytes, ends) = (array.value_data(), array.value_offsets());
    let mut texts = Vec::new();
    let keys = keys(array, |row| {
        let (start, end) = (ends[row].as_usize(), ends[row + 1].as_usize());
        let mut add = || added(&mut texts, array.value(row));
        match cell_words::<2>(bytes, start, end - start) {
            Some(words) => find(&mut places.short, words, add),
            None => match cell_words::<4>(bytes, start, end - start) {
                Some(words) => find(&mut places.longer, words, add),
                None => add(),
            },
        }
    });
    (keys, texts)
}

fn of_views<'a>(array: &'a StringViewArray, places: &mut Places) -> (Vec<i32>, Vec<&'a str>) {
    let views = array.views();
    let mut texts = Vec::new();
    let keys = keys(array, |row| {
        let view = views[row];
        let mut add = || added(&mut texts, array.value(row));
        match view as u32 {
            // A short text is its view.
            ..=INLINE => find(&mut places.short, [view as u64, (view >> 64) as u64], add),
            length => match longer(array.value(row).as_bytes(), length as usize) {
                Some(words) => find(&mut places.longer, words, add),
                None => add(),
            },
        }
    });
    (keys, texts)
}

/// The position of each cell; of none that is not there.
fn keys(array: &dyn Array, mut key: impl FnMut(usize) -> u32) -> Vec<i32> {
    match array.nulls().filter(|nulls| nulls.null_count() > 0) {
        None => (0..array.len()).map(|row| key(row) as i32).collect(),
        Some(nulls) => (0..array.len()).map(|row| if nulls.is_valid(row) { key(row) as i32 } else { 0 }).collect(),
    }
}

fn added<'a>(texts: &mut Vec<&'a str>, text: &'a str) -> u32 {
    texts.push(text);
    texts.len() as u32 - 1
}

/// The words of a text that is longer than a view holds.
fn longer(text: &[u8], length: usize) -> Option<CellWords<4>> {
    let mut filled = [0; 32];
    filled.get_mut(..length)?.copy_from_slice(text);
    cell_words::<4>(&filled, 0, length)
}

#[inline]
fn find<const N: usize>(places: &mut RecentCodes<N>, words: CellWords<N>, add: impl FnOnce() -> u32) -> u32 {
    places.find(&words).unwrap_or_else(|| {
        let key = add();
        places.put(words, key);
        key
    })
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use arrow_array::LargeStringArray;
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn a_list_says_what_the_texts_say(texts in prop::collection::vec(prop::option::of("[ab]{0,2}|[a-cé]{10,40}"), 0..60)) {
            let arrays: [ArrayRef; 3] = [
                Arc::new(texts.iter().collect::<StringArray>()),
                Arc::new(texts.iter().collect::<LargeStringArray>()),
                Arc::new(texts.iter().map(Option::as_deref).collect::<StringViewArray>()),
            ];
            for array in arrays {
                for start in [0, texts.len() / 2] {
                    let part = array.slice(start, texts.len() - start);
                    let (keys, list) = positions_of(&part).unwrap();
                    let told: Vec<Option<&str>> = keys.iter().map(|key| Some(list.value(key? as usize))).collect();
                    let own: Vec<Option<&str>> = texts[start..].iter().map(Option::as_deref).collect();
                    prop_assert_eq!(told, own);
                }
            }
        }
    }
}
