import type { Limits, StopReason } from '../../src/contract.ts';
import type { RunHandle } from '../../src/client/run-handle.ts';
import {
  chunk,
  completion,
  eventReply,
  type RawEndpoint,
  type RawReply,
} from '../../src/testing/raw-endpoint.ts';
import { until } from '../e2e/until.ts';
import { held } from './golden-agent.ts';

/** What a golden history is captured from. */
export interface Scenario {
  /** The model's replies in turn. */
  replies: (RawReply | ((run: RunHandle) => Promise<RawReply>))[];
  /** What is done to the run from outside. */
  drive?(run: RunHandle, endpoint: RawEndpoint): Promise<void>;
  stopReason: StopReason;
  /** Texts that stand in the history, payloads decoded: it shows what its name says. */
  holds: string[];
  limits?: Partial<Limits>;
  keepOpenMs?: number;
  /** Default: the model's replies come whole. */
  stream?: boolean;
  /** Loses what it is given, and the run can't be asked for it either. */
  forgetfulStore?: boolean;
}

const call = (name: string, args: object, index = 0) => ({
  index,
  id: `call-${index}`,
  type: 'function',
  function: { name, arguments: JSON.stringify(args) },
});
const calls = (...list: ReturnType<typeof call>[]): RawReply => ({
  body: completion({ content: null, tool_calls: list }, 'tool_calls', usage),
});
const usage = { prompt_tokens: 20, completion_tokens: 5, total_tokens: 25 };
const says = (content: string, finish = 'stop'): RawReply => ({
  body: completion({ content }, finish, usage),
});
const failure = (status: number): RawReply => ({ status, body: { error: { message: 'out of service' } } });
const holding = (count: number) => until(`hold runs, call ${count}`, () => held.count === count);
const idleAfter = (run: RunHandle, turn: number) =>
  until(`turn ${turn} is over`, async () => {
    const state = await run.state();
    return state.turn === turn && state.phase === 'idle';
  });

/** By the name of the history's file. */
export const scenarios: { [name: string]: Scenario } = {
  'answer-with-tools': {
    replies: [
      calls(call('look_up', { key: 'a' })),
      calls(call('look_up', { key: 'b' })),
      says('Both found.'),
    ],
    stopReason: 'completed',
    holds: ['value of a', 'value of b', 'Both found.'],
  },

  streamed: {
    stream: true,
    replies: [
      eventReply([
        chunk({ content: 'Let me ' }),
        chunk({ content: 'look.' }),
        chunk({ tool_calls: [{ ...call('look_up', {}), function: { name: 'look_up', arguments: '' } }] }),
        chunk({ tool_calls: [{ index: 0, function: { arguments: '{"key":' } }] }),
        chunk({ tool_calls: [{ index: 0, function: { arguments: '"a"}' } }] }),
        chunk({}, 'tool_calls'),
      ]),
      eventReply([...Array.from('Found it.', (content) => chunk({ content })), chunk({}, 'stop')]),
    ],
    stopReason: 'completed',
    holds: ['Let me look.', 'value of a', 'Found it.'],
  },

  'parallel-and-unsafe-calls': {
    replies: [
      calls(
        call('look_up', { key: 'a' }, 0),
        call('look_up', { key: 'b' }, 1),
        call('write_note', { text: 'n' }, 2),
        call('look_up', { key: 'c' }, 3),
      ),
      says('All done.'),
    ],
    stopReason: 'completed',
    holds: ['value of a', 'value of b', 'kept: n', 'value of c'],
  },

  'blank-replies': {
    replies: [says(''), says(' '), says(''), says('Here it is after all.')],
    stopReason: 'completed',
    holds: ['finalize-blank', 'Here it is after all.'],
  },

  'length-recovery': {
    replies: [says('One, two, ', 'length'), says('three, ', 'length'), says('four.')],
    stopReason: 'completed',
    holds: ['cut off by the length limit', 'One, two, three, four.'],
  },

  'injected-messages': {
    replies: [
      calls(call('hold', {})),
      async (run) => {
        await run.send('And behind the answer.', { id: 'third' });
        return says('The first answer.');
      },
      says('The last answer.'),
    ],
    async drive(run) {
      await holding(1);
      await run.send('In between.', { id: 'first' });
      await run.send('In between too.', { id: 'second' });
      held.release();
    },
    stopReason: 'completed',
    holds: ['In between.\\n\\nIn between too.', 'And behind the answer.', 'The last answer.'],
  },

  'interrupt-model-and-tool': {
    stream: true,
    replies: [
      eventReply([chunk({ content: 'I was about to' })], { done: false, end: 'hang' }),
      eventReply([chunk({ tool_calls: [call('hold', {})] }), chunk({}, 'tool_calls')]),
      eventReply([chunk({ content: 'As you like.' }), chunk({}, 'stop')]),
    ],
    async drive(run, endpoint) {
      await endpoint.received(1);
      await run.send('Stop, do that.', { id: 'first', interrupt: true });
      await holding(1);
      await run.send('Stop that too.', { id: 'second', interrupt: true });
    },
    stopReason: 'completed',
    holds: [
      'ACTIVITY_TASK_CANCEL_REQUESTED',
      'interrupted by the user',
      'Cancelled by the user',
      'As you like.',
    ],
  },

  cancel: {
    replies: [calls(call('look_up', { key: 'a' }, 0), call('hold', {}, 1)), says('never asked for')],
    async drive(run) {
      await holding(1);
      await run.cancel();
    },
    stopReason: 'cancelled',
    holds: ['WORKFLOW_EXECUTION_CANCELED', 'turnloop.result'],
  },

  'model-outage': {
    replies: [failure(503), says('Back again.')],
    stopReason: 'completed',
    holds: ['out of service', 'Back again.'],
  },

  'tool-retries': {
    replies: [calls(call('flaky', {})), says('It worked.')],
    stopReason: 'completed',
    holds: ['out of order, 2', 'in order again', 'It worked.'],
  },

  'context-missing': {
    forgetfulStore: true,
    replies: [calls(call('look_up', { key: 'a' })), says('Found it.')],
    stopReason: 'completed',
    holds: ['ContextMissing', 'Found it.'],
  },

  'iteration-cap': {
    limits: { maxIterations: 2 },
    replies: [
      calls(call('look_up', { key: 'a' })),
      calls(call('look_up', { key: 'b' })),
      says('That is all I have.'),
    ],
    stopReason: 'max_iterations',
    holds: ['finalize-cap', 'That is all I have.'],
  },

  'time-up': {
    limits: { timeoutMs: 1_000 },
    replies: [calls(call('hold', {})), says('Time is up.')],
    stopReason: 'budget',
    holds: ['TIMER_FIRED', 'finalize-budget', 'Time is up.'],
  },

  'keep-open': {
    keepOpenMs: 3_000,
    replies: [says('First.'), calls(call('look_up', { key: 'a' })), says('Second.'), says('Third.')],
    async drive(run) {
      await idleAfter(run, 1);
      await run.send('And then?', { id: 'second' });
      await idleAfter(run, 2);
      await run.send('And at last?', { id: 'third' });
    },
    stopReason: 'completed',
    holds: ['First.', 'Second.', 'Third.', 'TIMER_FIRED'],
  },

  'error-end': {
    replies: [failure(400)],
    stopReason: 'error',
    holds: ['WORKFLOW_EXECUTION_FAILED', 'model_refused'],
  },
};
