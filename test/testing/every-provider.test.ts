import fc from 'fast-check';
import { toWire } from '../../src/models/to-wire.ts';
import { prepare } from '../../src/prompt/prepare.ts';
import { findRefusal } from '../../src/testing/find-refusal.ts';
import { profileOf, providers } from '../../src/testing/provider.ts';
import { damagedHistory, runs } from '../prompt/damaged-history.ts';

/*
 * What `prompt/` and `models/` make of a conversation, judged by the strict endpoint. The conversation is a foreign one:
 * another provider's, damaged, or a person's. A turn's requests end in a message of a user or a tool.
 */
const model = 'm1';
const tool = { name: 'search', description: 'd', parameters: { type: 'object' } };

describe.each(providers)('what is sent to %s', (as) => {
  const profile = profileOf(as);

  test('is never refused, whatever the conversation was', () => {
    const property = fc.property(damagedHistory, fc.boolean(), (history, textOnly) => {
      const messages = prepare([...history, { role: 'user', content: 'And now?' }], {
        systemMessages: profile.systemMessages,
      });
      const body = toWire({ model, messages, tools: [tool], textOnly }, as, profile);
      expect(findRefusal(JSON.parse(JSON.stringify(body)), { as })).toBeUndefined();
    });
    fc.assert(property, runs(1_000));
  });
});
