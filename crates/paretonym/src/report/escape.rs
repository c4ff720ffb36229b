//! Column names and labels are the user's: whatever they hold, they must stay text.

/// Text for element contents and quoted attributes.
pub(super) fn text(raw: &str) -> String {
    let mut safe = String::with_capacity(raw.len());
    for c in raw.chars() {
        match c {
            '&' => safe.push_str("&amp;"),
            '<' => safe.push_str("&lt;"),
            '>' => safe.push_str("&gt;"),
            '"' => safe.push_str("&quot;"),
            '\'' => safe.push_str("&#39;"),
            // XML knows no other control characters, not even escaped ones.
            '\t' | '\n' | '\r' => safe.push(c),
            c if c.is_control() || matches!(c, '\u{fffe}' | '\u{ffff}') => safe.push('\u{fffd}'),
            c => safe.push(c),
        }
    }
    safe
}

/// JSON for the inside of a script element: no `<`, so that no label can close the element or open a comment, and none
/// of the separators that end a line in a script.
pub(super) fn script_json(value: &serde_json::Value) -> String {
    let json = value.to_string();
    json.replace('<', "\\u003c")
        .replace('>', "\\u003e")
        .replace('&', "\\u0026")
        .replace('\u{2028}', "\\u2028")
        .replace('\u{2029}', "\\u2029")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn markup_becomes_text() {
        assert_eq!(text("<b a='1' c=\"2\">&\u{0}"), "&lt;b a=&#39;1&#39; c=&quot;2&quot;&gt;&amp;\u{fffd}");
    }

    #[test]
    fn a_label_cannot_leave_a_script() {
        let value = serde_json::json!({ "</script><!--": "a & b\u{2028}" });
        let json = script_json(&value);
        assert!(!json.contains(['<', '>', '&', '\u{2028}']), "{json}");
        assert_eq!(serde_json::from_str::<serde_json::Value>(&json).unwrap(), value);
    }
}
