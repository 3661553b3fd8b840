import type { Message } from '../../src/contract.ts';
import { partsOf } from '../../src/core/parts.ts';
import { Drive, started } from './drive.ts';

const large = 'x'.repeat(400_000);
const partsOfMessage = (id: string, message: object) => partsOf(id, JSON.stringify({ id, ...message }));
const conversation: Message[] = [
  { role: 'user', content: 'earlier' },
  { role: 'assistant', content: 'answered' },
  { role: 'user', content: large },
];

/** A run that waits for its input. */
const announced = (keepOpenMs = 0) => new Drive([], { inputId: 'input', keepOpenMs });

function send(d: Drive, parts: ReturnType<typeof partsOf>): Drive {
  for (const part of parts) d.on({ kind: 'part-received', part });
  return d;
}

test('a message in parts waits in the inbox once its last part has come, and not before', () => {
  const [first, ...others] = partsOfMessage('m1', { content: large });
  const d = send(started(), [first!]);
  expect(d.run.inbox.waiting).toEqual([]);
  send(d, others);
  expect(d.run.inbox).toEqual({ waiting: [{ id: 'm1', content: large }], seen: ['m1'] });
});

test('a message that comes between the parts of another one does not cost that one', () => {
  const [first, ...others] = partsOfMessage('m1', { content: large });
  const d = send(send(started(), [first!]).message('m2'), others);
  expect(d.run.inbox.waiting.map(({ id }) => id)).toEqual(['m2', 'm1']);
});

test('a message in parts may interrupt', () => {
  const d = send(started(), partsOfMessage('m1', { content: large, interrupt: true }));
  expect(d.run.inbox.waiting[0]?.interrupt).toBe(true);
});

test('parts of a message that has come before are ignored', () => {
  const parts = partsOfMessage('m1', { content: large });
  const d = send(started(), [...parts, ...parts]);
  expect([d.run.inbox.waiting.length, d.run.inbox.parts]).toEqual([1, undefined]);
});

test('a message in one piece goes before the parts of the same id that are still missing', () => {
  const [first, ...others] = partsOfMessage('m1', { content: large });
  const d = send(started(), [first!]).message('m1', { content: 'short' });
  send(d, others);
  expect(d.run.inbox.waiting).toEqual([{ id: 'm1', content: 'short' }]);
});

test.each([
  ['no JSON', 'text'],
  ['a list', '[]'],
  ['without content', '{"id":"m1"}'],
  ['with a number as content', '{"content":5}'],
])('a text that is %s is no message, and is left', (_, json) => {
  const d = send(started(), partsOf('m1', json));
  expect(d.run.inbox).toEqual({ waiting: [], seen: [] });
});

describe('a run whose input comes in parts', () => {
  test('waits for it, 60 s', () => {
    expect(announced().step).toEqual({ kind: 'wait', forMs: 60_000 });
  });

  test('starts its first turn with the conversation, and answers its id', () => {
    const d = send(announced(), partsOfMessage('input', { messages: conversation })).opens();
    expect(d.run.transcript.map(({ message }) => message)).toEqual(conversation);
    expect([d.next, d.run.turn?.messageIds, d.run.inputId]).toEqual(['reply', ['input'], undefined]);
  });

  test('starts its first turn with a text or a list of parts', () => {
    const content = [{ type: 'text', text: large }];
    const d = send(announced(), partsOfMessage('input', { content })).opens();
    expect(d.run.transcript.map(({ message }) => message)).toEqual([{ role: 'user', content }]);
  });

  test('takes what else is written meanwhile behind it', () => {
    const d = announced().message('m1');
    expect(d.next).toBe('wait');
    send(d, partsOfMessage('input', { content: large }))
      .opens()
      .replies('hm', 'done');
    expect(d.lines.map((line) => line.slice(0, 20))).toEqual([
      'user: xxxxxxxxxxxxxx',
      'assistant: hm',
      'user: m1',
      'assistant: done',
    ]);
  });

  test('ignores its input when that comes again', () => {
    const parts = partsOfMessage('input', { content: large });
    const d = send(announced(), [...parts, ...parts]);
    expect([d.run.turn?.n, d.run.inbox.waiting]).toEqual([1, []]);
  });

  test('ends with an error that says so when it does not come', () => {
    const [first] = partsOfMessage('input', { content: large });
    const d = send(announced(), [first!]).on({ kind: 'waited-out' });
    expect(d.end).toMatchObject({ stopReason: 'error', error: { type: 'input_incomplete' } });
  });
});
