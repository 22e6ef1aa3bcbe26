// Declares modules of Knex that have no types, as far as the drivers use them.
declare module 'knex/lib/execution/transaction.js' {
  import type { Knex } from 'knex'
  /** Runs a transaction. `Knex.Transaction`, which queries use, is another object. */
  export default class Transaction<Connection> {
    constructor(client: Knex.Client, work: (trx: Knex.Transaction) => Promise<unknown>, ...options: unknown[])
    readonly isolationLevel: string | undefined
    readonly readOnly: boolean | undefined
    _completed: boolean
    _resolver(value: unknown): void
    _rejecter(error: unknown): void
    query(connection: Connection, sql: string): Promise<unknown>
    begin(connection: Connection): Promise<unknown>
    commit(connection: Connection, value: unknown): Promise<unknown>
  }
}
declare module 'knex/lib/dialects/sqlite3/execution/sqlite-transaction.js' {
  export { default } from 'knex/lib/execution/transaction.js'
}
declare module 'knex/lib/dialects/postgres/execution/pg-transaction.js' {
  export { default } from 'knex/lib/execution/transaction.js'
}
declare module 'knex/lib/dialects/sqlite3/index.js' {
  import { Knex } from 'knex'
  export default class Client extends Knex.Client {}
}
declare module 'knex/lib/dialects/postgres/index.js' {
  import { Knex } from 'knex'
  export default class Client<Connection> extends Knex.Client {
    _acquireOnlyConnection(): Promise<Connection>
    checkVersion(connection: Connection): Promise<string>
    _query(connection: Connection, query: unknown): Promise<unknown>
  }
}
