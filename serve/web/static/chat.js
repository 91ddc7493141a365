import { ask, byId, correct, element } from "./common.js";

const page = byId("chat");
const words = byId("words").dataset;
const log = byId("log");
const message = byId("message");
const says = byId("say-status");
let dialogue = Boolean(page.dataset.dialogue);
let phrasing = Boolean(page.dataset.phrase);
let state = load();

function fresh() {
  return { session: `web-${crypto.getRandomValues(new Uint32Array(2)).join("-")}`, reminders: [] };
}

function load() {
  try {
    return JSON.parse(sessionStorage.getItem("maven-chat")) ?? fresh();
  } catch {
    return fresh();
  }
}

function keep() {
  try {
    sessionStorage.setItem("maven-chat", JSON.stringify(state));
  } catch {
    // a browser without storage: the session lasts as long as the page
  }
  byId("session").textContent = state.session;
  fill(byId("reminders"), byId("reminders-empty"), state.reminders, (item) => `${item.text} · ${item.at ?? "?"}`);
}

function fill(list, empty, items, wordsOf) {
  list.replaceChildren(...items.map((item) => element("li", wordsOf(item), { dir: "auto" })));
  empty.hidden = items.length > 0;
}

function showStack(stack) {
  const parked = stack?.parked ?? [];
  fill(byId("stack"), byId("stack-empty"), parked, (item) =>
    `${item.utterance} (${item.intent ?? "?"}): ${item.missing.join(", ")}`);
}

// The page keeps the reminders that its dialogue made, so that cancelling one can be tried here.
function obey(effects) {
  for (const effect of effects ?? []) {
    const kind = effect.kind ?? effect.type;
    if (kind === "create_reminder") {
      const id = `r${Date.now()}-${state.reminders.length}`;
      state.reminders.push({ id, text: effect.text ?? "", at: effect.at ?? null });
    } else if (kind === "cancel_reminder") {
      state.reminders = state.reminders.filter((item) => item.id !== effect.id);
    }
  }
}

function turnOf(who, mine = false) {
  const turn = element("div", null, { class: mine ? "turn mine" : "turn" });
  turn.append(element("p", who, { class: "who" }));
  log.append(turn);
  return turn;
}

function settle() {
  log.scrollTop = log.scrollHeight;
}

function summaryOf(decision) {
  if (!decision) return "";
  if (decision.intent === null) return "clarify";
  const tail = decision.intent === "act" ? decision.slots.fn : decision.source;
  return tail ? `${decision.intent}:${tail}` : decision.intent;
}

function wordsOf(effect) {
  const { kind, request, utterance, ...fields } = effect; // what was said stands above, and the number means little
  const told = Object.entries(fields).filter(([, value]) => value !== null && value !== false && value !== "");
  return [kind, ...told.map(([name, value]) => `${name}: ${Array.isArray(value) ? value.join(" → ") : value}`)].join(" · ");
}

function tools(turn, id) {
  const row = element("div", null, { class: "tools" });
  const wrong = element("button", words.notThat, { type: "button", class: "quiet", "data-correct": "none" });
  const other = element("button", words.itWas, { type: "button", class: "quiet", "aria-expanded": "false" });
  const choice = element("select", null, { "aria-label": words.rightIntent, hidden: "" });
  choice.append(element("option", "…", { value: "" }));
  for (const name of page.dataset.intents.split(" ")) choice.append(element("option", name, { value: name }));
  const told = element("span", "", { role: "status", class: "note" });
  const send = async (want) => {
    try {
      const row_ = await correct(id, want);
      told.textContent = words.saved + (row_.want ?? words.justWrong);
    } catch (error) {
      told.textContent = words.failedSave + error.message;
    }
  };
  wrong.addEventListener("click", () => send(null));
  other.addEventListener("click", () => {
    choice.hidden = !choice.hidden;
    other.setAttribute("aria-expanded", String(!choice.hidden));
    if (!choice.hidden) choice.focus();
  });
  choice.addEventListener("change", () => { if (choice.value) send(choice.value); });
  row.append(wrong, other, choice, element("a", words.see, { href: `/trace/${encodeURIComponent(id)}` }), told);
  turn.append(row);
}

// Server-sent events of a phrased reply, put down piece by piece. What is not there stays away in silence.
async function phrase(answer, utterance, into) {
  if (!phrasing || !answer.decision) return;
  try {
    const response = await fetch("/v1/phrase", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ utterance, decision: answer.decision, stream: true }),
    });
    if (!response.ok || !response.body) {
      phrasing = response.status !== 404 && response.status !== 422;
      return;
    }
    const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
    let rest = "";
    for (;;) {
      const { value, done } = await reader.read();
      if (done) return;
      const lines = (rest + value).split("\n");
      rest = lines.pop();
      for (const line of lines) {
        if (!line.startsWith("data:")) continue;
        const data = line.slice(5).trim();
        if (data === "[DONE]") return;
        const piece = JSON.parse(data);
        into.textContent += piece.delta ?? piece.text ?? piece.choices?.[0]?.delta?.content ?? "";
        settle();
      }
    }
  } catch {
    // no phraser, or half a stream: the reply stands without it
  }
}

async function hear(utterance) {
  if (dialogue) {
    try {
      const context = { pending_reminders: state.reminders };
      return await ask("POST", "/v1/turn", {
        session: state.session, utterance, context, turn_id: crypto.randomUUID?.() ?? String(Math.random()),
        timezone: Intl.DateTimeFormat().resolvedOptions().timeZone,
      });
    } catch (error) {
      if (error.status !== 404 && error.status !== 405) throw error;
      dialogue = false;
    }
  }
  return { ...(await ask("POST", "/v1/route", { utterance })), dialogue: "unavailable" };
}

function show(answer, utterance) {
  const turn = turnOf(words.maven);
  const reply = answer.reply?.text ?? answer.clarify?.question ?? "";
  if (reply) turn.append(element("p", reply, { dir: "auto", class: "said" }));
  const spoken = element("p", "", { dir: "auto", class: "said" });
  turn.append(spoken);
  if (answer.decision) {
    const name = answer.decision.intent ?? "clarify";
    turn.append(element("span", summaryOf(answer.decision), { class: `intent intent-${name}` }));
  }
  if (answer.effects?.length) {
    const list = element("ul", null, { "aria-label": words.effects });
    for (const effect of answer.effects) list.append(element("li", wordsOf(effect), { dir: "auto" }));
    turn.append(list);
  }
  if (answer.dialogue === "unavailable") turn.append(element("p", words.noDialogue, { class: "note" }));
  tools(turn, answer.trace_id);
  settle();
  return phrase(answer, utterance, spoken);
}

byId("say").addEventListener("submit", async (event) => {
  event.preventDefault();
  const utterance = message.value;
  const button = event.target.querySelector("button");
  turnOf(words.you, true).append(element("p", utterance, { dir: "auto", class: "said" }));
  settle();
  message.value = "";
  button.disabled = true;
  says.textContent = "";
  try {
    const answer = await hear(utterance);
    obey(answer.effects);
    showStack(answer.stack);
    keep();
    await show(answer, utterance);
  } catch (error) {
    says.textContent = error.message;
  } finally {
    button.disabled = false;
    message.focus();
  }
});

byId("anew").addEventListener("click", () => {
  state = fresh();
  log.replaceChildren();
  showStack(null);
  keep();
  message.focus();
});

keep();
