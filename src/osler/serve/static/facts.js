// A decision is kept at once, and the paper stays where it is. Without this file a form is sent.
"use strict";

const board = document.getElementById("facts");
if (board) {
  const decide = async (form, said) => {
    const body = new URLSearchParams(new FormData(form));
    body.set("said", said);
    const told = form.querySelector("[role=status]");
    const before = form.dataset.said;
    const show = (now) => {
      form.dataset.said = now;
      for (const one of form.querySelectorAll("button[aria-pressed]")) one.setAttribute("aria-pressed", String(one.value === now));
      form.querySelector(".undo").hidden = !now;
    };
    show(said);
    told.textContent = "";
    const { answer, status } = await inOrder(form.action, body);
    if (answer) { told.textContent = said ? "kept" : "taken back"; return; }
    told.textContent = { 0: "not kept: the server does not answer", 423: "not kept: somebody else writes to the library" }[status] || "not kept";
    show(before);
  };
  board.addEventListener("submit", (event) => {
    if (event.target.closest(".who-decides")) {
      event.preventDefault();
      document.querySelector("[data-by]").textContent = "Kept.";
      return;
    }
    const form = event.target.closest(".decide-fact");
    if (!form || !event.submitter) return;
    event.preventDefault();
    // Who decides is said once, above.
    const who = document.getElementById("by");
    if (event.submitter.value && !who.value.trim()) {
      document.querySelector("[data-by]").textContent = "Say who decides first.";
      who.focus();
      return;
    }
    form.querySelector("input[name=by]").value = who.value;
    decide(form, event.submitter.value);
    if (!event.submitter.value) form.querySelector("button[aria-pressed]").focus();
  });
}
