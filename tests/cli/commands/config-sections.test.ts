import { randomBytes } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeEach, describe, expect, test } from 'vitest'
import { type DatabaseKind, PASSWORD, skipWithoutPostgres } from '../../support/toolkit.ts'
import { BACKINGS, type BackingKind, openBacking } from '../backings.ts'

const FILE = `version: 1
options: { SystemName: House of Models }
groups:
  default: { ratio: 1 }
  partner: { ratio: 0.5 }
prices:
  house-model: { ratio: 3 }
channels:
  openai: { type: openai, key: env:OPENAI_KEY, models: [gpt-4o], groups: [default, partner] }
teams:
  lab:
    owner: ann
    group: partner
    members: { bob: member }
limits:
  - { subject: user, name: '*', measure: requests, period: minute, amount: 60 }
  - { subject: token, user: ann, name: app, measure: tokens, period: day, amount: 100000 }
  - { subject: member, team: lab, name: bob, measure: quota, period: month, time_zone: Asia/Shanghai, amount: 500000 }
  - { subject: channel, name: openai, measure: concurrent, amount: 10, action: queue, wait_seconds: 5 }
management_keys:
  - { user: root, name: ci, key: env:CI_KEY, scopes: ['configuration:*'], expires_at: 2099-01-31 }
`
const SECRETS = { OPENAI_KEY: 'sk-of-the-house', CI_KEY: `tgm_${randomBytes(32).toString('hex')}` }

async function openWorld(kind: BackingKind, text = FILE, database: DatabaseKind = 'sqlite') {
  const world = await openBacking(kind, { database })
  await world.inside(async (toolkit, root) => {
    for (const username of ['ann', 'bob']) await toolkit.accounts.create(root, { username, password: PASSWORD })
    const ann = await toolkit.accounts.getByName(root, 'ann')
    await toolkit.tokens.create({ id: ann.id, role: 1 }, { name: 'app', unlimited_quota: true })
  })
  const write = (content: string, name = 'gateway.yaml') => writeFile(join(world.folder, name), content)
  await write(text)
  const run = (words: readonly string[], env = {}) => world.run(words, { env: { ...world.env, ...SECRETS, ...env } })
  return { ...world, write, run, read: (name: string) => readFile(join(world.folder, name), 'utf8') }
}

describe.each(
  BACKINGS.flatMap((kind) => (['sqlite', 'postgres'] as const).map((database) => [kind, database] as const)),
)('all sections of a file, on a %s of %s', (kind, database) => {
  if (database === 'postgres') beforeEach(skipWithoutPostgres)

  test('plan, apply, export and plan again: from users alone to no changes', async () => {
    const { run, read } = await openWorld(kind, FILE, database)
    const plan = await run(['config', 'plan', 'gateway.yaml'])
    expect(plan).toMatchObject({ exitCode: 2, stderr: '' })
    for (const line of [
      '+ teams.lab',
      '    members.bob: "member"',
      '    members.ann: "owner"',
      '+ limits.user * requests per minute',
      '+ limits.token ann/app tokens per day',
      '+ limits.member lab/bob quota per month',
      '+ limits.channel openai concurrent',
      '+ management_keys.root/ci',
      '    key: "(secret)"',
    ])
      expect(plan.stdout.split('\n')).toContain(line)

    const applied = await run(['config', 'apply', 'gateway.yaml', '--yes'])
    expect(applied).toMatchObject({ exitCode: 0 })
    expect(applied.stdout + applied.stderr + plan.stdout + plan.stderr).not.toMatch(/sk-of-the-house|tgm_/)
    expect(await run(['config', 'plan', 'gateway.yaml'])).toMatchObject({ exitCode: 0, stdout: 'No changes.' })
    expect(await run(['config', 'diff', 'gateway.yaml'])).toMatchObject({ exitCode: 2 })

    await run(['config', 'export', 'copy.yaml'])
    expect(await read('copy.yaml')).not.toMatch(/sk-of-the-house|tgm_/)
    const again = await run(['config', 'plan', 'copy.yaml', '--prune'], { TOLLGATE_CHANNEL_OPENAI: SECRETS.OPENAI_KEY })
    expect(again).toMatchObject({ exitCode: 0, stdout: 'No changes.' })
  })
})

