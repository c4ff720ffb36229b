//! Domain and tree of one column from its values alone, before a study is run: what an editor of taxonomies shows.

use super::ColumnSpec;
use super::plan::ColumnPlan;
use crate::data::{Dictionary, Domain, Encoding, Source};
use crate::engine::{Engine, Watch};
use crate::error::{Error, Result};
use crate::taxonomy::Hierarchy;

/// What a study would make of a column that holds these values and no others. The source is read only for what the values
/// do not tell: how often each occurs, for bins of equal frequency.
pub fn outline(
    spec: &ColumnSpec,
    source: &Source,
    values: &[String],
    engine: &dyn Engine,
    watch: &dyn Watch,
) -> Result<(Domain, Hierarchy)> {
    spec.validate()?;
    let plan = ColumnPlan::new(spec, source, engine, watch)?;
    let dictionary = match &plan.encoding {
        Encoding::Labels(_) | Encoding::Bins { .. } | Encoding::Known { .. } => Dictionary::Declared,
        Encoding::Text => Dictionary::Text(values.to_vec()),
        Encoding::Numbers => {
            let number = |text: &String| source.decimal.read(text);
            let numbers = values.iter().map(|text| {
                number(text).ok_or_else(|| {
                    Error::study(format!(
                        "column {:?} holds {text:?}, which is no number; it is not numeric",
                        spec.name
                    ))
                })
            });
            let mut numbers = numbers.collect::<Result<Vec<f64>>>()?;
            numbers.sort_by(f64::total_cmp);
            numbers.dedup();
            Dictionary::Numbers(numbers)
        }
    };
    let done = plan.finish(&dictionary, source, false)?;
    Ok((done.domain, done.hierarchy))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::{Counted, Kind, Role};
    use crate::engine::Unwatched;
    use crate::study::Generated;

    /// Nothing may be read.
    struct NoEngine;

    impl Engine for NoEngine {
        fn read_text(&self, _: &std::path::Path) -> Result<String> {
            unreachable!()
        }

        fn columns(&self, _: &Source) -> Result<Vec<String>> {
            unreachable!()
        }

        fn count(&self, _: &Source, _: &crate::data::CountRequest, _: &dyn Watch) -> Result<Counted> {
            unreachable!()
        }
    }

    fn outlined(spec: &ColumnSpec, values: &[&str]) -> Result<(Domain, Hierarchy)> {
        let values: Vec<String> = values.iter().map(|value| (*value).to_owned()).collect();
        outline(spec, &Source::at("x.csv"), &values, &NoEngine, &Unwatched)
    }

    #[test]
    fn prefixes_and_widths() {
        let mut codes = ColumnSpec::new("zip", Role::Quasi);
        codes.hierarchy = Some(Generated::Prefix);
        let (domain, tree) = outlined(&codes, &["22", "11", "12"]).unwrap();
        assert_eq!(domain.labels, ["11", "12", "22"]);
        assert_eq!(tree.level(1).labels, ["1*", "2*"]);

        let mut ages = ColumnSpec::new("age", Role::Quasi);
        ages.kind = Some(Kind::Numeric);
        ages.widths = Some(vec![10.0]);
        let (domain, tree) = outlined(&ages, &["31", "9", "35", "9.0"]).unwrap();
        assert_eq!(domain.labels, ["9", "31", "35"]);
        assert_eq!(tree.level(1).set_of, [0, 1, 1]);
        assert!(outlined(&ages, &["nine"]).unwrap_err().to_string().contains("nine"));
    }
}
