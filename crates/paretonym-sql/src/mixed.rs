//! The rows of a query as a table, in random order. An engine that would need too much memory to sort all of them spreads them
//! over parts at random first, and puts part after part into order: that is as random as sorting them all.

use paretonym::engine::{Unwatched, Watch};
use paretonym::error::Result;

use crate::client::Client;
use crate::names::TableName;

/// Makes a table of a query that gives about so many rows of columns with these names.
pub(crate) fn write_mixed(
    client: &Client,
    (query, names): (&str, &[String]),
    rows: u64,
    table: &TableName,
    watch: &dyn Watch,
) -> Result<()> {
    let dialect = client.dialect();
    if let Some(words) = dialect.joins_as_written() {
        // An engine that does not know the words may find the same by itself.
        let _ = client.tell(words, watch);
    }
    let (made, random, parts) = (dialect.made_by(table), dialect.random(), dialect.parts(rows));
    if parts == 1 {
        return client.tell(&format!("{made} {query} ORDER BY {random}"), watch);
    }
    let spread = Spread { client, name: table.sibling(&format!("{}_spread", table.last())) };
    let from = spread.name.quoted(dialect);
    // No column of a table has the name of a table that did not exist.
    let part = dialect.quote(spread.name.last());
    client.tell(
        &format!(
            "{} SELECT *, CAST(floor({random} * {parts}) AS INTEGER) AS {part} FROM ({query}) AS recoded",
            dialect.made_by(&spread.name)
        ),
        watch,
    )?;
    let target = table.quoted(dialect);
    for number in 0..parts {
        let begin = if number == 0 { made.clone() } else { format!("INSERT INTO {target}") };
        let sql = format!("{begin} SELECT {} FROM {from} WHERE {part} = {number} ORDER BY {random}", names.join(", "));
        client.tell(&sql, watch)?;
    }
    Ok(())
}

/// Rows that wait for their place; they go, whatever happens.
struct Spread<'a> {
    client: &'a Client,
    name: TableName,
}

impl Drop for Spread<'_> {
    fn drop(&mut self) {
        let sql = format!("DROP TABLE IF EXISTS {}", self.name.quoted(self.client.dialect()));
        // Nobody may answer any more: then there is nothing else to be done.
        let _ = self.client.tell(&sql, &Unwatched);
    }
}
