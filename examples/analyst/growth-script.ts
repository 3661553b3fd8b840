import type { JsonObject } from '../../src/index.ts';
import { cell, failed, list, rowsOf, shortNumber } from './script-words.ts';
import type { Script, ScriptReply, ToolResult } from './script.ts';

/** A query, a chart of its rows, an answer from both. */
export const growthScript: Script = {
  question: 'Which region grew fastest?',
  pattern:
    /^(?:which region grew (?:the )?fastest(?: since (?<since>\d{4}))?|(?:and )?since (?<later>\d{4}))$/,
  next(results, found, mustAnswer) {
    const search = results.find(({ tool }) => tool === 'search_database');
    if (!search)
      return mustAnswer ? { answer: 'I had no chance to query the database.' } : ask(sinceOf(found));
    const rows = rowsOf(search);
    if (!rows) return { answer: failed('The query', search) };
    if (rows.length === 0)
      return { answer: 'The database has no rows for that period, so no region can be named.' };
    const chart = results.find(({ tool }) => tool === 'generate_chart');
    return chart || mustAnswer ? { answer: answer(rows, chart) } : draw(rows);
  },
};

const sinceOf = (found: RegExpMatchArray): number => Number(found.groups?.since ?? found.groups?.later ?? 0);

const ask = (since: number): ScriptReply => ({
  thought:
    'I compare the population of each region in the first and the last year of the data and sort by growth.',
  calls: [
    {
      name: 'search_database',
      arguments: {
        database: 'production',
        query: [
          `WITH span AS (SELECT min(year) AS first, max(year) AS last FROM world.indicators${since > 0 ? ` WHERE year >= ${since}` : ''})`,
          'SELECT r.name AS region, span.first AS from_year, span.last AS to_year, count(DISTINCT c.id) AS countries,',
          '  sum(i.population) FILTER (WHERE i.year = span.first) AS population_from,',
          '  sum(i.population) FILTER (WHERE i.year = span.last) AS population_to,',
          '  round(100.0 * sum(i.population) FILTER (WHERE i.year = span.last)',
          '    / sum(i.population) FILTER (WHERE i.year = span.first) - 100, 1) AS growth_percent',
          'FROM span JOIN world.indicators i ON i.year IN (span.first, span.last)',
          'JOIN world.countries c ON c.id = i.country_id JOIN world.regions r ON r.id = c.region_id',
          'GROUP BY r.name, span.first, span.last ORDER BY growth_percent DESC',
        ].join('\n'),
      },
    },
  ],
});

const draw = (rows: JsonObject[]): ScriptReply => ({
  thought: `${cell(rows[0], 'region')} is first. A bar chart shows the distance to the others.`,
  calls: [
    {
      name: 'generate_chart',
      arguments: {
        kind: 'bar',
        title: `Growth of the population by region, ${period(rows)}, in percent`,
        data: rows.map(({ region, growth_percent }) => ({
          region: region!,
          growth_percent: growth_percent!,
        })),
        x: 'region',
        y: 'growth_percent',
      },
    },
  ],
});

function answer(rows: JsonObject[], chart: ToolResult | undefined): string {
  const [first, ...others] = rows;
  const countries = rows.reduce((sum, row) => sum + Number(row.countries), 0);
  const percent = Number(first!.growth_percent);
  const change = `${percent < 0 ? 'fell' : 'rose'} by ${Math.abs(percent)} %`;
  const lines = [
    `${cell(first, 'region')} grew fastest: its population ${change} from ${cell(first, 'from_year')} to ${cell(first, 'to_year')}, ` +
      `from ${shortNumber(first!.population_from)} to ${shortNumber(first!.population_to)} people.`,
  ];
  if (others.length > 0)
    lines.push(
      `Then come ${list(others.map((row) => `${cell(row, 'region')} (${cell(row, 'growth_percent')} %)`))}.`,
    );
  lines.push(`Source: database production, sums over the ${countries} countries in it.`);
  if (chart?.json?.path !== undefined) lines.push(`Chart: ${cell(chart.json, 'path')}`);
  else if (chart) lines.push(failed('The chart', chart));
  return lines.join('\n\n');
}

const period = (rows: JsonObject[]): string => `${cell(rows[0], 'from_year')} to ${cell(rows[0], 'to_year')}`;
