// Draws the release. Every text of the data goes in as a text node: nothing of it is ever read as HTML.
"use strict";
const release = JSON.parse(document.getElementById("data").textContent);
const documents = new Map(release.documents.map((d) => [d.id, d]));
const PAGE = 100;
const FILTERS = [["level", "level"], ["domain", "domain"], ["task", "task"], ["split", "split"], ["language", "language"]];
const byId = (id) => document.getElementById(id);
const selects = {};
let found = release.items;
const CONTESTS = [["wrong_answer", "The answer is wrong"], ["missing_answer", "Another right answer is missing"],
  ["bad_evidence", "The evidence does not prove the answer"], ["unclear_question", "The question is unclear"], ["other", "Something else"]];
const contests = []; // the contests that a person made on this page, as the file has them
const drafts = new Map(); // by item id, the text typed into each open form
let unsaved = 0;
let contester = "";
let at = 0; // place in found of the item that is shown; -1 when none is

function el(tag, className, ...inside) {
  const node = document.createElement(tag);
  if (className) node.className = className;
  for (const part of inside) if (part !== null && part !== undefined) node.append(part);
  return node;
}

const words = (name) => (name === null ? "none" : String(name).replaceAll("_", " "));
const title = (id) => (documents.has(id) ? documents.get(id).title : id);
const when = (at) => (at ? ", " + at.slice(0, 16).replace("T", " ") + " UTC" : "");
const plain = (value) => (typeof value === "string" ? value : JSON.stringify(value));

function haystack(item) {
  if (item.haystack === undefined) {
    const texts = [item.id, item.question, ...(item.answers || []), item.domain, ...item.given.map(title)];
    for (const variant of item.variants) texts.push(variant.text);
    item.haystack = texts.join("\n").toLowerCase();
  }
  return item.haystack;
}

function choose() {
  const asked = byId("search").value.toLowerCase().split(/\s+/).filter(Boolean);
  const shown = found[at];
  found = release.items.filter((item) =>
    FILTERS.every(([key]) => !selects[key] || selects[key].value === "" || selects[key].value === String(item[key])) &&
    asked.every((word) => haystack(item).includes(word)));
  at = Math.max(0, found.indexOf(shown));
  draw();
}

function draw() {
  const total = release.items.length;
  byId("count").textContent = found.length === total ? `${total} items` : `${found.length} of ${total} items`;
  const page = Math.floor(at / PAGE);
  const rows = found.slice(page * PAGE, (page + 1) * PAGE).map((item, i) => {
    const kind = [item.level === null ? null : `Level ${item.level}`, item.domain, item.language, item.split];
    const button = el("button", "", el("span", "ask", item.question), el("span", "kind", kind.filter(Boolean).join(" · ")));
    button.type = "button";
    if (page * PAGE + i === at) button.setAttribute("aria-current", "true");
    button.addEventListener("click", () => go(page * PAGE + i));
    return el("li", "", button);
  });
  byId("list").replaceChildren(...rows);
  const pages = Math.ceil(found.length / PAGE);
  byId("pager").hidden = pages < 2;
  byId("where").textContent = `${page * PAGE + 1} to ${Math.min((page + 1) * PAGE, found.length)}`;
  byId("before").disabled = page === 0;
  byId("after").disabled = page >= pages - 1;
  const current = document.querySelector("[aria-current]");
  if (current) current.scrollIntoView({ block: "nearest" });
  byId("item").replaceChildren(...(found.length ? view(found[at]) : [el("p", "empty", "No item fits: clear the search or a filter.")]));
  byId("item").scrollTop = 0;
}

function go(place) {
  if (place < 0 || place >= found.length) return;
  at = place;
  history.replaceState(null, "", "#" + encodeURIComponent(found[at].id));
  draw();
}

function section(name, ...inside) {
  return inside.length ? el("section", "", el("h3", "", name), ...inside) : null;
}

function pairs(entries) {
  const list = el("dl");
  for (const [key, value] of entries) {
    if (value === null || value === undefined || value === "" || (Array.isArray(value) && !value.length)) continue;
    list.append(el("dt", "", words(key)), el("dd", "", plain(value)));
  }
  return list.children.length ? [list] : [];
}

function rows(entries) {
  return entries.length ? [el("ul", "rows", ...entries.map((inside) => el("li", "", ...inside)))] : [];
}

function passage(one) {
  const quote = el("blockquote");
  if (one.cut[0]) quote.append(el("span", "", "… "));
  for (const [text, isEvidence] of one.pieces) quote.append(isEvidence ? el("mark", "", text) : text);
  if (one.cut[1]) quote.append(el("span", "", " …"));
  const source = documents.get(one.document);
  const about = source ? [source.title, source.licence, source.published, source.left_out ? "left out of the retrieval corpus" : ""].filter(Boolean).join(" · ") : one.document;
  return el("figure", "", el("figcaption", "", about), quote);
}

