import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openBacking } from './backings.ts'

/*
 * What an operator mistypes first, and what the program says about it.
 */

const CHANNEL = ['channel', 'add', '--name', 'a', '--key', 'k', '--models', 'm']

test.each([
  [[...CHANNEL, '--type', 'azure'], '--base-url is required for channels of type Azure OpenAI'],
  [[...CHANNEL, '--type', 'openai', '--base-url', 'nope'], '--base-url must be an http or https address, not nope'],
  [[...CHANNEL, '--type', 'openai', '--model-mapping', 'x'], '--model-mapping is not valid JSON'],
  [
    ['token', 'create', 'a', '--allow-ips', '10.0.0.1,300.1.1.1'],
    '--allow-ips must be addresses or ranges such as 10.0.0.0/8, not 300.1.1.1',
  ],
  [['option', 'set', 'RetryTime', '3'], 'unknown option RetryTime. Did you mean RetryTimes?'],
  [['option', 'get', 'RetryTime'], 'unknown option RetryTime. Did you mean RetryTimes?'],
  [['token', 'create', 'a', '--quota', '$0.0000001'], '$0.0000001 equals 0 quota: pass 1 to 1000000000000000'],
  [['redemption', 'create', '--quota', '$0'], '$0 equals 0 quota: pass 1 to 1000000000000000'],
])('%j names the flag or the option that is meant: %s', async (words, message) => {
  const { run } = await openBacking('database')

  expect(await run(words)).toEqual({ exitCode: 2, stdout: '', stderr: `error: ${message}` })
})

test('with --json an error keeps the field of the API', async () => {
  const { run } = await openBacking('database')

  const { stderr } = await run([...CHANNEL, '--type', 'azure', '--json'])

  expect(JSON.parse(stderr).error).toMatchObject({
    code: 'CHANNEL_BASE_URL_MISSING',
    message: 'base_url is required for channels of type Azure OpenAI',
    field: 'base_url',
  })
})

test.each([
  [['channel', 'add'], 'pass --name <text>, --type <type>'],
  [['channel', 'add', '--type', 'openai'], 'pass --name <text>'],
  [['channel', 'add', '--name', 'a'], 'pass --type <type>'],
  [
    ['channel', 'add', '--name', 'a', '--type', '1'],
    'missing key: pass --key <key>, or --key-stdin with the key on stdin',
  ],
  [['channel', 'add', '--key'], "missing value of option '--key <key>'"],
])('%j names what is missing, with usage and an example', async (words, message) => {
  const { run } = await openBacking('database')

  const { exitCode, stderr } = await run(words)

  expect({ exitCode, lines: stderr.split('\n') }).toEqual({
    exitCode: 2,
    lines: [
      `error: ${message}`,
      'Usage: tollgate channel add [options]',
      'Example: tollgate channel add --name openai --type openai --key sk-abc --models gpt-4o,gpt-4o-mini',
    ],
  })
})

test.each([
  [['group', 'get', 'vip'], 2, "unknown command 'get'. Did you mean: tollgate group list"],
  [['notify', 'show'], 2, "unknown command 'show'. Did you mean: tollgate notify list"],
  [['option', 'set', 'Nope', '1'], 2, 'unknown option Nope: see tollgate option list'],
  [['token', 'update', '1'], 2, 'nothing to change: pass an option, such as --quota'],
  [['channel', 'update', '1'], 2, 'nothing to change: pass an option, such as --priority'],
  [['batch', 'get', '9'], 3, 'batch 9 does not exist here, or belongs to another user'],
  [['file', 'get', '9'], 3, 'file 9 does not exist here, or belongs to another user'],
  [['log', 'trace', 'none'], 3, 'request none is not in the log'],
  [['account', 'password'], 2, 'no terminal for prompts: pass --password-stdin'],
  [['account', 'reset-password'], 2, 'no terminal for prompts: pass <address>'],
  [['token', 'usage'], 2, 'missing key: pass the ID of your token or --key-stdin, or set TOLLGATE_API_KEY'],
  [['channel', 'add', '--from', 'none.csv'], 1, 'cannot read none.csv: no such file or folder'],
  [['config', 'plan', 'none.yaml'], 1, 'cannot read none.yaml: no such file or folder'],
  [['config', 'plan', '/dev/null/x'], 1, 'cannot read /dev/null/x: a part of the path is not a folder'],
  [['ledger', 'reconcile', '/tmp'], 1, 'cannot read /tmp: it is a folder'],
  [['token', 'create', 'a', '--allow-ips-file', 'none'], 1, 'cannot read the --allow-ips-file: no such file or folder'],
  [['token', 'create', 'a', '--output', 'none/x'], 1, 'cannot write the --output file: no such file or folder'],
  [['token', 'list', '--output', 'none/x.csv'], 1, 'cannot write none/x.csv: no such file or folder'],
  [['import', 'new-api', '/none.db', '--yes'], 1, '/none.db cannot be read: no such file or folder'],
])('%j ends with %i and names the cause or the next step: %s', async (words, exitCode, message) => {
  const { run } = await openBacking('database')

  expect(await run(words)).toMatchObject({ exitCode, stderr: `error: ${message}` })
})

