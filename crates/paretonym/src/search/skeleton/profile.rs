//! What a problem must know of a recoding: how many rows lie in groups of each size and level, and what they lose.

use hashbrown::HashMap;

use crate::data::Narrow;
use crate::front::MAX_OBJECTIVES;
use crate::group::{FrequencyTable, Grouping};
use crate::measure::{Grouped, Loss, Privacy};
use crate::problem::{Pieces, Problem};

/// Groups that a problem cannot tell apart but by their loss.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Class {
    size: u64,
    /// The cost in each privacy model, as bits.
    costs: [u64; MAX_OBJECTIVES],
}

type Numbers = HashMap<Class, u32, foldhash::fast::FixedState>;

/// The classes of one recoding, each with its rows and then the sums of the loss.
#[derive(Clone, Debug, Default)]
pub(super) struct Profile {
    classes: Vec<Class>,
    numbers: Vec<f64>,
}

impl Profile {
    pub fn of(table: &FrequencyTable, problem: &dyn Problem, grouping: &Grouping) -> Self {
        let grouped = Grouped { table, grouping };
        let (loss, rows) = (problem.loss(), &grouping.groups.rows);
        let mut classes: Vec<Class> = Vec::new();
        let mut members: Vec<Vec<u32>> = Vec::new();
        let mut place = Numbers::default();
        let costs: Vec<Vec<f64>> = problem
            .judged()
            .into_iter()
            .enumerate()
            .map(|(at, model)| {
                let mut costs = Vec::with_capacity(rows.len());
                grouped.costs(at, model, &mut costs);
                costs
            })
            .collect();
        for (group, size) in rows.iter().enumerate() {
            let mut class = Class { size, costs: [0; MAX_OBJECTIVES] };
            class.costs.iter_mut().zip(&costs).for_each(|(slot, costs)| *slot = costs[group].to_bits());
            let at = *place.entry(class).or_insert_with(|| {
                classes.push(class);
                members.push(Vec::new());
                classes.len() as u32 - 1
            });
            members[at as usize].push(group as u32);
        }
        // A class at a time: many groups at once cost less than one by one.
        let stride = 1 + loss.sums(table);
        let mut numbers = vec![0.0; classes.len() * stride];
        for ((class, members), numbers) in classes.iter().zip(&members).zip(numbers.chunks_exact_mut(stride)) {
            numbers[0] = class.size as f64 * members.len() as f64;
            loss.add_some(grouped, members, &mut numbers[1..]);
        }
        Profile { classes, numbers }
    }
}

/// The profiles of several recodings, with one numbering of their classes.
pub(super) struct Profiles {
    classes: Vec<Class>,
    /// The number of each class.
    number: Numbers,
    stride: usize,
    /// How many numbers they hold.
    pub numbers: usize,
    pub all: Vec<Numbered>,
}

/// A profile whose classes are known by their numbers.
#[derive(Clone, Debug, Default)]
pub(super) struct Numbered {
    classes: Vec<u32>,
    numbers: Vec<f64>,
}

impl Profiles {
    pub fn new(table: &FrequencyTable, loss: &dyn Loss) -> Self {
        Profiles {
            classes: Vec::new(),
            number: Numbers::default(),
            stride: 1 + loss.sums(table),
            numbers: 0,
            all: Vec::new(),
        }
    }

    /// Adds profiles in their order.
    pub fn extend(&mut self, profiles: impl Iterator<Item = Profile>) {
        for profile in profiles {
            let classes = profile.classes.into_iter().map(|class| {
                *self.number.entry(class).or_insert_with(|| {
                    self.classes.push(class);
                    self.classes.len() as u32 - 1
                })
            });
            self.numbers += profile.numbers.len();
            self.all.push(Numbered { classes: classes.collect(), numbers: profile.numbers });
        }
    }
}

/// Adds profiles up. One per worker.
pub(super) struct Adder<'a> {
    profiles: &'a Profiles,
    /// Where each class lies in the sum, counted from one; 0 where it does not.
    place: Vec<u32>,
}

impl<'a> Adder<'a> {
    pub fn new(profiles: &'a Profiles) -> Self {
        Adder { profiles, place: vec![0; profiles.classes.len()] }
    }

    /// The sum of profiles, each so many times. Where the sum is the profile of a recoding, the rows of a class that it
    /// does not have are exactly 0, being whole numbers.
    pub fn sum<'b>(&mut self, terms: impl Iterator<Item = (&'b Numbered, f64)>) -> Numbered {
        let stride = self.profiles.stride;
        let mut sum = Numbered::default();
        for (profile, times) in terms {
            for (class, own) in profile.classes.iter().zip(profile.numbers.chunks_exact(stride)) {
                let place = &mut self.place[*class as usize];
                if *place == 0 {
                    sum.classes.push(*class);
                    *place = sum.classes.len() as u32;
                    sum.numbers.extend(own.iter().map(|number| times * number));
                } else {
                    let start = (*place as usize - 1) * stride;
                    let numbers = &mut sum.numbers[start..start + stride];
                    numbers.iter_mut().zip(own).for_each(|(sum, own)| *sum += times * own);
                }
            }
        }
        let mut kept = 0;
        for at in 0..sum.classes.len() {
            self.place[sum.classes[at] as usize] = 0;
            if sum.numbers[at * stride] != 0.0 {
                sum.classes[kept] = sum.classes[at];
                sum.numbers.copy_within(at * stride..(at + 1) * stride, kept * stride);
                kept += 1;
            }
        }
        sum.classes.truncate(kept);
        sum.numbers.truncate(kept * stride);
        sum
    }
}

/// A profile as a problem judges it.
pub(super) struct Judgeable<'a> {
    table: &'a FrequencyTable,
    profiles: &'a Profiles,
    profile: Numbered,
    rows: Narrow,
    sizes: Narrow,
}

impl<'a> Judgeable<'a> {
    pub fn new(table: &'a FrequencyTable, profiles: &'a Profiles, profile: Numbered) -> Self {
        let rows = profile.numbers.iter().step_by(profiles.stride).map(|rows| *rows as u64).collect();
        let sizes = profile.classes.iter().map(|class| profiles.classes[*class as usize].size).collect();
        Judgeable { table, profiles, profile, rows, sizes }
    }
}

impl Pieces for Judgeable<'_> {
    fn table(&self) -> &FrequencyTable {
        self.table
    }

    fn rows(&self) -> &Narrow {
        &self.rows
    }

    fn sizes(&self) -> &Narrow {
        &self.sizes
    }

    fn costs(&self, place: usize, _model: &dyn Privacy, out: &mut Vec<f64>) {
        let cost = |class: &u32| f64::from_bits(self.profiles.classes[*class as usize].costs[place]);
        out.extend(self.profile.classes.iter().map(cost));
    }

    fn add(&self, _loss: &dyn Loss, pieces: &[u32], sums: &mut [f64]) {
        for &piece in pieces {
            let start = piece as usize * self.profiles.stride + 1;
            let own = &self.profile.numbers[start..start + sums.len()];
            sums.iter_mut().zip(own).for_each(|(sum, own)| *sum += own);
        }
    }

    fn add_all(&self, _loss: &dyn Loss, sums: &mut [f64]) {
        for own in self.profile.numbers.chunks_exact(self.profiles.stride) {
            sums.iter_mut().zip(&own[1..]).for_each(|(sum, own)| *sum += own);
        }
    }
}
