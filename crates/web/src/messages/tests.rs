use super::*;
use serde_json::Value;

/// Every documented message parses without unknown fields, and every message is documented.
#[test]
fn the_documentation_has_the_messages_as_they_are() {
    // The page is in the repository, not in the package.
    let page = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/web.md");
    let page = std::fs::read_to_string(page).expect("docs/web.md of the repository");
    let blocks = page.split("```json\n").skip(1);
    let mut seen = Vec::new();
    for block in blocks {
        let text = block.split("\n```").next().expect("an end");
        let value: Value = serde_json::from_str(text).expect(text);
        let request = serde_json::from_value::<Request>(value.clone());
        let reply = serde_json::from_value::<Reply>(value.clone());
        let back = [
            request
                .ok()
                .and_then(|message| serde_json::to_value(message).ok()),
            reply
                .ok()
                .and_then(|message| serde_json::to_value(message).ok()),
        ];
        assert!(
            back.iter().flatten().any(|back| *back == value),
            "{text}\n{back:?}"
        );
        seen.push(value["type"].as_str().expect("a type").to_owned());
    }
    for kind in kinds::<Request>().into_iter().chain(kinds::<Reply>()) {
        assert!(seen.contains(&kind), "{kind}");
    }
}

/// All types of a message, which serde lists where one is unknown.
fn kinds<T: serde::de::DeserializeOwned>() -> Vec<String> {
    let error = serde_json::from_str::<T>(r#"{"id": 1, "type": "?"}"#).err();
    let error = error.expect("no such type").to_string();
    let kinds = error.split('`').skip(3).step_by(2);
    let kinds: Vec<String> = kinds.map(str::to_owned).collect();
    assert!(kinds.len() > 5, "{error}");
    kinds
}
