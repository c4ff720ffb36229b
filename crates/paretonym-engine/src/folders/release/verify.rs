//! Reads a written release back and compares what it holds with what it claims.

use std::collections::HashMap;

use paretonym::data::{Encoding, Kind, Source};
use paretonym::engine::Watch;
use paretonym::error::{Error, Result};
use paretonym::group::Attribute;
use paretonym::release::{Audit, Claim};

use super::publish::Publication;
use super::sensitive;
use crate::rows::audit::{AuditRequest, Declared, Distance, Groups, SensitiveColumn, audit};
use crate::rows::write::Written;

/// What the file, or the table in a database, was measured to hold; an error where that is not what was claimed.
pub(super) fn verify(
    publication: &Publication,
    source: &Source,
    written: Written,
    watch: &dyn Watch,
) -> Result<(Audit, Claim)> {
    let claim = publication.claim;
    let request = AuditRequest {
        sensitive: sensitive(publication.study).map(|name| declared(publication, name)).collect::<Result<_>>()?,
        ignore_suppressed: publication.options.stars,
        decimal: publication.study.data.decimal,
        threshold: publication.options.threshold,
        recursive_c: claim.recursive_c(),
        ..AuditRequest::of(publication.saved.columns.iter().map(|column| column.name.clone()).collect())
    };
    let audited = audit(source, &request, watch)?;
    let gl = loss(publication, &audited.groups, claim.rows + claim.suppressed)?;
    let stars = publication.options.stars;
    let suppressed = if stars { audited.audit.suppressed_rows } else { written.suppressed };
    let measured = claim.measured(&audited.audit, suppressed, gl);
    let differences = claim.differences(&measured);
    if differences.is_empty() {
        return Ok((audited.audit, measured));
    }
    let list =
        differences.iter().map(|one| format!("{}: claimed {}, measured {}", one.what, one.claimed, one.measured));
    Err(Error::Unverified(list.collect::<Vec<_>>().join("; ")))
}

/// The general loss of the kept rows, by the labels that the file shows.
fn loss(publication: &Publication, groups: &Groups, rows: u64) -> Result<f64> {
    let losses: Vec<HashMap<String, f64>> = publication
        .saved
        .columns
        .iter()
        .map(|column| column.shown_texts().into_iter().zip(column.sets.iter().map(|set| set.loss)).collect())
        .collect();
    let mut sum = 0.0;
    for group in 0..groups.len() {
        let (cells, count) = groups.group(group);
        for (cell, losses) in cells.iter().zip(&losses) {
            // The text is not repeated here: it may be what should not have been written.
            let unknown = || Error::Unverified("the file shows a label that the recoding does not have".to_owned());
            sum += count as f64 * losses.get(*cell).ok_or_else(unknown)?;
        }
    }
    Ok(sum / (rows.max(1) as f64 * losses.len() as f64))
}

/// A sensitive column as the study and the original table know it.
fn declared(publication: &Publication, name: &str) -> Result<SensitiveColumn> {
    let absent = || Error::internal(format!("the sensitive column {name:?} was not counted"));
    let attribute = publication.attributes.iter().find(|attribute| attribute.name == name).ok_or_else(absent)?;
    let data = &publication.study.data;
    let missing = data.missing_leaf(&attribute.domain);
    let mut missing_cells = data.missing.clone();
    if missing.is_some() && !missing_cells.iter().any(String::is_empty) {
        // A Parquet null is always missing, and an audit sees it as an empty cell.
        missing_cells.push(String::new());
    }
    let (encoding, numbers) = encoding(attribute);
    let declared = Declared {
        encoding,
        labels: attribute.domain.labels.clone(),
        numbers,
        missing,
        missing_cells,
        ordered: attribute.domain.kind != Kind::Categorical,
        tree: attribute.hierarchy.clone(),
        original: attribute.totals.clone(),
    };
    Ok(SensitiveColumn { name: name.to_owned(), distance: Distance::Declared(Box::new(declared)) })
}

/// How the cells of an attribute become positions in its domain.
fn encoding(attribute: &Attribute) -> (Encoding, Vec<f64>) {
    let Some(bounds) = &attribute.domain.bounds else {
        return (Encoding::Labels(attribute.domain.labels.clone()), Vec::new());
    };
    let bounds: Vec<(f64, f64)> = bounds.iter().copied().filter(|(low, _)| !low.is_nan()).collect();
    if bounds.iter().any(|(low, high)| low < high) {
        let mut edges: Vec<f64> = bounds.iter().map(|(low, _)| *low).collect();
        edges.extend(bounds.last().map(|(_, high)| *high));
        return (Encoding::Bins { edges, closed: false }, Vec::new());
    }
    (Encoding::Numbers, bounds.iter().map(|(low, _)| *low).collect())
}
