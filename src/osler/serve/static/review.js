// Screening by keyboard. Without this file every decision is a form that is sent and comes back.
"use strict";

const desk = document.getElementById("screening");
if (desk) {
  const NAMES = { include: "Included", exclude: "Excluded", maybe: "Maybe", skip: "Skipped", "not retrieved": "Not retrieved" };
  const KEYS = { r: "include", i: "exclude", m: "maybe", s: "skip" };
  const list = () => desk.querySelector(".papers");
  const cards = () => [...desk.querySelectorAll(".paper-card")];
  const open = () => cards().filter((card) => !card.classList.contains("decided"));
  const say = (text) => {
    const place = desk.querySelector("[data-said]");
    if (place) place.textContent = text;
  };
  const current = () => document.activeElement.closest?.(".paper-card") || null;
  const go = (card) => { if (card) { card.focus(); card.scrollIntoView({ block: "nearest" }); } };

  // The order learns behind: what is below the paper in hand is replaced when the new order is there.
  let learning = 0;
  const renew = async () => {
    const turn = ++learning;
    let text = "";
    try {
      const answer = await fetch(location.href, { headers: { "X-Part": "results" } });
      if (!answer.ok || turn !== learning) return;
      text = await answer.text();
    } catch { return; }
    if (turn !== learning) return;
    const fresh = new DOMParser().parseFromString(text, "text/html");
    const hand = current();
    const inHand = hand && !hand.classList.contains("decided") ? hand : open()[0];
    const kept = new Set(cards().filter((card) => card.classList.contains("decided")).map((card) => card.dataset.id));
    if (inHand) kept.add(inHand.dataset.id);
    for (const card of open()) if (card !== inHand) card.remove();
    for (const card of fresh.querySelectorAll(".paper-card")) {
      if (!kept.has(card.dataset.id)) list().append(document.adoptNode(card));
    }
    number();
    if (!open().length) {
      const done = fresh.querySelector(".papers > li.quiet");
      if (done && !list().querySelector("li.quiet")) list().append(document.adoptNode(done));
    } else if (!inHand) go(open()[0]);
    const said = fresh.querySelector("[data-said]");
    if (said) say(said.textContent);
    const order = fresh.querySelector(".progress-line .small");
    const place = desk.querySelector(".progress-line .small");
    if (order && place) place.textContent = order.textContent;
  };

  // Two lists in one page must not share the ids of their fields.
  const number = () => cards().forEach((card, at) => {
    for (const field of card.querySelectorAll("[id]")) {
      const label = card.querySelector(`label[for="${field.id}"]`);
      field.id = `${field.id.split("-")[0]}-c${at}`;
      if (label) label.htmlFor = field.id;
    }
  });

  // Each decision is shown at once, and the server is told behind.
  let waiting = 0;
  const wait = (more) => { waiting += more; desk.toggleAttribute("data-waiting", waiting > 0); };
  const send = async (action, body) => {
    wait(1);
    const { answer, status } = await inOrder(action, body);
    wait(-1);
    if (answer) return { kept: answer };
    if (!status) return { why: "is not kept: the server does not answer. Try again." };
    return { why: status === 423 ? "was not kept: somebody else writes to the library. Try again in a moment." : "could not be kept. Try again." };
  };
  const told = (what, kept) => {
    desk.querySelector(".undo").hidden = !kept.read && !waiting;
    // While more is under way, its own words stand.
    if (!waiting) say(`${what}. ${kept.read.toLocaleString("en")} read, ${kept.left.toLocaleString("en")} left. ${kept.words}`);
  };
  const close = (card, verdict) => {
    card.classList.add("decided");
    const place = card.querySelector(".verdict");
    place.textContent = NAMES[verdict] || verdict;
    place.hidden = false;
  };
  const reopen = (card, why) => {
    card.classList.remove("decided");
    const place = card.querySelector(".verdict");
    place.textContent = why;
    place.hidden = !why;
  };
  // Whoever writes in a field, or is at a paper further up, is left there.
  const back = (card) => {
    const hand = current();
    const writes = /^(INPUT|TEXTAREA|SELECT)$/.test(document.activeElement.tagName);
    if (!writes && (!hand || cards().indexOf(card) < cards().indexOf(hand))) go(card);
  };

  const decided = [];
  const decide = async (card, verdict, action) => {
    const form = card.querySelector("form.decide");
    if (!form || card.classList.contains("decided")) return;
    const body = new URLSearchParams(new FormData(form));
    body.set("verdict", verdict);
    const next = open()[open().indexOf(card) + 1] || open().find((one) => one !== card);
    learning += 1;
    close(card, action ? "not retrieved" : verdict);
    decided.push(card);
    desk.querySelector(".undo").hidden = false;
    go(next);
    const { kept, why } = await send(action || form.action, body);
    if (kept) told("Kept", kept);
    else {
      if (decided.includes(card)) decided.splice(decided.indexOf(card), 1);
      reopen(card, `This decision ${why}`);
      say(`The decision ${why}`);
      back(card);
    }
    // A new order would put its own words over a refusal.
    if (kept && !waiting) renew();
  };

  const undo = async () => {
    const guess = decided.pop();
    const before = guess?.querySelector(".verdict").textContent;
    learning += 1;
    if (guess) { reopen(guess, ""); go(guess); }
    const { kept, why } = await send(desk.dataset.undo, new URLSearchParams({ by: desk.dataset.by, stage: desk.dataset.stage }));
    if (!kept) {
      if (guess) { close(guess, before); decided.push(guess); }
      say(`What you took back ${why}`);
      return;
    }
    const card = cards().find((one) => one.dataset.id === kept.document);
    if (card !== guess) { location.reload(); return; }
    told("Taken back", kept);
    if (!waiting) renew();
  };

  desk.addEventListener("submit", (event) => {
    if (event.target.closest(".undo")) { event.preventDefault(); undo(); return; }
    const card = event.target.closest(".paper-card");
    if (!card || !event.submitter) return;
    event.preventDefault();
    decide(card, event.submitter.value || "maybe", event.submitter.getAttribute("formaction"));
  });

  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const at = document.activeElement;
    if (/^(INPUT|TEXTAREA|SELECT)$/.test(at.tagName)) {
      // Escape leaves a note for the paper it belongs to.
      if (event.key === "Escape" && current()) { event.preventDefault(); go(current()); }
      return;
    }
    const card = current() || open()[0];
    if (event.key === "u") { event.preventDefault(); undo(); return; }
    if (!card) return;
    if (KEYS[event.key]) { event.preventDefault(); decide(card, KEYS[event.key]); }
    else if (event.key === "j" || event.key === "k") {
      event.preventDefault();
      const all = cards();
      if (!current()) { go(card); return; }
      go(all[Math.min(all.length - 1, Math.max(0, all.indexOf(card) + (event.key === "j" ? 1 : -1)))]);
    } else if (event.key === "n") {
      event.preventDefault();
      card.querySelector("input[name=note]")?.focus();
    }
  });
  if (!desk.contains(document.activeElement) && document.activeElement === document.body) go(open()[0]);
}

// A file is read into the form's field: forms of this page send text alone. What is no text, such
// as a project of ASReview, goes as a data URL.
async function fieldText(file) {
  const start = new Uint8Array(await file.slice(0, 2).arrayBuffer());
  if (start[0] !== 0x50 || start[1] !== 0x4b) return file.text();
  return new Promise((done, failed) => {
    const reader = new FileReader();
    reader.onload = () => done(reader.result);
    reader.onerror = () => failed(reader.error);
    reader.readAsDataURL(file);
  });
}

for (const chooser of document.querySelectorAll("input[type=file][data-into]")) {
  chooser.addEventListener("change", async () => {
    const file = chooser.files[0];
    if (!file) return;
    document.getElementById(chooser.dataset.into).value = await fieldText(file);
    document.getElementById(chooser.dataset.named).value = file.name;
  });
}
