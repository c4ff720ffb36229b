//! A table in the memory of this process, as batches of Arrow that somebody else holds: no file, and no copy of its cells.

mod digest;
mod origin;
mod pass;
mod reading;
mod texts;

pub use origin::Origin;

use std::collections::BTreeMap;
use std::fmt;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError, Weak};

use arrow_array::cast::AsArray;
use arrow_array::{Array, RecordBatch, StringArray};
use arrow_schema::{ArrowError, DataType, Field, SchemaRef};
use paretonym::data::Source;
use paretonym::error::{Error, Result};

use crate::rows::cell_texts::cell_texts;
use crate::rows::cells::is_readable;
use crate::rows::text::dialect::check_names;
use texts::{is_text, positions_of};

/// Rows that one worker takes at a time, as it takes a row group of a file.
const PART: usize = 1 << 16;

/// Rows that are looked at to find out whether the texts of a column repeat.
const LOOK: usize = 1 << 13;

/// A table in memory. It has its name, by which sources find it, as long as somebody holds it.
pub struct Frame {
    name: String,
    schema: SchemaRef,
    names: Vec<String>,
    batches: Vec<RecordBatch>,
    /// The rows of each part: its batch, its first row there and its number of rows; and the rows before it.
    parts: Vec<(usize, usize, usize, u64)>,
    rows: u64,
    /// Per batch and column: the texts that a dictionary lists, in the form that coders know.
    listed: Vec<Vec<Option<StringArray>>>,
    /// Per column: whether its texts repeat.
    repeating: Vec<OnceLock<bool>>,
    /// Where it comes from, if it is a release of ours.
    origin: OnceLock<Arc<Origin>>,
}

