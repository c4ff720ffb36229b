// Generated from the Rust source by crates/paretonym-web/tests/types.rs, which says how. For the type checker
// only; never sent to a browser. What the page does not look into is unknown.

/** Everything that there is. */
export type ServerState = {
  version: string;
  folder: string;
  /** The largest file that is taken, in bytes. */
  upload_limit: number;
  tables: TableFile[];
  runs: RunInfo[];
};

/** A table in the working folder. */
export type TableFile = {
  /** What it is called. */
  name: string;
  /** How large it is. */
  bytes: number;
};

/** A run in a few words. What its study or its front tell is not known where they cannot be read. */
export type RunInfo = {
  name: string;
  status: Status;
  message: string | null;
  table: string | null;
  optimizer: string | null;
  problem: string | null;
  solutions: number | null;
  exact: boolean | null;
  complete: boolean | null;
  /** Only where one run is asked for. */
  study?: Study;
};

/** What a run is doing. */
export type Status = "waiting" | "running" | "stopped" | "done" | "failed";

/** The one description of a run: where the table is, what its columns are, and what is searched. */
export type Study = {
  /** The table. */
  data: Source;
  /** Its columns. */
  columns: ColumnSpec[];
  /** What is traded and how it is searched. */
  search: SearchSettings;
};

/** The `[data]` section of a study: a file and how to read it, or a table in a database. */
export type Source = {
  /** CSV, TSV or Parquet, `.gz` allowed for text; relative to the study file. A folder stands for all its files, and a */
  path?: string;
  /** Instead of a path: the database that holds the table, by the name of its connection. */
  database?: string;
  /** The table in the database. */
  table?: string;
  /** Or a query that gives the rows. */
  query?: string;
  /** Or a table in the memory of this process, by the name that it has there. */
  frame?: string;
  /** The file that describes connections; `connections.toml` beside the study where absent. */
  connections?: string;
  /** The most distinct tuples that may come here; of a table with more, groups are asked for. */
  groups_at_most?: number;
  /** A column that says how often each line of the table occurs: the answer to a counting query, which somebody else ran. */
  counts?: string;
  /** Separator of a text table; guessed where absent. */
  delimiter?: string;
  /** Whether the first line holds the names; guessed where absent, false where `columns` is given. */
  header?: boolean;
  /** The names, where the file has no header. */
  columns?: string[];
  /** Lines that start with this character are skipped. */
  comment?: string;
  /** What separates whole part and fraction of numbers in a text table. */
  decimal?: Decimal;
  /** Cells that mean "missing", compared after trimming. A Parquet null is always missing. */
  missing: string[];
  /** What happens to a row with a missing value in a column that the study uses. */
  on_missing: OnMissing;
  /** What happens to columns that the study does not name. */
  other_columns: OtherColumns;
};

/** What separates the whole part of a number from its fraction in the cells of a text. */
export type Decimal = "." | ",";

/** What happens to a row with a missing value. */
export type OnMissing = "drop-row" | "value" | "error";

/** What happens to columns that the study does not name. */
export type OtherColumns = "error" | "insensitive" | "drop";

/** What a study says of a column. */
export type ColumnSpec = {
  /** Its name in the table. */
  name: string;
  /** What it is to a release. */
  role: Roles;
  /** How its values relate; guessed from the other keys where absent. */
  kind?: Kind;
  /** How it may be recoded. */
  recode?: Family;
  /** Numeric: the domain, cut into bins of `granularity`. */
  range?: [number, number];
  /** Numeric: the width of a bin. */
  granularity?: number;
  /** Numeric: at most this many bins of equal frequency. */
  bins?: number;
  /** Numeric: levels by interval width. */
  widths?: number[];
  /** Ordered columns: levels by number of neighbouring leaves. */
  groups?: number[];
  /** Generated levels. */
  hierarchy?: Generated;
  /** How many characters the levels of `hierarchy = "prefix"` show; one level for each number of them where absent. */
  prefixes?: number[];
  /** How the dates of `hierarchy = "dates"` are written, such as dd.mm.yyyy; guessed where only one way fits. */
  date_format?: unknown;
  /** A file of leaf lines, or nested lists. */
  taxonomy?: unknown;
  /** Ordinal: all values in order. */
  order?: unknown[];
  /** Relative weight in the weighted loss. */
  weight?: number;
  /** Quasi columns: the finest level that any recoding shows; the values below it are not even counted by tuple. */
  finest?: number;
};

