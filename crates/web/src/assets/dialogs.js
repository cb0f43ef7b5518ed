// The dialogs: a new game, opening, saving, settings, setting up a position, help.

import { $, copy, el, toast } from "./dom.js";
import { BOTH, CLOCKS, ELO, LEVELS } from "./play.js";
import { forget, games, saveSettings, settings } from "./store.js";
import { Game } from "./tree.js";
import { textOf } from "./files.js";

const KEYS = [
  ["← →", "one move back, one forward (also on the board's squares: to the next square)"],
  ["↑ ↓", "first and last position"],
  ["Tab, then arrows, Enter", "choose squares on the board"],
  ["type 32-28, Enter", "play a move"],
  ["n", "new game"],
  ["f", "turn the board"],
  ["t", "take back"],
  ["h", "hint"],
  ["u or Ctrl Z", "undo a change of the game"],
  ["PageUp, PageDown", "previous and next game of the file"],
  ["a", "play or analyse"],
  ["e", "engine on or off"],
  ["x", "threat: what the other side would play"],
  ["?", "this help"],
];

/** A dialog with a heading and a close button. */
export function dialog(id, title, ...parts) {
  const close = el("button", { type: "button", class: "icon", "aria-label": "Close" }, "✕");
  const head = el("div", { class: "head" }, el("h2", { id: `${id}-title` }, title), close);
  const box = el("dialog", { id, "aria-labelledby": `${id}-title` }, head, ...parts);
  close.onclick = () => box.close();
  box.addEventListener("close", () => document.body.append($("toasts")));
  box.addEventListener("click", (event) => event.target === box && box.close());
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
    const sides = [["white", "White"], ["black", "Black"], ["random", "By lot"], [BOTH, "Two at one board"]];
    const levels = LEVELS.map(({ name, elo }, index) => [index, name, elo]);
    const words = (name) => ({ none: "No clock", own: "Other" })[name] ?? name.replace("+", " + ");
    const clocks = Object.keys(CLOCKS).map((name) => [name, words(name)]);
    const begin = el("button", { type: "submit", class: "primary" }, "Play");
    const { min, max, step } = ELO;
    const elo = el("input", { type: "range", id: "elo", min, max, step, value: settings.elo });
    const shown = el("output", { for: "elo" }, String(settings.elo));
    const ladder = el("label", { id: "ladder", for: "elo" }, "Level ", shown, elo);
    elo.oninput = () => {
      shown.textContent = elo.value;
      set("elo")(Number(elo.value));
    };
    const number = (name, text, most) => {
      const input = el("input", { type: "number", min: name === "minutes" ? 1 : 0, max: most, value: settings[name] });
      input.onchange = () => input.checkValidity() && set(name)(Number(input.value));
      return el("label", { class: "check" }, text, input);
    };
    const own = el("div", { class: "tools" }, number("minutes", "Minutes", 300), number("seconds", "Seconds a move", 120));
    const against = choices("level", "Against", levels, settings.level, (value) => choose("level", value));
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
      el("p", { id: "new-note", hidden: true }, "The game begins from the position on the board."),
      choices("side", "You play", sides, settings.side, (value) => choose("side", value)),
      against,
      ladder,
      choices("clock", "Minutes + seconds a move", clocks, settings.clock, (value) => choose("clock", value)),
      own,
      el("div", { class: "tools" }, begin),
    );
    form.onsubmit = () => {
      const { side, level, elo, clock } = settings;
      this.play.begin({ side, level: Number(level), elo, clock, ...this.from });
    };
    dialog("new-dialog", "New game", form);
  }

  /** Asks for a new game, from the start position or from this one. */
  async newGame(node = null) {
    this.from = {};
    if (node) {
      const place = await this.session.place(node);
      if (place.status !== "playing") return toast("The game is over in this position");
      this.from = { start: place.fen, board: place.board };
    }
    $("new-note").hidden = node === null;
    $("new-dialog").showModal();
  }

  #makeOpen() {
    const text = el("textarea", { id: "open-text", rows: 6, spellcheck: "false", placeholder: "FEN, PDN or moves" });
    const label = el("label", { for: "open-text" }, "Paste a position (FEN) or a game (PDN), or drop a file anywhere");
    const file = el("input", { type: "file", id: "open-file", accept: ".pdn,.txt,.fen", "aria-label": "A file" });
    const go = el("button", { type: "submit", class: "primary" }, "Open");
    const form = el("form", { method: "dialog" }, label, text, el("div", { class: "tools" }, go, file));
    const kept = el("ul", { id: "kept", class: "list" });
    const box = dialog("open-dialog", "Open", form, el("h3", {}, "Your games"), kept);
    form.onsubmit = async (event) => {
      event.preventDefault();
      if (await this.files.open(text.value)) {
        text.value = "";
        box.close();
      }
    };
    file.onchange = async () => {
      const [chosen] = file.files;
      if (chosen && (await this.files.open(await textOf(chosen), chosen.name))) box.close();
      file.value = "";
    };
    const placeholder = "Search: a player, an event, a year";
    const search = el("input", { id: "list-search", type: "search", placeholder });
    search.setAttribute("aria-label", "Search");
    const list = el("ul", { id: "list-games", class: "list" });
    dialog("list", "Games", search, el("p", { id: "list-note", role: "status" }), list);
  }

  #showOpen() {
    this.#listKept();
    $("open-dialog").showModal();
  }

  #listKept() {
    const kept = games().filter((game) => game.moves.length);
    const items = kept.map((game) => {
      const tag = (name) => game.tags.find(([known]) => known === name)?.[1] ?? "?";
      const open = () => {
        $("open-dialog").close();
        this.session.setGame(new Game(game));
      };
      const names = `${tag("White")} – ${tag("Black")}`;
      const result = game.result === "*" ? "unfinished" : game.result;
      const about = `${result} · ${new Date(game.updated).toLocaleString()}`;
      const remove = el("button", { type: "button", class: "icon", "aria-label": `Delete ${names}` }, "✕");
      const item = el("li", {}, el("button", { type: "button", onclick: open }, names, el("small", {}, about)), remove);
      remove.onclick = () => {
        const restore = forget(game.id);
        item.remove();
        const back = () => {
          restore();
          this.#listKept();
        };
        toast(`${names} deleted`, "note", ["Undo", back]);
      };
      return item;
    });
    $("kept").replaceChildren(...(items.length ? items : [el("li", {}, "None yet")]));
  }

  #makeSave() {
    const { files, session, share } = this;
    const item = (text, about, onclick) =>
      el("li", {}, el("button", { type: "button", onclick }, text, el("small", {}, about)));
    dialog(
      "save-dialog",
      "Save and share",
      el("p", {}, "Games are kept in this browser by themselves. Here you get them out."),
      el("ul", { class: "list" },
        item("Save the game as a file", "PDN, with comments and variations", () => files.save()),
        item("Save all games as a file", "PDN, all that this browser keeps", () => files.saveAll()),
        item("Copy the game", "PDN, to paste elsewhere", () => files.copyPdn()),
        item("Copy the position", "FEN", () => this.copyFen(session)),
        item("Copy a link", "with the game in it, for whoever can open this page", () => share.link()),
        item("Save a picture", "PNG, of the position on the board", () => share.picture()),
        item("Print", "or PDF: the position and the moves, in black and white", () => share.print()),
      ),
    );
  }

  async copyFen(session = this.session) {
    const place = await session.place(session.game.at);
    copy(place.fen, "The position");
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
        apply();
      };
      return el("label", { class: "check", for: box.id }, text, box);
    };
    const themes = [["auto", "As the system"], ["light", "Light"], ["dark", "Dark"]];
    const boards = [["wood", "Wood"], ["green", "Green"], ["blue", "Blue"], ["grey", "Grey"]];
    dialog(
      "options-dialog",
      "Settings",
      el("div", { class: "settings" },
        select("theme", "Page", themes),
        select("board", "Board", boards),
        select("lines", "Lines of the analysis", [1, 2, 3, 4, 5].map((count) => [count, String(count)])),
        select("numbers", "Numbers", [["squares", "On the squares"], ["border", "At the border"], ["off", "None"]]),
        check("Animated moves", "animate", apply),
        check("Sounds", "sounds", apply),
        check("Arrows in the analysis", "arrows", apply),
        check("Gauge beside the board", "gauge", apply),
      ),
    );
  }

  #makeHelp() {
    const rows = KEYS.map(([keys, text]) => el("div", {}, el("dt", {}, el("kbd", {}, keys)), el("dd", {}, text)));
    dialog(
      "help-dialog",
      "Keys and help",
      el("p", {}, "Drag a piece, or click it and then the square it goes to. Pieces that must capture are framed. "
        + "If a piece can capture in several ways, click the squares on its way."),
      el("dl", { class: "keys" }, ...rows),
    );
  }
}
