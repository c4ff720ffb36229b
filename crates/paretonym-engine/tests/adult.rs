//! Facts about the Adult table, where it is there.

use std::path::Path;

use paretonym::data::{ColumnRequest, CountRequest, Encoding, Part, Source};
use paretonym::engine::{Engine, Unwatched};
use paretonym_engine::{Embedded, profile};

const COLUMNS: &str = "age,workclass,fnlwgt,education,education-num,marital-status,occupation,relationship,race,sex,\
                       capital-gain,capital-loss,hours-per-week,native-country,salary-class";
const COUNTED: &str = "age,workclass,education,marital-status,occupation,race,sex,native-country,salary-class";

fn adult() -> Option<Source> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/adult/adult.data");
    if !path.exists() {
        eprintln!("{} is not there: nothing was tested", path.display());
        return None;
    }
    let mut source = Source::at(path);
    source.columns = Some(COLUMNS.split(',').map(str::to_owned).collect());
    source.missing = vec!["?".into()];
    Some(source)
}

fn request(part: impl Fn(&str) -> Part) -> CountRequest {
    let column = |name: &str| ColumnRequest {
        name: name.into(),
        part: part(name),
        encoding: if name == "age" { Encoding::Numbers } else { Encoding::Text },
    };
    CountRequest { columns: COUNTED.split(',').map(column).collect(), at_most: None, part: None }
}

#[test]
fn the_distinct_tuples_are_those_of_the_papers() {
    let Some(source) = adult() else { return };
    let all = Embedded.count(&source, &request(|_| Part::Quasi), &Unwatched).unwrap();
    assert_eq!((all.rows, all.dropped, all.counts.len()), (30162, 2399, 19502));
    let salary = |name: &str| if name == "salary-class" { Part::Attribute } else { Part::Quasi };
    let without = Embedded.count(&source, &request(salary), &Unwatched).unwrap();
    assert_eq!((without.rows, without.counts.len()), (30162, 18109));
    assert_eq!(without.attributes[0].values.len(), 19502);
    assert_eq!(without.attributes[0].counts.iter().sum::<u64>(), 30162);
}

#[test]
fn the_profile_guesses_no_header() {
    let Some(mut source) = adult() else { return };
    source.columns = None;
    let table = profile(&source, &Unwatched).unwrap();
    assert_eq!((table.rows, table.delimiter, table.header), (32561, Some(','), false));
    let age = &table.columns[0];
    assert_eq!((age.name.as_str(), age.integers, age.min, age.max), ("column_1", 32561, 17.0, 90.0));
    assert_eq!(table.columns[1].missing, 1836);
}
