// Shows what the bank sent back in the fragment of this page's address. Text only ever goes in as text.
"use strict";
(() => {
  const answer = new URLSearchParams(window.location.hash.slice(1));
  const show = (id) => document.getElementById(id).removeAttribute("hidden");
  if (!answer.has("code") && !answer.has("error")) {
    show("nothing");
    return;
  }

  const list = document.getElementById("parameters");
  for (const name of ["code", "error", "error_description", "state", "id_token"]) {
    if (!answer.has(name)) continue;
    const term = document.createElement("dt");
    const value = document.createElement("dd");
    const text = document.createElement("code");
    term.textContent = name;
    text.textContent = answer.get(name);
    value.append(text);
    list.append(term, value);
  }
  show("answer");

  // Anybody can make a link to this page: what would not be plain in a shell makes no command.
  const plain = /^[A-Za-z0-9._~-]+$/;
  const client = audience(answer.get("id_token"));
  const code = answer.get("code");
  if (!code || !plain.test(code) || !client || !plain.test(client)) return;
  const command = document.getElementById("command");
  command.textContent = [
    "TPP=data/tpps/rival",
    "curl --cacert data/ca.pem --cert $TPP/transport.pem --key $TPP/transport.key \\",
    `  ${command.dataset.tokenEndpoint} \\`,
    "  -d grant_type=authorization_code \\",
    `  -d client_id=${client} \\`,
    `  -d code=${code} \\`,
    `  --data-urlencode redirect_uri=${command.dataset.redirectUri}`,
  ].join("\n");
  show("next");

  // The client the identity token is for. Shown, never trusted.
  function audience(token) {
    try {
      const claims = token.split(".")[1].replace(/-/g, "+").replace(/_/g, "/");
      const aud = JSON.parse(atob(claims)).aud;
      return typeof aud === "string" ? aud : null;
    } catch {
      return null;
    }
  }
})();
