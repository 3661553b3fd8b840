import type { Page } from './core/page.ts';

/** Asks for page after page, puts pieces together again, and gives the entries in order. */
export async function* entriesOf<T>(
  ask: (from: number, offset: number) => Promise<Page<T>>,
  from: number,
): AsyncGenerator<T, void, void> {
  let position: number | undefined = from;
  let offset = 0;
  let text = '';
  while (position !== undefined) {
    const page: Page<T> = await ask(position, offset);
    yield* page.items;
    if (page.piece) {
      text += page.piece.text;
      offset = page.piece.nextOffset ?? 0;
      if (page.piece.nextOffset === undefined) {
        yield JSON.parse(text) as T;
        text = '';
      }
    }
    position = page.next;
  }
}
