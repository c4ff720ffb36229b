//! Rows as they stand in a file: which values of the study's domains they hold, and which of them a missing value keeps out.

use std::borrow::Borrow;
use std::collections::HashMap;

use crate::compare::Coded;
use crate::data::{Domain, OnMissing, Source};

/// Which rows are left out because of a missing value in one of these columns, which a study uses.
pub fn incomplete_rows<C: Borrow<Coded>>(source: &Source, columns: &[C]) -> Vec<bool> {
    let rows = columns.first().map_or(0, |column| column.borrow().codes.len());
    let mut gone = vec![false; rows];
    for column in columns.iter().map(Borrow::borrow).filter(|_| source.on_missing == OnMissing::DropRow) {
        let missing: Vec<bool> = column.texts.iter().map(|text| source.is_missing(text)).collect();
        gone.iter_mut().zip(&column.codes).for_each(|(gone, code)| *gone |= missing[*code as usize]);
    }
    gone
}

/// The leaf of each text of a column in its domain; none for a missing cell whose row is left out, and for what the domain
/// lacks.
pub fn text_leaves(source: &Source, domain: &Domain, column: &Coded) -> Vec<Option<u32>> {
    // Of values that read alike the first counts, as in the count.
    let labels = domain.labels.iter().enumerate().rev();
    let position: HashMap<&str, u32> = labels.map(|(leaf, label)| (label.trim(), leaf as u32)).collect();
    let leaf = |text: &String| {
        if source.is_missing(text) {
            return source.missing_leaf(domain);
        }
        let number = source.cell_rule().number(text);
        number_leaf(domain, number).or_else(|| position.get(text.trim()).copied())
    };
    column.texts.iter().map(leaf).collect()
}

/// The leaf that a number lies in.
fn number_leaf(domain: &Domain, number: Option<f64>) -> Option<u32> {
    let bounds = domain.bounds.as_ref()?;
    let number = number?;
    let last = bounds.iter().rposition(|(low, _)| !low.is_nan())?;
    // The leaf of a missing value is the last one and has no bounds.
    let at = bounds[..=last].partition_point(|(low, _)| *low <= number).checked_sub(1)?;
    let (low, high) = bounds[at];
    let inside = number < high || (low == high && number == low);
    inside.then_some(at as u32)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::Decimal;

    #[test]
    fn numbers_find_their_leaf() {
        let mut bins = Domain::of_bins(&[0.0, 5.0, 10.0]);
        bins.push_missing("?");
        let leaf = |text: &str| number_leaf(&bins, Decimal::Point.read(text));
        assert_eq!((leaf("0"), leaf("4.9"), leaf("5")), (Some(0), Some(0), Some(1)));
        assert_eq!((leaf("10"), leaf("-1"), leaf("x")), (None, None, None));
        let open = Domain::of_values_between(&[5.0], &[(1.0, 1), (9.0, 1)]);
        assert_eq!((number_leaf(&open, Some(-7.0)), number_leaf(&open, Some(1e9))), (Some(0), Some(1)));
        let numbers = Domain::of_numbers(&[1.0, 2.5]);
        let leaf = |text: &str| number_leaf(&numbers, Decimal::Point.read(text));
        assert_eq!((leaf("1.0"), leaf("2.5"), leaf("2"), leaf("3")), (Some(0), Some(1), None, None));
    }
}
