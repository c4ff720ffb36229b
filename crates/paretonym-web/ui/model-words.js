// @ts-check
// Names of the catalogue in words, to choose among them.

/** @type {{ [section: string]: { [name: string]: string } }} */
export const WORDS = {
  problem: {
    "max-suppression": "Privacy against loss, within a budget of suppressed rows",
    "zero-suppression": "Mean group size against loss, no row suppressed",
    "any-suppression": "Mean group size, loss of kept rows and suppression as three goals",
    "kl-safety": "Two or more privacy models at once against loss",
    preference: "The nearest to a wished-for k, loss and spread",
    single: "The least loss for one fixed k",
  },
  privacy: {
    k: "k-anonymity: size of the smallest group",
    "frequency-l": "l-diversity: by the most frequent value",
    "distinct-l": "l-diversity: distinct values",
    "entropy-l": "l-diversity: entropy",
    "recursive-l": "l-diversity: recursive (c, l)",
    t: "t-closeness",
    alpha: "(α, k): share of one sensitive value",
    "p-sensitive": "p-sensitive k-anonymity",
  },
  loss: {
    general: "General loss (LM): how much of its domain a cell covers",
    weighted: "General loss with a weight per column",
    discernibility: "Discernibility: squared group sizes",
    classification: "Classification (CM): wrong majority class",
    regression: "Regression: deviation of numeric targets",
    precision: "Precision: level over height",
    entropy: "Non-uniform entropy",
    "average-class": "Average class size",
  },
  optimizer: {
    exact: "Exact: proves the whole front",
    nsga2: "Genetic (NSGA-II): levels, cuts and breaks",
    regions: "Regions: local recoding",
    exhaustive: "Exhaustive: every recoding",
    poka: "POkA: heuristic on levels",
    genitor: "Genitor: genetic, one goal",
    datafly: "Baseline: Datafly",
    samarati: "Baseline: Samarati",
    incognito: "Baseline: Incognito",
    mondrian: "Baseline: Mondrian",
  },
};
