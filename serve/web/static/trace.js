import { ask, byId, waitForRecord } from "./common.js";

const list = byId("list");
const live = byId("live");
const status = byId("live-status");
let source = null;
let fresh = 0;
let timer = null;
let lost = null;

byId("route").addEventListener("submit", async (event) => {
  event.preventDefault();
  const says = byId("route-status");
  const button = event.target.querySelector("button");
  button.disabled = true;
  says.textContent = "…";
  try {
    const answer = await ask("POST", "/v1/route", { utterance: byId("utterance").value });
    await waitForRecord(answer.trace_id);
    location.assign(`/trace/${encodeURIComponent(answer.trace_id)}`);
  } catch (error) {
    says.textContent = error.message;
  } finally {
    button.disabled = false;
  }
});

// The server renders the list: one place where words become markup.
async function refresh() {
  timer = null;
  const query = new URLSearchParams(location.search);
  query.set("part", "list");
  const answer = await fetch(`/trace?${query}`, { headers: { accept: "text/html" } });
  if (!answer.ok) return;
  const parsed = new DOMParser().parseFromString(await answer.text(), "text/html");
  const focused = list.contains(document.activeElement) ? document.activeElement.id : null;
  list.replaceChildren(...document.importNode(parsed.body, true).childNodes);
  if (focused) byId(focused)?.focus({ preventScroll: true });
  status.textContent = status.dataset.new + fresh;
}

function connect() {
  source = new EventSource("/v1/traces/stream");
  source.addEventListener("open", () => {
    clearTimeout(lost);
    lost = null;
    if (["", status.dataset.lost, status.dataset.off].includes(status.textContent)) {
      status.textContent = status.dataset.on;
    }
  });
  // A stream ends now and then and is asked for again: only a longer silence is worth a word.
  source.addEventListener("error", () => {
    lost ??= setTimeout(() => { status.textContent = status.dataset.lost; }, 3000);
    if (source.readyState === EventSource.CLOSED) setTimeout(() => { if (live.checked) connect(); }, 5000);
  });
  const changed = (count) => {
    fresh += count;
    timer ??= setTimeout(() => refresh().catch(() => { timer = null; }), 300);
  };
  source.addEventListener("record", () => changed(1));
  source.addEventListener("missed", (event) => changed(Number(event.data) || 0));
  source.addEventListener("up", () => changed(0));
}

live.addEventListener("change", () => {
  if (live.checked) {
    fresh = 0;
    connect();
    refresh().catch(() => {});
  } else {
    source?.close();
    clearTimeout(lost);
    lost = null;
    status.textContent = status.dataset.off;
  }
});

if (live.checked) connect();
