//! The answer to a query, batch by batch. A thread of its own waits for the engine, so that whoever asked can give up waiting.

use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::time::{Duration, Instant};

use adbc_core::{CancelHandle, Statement};
use adbc_driver_manager::ManagedStatement;
use arrow_array::RecordBatch;
use arrow_schema::SchemaRef;
use paretonym::engine::Watch;
use paretonym::error::{Error, Result};

use crate::client::Failures;

/// Batches that wait for whoever reads them.
const WAITING: usize = 4;

/// How often somebody who waits looks whether to go on waiting.
const LOOK: Duration = Duration::from_millis(50);

/// How long an engine may take to stop when it is told to; then it is left to itself.
const PATIENCE: Duration = Duration::from_secs(2);

/// What comes from the thread that waits for the engine.
enum Part {
    Schema(SchemaRef),
    Batch(RecordBatch),
    /// There is no more, or something went wrong.
    End(Option<adbc_core::error::Error>),
}

/// An answer under way.
pub struct Answer<'w> {
    schema: SchemaRef,
    parts: Receiver<Part>,
    cancel: Box<dyn CancelHandle>,
    failures: Arc<Failures>,
    watch: &'w dyn Watch,
    ended: bool,
}

impl<'w> Answer<'w> {
    /// Runs a statement whose query is set.
    pub(crate) fn of(statement: ManagedStatement, failures: Arc<Failures>, watch: &'w dyn Watch) -> Result<Self> {
        let cancel = statement.get_cancel_handle();
        let (sender, parts) = sync_channel(WAITING);
        std::thread::spawn(move || run(statement, &sender));
        let none = Arc::new(arrow_schema::Schema::empty());
        let mut answer = Answer { schema: none, parts, cancel, failures, watch, ended: false };
        match answer.next_part()? {
            Part::Schema(schema) => answer.schema = schema,
            Part::End(Some(error)) => return Err(answer.failures.error(&error)),
            Part::Batch(_) | Part::End(None) => return Err(Error::internal("an answer without a schema")),
        }
        Ok(answer)
    }

    /// What its columns are.
    pub fn schema(&self) -> &SchemaRef {
        &self.schema
    }

    /// The next rows; none where there are no more.
    pub fn next_batch(&mut self) -> Result<Option<RecordBatch>> {
        if self.ended {
            return Ok(None);
        }
        match self.next_part()? {
            Part::Batch(batch) => {
                self.watch.moved(batch.num_rows() as u64, batch.get_array_memory_size() as u64);
                Ok(Some(batch))
            }
            Part::End(None) => {
                self.ended = true;
                Ok(None)
            }
            Part::End(Some(error)) => {
                self.ended = true;
                Err(self.failures.error(&error))
            }
            Part::Schema(_) => Err(Error::internal("an answer with two schemas")),
        }
    }

    fn next_part(&mut self) -> Result<Part> {
        loop {
            match self.parts.recv_timeout(LOOK) {
                Ok(part) => return Ok(part),
                Err(RecvTimeoutError::Timeout) if self.watch.cancelled() => {
                    self.give_up();
                    return Err(Error::Cancelled);
                }
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => {
                    return Err(Error::internal("whoever waited for the database ended without a word"));
                }
            }
        }
    }

    /// Tells the engine to stop, and waits a little for it.
    fn give_up(&mut self) {
        self.ended = true;
        let _ = self.cancel.try_cancel();
        let told = Instant::now();
        while told.elapsed() < PATIENCE {
            match self.parts.recv_timeout(LOOK) {
                Ok(Part::End(_)) | Err(RecvTimeoutError::Disconnected) => return,
                _ => {}
            }
        }
    }
}

/// Whoever stops reading in the middle does not keep the engine at work.
impl Drop for Answer<'_> {
    fn drop(&mut self) {
        if !self.ended {
            self.give_up();
        }
    }
}

/// Has a statement done that is answered by nothing.
pub(crate) fn done(mut statement: ManagedStatement, failures: &Arc<Failures>, watch: &dyn Watch) -> Result<()> {
    let cancel = statement.get_cancel_handle();
    let (sender, parts) = sync_channel(WAITING);
    std::thread::spawn(move || {
        let ended = statement.execute_update().err();
        // Before the end is told: whoever hears of it may close the database and open it again at once.
        drop(statement);
        let _ = sender.send(Part::End(ended));
    });
    let schema = Arc::new(arrow_schema::Schema::empty());
    let mut answer = Answer { schema, parts, cancel, failures: Arc::clone(failures), watch, ended: false };
    answer.next_batch().map(drop)
}

/// Runs a statement and hands on what comes, until nobody takes it any more.
fn run(mut statement: ManagedStatement, parts: &SyncSender<Part>) {
    let mut read = || -> Result<(), adbc_core::error::Error> {
        let reader = statement.execute()?;
        if parts.send(Part::Schema(reader.schema())).is_err() {
            return Ok(());
        }
        for batch in reader {
            if parts.send(Part::Batch(batch?)).is_err() {
                return Ok(());
            }
        }
        Ok(())
    };
    let ended = read().err();
    drop(statement);
    let _ = parts.send(Part::End(ended));
}
