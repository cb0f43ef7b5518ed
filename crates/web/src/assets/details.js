// The headers of a game, shown and edited.

import { $, el } from "./dom.js";
import { dialog } from "./dialogs.js";
import { t } from "./lang.js";

const WORDS = {
  White: t("tag.White"), Black: t("tag.Black"), Event: t("tag.Event"), Site: t("tag.Site"), Date: t("tag.Date"),
  Round: t("tag.Round"), Result: t("tag.Result"),
};
const NAMES = ["White", "Black", "Event", "Site", "Date", "Round"];
const RESULTS = ["*", "2-0", "1-1", "0-2", "0-0"];
/** Tags that follow from the game. */
const FIXED = ["Result", "FEN", "SetUp", "GameType"];

export class Details {
  constructor(session) {
    this.session = session;
    this.fields = el("div", { class: "fields" });
    const done = el("button", { type: "submit", class: "primary" }, t("done"));
    const form = el("form", { method: "dialog" }, this.fields, el("div", { class: "tools" }, done));
    form.onsubmit = () => this.#write();
    dialog("details-dialog", t("details"), form);
    $("details").onclick = () => this.show();
  }

  show() {
    const { game } = this.session;
    const others = game.tags.map(([name]) => name).filter((name) => ![...NAMES, ...FIXED].includes(name));
    const field = (name, input) => [el("label", { for: `tag-${name}` }, WORDS[name] ?? name), input];
    const text = (name) => field(name, el("input", { id: `tag-${name}`, "data-tag": name, value: game.tag(name) }));
    const options = RESULTS.map((result) => el("option", { selected: result === game.result }, result));
    this.fields.replaceChildren(
      ...NAMES.flatMap(text),
      ...field("Result", el("select", { id: "tag-Result" }, ...options)),
      ...others.flatMap(text),
    );
    $("details-dialog").showModal();
  }

  #write() {
    const { session } = this;
    const { game } = session;
    session.remember(t("details"));
    for (const input of this.fields.querySelectorAll("[data-tag]")) {
      const value = input.value.trim();
      const name = input.dataset.tag;
      if (value) game.setTag(name, value);
      else game.tags = game.tags.filter(([known]) => known !== name);
    }
    game.result = $("tag-Result").value;
    session.save();
    session.changed();
    session.goTo(game.at);
  }
}
