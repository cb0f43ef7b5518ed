"use strict";
(() => {
  const SVG = "http://www.w3.org/2000/svg";
  const make = (name, attributes, parent) => {
    const element = document.createElementNS(SVG, name);
    for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
    parent.append(element);
    return element;
  };
  const viewers = [];

  class Viewer {
    constructor(article) {
      this.article = article;
      this.data = JSON.parse(article.querySelector("script[type='application/json']").textContent);
      this.flipped = false;
      this.line = null;
      this.at = 0;
      this.now = null;
      this.buildBoard(article.querySelector(".board"));
      this.buildControls(article.querySelector(".controls"));
      this.state = article.querySelector(".state");
      this.curve = article.querySelector(".curve");
      this.cursor = make("line", { class: "now", y1: 0, y2: 100, x1: 0, x2: 0 }, this.curve);
      this.buttons = new Map();
      for (const button of article.querySelectorAll(".mv")) {
        const line = button.dataset.line ?? null;
        const at = Number(button.dataset.at);
        this.buttons.set(`${line}/${at}`, button);
        button.addEventListener("click", () => this.show(line, at));
      }
      this.curve.addEventListener("click", (event) => {
        const box = this.curve.getBoundingClientRect();
        const last = this.data.boards.length - 1;
        this.show(null, Math.round(((event.clientX - box.left) / box.width) * last));
      });
      article.addEventListener("pointerdown", () => { Viewer.active = this; });
      this.show(null, 0);
    }

    buildBoard(parent) {
      this.svg = make("svg", { viewBox: "0 0 400 400", role: "img" }, parent);
      make("rect", { width: 400, height: 400, fill: "#f3e3c3" }, this.svg);
      this.squares = [];
      for (let index = 0; index < 50; index++) {
        const group = make("g", {}, this.svg);
        const square = make("rect", { width: 40, height: 40, fill: "#a9794f" }, group);
        const number = make("text", { x: 2, y: 9, "font-size": 9, fill: "#fff", "fill-opacity": 0.8 }, group);
        number.textContent = String(index + 1);
        const piece = make("g", {}, group);
        this.squares.push({ group, square, piece });
      }
      this.place();
    }

    place() {
      this.squares.forEach(({ group }, index) => {
        let row = Math.floor(index / 5);
        let column = (index % 5) * 2 + (row % 2 === 0 ? 1 : 0);
        if (this.flipped) [row, column] = [9 - row, 9 - column];
        group.setAttribute("transform", `translate(${column * 40} ${row * 40})`);
      });
    }

    draw(board, marked) {
      this.squares.forEach(({ square, piece }, index) => {
        square.setAttribute("fill", marked.includes(index + 1) ? "#c9a227" : "#a9794f");
        const letter = board[index];
        if (piece.dataset.letter === letter) return;
        piece.dataset.letter = letter;
        piece.replaceChildren();
        if (letter === "e") return;
        const white = letter === "w" || letter === "W";
        const look = { fill: white ? "#fdfdf8" : "#1f1f1f", stroke: white ? "#555" : "#bbb", "stroke-width": 1.5 };
        if (letter === "W" || letter === "B") {
          make("circle", { cx: 20, cy: 22, r: 16, ...look }, piece);
          make("circle", { cx: 20, cy: 17, r: 16, ...look }, piece);
          make("path", { d: "M12 11l3 9h10l3-9l-5 4l-3-6l-3 6z", fill: "#d4a017" }, piece);
        } else {
          make("circle", { cx: 20, cy: 20, r: 16, ...look }, piece);
          make("circle", { cx: 20, cy: 20, r: 10, ...look, fill: "none", "stroke-width": 1 }, piece);
        }
      });
    }

    buildControls(parent) {
      const labels = JSON.parse(parent.dataset.labels);
      const steps = [
        ["«", () => this.show(null, 0)],
        ["‹", () => this.step(-1)],
        ["›", () => this.step(1)],
        ["»", () => this.show(null, this.data.boards.length - 1)],
        ["⇅", () => { this.flipped = !this.flipped; this.place(); }],
      ];
      for (const [index, [sign, action]] of steps.entries()) {
        const button = document.createElement("button");
        button.type = "button";
        button.textContent = sign;
        button.setAttribute("aria-label", labels[index]);
        button.addEventListener("click", action);
        parent.append(button);
      }
    }

    step(by) {
      if (this.line === null) return this.show(null, this.at + by);
      const { boards } = this.data.lines[this.line];
      if (this.at + by < 0) return this.leave(this.line);
      return this.show(this.line, Math.min(this.at + by, boards.length - 1));
    }

    // Goes to the position from which a variation goes.
    leave(line) {
      const { around, from } = this.data.lines[line];
      if (around === undefined) return this.show(null, from);
      return from === 0 ? this.leave(around) : this.show(around, from - 1);
    }

    // The ply of the game from which a variation goes, through those around it.
    ply(line) {
      const { around, from } = this.data.lines[line];
      return around === undefined ? from : this.ply(around);
    }

    show(line, at) {
      const boards = line === null ? this.data.boards : this.data.lines[line].boards;
      const marks = line === null ? this.data.marks : this.data.lines[line].marks;
      this.line = line;
      this.at = Math.max(0, Math.min(at, boards.length - 1));
      this.draw(boards[this.at], marks[this.at] ?? []);
      const ply = line === null ? this.at : this.ply(line);
      this.state.textContent = this.data.states[ply] ?? "";
      const x = (ply / Math.max(1, this.data.boards.length - 1)) * 300;
      this.cursor.setAttribute("x1", x);
      this.cursor.setAttribute("x2", x);
      this.now?.classList.remove("now");
      this.now = this.buttons.get(`${line}/${this.at}`) ?? null;
      this.now?.classList.add("now");
    }
  }

  for (const article of document.querySelectorAll("article")) viewers.push(new Viewer(article));
  Viewer.active = viewers[0];
  document.addEventListener("keydown", (event) => {
    if (event.altKey || event.ctrlKey || event.metaKey || !Viewer.active) return;
    if (event.key === "ArrowLeft") Viewer.active.step(-1);
    else if (event.key === "ArrowRight") Viewer.active.step(1);
    else return;
    event.preventDefault();
  });
})();
