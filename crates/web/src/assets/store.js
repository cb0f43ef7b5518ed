// Games and settings in the browser's storage. A game is saved after every move.

const GAME = "damier.game.";
const SETTINGS = "damier.settings";
const TAB = "damier.tab";
const PUZZLES = "damier.puzzles";
const FILE = "damier.file";
/** Maximum characters of a list of games that is kept for this tab. */
const LONGEST_LIST = 2_000_000;
/** Maximum number of stored games that were opened and not changed, or have no move. */
const MOST_OPENED = 50;

/** On a short screen two lines are in view. */
const isShort = matchMedia("(max-height: 700px) and (orientation: portrait)").matches;

const DEFAULTS = {
  language: "auto",
  theme: "auto",
  board: "wood",
  numbers: "squares",
  animate: true,
  arrows: true,
  gauge: true,
  lines: isShort ? 2 : 3,
  level: 1,
  elo: 1400,
  side: "white",
  clock: "none",
  minutes: 15,
  seconds: 5,
  sounds: false,
};

/** The storage of the browser; where it is blocked or switched off, one that ends with the page. */
function storage(name) {
  try {
    if (globalThis[name]) return globalThis[name];
  } catch {
    // It is blocked.
  }
  return Object.defineProperties({}, {
    getItem: { value(key) { return this[key] ?? null; } },
    setItem: { value(key, text) { this[key] = text; } },
    removeItem: { value(key) { delete this[key]; } },
  });
}

const [local, tab] = [storage("localStorage"), storage("sessionStorage")];

function read(key) {
  try {
    return JSON.parse(local.getItem(key));
  } catch {
    return null;
  }
}

function write(key, value) {
  try {
    local.setItem(key, JSON.stringify(value));
    return true;
  } catch {
    return false;
  }
}

/** What is stored over the usual values, but for values of another kind, which are damaged. */
function over(usual, stored) {
  const isSound = ([key, value]) => value !== null && (!(key in usual) || typeof value === typeof usual[key]);
  const isObject = stored && typeof stored === "object";
  return { ...usual, ...Object.fromEntries(Object.entries(isObject ? stored : {}).filter(isSound)) };
}

const found = read(SETTINGS);
// Earlier versions had the numbers on or off.
if (typeof found?.numbers === "boolean") found.numbers = found.numbers ? "squares" : "off";
export const settings = over(DEFAULTS, found);

export function saveSettings() {
  write(SETTINGS, settings);
}

/** What was solved of the puzzles: as in the file of `damier puzzles`. */
export function progress() {
  return over({ damier_puzzles: 1, rating: 1200, count: 0, streak: 0, best_streak: 0, seen: {} }, read(PUZZLES));
}

/** Stores it; false if there is no room. */
export const keepProgress = (all) => write(PUZZLES, all);

/** All stored games, newest first. */
export function games() {
  const keys = Object.keys(local).filter((key) => key.startsWith(GAME));
  const kept = keys.map(read).filter((game) => game?.id && Array.isArray(game.moves));
  return kept.sort((a, b) => b.updated - a.updated);
}

/** The stored games that were opened and not changed, or have no move; only these are dropped without asking. */
const droppable = () => games().filter((game) => game.opened || !game.moves.length);

/** Stores a game; false if there is no room even without opened games. Empty games are not stored. */
export function keep(game) {
  if (game.isPuzzle) return true;
  try {
    tab.setItem(TAB, game.id);
  } catch {
    // There is no room: after a reload the newest game goes on.
  }
  if (!game.root.children.length && !game.play && !game.start) return true;
  if (write(GAME + game.id, game.kept())) return true;
  const old = droppable().filter((other) => other.id !== game.id);
  while (old.length) {
    local.removeItem(GAME + old.pop().id);
    if (write(GAME + game.id, game.kept())) return true;
  }
  return false;
}

/** Keeps the list of a file until this tab closes, or forgets the one before if this one is too long. */
export function keepFile(file) {
  tab.removeItem(FILE);
  if (file.games.reduce((sum, game) => sum + game.text.length, 0) > LONGEST_LIST) return;
  try {
    tab.setItem(FILE, JSON.stringify(file));
  } catch {
    // There is no room: the list ends with the page.
  }
}

/** The kept list of a file. */
export function keptFile() {
  try {
    return JSON.parse(tab.getItem(FILE));
  } catch {
    return null;
  }
}

/** Removes a stored game; returns a function that puts it back. */
export function forget(id) {
  const text = local.getItem(GAME + id);
  local.removeItem(GAME + id);
  return () => local.setItem(GAME + id, text);
}

/** A stored game. */
export const stored = (id) => read(GAME + id);

/** Makes room for new games. */
export function tidy() {
  for (const game of droppable().slice(MOST_OPENED)) forget(game.id);
}

/** The game that this tab has locked, and the function that unlocks it. */
let held = null;
let unlock = () => {};

/**
 * Locks a game for this tab until it has another one or closes, if the browser has locks; false if another tab holds
 * the lock.
 */
export function hold(id) {
  if (!navigator.locks || id === held) return Promise.resolve(true);
  return new Promise((resolve) => {
    navigator.locks.request(GAME + id, { ifAvailable: true }, (lock) => {
      if (lock) {
        unlock();
        held = id;
      }
      resolve(lock !== null);
      return lock && new Promise((end) => (unlock = end));
    }).catch(() => resolve(true));
  });
}

/** The game to continue: that of this tab, or else the newest one that no other tab holds. */
export async function last() {
  const all = games();
  const own = tab.getItem(TAB);
  const order = [...all.filter((game) => game.id === own), ...all.filter((game) => game.id !== own)];
  for (const game of order.slice(0, 8)) {
    if (await hold(game.id)) return game;
  }
  return null;
}
