//! Each release against each other: what one property, and all together, say of a pair.

use super::comparison::IndexShape;
use super::{
    Comparator, Comparators, Property, PropertyComparison, Rank, Release, SetComparison, Vectors, dominance,
    dominance_of_sets,
};
use crate::data::format_number;
use crate::error::{Error, Result};
use crate::front::round;

/// What to know of properties where some rows could not be matched.
const UNMATCHED: &str = "rows of some release could not be matched, so that indices of rows are left out; `sorted` compares the values in \
     rising order, the worst-off row with the worst-off row";

/// Two or more releases of the same rows.
pub(super) struct Pairs<'a> {
    releases: &'a [Release],
}

/// Something of each release against each other.
type Matrix<T> = Vec<Vec<T>>;

impl<'a> Pairs<'a> {
    /// Fails where there are too few releases, or where they are not of the same rows.
    pub fn of(releases: &'a [Release]) -> Result<Self> {
        let [first, rest @ ..] = releases else { return Err(Error::study("there is nothing to compare")) };
        if rest.is_empty() {
            return Err(Error::study("a comparison needs at least two releases"));
        }
        for release in rest {
            let same = release.properties.len() == first.properties.len()
                && release.properties.iter().zip(&first.properties).all(|(own, other)| {
                    own.kind == other.kind && own.values.len() == other.values.len() && own.rows == other.rows
                });
            if !same {
                return Err(Error::study(format!("{} and {} are not of the same rows", first.name, release.name)));
            }
        }
        Ok(Pairs { releases })
    }

    /// How many properties there are.
    pub fn properties(&self) -> usize {
        self.releases[0].properties.len()
    }

