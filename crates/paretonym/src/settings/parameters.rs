//! Settings that one problem or optimizer has and others lack: kept by name, so that a new one needs no field here.

use std::collections::BTreeMap;
use std::fmt;

use serde::{Deserialize, Serialize};

/// Settings that belong to one problem or optimizer, by name.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[serde(transparent)]
pub struct Parameters(pub(super) BTreeMap<String, ParameterValue>);

impl Parameters {
    /// The names that are set.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.0.keys().map(String::as_str)
    }
}

/// What a setting can be written as.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum ParameterValue {
    /// true or false.
    Flag(bool),
    /// A whole number.
    Whole(u64),
    /// Any other number.
    Number(f64),
    /// Text.
    Text(String),
}

impl fmt::Display for ParameterValue {
    fn fmt(&self, out: &mut fmt::Formatter) -> fmt::Result {
        match self {
            ParameterValue::Flag(flag) => flag.fmt(out),
            ParameterValue::Whole(number) => number.fmt(out),
            ParameterValue::Number(number) => number.fmt(out),
            ParameterValue::Text(text) => text.fmt(out),
        }
    }
}

impl From<bool> for ParameterValue {
    fn from(flag: bool) -> Self {
        ParameterValue::Flag(flag)
    }
}

impl From<u64> for ParameterValue {
    fn from(number: u64) -> Self {
        ParameterValue::Whole(number)
    }
}

impl From<f64> for ParameterValue {
    fn from(number: f64) -> Self {
        ParameterValue::Number(number)
    }
}

impl From<&str> for ParameterValue {
    fn from(text: &str) -> Self {
        ParameterValue::Text(text.to_owned())
    }
}
