//! Markdown tables and numbers.

/// A table.
pub fn table(header: &[&str], rows: &[Vec<String>]) -> String {
    let line = |cells: &[String]| format!("| {} |\n", cells.join(" | "));
    let head: Vec<String> = header.iter().map(|cell| (*cell).to_owned()).collect();
    let rule: Vec<String> = header.iter().map(|_| "---".to_owned()).collect();
    let body: String = rows.iter().map(|row| line(row)).collect();
    format!("{}{}{body}\n", line(&head), line(&rule))
}

/// A share in per cent.
pub fn percent(share: f64) -> String {
    format!("{:.1} %", 100.0 * share)
}

/// What there is, or a dash.
pub fn or_dash<T: ToString>(value: Option<T>) -> String {
    value.map_or("–".to_owned(), |value| value.to_string())
}
