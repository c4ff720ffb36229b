//! What is left of the boxes of a search once its front is known. A search makes many more boxes than its front shows, and
//! the names of their sets would take more memory than anything else: sets get theirs here, when few are left.

use super::QuasiColumn;
use super::regions::{RegionSet, Regions};
use crate::data::Kind;

impl Regions {
    /// Forgets boxes that no solution has, and sets that no box shows. Returns the numbers that the remaining boxes had.
    pub fn forget_unused(&mut self) -> Vec<u32> {
        let mut used = vec![false; self.boxes.len()];
        self.solutions.iter().flat_map(|solution| &solution.boxes).for_each(|at| used[*at as usize] = true);
        let (left, place) = numbered(&used);
        for solution in &mut self.solutions {
            let listed = solution.boxes.iter_mut().chain(&mut solution.suppressed);
            listed.chain(solution.exceptions.iter_mut().map(|(_, at)| at)).for_each(|at| *at = place[*at as usize]);
        }
        retain(&mut self.boxes, &used);
        for (column, own) in self.columns.iter_mut().enumerate() {
            let mut used = vec![false; own.sets.len()];
            self.boxes.iter().for_each(|one| used[one.sets[column] as usize] = true);
            let (_, place) = numbered(&used);
            self.boxes.iter_mut().for_each(|one| one.sets[column] = place[one.sets[column] as usize]);
            retain(&mut own.sets, &used);
        }
        left
    }

    /// Gives all sets their names.
    pub fn name_sets(&mut self, columns: &[QuasiColumn]) {
        for (own, column) in self.columns.iter_mut().zip(columns) {
            let ordered = column.domain.kind != Kind::Categorical;
            for set in &mut own.sets {
                // What has an order is named by its ends.
                let ends =
                    |&(first, last): &(u32, u32)| if ordered { vec![first, last] } else { (first..=last).collect() };
                let leaves: Vec<u32> = set.leaves.iter().flat_map(ends).collect();
                set.label = RegionSet::covering(column, &leaves, self.cells).label;
            }
        }
    }
}

/// The places that are used, and the new place of each of them.
fn numbered(used: &[bool]) -> (Vec<u32>, Vec<u32>) {
    let left: Vec<u32> = (0..used.len() as u32).filter(|at| used[*at as usize]).collect();
    let mut place = vec![0; used.len()];
    left.iter().enumerate().for_each(|(new, old)| place[*old as usize] = new as u32);
    (left, place)
}

fn retain<T>(things: &mut Vec<T>, used: &[bool]) {
    let mut used = used.iter();
    things.retain(|_| used.next().is_some_and(|used| *used));
    things.shrink_to_fit();
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_used_keeps_its_meaning() {
        let text = r#"{"format":"paretonym-regions/1","cells":"sets","columns":[{"name":"x","sets":[
            {"label":"a","leaves":[[0,0]]},{"label":"b","leaves":[[1,1]]},{"label":"c","leaves":[[2,2]]}]}],
            "boxes":[{"rows":1,"sets":[0]},{"rows":2,"sets":[2]},{"rows":3,"sets":[1]},{"rows":4,"sets":[2]}],
            "solutions":[{"boxes":[1,3],"suppressed":[3],"exceptions":[[[0],3]]}]}"#;
        let mut regions: Regions = serde_json::from_str(text).unwrap();
        assert_eq!(regions.forget_unused(), [1, 3]);
        assert_eq!(regions.columns[0].sets.iter().map(|set| set.label.as_str()).collect::<Vec<_>>(), ["c"]);
        assert_eq!(regions.boxes.iter().map(|one| (one.rows, one.sets[0])).collect::<Vec<_>>(), [(2, 0), (4, 0)]);
        let solution = &regions.solutions[0];
        assert_eq!((&solution.boxes, &solution.suppressed), (&vec![0, 1], &vec![1]));
        assert_eq!(solution.exceptions, [(vec![0], 1)]);
    }
}
