import { Ajv } from 'ajv';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { jsonSchemas, schemasFolder } from '../../scripts/json-schemas.ts';

const read = (file: string): string => readFileSync(join(schemasFolder, file), 'utf8');
const accepts = (file: string, value: unknown): boolean =>
  new Ajv({ strict: true, allowUnionTypes: true }).compile(JSON.parse(read(file)) as object)(value);

const usage = {
  requests: 1,
  failedRequests: 0,
  promptTokens: 10,
  completionTokens: 5,
  cachedTokens: 0,
  reasoningTokens: 0,
  estimated: false,
};

describe('the JSON Schemas', () => {
  test('say what the types say; `npm run schemas` writes them anew', async () => {
    const made = await jsonSchemas();
    expect(readdirSync(schemasFolder).toSorted()).toEqual([...made.keys()].toSorted());
    for (const [file, text] of made) expect([file, read(file)]).toEqual([file, text]);
  });

  test('take what a run may be started with, and no field that is misspelt', () => {
    const input = { version: 1, agent: 'analyst', input: 'Which region grew fastest?' };
    const conversation = [{ role: 'assistant', content: null, reasoning_content: 'Hm.' }];
    expect(accepts('start-input.json', input)).toBe(true);
    expect(accepts('start-input.json', { ...input, input: conversation, keepOpenMs: 60_000 })).toBe(true);
    expect(accepts('start-input.json', { ...input, limits: { maxIterations: 3, maxCostUsd: 0.5 } })).toBe(
      true,
    );
    expect(accepts('start-input.json', { ...input, version: 2 })).toBe(false);
    expect(accepts('start-input.json', { ...input, keepOpenMS: 60_000 })).toBe(false);
    expect(accepts('start-input.json', { ...input, limits: { maxIteration: 3 } })).toBe(false);
    expect(accepts('start-input.json', { ...input, limits: { maxIterations: 0.5 } })).toBe(false);
  });

  test('take each form of a message, and nothing between them', () => {
    expect(accepts('inject.json', 'only 2025')).toBe(true);
    expect(accepts('inject.json', { id: 'm-1', content: [{ type: 'text', text: 'only 2025' }] })).toBe(true);
    expect(accepts('inject.json', { content: [{ type: 'image_url', image_url: { url: 'x' } }] })).toBe(true);
    expect(accepts('inject.json', { id: 'm-1', part: 1, of: 2, text: '{"content":' })).toBe(true);
    expect(accepts('inject.json', { id: 'm-1', part: 1, text: '{"content":' })).toBe(false);
    expect(accepts('inject.json', { content: 'only 2025', interupt: true })).toBe(false);
    expect(accepts('inject.json', 5)).toBe(false);
  });

  test('let optional fields be added to what is read', () => {
    const result = { text: 'The north.', stopReason: 'completed', usage, iterations: 2, turns: 1 };
    expect(accepts('run-result.json', result)).toBe(true);
    expect(accepts('run-result.json', { ...result, output: { region: 'north' } })).toBe(true);
    expect(accepts('run-result.json', { ...result, stopReason: 'tired' })).toBe(false);
    expect(accepts('run-result.json', { ...result, usage: undefined })).toBe(false);
  });
});
