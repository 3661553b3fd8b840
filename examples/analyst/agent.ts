import { defineAgent, type Agent } from '../../src/index.ts';
import { openDatabases, type Databases } from './databases.ts';
import { describeDatabase } from './describe-database.ts';
import { generateChart } from './generate-chart.ts';
import { searchDatabase } from './search-database.ts';

export interface AnalystOptions {
  /** Default: three databases in memory, see `fill-database.ts`. Given ones stay open for who gave them. */
  databases?: Databases;
  /** Where charts go. Default: `.turnloop/charts`, beneath the working directory. */
  chartsDirectory?: string;
  /** Default: the environment's `OPENAI_MODEL`, else `gpt-5-mini`. */
  model?: string;
}

export interface Analyst {
  agent: Agent;
  /** Ends the threads of its own: the charts', and the databases' unless those were given. */
  close(): Promise<void>;
}

const instructions = `You are a data analyst. You answer questions about the databases production, staging and analytics with numbers you looked up.

How to work
- Take every number from a query; never from memory. Don't guess table or column names: call describe_database first unless you know them.
- production holds the current data, staging an older snapshot of it, analytics sums by region. Ask production unless the question says otherwise.
- Aggregate, sort and limit in SQL, so that a result is a few rows. Independent queries go into one reply, so that they run at the same time.
- When a query fails, read the error: it lists the tables or columns there are. Mend the query; don't repeat it unchanged.
- When a comparison or a development is easier to see than to read, draw one chart with generate_chart from the rows you got.

The answer
- The first sentence answers the question. Then the numbers behind it, with units, period and the database they come from; then the path of the chart, if there is one.
- Say what the data can't tell. If no data answers the question, say so.`;

/** The analyst with databases and charts of its own; nothing is opened before the first call. */
export function createAnalyst(options: AnalystOptions = {}): Analyst {
  const databases = options.databases ?? openDatabases();
  const charts = generateChart(options.chartsDirectory ?? '.turnloop/charts');
  const agent = defineAgent({
    name: 'analyst',
    instructions,
    model: options.model ?? (process.env.OPENAI_MODEL?.trim() || 'gpt-5-mini'),
    tools: [searchDatabase(databases), describeDatabase(databases), charts.tool],
  });
  return {
    agent,
    close: async () => {
      await Promise.all([charts.close(), options.databases ? undefined : databases.close()]);
    },
  };
}
