import type { DatabaseFacts } from '../../../core/db/facts.ts'
import type { Column } from '../../output/column.ts'
import { plainVerb } from '../../run/verbs.ts'

const MEGABYTE = 1024 * 1024
const megabytes = (bytes: number) => `${(bytes / MEGABYTE).toFixed(1)} MB`

const COLUMNS: readonly Column<DatabaseFacts>[] = [
  { name: 'database', value: ({ database }) => database },
  { name: 'kind', value: ({ kind }) => kind },
  { name: 'size', value: ({ bytes }) => megabytes(bytes) },
  {
    name: 'not-in-the-main-file-yet',
    value: ({ kind, wal_bytes }) => (kind === 'sqlite' ? megabytes(wal_bytes) : '-'),
  },
  { name: 'migrations-applied', value: ({ applied }) => applied.map(({ name }) => name).join(', ') || '-' },
  {
    name: 'migrations-pending',
    value: ({ pending }) => pending.join(', ') || '-',
    tone: ({ pending }) => (pending.length > 0 ? 'bad' : undefined),
  },
  {
    name: 'rows,-of-logs-about',
    value: ({ rows }) =>
      Object.entries(rows)
        .map((row) => row.join(' '))
        .join(', ') || '-',
  },
]

export const dbStatus = plainVerb({
  name: 'status',
  description: 'db.showTheLocation',
  examples: ['tollgate db status'],
  async run(cli) {
    const [{ withDatabase }, { databaseFacts }] = await Promise.all([
      import('./open.ts'),
      import('../../../core/db/facts.ts'),
    ])
    await cli.show(await withDatabase(cli, databaseFacts), { columns: COLUMNS })
  },
})
