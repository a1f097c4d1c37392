// Shows what the bank sent back in the fragment or the query of this page's address. Text only ever goes in as text.
"use strict";
(() => {
  const answer = new URLSearchParams(window.location.hash.slice(1) || window.location.search.slice(1));
  const show = (id) => document.getElementById(id).removeAttribute("hidden");
  if (!["code", "error", "response"].some((name) => answer.has(name))) {
    show("nothing");
    return;
  }

  const list = document.getElementById("parameters");
  for (const name of ["code", "error", "error_description", "state", "iss", "id_token", "response"]) {
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
  const { clients, tokenEndpoint, redirectUri } = command.dataset;
  fetch(`${clients}/${client}`)
    .then((answer) => (answer.ok ? answer.json() : Promise.reject(answer.status)))
    .then((found) => {
      const signs = found.token_endpoint_auth_method === "private_key_jwt";
      const proof = signs ? assertion() : [];
      const proves = signs
        ? [
            "  -d client_assertion_type=urn:ietf:params:oauth:client-assertion-type:jwt-bearer \\",
            '  -d client_assertion="$JWT.$SIGNATURE" \\',
          ]
        : [`  -d client_id=${client} \\`];
      command.textContent = [
        "DATA=data",
        `TPP=$(dirname "$(grep -lF '"${client}"' $DATA/tpps/*/tpp.json)")`,
        ...proof,
        "curl --cacert $DATA/ca.pem --cert $TPP/transport.pem --key $TPP/transport.key \\",
        `  ${tokenEndpoint} \\`,
        "  -d grant_type=authorization_code \\",
        ...proves,
        `  -d code=${code} \\`,
        `  --data-urlencode redirect_uri=${redirectUri}`,
      ].join("\n");
      show("next");
    })
    // Without an application that is known here there is no command to show.
    .catch(() => {});

  // What signs a client assertion with the application's key: PS256 over the base64url of header and claims.
  function assertion() {
    return [
      "base64url() { openssl base64 -A | tr '+/' '-_' | tr -d '='; }",
      `KID=$(sed -n 's/.*"signing_kid": *"\\([^"]*\\)".*/\\1/p' $TPP/tpp.json)`,
      "NOW=$(date +%s)",
      `CLAIMS='{"iss":"${client}","sub":"${client}","aud":"${tokenEndpoint}","jti":"%s","iat":%s,"exp":%s}'`,
      `HEADER=$(printf '{"alg":"PS256","kid":"%s"}' $KID | base64url)`,
      "JWT=$HEADER.$(printf \"$CLAIMS\" $(openssl rand -hex 16) $NOW $((NOW + 60)) | base64url)",
      "SIGNATURE=$(printf %s $JWT | openssl dgst -sha256 -sign $TPP/signing.key \\",
      "  -sigopt rsa_padding_mode:pss -sigopt rsa_pss_saltlen:digest -binary | base64url)",
    ];
  }

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
