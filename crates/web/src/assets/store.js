// What the browser keeps: games and settings. A game is written after every move, so that nothing can lose it.

const GAME = "damier.game.";
const SETTINGS = "damier.settings";
const TAB = "damier.tab";
/** Most games kept that were opened and are as they were, or have no move. */
const MOST_OPENED = 50;

const DEFAULTS = {
  theme: "auto",
  board: "wood",
  numbers: true,
  animate: true,
  arrows: true,
  gauge: true,
  lines: 3,
  level: 1,
  elo: 1400,
  side: "white",
  clock: "none",
};

function read(key) {
  try {
    return JSON.parse(localStorage.getItem(key));
  } catch {
    return null;
  }
}

function write(key, value) {
  try {
    localStorage.setItem(key, JSON.stringify(value));
    return true;
  } catch {
    return false;
  }
}

export const settings = { ...DEFAULTS, ...read(SETTINGS) };

export function saveSettings() {
  write(SETTINGS, settings);
}

/** All games kept, the last one first. */
export function games() {
  const keys = Object.keys(localStorage).filter((key) => key.startsWith(GAME));
  const kept = keys.map(read).filter((game) => game?.id && Array.isArray(game.moves));
  return kept.sort((a, b) => b.updated - a.updated);
}

/** The same, those alone that were opened and are as they were, or have no move: only these are dropped unasked. */
const droppable = () => games().filter((game) => game.opened || !game.moves.length);

/** Keeps a game; false where there is no room even without those opened before. Empty games are not kept. */
export function keep(game) {
  sessionStorage.setItem(TAB, game.id);
  if (!game.root.children.length && !game.play && !game.start) return true;
  if (write(GAME + game.id, game.kept())) return true;
  const old = droppable().filter((other) => other.id !== game.id);
  while (old.length) {
    localStorage.removeItem(GAME + old.pop().id);
    if (write(GAME + game.id, game.kept())) return true;
  }
  return false;
}

export function forget(id) {
  localStorage.removeItem(GAME + id);
}

/** Makes room for new games. */
export function tidy() {
  for (const game of droppable().slice(MOST_OPENED)) forget(game.id);
}

/** Holds a game for this tab where the browser has locks, until the page goes; false where another tab holds it. */
export function hold(id) {
  if (!navigator.locks) return Promise.resolve(true);
  return new Promise((resolve) => {
    const forever = new Promise(() => {});
    navigator.locks.request(GAME + id, { ifAvailable: true }, (lock) => {
      resolve(lock !== null);
      return lock ? forever : undefined;
    });
  });
}

/** The game to go on with: that of this tab, or else the last one that no other tab has. */
export async function last() {
  const all = games();
  const own = sessionStorage.getItem(TAB);
  const order = [...all.filter((game) => game.id === own), ...all.filter((game) => game.id !== own)];
  for (const game of order.slice(0, 8)) {
    if (await hold(game.id)) return game;
  }
  return null;
}
