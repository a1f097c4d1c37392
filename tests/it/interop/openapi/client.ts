// A client whose types openapi-typescript generated: reads accounts over mutual TLS. The arguments are the file with what it is and
// needs; it writes what it got.
import { readFileSync } from "node:fs";
import createClient from "openapi-fetch";
import { Agent, fetch as send, type RequestInit } from "undici";
import type { paths } from "./account-info.js";

type Told = { ca: string; certificate: string; key: string; mtls: string; token: string };
const told: Told = JSON.parse(readFileSync(process.argv[2] ?? "", "utf8"));
const dispatcher = new Agent({ connect: { ca: told.ca, cert: told.certificate, key: told.key } });

async function mutual(request: Request): Promise<Response> {
  const options = { method: request.method, headers: Object.fromEntries(request.headers), dispatcher } as RequestInit;
  const answer = await send(request.url, options);
  return new Response(await answer.text(), { status: answer.status, headers: Object.fromEntries(answer.headers) });
}

const client = createClient<paths>({ baseUrl: told.mtls, fetch: mutual, headers: { authorization: `Bearer ${told.token}` } });
const { data, error } = await client.GET("/open-banking/v4.0/aisp/accounts");
if (data === undefined) throw new Error(JSON.stringify(error));
const accounts: { AccountId: string; Currency: string }[] = data.Data.Account ?? [];
console.log(JSON.stringify({ accounts: accounts.length, currencies: accounts.map((account) => account.Currency) }));
