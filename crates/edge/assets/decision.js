// Says that a decision was sent when the way back takes long, and sends it once. Without this script the page works all the same.
"use strict";

const form = document.querySelector("form[action$='/decision']");
const sent = document.getElementById("sent");
const SLOW_MS = 1500;
let isSent = false;

if (form && sent) {
  form.addEventListener("submit", (event) => {
    if (isSent) {
      event.preventDefault();
      return;
    }
    isSent = true;
    setTimeout(() => {
      sent.hidden = false;
      sent.scrollIntoView({ block: "nearest" });
    }, SLOW_MS);
  });
  // The page may come back from the browser's memory.
  window.addEventListener("pageshow", () => {
    isSent = false;
    sent.hidden = true;
  });
}
