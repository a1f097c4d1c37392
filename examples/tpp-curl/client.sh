#!/bin/sh
# A TPP in shell: reads a customer's accounts, makes a signed payment, and waits for its event. Needs curl 7.84 and openssl.
# Usage: sh client.sh DATA_FOLDER NAME [--browser]
# NAME is a folder under DATA_FOLDER/tpps. Without --browser the application must be headless (`lombard tpp create NAME --headless amelia`).
# It shows what is sent; it does not verify what the bank signs, as an application must: the other clients do.
set -eu
[ $# -ge 2 ] || { echo "usage: sh client.sh DATA_FOLDER NAME [--browser]" >&2; exit 2; }
DATA=$1
TPP=$1/tpps/$2
BROWSER=${3:-}

# The first text member of this name in the JSON document on standard input.
member() { sed -n "s/.*\"$1\": *\"\([^\"]*\)\".*/\1/p" | head -n 1; }
answer() { printf %s "$ANSWER" | tr '{,' '\n\n' | member "$1"; }
file() { member "$2" < "$1"; }

ISSUER=$(file "$DATA/endpoints.json" issuer)
PUBLIC=$(file "$DATA/endpoints.json" public)
MTLS=$(file "$DATA/endpoints.json" mtls)
API=$(file "$DATA/endpoints.json" resource_base)/v4.0
CLIENT=$(file "$TPP/tpp.json" client_id)
KID=$(file "$TPP/tpp.json" signing_kid)
SIGNER=$(file "$TPP/tpp.json" org_id)/$(file "$TPP/tpp.json" software_id)
# The sandbox's own page shows the answer to a person; an application may have it among its redirect URIs.
URIS=$(grep -o '"https\{0,1\}://[^"]*"' "$TPP/tpp.json" | tr -d '"')
REDIRECT=$(printf '%s\n' "$URIS" | head -n 1)
[ -z "$BROWSER" ] || REDIRECT=$(printf '%s\n' "$URIS" | grep '/portal/callback$' || printf %s "$REDIRECT")

# Mutual TLS: every connection presents the application's certificate.
bank() { curl --silent --show-error --fail-with-body --cacert "$DATA/ca.pem" --cert "$TPP/transport.pem" --key "$TPP/transport.key" "$@"; }

base64url() { openssl base64 -A | tr '+/' '-_' | tr -d '='; }
unbase64url() { tr -d '\n' | sed 's/$/===/; s/\(\(....\)*\).*/\1/' | tr -- '-_' '+/' | openssl base64 -d -A; }
random() { openssl rand -hex 16; }
# Signs its input with PS256: RSA-PSS with SHA-256, and a salt as long as the digest.
ps256() { openssl dgst -sha256 -sign "$TPP/signing.key" -sigopt rsa_padding_mode:pss -sigopt rsa_pss_saltlen:digest -binary | base64url; }
# A signed JWT with these claims, which lives for five minutes.
jwt() {
  NOW=$(date +%s)
  HEAD=$(printf '{"alg":"PS256","kid":"%s"}' "$KID" | base64url)
  BODY=$(printf '{"iat":%s,"nbf":%s,"exp":%s,"jti":"%s",%s}' "$NOW" "$NOW" $((NOW + 300)) "$(random)" "$1" | base64url)
  printf '%s.%s.%s' "$HEAD" "$BODY" "$(printf '%s.%s' "$HEAD" "$BODY" | ps256)"
}

# A token: these parameters, and the client authentication by a signed assertion.
token() {
  ANSWER=$(bank "$MTLS/token" "$@" \
    --data client_assertion_type=urn:ietf:params:oauth:client-assertion-type:jwt-bearer \
    --data "client_assertion=$(jwt "\"iss\":\"$CLIENT\",\"sub\":\"$CLIENT\",\"aud\":\"$ISSUER\"")")
  TOKEN=$(answer access_token)
}
own_token() { token --data grant_type=client_credentials --data "scope=$1"; }

post() { ANSWER=$(bank "$API/$1" --header "Authorization: Bearer $TOKEN" --header "Content-Type: application/json" --data "$2"); }
get() { ANSWER=$(bank "$API/$1" --header "Authorization: Bearer $TOKEN"); }
# A signed request: a detached JWS over the bytes of the body, and an idempotency key.
post_signed() {
  OB=http://openbanking.org.uk
  HEAD=$(printf '{"alg":"PS256","kid":"%s","typ":"JOSE","cty":"application/json","%s/iat":%s,"%s/iss":"%s","%s/tan":"openbanking.org.uk","crit":["%s/iat","%s/iss","%s/tan"]}' \
    "$KID" $OB "$(date +%s)" $OB "$SIGNER" $OB $OB $OB $OB | base64url)
  SIGNATURE=$(printf '%s.%s' "$HEAD" "$(printf %s "$2" | base64url)" | ps256)
  ANSWER=$(bank "$API/$1" --header "Authorization: Bearer $TOKEN" --header "Content-Type: application/json" \
    --header "x-idempotency-key: $(random)" --header "x-jws-signature: $HEAD..$SIGNATURE" --data "$2")
}

# Takes the customer to the bank for this consent and scope; the token is the customer's then.
authorise() {
  STATE=$(random)
  CLAIMS="\"iss\":\"$CLIENT\",\"aud\":\"$ISSUER\",\"client_id\":\"$CLIENT\",\"redirect_uri\":\"$REDIRECT\",\"state\":\"$STATE\",\"nonce\":\"$(random)\""
  CLAIMS="$CLAIMS,\"response_type\":\"code id_token\",\"scope\":\"openid $2\""
  CLAIMS="$CLAIMS,\"claims\":{\"id_token\":{\"openbanking_intent_id\":{\"value\":\"$1\",\"essential\":true}}}"
  URL="$PUBLIC/authorize?client_id=$CLIENT&response_type=code%20id_token&scope=openid%20$2&request=$(jwt "$CLAIMS")"
  if [ -n "$BROWSER" ]; then
    printf 'Open %s\nand paste the address of the page on which you end here: ' "$URL" >&2
    read -r BACK
  else
    BACK=$(bank --output /dev/null --write-out '%header{location}' "$URL")
    case $BACK in /*) echo "the bank asks a person to log in: run with --browser, or create the application with --headless" >&2; exit 1 ;; esac
  fi
  parameter() { printf %s "$BACK" | tr '#?&' '\n\n\n' | sed -n "s/^$1=//p"; }
  [ "$(parameter state)" = "$STATE" ] || { echo "the answer is for another request: $BACK" >&2; exit 1; }
  [ -n "$(parameter code)" ] || { echo "refused: $BACK" >&2; exit 1; }
  token --data grant_type=authorization_code --data "code=$(parameter code)" --data-urlencode "redirect_uri=$REDIRECT"
}

# Account information.
own_token accounts
post aisp/account-access-consents '{"Data":{"Permissions":["ReadAccountsDetail","ReadBalances"]},"Risk":{}}'
authorise "$(answer ConsentId)" accounts
get aisp/accounts
printf %s "$ANSWER" | grep -o '"AccountId":"[^"]*"' | sed 's/.*:"\(.*\)"/account \1/'

# A payment: the consent, the customer's agreement, the order.
PAYEE='"CreditorAccount":{"SchemeName":"UK.OBIE.SortCodeAccountNumber","Identification":"20000319825731","Name":"Tea and Scones"}'
INITIATION="{\"InstructionIdentification\":\"$(random | cut -c 1-30)\",\"EndToEndIdentification\":\"EXAMPLE-CURL\",\"InstructedAmount\":{\"Amount\":\"1.25\",\"Currency\":\"GBP\"},$PAYEE}"
own_token payments
OWN=$TOKEN
post_signed pisp/domestic-payment-consents "{\"Data\":{\"Initiation\":$INITIATION},\"Risk\":{}}"
CONSENT=$(answer ConsentId)
authorise "$CONSENT" payments
post_signed pisp/domestic-payments "{\"Data\":{\"ConsentId\":\"$CONSENT\",\"Initiation\":$INITIATION},\"Risk\":{}}"
ORDER=$(answer DomesticPaymentId)
echo "payment $ORDER $(answer Status)"

# Events: a poll is held until there is one. Each is read and acknowledged.
TOKEN=$OWN
ACK=
SEEN=
while [ -z "$SEEN" ]; do
  post events "{\"maxEvents\":10,\"returnImmediately\":false,\"ack\":[$ACK]}"
  ACK=
  for PAIR in $(printf %s "$ANSWER" | grep -o '"[^",{]*":"[^".]*\.[^".]*\.[^".]*"'); do
    JTI=${PAIR%%:*}
    ACK="${ACK:+$ACK,}$JTI"
    EVENT=$(printf %s "$PAIR" | cut -d . -f 2 | unbase64url)
    case $EVENT in *"$ORDER"*) SEEN=$(printf 'event %s %s' "$JTI" "$(printf %s "$EVENT" | grep -o 'events:[a-z-]*' | cut -d : -f 2)" | tr -d '"') ;; esac
  done
done
echo "$SEEN"
post events "{\"maxEvents\":0,\"returnImmediately\":true,\"ack\":[$ACK]}"
get "pisp/domestic-payments/$ORDER"
echo "payment $ORDER $(answer Status)"
