//! Whole numbers in as few bytes as they need: a table of millions of tuples has codes below a thousand and counts below
//! ten.

/// A list of whole numbers, each in one, two, four or eight bytes, whichever the largest needs.
///
/// The width is no part of what the list says: two lists are equal where their numbers are.
#[derive(Clone, Debug)]
pub enum Narrow {
    /// Numbers below 2^8.
    One(Vec<u8>),
    /// Numbers below 2^16.
    Two(Vec<u16>),
    /// Numbers below 2^32.
    Four(Vec<u32>),
    /// Any number.
    Eight(Vec<u64>),
}

/// Does the same to the list inside, whatever its width.
macro_rules! inside {
    ($narrow:expr, $list:ident => $work:expr) => {
        match $narrow {
            Narrow::One($list) => $work,
            Narrow::Two($list) => $work,
            Narrow::Four($list) => $work,
            Narrow::Eight($list) => $work,
        }
    };
}

impl Narrow {
    /// An empty list, in whose width numbers up to `largest` fit.
    pub fn up_to(largest: u64) -> Self {
        match largest {
            0..0x100 => Narrow::One(Vec::new()),
            0x100..0x1_0000 => Narrow::Two(Vec::new()),
            0x1_0000..0x1_0000_0000 => Narrow::Four(Vec::new()),
            _ => Narrow::Eight(Vec::new()),
        }
    }

    /// An empty list of the same width.
    pub fn alike(&self) -> Self {
        match self {
            Narrow::One(_) => Narrow::One(Vec::new()),
            Narrow::Two(_) => Narrow::Two(Vec::new()),
            Narrow::Four(_) => Narrow::Four(Vec::new()),
            Narrow::Eight(_) => Narrow::Eight(Vec::new()),
        }
    }

    /// Empties the list and gives it the width of another. The memory stays where the width does.
    pub fn become_like(&mut self, other: &Narrow) {
        if std::mem::discriminant(self) == std::mem::discriminant(other) {
            self.clear();
        } else {
            *self = other.alike();
        }
    }

    /// The bits that the largest of the numbers needs.
    pub fn bits(&self) -> u32 {
        fn bits<T: Copy + Ord + Into<u64>>(list: &[T]) -> u32 {
            list.iter().max().map_or(0, |largest| 64 - (*largest).into().leading_zeros())
        }
        inside!(self, list => bits(list))
    }

    /// The memory that the numbers take, in bytes.
    pub fn bytes(&self) -> usize {
        self.width() * self.len()
    }

    /// Gives back memory that is not needed.
    pub fn shrink_to_fit(&mut self) {
        inside!(self, list => list.shrink_to_fit());
    }

    /// The bytes of a number.
    fn width(&self) -> usize {
        match self {
            Narrow::One(_) => 1,
            Narrow::Two(_) => 2,
            Narrow::Four(_) => 4,
            Narrow::Eight(_) => 8,
        }
    }

    /// How many numbers there are.
    pub fn len(&self) -> usize {
        inside!(self, list => list.len())
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// One of them.
    #[inline]
    pub fn get(&self, at: usize) -> u64 {
        match self {
            Narrow::One(list) => u64::from(list[at]),
            Narrow::Two(list) => u64::from(list[at]),
            Narrow::Four(list) => u64::from(list[at]),
            Narrow::Eight(list) => list[at],
        }
    }

    /// Adds a number at the end; where it does not fit, all get wider.
    #[inline]
    pub fn push(&mut self, number: u64) {
        match self {
            Narrow::One(list) if number <= u64::from(u8::MAX) => list.push(number as u8),
            Narrow::Two(list) if number <= u64::from(u16::MAX) => list.push(number as u16),
            Narrow::Four(list) if number <= u64::from(u32::MAX) => list.push(number as u32),
            Narrow::Eight(list) => list.push(number),
            _ => self.push_wider(number),
        }
    }

    #[cold]
    fn push_wider(&mut self, number: u64) {
        let mut wider = Narrow::up_to(number);
        wider.reserve_exact(self.len() + 1);
        self.iter().for_each(|own| wider.push(own));
        wider.push(number);
        *self = wider;
    }

    /// Changes one of them; where the new number does not fit, all get wider.
    pub fn set(&mut self, at: usize, number: u64) {
        match self {
            Narrow::One(list) if number <= u64::from(u8::MAX) => list[at] = number as u8,
            Narrow::Two(list) if number <= u64::from(u16::MAX) => list[at] = number as u16,
            Narrow::Four(list) if number <= u64::from(u32::MAX) => list[at] = number as u32,
            Narrow::Eight(list) => list[at] = number,
            _ => {
                let mut wider = Narrow::up_to(number);
                wider.reserve_exact(self.len());
                self.iter().for_each(|own| wider.push(own));
                wider.set(at, number);
                *self = wider;
            }
        }
    }

    /// The numbers in order.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = u64> + Clone + '_ {
        (0..self.len()).map(|at| self.get(at))
    }

