import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { jsonSchemas, schemasFolder } from './json-schemas.ts';

// `npm run schemas`: writes docs/schemas anew. A test compares them with the types.
await mkdir(schemasFolder, { recursive: true });
for (const [file, text] of await jsonSchemas()) {
  await writeFile(join(schemasFolder, file), text);
  console.log(`docs/schemas/${file}`);
}
