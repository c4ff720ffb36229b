//! Texts of Arrow as positions in a list of them: what coders take ten times faster than texts one by one, since most columns
//! have few. Nothing depends on the list: a text may be in it twice.

use arrow_array::cast::AsArray;
use arrow_array::{Array, ArrayRef, GenericStringArray, Int32Array, OffsetSizeTrait, StringArray};
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

/// The list of a part that is being made.
#[derive(Default)]
struct List<'a> {
    keys: Vec<i32>,
    texts: Vec<&'a str>,
}

impl<'a> List<'a> {
    fn add(&mut self, text: &'a str) -> u32 {
        self.texts.push(text);
        self.texts.len() as u32 - 1
    }
}

/// The texts of a column as positions in a list; none where it holds something else.
pub(super) fn positions_of(array: &ArrayRef) -> Option<(Int32Array, StringArray)> {
    let mut places = Places::default();
    let list = match array.data_type() {
        DataType::Utf8 => of_texts(array.as_string::<i32>(), &mut places),
        DataType::LargeUtf8 => of_texts(array.as_string::<i64>(), &mut places),
        DataType::Utf8View => of_views(array.as_string_view(), &mut places),
        _ => return None,
    };
    let keys = Int32Array::new(ScalarBuffer::from(list.keys), array.nulls().cloned());
    Some((keys, StringArray::from_iter_values(list.texts)))
}

fn of_texts<'a, O: OffsetSizeTrait>(array: &'a GenericStringArray<O>, places: &mut Places) -> List<'a> {
    let mut list = List { keys: Vec::with_capacity(array.len()), texts: Vec::new() };
    let bytes = array.value_data();
    for (row, ends) in array.value_offsets().windows(2).enumerate() {
        if array.is_null(row) {
            list.keys.push(0);
            continue;
        }
        let (start, end) = (ends[0].as_usize(), ends[1].as_usize());
        let key = match cell_words::<2>(bytes, start, end - start) {
            Some(words) => find(&mut places.short, words, || list.add(array.value(row))),
            None => match cell_words::<4>(bytes, start, end - start) {
                Some(words) => find(&mut places.longer, words, || list.add(array.value(row))),
                None => list.add(array.value(row)),
            },
        };
        list.keys.push(key as i32);
    }
    list
}

fn of_views<'a>(array: &'a arrow_array::StringViewArray, places: &mut Places) -> List<'a> {
    let mut list = List { keys: Vec::with_capacity(array.len()), texts: Vec::new() };
    for (row, view) in array.views().iter().enumerate() {
        if array.is_null(row) {
            list.keys.push(0);
            continue;
        }
        let key = match *view as u32 {
            // A short text is its view.
            ..=INLINE => {
                let words = [*view as u64, (*view >> 64) as u64];
                find(&mut places.short, words, || list.add(array.value(row)))
            }
            length => {
                let text = array.value(row);
                match longer(text.as_bytes(), length as usize) {
                    Some(words) => find(&mut places.longer, words, || list.add(text)),
                    None => list.add(text),
                }
            }
        };
        list.keys.push(key as i32);
    }
    list
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

    use arrow_array::{LargeStringArray, StringViewArray};
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
