// Everything works without this file; with it, a few things are nicer.
"use strict";

// What somebody decides is sent one after the other, in the order it was decided. Whoever leaves
// meanwhile leaves nothing unsent. Gives the answer, or the status that refused it (0: none came).
const unsent = [];
let sending = Promise.resolve();
function inOrder(action, body) {
  const one = { action, body };
  unsent.push(one);
  sending = sending.then(async () => {
    unsent.splice(unsent.indexOf(one), 1);
    try {
      const answer = await fetch(action, { method: "POST", body, headers: { "X-Part": "mark" }, keepalive: true });
      if (!answer.ok) return { answer: null, status: answer.status };
      return { answer: answer.status === 204 ? {} : await answer.json(), status: answer.status };
    } catch {
      return { answer: null, status: 0 };
    }
  });
  return sending;
}
addEventListener("pagehide", () => {
  for (const one of unsent.splice(0)) navigator.sendBeacon(one.action, one.body);
});

// "/" goes to the view's first field, as in many libraries' catalogues.
document.addEventListener("keydown", (event) => {
  if (event.key !== "/" || event.ctrlKey || event.metaKey || event.altKey) return;
  if (/^(INPUT|TEXTAREA|SELECT)$/.test(document.activeElement.tagName)) return;
  const field = document.querySelector("[data-key='/']");
  if (field) { event.preventDefault(); field.focus(); field.select(); }
});

// The link to a view is copied, not followed: it leads to where one is.
document.addEventListener("click", async (event) => {
  const link = event.target.closest("[data-copy]");
  if (!link || !navigator.clipboard) return;
  event.preventDefault();
  const told = link.textContent;
  try {
    await navigator.clipboard.writeText(link.href);
    link.textContent = "Link copied";
  } catch {
    location.assign(link.href);
    return;
  }
  setTimeout(() => { link.textContent = told; }, 2000);
});

// Names of the graph are offered while one types.
for (const field of document.querySelectorAll("input[data-complete]")) {
  const list = document.getElementById(field.getAttribute("list"));
  let waiting = 0;
  field.addEventListener("input", () => {
    clearTimeout(waiting);
    const text = field.value.trim();
    if (text.length < 2) return;
    waiting = setTimeout(async () => {
      const answer = await fetch(`/api/v1/entities?limit=12&starts=${encodeURIComponent(text)}`);
      if (!answer.ok || field.value.trim() !== text) return;
      const found = await answer.json();
      list.replaceChildren(...found.entities.map((one) => {
        const option = document.createElement("option");
        option.value = one.name;
        option.label = one.type ? `${one.name} (${one.type.toLowerCase()})` : one.name;
        return option;
      }));
    }, 120);
  });
}

// A paper is put aside where it stands.
document.addEventListener("submit", async (event) => {
  const form = event.target.closest("form.keep");
  if (!form || !event.submitter) return;
  event.preventDefault();
  const button = event.submitter;
  const body = new URLSearchParams(new FormData(form));
  body.set("act", button.value);
  const kept = button.value === "keep";
  const told = button.firstChild;
  const before = told.textContent;
  told.textContent = kept ? "In the basket" : "Put aside";
  const { answer } = await inOrder(form.action, body);
  if (answer) {
    button.value = kept ? "drop" : "keep";
    button.setAttribute("aria-pressed", String(kept));
    for (const place of document.querySelectorAll("[data-basket]")) place.textContent = answer.papers;
    return;
  }
  told.textContent = "Not kept: try again";
  setTimeout(() => { told.textContent = before; }, 3000);
});

// How far the vectors are, while they are being made.
for (const place of document.querySelectorAll("[data-coverage]")) {
  const events = new EventSource("/api/v1/status/events");
  events.addEventListener("coverage", (event) => {
    const share = JSON.parse(event.data).share;
    if (share === null) return;
    place.querySelector("progress").value = share;
    place.querySelector("span").textContent = `${Math.round(100 * share)} %`;
  });
  events.addEventListener("done", () => events.close());
  events.addEventListener("error", () => events.close());
  addEventListener("pagehide", () => events.close());
}

// A mark is kept at once; the order learns from it and takes its place when it is ready.
const ranking = document.getElementById("rank-results");
if (ranking) {
  let learning = null;
  const say = (text) => {
    const place = ranking.querySelector("[data-progress]");
    if (place) place.textContent = text;
  };
  const renew = async () => {
    const answer = await fetch(location.pathname + location.search, { headers: { "X-Part": "results" } });
    if (answer.ok) {
      // Whoever was at a paper is at the one that now stands in its place.
      const at = [...ranking.querySelectorAll(".hit")].indexOf(document.activeElement.closest?.(".hit"));
      ranking.innerHTML = await answer.text();
      if (at >= 0) ranking.querySelectorAll(".hit")[at]?.querySelector("form.marking button")?.focus({ preventScroll: true });
    } else say("The new order could not be fetched: reload the page");
  };
  const learn = () => {
    if (learning) learning.close();
    const topic = encodeURIComponent(ranking.dataset.topic);
    learning = new EventSource(`/api/v1/rank/events?topic=${topic}`);
    learning.addEventListener("progress", (event) => {
      const text = JSON.parse(event.data).text;
      say(text.charAt(0).toUpperCase() + text.slice(1));
    });
    const end = () => { learning.close(); learning = null; renew(); };
    learning.addEventListener("done", end);
    learning.addEventListener("problem", end);
    learning.addEventListener("error", end);
  };
  ranking.addEventListener("submit", async (event) => {
    const form = event.target.closest("form.marking");
    if (!form) return;
    event.preventDefault();
    const body = new URLSearchParams(new FormData(form));
    body.set("grade", event.submitter.value);
    if (form.dataset.sent) return;
    const show = (on) => {
      form.closest(".hit")?.classList.toggle("going", on);
      event.submitter.setAttribute("aria-pressed", String(on));
      if (on) form.dataset.sent = "1"; else delete form.dataset.sent;
    };
    show(true);
    const { answer, status } = await inOrder(form.action, body);
    if (answer) { say("Kept. Learning from it"); learn(); return; }
    show(false);
    say(status === 423 ? "Not kept: somebody else writes to the library. Try again in a moment" : "The mark could not be kept. Try again");
  });
}
