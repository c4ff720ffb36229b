//! Queries for those who may not connect.

use paretonym::data::{OtherColumns, Source};
use paretonym::engine::Watch;
use paretonym::error::{Error, Result};
use paretonym::release::{Fate, ReleaseTable, Shown, fates, plan};
use paretonym::study::Study;
use paretonym_sql::{Connection, Dialect, PrintedRelease};

use crate::Embedded;
use crate::folders::folder::OpenRun;

/// The query whose answer `explore --counts` takes.
pub fn counting_query(study: &Study, dialect: Option<&str>, table: Option<&str>) -> Result<String> {
    paretonym_sql::counting_query(study, dialect_of(study, dialect)?, table)
}

/// The dialect that is named, that of the study's connection where it is described here, or the careful one.
fn dialect_of(study: &Study, named: Option<&str>) -> Result<Dialect> {
    match (named, &study.data.database) {
        (Some(name), _) => Dialect::named(name),
        (None, Some(_)) => match Connection::of(&study.data) {
            Ok(connection) => Ok(connection.dialect),
            Err(_) => Dialect::named("generic"),
        },
        (None, None) => Dialect::named("generic"),
    }
}

/// The queries that release a solution of a run, and check the release. The table, or its counts, must still be what the front
/// was found for.
pub fn release_queries(
    run: &OpenRun,
    solution: u32,
    dialect: Option<&str>,
    table: Option<&str>,
    to: &str,
    watch: &dyn Watch,
) -> Result<String> {
    let OpenRun { study, front, regions, .. } = run;
    let solution = front.solution(solution)?;
    run.check_inputs(watch)?;
    let counted = ReleaseTable::count(study, front, solution, &Embedded, watch)?;
    let plan = plan(study, &counted, front, solution, regions.as_ref(), Shown::Labels)?;
    if plan.claim.k <= 1 {
        return Err(Error::study(format!(
            "solution {} has k = 1: some rows are alone in their group; choose a larger k",
            solution.id
        )));
    }
    // What other columns the table has is not known here, and a forgotten column is a leak: those that are not named stay away.
    let named = Study { data: Source { other_columns: OtherColumns::Drop, ..study.data.clone() }, ..study.clone() };
    let names: Vec<String> = study.columns.iter().map(|column| column.name.clone()).collect();
    let recoded: Vec<&str> = plan.saved.columns.iter().map(|column| column.name.as_str()).collect();
    let fates: Vec<(String, Fate)> = names.iter().cloned().zip(fates(&named, &names, &recoded, false)?).collect();
    // Where levels count rows, and floors with them, groups go by their size.
    let problem = paretonym::catalog::problem(&study.search, &counted.table)?;
    let by_size = problem.judged().iter().all(|model| model.counts_rows());
    let printed = PrintedRelease { study, saved: &plan.saved, kept: &plan.kept, claim: &plan.claim, fates, by_size };
    printed.queries(dialect_of(study, dialect)?, table, to)
}
