import { createAnalyst } from './agent.ts';
import { defaultQuestion } from './scripts.ts';

export { startScriptedAnalyst as startScriptedModel } from './scripted-model.ts';

const { agent, close } = createAnalyst();

export { agent as analyst, close };
export const agents = [agent];
export const question = defaultQuestion;
export const about = [
  'The analyst answers from three PostgreSQL databases (production, staging, analytics), embedded and in memory.',
  'Data: Gapminder (gapminder.org), licence CC BY 4.0: 62 countries from 1955 to 2005, incomes of 187 countries.',
];