/** One role, or several for a column that is quasi and target. */
export type Roles = Role | Role[];

/** What a column is to a release. */
export type Role = "identifying" | "drop" | "quasi" | "sensitive" | "target" | "insensitive";

/** How the values of a column relate to each other. */
export type Kind = "numeric" | "ordinal" | "categorical";

/** Which partitions of the leaves a recoding may use. */
export type Family = "levels" | "cuts" | "breaks";

/** Levels that are made from the values. */
export type Generated = "prefix" | "dates" | "flat";

/** The `[search]` section. Names refer to the catalogue. */
export type SearchSettings = {
  /** The formulation. */
  problem: string;
  /** The largest share of rows that may be suppressed. */
  eta: number;
  /** Which cut-offs are outcomes. */
  cutoffs: CutoffRule;
  /** The privacy model, or several where a problem takes several. */
  privacy: OneOrMore;
  /** The loss metric. */
  loss: string;
  /** The optimizer. */
  optimizer: string;
  /** Levels that every group of a solution must reach, by privacy model: models where more is better. */
  at_least?: { [key: string]: number };
  /** Levels that no group of a solution may exceed, by privacy model: models where less is better. */
  at_most?: { [key: string]: number };
  /** Where chance comes from. */
  seed: number;
  /** The most recodings that may be evaluated. */
  evaluations?: number;
  /** Classification: true class, given class, cost. */
  costs?: ([string, string, number])[];
} & Parameters;

/** Which cut-offs that fit the budget are outcomes. */
export type CutoffRule = "all" | "budget";

/** A name or a list of names. */
export type OneOrMore = string | string[];

/** Settings that belong to one problem or optimizer, by name. */
export type Parameters = { [key: string]: ParameterValue };

/** What a setting can be written as. */
export type ParameterValue = boolean | number | number | string;

/** A run or a table that was made. */
export type Named = {
  /** What it is called from now on. */
  name: string;
};

/** A run that goes on. */
export type Resumed = {
  name: string;
  /** Whether it goes on where it was; it starts again otherwise. */
  from_checkpoint: boolean;
};

/** What lets a file be downloaded once. */
export type Ticket = {
  ticket: string;
};

/** What a first look at a table tells. */
export type Profile = {
  study: Study;
  rows: number;
  columns: ProfiledColumn[];
};

/** What it tells of a column. */
export type ProfiledColumn = {
  name: string;
  kind: Kind | null;
  distinct: number;
  /** Whether there are more values than were counted. */
  more_values: boolean;
  missing: number;
  /** The most frequent values, with their rows. */
  values: ([string, number])[];
  tree: Tree | null;
};

/** A node; leaves have no children. */
export type Tree = {
  /** What it is called. */
  name: string;
  /** Whether a release shows it. */
  shown?: boolean;
  /** What it holds. */
  children?: Tree[];
};

/** A taxonomy that was made. */
export type MadeTaxonomy = {
  /** Not there where it is too large to be drawn. */
  tree: Tree | null;
  widths: number[] | null;
  leaves: number;
  /** How many sets each level has. */
  levels: number[];
  /** The column of a study that has it. */
  column: ColumnSpec;
};

/** A taxonomy that was read. */
export type ReadTaxonomy = {
  tree: Tree;
};

/** A front as it is shown. Solutions and fields are told by their positions. */
export type View = {
  /** The number of each solution. */
  ids: number[];
  /** Rows of the study. */
  rows: number;
  /** Rows that were left out before, for missing values. */
  dropped: number;
  /** The numbers that solutions have. */
  fields: Field[];
  /** What was traded. */
  objectives: ObjectiveField[];
  /** The fields that tell a solution from others in one line: privacy first, then what it costs. */
  telling: Telling[];
  /** The fields across and up of each plot. */
  pairs: ([number, number])[];
  /** Whether the points of the one plot form a stair: one objective of privacy against one price. */
  stair: boolean;
  /** What may be limited. */
  bounds: Bound[];
  /** The limits to open with. */
  opening: Limits;
  /** Where much privacy costs little loss. */
  flat: FlatRegion[];
  /** Colours by suppression. */
  shades: Shades;
  /** What was traded, in one sentence. */
  headline: string;
  /** How far the result can be trusted. */
  trust: Trust;
  /** How it was computed: names and values. */
  facts: ([string, string])[];
  /** What concerns the whole front. */
  warnings: string[];
  /** The same without what is said of some solutions. */
  warnings_of_table: string[];
  /** What each solution does to each column. */
  columns: RecodedColumn[];
  /** What each solution leaves out, for whatever reason. */
  left_out: Told;
  /** What else concerns each solution. */
  concerns: Told;
  /** The solutions that were not measured, since the work was stopped before. */
  unmeasured: number[];
};

