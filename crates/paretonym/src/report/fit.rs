//! A curve through the front: a polynomial by least squares, with its error. It holds for this table alone, and says what
//! the front is like between its points rather than what can be reached there.
//!
//! The degree is the one that foretells points best that were left out. Reference: S0 section 7.5.

use std::fmt::Write;

/// The highest degree that is tried.
const MOST: usize = 5;
/// A higher degree must foretell better by this share.
const WORTH: f64 = 0.98;

/// A polynomial in x, or in ln x.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Fit {
    /// Whether the polynomial is in ln x.
    pub log: bool,
    /// Coefficients, the constant first.
    pub coefficients: Vec<f64>,
    /// Root of the mean squared difference to the points.
    pub error: f64,
    /// The largest difference to a point.
    pub largest: f64,
}

impl Fit {
    /// Through points with at least four different x; none where there are fewer.
    pub fn of(points: &[(f64, f64)], log: bool) -> Option<Self> {
        let points: Vec<(f64, f64)> =
            points.iter().filter(|p| !log || p.0 > 0.0).map(|p| (if log { p.0.ln() } else { p.0 }, p.1)).collect();
        let mut places: Vec<f64> = points.iter().map(|p| p.0).collect();
        places.sort_by(f64::total_cmp);
        places.dedup();
        if places.len() < 4 {
            return None;
        }
        // Around the middle of the points, where powers tell each other apart.
        let (low, high) = (places[0], places[places.len() - 1]);
        let (middle, half) = ((low + high) / 2.0, (high - low) / 2.0);
        let scaled: Vec<(f64, f64)> = points.iter().map(|p| ((p.0 - middle) / half, p.1)).collect();
        let mut best: Option<(f64, Vec<f64>)> = None;
        for degree in 1..=MOST.min(places.len() - 2) {
            let Some((own, foretold)) = least_squares(&scaled, degree) else { break };
            if best.as_ref().is_none_or(|(least, _)| foretold < WORTH * least) {
                best = Some((foretold, own));
            }
        }
        let coefficients = unscaled(&best?.1, middle, half);
        let mut fit = Fit { log, coefficients, error: 0.0, largest: 0.0 };
        let away: Vec<f64> = points.iter().map(|p| (fit.polynomial(p.0) - p.1).abs()).collect();
        fit.error = (away.iter().map(|a| a * a).sum::<f64>() / away.len() as f64).sqrt();
        fit.largest = away.into_iter().fold(0.0, f64::max);
        Some(fit)
    }

    fn polynomial(&self, x: f64) -> f64 {
        self.coefficients.iter().rev().fold(0.0, |sum, coefficient| sum * x + coefficient)
    }

    /// The curve at a place.
    pub fn at(&self, x: f64) -> f64 {
        self.polynomial(if self.log { x.ln() } else { x })
    }

    /// The formula, of a variable with this name.
    pub fn formula(&self, name: &str) -> String {
        let variable = if self.log { format!("ln {name}") } else { name.to_owned() };
        let constant = if self.coefficients[0].abs() < 5e-5 { 0.0 } else { self.coefficients[0] };
        let mut text = format!("{constant:.4}").replace('-', "−");
        for (power, coefficient) in self.coefficients.iter().enumerate().skip(1) {
            let sign = if *coefficient < 0.0 { '−' } else { '+' };
            let _ = write!(text, " {sign} {:.4e} ", coefficient.abs());
            match power {
                1 => text.push_str(&variable),
                _ if self.log => {
                    let _ = write!(text, "({variable}){}", superscript(power));
                }
                _ => {
                    let _ = write!(text, "{variable}{}", superscript(power));
                }
            }
        }
        text
    }
}

fn superscript(power: usize) -> char {
    ['⁰', '¹', '²', '³', '⁴', '⁵'][power]
}

