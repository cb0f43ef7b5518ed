// The base of games and the collections: search, explorer, adding games.

import { bar } from "./analysis.js";
import { MOST, collections, isWanted } from "./collections.js";
import { dialog } from "./dialogs.js";
import { $, el, toast } from "./dom.js";
import { t } from "./lang.js";

/** Games of a list that come at once. */
const PAGE = 50;
/** Characters of games in a message. */
const PART = 200_000;
/** Most moves in the explorer. */
const SHOWN = 8;

const tell = (error) => toast(error.message, "bad");

/** Texts in parts that fit a message. */
function parts(texts) {
  const all = [];
  let left = 0;
  for (const text of texts) {
    if (left < text.length) {
      all.push([]);
      left = PART;
    }
    all[all.length - 1].push(text);
    left -= text.length;
  }
  return all;
}

export class Base {
  /** The collection that is searched; null for the base. */
  #kept = null;
  /** The games found. */
  #file = null;
  #isExploring = false;

  constructor(session, files) {
    Object.assign(this, { session, files });
    this.#makeSearch();
    this.#makeButtons();
    session.addEventListener("moved", () => this.#explore());
  }

  get #name() {
    return this.session.socket.welcome?.base;
  }

  #ask(type, values) {
    return this.session.socket.ask({ type, ...values });
  }

  #line() {
    const { at, start } = this.session.game;
    return { moves: at.moves, ...(start ? { start } : {}) };
  }

  #makeSearch() {
    const field = (name, text, placeholder, ...options) => {
      const props = { id: `base-${name}`, name, placeholder };
      return [el("label", { for: props.id }, text), el(options.length ? "select" : "input", props, ...options)];
    };
    const results = [["", "puzzle.all"], ["2-0", "over.white"], ["1-1", "over.draw"], ["0-2", "over.black"]];
    const options = results.map(([value, key]) => el("option", { value }, t(key)));
    const fields = [
      field("players", t("base.player")),
      field("event", t("tag.Event")),
      field("from", t("base.from"), "1970"),
      field("to", t("base.to"), "1979.12"),
      field("opening", t("report.opening"), "32-28 19-23"),
      field("material", t("base.material"), "4x3"),
      field("result", t("tag.Result"), null, ...options),
      field("collection", t("base.collection"), null, ""),
    ];
    const here = el("label", { class: "check" }, el("input", { type: "checkbox", name: "here" }), t("base.here"));
    const go = el("button", { type: "submit", class: "primary" }, t("list.search"));
    this.form = el("form", {}, el("div", { class: "fields" }, ...fields), el("div", { class: "tools" }, here, go));
    this.form.onsubmit = (event) => {
      event.preventDefault();
      this.#search();
    };
    this.note = el("p", { id: "base-note", role: "status" });
    this.list = el("ul", { id: "base-games", class: "list" });
    this.box = dialog("base-dialog", t("list"), this.form, this.note, this.list);
  }

  #makeButtons() {
    this.sources = el("ul", { id: "collections", class: "list" });
    $("kept").before(this.sources);
    $("open").addEventListener("click", () => this.#list());
    this.adder = el("button", { type: "button", id: "list-add", hidden: true });
    $("list-puzzles").after(this.adder);
    const onclick = () => this.files.pdn().then((text) => this.#add([text], this.files.name), tell);
    const one = el("button", { type: "button", id: "add", hidden: true, onclick });
    $("more-tools").append(one);
    this.session.socket.addEventListener("state", () => {
      if (!this.#name) return;
      one.hidden = false;
      this.adder.textContent = one.textContent = t("base.add", { name: this.#name });
    });
  }

  /** Lists the base and the collections in the dialog for opening. */
  async #list() {
    const entry = (name, isKept) => {
      const onclick = () => {
        $("open-dialog").close();
        this.show(isKept && name);
      };
      const open = el("button", { type: "button", onclick }, name);
      if (!isKept) return el("li", {}, open);
      const label = t("open.delete", { game: name });
      const remove = el("button", { type: "button", class: "icon", "aria-label": label }, "✕");
      remove.onclick = async () => {
        const kept = await collections("get", name);
        await collections("delete", name);
        this.#list();
        const back = () => collections("put", kept).then(() => this.#list());
        toast(t("open.deleted", { game: name }), "note", [t("undo"), back]);
      };
      return el("li", {}, open, remove);
    };
    const all = (await collections("getAllKeys").catch(() => [])).map((name) => entry(name, true));
    if (this.#name) all.unshift(entry(this.#name));
    this.sources.replaceChildren(...all);
  }

  /** Shows the search in a collection, or in the base. */
  async show(name, isHere) {
    if (!name && !this.#name) return $("open").click();
    this.#kept = name ? await collections("get", name) : null;
    this.form.reset();
    this.form.material.disabled = Boolean(name);
    await this.#offerCollections();
    $("base-dialog-title").textContent = name || this.#name;
    this.form.here.checked = isHere;
    this.box.showModal();
    this.#search();
  }

  /** The collections of the base to choose from. */
  async #offerCollections() {
    const { collection } = this.form;
    const { collections: all = [] } = this.#kept ? {} : await this.#ask("base").catch(() => ({}));
    const names = ["", ...all.map(({ name }) => name)];
    collection.replaceChildren(...names.map((value) => el("option", { value }, value || t("puzzle.all"))));
    for (const part of [collection, ...collection.labels]) part.hidden = !all.length;
  }

  #search() {
    const filled = [...new FormData(this.form)].filter(([, value]) => value.trim());
    const { here, players, ...wanted } = Object.fromEntries(filled);
    if (players) wanted.players = players.split(";");
    const read = (this.#kept ? this.#inCollection : this.#inBase).call(this, wanted, here && this.#line());
    const file = { games: [], name: $("base-dialog-title").textContent, show: () => this.box.showModal() };
    const load = async () => {
      const { found, games } = await read(file.games.length);
      file.all = found;
      file.games.push(...games);
      if (this.#file === file) this.#show(file, games);
    };
    file.more = () => (file.loading ??= load().catch(tell).finally(() => (file.loading = null)));
    this.#file = file;
    this.list.replaceChildren();
    this.note.textContent = "";
    file.more();
  }

  #show(file, games) {
    const { all, name } = file;
    $("base-more")?.remove();
    this.list.append(...games.map((game) => this.files.entry(game, this.box, file)));
    this.note.textContent = t("list.count.in", { count: file.games.length, all, name });
    if (file.games.length === all) return;
    const more = el("button", { type: "button", onclick: file.more }, t("more"));
    this.list.append(el("li", { id: "base-more" }, more));
  }

  /** Reads games of the base from a place on. */
  #inBase(wanted, position) {
    return async (offset) => {
      const { found, games } = await this.#ask("base_search", { wanted, position, newest: true, offset, limit: PAGE });
      return { found, games: games.map((game) => ({ ...game, text: "" })) };
    };
  }

  /** The text of a game of the base. */
  async read({ game }) {
    return (await this.#ask("base_game", { game })).pdn;
  }

  /** The same of a collection. The server has the rules, and says which games had it. */
  #inCollection(wanted, position) {
    let all = this.#kept.games.filter((game) => isWanted(game, wanted));
    return async (offset) => {
      if (position && !offset) {
        const had = [];
        let begin = 0;
        for (const games of parts(all.map(({ text }) => text))) {
          const { found } = await this.#ask("games_with", { games, ...position });
          for (const { index, ply } of found) had.push({ ...all[begin + index], ply });
          begin += games.length;
        }
        all = had;
      }
      return { found: all.length, games: all.slice(offset, offset + PAGE) };
    };
  }

  /** Keeps the games of a file as a collection, and offers to add them to the base. */
  offer(all, name) {
    const games = all.filter((game) => !game.error);
    this.adder.hidden = !games.length || !this.#name;
    this.adder.onclick = () => this.#add(games.map(({ text }) => text), name || "PDN", name || undefined);
    if (!name || !games.length) return;
    const size = games.reduce((sum, { text }) => sum + text.length, 0);
    const kept = size > MOST ? Promise.reject() : collections("put", { name, games });
    kept.catch(() => toast(t("base.full", { name, size: MOST / 1e6 })));
  }

  /** Adds games to the base, and to a collection of it if they have one. */
  async #add(texts, name, collection) {
    const sum = { games: 0, duplicates: 0, left_out: 0 };
    try {
      for (const part of parts(texts)) {
        const added = await this.#ask("base_import", { name, text: part.join("\n\n"), collection });
        for (const count of Object.keys(sum)) sum[count] += added[count];
      }
      toast(t("base.added", sum));
    } catch (error) {
      tell(error);
    }
    this.session.game.at.explored = null;
    this.#explore();
  }

  /** Shows what was played in the position on the board; one question at a time. */
  async #explore() {
    const { session } = this;
    if (!this.#name || session.mode !== "analyse" || this.#isExploring) return;
    this.#isExploring = true;
    let node;
    do {
      node = session.game.at;
      node.explored ??= await this.#ask("base_explore", this.#line()).catch(({ message }) => ({ message }));
    } while (session.game.at !== node);
    this.#isExploring = false;
    this.#showMoves(node);
  }

  #showMoves(node) {
    const { games: all, moves = [], message } = node.explored;
    const button = (text, onclick) => el("button", { type: "button", class: "move", onclick }, text);
    const items = moves.slice(0, SHOWN).map(({ move, games, white, draws, black }) => {
      const play = () => this.session.game.at === node && this.session.play(move);
      const wdl = [white, draws, black].map((count) => count / (white + draws + black || 1));
      return el("span", {}, button(move, play), games, wdl.some(Boolean) ? bar({ wdl }, 1) : null);
    });
    const search = button(`${t("list")}: ${message ?? all}`, () => this.show(null, true));
    $("explorer").replaceChildren(search, ...items);
  }
}
