/**
 * Tables and views of `pg_catalog` that describe a schema and hold nothing secret (PostgreSQL 18, chapters "System
 * Catalogs" and "System Views"). Left out on purpose: those with passwords and connection texts (pg_authid, pg_shadow,
 * pg_user_mapping, pg_subscription …), with files and settings, with other sessions' queries, and with samples of the data
 * that a role may not read (pg_statistic).
 */
export const readableSystemTables: ReadonlySet<string> = new Set([
  'pg_attrdef',
  'pg_attribute',
  'pg_class',
  'pg_collation',
  'pg_constraint',
  'pg_description',
  'pg_enum',
  'pg_index',
  'pg_indexes',
  'pg_inherits',
  'pg_matviews',
  'pg_namespace',
  'pg_sequences',
  'pg_tables',
  'pg_timezone_abbrevs',
  'pg_timezone_names',
  'pg_type',
  'pg_views',
]);
