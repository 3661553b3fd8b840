import { PGlite } from '@electric-sql/pglite';
import { harmlessFunctions } from '../../src/guards/harmless-functions.ts';

let functions: Map<string, { isVolatile: boolean }>;

beforeAll(async () => {
  const db = await PGlite.create();
  const { rows } = await db.query<{ proname: string; volatile: boolean }>(
    "SELECT proname, bool_or(provolatile = 'v') AS volatile FROM pg_proc WHERE pronamespace = 'pg_catalog'::regnamespace GROUP BY 1",
  );
  functions = new Map(rows.map((row) => [row.proname, { isVolatile: row.volatile }]));
  await db.close();
});

/** Spelled like functions, but parsed as syntax; listed so that a suggestion can name them. */
const syntax = [
  'coalesce',
  'nullif',
  'greatest',
  'least',
  'current_date',
  'current_time',
  'trim',
  'array_sort',
];

test('each name on the list is a function of PostgreSQL', () => {
  const unknown = [...harmlessFunctions].filter((name) => !functions.has(name) && !syntax.includes(name));
  expect(unknown).toEqual([]);
});

test('those on the list that PostgreSQL calls volatile only read the clock or chance', () => {
  const isVolatile = (name: string): boolean => functions.get(name)?.isVolatile === true;
  expect([...harmlessFunctions].filter(isVolatile).toSorted()).toEqual([
    'array_sample',
    'array_shuffle',
    'clock_timestamp',
    'gen_random_uuid',
    'random',
    'random_normal',
    'timeofday',
    'uuidv4',
    'uuidv7',
  ]);
});

test('nothing on the list belongs to a family that reads files, runs texts or reaches the server', () => {
  const families =
    /^(lo_|pg_(ls|read|stat|sleep|advisory|terminate|cancel|logical|replication|create|drop|file)|.*_to_xml|dblink|ts_stat|ts_rewrite|current_setting|set_config)/;
  expect([...harmlessFunctions].filter((name) => families.test(name))).toEqual([]);
});