function step(one) {
  const rest = Object.entries(one).filter(([key]) => !["kind", "spans", "claims", "key"].includes(key));
  const inside = [el("strong", "", words(one.kind || "step"))];
  for (const [key, value] of rest) inside.push(el("div", "text", `${words(key)}: ${plain(value)}`));
  if (one.claims) for (const claim of one.claims) inside.push(el("div", "text", plain(claim.claim ?? claim)));
  if (one.spans) {
    const places = one.spans.map(([name, start, end]) => `${name}, ${start} to ${end}`);
    const list = el("details", "", el("summary", "", `${places.length} ${places.length === 1 ? "passage" : "passages"}`));
    for (const place of places) list.append(el("div", "soft", place));
    inside.push(list);
  }
  return inside;
}

function revision(one) {
  return [el("div", "soft", `Revision ${one.revision}, by ${one.by || "unknown"}${when(one.at)}`),
    el("div", "text", one.question), ...one.answers.map((answer) => el("div", "text soft", answer))];
}

function review(one) {
  const word = one.decision === "accept" ? "Accepted" : "Discarded";
  const seconds = one.seconds === null ? "" : `, ${Math.round(one.seconds)} s`;
  const head = el("div", "", el("span", one.decision, word), el("span", "soft", ` by ${one.person}, revision ${one.revision}${seconds}${when(one.at)}`));
  return [head, ...[one.reason, one.comment].filter(Boolean).map((text) => el("div", "text", text))];
}

function verdict(one) {
  const said = { pass: "passed", flag: "flagged", refuse: "refused" }[one.outcome] || one.outcome;
  return [el("span", one.outcome, `${words(one.gate)} ${said}`), el("span", "soft", ` revision ${one.revision}`),
    one.why ? el("div", "text", one.why) : null];
}

function field(label, box) {
  return el("label", "", label, box);
}

// A button that opens a form for a contest in its place. The page saves contests in a file and sends nothing.
function contest(item) {
  const place = el("div", "contest");
  const said = contests.filter((one) => one.item === item.id).length;
  const open = el("button", "", said ? `Contest again (${said} so far)` : "Contest");
  open.type = "button";
  open.id = "contest";
  open.title = "Say what is wrong with this item";
  const reopen = () => { drafts.delete(item.id); draw(); byId("contest").focus(); };
  open.addEventListener("click", () => {
    drafts.set(item.id, {});
    place.replaceChildren(contestForm(item, reopen));
    place.querySelector("select").focus();
  });
  place.append(drafts.has(item.id) ? contestForm(item, reopen) : open);
  return place;
}

function contestForm(item, close) {
  const kind = el("select", "", ...CONTESTS.map(([value, label]) => new Option(label, value)));
  const answer = el("textarea"), reason = el("textarea"), name = el("input");
  answer.rows = 2;
  reason.rows = 3;
  name.value = contester;
  name.maxLength = 200;
  const draft = drafts.get(item.id);
  for (const [key, box] of Object.entries({ kind, answer, reason, name })) {
    if (draft[key] !== undefined) box.value = draft[key];
    box.addEventListener("input", () => { draft[key] = box.value; });
  }
  for (const box of [answer, reason]) box.maxLength = 5000;
  const wrong = el("p", "wrong");
  wrong.setAttribute("role", "alert");
  const button = (label, className, press) => {
    const made = el("button", className, label);
    made.type = "button";
    made.addEventListener("click", press);
    return made;
  };
  const collect = () => {
    const words = { answer: answer.value.trim(), reason: reason.value.trim() };
    if (!words.answer && !words.reason) {
      wrong.textContent = "Say what is wrong, or propose an answer.";
      reason.focus();
      return false;
    }
    contester = name.value.trim();
    contests.push({ item: item.id, kind: kind.value, ...words, name: contester });
    unsaved += 1;
    showCollected();
    close();
    return true;
  };
  const form = el("form", "", field("What is wrong", kind), field("Proposed answer, if any", answer), field("Reason", reason),
    field("Your name, if you like", name), wrong, el("div", "buttons", button("Save file", "main", () => { if (collect()) save(); }),
      button("Collect, and contest more", "", collect), button("Cancel", "", close)),
    el("p", "kinds", "Send the file to the people who made this release: the page itself sends nothing."));
  form.autocomplete = "off";
  form.addEventListener("submit", (event) => event.preventDefault());
  form.addEventListener("keydown", (event) => {
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey) && collect()) save();
  });
  return form;
}

function showCollected() {
  byId("collected").hidden = contests.length === 0;
  byId("collected_count").textContent = `${contests.length} ${contests.length === 1 ? "contest" : "contests"}${unsaved ? ", not saved" : ", saved"}`;
}

