//! The groups of a file: distinct combinations of the quasi columns as they are written, each with its rows and the
//! counts of its sensitive values.

/// What a suppressed cell shows.
pub(super) const STAR: &str = "*";

/// The groups of a file, in the order of their cells.
#[derive(Clone, Debug, Default)]
pub struct Groups {
    /// Per quasi column: the cells that occur, in order.
    pub(super) cells: Vec<Vec<String>>,
    /// Per group and quasi column: which cell it shows.
    pub(super) codes: Vec<u32>,
    /// Rows per group.
    pub(super) counts: Vec<u64>,
    /// The sensitive columns.
    pub(super) sensitive: Vec<SensitiveValues>,
}

/// A sensitive column inside the groups.
#[derive(Clone, Debug, Default)]
pub(super) struct SensitiveValues {
    /// The values that occur, in order; positions in the declared domain where there is one.
    pub names: Vec<SensitiveValue>,
    /// Group, value, rows; sorted.
    pub entries: Vec<(u32, u32, u64)>,
}

/// A value of a sensitive column.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum SensitiveValue {
    /// As it is written.
    Text(String),
    /// A position in a declared domain.
    Leaf(u32),
}

impl Groups {
    /// How many there are.
    pub fn len(&self) -> usize {
        self.counts.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.counts.is_empty()
    }

    /// All rows.
    pub fn rows(&self) -> u64 {
        self.counts.iter().sum()
    }

    /// Calls `take` with the codes of each group and its rows.
    pub(super) fn each(&self, mut take: impl FnMut(&[u32], u64)) {
        self.codes.chunks_exact(self.width()).zip(&self.counts).for_each(|(codes, rows)| take(codes, *rows));
    }

    /// The number of quasi columns.
    pub(super) fn width(&self) -> usize {
        self.cells.len()
    }

    /// The cells of a group and its rows.
    pub fn group(&self, index: usize) -> (Vec<&str>, u64) {
        let codes = &self.codes[index * self.width()..(index + 1) * self.width()];
        let cells = codes.iter().zip(&self.cells).map(|(code, cells)| cells[*code as usize].as_str());
        (cells.collect(), self.counts[index])
    }
}
