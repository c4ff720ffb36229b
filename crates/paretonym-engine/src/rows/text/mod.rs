//! Tables of separated text: what they are called, how they are written, and one pass over them in which one thread
//! reads blocks and the others decode them.

mod blocks;
mod decode;
pub(crate) mod dialect;
pub(crate) mod files;
mod quotes;
mod records;
mod separators;

use std::io;
use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, Sender, SyncSender, channel, sync_channel};
use std::sync::{Arc, Mutex};

use paretonym::data::Source;
use paretonym::engine::Watch;
use paretonym::error::{Error, Result};
use rayon::prelude::*;

use crate::rows::file;
use crate::rows::pass::{Consumer, Trouble, earliest};
use blocks::{BLOCK, Block, Blocks, NoBlock};
use decode::Decoder;
use dialect::{Dialect, SAMPLE, detect};
use files::{TextFile, Unread, look_at_all, sample};

/// A table of separated text, in one file or several.
pub(crate) struct TextTable {
    path: PathBuf,
    files: Vec<TextFile>,
    /// How all files are written; where the data starts is that of the first.
    pub dialect: Dialect,
    /// Bytes per block; tests make it tiny so that borders fall everywhere.
    pub block: usize,
}

impl TextTable {
    /// Looks at the start of its files.
    pub fn open(source: &Source, files: &[Unread]) -> Result<Self> {
        let (dialect, files) = match files {
            [one] => {
                let (sample, whole) = sample(one, SAMPLE)?;
                if sample.is_empty() {
                    return Err(file::table(&one.path, "is an empty file: it holds no rows"));
                }
                let dialect = detect(&Source { path: one.path.clone(), ..source.clone() }, &sample, whole, one.tabs)?;
                let file = TextFile::first(one, &dialect);
                (dialect, vec![file])
            }
            several => look_at_all(source, several)?,
        };
        Ok(TextTable { path: source.path.clone(), files, dialect, block: BLOCK })
    }

    /// About how many bytes the rows take in memory; compressed text is taken to be eight times its size.
    pub fn estimated_bytes(&self) -> Result<u64> {
        let sizes = self.files.iter().map(|own| Ok(file::size(&own.path)? * if own.gzip { 8 } else { 1 } * 2));
        sizes.sum()
    }

    /// Hands all rows to the consumers, one of which works on each thread that is free; the columns of `projection`,
    /// which must ascend.
    pub fn pass(&self, projection: &[usize], consumers: &mut [&mut dyn Consumer], watch: &dyn Watch) -> Result<()> {
        let progress = ReadMeter::new(self, watch)?;
        let (sender, receiver) = sync_channel(consumers.len() + 1);
        let (done_with, spare) = channel();
        // The lowest block in which a worker found a fault: blocks behind it need not be looked at, those before it
        // must be, because the first fault of the file is the one to report.
        let faulty = AtomicUsize::new(usize::MAX);
        std::thread::scope(|scope| {
            let faulty = &faulty;
            let reader = scope.spawn(move || self.read((sender, &spare), faulty, progress));
            let receiver = Mutex::new(receiver);
            let mut troubles: Vec<Option<Trouble>> = consumers
                .par_iter_mut()
                .with_max_len(1)
                .map_with(done_with, |done_with, consumer| {
                    self.work(*consumer, projection, &receiver, done_with, faulty)
                })
                .collect();
            // Whoever is still reading finds nobody listening and stops.
            drop(receiver);
            let read = reader.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
            troubles.push(read.err());
            earliest(troubles).map_or(Ok(()), Err)
        })
    }

    /// Reads the files one after the other.
    fn read(
        &self,
        (sender, spare): (SyncSender<Block>, &Receiver<Vec<u8>>),
        faulty: &AtomicUsize,
        mut progress: ReadMeter<'_>,
    ) -> Result<(), Trouble> {
        let mut index = 0;
        for number in 0..self.files.len() {
            match self.read_file(number, index, (&sender, spare), faulty, &mut progress)? {
                Some(next) => index = next,
                None => break,
            }
        }
        Ok(())
    }