test('reasons for files are in the language of the reader', async () => {
  const { run } = await openBacking('database')

  expect((await run(['--language', 'zh', 'config', 'plan', 'none.yaml'])).stderr).toBe(
    '错误：无法读取 none.yaml：文件或文件夹不存在',
  )
  expect((await run(['--language', 'zh', 'import', 'new-api', '/none.db', '--yes'])).stderr).toContain(
    '文件或文件夹不存在',
  )
})

test('a misspelled type is named before other missing flags', async () => {
  const { run } = await openBacking('database')

  expect((await run(['channel', 'add', '--type', 'opnai'])).stderr).toContain(
    'unknown channel type opnai. Did you mean openai?',
  )
})

test('an invalid settings file is one sentence without a colon at its end', async () => {
  const { run, folder } = await openBacking('database')
  writeFileSync(join(folder, 'bad.yaml'), 'PORT: [1,\n')

  const { exitCode, stderr } = await run(['token', 'list', '--config', 'bad.yaml'])

  expect(exitCode).toBe(2)
  expect(stderr).toMatch(/^error: configuration .*bad\.yaml: .* at line \d+, column \d+$/)
})

test('a page after the last one is not an empty list', async () => {
  const { run } = await openBacking('database')
  await run(['token', 'create', 'a'])

  const { exitCode, stderr } = await run(['token', 'list', '--page', '99'])

  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: 'Page 99 is empty: the last page is 1, 1 total.' })
})

test('rm removes what other nouns remove or revoke', async () => {
  const { run, json } = await openBacking('database')
  await run(['limit', 'set', 'user', 'root', '--requests', '60', '--per', 'minute'])
  const [limit] = await json('limit', 'list')
  const { id } = await json('api-key', 'create', 'nightly', '--scope', 'codes:create')

  expect(await run(['limit', 'rm', String(limit.id), '--yes'])).toMatchObject({ exitCode: 0 })
  expect(await run(['api-key', 'rm', String(id), '--yes'])).toMatchObject({ exitCode: 0 })
})

test('version with --json is a JSON document', async () => {
  const { run, json } = await openBacking('database')

  const { version } = await json('version')

  expect((await run(['version'])).stdout).toBe(version)
})

test('a model that no channel serves is named when a token is updated, too', async () => {
  const { run, json } = await openBacking('database')
  const { id } = await json('token', 'create', 'a')

  expect((await run(['token', 'update', String(id), '--models', 'nomodel'])).stderr).toBe(
    `Updated token ${id}, a.\nWarning: no channel available to you serves nomodel.`,
  )
})

test('a group that does not exist is named when a channel is added or updated', async () => {
  const { run, json } = await openBacking('database')
  const warning = 'Warning: no such group: nosuch. Create it with: tollgate group set nosuch --ratio 1'
  const added = await run(['channel', 'add', '--name', 'a', '--type', 'openai', '--key', 'sk-a', '--group', 'nosuch'])
  expect(added).toMatchObject({
    exitCode: 0,
    stderr: expect.stringMatching(new RegExp(`^Added channel .*\\n${warning}$`)),
  })
  const [{ id }] = (await json('channel', 'list', '--search', 'a')).items ?? (await json('channel', 'list'))

  expect(await run(['channel', 'update', String(id), '--group', 'default,nosuch'])).toMatchObject({
    ...{ exitCode: 0, stderr: expect.stringContaining(warning) },
  })
  await run(['group', 'set', 'nosuch', '--ratio', '1'])
  expect((await run(['channel', 'update', String(id), '--group', 'nosuch'])).stderr).not.toContain('Warning')
})

test('the receipt of a channel test says that it is not charged', async () => {
  const { run, json, inside } = await openBacking('server')
  const other = JSON.stringify({ model_ratio: 1, completion_ratio: 1, model_price: -1, group_ratio: 1 })
  await inside(async (toolkit) => {
    const tested = { channelId: 1, model: 'gpt-4o', promptTokens: 5, completionTokens: 5, useTimeSeconds: 1, other }
    await toolkit.logs.writeTest({ ...tested, quota: 10 })
  })
  const [row] = (await json('log', 'list', '--type', 'consumption')).items

  const { exitCode, stdout } = await run(['log', 'receipt', String(row.id)])

  expect(exitCode).toBe(0)
  expect(stdout).toMatch(/^written in the row +10 /m)
  expect(stdout).not.toMatch(/^charged /m)
  expect(stdout).toContain('not charged: a channel test\nequal')
  expect(await json('log', 'receipt', String(row.id))).toMatchObject({ isCharged: false, charged: 10 })
})
