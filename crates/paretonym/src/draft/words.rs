//! What the name of a column gives away.

/// Words that name people or lead to them.
const IDENTIFYING: &[&str] = &[
    "account",
    "address",
    "email",
    "fax",
    "firstname",
    "forename",
    "fullname",
    "guid",
    "iban",
    "id",
    "ids",
    "ip",
    "lastname",
    "mail",
    "mobile",
    "mrn",
    "name",
    "passport",
    "phone",
    "ssn",
    "street",
    "surname",
    "telephone",
    "uid",
    "url",
    "username",
    "uuid",
];

/// Words for the persons themselves: a column that is called like this and no more tells them apart, though each may have
/// several rows.
const PERSONS: &[&str] =
    &["client", "customer", "insured", "member", "participant", "patient", "person", "respondent", "subject", "user"];

/// Words that may follow such a one.
const NUMBERS: &[&str] = &["code", "key", "no", "nr", "num", "number"];

/// Words of health and money, where a value is what a person would not want to be known.
const SENSITIVE: &[&str] = &[
    "cancer",
    "charge",
    "charges",
    "debt",
    "diagnoses",
    "diagnosis",
    "disease",
    "disorder",
    "drug",
    "earnings",
    "hiv",
    "icd",
    "icd10",
    "icd9",
    "illness",
    "income",
    "loan",
    "medication",
    "salary",
    "symptom",
    "symptoms",
    "therapy",
    "treatment",
    "wage",
    "wages",
];

/// The word of a column's name that suggests that it identifies people.
pub(super) fn identifying(name: &str) -> Option<String> {
    find(name, IDENTIFYING).or_else(|| {
        let own = |word: &&String| PERSONS.contains(&word.as_str());
        let words = words(name);
        let person = words.first().filter(own)?.clone();
        words[1..].iter().all(|word| NUMBERS.contains(&word.as_str())).then_some(person)
    })
}

/// The word of a column's name that suggests that it is sensitive.
pub(super) fn sensitive(name: &str) -> Option<String> {
    find(name, SENSITIVE)
}

fn find(name: &str, known: &[&str]) -> Option<String> {
    words(name).into_iter().find(|word| known.contains(&word.as_str()))
}

/// `patientID`, `patient_id` and `Patient id` are two words each.
fn words(name: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut after_small = false;
    for character in name.chars() {
        if !character.is_alphanumeric() || (after_small && character.is_uppercase()) {
            words.push(String::new());
        }
        if character.is_alphanumeric() {
            words.last_mut().expect("there is a first word").extend(character.to_lowercase());
        }
        after_small = character.is_lowercase();
    }
    words.retain(|word| !word.is_empty());
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn persons_are_told_apart_by_columns_that_are_called_like_them() {
        for name in ["patient", "Patient_Nr", "personNumber", "SUBJECT"] {
            assert!(identifying(name).is_some(), "{name}");
        }
        for name in ["patient_age", "person weight", "users per day", "sex"] {
            assert!(identifying(name).is_none(), "{name}");
        }
    }

    #[test]
    fn names_are_matched_by_whole_words() {
        for name in ["id", "patient_id", "patientID", "First Name", "E-Mail", "SSN"] {
            assert!(identifying(name).is_some(), "{name}");
        }
        for name in ["idle", "width", "relationship", "age", "", "--"] {
            assert!(identifying(name).is_none(), "{name}");
        }
        assert_eq!(sensitive("salary-class").as_deref(), Some("salary"));
        assert_eq!(sensitive("occupation"), None);
    }
}