describe.each(BACKINGS)('all sections of a file, on a %s', (kind) => {
  test('diff shows manual changes of teams, limits and management keys', async () => {
    const { run, inside } = await openWorld(kind)
    await run(['config', 'apply', 'gateway.yaml', '--yes'])
    await inside(async (toolkit, root) => {
      await toolkit.events.catchUp()
      const [team, bob] = [await toolkit.teams.getByName(root, 'lab'), await toolkit.accounts.getByName(root, 'bob')]
      await toolkit.teams.setRole(root, team.id, { userId: bob.id, role: 'admin' })
      await toolkit.limits.set(root, [
        { subject: 'model', subject_id: 'gpt-4o', measure: 'requests', period: 'day', amount: 9 },
      ])
      await toolkit.managementKeys.create(root, { name: 'by hand', scopes: ['logs:read'] })
    })
    const { stdout, exitCode } = await run(['config', 'diff', 'gateway.yaml'])
    expect(exitCode).toBe(2)
    expect(stdout).toContain('  teams.lab\n-   members.bob: "member"\n+   members.bob: "admin"')
    expect(stdout).toContain('+ limits.model gpt-4o requests per day')
    expect(stdout).toContain('+ management_keys.root/by hand')
    await run(['config', 'apply', 'gateway.yaml', '--yes', '--prune'])
    expect(await run(['config', 'diff', 'gateway.yaml'])).toMatchObject({ exitCode: 0 })
  })

  test('of two plans, the second is rejected', async () => {
    const { run } = await openWorld(kind)
    for (const name of ['one.json', 'two.json']) await run(['config', 'plan', 'gateway.yaml', '--out', name])
    const apply = (name: string) => run(['config', 'apply', 'gateway.yaml', '--plan', name, '--yes'])
    expect(await apply('one.json')).toMatchObject({ exitCode: 0 })
    expect(await apply('two.json')).toMatchObject({ exitCode: 5, stderr: expect.stringContaining('plan again') })
  })

  test.each([
    [
      '{ subject: user, name: anna, measure: requests, period: day, amount: 1 }',
      'limits.1 (gateway.yaml:4): there is no user anna',
    ],
    ['{ subject: token, user: ann, name: ap, measure: requests, period: day, amount: 1 }', 'there is no token ann/ap'],
    ['{ subject: token, name: app, measure: requests, period: day, amount: 1 }', 'token app needs its user / team'],
    ['{ subject: member, team: lab, name: bob, measure: requests, period: day, amount: 1 }', 'there is no team lab'],
    ['{ subject: channel, name: openai, measure: requests, period: day, amount: 1 }', 'there is no channel openai'],
    ['{ subject: group, name: nobody, measure: requests, period: day, amount: 1 }', 'there is no group nobody'],
    [
      '{ subject: group, name: default, measure: requests, amount: 1 }',
      'limits.1 (gateway.yaml:4): A limit of requests',
    ],
    ['{ subject: group, name: default, measure: requests, period: day, amount: 1, time_zone: Mars }', 'Mars'],
    ['{ subject: user, name: "*", measure: requests, period: day, amount: 2 }', 'is in the list twice'],
    ['{ subject: user, name: "*", measure: requests, period: minute, amount: 9 }', 'limits.1 (gateway.yaml:4)'],
    ['{ subject: user, name: ann, mesure: requests, period: day, amount: 1 }', 'did you mean measure?'],
    ['{ subject: user, name: ann, measure: requests, period: dai, amount: 1 }', 'limits.1.period (gateway.yaml:4)'],
  ])('a limit %s is rejected with its line', async (limit, expected) => {
    const first = "{ subject: user, name: '*', measure: requests, period: day, amount: 5 }"
    const { run } = await openWorld(kind, `version: 1\nlimits:\n  - ${first}\n  - ${limit}\n`)
    const { stderr, exitCode } = await run(['config', 'plan', 'gateway.yaml'])
    expect(stderr).toContain(expected)
    expect(exitCode).toBe(1)
  })
})

