//! S4: LM against CM over k, a decision tree's error on what they make, and reuse on the test set.

use anyhow::{Context, Result};
use paretonym::catalog;
use paretonym::group::{FrequencyTable, Grouping, Kept, Needs, Suppressed, Workspace};
use paretonym::measure::loss_parts;
use paretonym::recode::Recoding;
use paretonym::search::genetic::Dice;
use paretonym::settings::SearchSettings;
use smartcore::linalg::basic::matrix::DenseMatrix;
use smartcore::tree::decision_tree_classifier::{DecisionTreeClassifier, DecisionTreeClassifierParameters};

use crate::SEED;
use crate::adult::{Adult, search, table};
use crate::tables::table as markdown;

const KS: [u64; 7] = [10, 25, 50, 100, 200, 350, 500];
const LM: &str = "general(numeric=interval)";
const CM: &str = "classification";
/// Iterations of our form of the search.
const ITERATIONS: u64 = 100_000;
const FOLDS: usize = 10;

/// LM as the paper sums it up over the columns, and CM, of a recoding at some k.
struct Judged {
    lm: f64,
    cm: f64,
}

fn judge(table: &FrequencyTable, recoding: &Recoding, k: u64) -> Result<Judged> {
    let mut grouping = Grouping::default();
    Workspace::default().group(table, &table.tuples, recoding, Needs::ALL, &mut grouping);
    let gone = Suppressed::by(&grouping, |group| grouping.groups.rows.get(group) < k);
    let kept = Kept { table, grouping: &grouping, suppressed: &gone };
    let settings = SearchSettings::default();
    let loss = |name: &str| {
        Ok::<f64, anyhow::Error>(loss_parts(catalog::loss(name, table, &settings)?.as_ref(), &kept).total())
    };
    Ok(Judged { lm: loss(LM)? * table.columns.len() as f64, cm: loss(CM)? })
}

/// The recoding of least loss.
fn optimize(table: &FrequencyTable, loss: &str, k: u64) -> Result<Recoding> {
    let settings = SearchSettings {
        problem: "single".into(),
        optimizer: "genitor".into(),
        loss: loss.into(),
        evaluations: Some(ITERATIONS),
        seed: SEED,
        ..SearchSettings::default()
    }
    .with("k", k);
    let found = search(table, &settings)?;
    found.entries[0].recoding.table_wide().cloned().context("genitor recodes the whole table")
}

/// The error of a decision tree in ten-fold cross-validation on the release: each row shows the numbers of its sets, a
/// suppressed one nothing.
fn tree_error(table: &FrequencyTable, recoding: Option<&Recoding>, k: u64) -> Result<f64> {
    let unchanged = Recoding::of_levels(&vec![0; table.columns.len()]);
    let mut grouping = Grouping::default();
    Workspace::default().group(table, &table.tuples, recoding.unwrap_or(&unchanged), Needs::ALL, &mut grouping);
    let (mut rows, mut classes): (Vec<Vec<f64>>, Vec<u32>) = (Vec::new(), Vec::new());
    for tuple in 0..table.tuples.len() {
        let group = grouping.group_of[tuple] as usize;
        let gone = recoding.is_some() && grouping.groups.rows.get(group) < k;
        let set = |column: usize| if gone { -1.0 } else { grouping.set(table, group, column) as f64 };
        let shown: Vec<f64> = (0..table.columns.len()).map(set).collect();
        for (value, count) in table.tuples.attributes[0].of(tuple).iter() {
            (0..count).for_each(|_| {
                rows.push(shown.clone());
                classes.push(value);
            });
        }
    }
    let mut order: Vec<usize> = (0..rows.len()).collect();
    let mut dice = Dice::new(SEED);
    (1..order.len()).rev().for_each(|last| order.swap(last, dice.below(last + 1)));
    let mut wrong = 0;
    for fold in 0..FOLDS {
        let part = |inside: bool| {
            order.iter().enumerate().filter(move |(at, _)| (at % FOLDS == fold) == inside).map(|(_, row)| *row)
        };
        let matrix = |inside: bool| DenseMatrix::from_2d_vec(&part(inside).map(|row| rows[row].clone()).collect());
        let labels = |inside: bool| part(inside).map(|row| classes[row]).collect::<Vec<u32>>();
        let parameters = DecisionTreeClassifierParameters::default().with_max_depth(12).with_min_samples_leaf(20);
        let tree = DecisionTreeClassifier::fit(&matrix(false)?, &labels(false), parameters)?;
        let given = tree.predict(&matrix(true)?)?;
        wrong += given.iter().zip(labels(true)).filter(|(given, class)| **given != *class).count();
    }
    Ok(wrong as f64 / rows.len() as f64)
}