/// The frames that have a name.
fn named() -> MutexGuard<'static, BTreeMap<String, Weak<Frame>>> {
    static NAMED: Mutex<BTreeMap<String, Weak<Frame>>> = Mutex::new(BTreeMap::new());
    NAMED.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Frame {
    /// Batches of one schema, under a new name.
    pub fn new(schema: SchemaRef, batches: Vec<RecordBatch>) -> Result<Arc<Self>> {
        static NEXT: AtomicU64 = AtomicU64::new(1);
        let name = NEXT.fetch_add(1, Ordering::Relaxed).to_string();
        let place = Source::at(format!("frame:{name}")).place();
        let names: Vec<String> = schema.fields().iter().map(|field| field.name().clone()).collect();
        check_names(&names, &place)?;
        let batches: Vec<RecordBatch> = batches.into_iter().filter(|batch| batch.num_rows() > 0).collect();
        let (mut parts, mut rows) = (Vec::new(), 0);
        for (number, batch) in batches.iter().enumerate() {
            for first in (0..batch.num_rows()).step_by(PART) {
                let own = PART.min(batch.num_rows() - first);
                parts.push((number, first, own, rows));
                rows += own as u64;
            }
        }
        let odd =
            |error: ArrowError| Error::Table { place: place.clone(), problem: format!("cannot be read: {error}") };
        let listed = batches.iter().map(|batch| batch.columns().iter().map(listed).collect());
        let listed = listed.collect::<Result<Vec<Vec<_>>, ArrowError>>().map_err(odd)?;
        let repeating = names.iter().map(|_| OnceLock::new()).collect();
        let frame =
            Arc::new(Frame { name, schema, names, batches, parts, rows, listed, repeating, origin: OnceLock::new() });
        named().insert(frame.name.clone(), Arc::downgrade(&frame));
        Ok(frame)
    }

    /// The frame that a source names.
    pub(crate) fn of(source: &Source) -> Result<Arc<Self>> {
        let name = source.frame.as_deref().unwrap_or_default();
        let found = named().get(name).and_then(Weak::upgrade);
        found.ok_or_else(|| Error::Table {
            place: source.place(),
            problem: "this table was in memory, and nobody holds it any more; give the table again".to_owned(),
        })
    }

    /// The table as a source of passes.
    pub fn source(&self) -> Source {
        Source::at(format!("frame:{}", self.name))
    }

    /// Its columns.
    pub fn schema(&self) -> &SchemaRef {
        &self.schema
    }

    /// Its rows, as they came.
    pub fn batches(&self) -> &[RecordBatch] {
        &self.batches
    }

    /// The number of its rows.
    pub fn rows(&self) -> u64 {
        self.rows
    }

    /// Where it comes from, if it is a release of ours.
    pub(crate) fn origin(&self) -> Option<&Arc<Origin>> {
        self.origin.get()
    }

    /// It is a release of ours.
    pub fn remember(&self, origin: &Arc<Origin>) {
        let _ = self.origin.set(Arc::clone(origin));
    }

    /// The names of its columns.
    pub(crate) fn names(&self) -> &[String] {
        &self.names
    }

    /// Whether the cells of a column can be read.
    pub(crate) fn is_readable(&self, column: usize) -> bool {
        is_readable(self.schema.field(column).data_type())
    }

    /// Whether a column holds numbers.
    pub(crate) fn is_numeric(&self, column: usize) -> bool {
        unlisted(self.schema.field(column)).data_type().is_numeric()
    }

    /// The columns as a release describes them (`described`), or as it reads them. As in a Parquet file, dictionaries are a
    /// way of storing and no type; texts that are recoded or repeat are read as such.
    pub(crate) fn fields(&self, described: bool, kept: impl Fn(usize) -> bool) -> Vec<Field> {
        let texts = || DataType::Dictionary(Box::new(DataType::Int32), Box::new(DataType::Utf8));
        let field = |at: usize| {
            let plain = unlisted(self.schema.field(at));
            let listed = is_text(plain.data_type()) && (!kept(at) || (!described && self.repeats(at)));
            if listed { plain.with_data_type(texts()) } else { plain }
        };
        (0..self.names.len()).map(field).collect()
    }

    /// Whether the texts of a column repeat, by a look at the first of them.
    fn repeats(&self, column: usize) -> bool {
        *self.repeating[column].get_or_init(|| {
            let Some(batch) = self.batches.first() else { return false };
            let array = batch.column(column);
            if self.listed[0][column].is_some() {
                return true;
            }
            let first = array.slice(0, array.len().min(LOOK));
            positions_of(&first).is_some_and(|(_, texts)| texts.len() * 4 <= first.len())
        })
    }

    /// About how many bytes its rows take.
    pub(crate) fn estimated_bytes(&self) -> u64 {
        let of_batch = |batch: &RecordBatch| batch.get_array_memory_size() as u64;
        // As of a Parquet file, so that a release is laid out like one of the same table in a file.
        self.batches.iter().map(of_batch).sum::<u64>().max(self.rows.saturating_mul(8 * self.names.len() as u64))
    }
}

/// What it is called and how large it is; none of its cells.
impl fmt::Debug for Frame {
    fn fmt(&self, out: &mut fmt::Formatter) -> fmt::Result {
        out.debug_struct("Frame").field("name", &self.name).field("rows", &self.rows).finish_non_exhaustive()
    }
}

impl Drop for Frame {
    fn drop(&mut self) {
        named().remove(&self.name);
    }
}

/// The texts that a dictionary lists; none for other columns, and for dictionaries of anything else.
fn listed(array: &arrow_array::ArrayRef) -> Result<Option<StringArray>, ArrowError> {
    match array.data_type() {
        DataType::Dictionary(_, value) if is_text(value) => {
            cell_texts(array.as_any_dictionary().values().as_ref()).map(Some)
        }
        _ => Ok(None),
    }
}

/// A column with the type of what a dictionary lists.
fn unlisted(field: &Field) -> Field {
    match field.data_type() {
        DataType::Dictionary(_, value) => field.clone().with_data_type((**value).clone()),
        _ => field.clone(),
    }
}
