// Imports a large database, then signs in and sends a request:
// `node tests/bench/import.js [new-api|one-api|litellm] [--target <database>] [--source <server>]`.
// Needs `npm run build` first. The target is a new SQLite file by default. `--source` names the server that gets the
// source's database: MySQL for one-api (mysql://root@127.0.0.1:3306), PostgreSQL for LiteLLM
// (postgres://postgres@127.0.0.1:5432).
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { createLargeSource } from './import-sources.js'

const BIN = fileURLToPath(new URL('../../bin/tollgate.js', import.meta.url))
const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { target: { type: 'string' }, source: { type: 'string' } },
})
const [product = 'new-api'] = positionals
const folder = mkdtempSync(join(tmpdir(), 'tollgate-bench-import-'))
const target = values.target ?? `sqlite:${join(folder, 'tollgate.db')}`
const env = { ...process.env, DATABASE_URL: target, TOLLGATE_SECRET: 'a secret of the benchmark' }
const tollgate = (/** @type {string[]} */ ...words) =>
  execFileSync(process.execPath, [BIN, ...words], {
    env,
    cwd: folder,
    encoding: 'utf8',
    maxBuffer: 1 << 30,
    stdio: ['ignore', 'pipe', 'inherit'],
  })

const upstream = createServer((request, response) => {
  request.resume().once('end', () => {
    response.setHeader('content-type', 'application/json')
    const message = { role: 'assistant', content: 'Done' }
    const usage = { prompt_tokens: 100, completion_tokens: 10, total_tokens: 110 }
    response.end(JSON.stringify({ choices: [{ index: 0, message, finish_reason: 'stop' }], usage }))
  })
})
upstream.listen(0, '127.0.0.1')
await once(upstream, 'listening')
const { port } = /** @type {import('node:net').AddressInfo} */ (upstream.address())

let remove = async () => {}
try {
  const source = await createLargeSource(product, {
    folder,
    server: values.source,
    upstream: `http://127.0.0.1:${port}`,
  })
  remove = source.remove
  // LiteLLM has no user that could become root.
  if (product === 'litellm') tollgate('init', '--root-password', 'only-for-this-run', '--skip-channel', '--skip-token')
  const began = performance.now()
  const report = JSON.parse(tollgate('import', product, ...source.words, '--yes', '--json'))
  const seconds = ((performance.now() - began) / 1000).toFixed(1)
  for (const { table, imported, sums } of report.tables) {
    const compared = Object.entries(sums).map(
      ([column, { source: from, target: to }]) => `${column} ${from} ${from === to ? '=' : '≠'} ${to}`,
    )
    console.log(`${table.padEnd(12)} ${String(imported).padStart(9)} ${compared.join(', ')}`)
  }
  console.log(`imported in ${seconds} s; ${tollgate('ledger', 'verify').trim()}`)
  await use(source)
} finally {
  upstream.close()
  await remove()
  rmSync(folder, { recursive: true, force: true })
}

/**
 * Signs in with an old password and sends a request with an old key.
 *
 * @param {{ signIn?: { username: string, password: string }, key: string, model: string }} source
 */
async function use({ signIn, key, model }) {
  const channel = ['--type', 'openai', '--key', 'upstream-key', '--base-url', `http://127.0.0.1:${port}`]
  tollgate('channel', 'add', '--name', 'bench', ...channel, '--models', model, '--priority', '1000', '--json')
  const server = spawn(process.execPath, [BIN, 'serve'], {
    env: { ...env, PORT: '39517', HOST: '127.0.0.1', LOG_LEVEL: 'warn' },
    cwd: folder,
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  try {
    const url = 'http://127.0.0.1:39517'
    while (
      !(await fetch(`${url}/readyz`).then(
        ({ ok }) => ok,
        () => false,
      ))
    )
      await sleep(200)
    if (signIn) {
      const body = JSON.stringify(signIn)
      const headers = { 'content-type': 'application/json' }
      const { success, message } = await (
        await fetch(`${url}/api/user/login`, { method: 'POST', headers, body })
      ).json()
      console.log(`sign-in with the old password: ${success ? 'accepted' : `rejected: ${message}`}`)
    }
    const response = await fetch(`${url}/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ model, max_tokens: 20, messages: [{ role: 'user', content: 'Are you there?' }] }),
    })
    if (!response.ok) console.log(`request with the old key: ${response.status} ${await response.text()}`)
    await sleep(1_000)
    const { items } = JSON.parse(tollgate('log', 'list', '--type', 'consumption', '--limit', '1', '--json'))
    const [{ username, token_name, model_name, quota }] = items
    console.log(
      `request with the old key: ${response.status}, charged ${quota} to ${username} (${token_name}, ${model_name})`,
    )
    console.log(tollgate('ledger', 'verify').trim())
  } finally {
    server.kill('SIGTERM')
    await once(server, 'exit')
  }
}
