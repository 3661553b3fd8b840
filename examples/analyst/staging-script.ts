import type { JsonObject } from '../../src/index.ts';
import { cell, failed, rowsOf, shortNumber } from './script-words.ts';
import type { Script, ToolResult } from './script.ts';

const databases = ['production', 'staging'] as const;

const query = [
  'SELECT max(year) AS latest_year, count(*) AS measurements, count(DISTINCT country_id) AS countries,',
  '  sum(population) FILTER (WHERE year = (SELECT max(year) FROM world.indicators)) AS population',
  'FROM world.indicators',
].join('\n');

/** Two independent queries in one reply, so that they run at the same time, then a comparison. */
export const stagingScript: Script = {
  question: 'How far is staging behind production?',
  pattern: /^how far is (?:the )?staging(?: database)? behind (?:the )?production(?: database)?$/,
  next(results, _found, mustAnswer) {
    const searches = results.filter(({ tool }) => tool === 'search_database');
    if (searches.length < databases.length)
      return mustAnswer
        ? { answer: 'I had no chance to query both databases.' }
        : {
            thought: 'I ask both databases the same; the queries do not depend on each other.',
            calls: databases.map((database) => ({
              name: 'search_database',
              arguments: { database, query },
            })),
          };
    const broken = searches.find((search) => !rowOf(search));
    if (broken) return { answer: failed('One of the two queries', broken) };
    const [production, staging] = databases.map((name) =>
      searches.find(({ json }) => json?.database === name),
    );
    if (!production || !staging) return { answer: 'The two results are not from the two databases.' };
    return { answer: compare(rowOf(production)!, rowOf(staging)!) };
  },
};

const rowOf = (search: ToolResult): JsonObject | undefined => rowsOf(search)?.[0];

function compare(production: JsonObject, staging: JsonObject): string {
  const years = Number(production.latest_year) - Number(staging.latest_year);
  const missing = Number(production.measurements) - Number(staging.measurements);
  const headline =
    years === 0 && missing === 0
      ? `Staging is up to date: both databases end in ${cell(production, 'latest_year')} and have ${cell(production, 'measurements')} measurements.`
      : `Staging is ${years} years behind: it ends in ${cell(staging, 'latest_year')}, production in ${cell(production, 'latest_year')}.`;
  return [
    headline,
    `- production: ${described(production)}\n- staging: ${described(staging)}`,
    `Staging lacks ${missing} measurements.`,
  ].join('\n\n');
}

const described = (row: JsonObject): string =>
  `${cell(row, 'measurements')} measurements of ${cell(row, 'countries')} countries, ${shortNumber(row.population)} people in ${cell(row, 'latest_year')}`;
