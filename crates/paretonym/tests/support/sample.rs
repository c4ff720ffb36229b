//! Random small tables, and the studies that describe them.
//!
//! A sample says how its columns are written in a study; what that means is worked out by the library on one side and
//! by the second implementation of `brute_force.rs` on the other.

use paretonym::data::{Kind, Role};
use paretonym::engine::Unwatched;
use paretonym::group::FrequencyTable;
use paretonym::settings::SearchSettings;
use paretonym::study::{ColumnSpec, Roles, Study};
use proptest::prelude::*;

use super::Memory;

/// A tree as nested lists.
#[derive(Clone, Debug)]
pub enum Tree {
    /// A value.
    Leaf(String),
    /// At least two trees.
    Node(Vec<Tree>),
}

impl Tree {
    /// The values below, in order.
    pub fn leaves(&self) -> Vec<String> {
        match self {
            Tree::Leaf(name) => vec![name.clone()],
            Tree::Node(children) => children.iter().flat_map(Tree::leaves).collect(),
        }
    }

    fn toml(&self) -> toml::Value {
        match self {
            Tree::Leaf(name) => toml::Value::String(name.clone()),
            Tree::Node(children) => toml::Value::Array(children.iter().map(Tree::toml).collect()),
        }
    }

    fn name_leaves(&mut self, next: &mut usize) {
        match self {
            Tree::Leaf(name) => {
                *name = format!("v{next}");
                *next += 1;
            }
            Tree::Node(children) => children.iter_mut().for_each(|child| child.name_leaves(next)),
        }
    }
}

/// How a study describes the values of a column and their levels.
#[derive(Clone, Debug)]
pub enum Written {
    /// A taxonomy file. `joins[i]` is the level at which the values i and i + 1 come together; the largest is the top.
    Lines(Vec<usize>),
    /// Nested lists.
    Nested(Tree),
    /// The numbers that occur, with levels of these interval widths.
    Widths(Vec<f64>),
    /// Bins of 5 in [0, 30), with levels of that many bins.
    Bins(Vec<usize>),
    /// Five ordered names, with levels of that many names.
    Ordered(Vec<usize>),
    /// The texts that occur, and one level above them.
    Texts,
}

impl Written {
    /// The cells that rows may hold. The first two are different values.
    pub fn cells(&self) -> Vec<String> {
        match self {
            Written::Lines(joins) => (0..=joins.len()).map(|leaf| format!("v{leaf}")).collect(),
            Written::Nested(tree) => tree.leaves(),
            Written::Widths(_) => ["2", "31", "9", "10", "14.5", "19", "30"].map(String::from).to_vec(),
            Written::Bins(_) => ["3", "29", "4.5", "5", "12", "17", "18"].map(String::from).to_vec(),
            Written::Ordered(_) => (0..5).map(|step| format!("v{step}")).collect(),
            Written::Texts => ["north", "south", "east"].map(String::from).to_vec(),
        }
    }

    /// Whether the domain is what occurs in the table rather than what the study declares.
    pub fn takes_what_occurs(&self) -> bool {
        matches!(self, Written::Widths(_) | Written::Texts)
    }

    /// The lines of the taxonomy file: value;level 1;…;top. A value that stays alone up to the top has a short line.
    fn lines(joins: &[usize]) -> String {
        let height = *joins.iter().max().expect("there are two values");
        let first = |leaf: usize, level: usize| {
            (0..=leaf).rev().find(|at| *at == 0 || joins[at - 1] > level).expect("0 is the first of all")
        };
        let line = |leaf: usize| {
            let alone = |level: usize| first(leaf, level) == leaf && (leaf == joins.len() || joins[leaf] > level);
            let mut cells = vec![format!("v{leaf}")];
            if !(1..height).all(alone) {
                cells.extend((1..height).map(|level| format!("set {} of level {level}", first(leaf, level))));
            }
            cells.push("*".into());
            cells.join(";") + "\n"
        };
        (0..=joins.len()).map(line).collect()
    }

    fn describe(&self, column: &mut ColumnSpec) {
        match self {
            Written::Lines(_) => column.taxonomy = Some(toml::Value::String(format!("{}.csv", column.name))),
            Written::Nested(tree) => column.taxonomy = Some(tree.toml()),
            Written::Widths(widths) => column.widths = Some(widths.clone()),
            Written::Bins(groups) => {
                column.kind = Some(Kind::Numeric);
                (column.range, column.granularity) = (Some((0.0, 30.0)), Some(5.0));
                column.groups = Some(groups.clone());
            }
            Written::Ordered(groups) => {
                column.order = Some(self.cells().into_iter().map(toml::Value::String).collect());
                column.groups = Some(groups.clone());
            }
            Written::Texts => {}
        }
    }
}

/// A quasi column.
#[derive(Clone, Debug)]
pub struct Quasi {
    /// How it is described.
    pub written: Written,
    /// Its weight, where the study gives one.
    pub weight: Option<f64>,
}

