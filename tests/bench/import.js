// Imports a large database of new-api: node tests/bench/import.js [target, by default a new SQLite file]
// Needs `npm run build` first. Prints how long it took, and what `ledger verify` reports.
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createNewApiDatabase } from '../support/peers/new-api.js'

const SIZE = { users: 50_000, tokens: 120_000, channels: 300, logs: 2_000_000 }
const BIN = fileURLToPath(new URL('../../bin/tollgate.js', import.meta.url))

const folder = mkdtempSync(join(tmpdir(), 'tollgate-bench-import-'))
const [target = `sqlite:${join(folder, 'tollgate.db')}`] = process.argv.slice(2)
const tollgate = (...words) =>
  execFileSync(process.execPath, [BIN, '--database', target, ...words], {
    env: { ...process.env, TOLLGATE_SECRET: 'a secret of the benchmark' },
    cwd: folder,
    encoding: 'utf8',
    maxBuffer: 1 << 30,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
try {
  const source = join(folder, 'one-api.db')
  await createNewApiDatabase(source, SIZE)
  const began = performance.now()
  const report = JSON.parse(tollgate('import', 'new-api', source, '--yes', '--json'))
  const seconds = ((performance.now() - began) / 1000).toFixed(1)
  for (const { table, imported, sums } of report.tables) {
    const compared = Object.entries(sums).map(
      ([column, { source: from, target: to }]) => `${column} ${from} ${from === to ? '=' : '≠'} ${to}`,
    )
    console.log(`${table.padEnd(12)} ${String(imported).padStart(9)} ${compared.join(', ')}`)
  }
  console.log(`imported in ${seconds} s; ${tollgate('ledger', 'verify').trim()}`)
} finally {
  rmSync(folder, { recursive: true, force: true })
}