    /// Reads one file, whose blocks are numbered from `index` on; the number of the next block, or none where nobody wants it.
    fn read_file(
        &self,
        number: usize,
        index: usize,
        (sender, spare): (&SyncSender<Block>, &Receiver<Vec<u8>>),
        faulty: &AtomicUsize,
        progress: &mut ReadMeter<'_>,
    ) -> Result<Option<usize>, Trouble> {
        let own = &self.files[number];
        let nowhere = |error| Trouble { file: number, line: u64::MAX, error };
        let unreadable = |error| nowhere(file::unreadable(&own.path, error));
        let on_line = |line: u64, problem: &str| {
            let error = Error::Table { place: file::at_line(&own.path, line), problem: problem.to_owned() };
            Trouble { file: number, line, error }
        };
        let (mut stream, taken) = file::stream(&own.path, own.gzip).map_err(nowhere)?;
        progress.turn_to(taken);
        io::copy(&mut io::Read::take(&mut stream, own.skip as u64), &mut io::sink()).map_err(unreadable)?;
        let size = self.block_size(own).map_err(nowhere)?;
        let syntax = self.dialect.syntax;
        let mut blocks = Blocks::new(stream, (syntax, own.newline), (number, index, own.line), size, spare);
        loop {
            if progress.watch.cancelled() {
                return Err(nowhere(Error::Cancelled));
            }
            let block = match blocks.next() {
                Ok(Some(block)) => block,
                Ok(None) => {
                    progress.report();
                    return Ok(Some(blocks.index()));
                }
                Err(NoBlock::Read(error)) => return Err(unreadable(error)),
                Err(NoBlock::Unclosed(line)) => {
                    let problem = "a quote opens a cell here and is never closed; close it, or \
                                    double it if it is part of the text";
                    return Err(on_line(line, problem));
                }
                Err(NoBlock::Endless(line)) => {
                    return Err(on_line(line, "this line does not end; is this a text table?"));
                }
            };
            progress.report();
            if faulty.load(Ordering::Relaxed) < block.index || sender.send(block).is_err() {
                return Ok(None);
            }
        }
    }

    /// Bytes per block of a file: a block of a tiny file need not be large.
    fn block_size(&self, own: &TextFile) -> Result<usize> {
        // Nothing is compressed to less than a thousandth.
        let most = file::size(&own.path)?.saturating_mul(if own.gzip { 1100 } else { 1 });
        Ok(self.block.min(usize::try_from(most).unwrap_or(usize::MAX).saturating_add(1)))
    }

    fn work(
        &self,
        consumer: &mut dyn Consumer,
        projection: &[usize],
        receiver: &Mutex<Receiver<Block>>,
        done_with: &Sender<Vec<u8>>,
        faulty: &AtomicUsize,
    ) -> Option<Trouble> {
        let of_file = |number: usize| Decoder::new((number, &self.files[number]), &self.dialect, projection);
        let mut decoder = of_file(0);
        let mut found = None;
        loop {
            // A poisoned lock means that another worker panicked, which rayon reports.
            let block = match receiver.lock() {
                Ok(receiver) => receiver.recv(),
                Err(_) => return found,
            };
            let Ok(mut block) = block else { return found };
            if block.index > faulty.load(Ordering::Relaxed) {
                continue;
            }
            if decoder.file != block.file {
                decoder = of_file(block.file);
            }
            consumer.part(block.index);
            if let Err(trouble) = decoder.decode(&mut block, consumer) {
                faulty.fetch_min(block.index, Ordering::Relaxed);
                found = earlier(found, trouble);
            }
            // Where nobody reads any more, nobody needs it.
            let _ = done_with.send(block.bytes);
        }
    }
}

fn earlier(found: Option<Trouble>, trouble: Trouble) -> Option<Trouble> {
    match found {
        Some(found) if found.place() <= trouble.place() => Some(found),
        _ => Some(trouble),
    }
}

/// Tells the watch how much of the files on the disk has been read.
struct ReadMeter<'a> {
    watch: &'a dyn Watch,
    taken: Arc<AtomicU64>,
    told: u64,
}

impl<'a> ReadMeter<'a> {
    fn new(table: &TextTable, watch: &'a dyn Watch) -> Result<Self> {
        let bytes = table.files.iter().map(|own| file::size(&own.path)).sum::<Result<u64>>()?;
        watch.phase(&file::reading(&table.path, table.files.len()), Some(bytes));
        Ok(ReadMeter { watch, taken: Arc::default(), told: 0 })
    }

    /// Another file is read now.
    fn turn_to(&mut self, taken: Arc<AtomicU64>) {
        self.taken = taken;
        self.told = 0;
    }

    fn report(&mut self) {
        let taken = self.taken.load(Ordering::Relaxed);
        self.watch.advance(taken - self.told);
        self.told = taken;
    }
}
