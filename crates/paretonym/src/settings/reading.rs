//! Reads the section. Written out, so that a wrong value is told with its place in the study: a derived form that takes
//! unknown keys loses it.

use std::fmt;

use serde::de::{MapAccess, Visitor};
use serde::{Deserialize, Deserializer};

use super::{ParameterValue, SearchSettings};

impl<'de> Deserialize<'de> for SearchSettings {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(SectionVisitor)
    }
}

struct SectionVisitor;

impl<'de> Visitor<'de> for SectionVisitor {
    type Value = SearchSettings;

    fn expecting(&self, out: &mut fmt::Formatter) -> fmt::Result {
        out.write_str("the [search] section of a study")
    }

    fn visit_map<M: MapAccess<'de>>(self, mut map: M) -> Result<SearchSettings, M::Error> {
        let mut own = SearchSettings::default();
        while let Some(key) = map.next_key::<String>()? {
            match key.as_str() {
                "problem" => own.problem = map.next_value()?,
                "eta" => own.eta = map.next_value()?,
                "cutoffs" => own.cutoffs = map.next_value()?,
                "privacy" => own.privacy = map.next_value()?,
                "loss" => own.loss = map.next_value()?,
                "optimizer" => own.optimizer = map.next_value()?,
                "at_least" => own.at_least = map.next_value()?,
                "at_most" => own.at_most = map.next_value()?,
                "seed" => own.seed = map.next_value()?,
                "evaluations" => own.evaluations = map.next_value()?,
                "costs" => own.costs = map.next_value()?,
                _ => {
                    if let Some(value) = map.next_value::<Option<ParameterValue>>()? {
                        own.parameters.0.insert(key, value);
                    }
                }
            }
        }
        Ok(own)
    }
}
