// The picture grows where it stands. Without this file each step is a page of its own.
"use strict";

const around = document.getElementById("around");
if (around) {
  around.addEventListener("click", async (event) => {
    const step = event.target.closest("a.act");
    if (!step || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    const href = step.getAttribute("href");
    const name = (step.getAttribute("aria-label") || "").replace(/^\S+ /, "").replace(/ here$/, "");
    try {
      const answer = await fetch(href, { headers: { "X-Part": "results" } });
      if (!answer.ok) throw new Error();
      around.innerHTML = await answer.text();
      history.replaceState(null, "", href);
    } catch {
      location.assign(href);
      return;
    }
    // The same thing keeps the focus, so that the keyboard goes on from there.
    const again = [...around.querySelectorAll("a.act")].find((one) => name && (one.getAttribute("aria-label") || "").includes(name));
    (again || around.querySelector(".picture")).focus();
  });
}
