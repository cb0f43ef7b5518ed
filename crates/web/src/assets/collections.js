// Collections: the games of files that were opened, in the browser's IndexedDB.

/** Most characters of the games of a collection. */
export const MOST = 10_000_000;
const STORE = "collections";

/** Calls a method of the store of collections, each a name with games. */
export const collections = (method, ...values) => new Promise((resolve, reject) => {
  const opening = indexedDB.open("damier", 1);
  opening.onupgradeneeded = () => opening.result.createObjectStore(STORE, { keyPath: "name" });
  opening.onerror = () => reject(opening.error);
  opening.onsuccess = () => {
    const transaction = opening.result.transaction(STORE, "readwrite");
    const request = transaction.objectStore(STORE)[method](...values);
    transaction.oncomplete = () => resolve(request.result);
    transaction.onabort = () => reject(transaction.error);
    opening.result.close();
  };
});

/** Letters that are no others with an accent, as in crates/base/src/file/names.rs. */
const LETTERS = { ł: "l", ø: "o", đ: "d", ð: "d", ħ: "h", ı: "i", ŧ: "t", ς: "σ", ß: "ss", æ: "ae", œ: "oe", þ: "th" };
const folded = (text = "") => text.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase().normalize("NFKD")
  .replace(/\p{M}/gu, "").replace(/[łøđðħıŧςßæœþ]/g, (letter) => LETTERS[letter]);

/** All words are in a text, without accents and capitals. */
const has = (text, words) => folded(words).split(/[\s,]+/).every((word) => folded(text).includes(word));

/** A date as a number, 20010531; `rest` stands for what is not known. */
function day(text, rest) {
  const parts = text.split(/[-./]/);
  if (parts[parts.length - 1].length === 4) parts.reverse();
  const [year, month, last] = parts.map(Number);
  return year * 10000 + (month || rest) * 100 + (last || rest);
}

/** The moves of a text, as pairs of squares. */
function line(text) {
  const plain = text.replace(/\{[^}]*\}|\[[^\]]*\]|\([^()]*\)/g, "");
  return [...plain.matchAll(/(\d+)[-x:](?:\d+[x:])*(\d+)/g)].map(([, from, to]) => `${from}-${to} `).join("");
}

/** Whether a game is wanted, as in a base. */
export function isWanted(game, { players = [], event, result, from, to, opening }) {
  return players.every((player) => has(game.white, player) || has(game.black, player))
    && (!event || has(game.event, event))
    && (!result || game.result === result)
    && (!from || day(game.date, 0) >= day(from, 0))
    && (!to || day(game.date, 0) <= day(to, 99))
    && (!opening || !game.text.includes("[FEN") && line(game.text).startsWith(line(opening)));
}
