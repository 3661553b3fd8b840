import { fileURLToPath } from 'node:url';
import { format, resolveConfig } from 'prettier';
import { createGenerator, type Schema } from 'ts-json-schema-generator';

/** Where the schemas are checked in. */
export const schemasFolder = fileURLToPath(new URL('../docs/schemas/', import.meta.url));

const payloads = ['StartInput', 'RunResult', 'Inject', 'RunState', 'TranscriptPage', 'EventsPage'];

/**
 * Shapes of our own that others send. A field that they misspell would be ignored, so their schemas allow no field that is
 * not known. What others read stays open: optional fields are added to it over time.
 */
const closed = ['StartInput', 'InjectedMessage', 'MessagePart'];

const comment = 'Generated from src/contract.ts and src/core by `npm run schemas`; do not edit.';

/** A JSON Schema (draft 7) for every payload of docs/wire.md: file name and text, formatted as it is checked in. */
export async function jsonSchemas(): Promise<Map<string, string>> {
  const generator = createGenerator({
    path: fileURLToPath(new URL('./wire-payloads.ts', import.meta.url)),
    tsconfig: fileURLToPath(new URL('../tsconfig.json', import.meta.url)),
    // `npm run typecheck` does that, with the project's own compiler.
    skipTypeCheck: true,
    additionalProperties: true,
  });
  const style = await resolveConfig(schemasFolder);
  const files = new Map<string, string>();
  for (const payload of payloads) {
    const schema = { $comment: comment, ...adjusted(generator.createSchema(payload)) };
    files.set(fileNameOf(payload), await format(JSON.stringify(schema), { ...style, parser: 'json' }));
  }
  return files;
}

const fileNameOf = (payload: string): string =>
  `${payload.replace(/(?<=[a-z])[A-Z]/gu, (letter) => `-${letter}`).toLowerCase()}.json`;

/** What TypeScript's types can't say: which numbers are whole, and which objects are closed. */
function adjusted(schema: Schema): Schema {
  for (const [name, definition] of Object.entries(schema.definitions ?? {})) {
    if (typeof definition === 'boolean') continue;
    visit(definition, (object) => {
      for (const [field, property] of Object.entries(object.properties ?? {})) {
        // By the contract's rule on names an amount of money ends in its unit; every other number counts something.
        if (typeof property === 'object' && property.type === 'number' && !field.endsWith('Usd'))
          property.type = 'integer';
      }
      if (closed.includes(name) && !('additionalProperties' in object)) object.additionalProperties = false;
    });
  }
  return schema;
}

/** All objects with fields in a schema. References are not followed: what they lead to is a definition of its own. */
function visit(schema: Schema, see: (object: Schema) => void): void {
  if (schema.properties !== undefined) see(schema);
  const inner = [
    ...Object.values(schema.properties ?? {}),
    ...(schema.anyOf ?? []),
    schema.items ?? [],
  ].flat();
  for (const each of inner) if (typeof each === 'object') visit(each, see);
}
