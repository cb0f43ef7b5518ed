// What the page costs, and how quickly it answers: node --experimental-websocket measure.mjs BINARY
// Prints one line a figure. A busy machine makes all of them worse.

import { readdirSync } from "node:fs";
import { connect } from "node:net";
import { launch, open, serve } from "./lib.mjs";
import { Client, memory, percentile } from "./client.mjs";

const binary = process.argv[2];
const say = (name, value) => console.log(`${name.padEnd(58)} ${value}`);
const ms = (value) => `${value.toFixed(1)} ms`;

async function firstPaint(url) {
  const browser = await launch();
  const paints = [];
  let weight = 0;
  for (let run = 0; run < 9; run++) {
    const context = await browser.newContext();
    const page = await context.newPage();
    await page.goto(url);
    await page.locator("body[data-ready]").waitFor();
    await page.waitForTimeout(300);
    const paint = await page.evaluate(() => performance.getEntriesByName("first-contentful-paint")[0]?.startTime);
    if (paint) paints.push(paint);
    weight = await page.evaluate(() => ["navigation", "resource"].flatMap((kind) => performance.getEntriesByType(kind))
      .reduce((sum, entry) => sum + entry.encodedBodySize, 0));
    await context.close();
  }
  say("first paint, median of 9 loads", ms(percentile(paints, 0.5)));
  say("page weight, all files, uncompressed", `${(weight / 1024).toFixed(0)} KiB`);
  await browser.close();
}

/** Answers about moves, and updates of a search, while all engines search. */
async function latency(server) {
  const searching = await Promise.all([1, 2].map(() => Client.connect(server.url)));
  const updates = searching.map(() => []);
  searching.forEach((client, index) => {
    client.onmessage = (message) => {
      if (message.type === "info") updates[index].push(performance.now() - message.time * 1000);
    };
    client.send({ type: "analyse", moves: [], lines: 3 });
  });
  const player = await Client.connect(server.url);
  const times = [];
  for (let round = 0; round < 1500; round++) {
    const began = performance.now();
    await player.ask({ type: "position", moves: ["32-28", "19-23", "28x19", "14x23"] });
    times.push(performance.now() - began);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  say("a move, answered: median", ms(percentile(times, 0.5)));
  say("a move, answered: 99th percentile", ms(percentile(times, 0.99)));
  // The quickest update of a search says when it began; what others came later than that is their delay.
  const delays = updates.flatMap((list) => list.map((at) => at - Math.min(...list)));
  say(`an update of a search, later than the quickest: median of ${delays.length}`, ms(percentile(delays, 0.5)));
  say("an update of a search, later than the quickest: 99th perc.", ms(percentile(delays, 0.99)));
  [player, ...searching].forEach((client) => client.close());
}

/** Fifty pages that analyse: what a move costs then, and how often each is told something. */
async function crowd(server) {
  const clients = await Promise.all(Array.from({ length: 50 }, () => Client.connect(server.url)));
  const told = clients.map(() => 0);
  clients.forEach((client, index) => {
    client.onmessage = (message) => (told[index] += message.type === "info");
    client.send({ type: "analyse", moves: [], lines: 3 });
  });
  const player = await Client.connect(server.url);
  const [answers, thinks] = [[], []];
  for (let round = 0; round < 40; round++) {
    let began = performance.now();
    await player.ask({ type: "position", moves: ["32-28", "19-23", "28x19", "14x23"] });
    answers.push(performance.now() - began);
    began = performance.now();
    await player.search({ type: "think", moves: ["32-28"], limit: { time: 0.5 } });
    thinks.push(performance.now() - began);
  }
  say("50 pages analyse: a move answered, 99th percentile", ms(percentile(answers, 0.99)));
  say("50 pages analyse: a move of half a second, median", ms(percentile(thinks, 0.5)));
  say("50 pages analyse: the same, slowest", ms(Math.max(...thinks)));
  say("50 pages analyse: updates of the least served page", String(Math.min(...told)));
  [player, ...clients].forEach((client) => client.close());
}

async function game(client) {
  const moves = [];
  while (moves.length < 150) {
    const { best } = await client.search({ type: "think", moves, limit: { depth: 1 + (moves.length % 2) } });
    if (!best) return moves.length;
    moves.push(best);
  }
  return moves.length;
}

async function games(server, count) {
  const clients = await Promise.all(Array.from({ length: 50 }, () => Client.connect(server.url)));
  let left = count;
  let plies = 0;
  const began = performance.now();
  await Promise.all(clients.map(async (client) => {
    while (left-- > 0) {
      const played = await game(client);
      plies += played;
    }
  }));
  clients.forEach((client) => client.close());
  say(`${count} games, 50 pages at once: ${plies} moves in`, `${((performance.now() - began) / 1000).toFixed(0)} s`);
}

/** A connection that becomes a socket and is dropped. */
function drop(port) {
  return new Promise((resolve, reject) => {
    const head = `GET /ws HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n`
      + "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n";
    const socket = connect(port, "127.0.0.1", () => socket.write(head));
    socket.once("data", (data) => {
      socket.destroy();
      resolve(data.toString().startsWith("HTTP/1.1 101"));
    });
    socket.once("error", reject);
  });
}

async function connections(server, count) {
  let left = count;
  let taken = 0;
  await Promise.all(Array.from({ length: 40 }, async () => {
    while (left-- > 0) {
      const isSocket = await drop(server.port);
      taken += isSocket;
    }
  }));
  say(`${count} connections opened and dropped, of them sockets`, String(taken));
}

const server = await serve(binary, ["--engines", "2"]);
await firstPaint(server.url);
await latency(server);
await crowd(server);
say("memory of the server", memory(server.pid));
await games(server, Number(process.env.GAMES ?? 1000));
say("memory after the games", memory(server.pid));
await connections(server, Number(process.env.CONNECTIONS ?? 10000));
await new Promise((resolve) => setTimeout(resolve, 2000));
say("memory after the connections", memory(server.pid));
say("open files of the server", readdirSync(`/proc/${server.pid}/fd`).length);
await server.end();
process.exit(0);
