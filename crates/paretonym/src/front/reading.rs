//! Reading front.json: a file that anybody may have edited, and that no later step checks again.

use super::{FORMAT, FrontFile, MAX_OBJECTIVES, Quantity, Solution};
use crate::error::{Error, Result};

impl FrontFile {
    /// Reads front.json. `place` names it in errors.
    pub fn from_json(text: &str, place: &str) -> Result<Self> {
        let wrong = |problem: String| Error::Table { place: place.to_owned(), problem };
        let front: FrontFile = serde_json::from_str(text).map_err(|error| {
            wrong(format!("this is not a front of paretonym ({error}); run `paretonym explore` again"))
        })?;
        if front.format != FORMAT {
            let found: String = front.format.chars().take(40).collect();
            return Err(wrong(format!("format {found:?}, but this program reads {FORMAT:?}; explore again")));
        }
        match front.contradiction() {
            None => Ok(front),
            Some(what) => Err(wrong(format!("{what}; it was edited or damaged: run `paretonym explore` again"))),
        }
    }

    /// What cannot be true of any front.
    fn contradiction(&self) -> Option<String> {
        if self.objectives.is_empty() || self.objectives.len() > MAX_OBJECTIVES {
            return Some(format!("the front has {} objectives", self.objectives.len()));
        }
        if self.rows == 0 || self.distinct > self.rows {
            return Some(format!("the front is of {} rows and {} distinct ones", self.rows, self.distinct));
        }
        if self.rows.checked_add(self.dropped).is_none() {
            return Some("the front is of more rows than can be counted".to_owned());
        }
        let wrong = |(at, solution): (usize, &Solution)| {
            let what = self.contradiction_of(at, solution)?;
            Some(format!("solution {} {what}", at + 1))
        };
        self.solutions.iter().enumerate().find_map(wrong)
    }

    fn contradiction_of(&self, at: usize, solution: &Solution) -> Option<String> {
        if solution.id as usize != at + 1 {
            return Some(format!("has the number {}", solution.id));
        }
        if solution.objectives.len() != self.objectives.len() {
            return Some(format!("has {} values for {} objectives", solution.objectives.len(), self.objectives.len()));
        }
        let told = |own: &Quantity| solution.value(*own).is_some();
        let may_lack = |own: &Quantity| !solution.described || matches!(own, Quantity::L | Quantity::T);
        if let Some(unknown) = Quantity::ALL.iter().find(|own| !told(own) && !may_lack(own)) {
            return Some(format!("has no {}", unknown.name()));
        }
        let kept = self.rows.checked_sub(solution.suppressed.unwrap_or_default());
        if !kept.is_some_and(|kept| solution.groups <= kept && solution.k <= kept) {
            return Some("keeps more than the table has".to_owned());
        }
        let share = |value: f64| (0.0..=1.0).contains(&value);
        // What was not measured is not known.
        let known = solution.described || !solution.sl.is_nan();
        if known && !share(solution.sl)
            || solution.bias.curve.iter().any(|(size, part)| *size > self.rows || !share(*part))
        {
            return Some("has a share that is none".to_owned());
        }
        if !solution.recoding.is_local() && solution.recoding.columns().is_empty() {
            return Some("recodes nothing".to_owned());
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const FRONT: &str = r#"{"format":"paretonym-front/1","problem":"max-suppression","optimizer":"exact","privacy":["k"],
        "loss":"general","eta":0.01,"cutoffs":"all","rows":10,"dropped":0,"distinct":4,"evaluated":2,"space":2,"exact":true,
        "complete":true,"seed":1,"seconds":0.1,"objectives":[{"name":"k","sense":"max"},{"name":"loss","sense":"min"}],
        "solutions":[{"id":1,"objectives":[5,0.4],"k":5,"loss":0.4,"gl":0.4,"sl":0,"weighted_k":5,"l":null,"t":null,
        "privacy":[5],"necd":0,"suppressed":0,"groups":2,"alternatives":0,"cutoff":"nothing","recoding":{"age":{"level":1}}}]}"#;

    #[test]
    fn what_was_edited_is_found() {
        assert!(FrontFile::from_json(FRONT, "front.json").is_ok());
        let edits = [
            ("\"id\":1", "\"id\":7"),
            ("[5,0.4]", "[5]"),
            ("\"suppressed\":0", "\"suppressed\":11"),
            ("\"groups\":2", "\"groups\":99"),
            ("\"sl\":0", "\"sl\":-1"),
            ("\"rows\":10", "\"rows\":0"),
            ("\"dropped\":0", "\"dropped\":18446744073709551615"),
            ("front/1", "front/0"),
            ("{\"age\":{\"level\":1}}", "{}"),
            ("{\"age\":{\"level\":1}}", "{\"age\":1}"),
            ("\"gl\":0.4", "\"gl\":null"),
            ("\"suppressed\":0", "\"suppressed\":null"),
        ];
        for (from, to) in edits {
            let error = FrontFile::from_json(&FRONT.replacen(from, to, 1), "front.json").unwrap_err();
            assert!(error.to_string().contains("front.json"), "{to}: {error}");
        }
    }
}