/// A sensitive column.
#[derive(Clone, Debug)]
pub enum Sensitive {
    /// Names without an order.
    Nominal,
    /// Four names in order.
    Ordinal,
    /// Numbers.
    Numeric,
    /// Nested lists.
    Nested(Tree),
    /// A taxonomy file, as [`Written::Lines`].
    Lines(Vec<usize>),
}

impl Sensitive {
    /// The cells that rows may hold.
    pub fn cells(&self) -> Vec<String> {
        match self {
            Sensitive::Nominal => ["flu", "cold", "none"].map(String::from).to_vec(),
            Sensitive::Ordinal => (0..4).map(|step| format!("v{step}")).collect(),
            Sensitive::Numeric => ["100", "2500", "300", "45.5"].map(String::from).to_vec(),
            Sensitive::Nested(tree) => tree.leaves(),
            Sensitive::Lines(joins) => (0..=joins.len()).map(|leaf| format!("v{leaf}")).collect(),
        }
    }

    fn describe(&self, column: &mut ColumnSpec) {
        match self {
            Sensitive::Nominal => {}
            Sensitive::Ordinal => column.order = Some(self.cells().into_iter().map(toml::Value::String).collect()),
            Sensitive::Numeric => column.kind = Some(Kind::Numeric),
            Sensitive::Nested(tree) => column.taxonomy = Some(tree.toml()),
            Sensitive::Lines(_) => column.taxonomy = Some(toml::Value::String(format!("{}.csv", column.name))),
        }
    }
}

/// A random table. Its columns are the quasi ones, the sensitive ones, the class, the numeric targets.
#[derive(Clone)]
pub struct Sample {
    /// The quasi columns, `q0`, `q1`, …
    pub quasi: Vec<Quasi>,
    /// The sensitive columns, `s0`, `s1`, …
    pub sensitive: Vec<Sensitive>,
    /// Numeric targets, `n0`, `n1`, …
    pub numeric_targets: usize,
    /// Whether the first quasi column is also the class label, rather than the column `class`.
    pub quasi_class: bool,
    /// The cells.
    pub rows: Vec<Vec<String>>,
}

const CLASSES: [&str; 3] = ["yes", "no", "maybe"];
const AMOUNTS: [&str; 5] = ["0.1", "2", "0.7", "12.5", "-3"];

impl std::fmt::Debug for Sample {
    /// A table that a test failed on, short enough to be read.
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        writeln!(f, "a table of")?;
        self.quasi.iter().try_for_each(|column| writeln!(f, "  {column:?}"))?;
        self.sensitive.iter().try_for_each(|column| writeln!(f, "  {column:?}"))?;
        writeln!(f, "  class label: {}", self.names()[self.class()])?;
        self.rows.iter().try_for_each(|row| writeln!(f, "  {}", row.join(" ")))
    }
}

impl Sample {
    fn new(
        quasi: Vec<Quasi>,
        sensitive: Vec<Sensitive>,
        numeric_targets: usize,
        quasi_class: bool,
        picks: Vec<Vec<u8>>,
    ) -> Self {
        let mut cells: Vec<Vec<String>> = quasi.iter().map(|column| column.written.cells()).collect();
        cells.extend(sensitive.iter().map(Sensitive::cells));
        cells.push(CLASSES.map(String::from).to_vec());
        cells.extend((0..numeric_targets).map(|_| AMOUNTS.map(String::from).to_vec()));
        let pick = |(line, picks): (usize, &Vec<u8>)| {
            let cell = |(at, cells): (usize, &Vec<String>)| {
                // A column must have two values: the first two rows see to it where the table makes the domain.
                let own = quasi.get(at).is_some_and(|column| column.written.takes_what_occurs()) && line < 2;
                cells[if own { line } else { usize::from(picks[at]) % cells.len() }].clone()
            };
            cells.iter().enumerate().map(cell).collect()
        };
        let rows = picks.iter().enumerate().map(pick).collect();
        let named = !matches!(quasi[0].written, Written::Widths(_) | Written::Bins(_));
        Sample { quasi, sensitive, numeric_targets, quasi_class: quasi_class && named, rows }
    }

    /// The names of the columns.
    pub fn names(&self) -> Vec<String> {
        let numbered = |letter: char, count: usize| (0..count).map(move |at| format!("{letter}{at}"));
        let mut names: Vec<String> =
            numbered('q', self.quasi.len()).chain(numbered('s', self.sensitive.len())).collect();
        names.push("class".into());
        names.extend(numbered('n', self.numeric_targets));
        names
    }

    /// The cells of a column.
    pub fn column(&self, at: usize) -> Vec<&str> {
        self.rows.iter().map(|row| row[at].as_str()).collect()
    }

    /// The position of the class label that the losses take.
    pub fn class(&self) -> usize {
        if self.quasi_class { 0 } else { self.quasi.len() + self.sensitive.len() }
    }

    /// The position of the first numeric target.
    pub fn first_number(&self) -> usize {
        self.quasi.len() + self.sensitive.len() + 1
    }

    /// The classes that occur, sorted.
    pub fn classes(&self) -> Vec<String> {
        let mut classes: Vec<String> = self.column(self.class()).into_iter().map(str::to_owned).collect();
        classes.sort();
        classes.dedup();
        classes
    }

