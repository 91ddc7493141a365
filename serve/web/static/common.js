// What the pages share. Whatever came from an utterance goes in as text, never as markup.

export const byId = (id) => document.getElementById(id);

export async function ask(method, path, body) {
  const answer = await fetch(path, {
    method,
    headers: body === undefined ? {} : { "content-type": "application/json" },
    body: body === undefined ? undefined : JSON.stringify(body),
  });
  const text = await answer.text();
  let value = null;
  try {
    value = JSON.parse(text);
  } catch {
    value = null; // a proxy's own error page
  }
  if (!answer.ok) {
    const error = new Error((value && value.detail) || `${answer.status}`);
    error.status = answer.status;
    throw error;
  }
  return value;
}

export function element(name, text, attributes = {}) {
  const made = document.createElement(name);
  if (text !== undefined && text !== null) made.textContent = text;
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  return made;
}

// The record is written after the answer: it is asked for until it is there.
export async function waitForRecord(id, tries = 40) {
  for (let i = 0; i < tries; i += 1) {
    try {
      return await ask("GET", `/v1/traces/${encodeURIComponent(id)}`);
    } catch (error) {
      if (error.status !== 404) throw error;
    }
    await new Promise((done) => setTimeout(done, 100));
  }
  return null;
}

export const correct = (id, want) =>
  ask("POST", `/v1/traces/${encodeURIComponent(id)}/correction`, { want, reach: "web" });
