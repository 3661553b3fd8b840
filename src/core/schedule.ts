import type { PlannedCall, ToolOutcome } from '../contract.ts';

/** A call that has its outcome, by the plan or by a cap, neither runs nor keeps another one from running. */
type Scheduled = PlannedCall & { outcome?: ToolOutcome };

/**
 * Which calls of a reply each call has to wait for: an edge i→j (i before j) exists when both touch a resource and one of
 * them writes it, or when either is not safe and declares no resources (a barrier). Calls that are answered already take
 * no part. With no resources declared this is: neighbouring safe calls together, an unsafe call alone.
 */
export function dependencies(calls: readonly Scheduled[]): number[][] {
  return calls.map((call, j) => {
    if (isSettled(call)) return [];
    const before: number[] = [];
    for (let i = 0; i < j; i++) {
      const earlier = calls[i];
      if (earlier && !isSettled(earlier) && conflict(earlier, call)) before.push(i);
    }
    return before;
  });
}

function conflict(a: PlannedCall, b: PlannedCall): boolean {
  if (isBarrier(a) || isBarrier(b)) return true;
  return overlaps(a.writes, b.writes) || overlaps(a.writes, b.reads) || overlaps(a.reads, b.writes);
}

const isSettled = (call: Scheduled): boolean => call.answer !== undefined || call.outcome !== undefined;

const isBarrier = (call: PlannedCall): boolean => !call.safe && !call.reads && !call.writes;

const overlaps = (a: string[] = [], b: string[] = []): boolean => a.some((resource) => b.includes(resource));
