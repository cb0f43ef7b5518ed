// Short sounds made by the browser, off by default.

import { settings } from "./store.js";

/** For each sound its tones: begin in seconds, frequency, length. */
const SOUNDS = {
  move: [[0, 210, 0.07]],
  capture: [[0, 240, 0.06], [0.09, 170, 0.09]],
  end: [[0, 392, 0.18], [0.14, 494, 0.18], [0.28, 587, 0.3]],
};
const LOUD = 0.25;

let audio = null;

export function sound(kind) {
  if (!settings.sounds || !globalThis.AudioContext) return;
  audio ??= new AudioContext();
  for (const [begin, frequency, length] of SOUNDS[kind]) {
    const at = audio.currentTime + begin;
    const tone = audio.createOscillator();
    const gain = audio.createGain();
    tone.type = "triangle";
    tone.frequency.value = frequency;
    gain.gain.setValueAtTime(LOUD, at);
    gain.gain.exponentialRampToValueAtTime(0.001, at + length);
    tone.connect(gain).connect(audio.destination);
    tone.start(at);
    tone.stop(at + length);
  }
}
