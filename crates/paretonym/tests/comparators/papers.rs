//! The worked examples of the paper.

use super::*;

/// S2 section 3: group sizes of T3a, T3b, T4 from the cells of the tables.
#[test]
fn group_sizes_of_tables_2_and_3() {
    assert_eq!(values(&release("T3a", &T3A), "group-size"), SIZES_3A);
    assert_eq!(values(&release("T3b", &T3B), "group-size"), SIZES_3B);
    assert_eq!(values(&release("T4", &T4), "group-size"), SIZES_4);
    close(SIZES_3A.iter().sum::<f64>() / 10.0, 3.4);
}

/// S2 section 3: how often a row's own marital status occurs in its group, in T3a; and the l level beside it.
#[test]
fn sensitive_counts_of_t3a() {
    let release = release("T3a", &T3A);
    assert_eq!(values(&release, "sensitive-count:marital"), [2., 2., 1., 2., 2., 1., 2., 1., 2., 1.]);
    assert_eq!(values(&release, "l"), [1., 1., 1., 1., 2., 2., 2., 1., 1., 2.]);
}

/// S2 5.5: its utility vectors come from |set| / |domain| with distinct values; ours charges (|set| - 1) / (|domain| - 1).
#[test]
fn utility_of_t3a_and_t3b() {
    for (rows, printed) in [(&T3A, UTILITY_3A), (&T3B, UTILITY_3B)] {
        let own = release("x", rows);
        for row in 0..10 {
            let (mut papers, mut ours) = (0.0, 0.0);
            for (column, domain) in [6.0, 10.0, 6.0].into_iter().enumerate() {
                let mut set: Vec<&str> =
                    (0..10).filter(|r| rows[*r][column] == rows[row][column]).map(|r| ROWS[r][column]).collect();
                set.sort_unstable();
                set.dedup();
                papers += 1.0 - set.len() as f64 / domain;
                ours += 1.0 - (set.len() as f64 - 1.0) / (domain - 1.0);
            }
            assert!((papers - printed[row]).abs() < 0.005, "row {row}: {papers} printed as {}", printed[row]);
            close(values(&own, "utility")[row], ours);
        }
    }
}

/// S2 5.2.
#[test]
fn coverage() {
    close(Coverage.index(pair(&SIZES_3A, &SIZES_3B)), 0.3);
    close(Coverage.index(pair(&SIZES_3B, &SIZES_3A)), 1.0);
    assert_eq!(Coverage.prefers(pair(&SIZES_4, &SIZES_3A)), Ordering::Greater, "T4 is cov-better than T3a");
    assert_eq!(Coverage.prefers(pair(&SIZES_3B, &SIZES_4)), Ordering::Greater, "T3b is cov-better than T4");
    let (one, other) = ([2., 2., 3., 4., 5.], [3., 2., 4., 2., 3.]);
    close(Coverage.index(pair(&one, &other)), 0.6);
    close(Coverage.index(pair(&other, &one)), 0.6);
    assert_eq!(Coverage.prefers(pair(&one, &other)), Ordering::Equal);
}

/// S2 5.3, with the erratum: S2 prints 2 and 8 for the vectors of fifteen rows, its formula gives 2 and 10.
#[test]
fn spread() {
    close(Spread.index(pair(&SIZES_3B, &SIZES_3A)), 24.0);
    close(Spread.index(pair(&SIZES_3A, &SIZES_3B)), 0.0);
    let (one, other) = ([2., 2., 3., 4., 5.], [3., 2., 4., 2., 3.]);
    close(Spread.index(pair(&one, &other)), 4.0);
    close(Spread.index(pair(&other, &one)), 2.0);
    let three = [3., 3., 3., 5., 5., 5., 5., 3., 3., 3., 3., 4., 4., 4., 4.];
    let two = [2., 2., 6., 6., 6., 6., 6., 6., 3., 3., 3., 4., 4., 4., 4.];
    close(Spread.index(pair(&three, &two)), 2.0);
    close(Spread.index(pair(&two, &three)), 10.0);
}

/// S2 5.4: 84375 against 65536 before the common part is taken off.
#[test]
fn hypervolume() {
    let (s, t) = ([3., 3., 3., 5., 5., 5., 5., 5.], [4.; 8]);
    let common: f64 = s.iter().zip(&t).map(|(s, t): (&f64, &f64)| s.min(*t)).product();
    close(Hypervolume.index(pair(&s, &t)).exp() * common, 84375.0);
    close(Hypervolume.index(pair(&t, &s)).exp() * common, 65536.0);
    assert_eq!(Hypervolume.prefers(pair(&s, &t)), Ordering::Greater);
    assert_eq!(Hypervolume.note(pair(&s, &t)), None);
    assert!(Hypervolume.note(pair(&[0.0, 2.0], &[1.0, 1.0])).expect("a note").contains("1 rows"));
    close(Hypervolume.index(pair(&[0.0, 2.0], &[1.0, 1.0])), 2f64.ln());
}

