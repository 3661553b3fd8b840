import {
  backfillMissingToolResults,
  missingResultText,
} from '../../src/prompt/backfill-missing-tool-results.ts';
import { dropOrphanToolResults } from '../../src/prompt/drop-orphan-tool-results.ts';
import { orderToolResults } from '../../src/prompt/order-tool-results.ts';
import { calling, result, user } from './messages.ts';

const answer = { role: 'assistant' as const, content: 'An answer.' };

describe('dropOrphanToolResults', () => {
  test.each([
    ['before any assistant message', [result('1'), user('hi')], [user('hi')]],
    ['of another id than the declared ones', [calling('1'), result('2')], [calling('1')]],
    ['behind a later assistant message', [calling('1'), answer, result('1')], [calling('1'), answer]],
    [
      'that is the second for its call',
      [calling('1'), result('1', 'x'), result('1', 'y')],
      [calling('1'), result('1', 'x')],
    ],
  ])('drops a result %s', (_, given, kept) => {
    expect(dropOrphanToolResults(given)).toEqual(kept);
  });

  test('keeps a result behind a user message', () => {
    const messages = [calling('1'), user('wait'), result('1')];
    expect(dropOrphanToolResults(messages)).toEqual(messages);
  });

  test('keeps the results of an id that is used again in a later round', () => {
    const messages = [calling('1'), result('1', 'x'), calling('1'), result('1', 'y')];
    expect(dropOrphanToolResults(messages)).toEqual(messages);
  });
});

describe('backfillMissingToolResults', () => {
  test('answers each unanswered call right behind the other results of its round', () => {
    expect(backfillMissingToolResults([calling('1', '2', '3'), result('2'), user('hi'), answer])).toEqual([
      calling('1', '2', '3'),
      result('2'),
      result('1', missingResultText),
      result('3', missingResultText),
      user('hi'),
      answer,
    ]);
  });

  test('answers a call at the end of the list', () => {
    expect(backfillMissingToolResults([calling('1')])).toEqual([
      calling('1'),
      result('1', missingResultText),
    ]);
  });
});

describe('orderToolResults', () => {
  test('results stand in call order, user messages behind them in theirs', () => {
    const given = [calling('1', '2'), user('a'), result('2'), user('b'), result('1'), answer];
    expect(orderToolResults(given)).toEqual([
      calling('1', '2'),
      result('1'),
      result('2'),
      user('a'),
      user('b'),
      answer,
    ]);
  });
});
