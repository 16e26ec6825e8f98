const boards = document.querySelectorAll("#boards > div");
const moves = document.querySelectorAll("#moves li");
const slider = document.getElementById("slider");
const curve = document.getElementById("curve");
const cursor = document.getElementById("cursor");
const remark = document.getElementById("remark");

function show(ply) {
  ply = Math.max(0, Math.min(boards.length - 1, ply));
  boards.forEach((board, index) => { board.hidden = index !== ply; });
  moves.forEach((move) => move.classList.toggle("now", Number(move.dataset.ply) === ply));
  const move = moves[ply - 1];
  if (move) {
    move.scrollIntoView({ block: "nearest" });
  }
  remark.textContent = move ? move.dataset.remark : "";
  slider.value = ply;
  const x = ply * Number(cursor.dataset.step);
  cursor.setAttribute("x1", x);
  cursor.setAttribute("x2", x);
}

slider.addEventListener("input", () => show(Number(slider.value)));
moves.forEach((move) => move.addEventListener("click", () => show(Number(move.dataset.ply))));
curve.addEventListener("click", (event) => {
  const box = curve.getBoundingClientRect();
  show(Math.round((event.clientX - box.left) / box.width * (boards.length - 1)));
});
document.addEventListener("keydown", (event) => {
  const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
  if (step && document.activeElement !== slider) {
    show(Number(slider.value) + step);
  }
});
show(0);