/** One number that every solution has. */
export type Field = {
  /** Its name in front.json; with "objective " before it where an objective is measured otherwise than the number of its */
  key: string;
  /** Its name for people. */
  label: string;
  /** What it is, in a sentence. */
  meaning: string;
  /** Its name beside an axis. */
  axis: string;
  /** How it is shown. */
  format: Format;
  /** Whether it spreads over orders of magnitude. */
  log: boolean;
  /** Whether smaller values are better. */
  falls: boolean;
  /** Whether its axis goes from large to small: more private is to the right. */
  turned: boolean;
  /** Of each solution. */
  values: (number | null)[];
};

/** How a number is shown. */
export type Format = "number" | "share";

/** An objective, and the field that shows it. */
export type ObjectiveField = {
  /** The position of its field. */
  field: number;
  /** Whether smaller values are better. */
  falls: boolean;
  /** Whether it stands for privacy rather than for a price. */
  private: boolean;
  /** The values that decide, where they differ from those of the field in their last digits. */
  values: number[] | null;
};

/** A field in the line that tells of a solution. */
export type Telling = {
  /** The field. */
  field: number;
  /** What comes before its value: "k = ", "loss ". */
  lead: string;
  /** Whether it is what the front is about. */
  strong: boolean;
};

/** A limit that can be set. */
export type Bound = {
  /** Its name: the option of the program with underscores. */
  name: string;
  /** The position of the field that it bounds. */
  field: number;
  /** Whether solutions must be at most the value rather than at least. */
  upper: boolean;
  /** Whether it bounds a price rather than demands privacy. */
  price: boolean;
  /** "A little" beyond the limit is this share of its value, */
  little_share: number;
  /** and no less than this. */
  little_least: number;
  /** Its name beside a place to write a value: "loss at most". */
  label: string;
  /** It in a sentence, with `{}` for the value: "at most {} loss". */
  sentence: string;
  /** The same for a value that lets more in: "At {} loss". */
  room: string;
};

/** What a publisher will accept. */
export type Limits = {
  /** The largest loss. */
  max_loss?: number;
  /** The largest share of suppressed rows. */
  max_suppression?: number;
  /** The smallest k. */
  min_k?: number;
  /** The smallest l. */
  min_l?: number;
  /** The largest t. */
  max_t?: number;
};

/** A flat region, by positions in the front's list of solutions. */
export type FlatRegion = {
  /** Its least private solution. */
  from: number;
  /** Its most private solution. */
  to: number;
  /** Loss paid between them. */
  pay: number;
  /** "k 6 → 40 for 1.00 points of loss". */
  words: string;
};

/** The colour of each solution, and what the colours mean. */
export type Shades = {
  /** The upper ends of the ranges that have a colour of their own; what is above 0 starts the first. */
  ends: number[];
  /** What each colour means, that of nothing suppressed first. */
  words: string[];
  /** The colour of each solution. */
  of: number[];
};

/** How far a result can be trusted. */
export type Trust = {
  /** A word for its look. */
  look: string;
  /** The sentence. */
  words: string;
};

/** What solutions do to a column. */
export type RecodedColumn = {
  /** The column. */
  name: string;
  /** What is shown of it. */
  told: Told;
};

/** Words that several solutions share. */
export type Told = {
  /** The different words. */
  words: string[];
  /** Which of them each solution has. */
  of: (number | null)[];
};

/** An answer. */
export type Choice = {
  /** What was asked. */
  limits: Limits;
  /** How many solutions hold all limits. */
  feasible: number;
  /** The best of them: the most private where a price is limited, the cheapest where privacy is demanded. */
  best: Solution[];
  /** For each limit the nearest relaxation that buys something, and the best within a small step. */
  relaxations: Relaxation[];
};

