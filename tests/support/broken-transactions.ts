import type { PreparedStatement } from '../../core/db/database.ts'
import { OutcomeUnknownError } from '../../core/db/unavailable.ts'
import type { LocalToolkit } from '../../core/toolkit.ts'

/** Makes transactions fail: `before` they begin, or `after` a successful COMMIT whose reply is lost. */
export function breakTransactions({ db }: LocalToolkit) {
  const { transaction } = db
  const script = db.script?.bind(db)
  const statement = db.statement?.bind(db)
  const broken: { mode: 'works' | 'before' | 'after'; after?: number } = { mode: 'works' }
  Object.assign(db, {
    async transaction(work: Parameters<typeof transaction>[0]) {
      if (broken.mode === 'before') throw Object.assign(new Error('connection refused'), { code: 'ECONNREFUSED' })
      const result = await transaction(work)
      if (broken.mode === 'after') throw Object.assign(new Error('connection reset'), { code: 'ECONNRESET' })
      return result
    },
    ...(statement && {
      async statement(prepared: PreparedStatement) {
        if (broken.mode === 'before') throw Object.assign(new Error('connection refused'), { code: 'ECONNREFUSED' })
        const rows = await statement(prepared)
        // A function that finds an unusual case returns 0 and changes nothing. The transaction after it fails instead.
        if (broken.mode === 'after' && rows[0]?.quota !== 0) throw new OutcomeUnknownError('connection reset')
        return rows
      },
    }),
    // A script is a single call: it fails and is rolled back as a whole.
    ...(db.script && {
      async script(statements: string) {
        if (broken.mode !== 'works') throw new Error('disk I/O error')
        await script?.(statements)
      },
    }),
  })
  return broken
}
