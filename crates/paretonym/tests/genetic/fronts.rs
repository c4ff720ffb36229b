//! Small spaces, of which the whole front is known: genetic search finds it for every problem.

use super::*;

#[test]
fn zero_suppression() {
    finds_the_front(settings("zero-suppression"));
}

#[test]
fn max_suppression_with_every_cutoff() {
    finds_the_front(settings("max-suppression"));
}

#[test]
fn max_suppression_with_the_budget_rule() {
    finds_the_front(SearchSettings { cutoffs: CutoffRule::Budget, ..settings("max-suppression") });
}

#[test]
fn max_suppression_with_t_closeness() {
    finds_the_front(SearchSettings { privacy: OneOrMore::One("t".into()), ..settings("max-suppression") });
}

#[test]
fn any_suppression() {
    finds_the_front(settings("any-suppression"));
}

#[test]
fn kl_safety_joint() {
    finds_the_front(settings("kl-safety"));
}

#[test]
fn kl_safety_ordered() {
    for (prefer, cutoffs) in [("l", CutoffRule::Budget), ("k", CutoffRule::All)] {
        finds_the_front(
            SearchSettings { cutoffs, ..settings("kl-safety") }.with("form", "ordered").with("prefer", prefer),
        );
    }
}

#[test]
fn preference() {
    finds_the_front(settings("preference").with("necd_pref", 0.1));
}

#[test]
fn single_with_nsga2_and_genitor() {
    for (optimizer, loss) in [("nsga2", "general"), ("genitor", "general"), ("genitor", "classification")] {
        let own = SearchSettings { optimizer: optimizer.into(), loss: loss.into(), ..settings("single") }.with("k", 10);
        finds_the_front(own);
    }
}
