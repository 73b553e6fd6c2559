// The forms of /docs: what is filled in is sent to this server, and its answer shown as it came.
"use strict";

const MOST = 20000; // characters that are shown of an answer

function address(form) {
  let path = form.getAttribute("action");
  const query = new URLSearchParams();
  for (const field of form.querySelectorAll("input[name]")) {
    const value = field.value.trim();
    if (field.dataset.in === "path") {
      path = path.replace(`{${field.name}}`, encodeURIComponent(value));
    } else if (value) {
      const values = "several" in field.dataset ? value.split(/\s+/) : [value];
      for (const one of values) query.append(field.name, one);
    }
  }
  return query.size ? `${path}?${query}` : path;
}

function readable(text) {
  try {
    return JSON.stringify(JSON.parse(text), null, 1);
  } catch {
    return text;
  }
}

for (const form of document.querySelectorAll("form[data-try]")) {
  const told = form.querySelector("[role=status]");
  const shown = form.parentElement.querySelector("pre");
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const body = form.querySelector("[data-body]");
    const request = { method: form.dataset.method };
    if (request.method === "POST") {
      request.headers = { "Content-Type": "application/json" };
      request.body = body ? body.value : "{}";
    }
    told.textContent = "waiting ...";
    const began = performance.now();
    try {
      const answer = await fetch(address(form), request);
      const text = readable(await answer.text());
      told.textContent = `${answer.status} in ${Math.round(performance.now() - began)} ms`;
      shown.textContent = text.length > MOST ? `${text.slice(0, MOST)}\n...` : text;
      shown.hidden = false;
    } catch {
      told.textContent = "the server did not answer";
    }
  });
}