/// Coefficients by the normal equations, and the mean squared error at points left out one at a time. None where the
/// points do not determine a polynomial of this degree.
fn least_squares(points: &[(f64, f64)], degree: usize) -> Option<(Vec<f64>, f64)> {
    let width = degree + 1;
    let powers = |x: f64| -> Vec<f64> { (0..width).map(|power| x.powi(power as i32)).collect() };
    // The inverse of the matrix of the normal equations, by elimination.
    let mut matrix = vec![vec![0.0; 2 * width]; width];
    let mut right = vec![0.0; width];
    for (x, y) in points {
        let row = powers(*x);
        for i in 0..width {
            (0..width).for_each(|j| matrix[i][j] += row[i] * row[j]);
            right[i] += row[i] * y;
        }
    }
    (0..width).for_each(|i| matrix[i][width + i] = 1.0);
    for i in 0..width {
        let pivot = (i..width).max_by(|a, b| matrix[*a][i].abs().total_cmp(&matrix[*b][i].abs()))?;
        matrix.swap(i, pivot);
        let lead = matrix[i][i];
        if lead.abs() < 1e-12 {
            return None;
        }
        matrix[i].iter_mut().for_each(|cell| *cell /= lead);
        let pivot_row = matrix[i].clone();
        for (_, row) in matrix.iter_mut().enumerate().filter(|(at, _)| *at != i) {
            let factor = row[i];
            row.iter_mut().zip(&pivot_row).for_each(|(cell, own)| *cell -= factor * own);
        }
    }
    let inverse = |i: usize, j: usize| matrix[i][width + j];
    let coefficients: Vec<f64> =
        (0..width).map(|i| (0..width).map(|j| inverse(i, j) * right[j]).sum::<f64>()).collect();
    let mut foretold = 0.0;
    for (x, y) in points {
        let row = powers(*x);
        let own: f64 = row.iter().zip(&coefficients).map(|(power, coefficient)| power * coefficient).sum();
        let leverage: f64 = (0..width).map(|i| (0..width).map(|j| row[i] * inverse(i, j) * row[j]).sum::<f64>()).sum();
        // Without this point the curve would miss it by that much more.
        let away = (own - y) / (1.0 - leverage).max(1e-9);
        foretold += away * away;
    }
    Some((coefficients, foretold / points.len() as f64))
}

/// The coefficients in x itself of a polynomial in (x − middle) / half.
fn unscaled(scaled: &[f64], middle: f64, half: f64) -> Vec<f64> {
    // Horner's rule on polynomials.
    let mut sum: Vec<f64> = vec![0.0; scaled.len()];
    for coefficient in scaled.iter().rev() {
        let mut next = vec![0.0; scaled.len()];
        for power in 0..scaled.len() {
            next[power] -= sum[power] * middle / half;
            if power + 1 < scaled.len() {
                next[power + 1] += sum[power] / half;
            }
        }
        next[0] += coefficient;
        sum = next;
    }
    sum
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_polynomial_is_found_again() {
        let curve = |x: f64| 0.2 - 0.03 * x + 0.004 * x * x;
        let points: Vec<(f64, f64)> = (1..30).map(|k| (f64::from(k), curve(f64::from(k).ln()))).collect();
        let fit = Fit::of(&points, true).unwrap();
        assert_eq!(fit.coefficients.len(), 3);
        for (found, expected) in fit.coefficients.iter().zip([0.2, -0.03, 0.004]) {
            assert!((found - expected).abs() < 1e-9, "{fit:?}");
        }
        assert!(fit.error < 1e-9 && fit.largest < 1e-9);
        assert!((fit.at(7.0) - curve(7f64.ln())).abs() < 1e-9);
        assert_eq!(fit.formula("k"), "0.2000 − 3.0000e-2 ln k + 4.0000e-3 (ln k)²");
    }

    #[test]
    fn noise_does_not_raise_the_degree() {
        let points: Vec<(f64, f64)> =
            (0..40).map(|x| (f64::from(x), 2.0 * f64::from(x) + [0.3, -0.4, 0.1, 0.2, -0.2][x as usize % 5])).collect();
        let fit = Fit::of(&points, false).unwrap();
        assert_eq!(fit.coefficients.len(), 2, "{fit:?}");
        assert!(fit.error > 0.1 && fit.largest < 0.6);
    }

    #[test]
    fn few_points_have_no_curve() {
        assert_eq!(Fit::of(&[(1.0, 0.1), (2.0, 0.2), (3.0, 0.3)], true), None);
        assert_eq!(Fit::of(&[(1.0, 0.1), (1.0, 0.2), (2.0, 0.3), (2.0, 0.4), (3.0, 0.4)], true), None);
    }
}
