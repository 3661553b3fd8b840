import { growthScript } from './growth-script.ts';
import { lifeExpectancyScript } from './life-expectancy-script.ts';
import type { Script } from './script.ts';
import { stagingScript } from './staging-script.ts';

/** What the scripted model can play; a request is read by the first whose pattern fits. */
export const scripts: readonly Script[] = [growthScript, lifeExpectancyScript, stagingScript];

export const defaultQuestion = growthScript.question;

/** The script for a question, whatever its case, spaces and punctuation; of joined messages the last one counts. */
export function scriptFor(question: string): { script: Script; found: RegExpMatchArray } | undefined {
  const parts = question.split(/\n\s*\n/).filter((part) => part.trim() !== '');
  for (const text of [question, parts.at(-1) ?? '']) {
    const plain = text
      .normalize('NFKC')
      .toLowerCase()
      .replace(/\s+/g, ' ')
      .replace(/^[\s"'“”‘’¿¡]+|[\s"'“”‘’?!.…]+$/g, '');
    for (const script of scripts) {
      const found = plain.match(script.pattern);
      if (found) return { script, found };
    }
  }
  return undefined;
}
