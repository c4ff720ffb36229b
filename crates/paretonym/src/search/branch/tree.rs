//! Cuts: every node of a tree below a coarse set may become a set.

use super::part::{Answer, Cell, Charge, Price, Slice, Tally};
use super::span::Question;
use super::view::ColumnView;
use crate::search::genetic::Segment;

/// A node of the tree within a coarse set: an inner node, or a piece.
struct Place {
    /// The inner node; none for a piece that is none.
    inner: Option<usize>,
    /// The places right below; none where it cannot be opened.
    below: Vec<usize>,
    parent: Option<usize>,
    /// Its pieces, as first and end.
    pieces: (usize, usize),
    tally: Tally,
    charge: Charge,
    /// Rows and shares of the group that is being charged.
    rows: u64,
    shares: f64,
}

/// The charges of the nodes below one coarse set.
pub(super) struct TreeTable {
    column: usize,
    set: usize,
    pub first: usize,
    /// Parents come before what is below them.
    places: Vec<Place>,
    /// By piece: the place that shows nothing else.
    finest: Vec<usize>,
    touched: Vec<usize>,
}

impl TreeTable {
    pub fn new(column: usize, segment: &Segment, view: &ColumnView, set: usize) -> Self {
        let (first, end) = view.pieces_of(set);
        let mut table =
            TreeTable { column, set, first, places: Vec::new(), finest: vec![0; end - first], touched: Vec::new() };
        let leaves = view.coarse.leaves(set, set + 1);
        let root = segment.tree.iter().position(|inner| {
            (inner.span.start - segment.bits.start, inner.span.end - segment.bits.start + 1) == leaves
        });
        table.grow(segment, view, root, None, (first, end));
        table
    }

    fn grow(
        &mut self,
        segment: &Segment,
        view: &ColumnView,
        inner: Option<usize>,
        parent: Option<usize>,
        pieces: (usize, usize),
    ) -> usize {
        let own = self.places.len();
        let (tally, charge) = (Tally::default(), Charge::default());
        self.places.push(Place { inner, below: Vec::new(), parent, pieces, tally, charge, rows: 0, shares: 0.0 });
        if pieces.1 - pieces.0 == 1 {
            self.finest[pieces.0 - self.first] = own;
            return own;
        }
        let inner = inner.expect("only inner nodes have several pieces");
        let start = segment.bits.start;
        // The ends of the children, in order of the leaves: the gaps of the node, and its own end.
        let (mut leaf, last) = (segment.tree[inner].span.start - start, segment.tree[inner].span.end - start + 1);
        let ends: Vec<usize> = segment.tree[inner].gaps.iter().map(|gap| gap - start + 1).chain([last]).collect();
        for end in ends {
            let (from, to) = (view.pieces.of[leaf] as usize, view.pieces.of[end - 1] as usize + 1);
            let child = segment.tree[inner].children.iter().copied().find(|child| {
                let span = &segment.tree[*child].span;
                (span.start - start, span.end - start + 1) == (leaf, end)
            });
            let below = self.grow(segment, view, child, Some(own), (from, to));
            self.places[own].below.push(below);
            leaf = end;
        }
        own
    }

    pub fn add(&mut self, slice: &Slice) {
        for (piece, rows, shares) in slice.pieces {
            let mut place = Some(self.finest[*piece as usize]);
            while let Some(at) = place {
                let own = &mut self.places[at];
                if own.rows == 0 {
                    self.touched.push(at);
                }
                own.rows += rows;
                own.shares += shares;
                place = own.parent;
            }
        }
        for at in self.touched.drain(..) {
            let own = &mut self.places[at];
            own.tally.count(own.rows, own.shares, slice);
            (own.rows, own.shares) = (0, 0.0);
        }
    }

    pub fn close(&mut self, view: &ColumnView, cell: Cell) {
        let (first, end) = view.coarse.leaves(self.set, self.set + 1);
        let most = cell(first, end);
        for place in &mut self.places {
            let (from, to) = view.pieces.leaves(place.pieces.0, place.pieces.1);
            place.charge = place.tally.charge(cell(from, to), most);
        }
    }

    pub fn solve(&self, segment: &Segment, price: f64, answer: &mut Answer) {
        let closed: Vec<f64> = self.places.iter().map(|place| place.charge.at(price)).collect();
        let mut open = vec![f64::INFINITY; self.places.len()];
        let mut best = closed.clone();
        for (at, place) in self.places.iter().enumerate().rev().filter(|(_, place)| !place.below.is_empty()) {
            open[at] = place.below.iter().map(|below| best[*below]).sum();
            best[at] = closed[at].min(open[at]);
        }
        answer.cost += best[0];
        let mut waiting = vec![0];
        while let Some(at) = waiting.pop() {
            if open[at] >= closed[at] {
                answer.shares += self.places[at].charge.shares;
                continue;
            }
            let inner = self.places[at].inner.expect("what is open is an inner node");
            segment.tree[inner].gaps.iter().for_each(|gap| answer.cheapest.set(*gap, true));
            waiting.extend(&self.places[at].below);
        }
        let Some(prices) = &mut answer.prices else { return };
        // What everything else costs at least where a node is shown or opened, and where it is not opened.
        let (mut around, mut shut) = (vec![0.0; self.places.len()], vec![f64::INFINITY; self.places.len()]);
        for (at, place) in self.places.iter().enumerate().filter(|(_, place)| !place.below.is_empty()) {
            match place.parent {
                None => shut[at] = closed[at],
                Some(parent) => {
                    around[at] = around[parent] + open[parent] - best[at];
                    shut[at] = (around[at] + closed[at]).min(shut[parent]);
                }
            }
            prices.push(Price {
                question: Question { column: self.column, about: place.inner.expect("it has places below") },
                no: shut[at] - best[0],
                yes: around[at] + open[at] - best[0],
            });
        }
    }
}
