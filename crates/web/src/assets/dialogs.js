// The dialogs: a new game, opening, saving, settings, setting up a position, help.

import { $, copy, el, toast } from "./dom.js";
import { LANGUAGES, moment, t } from "./lang.js";
import { BOTH, CLOCKS, ELO, LEVELS } from "./play.js";
import { forget, games, saveSettings, settings } from "./store.js";
import { Game } from "./tree.js";

/** Maximum characters of a name in a list. */
const MOST_NAME = 60;

const KEYS = [
  ["← →", t("help.step")],
  ["↑ ↓", t("help.ends")],
  [t("key.tab"), t("help.squares")],
  [t("key.type"), t("help.type")],
  ["n", t("help.new")],
  ["f", t("help.flip")],
  ["t", t("help.takeback")],
  ["h", t("help.hint")],
  [t("key.undo"), t("help.undo")],
  ["PageUp, PageDown", t("help.file")],
  ["p", t("puzzles")],
  ["g", t("list")],
  ["a", t("help.mode")],
  ["e", t("help.engine")],
  ["x", t("help.threat")],
  ["?", t("help.help")],
];

/** A dialog with a heading and a close button. */
export function dialog(id, title, ...parts) {
  const close = el("button", { type: "button", class: "icon", "aria-label": t("close") }, "✕");
  const head = el("div", { class: "head" }, el("h2", { id: `${id}-title` }, title), close);
  const box = el("dialog", { id, "aria-labelledby": `${id}-title` }, head, ...parts);
  close.onclick = () => box.close();
  box.addEventListener("close", () => document.body.append($("toasts")));
  // A press and a click beside it close it; a selection that ends there does not.
  let isBeside = false;
  box.addEventListener("pointerdown", ({ clientX: x, clientY: y }) => {
    const { left, right, top, bottom } = box.getBoundingClientRect();
    isBeside = x < left || x > right || y < top || y > bottom;
  });
  box.addEventListener("click", (event) => event.target === box && isBeside && box.close());
  document.body.append(box);
  return box;
}

/** Radio buttons. */
export function choices(name, title, options, chosen, onchange) {
  const set = el("fieldset", { class: "choices", "data-name": name }, el("legend", {}, title));
  for (const [value, text, about] of options) {
    const input = el("input", { type: "radio", name, value, checked: String(value) === String(chosen) });
    input.onchange = () => onchange(value);
    set.append(el("label", {}, input, el("span", {}, text, about ? el("small", {}, about) : null)));
  }
  return set;
}

function check(text, name, apply) {
  const input = el("input", { type: "checkbox", checked: settings[name] });
  input.onchange = () => {
    settings[name] = input.checked;
    saveSettings();
    apply();
  };
  return el("label", { class: "check" }, input, text);
}

export class Dialogs {
  constructor({ session, play, files, share, apply }) {
    Object.assign(this, { session, play, files, share, apply });
    this.#makeNew();
    this.#makeOpen();
    this.#makeSave();
    this.#makeOptions();
    this.#makeHelp();
    $("new").onclick = () => this.newGame();
    $("open").onclick = () => this.#showOpen();
    $("save").onclick = () => $("save-dialog").showModal();
    $("options").onclick = () => $("options-dialog").showModal();
    $("help").onclick = () => $("help-dialog").showModal();
    $("play-here").onclick = () => this.newGame(this.session.game.at);
  }

