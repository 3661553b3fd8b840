/**
 * What the scripted model does in a run stands in the model's name, so that one server answers every contender:
 * `script;n=<turns>;id=<run>;lat=<ms>`. A request with fewer than n tool results is answered with a call of `lookup`.
 */
export interface Script {
  /** Tool calls before the answer. */
  turns: number;
  /** The run, for the model server's counters. */
  id: string;
  /** How long the model takes for each reply. */
  latencyMs?: number;
}

export const modelNameOf = ({ turns, id, latencyMs }: Script): string =>
  ['script', `n=${turns}`, `id=${id}`, ...(latencyMs === undefined ? [] : [`lat=${latencyMs}`])].join(';');

export function scriptOf(modelName: string): Script {
  const fields = Object.fromEntries(
    modelName
      .split(';')
      .slice(1)
      .map((field) => field.split('=', 2) as [string, string]),
  );
  return { turns: Number(fields['n']), id: fields['id'] ?? '', latencyMs: Number(fields['lat'] ?? 0) };
}

/** The model's last words: they show that every result reached it. */
export const answerAfter = (turns: number): string => `done after ${turns} lookups`;
