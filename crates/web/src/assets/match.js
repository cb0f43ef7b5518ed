// The watched match: games in progress on small boards, the cross table, the last games.

import { $, announce, el, toast } from "./dom.js";
import { smallBoard } from "./board.js";
import { dialog } from "./dialogs.js";
import { decimal, n, t } from "./lang.js";

function clock(seconds) {
  const left = Math.max(Math.floor(seconds), 0);
  return `${Math.floor(left / 60)}:${String(left % 60).padStart(2, "0")}`;
}

/** A player of a game in progress: name, score, clock. */
function player(game, index) {
  const isTurn = (game.board[0] === "W") === (index === 0);
  const score = game.scores[index];
  const left = game.clocks[index];
  const words = [
    score === null ? "" : `${score > 0 ? "+" : score < 0 ? "−" : ""}${decimal(Math.abs(score), 2)}`,
    left === null ? "" : clock(left - (isTurn ? game.thinking : 0)),
  ];
  const name = index ? game.black : game.white;
  const marks = { class: `seat ${index ? "black" : "white"}${isTurn ? " turn" : ""}` };
  return el("span", marks, el("span", {}, name), el("span", {}, words.filter(Boolean).join(" · ")));
}

export class Match {
  constructor(session, files) {
    Object.assign(this, { session, files });
    const box = dialog(
      "match-dialog", t("match"),
      el("p", { id: "match-note" }),
      el("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": t("match.table") },
        el("table", { id: "match-table" })),
      el("h3", { id: "live-title", hidden: true }, t("match.live")),
      el("ul", { id: "live-games" }),
      el("h3", { id: "last-title", hidden: true }, t("match.last")),
      el("ul", { id: "match-games", class: "list" }),
      el("button", { type: "button", id: "match-earlier", hidden: true }, t("match.earlier")),
    );
    $("match-earlier").onclick = () => this.#showEarlier().catch((error) => toast(error.message, "bad"));
    box.addEventListener("close", () => {
      this.end();
      this.#changeAnalysis();
    });
    $("match").onclick = () => this.show();
  }

  show() {
    if ($("match-dialog").open) return;
    this.revision = null;
    this.games = new Map();
    this.end = this.session.socket.follow({ type: "match", follow: true }, { type: "match" }, (message) => {
      const { type, standings, live } = message;
      if (type === "error") return void ($("match-note").textContent = message.message);
      this.#note(standings, live);
      if (standings && standings.revision !== this.revision) this.#showStandings(standings);
      this.#showLive(live?.games ?? []);
    });
    $("match-dialog").showModal();
    this.#changeAnalysis();
  }

  /** An analysis stops while the dialog is open. */
  #changeAnalysis() {
    if (this.session.mode === "analyse") this.session.look();
  }

  #note(standings, live) {
    const played = standings?.revision ?? 0;
    const ended = played ? t("match.ended", { count: played }) : t("match.none");
    $("match-note").textContent = live ? t("match.played", { count: live.played, all: live.total }) : ended;
  }

  #open(pdn) {
    $("match-dialog").close();
    this.files.openGame(pdn).catch((error) => toast(error.message, "bad"));
  }

  /** Keeps the buttons of running games, and with them the keyboard focus. */
  #showLive(games) {
    const list = $("live-games");
    for (const item of [...list.children]) {
      if (games.some((game) => String(game.game) === item.dataset.game)) continue;
      if (item.matches(".large")) this.#showEnd(item);
      else item.remove();
    }
    $("live-title").hidden = !games.length && !list.children.length;
    for (const game of games) {
      let item = list.querySelector(`[data-game="${game.game}"]`);
      if (!item) {
        item = el("li", { "data-game": game.game }, el("button", { type: "button", "aria-expanded": "false" }),
          el("button", { type: "button", class: "copy-game" }, t("match.copy", { game: game.game })));
        list.append(item);
      }
      const button = item.firstChild;
      // A click follows the game on a large board; only its button opens a copy.
      button.onclick = () => {
        const isLarge = item.classList.toggle("large");
        button.setAttribute("aria-expanded", String(isLarge));
        item.scrollIntoView({ block: "center" });
      };
      item.children[1].onclick = () => this.#open(game.pdn);
      item.players = [game.white, game.black];
      const state = JSON.stringify([game.board, game.scores]);
      if (item.dataset.state !== state) {
        item.dataset.state = state;
        const count = el("small", {}, t("match.at", { game: game.game, move: Math.floor(game.plies / 2) + 1 }));
        button.replaceChildren(el("span", {}), smallBoard(game.board, game.last), el("span", {}), count);
      }
      const spans = button.querySelectorAll(":scope > span");
      spans[0].replaceChildren(player(game, 1));
      spans[1].replaceChildren(player(game, 0));
    }
  }

  /** A game that was followed to its end stays until it is closed, with its last position and result. */
  async #showEnd(item) {
    const [white, black] = item.players;
    const ended = [...this.games.values()].filter((game) => game.white === white && game.black === black
      && game.pdn.includes(`[Round "${item.dataset.game}"]`)).sort((a, b) => b.number - a.number)[0];
    if (!ended || item.dataset.state === "ended") return;
    item.dataset.state = "ended";
    const { game } = await this.session.socket.ask({ type: "read_game", text: ended.pdn });
    const last = game.moves[game.moves.length - 1];
    const [button, copy] = item.children;
    button.onclick = () => {
      item.remove();
      $("live-title").hidden = !$("live-games").children.length;
    };
    if (last) button.querySelector(".picture").replaceWith(smallBoard(last.board, [last.way[0], last.way.at(-1)]));
    const result = t("match.game", { game: item.dataset.game, result: ended.result });
    button.querySelector("small").textContent = result;
    announce(result);
    copy.textContent = t("tab.analyse");
    copy.onclick = () => this.#open(ended.pdn);
  }

  #showStandings({ players, games, revision }) {
    this.revision = revision;
    const elo = ([value, low, high]) =>
      [`${Math.round(value)} `, el("small", {}, `[${Math.round(low)}, ${Math.round(high)}]`)];
    const head = [["", ""], ["Elo", ""], ["+", t("match.won")], ["=", t("match.drawn")], ["−", t("match.lost")],
      ...players.map(({ name }, index) => [String(index + 1), name])];
    const over = el("tr", { class: "over" }, el("td", { colspan: 5 }),
      el("th", { scope: "colgroup", colspan: players.length }, t("match.against")));
    const row = (player, index) => el("tr", {},
      el("th", { scope: "row" }, `${index + 1}. ${player.name}`),
      ...[player.elo ? elo(player.elo) : "–", player.won, player.drawn, player.lost,
        ...player.against.map((points) => points ?? "–")].map((cell) => el("td", {}, ...[cell].flat())));
    $("match-table").replaceChildren(
      el("caption", {}, t("match.about")),
      el("thead", {}, over, el("tr", {}, ...head.map(([text, title]) =>
        el(text ? "th" : "td", text && { scope: "col", title, "aria-label": title || null }, text)))),
      el("tbody", {}, ...players.map(row)),
    );
    $("last-title").hidden = !games.length;
    // Fewer games than before: another file.
    if (Math.max(0, ...this.games.keys()) > revision) this.games.clear();
    this.#showGames(games);
  }

  /** The number of the oldest game before which one is missing in the list; 0 without games. */
  get #oldest() {
    let number = Math.max(0, ...this.games.keys());
    while (this.games.has(number - 1)) number--;
    return number;
  }

  /** Adds finished games to the list, newest first. */
  #showGames(games) {
    for (const game of games) this.games.set(game.number, game);
    const all = [...this.games.values()].sort((a, b) => b.number - a.number);
    $("match-earlier").hidden = this.#oldest <= 1;
    $("match-games").replaceChildren(...all.map((game) => {
      const place = t("match.game", { game: game.number, result: game.result });
      const about = el("small", {}, `${place} · ${n("plies", Math.ceil(game.plies / 2))}`);
      const onclick = () => this.#open(game.pdn);
      return el("li", {}, el("button", { type: "button", onclick }, `${game.white} – ${game.black}`, about));
    }));
  }

  async #showEarlier() {
    const { games, more } = await this.session.socket.ask({ type: "match_games", before: this.#oldest });
    this.#showGames(games);
    if (!more) $("match-earlier").hidden = true;
  }
}