/** One solution of a front. All numbers are of what is kept, unless they say otherwise. One that is not described yet has */
export type Solution = {
  /** Its number in the front, from 1. */
  id: number;
  /** The values of the objectives, in their order. */
  objectives: number[];
  /** Size of the smallest group. */
  k: number | null;
  /** The study's loss. */
  loss: number | null;
  /** General loss of the kept rows. */
  gl: number | null;
  /** Share of suppressed rows. */
  sl: number | null;
  /** Mean over rows of the size of their group, before suppression. */
  weighted_k: number | null;
  /** The least l over the sensitive columns; none where there is no such column. */
  l: number | null;
  /** The largest t over the sensitive columns. */
  t: number | null;
  /** The levels in the study's privacy models. */
  privacy: number[];
  /** Spread of group sizes (S1). */
  necd: number | null;
  /** Suppressed rows, where that is known. */
  suppressed: number | null;
  /** Groups. */
  groups: number | null;
  /** A proven lower bound of the loss at this privacy, where the search was stopped before the front was proven. */
  loss_bound?: number;
  /** How far the loss lies above that bound, as a share of the loss: no recoding of this privacy can save more. */
  gap?: number;
  /** Kept rows in groups with but one value of a sensitive column. */
  one_valued?: number;
  /** Other recodings that reach the same objectives. */
  alternatives: number;
  /** Which groups are suppressed. */
  cutoff: Cutoff;
  /** What each column shows. */
  recoding: unknown;
  /** How evenly people are protected. */
  bias: Bias;
  /** Whether its groups were measured; false where the work was stopped before that. */
  described?: boolean;
};

/** Which groups an outcome suppresses, beside those that miss a floor of the study: */
export type Cutoff = "nothing" | { "worse-than": number } | { "worse-than-any": LevelCosts } | { "before": LevelCosts };

/** One cost per privacy model. */
export type LevelCosts = number[];

/** How evenly a solution protects people: two releases of one k can treat most of them very differently. */
export type Bias = {
  /** Share of the kept rows that lie in groups smaller than twice the smallest. */
  below_twice_k: number;
  /** The cumulative curve of group sizes: a size, and the share of the kept rows in groups of at most that size. Thinned */
  curve: ([number, number])[];
};

/** What a relaxed limit buys. */
export type Relaxation = {
  /** The limit, as the option spells it with underscores. */
  limit: string;
  /** Its value now. */
  from: number;
  /** The value that lets the solution in. */
  to: number;
  /** What one gets. */
  solution: Solution;
};

/** A solution from near. */
export type SolutionDetails = {
  id: number;
  columns: SolutionColumn[];
  /** Per size of a kept group: the size, how many groups have it, and how many rows they hold. */
  sizes: ([number, number, number])[];
  rows: FirstRows;
};

/** What becomes of a column. */
export type SolutionColumn = {
  name: string;
  kind: Kind;
  weight: number;
  leaves: string[];
} & Partial<ColumnShown>;

/** What a release shows of a column. */
export type ColumnShown = {
  /** The column's part in GL. */
  loss: number;
  sets: ColumnSet[];
  /** Not there where it is too large to be drawn. */
  tree: Tree | null;
};

/** One of the sets that are shown, by the positions of its first and last leaf. */
export type ColumnSet = {
  label: string;
  first: number;
  last: number;
  /** Its kept rows. */
  count: number;
  /** Not there where they are too many. */
  leaves?: string[];
};

/** The first rows of the table and what a release shows for them. */
export type FirstRows = {
  columns: string[];
  before: ((string | null)[])[];
  /** Null for a row that is not released, and for a cell of a column that is left out. */
  after: ((string | null)[] | null)[];
  /** Rows that a missing value keeps out: they are not suppressed. */
  incomplete: boolean[];
};

/** Releases side by side. */
export type Compared = {
  /** As `compare --json` prints it. */
  comparison: unknown;
  verdict: string[];
  /** Per property the sorted values of each release, thinned out. */
  curves: { [key: string]: Curve[] };
};

/** The values of a release. */
export type Curve = {
  release: string;
  values: number[];
};

/** A release that was written and verified. */
export type ReleaseAnswer = {
  /** Its files, the release first. */
  files: string[];
  /** What may be published. */
  certificate: Certificate;
  /** The same without rounding, for the publisher alone. */
  exact: Certificate;
  /** The rows that are left out, in words. */
  left_out: string;
};

