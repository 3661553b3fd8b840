import { shortened } from '../../tools/code-points.ts';

/** Fields that are named; of the others their number is told. */
const namesMax = 10;
const nameCharsMax = 60;

/** What of a reply doesn't enter the history, for its warnings. */
export class LeftOut {
  #named: string[] = [];
  #more = 0;

  add(name: string, bytes: number): void {
    if (this.#named.length < namesMax) this.#named.push(`${shortened(name, nameCharsMax)} (${bytes} bytes)`);
    else this.#more++;
  }

  get warnings(): string[] {
    if (this.#named.length === 0) return [];
    const more = this.#more === 0 ? '' : ` and ${this.#more} more`;
    return [`the reply was too large for the history, which lacks of it: ${this.#named.join(', ')}${more}`];
  }
}
