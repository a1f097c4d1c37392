// A client that @hey-api/openapi-ts generated: reads accounts over mutual TLS. The arguments are the file with what it is and needs; it
// writes what it got.
import { readFileSync } from "node:fs";
import { Agent, fetch as send, type RequestInit } from "undici";
import { client } from "./account-info/client.gen.js";
import { getAccountsV40 } from "./account-info/sdk.gen.js";

type Told = { ca: string; certificate: string; key: string; mtls: string; token: string };
const told: Told = JSON.parse(readFileSync(process.argv[2] ?? "", "utf8"));
const dispatcher = new Agent({ connect: { ca: told.ca, cert: told.certificate, key: told.key } });

const mutual: typeof fetch = async (input, init) => {
  const request = new Request(input, init);
  const options = { method: request.method, headers: Object.fromEntries(request.headers), dispatcher } as RequestInit;
  const answer = await send(request.url, options);
  return new Response(await answer.text(), { status: answer.status, headers: Object.fromEntries(answer.headers) });
};

client.setConfig({ baseUrl: told.mtls, fetch: mutual, auth: told.token });
const { data, error } = await getAccountsV40();
if (data === undefined) throw new Error(JSON.stringify(error));
const accounts = data.Data.Account ?? [];
console.log(JSON.stringify({ accounts: accounts.length, currencies: accounts.map((account) => account.Currency) }));
