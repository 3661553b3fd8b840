import type { PlannedCall } from '../contract.ts';

/**
 * Which calls of a reply each call has to wait for: an edge i→j (i before j) exists when both touch a resource and one of
 * them writes it, or when either is not safe and declares no resources (a barrier). Calls that are answered already take
 * no part. With no resources declared this is: neighbouring safe calls together, an unsafe call alone.
 */
export function dependencies(calls: readonly PlannedCall[]): number[][] {
  return calls.map((call, j) => {
    if (call.answer) return [];
    const before: number[] = [];
    for (let i = 0; i < j; i++) {
      const earlier = calls[i];
      if (earlier && !earlier.answer && conflict(earlier, call)) before.push(i);
    }
    return before;
  });
}

function conflict(a: PlannedCall, b: PlannedCall): boolean {
  if (isBarrier(a) || isBarrier(b)) return true;
  return overlaps(a.writes, b.writes) || overlaps(a.writes, b.reads) || overlaps(a.reads, b.writes);
}

const isBarrier = (call: PlannedCall): boolean => !call.safe && !call.reads && !call.writes;

const overlaps = (a: string[] = [], b: string[] = []): boolean => a.some((resource) => b.includes(resource));
