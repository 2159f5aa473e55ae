// Validate JSON texts by ajv 8 and print one verdict a line.
// The first line of the input has the schemas by name; each other line a name and a text (base64).
"use strict";
const { createRequire } = require("node:module");
const path = require("node:path");
const need = createRequire(path.join(__dirname, "..", "tools", "node", "package.json"));
const Ajv2020 = need("ajv/dist/2020").default;
const addFormats = need("ajv-formats").default;

const ajv = new Ajv2020({ strict: true, strictTypes: true, strictRequired: false, logger: {
  log() {}, warn(message) { throw new Error(message); }, error(message) { throw new Error(message); },
} });
addFormats(ajv);
ajv.addVocabulary(["x-rules"]);

const lines = require("node:fs").readFileSync(0, "utf8").split("\n").filter(Boolean);
const schemas = JSON.parse(lines.shift());
const compiled = {};
const decoder = new TextDecoder("utf-8", { fatal: true });
for (const line of lines) {
  const [name, text] = JSON.parse(line);
  let value;
  try {
    value = JSON.parse(decoder.decode(Buffer.from(text, "base64")));
  } catch {
    process.stdout.write("unreadable\n");
    continue;
  }
  compiled[name] ??= ajv.compile(schemas[name]);
  process.stdout.write(compiled[name](value) ? "valid\n" : "invalid\n");
}