    /// What a study says of the columns.
    pub fn specs(&self) -> Vec<ColumnSpec> {
        let first_target = self.first_number() - 1;
        let spec = |(at, name): (usize, &String)| {
            let mut spec = ColumnSpec::new(name, Role::Quasi);
            if let Some(quasi) = self.quasi.get(at) {
                quasi.written.describe(&mut spec);
                spec.weight = quasi.weight;
                if at == 0 && self.quasi_class {
                    spec.role = Roles::More(vec![Role::Quasi, Role::Target]);
                }
            } else if at < first_target {
                spec.role = Roles::One(Role::Sensitive);
                self.sensitive[at - self.quasi.len()].describe(&mut spec);
            } else {
                spec.role = Roles::One(Role::Target);
                spec.kind = (at > first_target).then_some(Kind::Numeric);
            }
            spec
        };
        self.names().iter().enumerate().map(spec).collect()
    }

    /// The study.
    pub fn study(&self, search: SearchSettings) -> Study {
        super::study(self.specs(), search)
    }

    /// The table and its taxonomy files.
    pub fn engine(&self) -> Memory {
        let mut engine = Memory::new(self.names(), self.rows.clone());
        for (at, name) in self.names().iter().enumerate() {
            let quasi = self.quasi.get(at).map(|column| &column.written);
            let sensitive = at.checked_sub(self.quasi.len()).and_then(|at| self.sensitive.get(at));
            if let (Some(Written::Lines(joins)), _) | (_, Some(Sensitive::Lines(joins))) = (quasi, sensitive) {
                engine = engine.with_file(format!("{name}.csv"), Written::lines(joins));
            }
        }
        engine
    }

    /// The counted table.
    pub fn table(&self) -> FrequencyTable {
        paretonym::study::count(&self.study(SearchSettings::default()), &self.engine(), &Unwatched).unwrap()
    }
}

/// Levels at which neighbours come together, two to six values, heights one to three.
fn joins() -> impl Strategy<Value = Vec<usize>> {
    prop::collection::vec(1usize..=3, 1..=5).prop_map(|joins| {
        // Where all come together at once, there is nothing between the values and the top.
        if joins.iter().all(|level| *level == joins[0]) { vec![1; joins.len()] } else { joins }
    })
}

/// Trees of heights one to three.
fn trees() -> impl Strategy<Value = Tree> {
    let leaf = Just(()).prop_map(|()| Tree::Leaf(String::new())).boxed();
    let node = |below: BoxedStrategy<Tree>| prop::collection::vec(below, 2..=3).prop_map(Tree::Node).boxed();
    let low = prop_oneof![2 => leaf.clone(), 1 => node(leaf.clone())].boxed();
    let middle = prop_oneof![2 => leaf, 1 => node(low)].boxed();
    node(middle).prop_map(|mut tree| {
        tree.name_leaves(&mut 0);
        tree
    })
}

fn written() -> impl Strategy<Value = Written> {
    prop_oneof![
        3 => joins().prop_map(Written::Lines),
        3 => trees().prop_map(Written::Nested),
        1 => Just(Written::Widths(vec![10.0])),
        1 => Just(Written::Widths(vec![5.0, 10.0])),
        1 => Just(Written::Bins(vec![2])),
        1 => Just(Written::Bins(vec![2, 4])),
        1 => Just(Written::Ordered(vec![2])),
        1 => Just(Written::Ordered(vec![3])),
        1 => Just(Written::Texts),
    ]
}

fn quasi() -> impl Strategy<Value = Quasi> {
    let weight = prop_oneof![Just(None), Just(Some(0.5)), Just(Some(1.0)), Just(Some(3.0))];
    (written(), weight).prop_map(|(written, weight)| Quasi { written, weight })
}

fn sensitive() -> impl Strategy<Value = Sensitive> {
    prop_oneof![
        2 => Just(Sensitive::Nominal),
        1 => Just(Sensitive::Ordinal),
        1 => Just(Sensitive::Numeric),
        1 => trees().prop_map(Sensitive::Nested),
        1 => joins().prop_map(Sensitive::Lines),
    ]
}

/// Tables of two to `most_quasi` quasi columns, a number of sensitive ones, a class, one or two numeric targets, and 2 to
/// 40 rows.
pub fn samples(most_quasi: usize, sensitive_columns: std::ops::RangeInclusive<usize>) -> BoxedStrategy<Sample> {
    let columns = prop::collection::vec(quasi(), 2..=most_quasi);
    let inside = prop::collection::vec(sensitive(), sensitive_columns);
    let few = prop::collection::vec(prop::collection::vec(any::<u8>(), 10), 2..=8);
    let many = prop::collection::vec(prop::collection::vec(any::<u8>(), 10), 2..=40);
    (columns, inside, 1usize..=2, prop::bool::weighted(0.2), prop_oneof![1 => few, 3 => many])
        .prop_map(|(quasi, sensitive, numeric, quasi_class, picks)| {
            Sample::new(quasi, sensitive, numeric, quasi_class, picks)
        })
        .boxed()
}
