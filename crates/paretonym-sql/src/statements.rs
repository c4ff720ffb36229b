//! What a study may have asked: one question, and nothing that could be mistaken for a second.

use paretonym::error::{Error, Result};

/// Refuses a query that is more than one statement, or whose quotes do not close, so that it cannot end the brackets around it.
pub fn check_query(query: &str) -> Result<()> {
    let wrong = |problem: &str| Error::study(format!("query = …: {problem}"));
    let (mut depth, mut letters) = (0i64, query.chars().peekable());
    let mut empty = true;
    while let Some(letter) = letters.next() {
        empty &= letter.is_whitespace();
        match letter {
            '\'' | '"' | '`' => {
                // A doubled quote inside is the end of one text and the beginning of the next: no harm.
                let closed = letters.by_ref().any(|other| other == letter);
                if !closed {
                    return Err(wrong("a quotation mark is not closed"));
                }
            }
            ';' => return Err(wrong("it must be a single SELECT, without a semicolon")),
            '-' if letters.peek() == Some(&'-') => return Err(wrong("comments (--) are not allowed here")),
            '/' if letters.peek() == Some(&'*') => return Err(wrong("comments (/*) are not allowed here")),
            '#' | '$' => return Err(wrong("the signs # and $ are not allowed outside of quotation marks")),
            '\\' => return Err(wrong("a backslash is not allowed outside of quotation marks")),
            '(' => depth += 1,
            ')' => {
                depth -= 1;
                if depth < 0 {
                    return Err(wrong("a bracket is closed that was not opened"));
                }
            }
            _ => {}
        }
    }
    if empty {
        return Err(wrong("it is empty"));
    }
    // A backslash before a quote ends a text in some engines and not in others.
    if query.contains('\\') {
        return Err(wrong("a backslash means different things to different engines; write the query without"));
    }
    let first = query.trim_start().trim_start_matches('(').trim_start();
    let word: String = first.chars().take_while(|letter| letter.is_ascii_alphabetic()).collect();
    if !["select", "with", "values", "table", "from"].contains(&word.to_ascii_lowercase().as_str()) {
        return Err(wrong("it must begin with SELECT or WITH"));
    }
    if depth == 0 { Ok(()) } else { Err(wrong("a bracket is not closed")) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_question_and_nothing_behind_it() {
        for good in [
            "select * from people",
            " SELECT a, 'x;y' AS \"b;c\" FROM t WHERE note <> 'it''s (' ",
            "with x as (select 1) select * from x",
            "(select 1)",
        ] {
            check_query(good).unwrap();
        }
        for bad in [
            "",
            "drop table people",
            "select 1; drop table people",
            "select 1) as t; delete from people",
            "select 1) as x, (select 2",
            "select 1 -- ",
            "select 1 /* */",
            "select '",
            "select '\\'; drop table x; --'",
            "select $$a$$",
            "select (1",
        ] {
            let error = check_query(bad).unwrap_err();
            assert!(error.is_input() && error.to_string().starts_with("query = …: "), "{bad}: {error}");
        }
    }
}