/// S2 5.1.
#[test]
fn minimum_and_rank() {
    close(Minimum.index(pair(&SIZES_3B, &SIZES_4)), 3.0);
    assert_eq!(Minimum.prefers(pair(&SIZES_4, &SIZES_3B)), Ordering::Greater);
    let rank = Rank { wished: vec![6.0, 8.0], tolerance: 0.0 };
    close(rank.index(pair(&[3.0, 4.0], &[0.0, 0.0])), 5.0);
    let wished = catalog::comparator("rank(wished=7, tolerance=1.5)").expect("a comparator");
    let (near, far) = (wished.index(pair(&SIZES_3B, &SIZES_4)), wished.index(pair(&SIZES_4, &SIZES_3B)));
    close(near, 48f64.sqrt());
    close(far, 42f64.sqrt());
    assert_eq!(wished.prefers(pair(&SIZES_3B, &SIZES_4)), Ordering::Equal, "within the tolerance");
    let strict = catalog::comparator("rank(wished=7)").expect("a comparator");
    assert_eq!(strict.prefers(pair(&SIZES_3B, &SIZES_4)), Ordering::Less);
}

/// S2 Table 4.
#[test]
fn dominance_of_vectors_and_sets() {
    assert_eq!(dominance(pair(&SIZES_3B, &SIZES_3A)), Dominance::Strong);
    assert_eq!(dominance(pair(&SIZES_3A, &SIZES_3B)), Dominance::Dominated);
    assert_eq!(dominance(pair(&SIZES_3A, &SIZES_3A)), Dominance::Weak);
    assert_eq!(dominance(pair(&SIZES_3B, &SIZES_4)), Dominance::Incomparable);
    let sizes = pair(&SIZES_3A, &SIZES_3B);
    let utility = pair(&UTILITY_3A, &UTILITY_3B);
    assert_eq!(dominance_of_sets(&[sizes, utility]), Dominance::Incomparable);
    assert_eq!(dominance_of_sets(&[utility, pair(&SIZES_4, &SIZES_4)]), Dominance::Strong);
    let weak = |name: &str, vectors| catalog::comparator(name).expect(name).index(vectors);
    assert_eq!(weak("weak-dominance", pair(&SIZES_3A, &SIZES_3A)), 1.0);
    assert_eq!(weak("strong-dominance", pair(&SIZES_3A, &SIZES_3A)), 0.0);
    assert_eq!(weak("strong-dominance", pair(&SIZES_3B, &SIZES_3A)), 1.0);
}

/// S2 5.5 to 5.7.
#[test]
fn sets_of_properties() {
    let sets = [pair(&SIZES_3A, &SIZES_3B), pair(&UTILITY_3A, &UTILITY_3B)];
    let equal = WeightedSum { weights: Vec::new(), by: Coverage.into() };
    close(equal.index(&sets), (0.3 + 1.0) / 2.0);
    assert_eq!(equal.prefers(&sets), Ordering::Equal, "T3a and T3b tie");
    let privacy_first = catalog::set_comparator("wtd(weights=2/1)").expect("wtd");
    assert_eq!(privacy_first.prefers(&sets), Ordering::Less);

    // An index of its own for each property: T3b is ahead in sizes by spread, and in nothing else.
    let by_spread = catalog::set_comparator("wtd(by=spr)").expect("wtd");
    close(by_spread.index(&sets[..1]), 0.0);
    let mixed = catalog::set_comparator("wtd(by=spr/cov)").expect("wtd");
    close(mixed.index(&sets), (by_spread.index(&sets[..1]) + 1.0) / 2.0);

    let lex = Lexicographic { epsilons: vec![0.1], by: Coverage.into() };
    assert_eq!((lex.index(&sets), lex.prefers(&sets)), (2.0, Ordering::Less));
    let tolerant = catalog::set_comparator("lex(epsilons=0.8/0.1)").expect("lex");
    assert_eq!(tolerant.prefers(&sets), Ordering::Greater, "a difference of 0.7 does not count in the first");

    let goal = Goal { goals: vec![1.0, 1.0], by: Coverage.into() };
    close(goal.index(&sets), 0.49);
    assert_eq!(goal.prefers(&sets), Ordering::Equal);
    let private = Goal { goals: vec![1.0, 0.3], by: Coverage.into() };
    assert_eq!(private.prefers(&sets), Ordering::Less);
    let wished = Goal::of_vectors(Minimum, &[&[3.0; 10], &[1.6; 10]]);
    assert_eq!(wished.goals, [3.0, 1.6]);
    assert_eq!(wished.prefers(&sets), Ordering::Greater, "both are 3-anonymous, T3a keeps more for its worst row");
}
