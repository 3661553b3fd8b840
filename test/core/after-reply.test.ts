import { continuationPrompt, noAnswer } from '../../src/core/texts.ts';
import { reply, started } from './drive.ts';

const cut = (text: string) => ({ text, finish: 'length' as const });

describe('an answer without calls', () => {
  test('ends the turn as completed, its text trimmed', () => {
    const d = started().replies('  done\n');
    expect(d.end).toEqual({ text: 'done', stopReason: 'completed' });
    expect(d.lines).toEqual(['user: question', 'assistant:   done\n']);
  });

  test.each([
    ['stop', 'completed'],
    ['tool_calls', 'completed'],
    ['other', 'completed'],
    ['refusal', 'refusal'],
    ['content_filter', 'content_filter'],
  ] as const)('with finish reason %s ends as %s', (finish, stopReason) => {
    expect(started().replies({ text: 'so it is', finish }).end).toEqual({ text: 'so it is', stopReason });
  });

  test('takes its text from the refusal when the content is blank', () => {
    const d = started().replies({ refusal: 'I will not', finish: 'refusal' });
    expect(d.end).toEqual({ text: 'I will not', stopReason: 'refusal' });
  });

  test.each(['refusal', 'content_filter'] as const)('counts though blank behind %s', (finish) => {
    const d = started().replies({ text: ' ', finish });
    expect(d.end).toEqual({ text: '', stopReason: finish });
    expect(d.lines).toEqual(['user: question', 'placeholder']);
  });

  test('is counted in the usage of the run', () => {
    const d = started().round().replies({ text: 'done', tokens: 7 });
    expect(d.run.usage).toMatchObject({ requests: 2, promptTokens: 17 });
  });
});

describe('calls in a reply', () => {
  test.each([undefined, 'tool_calls', 'stop'] as const)('run behind finish reason %s', (finish) => {
    const d = started().replies({ calls: ['look'], ...(finish ? { finish } : {}) });
    expect(d.next).toBe('run-calls');
  });

  test.each(['content_filter', 'refusal', 'other'] as const)('are dropped behind %s', (finish) => {
    const d = started().replies({ text: 'partly', calls: ['look'], finish });
    expect(d.end.text).toBe('partly');
    expect(d.lines).toEqual(['user: question', 'assistant: partly']);
  });

  test('are dropped behind length, whose text is a piece of the answer', () => {
    const d = started().replies({ text: 'partly', calls: ['look'], finish: 'length' });
    expect(d.next).toBe('reply');
    expect(d.lines.at(1)).toBe('assistant: partly');
  });

  test('and no text behind an unknown reason make a blank reply', () => {
    const d = started().replies({ calls: ['look'], finish: 'other' });
    expect([d.next, d.run.turn?.emptyInRow, d.lines.length]).toEqual(['reply', 1, 1]);
  });
});

describe('a blank reply', () => {
  test('is asked for again with the same messages, twice, then finalized, then the turn is empty', () => {
    const d = started().replies('', { text: null });
    expect([d.next, d.run.turn?.iteration]).toEqual(['reply', 3]);
    d.replies('\u2003\u00a0');
    expect([d.next, d.run.turn?.iteration, d.lines]).toEqual(['finalize-blank', 3, ['user: question']]);
    d.replies(' ');
    expect(d.end).toEqual({ text: noAnswer, stopReason: 'empty_response' });
    expect(d.lines).toEqual(['user: question', `assistant: ${noAnswer}`]);
  });

  test('takes no waiting message before its finalization has stayed blank', () => {
    const d = started().replies('').message('m1').replies('', '');
    expect([d.next, d.lines]).toEqual(['finalize-blank', ['user: question']]);
    d.replies('');
    expect([d.next, d.lines]).toEqual(['reply', ['user: question', 'user: m1']]);
  });

  test('starts its count anew behind an injected message', () => {
    const d = started().replies('', '').message('m1').replies('', '');
    expect(d.run.turn?.emptyInRow).toBe(0);
    expect(d.replies('', '').next).toBe('reply');
    expect(d.replies('').next).toBe('finalize-blank');
  });

  test('starts its count anew behind a tool round', () => {
    const d = started().replies('', '').round().replies('', '');
    expect(d.next).toBe('reply');
  });

  test('is not retried when no retry is allowed', () => {
    expect(started({ maxEmptyRetries: 0 }).replies('').next).toBe('finalize-blank');
  });

  test('counts as one of the iterations', () => {
    expect(started({ maxIterations: 2 }).replies('', '').next).toBe('finalize-cap');
  });

  test('in an open length chain keeps what there is of the answer', () => {
    const d = started({ maxEmptyRetries: 0 }).replies(cut('half'), '', '');
    expect(d.end).toEqual({ text: `half\n\n${noAnswer}`, stopReason: 'empty_response' });
  });
});