/** Everything that a publisher signs, for everybody to read. It holds no row and no value of the table; what compares the */
export type Certificate = {
  /** [`CERTIFICATE_FORMAT`]. */
  format: string;
  /** The random id of the release, under which its private part is kept. */
  id: string;
  /** The program and its version. */
  program: string;
  /** When it was made, in UTC. */
  created: string;
  /** The original table. */
  input: InputFacts;
  /** The release. */
  output: FileFacts;
  /** Where what is under "Measured" was counted, where that was not in a file. */
  counted?: string;
  /** Rows of the input that are not in the release because of a missing value. */
  dropped_for_missing: number;
  /** Rows of the input that are not in the release because their groups are too small. */
  suppressed: number;
  /** Both together, as a share of all rows of the input. */
  left_out: number;
  /** What became of suppressed rows: dropped, or star. */
  suppressed_rows: string;
  /** random, or kept. */
  row_order: string;
  /** What happened to each column of the input. */
  columns: ColumnFate[];
  /** The number of the solution in its front. */
  solution: number;
  /** The seed of the search. */
  seed: number;
  /** Size of the smallest group. */
  k: number;
  /** Mean over released rows of the size of their group. */
  weighted_k: number;
  /** l-diversity by sensitive column. */
  l: { [key: string]: Diversity } | null;
  /** t-closeness by sensitive column, against the original table. */
  t: { [key: string]: number } | null;
  /** t-closeness by sensitive column, against the release itself: what anybody can measure. */
  t_in_release: { [key: string]: number } | null;
  /** Spread of the group sizes. */
  necd: number;
  /** General loss of the released rows. */
  gl: number;
  /** Share of suppressed rows. */
  sl: number;
  /** Re-identification risks. */
  risk: Risk;
  /** How many groups and rows there are of which size. */
  group_sizes: SizeClass[];
  /** Every loss that the table allows, as the search worked it out; these are not measured on the written file. */
  losses: { [key: string]: number };
  /** In what ways the release tells more than its k says. */
  warnings?: string[];
  /** Where the release repeats a saved recoding on a later table. */
  reapplied?: Reapplied;
  /** What the publisher decided: roles, problem, measures and limits. */
  study: Commitments;
};

/** The original table, as its owner can check it and nobody else. */
export type InputFacts = {
  /** `hmac-sha256:` and the HMAC of the file in hexadecimal digits; its key is kept in the private part of the release. */
  digest: string;
};

/** A file, as anybody can check it. */
export type FileFacts = {
  /** Its name, without the folder. */
  name: string;
  /** Its size. */
  bytes: number;
  /** Its SHA-256 in hexadecimal digits. */
  sha256: string;
  /** Its rows. */
  rows: number;
};

/** What happened to a column. */
export type ColumnFate = {
  /** Its name. */
  name: string;
  /** dropped, token, recoded or kept. */
  fate: string;
};

/** The forms of l-diversity of one sensitive column. */
export type Diversity = {
  /** floor(group size / count of the most frequent value). */
  frequency: number;
  /** Distinct values; also the p of p-sensitive k-anonymity. */
  distinct: number;
  /** exp of the entropy. */
  entropy: number;
  /** The largest l with r_1 < c (r_l + ... + r_m). */
  recursive: number;
  /** The c of the recursive form. */
  c: number;
};

/** How likely a person is found in a file. */
export type Risk = {
  /** The largest risk of a row: 1 / size of the smallest group. */
  highest: number;
  /** The mean risk over rows: groups / rows. */
  average: number;
  /** Share of rows that are alone in their group. */
  share_of_unique_rows: number;
  /** The risk above which a row counts as exposed. */
  threshold: number;
  /** Share of rows whose risk is above the threshold. */
  share_over_threshold: number;
  /** The attacker knows that the person is in the file. */
  prosecutor: Attack;
  /** The attacker does not know that; group sizes are those of the population, where one was given. */
  journalist: Attack;
  /** The share of rows that an attacker who matches all of them against the population gets right. */
  marketer: number;
  /** Rows of the population file, where one was given; otherwise the file is its own population. */
  population: number | null;
};

