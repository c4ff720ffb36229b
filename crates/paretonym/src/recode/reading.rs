//! Reading regions.json: every number in it is a position somewhere, and is checked before anything is looked up by it.

use super::regions::{LeafRun, REGIONS_FORMAT, RegionBox, RegionSet, RegionSolution, Regions};
use crate::error::{Error, Result};

/// No table has a column of more values.
const MOST_LEAVES: u32 = 1 << 28;

impl Regions {
    /// Reads regions.json. `place` names it in errors.
    pub fn from_json(text: &str, place: &str) -> Result<Self> {
        let wrong = |what: String| Error::Table {
            place: place.to_owned(),
            problem: format!("{what}; run `paretonym explore` again"),
        };
        let regions: Regions = serde_json::from_str(text)
            .map_err(|error| wrong(format!("these are not the boxes of a front of paretonym ({error})")))?;
        if regions.format != REGIONS_FORMAT {
            let found: String = regions.format.chars().take(40).collect();
            return Err(wrong(format!("format {found:?}, but this program reads {REGIONS_FORMAT:?}")));
        }
        match regions.contradiction() {
            None => Ok(regions),
            Some(what) => Err(wrong(format!("{what}: the file was edited or damaged"))),
        }
    }

    /// What cannot be true of any boxes.
    fn contradiction(&self) -> Option<String> {
        for column in &self.columns {
            if let Some(set) = column.sets.iter().find(|set| !makes_sense(set)) {
                let label: String = set.label.chars().take(40).collect();
                return Some(format!("column {:?} has a set {label:?} whose values are in no order", column.name));
            }
        }
        let known = |one: &RegionBox| {
            let mut sets = one.sets.iter().zip(&self.columns);
            one.sets.len() == self.columns.len() && sets.all(|(set, own)| (*set as usize) < own.sets.len())
        };
        if let Some(at) = self.boxes.iter().position(|one| !known(one)) {
            return Some(format!("box {at} shows a set that its column does not have"));
        }
        let at = self.solutions.iter().position(|one| !self.is_made_of_boxes(one))?;
        Some(format!("solution {} has boxes that are not there", at + 1))
    }

    fn is_made_of_boxes(&self, solution: &RegionSolution) -> bool {
        let ascend = |boxes: &[u32]| boxes.windows(2).all(|pair| pair[0] < pair[1]);
        let own = |region: &u32| solution.boxes.binary_search(region).is_ok();
        let place = |(leaves, region): &(Vec<u32>, u32)| leaves.len() == self.columns.len() && own(region);
        ascend(&solution.boxes)
            && ascend(&solution.suppressed)
            && solution.boxes.last().is_none_or(|last| (*last as usize) < self.boxes.len())
            && solution.suppressed.iter().all(own)
            && solution.exceptions.iter().all(place)
    }
}

/// Whether the runs of a set ascend, do not touch, and lie below its node where it has one.
fn makes_sense(set: &RegionSet) -> bool {
    let run = |(first, last): &LeafRun| first <= last && *last < MOST_LEAVES;
    let (Some(first), Some(last)) = (set.leaves.first(), set.leaves.last()) else { return false };
    let within = |node: LeafRun| run(&node) && node.0 <= first.0 && last.1 <= node.1;
    set.leaves.iter().all(run) && set.leaves.windows(2).all(|pair| pair[0].1 < pair[1].0) && set.node.is_none_or(within)
}

#[cfg(test)]
mod tests {
    use super::*;

    const REGIONS: &str = r#"{"format":"paretonym-regions/1","cells":"sets","columns":[{"name":"x","sets":[
        {"label":"a","leaves":[[0,0]]},{"label":"{b, d}","leaves":[[1,1],[3,3]]},{"label":"bd","leaves":[[1,1]],"node":[1,3]}]}],
        "boxes":[{"rows":3,"sets":[0]},{"rows":4,"sets":[1]}],
        "solutions":[{"boxes":[0,1],"suppressed":[1],"exceptions":[[[2],0]]}]}"#;

    #[test]
    fn every_position_is_checked() {
        Regions::from_json(REGIONS, "regions.json").unwrap();
        let edits = [
            ("[[0,0]]", "[[0,4294967295]]"),
            ("[[0,0]]", "[[4294967295,4294967295]]"),
            ("[[0,0]]", "[[2,1]]"),
            ("[[0,0]]", "[]"),
            ("[[1,1],[3,3]]", "[[3,3],[1,1]]"),
            ("[[1,1],[3,3]]", "[[1,3],[3,3]]"),
            ("\"node\":[1,3]", "\"node\":[2,3]"),
            ("\"sets\":[1]", "\"sets\":[3]"),
            ("\"sets\":[1]", "\"sets\":[]"),
            ("\"boxes\":[0,1]", "\"boxes\":[1,0]"),
            ("\"boxes\":[0,1]", "\"boxes\":[0,2]"),
            ("\"suppressed\":[1]", "\"suppressed\":[2]"),
            ("[[2],0]", "[[2,2],0]"),
            ("[[2],0]", "[[2],5]"),
        ];
        for (from, to) in edits {
            let error = Regions::from_json(&REGIONS.replacen(from, to, 1), "regions.json").unwrap_err();
            assert!(error.to_string().contains("explore"), "{to}: {error}");
        }
    }
}
