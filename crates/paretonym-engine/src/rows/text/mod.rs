//! Tables of separated text: what they are called, how they are written, and one pass over them in which one thread
//! reads blocks and the others decode them.

mod blocks;
mod decode;
pub(crate) mod dialect;
mod quotes;
mod records;
mod separators;

use std::io::{self, Read};
use std::path::PathBuf;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, Sender, SyncSender, channel, sync_channel};

use paretonym::data::Source;
use paretonym::engine::Watch;
use paretonym::error::{Error, Result};
use rayon::prelude::*;

use crate::rows::file;
use crate::rows::pass::{Consumer, Trouble, earliest};
use blocks::{BLOCK, Block, Blocks, NoBlock};
use decode::Decoder;
use dialect::{Dialect, SAMPLE, detect};

/// A table of separated text.
pub(crate) struct TextTable {
    path: PathBuf,
    gzip: bool,
    pub dialect: Dialect,
    /// Bytes per block; tests make it tiny so that borders fall everywhere.
    pub block: usize,
}

impl TextTable {
    /// Looks at the start of a file.
    pub fn open(source: &Source, gzip: bool, tabs: bool) -> Result<Self> {
        let path = source.path.clone();
        let (stream, _) = file::stream(&path, gzip)?;
        let mut sample = Vec::new();
        stream.take(SAMPLE as u64).read_to_end(&mut sample).map_err(|error| file::unreadable(&path, error))?;
        if sample.is_empty() {
            return Err(file::table(&path, "is an empty file: it holds no rows"));
        }
        let dialect = detect(source, &sample, sample.len() < SAMPLE, tabs)?;
        Ok(TextTable { path, gzip, dialect, block: BLOCK })
    }

    /// About how many bytes the rows take in memory; compressed text is taken to be eight times its size.
    pub fn estimated_bytes(&self) -> Result<u64> {
        Ok(file::size(&self.path)? * if self.gzip { 8 } else { 1 } * 2)
    }

    /// Hands all rows to the consumers, one of which works on each thread that is free; the columns of `projection`,
    /// which must ascend.
    pub fn pass<C: Consumer>(&self, projection: &[usize], consumers: Vec<C>, watch: &dyn Watch) -> Result<Vec<C>> {
        let mut progress = ReadMeter::new(self, watch)?;
        let (stream, taken) = file::stream(&self.path, self.gzip)?;
        progress.taken = taken;
        let (sender, receiver) = sync_channel(consumers.len() + 1);
        let (done_with, spare) = channel();
        // The lowest block in which a worker found a fault: blocks behind it need not be looked at, those before it
        // must be, because the first fault of the file is the one to report.
        let faulty = AtomicUsize::new(usize::MAX);
        std::thread::scope(|scope| {
            let faulty = &faulty;
            let reader = scope.spawn(move || self.read(stream, (sender, spare), faulty, progress));
            let receiver = Mutex::new(receiver);
            let worked: Vec<(C, Option<Trouble>)> = consumers
                .into_par_iter()
                .with_max_len(1)
                .map_with(done_with, |done_with, consumer| {
                    self.work(consumer, projection, &receiver, done_with, faulty)
                })
                .collect();
            // Whoever is still reading finds nobody listening and stops.
            drop(receiver);
            let read = reader.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
            let (consumers, mut troubles): (Vec<C>, Vec<Option<Trouble>>) = worked.into_iter().unzip();
            troubles.push(read.err());
            match earliest(troubles) {
                Some(error) => Err(error),
                None => Ok(consumers),
            }
        })
    }

    fn read(
        &self,
        mut stream: Box<dyn Read + Send>,
        (sender, spare): (SyncSender<Block>, Receiver<Vec<u8>>),
        faulty: &AtomicUsize,
        mut progress: ReadMeter<'_>,
    ) -> Result<(), Trouble> {
        let dialect = &self.dialect;
        let unreadable = |error| Trouble { line: u64::MAX, error: file::unreadable(&self.path, error) };
        let skip = dialect.skip as u64;
        io::copy(&mut stream.by_ref().take(skip), &mut io::sink()).map_err(unreadable)?;
        let mut blocks = Blocks::new(stream, dialect.syntax, dialect.newline, dialect.line, self.block, spare);
        loop {
            if progress.watch.cancelled() {
                return Err(Trouble { line: u64::MAX, error: Error::Cancelled });
            }
            let block = match blocks.next() {
                Ok(Some(block)) => block,
                Ok(None) => {
                    progress.report();
                    return Ok(());
                }
                Err(NoBlock::Read(error)) => return Err(unreadable(error)),
                Err(NoBlock::Unclosed(line)) => {
                    let problem = "a quote opens a cell here and is never closed; close it, or \
                                    double it if it is part of the text";
                    return Err(self.trouble(line, problem.to_owned()));
                }
                Err(NoBlock::Endless(line)) => {
                    return Err(self.trouble(line, "this line does not end; is this a text table?".to_owned()));
                }
            };
            progress.report();
            if faulty.load(Ordering::Relaxed) < block.index || sender.send(block).is_err() {
                return Ok(());
            }
        }
    }

    fn work<C: Consumer>(
        &self,
        mut consumer: C,
        projection: &[usize],
        receiver: &Mutex<Receiver<Block>>,
        done_with: &Sender<Vec<u8>>,
        faulty: &AtomicUsize,
    ) -> (C, Option<Trouble>) {
        let mut decoder = Decoder::new(&self.path, &self.dialect, projection);
        let mut found = None;
        loop {
            // A poisoned lock means that another worker panicked, which rayon reports.
            let block = match receiver.lock() {
                Ok(receiver) => receiver.recv(),
                Err(_) => return (consumer, found),
            };
            let Ok(mut block) = block else { return (consumer, found) };
            if block.index > faulty.load(Ordering::Relaxed) {
                continue;
            }
            consumer.part(block.index);
            if let Err(trouble) = decoder.decode(&mut block, &mut consumer) {
                faulty.fetch_min(block.index, Ordering::Relaxed);
                found = earlier(found, trouble);
            }
            // Where nobody reads any more, nobody needs it.
            let _ = done_with.send(block.bytes);
        }
    }

    fn trouble(&self, line: u64, problem: String) -> Trouble {
        Trouble { line, error: Error::Table { place: file::at_line(&self.path, line), problem } }
    }
}

fn earlier(found: Option<Trouble>, trouble: Trouble) -> Option<Trouble> {
    match found {
        Some(found) if found.line <= trouble.line => Some(found),
        _ => Some(trouble),
    }
}

/// Tells the watch how much of the file on the disk has been read.
struct ReadMeter<'a> {
    watch: &'a dyn Watch,
    taken: std::sync::Arc<std::sync::atomic::AtomicU64>,
    told: u64,
}

impl<'a> ReadMeter<'a> {
    fn new(table: &TextTable, watch: &'a dyn Watch) -> Result<Self> {
        watch.phase(&format!("reading {}", file::file_name(&table.path)), Some(file::size(&table.path)?));
        Ok(ReadMeter { watch, taken: Default::default(), told: 0 })
    }

    fn report(&mut self) {
        let taken = self.taken.load(Ordering::Relaxed);
        self.watch.advance(taken - self.told);
        self.told = taken;
    }
}
