//! A release inside the database that holds its table: written there under a working name, counted there by a query that knows
//! nothing of how it was written, and named last. The files beside it, its certificate among them, lie here.

use std::path::{Path, PathBuf};

use paretonym::data::Role;
use paretonym::engine::{Unwatched, Watch};
use paretonym::error::{Error, Result};
use paretonym::release::{FileFacts, PublicRecoding, SavedRecoding};
use paretonym::study::Study;
use paretonym_sql::{Connection, TableName, TokenMaker};

use super::naming::name_beside;
use super::private_draft::PrivateDraft;
use super::publish::{Publication, changed, check_publication, working_folder};
use super::signing::{certificate, measured_warnings};
use super::verify::verify;
use super::{Released, companions, fates_of};
use crate::folders::folder::inputs::table_digest;
use crate::folders::folder::key::{Key, random_bytes};
use crate::folders::write::folder_of;
use crate::hex::hex;
use crate::rows::database::{DatabaseTable, WritingThere, no_tokens};
use crate::rows::table::{Table, TableFile};
use crate::rows::write::Written;

/// Where a release goes inside its database.
#[derive(Clone, Debug)]
pub struct ToTable {
    /// The name of the new table.
    pub table: String,
    /// What the files beside it are called, without their endings.
    pub beside: PathBuf,
}

impl ToTable {
    /// The files beside the table are called as it is, in the current folder, unless they are named.
    pub fn new(table: &str, beside: Option<&Path>) -> Result<Self> {
        let plain = |letter: char| if letter.is_alphanumeric() || "-_.".contains(letter) { letter } else { '_' };
        let name: String = TableName::read(table)?.last().chars().map(plain).collect();
        Ok(ToTable { table: table.to_owned(), beside: beside.map_or(PathBuf::from(name), Path::to_owned) })
    }
}

/// Refuses a release into a table before any work is done.
pub(super) fn check(study: &Study, to: &ToTable, publication: &super::ReleaseOptions) -> Result<()> {
    if study.data.database.is_none() {
        return Err(Error::study(
            "--to-table writes into the database of the table, and this table is a file; give -o FILE",
        ));
    }
    if publication.keep_order {
        return Err(Error::study(
            "a table in a database has no order to keep; release to a file (-o FILE), or without --keep-order",
        ));
    }
    if publication.seed.is_some() {
        return Err(Error::study(
            "--seed has no use here: the database draws the order of the rows, and the key of tokens is always a new one",
        ));
    }
    let identities = study.columns.iter().any(|column| column.role.has(Role::Identifying));
    if publication.tokens && identities {
        let dialect = Connection::of(&study.data)?.dialect;
        if matches!(dialect.tokens(), TokenMaker::Nobody) {
            return Err(no_tokens());
        }
    }
    TableName::read(&to.table).map(drop)
}

