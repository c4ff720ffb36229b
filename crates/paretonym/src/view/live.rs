//! A front that is still growing: nothing but its objectives is known.

use serde::Serialize;

use super::field::is_log;
use super::number::Format;
use super::role::is_price;

/// The axes of a growing front.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct LiveAxes {
    /// The first objective that stands for privacy.
    pub x: LiveAxis,
    /// The first that is a price.
    pub y: LiveAxis,
    /// Whether the points form a stair.
    pub stair: bool,
}

/// One of them.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct LiveAxis {
    /// The position of its objective.
    pub at: usize,
    /// Its name beside the axis.
    pub label: String,
    /// How its values are shown.
    pub format: Format,
    /// Whether it spreads over orders of magnitude.
    pub log: bool,
}

impl LiveAxes {
    /// For points with a value for each of these objectives.
    pub fn new(objectives: &[String], points: &[Vec<f64>]) -> Self {
        let first = |price: bool| objectives.iter().position(|name| is_price(name) == price).unwrap_or(0);
        let axis = |at: usize| {
            let name = objectives.get(at).map_or("", String::as_str);
            // Losses that are no shares exceed 1 sooner or later.
            let share = is_price(name) && points.iter().all(|point| point[at] <= 1.0);
            let log = is_log(name);
            LiveAxis {
                at,
                label: name.replace('_', " ") + if log { ", log scale" } else { "" },
                format: if share { Format::Share } else { Format::Number },
                log,
            }
        };
        LiveAxes { x: axis(first(false)), y: axis(first(true)), stair: objectives.len() == 2 }
    }
}
