import { byId, correct } from "./common.js";

const form = byId("correct");

form?.addEventListener("submit", async (event) => {
  event.preventDefault();
  const says = byId("correct-status");
  const chosen = form.querySelector("input[name=want]:checked");
  try {
    const row = await correct(form.dataset.trace, chosen.value || null);
    says.textContent = form.dataset.saved + (row.want ?? chosen.labels[0].textContent);
  } catch (error) {
    says.textContent = form.dataset.failed + error.message;
  }
});
