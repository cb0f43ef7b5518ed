// The text of the page, in the language chosen in the settings or that of the browser. English stands in for what the
// file of another language lacks.

import english from "./lang/en.js";
import { settings } from "./store.js";

/** The languages that have a file `lang/CODE.js`, in their own words. */
export const LANGUAGES = { en: "English", nl: "Nederlands", fr: "Français", de: "Deutsch", ru: "Русский" };

const wanted = [settings.language, ...navigator.languages].map((code) => code.split("-")[0].toLowerCase());
const language = wanted.find((code) => Object.hasOwn(LANGUAGES, code)) ?? "en";
const loaded = language === "en" ? null : await import(`./lang/${language}.js`).catch(() => null);
const words = { ...english, ...loaded?.default };
const forms = new Intl.PluralRules(language);

document.documentElement.lang = language;

/** The text of a key; `{name}` in it stands for the value of that name. */
export function t(key, values = {}) {
  return (words[key] ?? key).replace(/\{(\w+)\}/g, (_, name) => String(values[name]));
}

/** The text of a key in the form for a count, which is also `{count}` in it. */
export function n(key, count, values = {}) {
  const form = `${key}.${forms.select(count)}`;
  return t(form in words ? form : `${key}.other`, { count, ...values });
}

/** A number with decimals. */
export function decimal(value, digits) {
  return value.toLocaleString(language, { minimumFractionDigits: digits, maximumFractionDigits: digits });
}

/** Date and time of a moment in milliseconds. */
export const moment = (time) => new Date(time).toLocaleString(language);

/** Fills in the texts of the page: `data-t` is the key of the text of an element, `data-t-NAME` that of an attribute. */
export function translate() {
  for (const element of document.querySelectorAll("*")) {
    for (const { name, value } of [...element.attributes]) {
      if (name === "data-t") element.textContent = t(value);
      else if (name.startsWith("data-t-")) element.setAttribute(name.slice("data-t-".length), t(value));
    }
  }
}

/** Sentences of games stored by earlier versions that say why they are over, and their keys. */
const REASONS = {
  "agreed": "reason.agreed",
  "white resigned": "reason.white-resigned",
  "black resigned": "reason.black-resigned",
  "white has no time left": "reason.white-time",
  "black has no time left": "reason.black-time",
  "white has no legal move": "reason.white-stuck",
  "black has no legal move": "reason.black-stuck",
  "the position occurred for the third time": "reason.repetition",
  "25 moves each with kings only and no capture": "reason.kings",
  "16 moves each with three pieces against a king": "reason.three-pieces",
  "5 moves each with at most two pieces against a king": "reason.two-pieces",
};

/** The key of the text of a reason: a code, or a sentence of an earlier version. */
export const reasonKey = (reason) => REASONS[reason] ?? `reason.${reason}`;

export const reasonOf = (reason) => t(reasonKey(reason));
