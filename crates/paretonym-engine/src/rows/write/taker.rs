//! How a pass over text feeds the rows to the release.

use std::sync::{Arc, Mutex};

use arrow_array::ArrayRef;
use arrow_schema::ArrowError;

use super::pipeline::Pipeline;
use crate::rows::cells::Cells;
use crate::rows::pass::{Consumer, Fault};

/// A pipeline as a pass over text feeds it.
pub(super) struct Taker<'a, 't> {
    pub pipeline: Pipeline<'a>,
    /// The block that is being read.
    pub part: usize,
    pub trouble: &'t Mutex<Option<ArrowError>>,
}

impl Consumer for Taker<'_, '_> {
    fn take(&mut self, cells: &[Cells], rows: usize) -> Result<(), Fault> {
        let arrays: Vec<ArrayRef> = cells
            .iter()
            .map(|cells| match cells {
                Cells::Slices(cells) => Arc::new(cells.to_array()) as ArrayRef,
                Cells::Text(texts) => Arc::new(texts.clone()),
                Cells::Dictionary(_, texts) => Arc::new(texts.clone()),
                Cells::Integers(integers) => Arc::new(integers.clone()),
                Cells::Floats(floats) => Arc::new(floats.clone()),
            })
            .collect();
        let cells: Vec<Option<Cells>> = cells
            .iter()
            .map(|cells| match cells {
                Cells::Slices(cells) => Some(Cells::Slices(*cells)),
                _ => None,
            })
            .collect();
        self.pipeline.take(self.part, &cells, &arrays, rows).map_err(|error| {
            if let Ok(mut trouble) = self.trouble.lock() {
                trouble.get_or_insert(error);
            }
            Fault {
                row: 0,
                column: String::new(),
                value: String::new(),
                problem: "could not be written".to_owned(),
                too_many: None,
            }
        })
    }

    fn part(&mut self, number: usize) {
        self.part = number;
    }
}
