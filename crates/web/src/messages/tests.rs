use super::*;
use serde_json::Value;

/// Every message of the documentation is one of ours, with no field that we do not know.
#[test]
fn the_documentation_has_the_messages_as_they_are() {
    let page = include_str!("../../../../docs/web.md");
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
    for kind in [
        "welcome",
        "position",
        "knowledge",
        "think",
        "analyse",
        "annotate",
        "stop",
        "queued",
        "info",
        "best",
        "progress",
        "annotated",
        "read_games",
        "games",
        "read_game",
        "game",
        "write_game",
        "pdn",
        "match",
        "error",
    ] {
        assert!(seen.iter().any(|known| known == kind), "{kind}");
    }
}