function save() {
  const content = { format: "benchwright-contests", version: 1, release: release.name, hash: release.hash, contests };
  const link = el("a");
  link.href = URL.createObjectURL(new Blob([JSON.stringify(content, null, 1) + "\n"], { type: "application/json" }));
  link.download = `contests-${release.name}.json`;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60000);
  unsaved = 0;
  showCollected();
}

function view(item) {
  const kinds = [item.level === null ? null : `Level ${item.level}`, words(item.task), item.domain, item.language, item.split];
  const parts = [el("p", "kinds", kinds.filter(Boolean).join(" · ")), el("h2", "question", item.question)];
  for (const node of parts) node.lang = item.language;
  parts.push(contest(item));
  if (item.withheld) {
    parts.push(section("Answer", el("p", "note", "Withheld: answers and evidence of this split are not in this folder.")));
  } else {
    parts.push(section(item.answers.length > 1 ? "Answers" : "Answer", ...item.answers.map((text) => el("p", "answer", text))));
    parts.push(section("Evidence", ...item.passages.map(passage)));
  }
  parts.push(section("Variants", ...rows(item.variants.map((v) => [el("div", "text", v.text),
    el("div", "soft", [words(v.kind), v.status, v.by].filter(Boolean).join(" · "))]))));
  parts.push(section("Inputs", ...pairs(Object.entries(item.inputs))));
  parts.push(section("Labels", ...pairs(Object.entries(item.labels))));
  parts.push(section("Steps", ...rows((item.steps || []).map(step))));
  parts.push(section("Given documents", ...rows(item.given.map((id) => {
    const source = documents.get(id);
    return source ? [el("div", "", source.title), el("div", "soft", [source.origin, source.licence || "licence unknown", `${source.characters.toLocaleString("en")} characters`].filter(Boolean).join(" · "))] : [id];
  }))));
  parts.push(section("Where it comes from", ...pairs([["origin", item.provenance.origin], ["agent", item.provenance.agent],
    ["prompt", item.provenance.prompt], ["seed", item.provenance.seed], ["calls", item.provenance.calls.length || null],
    ["overlap", item.overlap === null || item.overlap === undefined ? null : item.overlap.toFixed(2)], ["item", `${item.id}, revision ${item.revision}`]])));
  parts.push(section("Verdicts", ...rows((item.verdicts || []).map(verdict))));
  parts.push(section("Reviews", ...rows((item.reviews || []).map(review))));
  parts.push(section("History", ...rows((item.history || []).map(revision))));
  parts.push(el("footer", "", `${release.name} · ${release.hash} · ${release.canary}`));
  return parts.filter(Boolean);
}

function start() {
  byId("name").textContent = release.name;
  const many = (n, word) => `${n.toLocaleString("en")} ${word}${n === 1 ? "" : "s"}`;
  byId("about").textContent = `${many(release.items.length, "item")} over ${many(release.documents.length, "document")}${release.left_out ? `, ${release.left_out.toLocaleString("en")} of them left out of the retrieval corpus` : release.gold_included ? ", gold sources in the retrieval corpus" : ""} · ${release.hash}` +
    (release.withheld.length ? ` · withheld: ${release.withheld.join(", ")}` : "");
  for (const [key, name] of FILTERS) {
    const values = [...new Set(release.items.map((item) => String(item[key])))].sort();
    if (values.length < 2) continue;
    const select = el("select", "", new Option(`any ${name}`, ""));
    for (const value of values) select.append(new Option(value === "null" ? `no ${name}` : key === "level" ? `level ${value}` : words(value), value));
    select.setAttribute("aria-label", name);
    select.addEventListener("change", () => { select.classList.toggle("on", select.value !== ""); choose(); });
    selects[key] = select;
    byId("selects").append(select);
  }
  byId("save").addEventListener("click", save);
  window.addEventListener("beforeunload", (event) => { if (unsaved || [...drafts.values()].some((draft) => draft.answer || draft.reason)) event.preventDefault(); });
  byId("search").addEventListener("input", choose);
  byId("filters").addEventListener("submit", (event) => event.preventDefault());
  byId("before").addEventListener("click", () => go((Math.floor(at / PAGE) - 1) * PAGE));
  byId("after").addEventListener("click", () => go((Math.floor(at / PAGE) + 1) * PAGE));
  document.addEventListener("keydown", (event) => {
    const typing = ["INPUT", "SELECT", "TEXTAREA"].includes(event.target.tagName);
    if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
    if (typing) { if (event.key === "Escape") event.target.blur(); return; }
    if (event.key === "/") { event.preventDefault(); byId("search").focus(); }
    if (event.key === "j") go(at + 1);
    if (event.key === "k") go(at - 1);
    if (event.key === "c" && byId("contest")) { event.preventDefault(); byId("contest").click(); }
  });
  const asked = decodeURIComponent(location.hash.slice(1));
  at = Math.max(0, found.findIndex((item) => item.id === asked));
  draw();
}

start();
