#!/bin/sh
# Makes Temporal's two databases and brings their schema up to date. Safe to run again: what exists stays.
# Where to: SQL_PLUGIN, SQL_HOST, SQL_PORT, SQL_USER, SQL_PASSWORD of temporal-sql-tool.
set -eu

prepare() {
  database=$1
  schema=$2
  echo "database $database: schema $schema"
  temporal-sql-tool --database "$database" create
  temporal-sql-tool --database "$database" setup-schema --version 0.0
  temporal-sql-tool --database "$database" update-schema --schema-name "$schema"
}

prepare temporal postgresql/v12/temporal
prepare temporal_visibility postgresql/v12/visibility