  #makeNew() {
    const set = (name) => (value) => {
      settings[name] = value;
      saveSettings();
    };
    const sides = [["white", t("white")], ["black", t("black")], ["random", t("new.lot")], [BOTH, t("new.both")]];
    const levels = LEVELS.map(({ name, elo }, index) => [index, name, elo]);
    const words = (name) => ({ none: t("clock.none"), own: t("clock.own") })[name] ?? name.replace("+", " + ");
    const clocks = Object.keys(CLOCKS).map((name) => [name, words(name)]);
    const begin = el("button", { type: "submit", class: "primary" }, t("new.play"));
    const { min, max, step } = ELO;
    const elo = el("input", { type: "range", id: "elo", min, max, step, value: settings.elo });
    const shown = el("output", { for: "elo" }, String(settings.elo));
    const ladder = el("label", { id: "ladder", for: "elo" }, t("level.number"), shown, elo);
    elo.oninput = () => {
      shown.textContent = elo.value;
      set("elo")(Number(elo.value));
    };
    const number = (name, text, most) => {
      const input = el("input", { type: "number", min: name === "minutes" ? 1 : 0, max: most, value: settings[name] });
      input.onchange = () => input.checkValidity() && set(name)(Number(input.value));
      return el("label", { class: "check" }, text, input);
    };
    const own = el("div", { class: "tools" }, number("minutes", t("clock.minutes"), 300),
      number("seconds", t("clock.seconds"), 120));
    const against = choices("level", t("new.against"), levels, settings.level, (value) => choose("level", value));
    /** What does not apply is hidden. */
    const showParts = () => {
      against.hidden = settings.side === BOTH;
      ladder.hidden = against.hidden || !LEVELS[settings.level]?.isChosen;
      own.hidden = settings.clock !== "own";
    };
    const choose = (name, value) => {
      set(name)(value);
      showParts();
    };
    showParts();
    const form = el(
      "form",
      { method: "dialog" },
      el("p", { id: "new-note", hidden: true }, t("new.from-here")),
      choices("side", t("new.side"), sides, settings.side, (value) => choose("side", value)),
      against,
      ladder,
      choices("clock", t("new.clock"), clocks, settings.clock, (value) => choose("clock", value)),
      own,
      el("div", { class: "tools" }, begin),
    );
    form.onsubmit = () => {
      const { side, level, elo, clock } = settings;
      this.play.begin({ side, level: Number(level), elo, clock, ...this.from });
    };
    dialog("new-dialog", t("new"), form);
  }

  /** Asks for a new game, from the start position or from this one. */
  async newGame(node = null) {
    this.from = {};
    if (node) {
      const place = await this.session.place(node);
      if (place.status !== "playing") return toast(t("new.is-over"));
      this.from = { start: place.fen, board: place.board };
    }
    $("new-note").hidden = node === null;
    $("new-dialog").showModal();
  }

  #makeOpen() {
    const text = el("textarea", { id: "open-text", rows: 6, spellcheck: "false", placeholder: t("open.hint") });
    const label = el("label", { for: "open-text" }, t("open.label"));
    const file = el("input", { type: "file", id: "open-file", accept: ".pdn,.txt,.fen", hidden: true });
    const choose = el("button", { type: "button", onclick: () => file.click() }, t("open.file"));
    const go = el("button", { type: "submit", class: "primary" }, t("nav.open"));
    const form = el("form", { method: "dialog" }, label, text, el("div", { class: "tools" }, go, choose, file));
    const kept = el("ul", { id: "kept", class: "list" });
    const box = dialog("open-dialog", t("nav.open"), form, el("h3", {}, t("open.kept")), kept);
    form.onsubmit = async (event) => {
      event.preventDefault();
      if (await this.files.open(text.value)) {
        text.value = "";
        box.close();
      }
    };
    file.onchange = async () => {
      const [chosen] = file.files;
      if (chosen && (await this.files.openFile(chosen))) box.close();
      file.value = "";
    };
    const placeholder = t("list.search.hint");
    const search = el("input", { id: "list-search", type: "search", placeholder });
    search.setAttribute("aria-label", t("list.search"));
    const list = el("ul", { id: "list-games", class: "list" });
    const attributes = { type: "button", id: "list-puzzles", class: "primary", hidden: true };
    const puzzles = el("button", attributes, t("puzzle.file"));
    dialog("list", t("list"), search, el("p", { id: "list-note", role: "status" }), puzzles, list);
  }

  #showOpen() {
    this.#listKept();
    $("open-dialog").showModal();
  }

  #listKept() {
    const kept = games().filter((game) => game.moves.length);
    const items = kept.map((game) => {
      const tag = (name) => game.tags.find(([known]) => known === name)?.[1].slice(0, MOST_NAME) ?? "?";
      const open = () => {
        $("open-dialog").close();
        this.session.setGame(new Game(game));
      };
      const names = `${tag("White")} – ${tag("Black")}`;
      const result = game.result === "*" ? t("open.unfinished") : game.result;
      const about = `${result} · ${moment(game.updated)}`;
      const label = t("open.delete", { game: names });
      const remove = el("button", { type: "button", class: "icon", "aria-label": label }, "✕");
      const item = el("li", {}, el("button", { type: "button", onclick: open }, names, el("small", {}, about)), remove);
      remove.onclick = () => {
        const restore = forget(game.id);
        item.remove();
        const back = () => {
          restore();
          this.#listKept();
        };
        toast(t("open.deleted", { game: names }), "note", [t("undo"), back]);
      };
      return item;
    });
    $("kept").replaceChildren(...(items.length ? items : [el("li", {}, t("open.none"))]));
  }

  #makeSave() {
    const { files, session, share } = this;
    const item = (text, about, onclick) =>
      el("li", {}, el("button", { type: "button", onclick }, text, el("small", {}, about)));
    dialog(
      "save-dialog",
      t("save"),
      el("p", {}, t("save.about")),
      el("ul", { class: "list" },
        item(t("save.game"), t("save.game.about"), () => files.save()),
        item(t("save.all"), t("save.all.about"), () => files.saveAll()),
        item(t("save.copy"), t("save.copy.about"), () => files.copyPdn()),
        item(t("save.fen"), "FEN", () => this.copyFen(session)),
        item(t("save.link"), t("save.link.about"), () => share.link()),
        item(t("save.picture"), t("save.picture.about"), () => share.picture()),
        item(t("save.print"), t("save.print.about"), () => share.print()),
      ),
    );
  }

  async copyFen(session = this.session) {
    const place = await session.place(session.game.at);
    copy(place.fen, t("what.position"));
  }

  #makeOptions() {
    const { apply } = this;
    const select = (name, text, options) => {
      const now = String(settings[name]);
      const list = options.map(([value, words]) => el("option", { value, selected: String(value) === now }, words));
      const box = el("select", { id: `setting-${name}` }, ...list);
      box.onchange = () => {
        settings[name] = name === "lines" ? Number(box.value) : box.value;
        saveSettings();
        if (name === "language") location.reload();
        else apply();
      };
      return el("label", { class: "check", for: box.id }, text, box);
    };
    const themes = [["auto", t("settings.auto")], ["light", t("settings.light")], ["dark", t("settings.dark")]];
    const languages = [["auto", t("settings.auto")], ...Object.entries(LANGUAGES)];
    const numbers = [["squares", t("settings.squares")], ["border", t("settings.border")], ["off", t("settings.off")]];
    const boards = [["wood", t("settings.wood")], ["green", t("settings.green")], ["blue", t("settings.blue")],
      ["grey", t("settings.grey")]];
    dialog(
      "options-dialog",
      t("settings"),
      el("div", { class: "settings" },
        select("language", t("settings.language"), languages),
        select("theme", t("settings.theme"), themes),
        select("board", t("board"), boards),
        select("lines", t("settings.lines"), [1, 2, 3, 4, 5].map((count) => [count, String(count)])),
        select("numbers", t("settings.numbers"), numbers),
        check(t("settings.animate"), "animate", apply),
        check(t("settings.sounds"), "sounds", apply),
        check(t("settings.arrows"), "arrows", apply),
        check(t("settings.gauge"), "gauge", apply),
      ),
    );
  }

  #makeHelp() {
    const rows = KEYS.map(([keys, text]) => el("div", {}, el("dt", {}, el("kbd", {}, keys)), el("dd", {}, text)));
    dialog(
      "help-dialog",
      t("nav.help"),
      el("p", {}, t("help.about")),
      el("dl", { class: "keys" }, ...rows),
    );
  }
}
