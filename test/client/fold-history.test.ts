import { defaultPayloadConverter, defaultFailureConverter } from '@temporalio/common';
import { historyFromJSON } from '@temporalio/common/lib/proto-utils.js';
import { readdirSync, readFileSync } from 'node:fs';
import { foldHistory } from '../../src/client/fold/fold-history.ts';
import type { RunResult } from '../../src/contract.ts';
import { resultOf } from '../../src/core/result.ts';
import { nextStep } from '../../src/core/turn.ts';
import { historiesFolder } from '../replay/golden.ts';

const converter = {
  payloadConverter: defaultPayloadConverter,
  failureConverter: defaultFailureConverter,
  payloadCodecs: [],
};

type History = ReturnType<typeof historyFromJSON>;
const historyIn = (file: string): History =>
  historyFromJSON(JSON.parse(readFileSync(`${historiesFolder}/${file}`, 'utf8')));

/** The result that the run itself recorded, wherever its kind of end keeps it. */
function recordedResult({ events }: History): RunResult | undefined {
  const last = events?.at(-1);
  const memo = events?.findLast((event) => event.workflowPropertiesModifiedEventAttributes);
  const payload =
    last?.workflowExecutionCompletedEventAttributes?.result?.payloads?.[0] ??
    last?.workflowExecutionFailedEventAttributes?.failure?.applicationFailureInfo?.details?.payloads?.[0] ??
    memo?.workflowPropertiesModifiedEventAttributes?.upsertedMemo?.fields?.['turnloop.result'];
  return payload ? defaultPayloadConverter.fromPayload<RunResult>(payload) : undefined;
}

describe('a folded history', () => {
  const files = readdirSync(historiesFolder).filter((file) => file.endsWith('.json'));

  test.each(files)('of %s leads to the result that the run recorded', async (file) => {
    const history = historyIn(file);
    const run = await foldHistory(history.events ?? [], converter);
    const step = nextStep(run);
    if (step.kind !== 'finish') throw new Error(`the folded run wants to ${step.kind}`);
    expect(resultOf(run, step.end)).toEqual(recordedResult(history));
    expect(run.log.map(({ seq }) => seq)).toEqual(run.log.map((_, index) => index + 1));
  });

  test.each(files)('of %s can be cut anywhere, and only grows from cut to cut', async (file) => {
    const events = historyIn(file).events ?? [];
    let log: unknown[] = [];
    // The first four: the run is started, and its first task is done.
    for (let end = 4; end <= events.length; end++) {
      const run = await foldHistory(events.slice(0, end), converter);
      expect(run.log.slice(0, log.length)).toEqual(log);
      ({ log } = run);
    }
  });

  test('of another workflow is refused', async () => {
    const { events = [] } = historyIn(files[0]!);
    const [started, ...rest] = events as NonNullable<typeof events>;
    const other = {
      ...started!,
      workflowExecutionStartedEventAttributes: {
        ...started!.workflowExecutionStartedEventAttributes,
        workflowType: { name: 'payroll' },
      },
    };
    await expect(foldHistory([other, ...rest], converter)).rejects.toThrow('payroll, not of agentWorkflow');
  });
});
