import type { Json } from '../contract.ts';

/** JSON text with object keys in a fixed order, so that equal values have equal text. Non-ASCII stays as it is. */
export const stableJson = (value: Json): string => JSON.stringify(sortKeys(value));

function sortKeys(value: Json): Json {
  if (value === null || typeof value !== 'object') return value;
  if (Array.isArray(value)) return value.map(sortKeys);
  // fromEntries defines each key as data, `__proto__` too.
  return Object.fromEntries(
    Object.keys(value)
      .sort()
      .map((key) => [key, sortKeys(value[key] as Json)]),
  );
}
