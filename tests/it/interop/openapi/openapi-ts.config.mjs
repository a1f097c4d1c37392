// What @hey-api/openapi-ts makes of each document beside this file: a client whose imports Node.js understands.
import { readdirSync } from "node:fs";

const documents = readdirSync(".").filter((file) => file.endsWith(".json") && !["package.json", "tsconfig.json"].includes(file));
const output = (path) => ({ path, module: { extension: ".js" } });
const plugins = ["@hey-api/client-fetch", "@hey-api/sdk", "@hey-api/typescript"];
export default documents.map((file) => ({ input: `./${file}`, output: output(`./${file.replace(".json", "")}`), plugins }));
