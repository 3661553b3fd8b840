import type { JsonObject } from '../../src/index.ts';
import { cell, failed, list, rowsOf } from './script-words.ts';
import type { Script, ScriptReply, ToolResult } from './script.ts';

/** A wrong table, its error, a look at the schema, the right query, the answer. */
export const lifeExpectancyScript: Script = {
  question: 'Which country has the highest life expectancy?',
  pattern: /^which country has the (?:highest|longest) life expectancy$/,
  next(results, _found, mustAnswer) {
    const searches = results.filter(({ tool }) => tool === 'search_database');
    const found = searches.find((search) => rowsOf(search) !== undefined);
    if (found) return { answer: answer(rowsOf(found)!, searches.length) };
    if (mustAnswer) return { answer: 'I had no chance to find the answer in the database.' };
    const description = results.find(({ tool }) => tool === 'describe_database');
    if (searches.length === 0)
      return search(
        'The database probably has a table with statistics by country.',
        'SELECT country, year, life_expectancy FROM world.country_stats ORDER BY life_expectancy DESC',
      );
    if (!description) return describe();
    if (searches.length > 1) return { answer: failed('The query', searches.at(-1)!) };
    const table = tableWith(description, ['life_expectancy', 'year', 'country_id']);
    if (table === undefined)
      return {
        answer: description.json
          ? 'No table of the database has the life expectancy by country and year.'
          : failed('Describing the database', description),
      };
    return search(
      `The table is ${table}, and names stand in world.countries.`,
      [
        'SELECT c.name AS country, i.year, i.life_expectancy',
        `FROM ${table} i JOIN world.countries c ON c.id = i.country_id`,
        `WHERE i.year = (SELECT max(year) FROM ${table})`,
        'ORDER BY i.life_expectancy DESC, c.name',
      ].join('\n'),
    );
  },
};

const search = (thought: string, query: string): ScriptReply => ({
  thought,
  calls: [{ name: 'search_database', arguments: { database: 'production', query, limit: 5 } }],
});

const describe = (): ScriptReply => ({
  thought: "That table doesn't exist. I look at the schema before I ask again.",
  calls: [{ name: 'describe_database', arguments: { database: 'production' } }],
});

/** The first table that has all these columns, which are described as `name type`. */
function tableWith({ json }: ToolResult, columns: string[]): string | undefined {
  const tables = (Array.isArray(json?.tables) ? json.tables : []) as { table: string; columns: string[] }[];
  return tables.find((table) => {
    const names = table.columns.map((column) => column.split(' ')[0]);
    return columns.every((column) => names.includes(column));
  })?.table;
}

function answer(rows: JsonObject[], tries: number): string {
  const [first, ...others] = rows;
  if (!first) return 'The database has no life expectancies, so no country can be named.';
  const lines = [
    `${cell(first, 'country')} has the highest life expectancy: ${cell(first, 'life_expectancy')} years in ${cell(first, 'year')}.`,
  ];
  if (others.length > 0)
    lines.push(
      `Behind it are ${list(others.map((row) => `${cell(row, 'country')} (${cell(row, 'life_expectancy')})`))}.`,
    );
  const mended =
    tries > 1 ? ' My first query named a table that does not exist; this is from the second.' : '';
  lines.push(`Source: database production.${mended}`);
  return lines.join('\n\n');
}
