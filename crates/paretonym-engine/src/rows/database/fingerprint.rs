//! What tells that a table in a database has changed before anything is counted: its columns, their types, and its rows. What
//! decides about a release, the rows, levels and losses of its groups, is counted again and compared besides.

use paretonym::data::Source;
use paretonym::engine::Watch;
use paretonym::error::Result;

use super::DatabaseTable;

/// Columns, types and the number of rows as one text, and the number of rows.
pub(crate) fn fingerprint(source: &Source, watch: &dyn Watch) -> Result<(String, u64)> {
    let table = DatabaseTable::open(source)?;
    let rows = table.relation.count_rows(watch)?;
    let column = |field: &arrow_schema::Field| format!("{:?} {}\n", field.name(), field.data_type());
    let columns: String = table.fields().iter().map(column).collect();
    Ok((format!("{columns}{rows} rows"), rows))
}
