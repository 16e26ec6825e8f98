const game = JSON.parse(document.getElementById("game").textContent);
const byId = (id) => document.getElementById(id);
const curve = byId("curve");
const cursor = byId("cursor");
const SVG = "http://www.w3.org/2000/svg";
const [CELL, MARGIN, RADIUS] = [60, 48, 27];
const HANZI = { K: "帅", A: "仕", B: "相", N: "马", R: "车", C: "炮", P: "兵", k: "将", a: "士", b: "象", n: "马", r: "车", c: "炮", p: "卒" };

// What is shown: a ply of the game, or a step of a line that branches off it.
let shown = { ply: 0, line: null, step: 0 };
let flipped = false;

const fen = () => shown.line ? shown.line[shown.step].fen : shown.ply ? game.plies[shown.ply - 1].fen : game.start;
const lastMove = () => shown.line ? shown.line[shown.step].mv : shown.ply ? game.plies[shown.ply - 1].mv : null;

function point(file, rank) {
  const [column, row] = flipped ? [8 - file, rank] : [file, 9 - rank];
  return [MARGIN + column * CELL, MARGIN + row * CELL];
}

function squares(mv) {
  return [[mv.charCodeAt(0) - 97, Number(mv[1])], [mv.charCodeAt(2) - 97, Number(mv[3])]];
}

function add(parent, name, attributes, text) {
  const element = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) {
    element.setAttribute(key, value);
  }
  if (text) {
    element.textContent = text;
  }
  parent.append(element);
}

// Red counts the files from its right in Chinese numerals, Black from its right in digits.
function drawFiles() {
  const group = byId("files");
  group.replaceChildren();
  for (let file = 0; file < 9; file += 1) {
    const [x] = point(file, 0);
    const [red, black] = flipped ? [16, 632] : [632, 16];
    add(group, "text", { x, y: red }, "九八七六五四三二一"[file]);
    add(group, "text", { x, y: black }, String(file + 1));
  }
}

function drawBoard() {
  for (const id of ["last", "pieces", "arrows"]) {
    byId(id).replaceChildren();
  }
  const mv = lastMove();
  for (const [file, rank] of mv ? squares(mv) : []) {
    const [x, y] = point(file, rank);
    add(byId("last"), "rect", { x: x - 29, y: y - 29, width: 58, height: 58, rx: 4 });
  }
  fen().split(" ")[0].split("/").forEach((row, index) => {
    let file = 0;
    for (const letter of row) {
      if (/\d/.test(letter)) {
        file += Number(letter);
        continue;
      }
      const [x, y] = point(file, 9 - index);
      const side = letter === letter.toUpperCase() ? "red" : "black";
      add(byId("pieces"), "circle", { cx: x, cy: y, r: RADIUS, class: side });
      add(byId("pieces"), "circle", { cx: x, cy: y, r: RADIUS - 4, class: `${side} ring` });
      add(byId("pieces"), "text", { x, y, dy: ".35em", class: side }, HANZI[letter]);
      file += 1;
    }
  });
  const ply = game.plies[shown.ply - 1];
  if (!shown.line && ply && ply.better.length) {
    const [[x1, y1], [x2, y2]] = squares(ply.better[0].mv).map(([file, rank]) => point(file, rank));
    add(byId("arrows"), "line", { x1, y1, x2, y2 });
    add(byId("arrows"), "circle", { cx: x2, cy: y2, r: 7 });
  }
}

function element(name, text, className) {
  const made = document.createElement(name);
  made.textContent = text;
  if (className) {
    made.className = className;
  }
  return made;
}

// A line whose moves can be clicked.
function lineOf(word, steps) {
  const paragraph = element("p", `${word}: `, "line");
  steps.forEach((step, index) => {
    const button = element("button", step.name);
    button.classList.toggle("now", shown.line === steps && shown.step === index);
    button.addEventListener("click", () => show({ ply: shown.ply, line: steps, step: index }));
    paragraph.append(button);
  });
  return paragraph;
}

function drawRemark() {
  const panel = byId("remark");
  const ply = game.plies[shown.ply - 1];
  panel.replaceChildren();
  if (!ply) {
    panel.append(element("p", game.comment, "comment"));
    return;
  }
  const head = element("p", "", "head");
  head.append(element("b", `${ply.number} ${ply.name} ${ply.mark}`, ply.side), element("span", ply.score));
  panel.append(head);
  if (ply.comment) {
    panel.append(element("p", ply.comment, "comment"));
  }
  if (ply.remark) {
    panel.append(element("p", ply.remark));
  } else if (ply.book) {
    panel.append(element("p", WORDS.book, "comment"));
  }
  if (ply.better.length) {
    panel.append(lineOf(WORDS.better, ply.better));
  }
  if (ply.answer.length) {
    panel.append(lineOf(WORDS.answer, ply.answer));
  }
  if (shown.line) {
    const back = element("button", WORDS.back, "back");
    back.addEventListener("click", () => show({ ply: shown.ply, line: null, step: 0 }));
    panel.append(back);
  }
}

function show(next) {
  shown = next;
  drawBoard();
  drawRemark();
  const list = byId("moves");
  for (const item of list.children) {
    item.classList.toggle("now", Number(item.dataset.ply) === shown.ply);
  }
  const now = list.querySelector(".now");
  if (now) {
    // Scrolls the list alone, not the page.
    const [top, bottom] = [now.offsetTop - list.offsetTop, now.offsetTop - list.offsetTop + now.offsetHeight];
    list.scrollTop = Math.min(Math.max(list.scrollTop, bottom - list.clientHeight), top);
  }
  const x = shown.ply * Number(cursor.dataset.step);
  cursor.setAttribute("x1", x);
  cursor.setAttribute("x2", x);
}

function go(ply) {
  show({ ply: Math.max(0, Math.min(game.plies.length, ply)), line: null, step: 0 });
}

// A step within a line, or within the game.
function step(by) {
  if (!shown.line) {
    go(shown.ply + by);
  } else if (shown.step + by < 0) {
    show({ ply: shown.ply, line: null, step: 0 });
  } else {
    show({ ...shown, step: Math.min(shown.line.length - 1, shown.step + by) });
  }
}

function flip() {
  flipped = !flipped;
  drawFiles();
  drawBoard();
}

game.plies.forEach((ply, index) => {
  const item = document.createElement("li");
  item.dataset.ply = index + 1;
  item.className = ply.side;
  item.append(element("i", ply.number), element("b", ply.name, ply.side));
  item.append(element("em", ply.mark || (ply.book ? "·" : "")), element("span", ply.score));
  item.addEventListener("click", () => go(index + 1));
  byId("moves").append(item);
});
byId("first").addEventListener("click", () => go(0));
byId("back").addEventListener("click", () => step(-1));
byId("forward").addEventListener("click", () => step(1));
byId("end").addEventListener("click", () => go(game.plies.length));
byId("flip").addEventListener("click", flip);
curve.addEventListener("click", (event) => {
  const box = curve.getBoundingClientRect();
  go(Math.round((event.clientX - box.left) / box.width * game.plies.length));
});
document.addEventListener("keydown", (event) => {
  const keys = { ArrowLeft: () => step(-1), ArrowRight: () => step(1), Home: () => go(0), End: () => go(game.plies.length), f: flip, F: flip };
  if (keys[event.key] && !event.ctrlKey && !event.altKey && !event.metaKey) {
    event.preventDefault();
    keys[event.key]();
  }
});
drawFiles();
go(0);
