// Modules of Knex without types. Files that import them declare the functions that they use.
declare module 'knex/lib/dialects/sqlite3/index.js'
declare module 'knex/lib/dialects/sqlite3/execution/sqlite-transaction.js'
declare module 'knex/lib/dialects/postgres/index.js'
declare module 'knex/lib/dialects/postgres/execution/pg-transaction.js'
