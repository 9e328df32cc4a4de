#!/usr/bin/env bash
# Makes NNNN.sql: the fixture in the schema of each released migration, as pg_dump stores it. To be run when a
# release adds migrations; dumps that are there stay as they are. Usage: scripts/with-postgres server/tests/upgrades/make.sh
set -euo pipefail
cd "$(dirname "$0")"
while read -r version _; do
  file=$(printf '%04d.sql' "$version")
  [ "$version" -ge 2 ] && [ ! -e "$file" ] || continue
  psql -q "$DATABASE_URL" -c 'DROP DATABASE IF EXISTS made' -c 'CREATE DATABASE made'
  url=${DATABASE_URL/localhost\/postgres/localhost\/made}
  cargo sqlx migrate run --source ../../../migrations --no-dotenv --database-url "$url" --target-version "$version" >/dev/null </dev/null
  psql -q --single-transaction -v ON_ERROR_STOP=1 "$url" -f fixture.sql
  # Lines that only psql knows are left out.
  pg_dump --no-owner --inserts --rows-per-insert=100 "$url" | grep -vE '^(\\|--|$)' >"$file"
done <../released.txt