describe('the finalization of blank replies', () => {
  const blank = () => started({ maxEmptyRetries: 0 }).replies('');

  test('with text is the answer, its calls ignored', () => {
    const d = blank().replies({ text: 'at last', calls: ['look'] });
    expect(d.end).toEqual({ text: 'at last', stopReason: 'completed' });
    expect(d.lines).toEqual(['user: question', 'assistant: at last']);
  });

  test('with calls alone is blank', () => {
    expect(blank().replies({ calls: ['look'] }).end.stopReason).toBe('empty_response');
  });

  test('with text takes waiting messages before it counts', () => {
    const d = blank().message('m1').replies('at last');
    expect([d.next, d.lines]).toEqual(['reply', ['user: question', 'assistant: at last', 'user: m1']]);
  });

  test('that failed ends the turn with the error', () => {
    expect(blank().fails().end).toMatchObject({ stopReason: 'error', error: { type: 'model_unreachable' } });
  });
});

describe('an answer cut off by length', () => {
  test('is asked on; all pieces are joined as they are and trimmed once', () => {
    const d = started().replies(cut(' one '), cut('\ntwo'), ' three ');
    expect(d.end).toEqual({ text: 'one \ntwo three', stopReason: 'completed' });
  });

  test('is continued by a prompt that quotes its last 64 code points', () => {
    const d = started().replies(cut(`start ${'é😀'.repeat(40)}`));
    expect(d.lines.at(-1)).toBe(`user: ${continuationPrompt('é😀'.repeat(32))}`);
    expect(d.lines.at(-1)).toContain(JSON.stringify('é😀'.repeat(32)));
  });

  test('blank makes a piece that adds no message but the prompt', () => {
    const d = started().replies(cut(''));
    expect(d.lines).toEqual(['user: question', `user: ${continuationPrompt('')}`]);
    expect(d.replies('all').end.text).toBe('all');
  });

  test('a fourth time ends the turn with all pieces', () => {
    const d = started().replies(cut('1'), cut('2'), cut('3'));
    expect(d.next).toBe('reply');
    expect(d.replies(cut('4')).end).toEqual({ text: '1234', stopReason: 'length' });
    expect(d.lines.at(-1)).toBe('assistant: 4');
  });

  test('a fourth time takes waiting messages before it counts', () => {
    const d = started({ maxLengthRecoveries: 0 }).message('m1').replies(cut('1'));
    expect([d.next, d.lines]).toEqual(['reply', ['user: question', 'assistant: 1', 'user: m1']]);
  });

  test('starts a new chain behind a tool round', () => {
    const d = started().replies(cut('1'), cut('2'), cut('3')).round();
    expect(d.replies(cut('4')).next).toBe('reply');
    expect(d.replies('5').end.text).toBe('45');
  });

  test('starts a new chain behind an injected message', () => {
    const d = started().replies(cut('1')).message('m1').replies('2', '3');
    expect(d.end.text).toBe('3');
  });

  test('takes no waiting message while it is asked on', () => {
    expect(started().message('m1').replies(cut('1')).lines).not.toContain('user: m1');
  });

  test('comes first in the answer at the iteration cap', () => {
    const d = started({ maxIterations: 2 }).replies(cut('one '), cut('two '));
    expect(d.next).toBe('finalize-cap');
    expect(d.replies('end').end).toEqual({ text: 'one two end', stopReason: 'max_iterations' });
  });
});

describe('a reply with finish reason error', () => {
  test('is a failed request whose text stays out of the transcript', () => {
    const d = started().replies({ text: 'Internal error 17', finish: 'error', finishRaw: 'engine_error' });
    expect(d.end).toEqual({
      text: '',
      stopReason: 'error',
      error: {
        type: 'model_error',
        message: 'the model ended its reply with finish reason engine_error',
      },
    });
    expect(d.lines).toEqual(['user: question', 'placeholder']);
    expect(d.run.usage.requests).toBe(1);
  });

  test('drops its calls', () => {
    expect(started().replies({ calls: ['look'], finish: 'error' }).end.stopReason).toBe('error');
  });

  test('takes waiting messages', () => {
    expect(started().message('m1').replies({ finish: 'error' }).next).toBe('reply');
  });
});

test('a reply that nobody waits for changes nothing', () => {
  const d = started().replies('done');
  const before = d.run;
  expect(d.on({ kind: 'model-replied', reply: reply('late') }).run).toBe(before);
});
