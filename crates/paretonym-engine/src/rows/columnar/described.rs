//! What a release may say of a kept column: its name and its type. Whatever else a writer noted beside them stays behind, since
//! some note every value that a column may have.

use std::collections::HashMap;
use std::sync::Arc;

use arrow_schema::extension::EXTENSION_TYPE_NAME_KEY;
use arrow_schema::{DataType, Field, FieldRef, Fields};

/// Types that are known by a name alone, without which others would read them as something else.
const NAMED: [&str; 3] = ["arrow.uuid", "arrow.json", "arrow.bool8"];

/// A field with its name and its type alone, and so of the fields inside it.
pub(crate) fn bare(field: &Field) -> Field {
    let named = field.metadata().get(EXTENSION_TYPE_NAME_KEY).filter(|name| NAMED.contains(&name.as_str()));
    let metadata: HashMap<String, String> =
        named.map(|name| (EXTENSION_TYPE_NAME_KEY.to_owned(), name.clone())).into_iter().collect();
    Field::new(field.name(), bare_type(field.data_type()), field.is_nullable()).with_metadata(metadata)
}

fn bare_type(kind: &DataType) -> DataType {
    use DataType::*;
    let inner = |field: &FieldRef| Arc::new(bare(field));
    let all = |fields: &Fields| fields.iter().map(inner).collect::<Fields>();
    match kind {
        List(field) => List(inner(field)),
        LargeList(field) => LargeList(inner(field)),
        ListView(field) => ListView(inner(field)),
        LargeListView(field) => LargeListView(inner(field)),
        FixedSizeList(field, length) => FixedSizeList(inner(field), *length),
        Struct(fields) => Struct(all(fields)),
        Map(field, sorted) => Map(inner(field), *sorted),
        RunEndEncoded(ends, values) => RunEndEncoded(inner(ends), inner(values)),
        Dictionary(key, value) => Dictionary(key.clone(), Box::new(bare_type(value))),
        Union(fields, mode) => Union(fields.iter().map(|(id, field)| (id, inner(field))).collect(), *mode),
        other => other.clone(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn noted(name: &str, kind: DataType) -> Field {
        let notes = [("values", "flu;cold;a secret"), (EXTENSION_TYPE_NAME_KEY, "arrow.uuid")];
        let notes = notes.map(|(key, value)| (key.to_owned(), value.to_owned()));
        Field::new(name, kind, true).with_metadata(notes.into_iter().collect())
    }

    #[test]
    fn notes_stay_behind_at_every_depth() {
        let text = Arc::new(noted("item", DataType::Utf8));
        let entries = DataType::Struct(vec![noted("key", DataType::Utf8), noted("value", DataType::Int8)].into());
        let kinds = [
            DataType::Utf8,
            DataType::List(Arc::clone(&text)),
            DataType::LargeList(Arc::clone(&text)),
            DataType::FixedSizeList(Arc::clone(&text), 2),
            DataType::Map(Arc::new(noted("entries", entries)), false),
            DataType::Struct(vec![noted("a", DataType::List(text))].into()),
        ];
        for kind in kinds {
            let bare = bare(&noted("column", kind.clone()));
            let said = format!("{bare:?}");
            assert!(!said.contains("secret") && said.contains("arrow.uuid"), "{said}");
            assert!(bare.data_type().equals_datatype(&kind), "{said}");
        }
    }
}
