//! Texts of Arrow as positions in a list of them: what coders take ten times faster than texts one by one, since most columns
//! have few. Nothing depends on the list: a text may be in it twice.

use arrow_array::cast::AsArray;
use arrow_array::{Array, ArrayRef, GenericStringArray, Int32Array, OffsetSizeTrait, StringArray, StringViewArray};
use arrow_buffer::ScalarBuffer;
use arrow_schema::DataType;
use foldhash::fast::RandomState;
use hashbrown::HashMap;

use crate::rows::recent::{CellWords, RecentCodes, cell_words};

/// Texts that are shorter than the words of a view are held in it.
const INLINE: u32 = 12;

/// Views of a part that are remembered. Where there are more, views hardly repeat.
const MOST_VIEWS: usize = 1 << 12;

/// Whether a column holds texts.
pub(super) fn is_text(kind: &DataType) -> bool {
    matches!(kind, DataType::Utf8 | DataType::LargeUtf8 | DataType::Utf8View)
}

/// The texts of a column as positions in a list; none where it holds something else.
pub(super) fn positions_of(array: &ArrayRef) -> Option<(Int32Array, StringArray)> {
    let (keys, texts) = match array.data_type() {
        DataType::Utf8 => of_texts(array.as_string::<i32>()),
        DataType::LargeUtf8 => of_texts(array.as_string::<i64>()),
        DataType::Utf8View => Views::new(array.as_string_view()).positions(),
        _ => return None,
    };
    let keys = Int32Array::new(ScalarBuffer::from(keys), array.nulls().cloned());
    Some((keys, StringArray::from_iter_values(texts)))
}

fn of_texts<O: OffsetSizeTrait>(array: &GenericStringArray<O>) -> (Vec<i32>, Vec<&str>) {
    let (bytes, ends) = (array.value_data(), array.value_offsets());
    let (mut short, mut longer) = (RecentCodes::new(u32::MAX), RecentCodes::new(u32::MAX));
    let mut texts = Vec::new();
    let keys = keys(array, |row| {
        let (start, end) = (ends[row].as_usize(), ends[row + 1].as_usize());
        let mut add = || added(&mut texts, array.value(row));
        match cell_words::<2>(bytes, start, end - start) {
            Some(words) => find(&mut short, words, add),
            None => match cell_words::<4>(bytes, start, end - start) {
                Some(words) => find(&mut longer, words, add),
                None => add(),
            },
        }
    });
    (keys, texts)
}

/// Texts by their views. A short text is its view; longer ones that came from a dictionary have the same view where they are
/// the same, so that few are ever looked at.
struct Views<'a> {
    array: &'a StringViewArray,
    recent: RecentCodes<2>,
    /// The first views, as long as they repeat: those that share a place with others are found here.
    all: HashMap<u128, u32, RandomState>,
    /// Texts that do not fit into a view, by what they say.
    longer: RecentCodes<4>,
    texts: Vec<&'a str>,
}

impl<'a> Views<'a> {
    fn new(array: &'a StringViewArray) -> Self {
        Views {
            array,
            recent: RecentCodes::new(u32::MAX),
            all: HashMap::default(),
            longer: RecentCodes::new(u32::MAX),
            texts: Vec::new(),
        }
    }

    fn positions(mut self) -> (Vec<i32>, Vec<&'a str>) {
        let views = self.array.views();
        let keys = keys(self.array, |row| {
            let view = views[row];
            self.recent.find(&words(view)).unwrap_or_else(|| self.meet(row, view))
        });
        (keys, self.texts)
    }

    /// The position of a text whose view was not met lately.
    #[cold]
    #[inline(never)]
    fn meet(&mut self, row: usize, view: u128) -> u32 {
        let (is_short, repeat) = (view as u32 <= INLINE, self.all.len() < MOST_VIEWS);
        let known = if repeat { self.all.get(&view).copied() } else { None };
        let key = known.unwrap_or_else(|| {
            let text = self.array.value(row);
            let mut add = || added(&mut self.texts, text);
            match longer(text.as_bytes()).filter(|_| !is_short) {
                Some(words) => find(&mut self.longer, words, add),
                None => add(),
            }
        });
        if repeat && known.is_none() {
            self.all.insert(view, key);
        }
        // Texts that were never in a dictionary have views of their own, which would drive out those that come again.
        if repeat || is_short {
            self.recent.put(words(view), key);
        }
        key
    }
}

fn words(view: u128) -> CellWords<2> {
    [view as u64, (view >> 64) as u64]
}

/// The position of each cell; of none that is not there.
#[inline(always)]
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
fn longer(text: &[u8]) -> Option<CellWords<4>> {
    let mut filled = [0; 32];
    filled.get_mut(..text.len())?.copy_from_slice(text);
    cell_words::<4>(&filled, 0, text.len())
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
    use arrow_array::builder::StringViewBuilder;
    use proptest::prelude::*;

    use super::*;

    /// What the list says of each cell.
    fn told(array: &ArrayRef) -> (Vec<Option<String>>, usize) {
        let (keys, list) = positions_of(array).unwrap();
        (keys.iter().map(|key| Some(list.value(key? as usize).to_owned())).collect(), list.len())
    }

    proptest! {
        #[test]
        fn a_list_says_what_the_texts_say(texts in prop::collection::vec(prop::option::of("[ab]{0,2}|[a-cé]{10,40}"), 0..60)) {
            let mut shared = StringViewBuilder::new().with_deduplicate_strings();
            texts.iter().for_each(|text| shared.append_option(text.as_ref()));
            let arrays: [ArrayRef; 4] = [
                Arc::new(texts.iter().collect::<StringArray>()),
                Arc::new(texts.iter().collect::<LargeStringArray>()),
                Arc::new(texts.iter().map(Option::as_deref).collect::<StringViewArray>()),
                Arc::new(shared.finish()),
            ];
            for array in arrays {
                for start in [0, texts.len() / 2] {
                    let part = array.slice(start, texts.len() - start);
                    prop_assert_eq!(&told(&part).0, &texts[start..]);
                }
            }
        }
    }

    #[test]
    fn texts_are_listed_once_whether_or_not_their_views_repeat() {
        // More different views than are remembered, of few texts and of many, short and long.
        let text = |row: usize| match row % 3 {
            0 => format!("the same long text {}", row % 7),
            1 => format!("{}", row % 5),
            _ => format!("row {} has a long text of its own", row / 3 % 600),
        };
        let texts: Vec<String> = (0..6 * MOST_VIEWS).map(text).collect();
        let mut shared = StringViewBuilder::new().with_deduplicate_strings();
        texts.iter().for_each(|text| shared.append_value(text));
        let own: ArrayRef = Arc::new(texts.iter().map(|text| Some(text.as_str())).collect::<StringViewArray>());
        let shared: ArrayRef = Arc::new(shared.finish());
        let wanted: Vec<Option<String>> = texts.iter().cloned().map(Some).collect();
        let ((told_own, listed_own), (told_shared, listed_shared)) = (told(&own), told(&shared));
        assert_eq!((&told_own, &told_shared), (&wanted, &wanted));
        assert_eq!(listed_shared, 612);
        assert!(listed_own < texts.len() / 2, "{listed_own}");
    }
}
