import { once } from 'node:events'
import { existsSync, readdirSync } from 'node:fs'
import { execa } from 'execa'
import { expect, test } from 'vitest'
import { createWorld } from './support.ts'

test('demo prints a curl command that works, has a balanced ledger, and leaves no files', async () => {
  const world = await createWorld({}, { isEmpty: true })
  const startedAt = Date.now()
  const demo = world.start(['demo', '--port', '0', '--json'])
  const [first] = await once(demo.stdout ?? demo, 'data')
  expect(Date.now() - startedAt).toBeLessThan(20_000)
  const { url, username, password, key, model } = JSON.parse(String(first))

  const signIn = await fetch(`${url}/api/user/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ username, password }),
  })
  expect(await signIn.json()).toMatchObject({ success: true })
  const answer = await fetch(`${url}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model, messages: [{ role: 'user', content: 'Hello' }] }),
  })
  expect(await answer.json()).toMatchObject({ choices: [{ message: { role: 'assistant' } }] })

  const [folder = ''] = readdirSync(world.folder).filter((name) => name.startsWith('tollgate-demo-'))
  const database = `sqlite:${world.folder}/${folder}/demo.db`
  const logs = await world.json('log', 'list', '--database', database)
  expect(logs.total).toBeGreaterThan(200)
  const oldest = await world.json(
    'log',
    'list',
    '--database',
    database,
    '--type',
    'consumption',
    '--page',
    String(logs.total - 5),
    '--limit',
    '1',
  )
  expect(Date.now() / 1000 - oldest.items[0].created_at).toBeGreaterThan(2 * 86_400)
  expect((await world.run(['ledger', 'verify', '--database', database])).stdout).toMatch(/^equal for 4 users/)
  expect((await world.run(['log', 'receipt', String(oldest.items[0].id), '--database', database])).exitCode).toBe(0)

  demo.kill('SIGINT')
  expect((await demo).exitCode).toBe(0)
  expect(readdirSync(world.folder).filter((name) => name.startsWith('tollgate-demo-'))).toEqual([])
  expect(existsSync(world.databaseFile)).toBe(false)
})

test('the output of demo on a terminal can be pasted into a shell', async () => {
  const world = await createWorld({}, { isEmpty: true })
  const demo = world.start(['demo', '--port', '0'])
  let printed = ''
  for await (const chunk of demo.stdout ?? []) {
    printed += chunk
    if (printed.includes('Stop it with Ctrl-C')) break
  }
  const [curl = ''] = /^curl[\s\S]*?(?=\n\n)/m.exec(printed) ?? []
  const { stdout } = await execa('sh', ['-c', curl.replace('curl', 'curl --silent --noproxy "*"')])
  expect(JSON.parse(stdout)).toMatchObject({ object: 'chat.completion' })
  demo.kill('SIGTERM')
  expect((await demo).exitCode).toBe(0)
})
