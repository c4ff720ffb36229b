//! Trees over values as the page draws them: `{name, children}`, leaves without children.

use paretonym::taxonomy::Hierarchy;
use serde_json::{Map, Value, json};

/// A tree with more leaves is not drawn.
const DRAWN_LEAVES: usize = 5_000;

/// The tree, unless it is too large to be drawn.
pub fn drawn(hierarchy: &Hierarchy) -> Option<Value> {
    drawn_with(hierarchy, &|_| false)
}

/// The same; nodes for which `shown` holds are marked.
pub fn drawn_with(hierarchy: &Hierarchy, shown: &dyn Fn(usize) -> bool) -> Option<Value> {
    (hierarchy.leaves() <= DRAWN_LEAVES).then(|| node(hierarchy, 0, shown))
}

fn node(hierarchy: &Hierarchy, at: usize, shown: &dyn Fn(usize) -> bool) -> Value {
    let own = &hierarchy.nodes()[at];
    let mut value = Map::from_iter([("name".to_owned(), json!(own.label))]);
    if shown(at) {
        value.insert("shown".to_owned(), json!(true));
    }
    if !own.children.is_empty() {
        let children = own.children.iter().map(|child| node(hierarchy, *child as usize, shown));
        value.insert("children".to_owned(), children.collect());
    }
    Value::Object(value)
}
