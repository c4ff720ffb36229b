//! A generated table of people for benchmarks, as CSV and as Parquet, with a study, and the clock they are held against.

use std::fmt::Write as _;
use std::fs::File;
use std::path::PathBuf;
use std::sync::Arc;

use arrow_array::{ArrayRef, Int32Array, Int64Array, RecordBatch, StringArray};
use cpu_time::ProcessTime;
use paretonym::study::Study;
use paretonym_engine::folder::read_study;
use parquet::arrow::ArrowWriter;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use tempfile::TempDir;

const STUDY: &str = r#"[data]
path = "{path}"

[[columns]]
name = "person"
role = "identifying"

[[columns]]
name = "age"
role = "quasi"
kind = "numeric"
recode = "levels"
widths = [5, 10, 20]

[[columns]]
name = "sex"
role = "quasi"
recode = "levels"

[[columns]]
name = "postcode"
role = "quasi"
kind = "categorical"
recode = "levels"
hierarchy = "prefix"

[[columns]]
name = "education"
role = "quasi"
recode = "levels"

[[columns]]
name = "status"
role = "quasi"
recode = "levels"

[[columns]]
name = "diagnosis"
role = "sensitive"

[[columns]]
name = "income"
role = "insensitive"

[[columns]]
name = "remark"
role = "insensitive"

[search]
problem = "max-suppression"
eta = 0.01
optimizer = "exact"
"#;

/// The table in a folder that goes when it is dropped.
pub struct People {
    pub folder: TempDir,
    pub rows: usize,
    /// How often everything is measured.
    pub repeats: usize,
}

impl People {
    /// A few hundred thousand rows; a few thousand and once where `--test` asks whether the benchmark still works.
    pub fn generate() -> Self {
        let test = std::env::args().any(|argument| argument == "--test");
        let (rows, repeats) = if test { (3_000, 1) } else { (300_000, 7) };
        let people = People { folder: tempfile::tempdir().expect("a folder for the table"), rows, repeats };
        people.write();
        people
    }

    /// The file with a name in the folder.
    pub fn at(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// The study of one of the two files.
    pub fn study(&self, data: &str) -> Study {
        let path = self.at(&format!("{data}.toml"));
        std::fs::write(&path, STUDY.replace("{path}", data)).expect("a study");
        read_study(&path).expect("the study can be read")
    }

    fn write(&self) {
        let mut random = ChaCha8Rng::seed_from_u64(1);
        let mut draw = |count: u32| (0..self.rows).map(|_| random.next_u32() % count).collect::<Vec<u32>>();
        let ages: Vec<u32> = draw(40).into_iter().zip(draw(25)).map(|(a, b)| 18 + a + b).collect();
        let named = |codes: Vec<u32>, stem: &str| codes.into_iter().map(|code| format!("{stem} {code}")).collect();
        let texts: [Vec<String>; 6] = [
            named(draw(2), "sex"),
            draw(30).iter().map(|code| format!("{}", 10_000 + code * 171)).collect(),
            named(draw(8), "education"),
            named(draw(5), "status"),
            named(draw(12), "diagnosis"),
            named(draw(1_000), "a remark with the number"),
        ];
        let incomes = draw(90_000);
        let mut text = "person,age,sex,postcode,education,status,diagnosis,income,remark\n".to_owned();
        for row in 0..self.rows {
            let [sex, postcode, education, status, diagnosis, remark] = texts.each_ref().map(|column| &column[row]);
            let (age, income) = (ages[row], incomes[row]);
            writeln!(text, "{row},{age},{sex},{postcode},{education},{status},{diagnosis},{income},{remark}")
                .expect("a text grows");
        }
        std::fs::write(self.at("people.csv"), text).expect("a CSV file");
        let [sex, postcode, education, status, diagnosis, remark] =
            texts.map(|column| Arc::new(StringArray::from_iter_values(column)) as ArrayRef);
        let batch = RecordBatch::try_from_iter([
            ("person", Arc::new(Int64Array::from_iter_values(0..self.rows as i64)) as ArrayRef),
            ("age", Arc::new(Int32Array::from_iter_values(ages.into_iter().map(|age| age as i32)))),
            ("sex", sex),
            ("postcode", postcode),
            ("education", education),
            ("status", status),
            ("diagnosis", diagnosis),
            ("income", Arc::new(Int64Array::from_iter_values(incomes.into_iter().map(i64::from)))),
            ("remark", remark),
        ])
        .expect("columns of one length");
        let file = File::create(self.at("people.parquet")).expect("a Parquet file");
        let mut writer = ArrowWriter::try_new(file, batch.schema(), None).expect("a writer");
        writer.write(&batch).expect("rows are written");
        writer.close().expect("the file is closed");
    }

    /// Runs all pieces of work in turn, several times, and prints the best of each beside its references: other programs
    /// share the machine, and what is near in time is disturbed alike.
    pub fn measure(&self, work: &mut [(&str, &mut dyn FnMut())]) {
        let mut best = vec![f64::INFINITY; work.len()];
        for _ in 0..self.repeats {
            for (best, (_, one)) in best.iter_mut().zip(work.iter_mut()) {
                let started = ProcessTime::now();
                one();
                *best = best.min(started.elapsed().as_secs_f64());
            }
        }
        println!("{:<44} {:>8}  times the {}", format!("{} rows", self.rows), "CPU s", work[0].0);
        for (seconds, (name, _)) in best.iter().zip(work.iter()) {
            println!("{name:<44} {seconds:>8.3}  {:.2}", seconds / best[0]);
        }
        println!();
    }
}