    /// One property of two releases.
    pub fn vectors(&self, property: usize, i: usize, j: usize) -> Vectors<'a> {
        let own = &self.releases[i].properties[property];
        Vectors { one: &own.values, other: &self.releases[j].properties[property].values, rows: own.rows.as_deref() }
    }

    /// Whether it is known which row of either is whose.
    fn matched(&self, i: usize, j: usize) -> bool {
        self.releases[i].matched.is_some() && self.releases[j].matched.is_some()
    }

    fn each<T>(&self, entry: impl Fn(usize, usize) -> T) -> Matrix<T> {
        let count = self.releases.len();
        (0..count).map(|i| (0..count).map(|j| entry(i, j)).collect()).collect()
    }

    fn matrix(&self, entry: impl Fn(usize, usize) -> f64) -> Matrix<f64> {
        // Adding zero turns -0, the sum of nothing, into 0.
        self.each(|i, j| round(entry(i, j)) + 0.0)
    }

    /// An index of rows has no value where nobody knows which row is whose.
    fn row_wise(&self, entry: impl Fn(usize, usize) -> f64) -> Matrix<f64> {
        self.matrix(|i, j| if self.matched(i, j) { entry(i, j) } else { f64::NAN })
    }

    /// What can be told of pairs whose rows are matched.
    fn told<T>(&self, entry: impl Fn(usize, usize) -> T) -> Matrix<Option<T>> {
        self.each(|i, j| self.matched(i, j).then(|| entry(i, j)))
    }

    /// All comparators on one property.
    pub fn property(&self, at: usize, comparators: &Comparators) -> PropertyComparison {
        let mut ideal = self.ideal(at);
        let (mut indices, mut shapes, mut notes) = (Vec::new(), Vec::new(), Vec::new());
        for comparator in &comparators.single {
            let wishes_for_best = comparator.has_wish() && !comparator.is_unary();
            ideal.tolerance = comparator.tolerance();
            let comparator = if wishes_for_best { &ideal } else { comparator.as_ref() };
            let index = |i: usize, j: usize| comparator.index(self.vectors(at, i, j));
            // A wished-for vector is one of rows; other unary indices do not ask whose a value is.
            let of_rows = !comparator.is_unary() || comparator.has_wish();
            indices.push((comparator.name(), if of_rows { self.row_wise(index) } else { self.matrix(index) }));
            shapes.push(match (comparator.is_unary(), of_rows) {
                (false, _) => IndexShape::Pairs,
                (true, true) => IndexShape::RowsAlone,
                (true, false) => IndexShape::Alone,
            });
            notes.extend(comparator.note(self.vectors(at, 0, 1)).filter(|_| self.matched(0, 1)));
            notes.extend(self.alike(at, comparator));
        }
        let mut sorted = Vec::new();
        if self.releases.iter().any(|release| release.matched.is_none()) {
            notes.push(UNMATCHED.to_owned());
            sorted = self.sorted(at, comparators);
        }
        PropertyComparison {
            kind: self.releases[0].properties[at].kind.clone(),
            indices,
            shapes,
            dominance: self.told(|i, j| dominance(self.vectors(at, i, j))),
            sorted,
            better: self.row_wise(|i, j| {
                let vectors = self.vectors(at, i, j);
                vectors.each().filter(|(one, other, _)| one > other).map(|(_, _, rows)| rows).sum::<f64>()
                    / vectors.total()
            }),
            notes,
            means: self.means(at),
        }
    }

    /// Which releases an index finds equally good although it differs: whoever sets a tolerance is told.
    fn alike(&self, at: usize, comparator: &dyn Comparator) -> Vec<String> {
        let tolerance = comparator.tolerance();
        let pairs = (0..self.releases.len()).flat_map(|i| (i + 1..self.releases.len()).map(move |j| (i, j)));
        let close = pairs.filter(|(i, j)| {
            tolerance > 0.0 && self.matched(*i, *j) && comparator.prefers(self.vectors(at, *i, *j)).is_eq()
        });
        let note = |(i, j): (usize, usize)| {
            let (name, one, other) = (comparator.name(), &self.releases[i].name, &self.releases[j].name);
            format!("{name}: {one} and {other} are equally good, within the tolerance of {}", format_number(tolerance))
        };
        close.map(note).collect()
    }

    /// Distances of several releases need one wished-for vector: the best of all of them.
    fn ideal(&self, at: usize) -> Rank {
        let wished = (0..self.releases[0].properties[at].values.len()).map(|row| {
            let values = self.releases.iter().filter(|release| release.matched.is_some());
            values.map(|release| release.properties[at].values[row]).fold(f64::MIN, f64::max)
        });
        Rank { wished: wished.collect(), tolerance: 0.0 }
    }

    /// The indices of the values in rising order; none where there are rows without a value.
    fn sorted(&self, at: usize, comparators: &Comparators) -> Vec<(String, Matrix<f64>)> {
        let values: Vec<Vec<f64>> = self.releases.iter().map(|release| rising(&release.properties[at])).collect();
        if values.iter().flatten().any(|value| value.is_nan()) {
            return Vec::new();
        }
        let pairwise = comparators.single.iter().filter(|one| !one.is_unary() && !one.has_wish());
        let index = |i: usize, j: usize| Vectors::of_rows(&values[i], &values[j]);
        pairwise.map(|one| (one.name(), self.matrix(|i, j| one.index(index(i, j))))).collect()
    }

    fn means(&self, at: usize) -> Vec<f64> {
        let mean = |i: usize| {
            let vectors = self.vectors(at, i, i);
            round(vectors.each().map(|(one, _, rows)| rows * one).sum::<f64>() / vectors.total())
        };
        (0..self.releases.len()).map(mean).collect()
    }

    /// All comparators of sets of properties.
    pub fn sets(&self, comparators: &Comparators) -> SetComparison {
        let all =
            |i: usize, j: usize| -> Vec<Vectors> { (0..self.properties()).map(|at| self.vectors(at, i, j)).collect() };
        let sets = comparators.sets.iter();
        let preferred: Vec<(String, Matrix<Option<i32>>)> =
            sets.clone().map(|one| (one.name(), self.told(|i, j| one.prefers(&all(i, j)) as i32))).collect();
        let in_words =
            sets.clone().zip(&preferred).filter_map(|(one, (_, told))| Some((one.in_words()?, told.clone())));
        SetComparison {
            indices: sets.clone().map(|one| (one.name(), self.row_wise(|i, j| one.index(&all(i, j))))).collect(),
            in_words: in_words.collect(),
            preferred,
            dominance: self.told(|i, j| dominance_of_sets(&all(i, j))),
        }
    }
}

/// The values of a property in rising order, one per row.
fn rising(property: &Property) -> Vec<f64> {
    let rows = |at: usize| property.rows.as_ref().map_or(1, |rows| rows[at] as usize);
    let mut values: Vec<f64> =
        property.values.iter().enumerate().flat_map(|(at, value)| std::iter::repeat_n(*value, rows(at))).collect();
    values.sort_by(f64::total_cmp);
    values
}