/// Writes, measures, certifies and names a release in the database.
pub(super) fn publish_table(
    publication: &Publication,
    to: &ToTable,
    dropped: u64,
    watch: &dyn Watch,
) -> Result<Released> {
    let Publication { study, saved, kept, options, .. } = publication;
    check_publication(publication)?;
    let table = Table::open(&study.data)?;
    let TableFile::Database(database) = &table.file else {
        return Err(Error::internal("a file was taken for a table in a database"));
    };
    let target = TableName::read(&to.table)?;
    let replaces = database.relation.exists(&target);
    if replaces && (!options.force || database.relation.table() == Some(&target)) {
        let advice = if options.force { "it is the table that is released" } else { "give another name, or --force" };
        return Err(Error::study(format!("there is a table {} already; {advice}", to.table)));
    }
    let id = hex(&random_bytes::<16>()?);
    let saved = SavedRecoding { id: id.clone(), ..(*saved).clone() };
    let fates = fates_of(study, &saved, options.tokens)?;
    watch.phase("writing in the database", None);
    let claim = publication.claim;
    let expected = claim.rows + if options.stars { claim.suppressed } else { 0 };
    let writing = WritingThere {
        source: &study.data,
        saved: &saved,
        kept,
        fates: &fates,
        stars: options.stars,
        token_key: random_bytes()?,
        rows: expected,
    };
    let recoded = database.recoded(&writing, watch)?;
    let draft = DraftTable { database, name: target.sibling(&format!("{DRAFT}{}", &id[..12])) };
    recoded.write(&draft.name, &id[..12], watch)?;

    let mut written_source = study.data.clone();
    written_source.query = None;
    written_source.table = Some(draft.name.text());
    let rows = DatabaseTable::open(&written_source)?.relation.count_rows(watch)?;
    let key = Key::random()?;
    let (digest, read) = table_digest(&study.data, &key, watch)?;
    // Which of the written rows are rows of stars is for the audit to find out.
    let written = Written { read, kept: claim.rows, suppressed: claim.suppressed, dropped };
    if (rows, read) != (expected, claim.rows + claim.suppressed + dropped) {
        return Err(changed());
    }
    let (audit, measured) = verify(publication, &written_source, written, watch)?;

    watch.phase("signing", None);
    let facts = |name: String, rows: u64| FileFacts { name, bytes: 0, sha256: String::new(), rows };
    let mut exact = certificate(publication, &saved, &table, &fates, written)?;
    exact.input.digest = format!("hmac-sha256:{digest}");
    // What the connection is called is nobody's business.
    exact.output = facts(to.table.clone(), rows);
    exact.counted = Some(format!("in the database, by {}", database.relation.client().dialect().name()));
    exact.measured(&audit, &measured);
    exact.warnings = publication.warnings.iter().cloned().chain(measured_warnings(&audit)).collect();
    let certificate = exact.clone().rounded();
    let work = working_folder(folder_of(&to.beside))?;
    let name = to.beside.file_name().ok_or_else(|| Error::study("the files beside the table need a name"))?;
    let beside = work.path().join(name);
    companions::write(&beside, &certificate, &PublicRecoding::of(&saved, kept))?;
    let home = publication.home.ok_or_else(|| Error::study("a release into a table needs the folder of a run"))?;
    let private = PrivateDraft::new(home)?;
    private.write(&saved, &exact, &facts(study.data.place(), read), &key)?;
    if watch.cancelled() {
        return Err(Error::Cancelled);
    }
    let private = private.keep(&saved.id)?;
    let files =
        name_beside(&beside, &to.beside, options.force, || draft.rename(&target, replaces)).inspect_err(|_| {
            // Without its release, the private part tells nobody anything.
            let _ = std::fs::remove_dir_all(&private);
        })?;
    Ok(Released { certificate, exact, files, private: Some(private), saved, frame: None, origin: None })
}

/// How the working names of tables begin; twelve digits that are drawn follow.
const DRAFT: &str = "paretonym_draft_";

/// Tables that an earlier release left beside the new one, under working names, when its process was killed: for each a statement
/// that removes it. Another release may be at work on it just now, so that nothing is removed here. Whoever cannot be asked says
/// nothing; the release itself will tell why.
pub fn drafts_left(study: &Study, to: &ToTable) -> Vec<String> {
    let left = || -> Result<Vec<String>> {
        let target = TableName::read(&to.table)?;
        let database = DatabaseTable::open(&study.data)?;
        let dialect = database.relation.client().dialect();
        let mut names = database.relation.tables_beside(&target)?;
        names.retain(|name| is_draft(name));
        names.sort();
        Ok(names.iter().map(|name| format!("DROP TABLE {}", target.sibling(name).quoted(dialect))).collect())
    };
    if study.data.database.is_some() { left().unwrap_or_default() } else { Vec::new() }
}

/// Whether a table has a working name.
fn is_draft(name: &str) -> bool {
    let id = name.strip_prefix(DRAFT).map(|id| id.strip_suffix("_spread").unwrap_or(id));
    id.is_some_and(|id| id.len() == 12 && id.bytes().all(|digit| matches!(digit, b'0'..=b'9' | b'a'..=b'f')))
}

/// A table under its working name, which goes unless it gets another.
struct DraftTable<'a> {
    database: &'a DatabaseTable,
    name: TableName,
}

impl DraftTable<'_> {
    /// Gives it the name that it is to have.
    fn rename(&self, target: &TableName, replaces: bool) -> Result<()> {
        let client = self.database.relation.client();
        let dialect = client.dialect();
        let drop = replaces.then(|| format!("DROP TABLE {}", target.quoted(dialect)));
        let statements: Vec<String> = drop.into_iter().chain([dialect.rename(&self.name, target)]).collect();
        // Nobody interrupts this: it takes a moment, and is done or not.
        client.tell_together(&statements, &Unwatched)
    }
}

impl Drop for DraftTable<'_> {
    fn drop(&mut self) {
        let client = self.database.relation.client();
        // It has its name, or was never made, or nobody answers any more: there is nothing else to be done.
        let _ = client.tell(&format!("DROP TABLE IF EXISTS {}", self.name.quoted(client.dialect())), &Unwatched);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_our_own_working_names_are_known() {
        assert!(is_draft("paretonym_draft_0123456789ab") && is_draft("paretonym_draft_0123456789ab_spread"));
        let others = [
            "paretonym_draft_",
            "paretonym_draft_0123456789AB",
            "paretonym_draft_of_mine",
            "people",
            "draft_0123456789ab",
        ];
        assert!(others.iter().all(|name| !is_draft(name)));
    }
}
