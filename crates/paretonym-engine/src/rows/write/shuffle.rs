//! Rows in random order with bounded memory, on any number of threads: each row goes into one of several buckets at
//! random, and each bucket is shuffled on its own. Together that is a shuffle of all rows, as if each had been given a
//! random key and the keys had been sorted: where rows go does not depend on what or where they are, so that every order
//! of the rows is as likely as any other, whatever the sizes of the buckets. Rows that are left out leave no gap.
//!
//! All of it follows from one key, each chunk and each bucket with a stream of its own: the same key gives the same order,
//! whoever works on what.

use rand::seq::SliceRandom;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

use super::spill::Place;

/// Where the rows go.
pub(super) struct Order {
    /// None = the order of the table.
    key: Option<[u8; 32]>,
    /// How many buckets there are.
    pub buckets: usize,
}

impl Order {
    /// With a key, in random order over so many buckets; else in the order of the table.
    pub fn new(key: Option<[u8; 32]>, buckets: usize) -> Self {
        Order { buckets: if key.is_some() { buckets.max(1) } else { 1 }, key }
    }

    /// Whether the order is random.
    pub fn is_random(&self) -> bool {
        self.key.is_some()
    }

    /// Streams of chunks have even numbers, those of buckets odd ones.
    fn stream(&self, number: u64) -> Option<ChaCha8Rng> {
        let mut random = ChaCha8Rng::from_seed(self.key?);
        random.set_stream(number);
        Some(random)
    }

    /// The rows of a chunk in the order of their buckets, and where each bucket ends.
    pub fn scatter(&self, place: Place, rows: usize) -> (Vec<u32>, Vec<u32>) {
        // A row group has fewer than 2^31 rows, and a chunk is never that small.
        let number = ((place.part as u64) << 24 | u64::from(place.chunk)) << 1;
        let random = self.stream(number).filter(|_| self.buckets > 1);
        let Some(mut random) = random else {
            return ((0..rows as u32).collect(), vec![rows as u32]);
        };
        // The share of a bucket may differ from that of another by one in millions; the order stays uniform.
        let count = self.buckets as u64;
        let chosen: Vec<u16> = (0..rows).map(|_| ((u64::from(random.next_u32()) * count) >> 32) as u16).collect();
        let mut ends = vec![0; self.buckets];
        chosen.iter().for_each(|bucket| ends[usize::from(*bucket)] += 1);
        let mut start = 0;
        for end in &mut ends {
            start += *end;
            *end = start - *end;
        }
        let mut order = vec![0; rows];
        for (row, bucket) in chosen.iter().enumerate() {
            let place = &mut ends[usize::from(*bucket)];
            order[*place as usize] = row as u32;
            *place += 1;
        }
        (order, ends)
    }

    /// The rows of a bucket in the order in which they are released.
    pub fn shuffle(&self, bucket: usize, rows: usize) -> Vec<u32> {
        let mut order: Vec<u32> = (0..rows as u32).collect();
        if let Some(mut random) = self.stream((bucket as u64) << 1 | 1) {
            order.shuffle(&mut random);
        }
        order
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The rows of a table of several chunks as they are released.
    fn released(chunks: usize, rows: usize, buckets: usize, key: Option<u8>) -> Vec<usize> {
        let order = Order::new(key.map(|key| [key; 32]), buckets);
        let mut bucketed: Vec<Vec<usize>> = vec![Vec::new(); order.buckets];
        for part in 0..chunks {
            let (rows_of, ends) = order.scatter(Place { part, chunk: 0 }, rows);
            let mut start = 0;
            for (bucket, end) in bucketed.iter_mut().zip(ends) {
                bucket.extend(rows_of[start..end as usize].iter().map(|row| part * rows + *row as usize));
                start = end as usize;
            }
        }
        let shuffled = bucketed.iter().enumerate().map(|(number, bucket)| {
            order.shuffle(number, bucket.len()).into_iter().map(|row| bucket[row as usize]).collect::<Vec<usize>>()
        });
        shuffled.flatten().collect()
    }

    #[test]
    fn every_row_comes_back_once_and_elsewhere() {
        for buckets in [1, 3, 10] {
            let out = released(10, 1000, buckets, Some(7));
            assert_eq!(out, released(10, 1000, buckets, Some(7)));
            assert_ne!(out, released(10, 1000, buckets, Some(8)));
            let stayed = out.iter().enumerate().filter(|(at, row)| at == *row).count();
            assert!(stayed < 20, "{stayed} rows stayed where they were");
            let mut sorted = out;
            sorted.sort_unstable();
            assert!(sorted.into_iter().eq(0..10_000));
        }
        assert!(released(10, 1000, 1, None).into_iter().eq(0..10_000));
    }

    #[test]
    fn every_order_is_equally_likely() {
        // Four rows of two chunks in three buckets: 24 orders, each met about 500 times of 12,000.
        let mut met = std::collections::BTreeMap::new();
        for key in 0..12_000u64 {
            let mut seed = [0; 32];
            seed[..8].copy_from_slice(&key.to_le_bytes());
            let order = Order::new(Some(seed), 3);
            let chunks = [0, 1].map(|part| order.scatter(Place { part, chunk: 0 }, 2));
            let mut out = Vec::new();
            for bucket in 0..3 {
                let rows = chunks.iter().enumerate().flat_map(|(part, (rows, ends))| {
                    let start = if bucket == 0 { 0 } else { ends[bucket - 1] } as usize;
                    rows[start..ends[bucket] as usize].iter().map(move |row| part as u32 * 2 + row)
                });
                let rows: Vec<u32> = rows.collect();
                out.extend(order.shuffle(bucket, rows.len()).into_iter().map(|row| rows[row as usize]));
            }
            *met.entry(out).or_insert(0u32) += 1;
        }
        assert_eq!(met.len(), 24);
        // With 23 degrees of freedom a sum above 50 has a chance of one in a thousand, and the keys are fixed.
        let squares: f64 = met.values().map(|count| (f64::from(*count) - 500.0).powi(2) / 500.0).sum();
        assert!(squares < 50.0, "{squares}: {met:?}");
    }
}
