//! Sizes of S3's lattices.

use paretonym::search::Lattice;

#[test]
fn sizes_of_lattices() {
    let size = |heights: &[u32]| Lattice { heights: heights.to_vec() }.size();
    assert_eq!(size(&[6, 4, 3, 3, 3, 1, 1, 1]), Some(17_920), "S3 6: the lattice of its experiments");
    assert_eq!(size(&[4, 3, 2, 2, 2, 2, 1, 1, 1]), Some(12_960), "the lattice of the program's Adult study");
    assert_eq!(size(&[9; 19]), None, "past 2^63");
}
