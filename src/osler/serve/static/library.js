// Files are sent in pieces, so that no limit of the server is in the way and progress is real; how
// far a job is is asked for until it is over. Without this file paths and reloads do the same.
"use strict";

const send = async (file, piece, say) => {
  let handle = "";
  for (let at = 0; ; at += piece) {
    const last = at + piece >= file.size;
    const asked = new URLSearchParams({ name: file.name, at, handle, last: last ? "1" : "" });
    const answer = await fetch(`/library/upload?${asked}`, { method: "POST", body: file.slice(at, at + piece) });
    if (!answer.ok) throw new Error(`${file.name} was refused (${answer.status}).`);
    const kept = await answer.json();
    handle = kept.handle;
    say(`${file.name}: ${Math.min(100, Math.round((100 * (at + piece)) / Math.max(file.size, 1)))} % sent`);
    if (last) return kept.job;
  }
};

for (const place of document.querySelectorAll("[data-drop]")) {
  const chooser = place.querySelector("input[type=file]");
  const said = place.querySelector("[data-sent]");
  const say = (text) => { said.textContent = text; };
  const take = async (files) => {
    let job = "";
    try {
      for (const file of files) job = await send(file, Number(place.dataset.piece), say);
    } catch (error) {
      say(`${error.message} Try again.`);
      return;
    }
    if (job) location.assign(job);
  };
  chooser.addEventListener("change", () => take([...chooser.files]));
  place.addEventListener("dragover", (event) => { event.preventDefault(); place.classList.add("over"); });
  place.addEventListener("dragleave", () => place.classList.remove("over"));
  place.addEventListener("drop", (event) => {
    event.preventDefault();
    place.classList.remove("over");
    take([...event.dataTransfer.files]);
  });
}

// A job that goes on: its part of the page is asked for again.
const watch = async () => {
  const place = document.getElementById("job");
  if (!place || !place.hasAttribute("data-busy")) return;
  try {
    const answer = await fetch(location.href, { headers: { "X-Part": "results" } });
    if (answer.ok) {
      const focused = place.contains(document.activeElement) && document.activeElement.textContent;
      place.outerHTML = await answer.text();
      if (focused) [...document.querySelectorAll("#job button")].find((one) => one.textContent === focused)?.focus();
    }
  } catch { /* the server is away for a moment */ }
  setTimeout(watch, 500);
};
setTimeout(watch, 500);
