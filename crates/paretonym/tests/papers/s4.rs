//! S4's worked examples: the loss of a categorical and of a numeric cell, and the classification metric of figure 4.

use paretonym::data::{Kind, Role};
use paretonym::group::Suppressed;
use paretonym::recode::Recoding;
use paretonym::study::ColumnSpec;

use super::{assert_close, loss, runs};
use crate::support::{counted, grouped};

#[test]
fn state_gov_shown_as_government() {
    let tree = r#"
        "Self-employed" = ["Self-emp-inc", "Self-emp-not-inc"]
        "Government" = ["Federal-gov", "State-gov", "Local-gov"]
        "Private" = []
        "Without-pay" = []
        "Never-worked" = []
    "#;
    let mut workclass = ColumnSpec::new("workclass", Role::Quasi);
    workclass.taxonomy = Some(toml::Value::Table(toml::from_str(tree).unwrap()));
    let table = counted(vec![workclass], &[&["State-gov"], &["State-gov"]]);
    assert_eq!(table.columns[0].domain.len(), 8, "S4 figure 2: eight leaves");
    let grouping = grouped(&table, &Recoding::of_levels(&[1]));
    let cell = loss("general", &table, &grouping, &Suppressed::none(1));
    assert_close(cell.total(), 2.0 / 7.0, "S4 3.1: State-gov shown as Government");
    // "The loss for a suppressed entry is the same as the loss when the generalized value is the root."
    let top = grouped(&table, &Recoding::of_levels(&[2]));
    assert_close(loss("general", &table, &top, &Suppressed::none(1)).total(), 1.0, "S4 3.1: the root");
    let suppressed = Suppressed::by(&grouping, |_| true);
    assert_close(loss("general", &table, &grouping, &suppressed).total(), 1.0, "S4 3.1: a suppressed entry");
}

#[test]
fn doctorate_in_the_interval_to_masters() {
    // Figure 3 numbers the values from Doctorate, 1, to Preschool, 16.
    let steps = [
        "Doctorate",
        "Prof-school",
        "Masters",
        "Bachelors",
        "Assoc-voc",
        "Assoc-acdm",
        "Some-college",
        "HS-grad",
        "12th",
        "11th",
        "10th",
        "9th",
        "7th-8th",
        "5th-6th",
        "1st-4th",
        "Preschool",
    ];
    let mut named = ColumnSpec::new("education", Role::Quasi);
    named.order = Some(steps.iter().map(|step| toml::Value::String((*step).into())).collect());
    let table = counted(vec![named], &[&["Doctorate"], &["Doctorate"]]);
    let grouping = grouped(&table, &Recoding { columns: vec![runs(&table, 0, &["Bachelors"])] });
    let cell = loss("general", &table, &grouping, &Suppressed::none(1));
    assert_close(cell.total(), 2.0 / 15.0, "S4 3.1: Doctorate in [Doctorate, Masters], by leaves");

    // The same by numbers, (U_i - L_i) / (U - L): every number occurs once, and Doctorate to Masters are shown as one.
    let numbered = ColumnSpec { kind: Some(Kind::Numeric), ..ColumnSpec::new("education", Role::Quasi) };
    let cells: Vec<String> = (1..=16).map(|step| step.to_string()).collect();
    let rows: Vec<[&str; 1]> = cells.iter().map(|cell| [cell.as_str()]).collect();
    let table = counted(vec![numbered], &rows.iter().map(|row| row.as_slice()).collect::<Vec<_>>());
    let others: Vec<&str> = cells[3..].iter().map(String::as_str).collect();
    let grouping = grouped(&table, &Recoding { columns: vec![runs(&table, 0, &others)] });
    assert_eq!(grouping.len(), 14, "S4 figure 3");
    let whole = loss("general(numeric=interval)", &table, &grouping, &Suppressed::none(14));
    assert_close(whole.total(), 3.0 * (2.0 / 15.0) / 16.0, "S4 3.1: three rows of 2/15 among sixteen");
}

/// X in {[0,7.5],(7.5,10]} and Y in {[0,3.5],(3.5,10]}: twenty points, three of them not of their group's majority, one
/// of which is (9, 9). The figure's other coordinates are not in the text; only the groups matter.
#[test]
fn classification_metric_of_figure_4() {
    let points: [(&str, &[(u8, u8)]); 2] = [
        ("star", &[(1, 1), (2, 3), (4, 2), (6, 1), (1, 5), (3, 8), (5, 6), (7, 9), (9, 9)]),
        ("square", &[(5, 3), (8, 1), (9, 2), (9, 3), (8, 2), (8, 3), (8, 5), (9, 6), (8, 8), (9, 5), (4, 4)]),
    ];
    let mut rows: Vec<[String; 3]> = Vec::new();
    for (class, points) in points {
        rows.extend(points.iter().map(|(x, y)| [x.to_string(), y.to_string(), class.to_owned()]));
    }
    let axis = |name: &str| ColumnSpec {
        range: Some((0.0, 10.0)),
        granularity: Some(0.5),
        ..ColumnSpec::new(name, Role::Quasi)
    };
    let columns = vec![axis("X"), axis("Y"), ColumnSpec::new("class", Role::Target)];
    let cells: Vec<Vec<&str>> = rows.iter().map(|row| row.iter().map(String::as_str).collect()).collect();
    let table = counted(columns, &cells.iter().map(Vec::as_slice).collect::<Vec<_>>());
    assert_eq!(table.rows, 20, "S4 figure 4");
    let recoding = Recoding { columns: vec![runs(&table, 0, &["[7.5, 8)"]), runs(&table, 1, &["[3.5, 4)"])] };
    let grouping = grouped(&table, &recoding);
    assert_eq!(
        grouping.groups.rows.iter().collect::<Vec<_>>(),
        [5, 5, 5, 5],
        "S4 figure 4: nothing is suppressed for k = 5"
    );
    let cm = loss("classification", &table, &grouping, &Suppressed::none(4));
    assert_close(cm.total(), 3.0 / 20.0, "S4 eq. 1, CM of figure 4");
    // Eq. 2: a suppressed row is charged 1. Without the group of (9, 9) its five rows pay instead of the one.
    let group_of = |x: usize, y: usize| {
        (0..4).find(|group| grouping.set(&table, *group, 0) == x && grouping.set(&table, *group, 1) == y).unwrap()
    };
    let corner = group_of(1, 1);
    let suppressed = Suppressed::by(&grouping, |group| group == corner);
    let cm = loss("classification", &table, &grouping, &suppressed);
    assert_close(cm.total(), (2.0 + 5.0) / 20.0, "S4 eq. 1 and 2, with the group of (9, 9) suppressed");
}
