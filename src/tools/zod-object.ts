import type { z } from 'zod';

/** Whether a value is a zod 4 object schema, from this copy of zod or another. */
export const isZodObject = (value: unknown): value is z.ZodObject => zodType(value) === 'object';

/** The kind of a zod 4 schema (`object`, `string` …); undefined for what is none. */
export function zodType(value: unknown): string | undefined {
  const { _zod } = (value ?? {}) as { _zod?: { def?: { type?: string } } };
  return _zod?.def?.type;
}

/** Zod 3 has no `_zod`, and its schemas can't be rendered by zod 4. */
export const isZod3 = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && '_def' in value && !('_zod' in value);
