import { readFile } from 'node:fs/promises';
import type { PGlite } from '@electric-sql/pglite';
import type { DatabaseName } from './database-names.ts';

/**
 * Real data, by Gapminder (https://www.gapminder.org), licence Creative Commons Attribution 4.0, as packed by
 * `vega-datasets`: `gapminder.json` (62 countries, 1955 to 2005 in steps of five years) and
 * `gapminder-health-income.csv` (187 countries, one year). Changed here: spread over tables, regions by name.
 */
const source = 'Source: Gapminder (gapminder.org), CC BY 4.0.';

/** The clusters of `gapminder.json`, named as in the data package's description. */
const regions = [
  'South Asia',
  'Europe and Central Asia',
  'Sub-Saharan Africa',
  'America',
  'East Asia and Pacific',
  'Middle East and North Africa',
];

/** The last year that the staging database has: it is an older snapshot of production. */
const stagingUntilYear = 1995;

/** Only this role reads for the analyst. It owns nothing and may change nothing. */
export const readerRole = 'analyst_reader';

/** Creates and fills one database: production has everything, staging an older snapshot, analytics sums by region. */
export async function fillDatabase(db: PGlite, name: DatabaseName): Promise<void> {
  await createWorld(db, name === 'staging' ? stagingUntilYear : 9999);
  if (name === 'production') await createEconomy(db);
  if (name === 'analytics') await createReporting(db);
  const schemas = { production: 'world, economy', staging: 'world', analytics: 'reporting' }[name];
  await db.exec(`
    CREATE ROLE ${readerRole} NOLOGIN;
    GRANT USAGE ON SCHEMA ${schemas} TO ${readerRole};
    GRANT SELECT ON ALL TABLES IN SCHEMA ${schemas} TO ${readerRole};
    ANALYZE;
  `);
}

async function createWorld(db: PGlite, untilYear: number): Promise<void> {
  await db.exec(`
    CREATE SCHEMA world;
    CREATE TABLE world.regions (
      id integer PRIMARY KEY,
      name text NOT NULL UNIQUE
    );
    CREATE TABLE world.countries (
      id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      name text NOT NULL UNIQUE,
      region_id integer NOT NULL REFERENCES world.regions
    );
    CREATE TABLE world.indicators (
      country_id integer NOT NULL REFERENCES world.countries,
      year integer NOT NULL,
      population bigint NOT NULL,
      life_expectancy numeric(5, 2) NOT NULL,
      fertility numeric(4, 2) NOT NULL,
      PRIMARY KEY (country_id, year)
    );
    COMMENT ON TABLE world.regions IS 'Six regions of the world. ${source}';
    COMMENT ON TABLE world.countries IS '62 countries, each in one region. ${source}';
    COMMENT ON TABLE world.indicators IS 'One row a country and year, every five years from 1955. ${source}';
    COMMENT ON COLUMN world.indicators.life_expectancy IS 'years, at birth';
    COMMENT ON COLUMN world.indicators.fertility IS 'babies per woman';
  `);
  const rows = await readFile(dataFile('gapminder.json'), 'utf8');
  await db.query(
    'INSERT INTO world.regions SELECT ordinality - 1, name FROM unnest($1::text[]) WITH ORDINALITY AS r(name)',
    [regions],
  );
  await db.query(
    `INSERT INTO world.countries (name, region_id)
     SELECT DISTINCT country, cluster FROM jsonb_to_recordset($1) AS g(country text, cluster integer) ORDER BY country`,
    [rows],
  );
  await db.query(
    `INSERT INTO world.indicators
     SELECT c.id, g.year, g.pop, g.life_expect, g.fertility
     FROM jsonb_to_recordset($1)
       AS g(country text, year integer, pop bigint, life_expect numeric, fertility numeric)
     JOIN world.countries c ON c.name = g.country
     WHERE g.year <= $2`,
    [rows, untilYear],
  );
}

async function createEconomy(db: PGlite): Promise<void> {
  await db.exec(`
    CREATE SCHEMA economy;
    CREATE TABLE economy.incomes (
      country text PRIMARY KEY,
      income_per_person integer NOT NULL,
      life_expectancy numeric(5, 2) NOT NULL,
      population bigint NOT NULL,
      region text NOT NULL
    );
    COMMENT ON TABLE economy.incomes IS '187 countries in one recent year. ${source}';
    COMMENT ON COLUMN economy.incomes.income_per_person IS 'GDP per person, international dollars';
  `);
  const csv = new Blob([await readFile(dataFile('gapminder-health-income.csv'))]);
  await db.query(
    `COPY economy.incomes (country, income_per_person, life_expectancy, population, region)
     FROM '/dev/blob' WITH (FORMAT csv, HEADER true)`,
    [],
    { blob: csv },
  );
}

async function createReporting(db: PGlite): Promise<void> {
  await db.exec(`
    CREATE SCHEMA reporting;
    CREATE MATERIALIZED VIEW reporting.region_years AS
      SELECT r.name AS region, i.year,
             sum(i.population)::bigint AS population,
             round(sum(i.life_expectancy * i.population) / sum(i.population), 2) AS life_expectancy,
             round(sum(i.fertility * i.population) / sum(i.population), 2) AS fertility,
             count(*)::integer AS countries
      FROM world.indicators i
      JOIN world.countries c ON c.id = i.country_id
      JOIN world.regions r ON r.id = c.region_id
      GROUP BY r.name, i.year ORDER BY r.name, i.year;
    CREATE VIEW reporting.region_growth AS
      SELECT region, year, population,
             round(100.0 * population / lag(population) OVER (PARTITION BY region ORDER BY year) - 100, 2)
               AS growth_percent
      FROM reporting.region_years;
    COMMENT ON MATERIALIZED VIEW reporting.region_years IS
      'Sums and population-weighted means of 62 countries by region and year. ${source}';
    COMMENT ON VIEW reporting.region_growth IS 'Growth of the population since five years before. ${source}';
  `);
}

/** The package exports its code only; the data lies beside it. */
const dataFile = (name: string): URL => new URL(`../data/${name}`, import.meta.resolve('vega-datasets'));
