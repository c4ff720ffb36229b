//! Study texts that several tests begin with: columns of people to put together.

/// A study of a table, from its columns and its settings.
pub fn of(path: &str, columns: &[&str], search: &str) -> String {
    let columns: String = columns.iter().map(|column| format!("[[columns]]\n{column}\n")).collect();
    format!("[data]\npath = \"{path}\"\n\n{columns}[search]\n{search}\n")
}

/// A quasi column of numbers with levels of these widths.
pub fn age(widths: &str) -> String {
    format!("name = \"age\"\nrole = \"quasi\"\nkind = \"numeric\"\nrecode = \"levels\"\nwidths = {widths}\n")
}

/// A quasi column without a tree: its values, and a star.
pub const JOB: &str = "name = \"job\"\nrole = \"quasi\"\nrecode = \"levels\"\n";

/// The same with the tree of a file.
pub const JOB_TREE: &str = "name = \"job\"\nrole = \"quasi\"\nrecode = \"levels\"\ntaxonomy = \"job.csv\"\n";

/// A quasi column whose first letters are its levels.
pub const TOWN: &str = "name = \"town\"\nrole = \"quasi\"\nrecode = \"levels\"\nhierarchy = \"prefix\"\n";

/// What is to be protected.
pub const DISEASE: &str = "name = \"disease\"\nrole = \"sensitive\"\n";

/// A column with nothing but a role.
pub fn plain(name: &str, role: &str) -> String {
    format!("name = \"{name}\"\nrole = \"{role}\"\n")
}

/// A folder with six people, few enough for a pencil: age by tens and job are quasi, the illness is sensitive.
pub fn six_people() -> super::Folder {
    let folder = super::Folder::new();
    let people = "31,nurse,flu\n32,nurse,flu\n33,baker,cold\n41,baker,flu\n42,nurse,cold\n43,baker,cold\n";
    folder.write("people.csv", &format!("age,job,illness\n{people}"));
    let columns = [&age("[10]"), JOB, &plain("illness", "sensitive")];
    folder.write("study.toml", &of("people.csv", &columns, "eta = 0.0\noptimizer = \"exhaustive\""));
    folder
}
