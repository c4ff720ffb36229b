//! Lists that an engine is lent for a query: as a table of the connection, or, where it takes none, inside of the query.

use arrow_array::cast::AsArray;
use arrow_array::types::Int32Type;
use arrow_array::{Array, ArrayRef, RecordBatch};
use arrow_schema::DataType;
use paretonym::error::{Error, Result};

use crate::dialect::Dialect;

/// Rows that a query takes at most inside of itself.
const INLINE: usize = 100_000;

/// A list that stands in a query under a name.
pub struct Lent {
    /// The name, quoted.
    pub name: String,
    /// What must stand behind WITH, where the list is inside of the query.
    pub inline: Option<String>,
}

impl Lent {
    /// Inside of the query: texts and whole numbers.
    pub(crate) fn inline(name: &str, list: &RecordBatch, dialect: Dialect) -> Result<Self> {
        if list.num_rows() > INLINE {
            return Err(Error::study(format!(
                "this engine takes lists only as part of a query, and one of {} rows is too long for that; release to a file \
                 instead (-o FILE)",
                list.num_rows()
            )));
        }
        let cell = |column: &ArrayRef, row: usize| match column.data_type() {
            _ if column.is_null(row) => "NULL".to_owned(),
            DataType::Int32 => column.as_primitive::<Int32Type>().value(row).to_string(),
            _ => dialect.literal(column.as_string::<i32>().value(row)),
        };
        let row = |row: usize| {
            let cells: Vec<String> = list.columns().iter().map(|column| cell(column, row)).collect();
            format!("({})", cells.join(", "))
        };
        let rows: Vec<String> = (0..list.num_rows()).map(row).collect();
        let names: Vec<String> = list.schema().fields().iter().map(|field| field.name().clone()).collect();
        let name = dialect.quote(name);
        let inline = format!("{name}({}) AS (VALUES {})", names.join(", "), rows.join(", "));
        Ok(Lent { name, inline: Some(inline) })
    }
}
