# One server, two databases, two owners: neither service can reach the other's tables.
# Safe to repeat; a changed password takes effect on the next run. Also used by Compose.
#
# Needs PGHOST, PGUSER and PGPASSWORD of a superuser, GATEWAY_DB_PASSWORD, LEDGER_DB_PASSWORD.
set -eu
: "${GATEWAY_DB_PASSWORD:?must not be empty}" "${LEDGER_DB_PASSWORD:?must not be empty}"

for owner in gateway ledger; do
  password_variable="${owner^^}_DB_PASSWORD"
  psql --no-psqlrc --quiet --set ON_ERROR_STOP=1 \
    --set owner="$owner" --set password="${!password_variable}" --dbname postgres <<'SQL'
SELECT format('CREATE ROLE %I LOGIN', :'owner')
WHERE NOT EXISTS (SELECT FROM pg_roles WHERE rolname = :'owner') \gexec
ALTER ROLE :"owner" PASSWORD :'password';
SELECT format('CREATE DATABASE %I OWNER %I', :'owner', :'owner')
WHERE NOT EXISTS (SELECT FROM pg_database WHERE datname = :'owner') \gexec
REVOKE CONNECT ON DATABASE :"owner" FROM PUBLIC;
SQL
done
