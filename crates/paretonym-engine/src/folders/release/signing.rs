//! What a certificate says before anything was measured, and of the files that it goes with.

use std::path::Path;
use std::time::SystemTime;

use chrono::{DateTime, Utc};
use paretonym::engine::Watch;
use paretonym::error::Result;
use paretonym::release::{
    Audit, CERTIFICATE_FORMAT, Certificate, ColumnFate, Commitments, Fate, FileFacts, InputFacts, SavedRecoding,
};
use paretonym::study::one_value;

use super::publish::Publication;
use crate::folders::folder::digest::sha256_file;
use crate::rows::file::file_name;
use crate::rows::table::Table;
use crate::rows::write::Written;

/// What there is to warn of in the written file.
pub(super) fn measured_warnings(audit: &Audit) -> impl Iterator<Item = String> {
    let alone = (audit.k == 1).then(|| "Some rows are alone in their group (k = 1).".to_owned());
    let single = audit.l.iter().flatten().filter(|(_, l)| l.distinct == 1).map(|(name, _)| name.as_str());
    alone.into_iter().chain(one_value(&single.collect::<Vec<&str>>()))
}

/// Name, size and hash of a file.
pub(super) fn facts(path: &Path, rows: u64, watch: &dyn Watch) -> Result<FileFacts> {
    let (sha256, bytes) = sha256_file(path, watch)?;
    Ok(FileFacts { name: file_name(path), bytes, sha256, rows })
}

/// A certificate with everything but the measures.
pub(super) fn certificate(
    publication: &Publication,
    saved: &SavedRecoding,
    table: &Table,
    fates: &[Fate],
    written: Written,
) -> Result<Certificate> {
    let Publication { study, options, .. } = publication;
    let column = |(name, fate): (&String, &Fate)| ColumnFate {
        name: name.clone(),
        fate: match fate {
            Fate::Drop => "dropped",
            Fate::Token => "token",
            Fate::Recode(_) => "recoded",
            Fate::Keep | Fate::KeepUsed => "kept",
        }
        .to_owned(),
    };
    Ok(Certificate {
        format: CERTIFICATE_FORMAT.to_owned(),
        program: concat!("paretonym ", env!("CARGO_PKG_VERSION")).to_owned(),
        created: now(),
        id: saved.id.clone(),
        input: InputFacts { digest: String::new() },
        output: FileFacts { name: String::new(), bytes: 0, sha256: String::new(), rows: 0 },
        counted: None,
        dropped_for_missing: written.dropped,
        suppressed: written.suppressed,
        left_out: (written.dropped + written.suppressed) as f64 / written.read.max(1) as f64,
        suppressed_rows: if options.stars { "star" } else { "dropped" }.to_owned(),
        row_order: if options.keep_order { "kept" } else { "random" }.to_owned(),
        columns: table.names().iter().zip(fates).map(column).collect(),
        solution: saved.solution,
        seed: study.search.seed,
        k: 0,
        weighted_k: 0.0,
        l: None,
        t: None,
        t_in_release: None,
        necd: 0.0,
        gl: 0.0,
        sl: 0.0,
        losses: publication.losses.clone(),
        risk: Default::default(),
        group_sizes: Vec::new(),
        warnings: Vec::new(),
        reapplied: publication.reapplied.clone(),
        study: Commitments::of(study),
    })
}

/// The time in UTC, as ISO 8601 writes it, in whole seconds.
fn now() -> String {
    utc(SystemTime::now())
}

fn utc(time: SystemTime) -> String {
    DateTime::<Utc>::from(time).format("%Y-%m-%dT%H:%M:%SZ").to_string()
}

#[cfg(test)]
mod tests {
    use std::time::{Duration, UNIX_EPOCH};

    use super::*;

    #[test]
    fn days_of_the_calendar() {
        let utc = |seconds| utc(UNIX_EPOCH + Duration::from_secs(seconds));
        assert_eq!(utc(0), "1970-01-01T00:00:00Z");
        assert_eq!(utc(951_782_400), "2000-02-29T00:00:00Z");
        assert_eq!(utc(1_709_251_199), "2024-02-29T23:59:59Z");
        assert_eq!(utc(4_102_444_800), "2100-01-01T00:00:00Z");
    }
}
