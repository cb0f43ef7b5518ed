// Says nonsense to the server: node --experimental-websocket fuzz.mjs BINARY [SECONDS [SEED]]
// Messages of docs/web.md with parts changed, and bytes that are no messages. The server has to go on serving others.

import { readFileSync } from "node:fs";
import { connect } from "node:net";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { Client, memory } from "./client.mjs";
import { serve } from "./lib.mjs";

const [binary, seconds = "600", seedText = String(Date.now() % 1e9)] = process.argv.slice(2);
const page = readFileSync(join(dirname(fileURLToPath(import.meta.url)), "../../docs/web.md"), "utf8");
const messages = [...page.matchAll(/```json\n(.*)\n```/g)].map(([, text]) => text);
let state = Number(seedText) || 1;
const random = (below) => {
  state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
  return Math.floor((state / 2 ** 32) * below);
};
const pick = (list) => list[random(list.length)];
const NUMBERS = ["-1", "1e999", "4294967296", "1e-5", "0"];
const WORDS = [...NUMBERS, "null", "[]", "{}", '""', '"W:WK50:BK1"', "true", '"32-28"', '"\\u0000"', '"x"'];
const TYPES = ["think", "analyse", "annotate", "stop", "read_games", "write_game"];

function mutate(text) {
  for (let times = random(4); times >= 0; times--) {
    const [a, b] = [random(text.length + 1), random(text.length + 1)].sort((x, y) => x - y);
    text = [
      () => text.slice(0, a) + text.slice(b),
      () => text.slice(0, a) + String.fromCharCode(random(0x2ff)) + text.slice(a),
      () => text.replace(/("[^"]*"|\d+)(?=[,}\]])/g, (value) => (random(6) ? value : pick(WORDS))),
      () => text.slice(0, b) + text.slice(a, b).repeat(random(40)) + text.slice(b),
      () => text.replace(/"type":"\w+"/, `"type":"${pick(TYPES)}"`),
      () => text.slice(0, a) + pick(messages).slice(random(60)),
    ][random(6)]();
  }
  return text.slice(0, 400_000);
}

/** Bytes after the handshake that are no frames, or no handshake at all. */
function rubbish(port) {
  return new Promise((resolve) => {
    const head = `GET /ws HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n`
      + "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n";
    const bytes = Buffer.from(Array.from({ length: random(400) }, () => random(256)));
    const all = random(3) ? Buffer.concat([Buffer.from(head), bytes]) : bytes;
    const socket = connect(port, "127.0.0.1", () => socket.write(all));
    setTimeout(() => socket.destroy(), random(300));
    socket.on("data", () => {});
    socket.on("error", () => {});
    socket.on("close", resolve);
  });
}

async function talk(server, end) {
  let client = null;
  let sent = 0;
  while (Date.now() < end) {
    if (!client || client.socket.readyState !== WebSocket.OPEN) client = await Client.connect(server.url);
    client.socket.send(mutate(pick(messages)));
    sent++;
    if (random(20) === 0) await new Promise((resolve) => setTimeout(resolve, random(60)));
    if (client.socket.bufferedAmount > 1e6) await new Promise((resolve) => setTimeout(resolve, 50));
    if (random(300) === 0) client.close();
  }
  client?.close();
  return sent;
}

const server = await serve(binary, ["--engines", "2", "--longest", "5"]);
const end = Date.now() + Number(seconds) * 1000;
console.log(`seed ${state}, ${seconds} s, memory ${memory(server.pid)}`);
const talkers = Array.from({ length: 8 }, () => talk(server, end));
let raw = 0;
while (Date.now() < end) {
  await Promise.all([rubbish(server.port), rubbish(server.port)]);
  raw += 2;
  const client = await Client.connect(server.url);
  const began = performance.now();
  const { legal } = await client.ask({ type: "position", moves: [] });
  if (legal.length !== 9) throw new Error("a wrong answer");
  client.close();
  if (performance.now() - began > 5000) throw new Error("an answer took more than 5 seconds");
  await new Promise((resolve) => setTimeout(resolve, 100));
}
const sent = (await Promise.all(talkers)).reduce((sum, count) => sum + count, 0);
console.log(`${sent} messages, ${raw} connections with rubbish; memory ${memory(server.pid)}; the server serves`);
await server.end();
process.exit(0);
