// Parts of Knex that it neither documents nor types. Their importers say what they need of them.
declare module 'knex/lib/dialects/sqlite3/index.js'
declare module 'knex/lib/dialects/sqlite3/execution/sqlite-transaction.js'
declare module 'knex/lib/dialects/postgres/index.js'
declare module 'knex/lib/dialects/postgres/execution/pg-transaction.js'
