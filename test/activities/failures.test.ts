import { MockActivityEnvironment } from '@temporalio/testing';
import { modelFailure } from '../../src/activities/failures.ts';
import { Heartbeat } from '../../src/activities/heartbeat.ts';
import { isModelError, ModelError } from '../../src/models/model-error.ts';

/** The class as another copy of the package has it: a module's URL is its identity. */
const elsewhere = '../../src/models/model-error.ts?copy';
const copy = (await import(elsewhere)) as { ModelError: typeof ModelError };

const outageWaitMs = 60_000;
const failureOf = (error: unknown): Promise<unknown> =>
  new MockActivityEnvironment({ attempt: 3 }).run(() => {
    const heartbeat = new Heartbeat();
    heartbeat.stop();
    return Promise.resolve(modelFailure(error, heartbeat, outageWaitMs, Date.now()));
  });

test('the two copies of the class are two', () => {
  expect(copy.ModelError).not.toBe(ModelError);
});

describe.each([
  ['this package', ModelError],
  ['another copy of it', copy.ModelError],
])('a model error of %s', (_, Class) => {
  test('that passes is tried again, after what the provider asked to wait', async () => {
    const error = new Class('rate_limited', 'slow down', { transient: true, retryAfterMs: 7_000 });
    expect(await failureOf(error)).toMatchObject({
      type: 'rate_limited',
      message: 'slow down',
      nonRetryable: false,
      nextRetryDelay: 7_000,
      details: [{ failedRequests: 3 }],
    });
  });

  test('that does not pass is final', async () => {
    const error = new Class('unauthorized', 'wrong key', { transient: false });
    expect(await failureOf(error)).toMatchObject({
      type: 'unauthorized',
      nonRetryable: true,
      details: [{ failedRequests: 3 }],
    });
  });
});

test.each([
  ['an error of another kind', new TypeError('no')],
  ['one that has only the name', Object.assign(new Error('no'), { name: 'ModelError' })],
  ['a text', 'no'],
  ['nothing', null],
])('%s is no model error and final', async (_, error) => {
  expect(isModelError(error)).toBe(false);
  expect(await failureOf(error)).toMatchObject({ type: 'model_call_failed', nonRetryable: true });
});