    /// The numbers at some places, in the order of the places.
    pub fn at(&self, places: &[u32]) -> Self {
        match self {
            Narrow::One(list) => Narrow::One(places.iter().map(|at| list[*at as usize]).collect()),
            Narrow::Two(list) => Narrow::Two(places.iter().map(|at| list[*at as usize]).collect()),
            Narrow::Four(list) => Narrow::Four(places.iter().map(|at| list[*at as usize]).collect()),
            Narrow::Eight(list) => Narrow::Eight(places.iter().map(|at| list[*at as usize]).collect()),
        }
    }

    /// Empties the list, keeping memory and width.
    pub fn clear(&mut self) {
        inside!(self, list => list.clear());
    }

    /// Makes room for so many more numbers, and for no others.
    pub fn reserve_exact(&mut self, more: usize) {
        inside!(self, list => list.reserve_exact(more));
    }

    /// Adds the numbers of another list.
    pub fn extend_from(&mut self, other: &Narrow) {
        if self.width() < other.width() && self.is_empty() {
            *self = other.alike();
        }
        other.iter().for_each(|number| self.push(number));
    }
}

impl Default for Narrow {
    fn default() -> Self {
        Narrow::One(Vec::new())
    }
}

impl PartialEq for Narrow {
    fn eq(&self, other: &Self) -> bool {
        self.len() == other.len() && self.iter().eq(other.iter())
    }
}

impl Eq for Narrow {}

impl<const N: usize> PartialEq<[u64; N]> for Narrow {
    fn eq(&self, other: &[u64; N]) -> bool {
        self.iter().eq(other.iter().copied())
    }
}

impl FromIterator<u64> for Narrow {
    fn from_iter<I: IntoIterator<Item = u64>>(numbers: I) -> Self {
        let mut list = Narrow::default();
        numbers.into_iter().for_each(|number| list.push(number));
        list
    }
}

impl FromIterator<u32> for Narrow {
    fn from_iter<I: IntoIterator<Item = u32>>(numbers: I) -> Self {
        numbers.into_iter().map(u64::from).collect()
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn number() -> impl Strategy<Value = u64> {
        (0u32..64).prop_flat_map(|bits| 0..=u64::MAX >> bits)
    }

    proptest! {
        #[test]
        fn numbers_come_back_whatever_their_width(
            numbers in prop::collection::vec(number(), 0..40),
            changes in prop::collection::vec((0usize..40, number()), 0..10),
            largest in number(),
        ) {
            let mut numbers = numbers;
            let mut list = Narrow::up_to(largest);
            numbers.iter().for_each(|number| list.push(*number));
            for (at, number) in changes {
                if at < numbers.len() {
                    numbers[at] = number;
                    list.set(at, number);
                }
            }
            prop_assert_eq!(list.iter().collect::<Vec<_>>(), numbers.clone());
            prop_assert_eq!(&list, &numbers.iter().copied().collect::<Narrow>());
            let backwards: Vec<u32> = (0..numbers.len() as u32).rev().collect();
            let turned = list.at(&backwards);
            numbers.reverse();
            prop_assert_eq!(turned.iter().collect::<Vec<_>>(), numbers);
            let mut joined = list.clone();
            joined.extend_from(&turned);
            prop_assert_eq!(joined.len(), 2 * list.len());
            prop_assert!(joined.iter().eq(list.iter().chain(turned.iter())));
        }
    }

    #[test]
    fn a_list_is_no_wider_than_its_largest_number() {
        let list: Narrow = [3u64, 255].into_iter().collect();
        assert!(matches!(list, Narrow::One(_)));
        let list: Narrow = [3u64, 256, 1].into_iter().collect();
        assert!(matches!(list, Narrow::Two(_)));
        let list: Narrow = [1u64 << 32].into_iter().collect();
        assert!(matches!(list, Narrow::Eight(_)));
        assert_eq!(Narrow::Four(vec![1, 2]), Narrow::One(vec![1, 2]));
    }
}
