//! Reading as work: any number of threads, progress, stopping.

use std::sync::atomic::{AtomicU64, Ordering};

use paretonym::data::{CountRequest, Encoding};
use paretonym::engine::{Engine, Watch};
use paretonym::error::Error;
use paretonym_engine::Embedded;

use super::columnar::mixed;
use super::{Folder, assert_says, attribute, count, message, quasi};

fn with_threads<T: Send>(threads: usize, work: impl FnOnce() -> T + Send) -> T {
    rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap().install(work)
}

#[test]
fn the_number_of_threads_does_not_show() {
    let folder = Folder::new();
    let (csv, parquet) = mixed(&folder, 300_000);
    let columns = [
        quasi("name", Encoding::Text),
        quasi("age", Encoding::Numbers),
        quasi("born", Encoding::Text),
        attribute("price", Encoding::Numbers),
    ];
    let once = with_threads(1, || count(&csv, &columns)).unwrap();
    for threads in [1, 2, 7] {
        for source in [&csv, &parquet] {
            assert_eq!(with_threads(threads, || count(source, &columns)).unwrap(), once, "{threads} threads");
        }
    }
    // Faults in many blocks: always the first one is told.
    let few: Vec<String> = (0..5000).map(|price| format!("{}.{:02}", price / 100, price % 100)).collect();
    let few = few.into_iter().filter(|price| price != "3.33").collect::<Vec<_>>();
    let first = message(count(&csv, &[quasi("price", Encoding::Labels(few.clone()))]));
    assert_says(&first, &["line 35"]);
    for threads in [1, 2, 7] {
        let again = with_threads(threads, || message(count(&csv, &[quasi("price", Encoding::Labels(few.clone()))])));
        assert_eq!(again, first);
    }
}

#[derive(Default)]
struct Meter {
    steps: AtomicU64,
    done: AtomicU64,
    stop: bool,
}

impl Watch for Meter {
    fn phase(&self, name: &str, steps: Option<u64>) {
        assert!(name.starts_with("reading t.csv"), "{name}");
        self.steps.store(steps.unwrap(), Ordering::Relaxed);
    }
    fn advance(&self, steps: u64) {
        self.done.fetch_add(steps, Ordering::Relaxed);
    }
    fn cancelled(&self) -> bool {
        self.stop
    }
}

#[test]
fn progress_is_told_and_stopping_obeyed() {
    let folder = Folder::new();
    let source = folder.write("t.csv", "a,b\n1,2\n");
    let request = CountRequest { columns: vec![quasi("a", Encoding::Text)], at_most: None, part: None };
    let meter = Meter::default();
    Embedded.count(&source, &request, &meter).unwrap();
    assert_eq!((meter.steps.into_inner(), meter.done.into_inner()), (8, 8));
    let meter = Meter { stop: true, ..Meter::default() };
    assert!(matches!(Embedded.count(&source, &request, &meter), Err(Error::Cancelled)));
}
