import fc from 'fast-check';
import { sseReader } from '../../src/models/sse.ts';

function read(pieces: string[]): string[] {
  const reader = sseReader();
  return [...pieces.flatMap((piece) => reader.push(piece)), ...reader.end()];
}

test('data of events is read, comments and other fields are passed over', () => {
  expect(read([': keep-alive\n\nevent: x\nid: 1\ndata: {"a":1}\n\ndata:[DONE]\n\n'])).toEqual([
    '{"a":1}',
    '[DONE]',
  ]);
});

test('lines of one event are joined', () => {
  expect(read(['data: a\ndata: b\n\n'])).toEqual(['a\nb']);
});

test('an event at the very end counts without its blank line', () => {
  expect(read(['data: a\n\ndata: [DONE]'])).toEqual(['a', '[DONE]']);
});

test('line breaks of every kind and any cut into pieces give the same events', () => {
  const stream = fc.array(fc.constantFrom('data: a', 'data: 👋', ': c', '', 'data:'));
  fc.assert(
    fc.property(stream, fc.constantFrom('\n', '\r\n', '\r'), fc.array(fc.nat(200)), (lines, eol, cuts) => {
      const text = lines.join(eol) + eol;
      const bounds = [0, ...cuts.filter((cut) => cut < text.length).sort((a, b) => a - b), text.length];
      const pieces = bounds.slice(1).map((end, index) => text.slice(bounds[index], end));
      expect(read(pieces)).toEqual(read([`${lines.join('\n')}\n`]));
    }),
  );
});