/// What a fine coding allows: every column of levels has its leaves.
fn columns_text(table: &FrequencyTable) -> String {
    table.columns.iter().map(|column| format!("{} {}", column.name, column.domain.len())).collect::<Vec<_>>().join(", ")
}

pub fn section(adult: &Adult) -> Result<String> {
    let (train, test) = (table(&adult.study_of_s4(false)?)?, table(&adult.study_of_s4(true)?)?);
    let mut text = format!(
        "## S4: Iyengar, transforming data to satisfy privacy constraints (KDD 2002)\n\n\
         Eight columns (leaves: {}), age and education as breaks, race and sex too, the others as cuts; salary class as target. \
         Training set {} rows, test set {} rows. `genitor` in our form, {ITERATIONS} iterations (the paper: 500,000), seed {SEED}. LM \
         is the sum over the columns with numbers charged by width, CM the share of rows that are not of their group's class.\n\n\
         ### Figures 6 to 9: LM against CM\n\n\
         As in the paper, what is optimized for one usage is worse for the other.\n\n",
        columns_text(&train),
        train.rows,
        test.rows
    );
    let (mut crossed, mut trees, mut reused) = (Vec::new(), Vec::new(), Vec::new());
    let original = tree_error(&train, None, 1)?;
    for k in KS {
        let by_cm = optimize(&train, CM, k)?;
        let by_lm = optimize(&train, LM, k)?;
        let (of_cm, of_lm) = (judge(&train, &by_cm, k)?, judge(&train, &by_lm, k)?);
        let number = |value: f64| format!("{value:.4}");
        crossed.push(vec![k.to_string(), number(of_cm.cm), number(of_lm.cm), number(of_lm.lm), number(of_cm.lm)]);
        let errors = [Some(&by_cm), Some(&by_lm)].map(|recoding| tree_error(&train, recoding, k));
        let [cm_error, lm_error] = errors;
        trees.push(vec![k.to_string(), number(cm_error?), number(lm_error?), number(original)]);
        let own_cm = judge(&test, &optimize(&test, CM, k)?, k)?.cm;
        let own_lm = judge(&test, &optimize(&test, LM, k)?, k)?.lm;
        let (again_cm, again_lm) = (judge(&test, &by_cm, k)?.cm, judge(&test, &by_lm, k)?.lm);
        reused.push(vec![k.to_string(), number(own_cm), number(again_cm), number(own_lm), number(again_lm)]);
    }
    text += &markdown(
        &["k", "CM, optimized", "CM of the LM-optimized", "LM, optimized", "LM of the CM-optimized"],
        &crossed,
    );
    text += "### Figure 10: error of a decision tree\n\n\
             Ten-fold cross-validation of one tree (depth at most 12, at least 20 rows in a leaf); a suppressed row shows nothing. The \
             paper (C4.5): the recoding made for classification costs the classifier little, the general one more.\n\n";
    text += &markdown(&["k", "CM-optimized", "LM-optimized", "original data"], &trees);
    text += "### Figures 11 and 12: the training set's recoding on the test set\n\n\
             *own* is the recoding found on the test set itself. The paper finds that reuse costs, and CM more than LM.\n\n";
    text += &markdown(&["k", "CM, own", "CM, reused", "LM, own", "LM, reused"], &reused);
    Ok(text)
}
