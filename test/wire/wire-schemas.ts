import { Ajv } from 'ajv';
import { readFileSync } from 'node:fs';

type SchemaName = 'start-input' | 'run-result' | 'inject' | 'run-state' | 'transcript-page' | 'events-page';

/** What a schema of docs/schemas has against a value; nothing when it fits. */
export function schemaProblems(name: SchemaName, value: unknown): string[] {
  const file = new URL(`../../docs/schemas/${name}.json`, import.meta.url);
  const ajv = new Ajv({ allErrors: true });
  const fits = ajv.compile(JSON.parse(readFileSync(file, 'utf8')) as object);
  return fits(value) ? [] : [ajv.errorsText(fits.errors, { dataVar: name })];
}