test.each([
  ['teams: { lab: { members: { bob: admin } } }', 'teams.lab (gateway.yaml:2): a new team needs its owner'],
  ['teams: { lab: { owner: ann, members: { ann: admin } } }', 'ann is the owner'],
  ['teams: { lab: { owner: ann, members: { bob: owner } } }', 'teams.lab.members.bob'],
  ['teams: { "17": { owner: ann } }', 'teams.17 (gateway.yaml:2)'],
  ['teams: { lab: { owner: ann, group: nobody } }', 'there is no group nobody'],
  ['management_keys: [{ user: ann, name: a, scopes: [logs:read] }]', 'ann/a: a new management key needs its key'],
  ['management_keys: [{ user: ann, name: a, key: env:CI_KEY, scopes: [logs:reed] }]', 'management_keys.0.scopes'],
  ['management_keys: [{ user: ann, name: a, key: env:WEAK, scopes: [logs:read] }]', 'random letters and digits'],
  ['management_keys: [{ user: ann, name: a, key: env:CI_KEY, scopes: [logs:read], expires_at: soon }]', 'not soon'],
  ['management_keys: [{ user: ann, name: a, key: env:CI_KEY, scopes: [logs:read], expires_at: 2020-01-01 }]', 'past'],
  ['limits: { partner: { debt: 5 } }', 'limits'],
])('%j is rejected with the reason', async (section, expected) => {
  const { run } = await openWorld('database', `version: 1\n${section}\n`)
  const { stderr, exitCode } = await run(['config', 'plan', 'gateway.yaml'], { WEAK: `tgm_${'ab'.repeat(30)}` })
  expect(stderr).toContain(expected)
  expect(stderr).not.toContain('abab')
  expect(exitCode).toBe(1)
})

test('a management key in plain text works, with a warning that names its line', async () => {
  const { run } = await openWorld(
    'database',
    `version: 1\nmanagement_keys: [{ user: ann, name: a, key: ${SECRETS.CI_KEY}, scopes: ['logs:read'] }]\n`,
  )
  const { stderr, exitCode } = await run(['config', 'apply', 'gateway.yaml', '--yes'])
  expect(stderr).toContain('management_keys.0.key is in clear text')
  expect(stderr).not.toContain(SECRETS.CI_KEY)
  expect(exitCode).toBe(0)
})

test('a management key with the scope is enough for a pipeline', async () => {
  const { run, write } = await openWorld('server')
  await run(['config', 'apply', 'gateway.yaml', '--yes'])
  await write(FILE.replace('amount: 60', 'amount: 70'))
  const env = { TOLLGATE_TOKEN: SECRETS.CI_KEY }
  expect(await run(['config', 'plan', 'gateway.yaml'], env)).toMatchObject({
    exitCode: 2,
    stdout: expect.stringContaining('amount: 60 → 70'),
  })
  expect(await run(['config', 'apply', 'gateway.yaml', '--yes'], env)).toMatchObject({ exitCode: 0 })
  expect(await run(['config', 'plan', 'gateway.yaml'], env)).toMatchObject({ exitCode: 0 })
  const denied = await run(['channel', 'list'], env)
  expect(denied.exitCode).not.toBe(0)
})

test('lists of several files are merged, and errors name the file', async () => {
  const { run, write, folder } = await openWorld('database')
  const { mkdir } = await import('node:fs/promises')
  await mkdir(join(folder, 'gateway'))
  const limit = (name: string) => `  - { subject: user, name: ${name}, measure: requests, period: day, amount: 5 }\n`
  await write(`version: 1\nlimits:\n${limit('ann')}`, 'gateway/a.yaml')
  await write(`version: 1\nlimits:\n${limit('bob')}`, 'gateway/b.yaml')
  expect((await run(['config', 'plan', 'gateway'])).stdout).toContain('Plan: 2 to add')
  await write(`version: 1\nlimits:\n${limit('bob')}${limit('eve')}`, 'gateway/b.yaml')
  expect((await run(['config', 'plan', 'gateway'])).stderr).toContain(
    'limits.2 (gateway/b.yaml:4): there is no user eve',
  )
})

test('the example of the documentation works unchanged', async () => {
  const docs = await readFile(new URL('../../../docs/configuration-as-code.md', import.meta.url), 'utf8')
  const example = /```yaml\n(# yaml-language-server[\s\S]*?)```/.exec(docs)?.[1] ?? ''
  const { run, inside, folder, write } = await openWorld(
    'database',
    example.replace('/run/secrets/openai', 'openai.txt'),
  )
  await write('sk-upstream', 'openai.txt')
  await inside((toolkit, root) => toolkit.accounts.create(root, { username: 'eve', password: PASSWORD }))
  const env = { SMTP_TOKEN: 'x', NIGHTLY_KEY: SECRETS.CI_KEY }
  expect(await run(['config', 'apply', join(folder, 'gateway.yaml'), '--yes'], env)).toMatchObject({ exitCode: 0 })
  expect(await run(['config', 'plan', 'gateway.yaml'], env)).toMatchObject({ exitCode: 0, stdout: 'No changes.' })
})