/** One kind of attack. */
export type Attack = {
  /** The largest risk of a row. */
  highest: number;
  /** The mean risk over rows. */
  average: number;
  /** Share of rows whose risk is above the threshold. */
  share_over_threshold: number;
};

/** Groups of similar size. */
export type SizeClass = {
  /** The smallest size of the class. */
  from: number;
  /** The largest size of the class; none for the last. */
  to: number | null;
  /** Groups. */
  groups: number;
  /** Rows in them. */
  rows: number;
};

/** A saved recoding on a later table. */
export type Reapplied = {
  /** The file that holds the recoding. */
  recoding: string;
  /** The k that was enforced. */
  enforced_k: number;
  /** Rows with a value that the recoding does not know, suppressed for it. */
  unknown_rows: number;
  /** Distinct values that went to the nearest known one, by column. */
  moved_values: { [key: string]: number };
  /** Rows in no region of a local recoding, that show the nearest one. */
  moved_rows: number;
  /** The best that a search on the later table itself found, for comparison. */
  fresh: Fresh | null;
  /** Why there is no such comparison, where there is none. */
  no_fresh?: string;
  /** What a search that failed said, for the publisher alone: it may name files and values. */
  failure?: string;
};

/** The least loss at the enforced k that a search on the later table itself found. */
export type Fresh = {
  /** The optimizer. */
  optimizer: string;
  /** Whether that is proven to be the optimum. */
  exact: boolean;
  /** Size of the smallest group. */
  k: number;
  /** General loss of the kept rows. */
  gl: number;
  /** Share of suppressed rows. */
  sl: number;
  /** General loss, suppressed rows included. */
  loss: number;
  /** The loss of the repeated recoding divided by it. */
  ratio: number;
};

/** What a study decides before it looks at the data. */
export type Commitments = {
  /** The columns and their roles. */
  columns: CommittedColumn[];
  /** What happened to rows with missing values. */
  on_missing: OnMissing;
  /** The formulation. */
  problem: string;
  /** The privacy models. */
  privacy: string[];
  /** The loss. */
  loss: string;
  /** The largest share of rows that might be suppressed. */
  eta: number;
  /** Which cut-offs were outcomes. */
  cutoffs: CutoffRule;
  /** Levels that every solution had to have at least, by privacy model. */
  at_least?: { [key: string]: number };
  /** Levels that every solution had to have at most, by privacy model. */
  at_most?: { [key: string]: number };
  /** The optimizer. */
  optimizer: string;
  /** single: the k that had to hold. */
  k?: number;
};

/** A column and its roles. */
export type CommittedColumn = {
  /** Its name. */
  name: string;
  /** Its role, or several. */
  role: Roles;
};

/** How far a run is. */
export type Progress = {
  /** What is being done. */
  phase: string;
  /** Steps done. */
  done: number;
  /** All steps, where that is known. */
  total: number | null;
  /** Recodings evaluated. */
  evaluated: number;
  /** How much of all conceivable outcomes the front so far dominates. */
  hypervolume: number | null;
};

/** The front so far. */
export type LiveFront = {
  /** Names of the objectives, and of what comes behind them. */
  objectives: string[];
  /** Per point the objectives and the share of suppressed rows, which is known at the end only. */
  points: ((number | null)[])[];
  /** How to plot them. */
  axes: LiveAxes;
};

/** The axes of a growing front. */
export type LiveAxes = {
  /** The first objective that stands for privacy. */
  x: LiveAxis;
  /** The first that is a price. */
  y: LiveAxis;
  /** Whether the points form a stair. */
  stair: boolean;
};

/** One of them. */
export type LiveAxis = {
  /** The position of its objective. */
  at: number;
  /** Its name beside the axis. */
  label: string;
  /** How its values are shown. */
  format: Format;
  /** Whether it spreads over orders of magnitude. */
  log: boolean;
};

/** What `ui/report-plot.js` needs to know of a plot: its fields and their scales. */
export type PlotData = {
  x: number;
  y: number;
  across: Scale;
  up: Scale;
};

/** The place of values on a line of pixels. */
export type Scale = {
  /** Whether places go with the logarithm of values. */
  log: boolean;
  /** The value at the low end. */
  low: number;
  /** The value at the high end, above that at the low one. */
  high: number;
  /** The place of the low end. */
  from: number;
  /** The place of the high end. */
  to: number;
};
