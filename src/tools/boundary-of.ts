import type { ErrorClass, JsonObject } from '../contract.ts';
import { hardBoundaryMarkers, softBoundaryMarkers, targetArguments } from './boundary-markers.ts';
import { isBoundaryError, type BoundaryError } from './errors.ts';
import type { FailureSigns } from './failure-signs.ts';

export interface Boundary {
  class: Exclude<ErrorClass, 'general'>;
  /** As it was given; absent when it isn't known. */
  target?: string;
  /** For the model. */
  advice: string;
  /** Stopped by one of our own guards, so nothing ran. */
  isOurs: boolean;
}

const advices = {
  hard_boundary:
    'This is a firm boundary. Other encodings, redirects, proxies or another tool will not get around it. ' +
    'Do not try this target again; go on without it, or tell the user.',
  soft_boundary: 'This target is out of bounds. Another one inside the allowed area may be tried.',
} as const;

/** Whether an error is a boundary's: by our guards' type, else by the words of foreign tools. */
export function boundaryOf(error: unknown, { chain }: FailureSigns, args: JsonObject): Boundary | undefined {
  const own = chain.find(isBoundaryError) as unknown as BoundaryError | undefined;
  if (own) return { class: own.boundary, target: own.target, advice: advices[own.boundary], isOurs: true };
  const text = [typeof error === 'string' ? error : '', ...chain.map(({ message }) => String(message ?? ''))]
    .join('\n')
    .toLowerCase();
  const has = (marker: string): boolean => text.includes(marker);
  const found = hardBoundaryMarkers.some(has)
    ? 'hard_boundary'
    : softBoundaryMarkers.some(has)
      ? 'soft_boundary'
      : undefined;
  if (!found) return undefined;
  const target = foreignTarget(args);
  return { class: found, ...(target === undefined ? {} : { target }), advice: advices[found], isOurs: false };
}

const foreignTarget = (args: JsonObject): string | undefined =>
  targetArguments
    .map((name) => (Object.hasOwn(args, name) ? args[name] : undefined))
    .find((value) => typeof value === 'string' && value.trim() !== '') as string | undefined;
