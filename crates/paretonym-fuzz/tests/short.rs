//! A short form of the campaign: a few thousand broken inputs for each reader.

use std::path::Path;
use std::time::Duration;

use paretonym_fuzz::{Fuzzer, Limits, TARGETS};

/// Inputs per target; `PARETONYM_FUZZ_RUNS` sets another number.
const RUNS: u64 = 2000;

fn fuzz(name: &str) {
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz/corpus");
    let crashes = std::env::temp_dir().join("paretonym-fuzz-crashes");
    let target = TARGETS.iter().find(|target| target.name == name).expect("it is a target");
    let runs = std::env::var("PARETONYM_FUZZ_RUNS").ok().and_then(|runs| runs.parse().ok()).unwrap_or(RUNS);
    let patience = Duration::from_secs(20);
    let limits = Limits { runs, time: Duration::from_secs(600), patience, memory: 1024 };
    let report = Fuzzer::new(*target, &corpus, &crashes).unwrap().run(1, &limits).unwrap();
    assert!(report.panics.is_empty(), "{:#?}", report.panics);
    assert!(report.outcomes > 3, "{} outcomes: the corpus does not get anywhere", report.outcomes);
}

macro_rules! targets {
    ($($name:ident)*) => {
        $(
            #[test]
            fn $name() {
                fuzz(stringify!($name));
            }
        )*

        #[test]
        fn every_target_is_here() {
            assert_eq!(TARGETS.iter().map(|target| target.name).collect::<Vec<_>>(), [$(stringify!($name)),*]);
        }
    };
}

targets! { csv parquet study taxonomy nested front regions recoding checkpoint }
