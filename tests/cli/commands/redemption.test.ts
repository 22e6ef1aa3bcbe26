import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { enriched } from '../../../cli/output/json-view.ts'
import { shared } from '../../support/lifetime.ts'
import { BACKINGS, openBacking } from '../backings.ts'

describe.each(BACKINGS)('redemption, on a %s', (kind) => {
  const world = shared(() => openBacking(kind))
  const fileIn = (name: string) => join(world().folder, name)
  const create = (...flags: string[]) => world().run(['redemption', 'create', '--quota', '500', ...flags])
  const total = async (name: string) => (await world().json('redemption', 'list', '--name', name)).total
  /** Makes codes of a name, and answers their rows, oldest first. */
  const made = async (name: string, count = 1) => {
    await create('--name', name, '--count', String(count))
    return world().json('redemption', 'export', '--name', name)
  }
  const redeem = (code: string) => world().inside(({ redemption }, root) => redemption.redeem(root, code))

  test('create prints one code per line, also above one batch; with --json an array', async () => {
    const { stdout, stderr } = await create('--name', 'spring', '--count', '150')
    const codes = stdout.split('\n')
    expect(stderr).toBe('')
    expect(new Set(codes).size).toBe(150)
    for (const code of codes) expect(code).toMatch(/^[0-9a-f]{32}$/)
    expect(await total('spring')).toBe(150)

    const [code] = await world().json('redemption', 'create', '--quota', '250000')
    expect(await redeem(code)).toBe(250_000)
    const list = await world().run(['redemption', 'list', '--status', 'used'])
    expect(list.stdout).toMatch(new RegExp(`\\$0\\.50 +${code} +used +250000 \\(\\$0\\.50\\)`))
  })

  test('create --output writes a new file with mode 0600, and continues a file only with --request-key', async () => {
    const file = fileIn('codes.txt')
    const flags = ['--name', 'filed', '--count', '3', '--output', 'codes.txt']
    expect(await create(...flags)).toEqual({ exitCode: 0, stdout: '', stderr: 'Wrote 3 codes to codes.txt.' })
    expect(statSync(file).mode & 0o777).toBe(0o600)
    const before = readFileSync(file, 'utf8')
    expect(before.trim().split('\n')).toHaveLength(3)
    expect(await create(...flags)).toMatchObject({ exitCode: 5, stderr: expect.stringContaining('codes.txt') })
    expect(readFileSync(file, 'utf8')).toBe(before)
    expect(await total('filed')).toBe(3)
    const dash = await create('--name', 'dash', '--output', '-')
    expect(dash).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('to write to stdout') })
    expect((await world().run(['redemption', 'list', '--output', '-'])).exitCode).toBe(2)
    expect([await total('dash'), existsSync(fileIn('-'))]).toEqual([0, false])
  })

  test.each([
    [['--quota', '0'], /--quota/],
    [['--quota', '0.5'], /--quota/],
    [['--count', '1e30'], /--count/],
    [['--count', '0'], /--count/],
    [['--count', '100001'], /--count/],
    [['--name', 'a name of more than twenty characters'], /name/],
    [['--idempotency-key', 'ключ'], /--idempotency-key/],
    [['--idempotency-key', ''], /--idempotency-key/],
    [['--status', 'x'], /unknown option/],
  ])('create rejects %j and leaves no file', async (flags, named) => {
    const { exitCode, stderr } = await create('--output', 'refused.txt', ...flags)
    expect(exitCode).toBe(2)
    expect(stderr).toMatch(named)
    expect(existsSync(fileIn('refused.txt'))).toBe(false)
  })

  test('the same command with one key returns the same codes, and is rejected with another count, value or name', async () => {
    const keyed = (...flags: string[]) => create('--name', 'keyed', '--idempotency-key', 'release 1', ...flags)
    const first = await keyed('--count', '120')
    expect(await keyed('--count', '120')).toEqual(first)
    for (const other of [['121'], ['100'], ['120', '--quota', '501'], ['120', '--name', 'other']]) {
      const { exitCode, stdout, stderr } = await keyed('--count', ...other)
      expect({ exitCode, stdout }).toEqual({ exitCode: 5, stdout: '' })
      expect(stderr).toContain('the idempotency key release 1#1 belongs to another request')
    }
    expect(await total('keyed')).toBe(120)
    expect(await total('other')).toBe(0)
  })

  test('with a key a partial file is continued, whatever its last line; any other file prevents creation', async () => {
    const file = fileIn('resumed.txt')
    const flags = ['--name', 'resumed', '--count', '250', '--idempotency-key', 'resumed', '--output', 'resumed.txt']
    await create(...flags)
    const whole = readFileSync(file, 'utf8')
    expect(whole.split('\n')).toHaveLength(251)
    for (const there of [0, 33 * 100, 33 * 130 + 7, whole.length]) {
      writeFileSync(file, whole.slice(0, there))
      expect(await create(...flags)).toMatchObject({ exitCode: 0 })
      expect(readFileSync(file, 'utf8')).toBe(whole)
    }
    expect(await total('resumed')).toBe(250)

    for (const foreign of [`${whole}x`, whole.replace(/^./, 'x'), whole.slice(33)]) {
      writeFileSync(file, foreign)
      expect(await create(...flags)).toMatchObject({ exitCode: 5, stderr: expect.stringContaining('resumed.txt') })
      expect(readFileSync(file, 'utf8')).toBe(foreign)
    }
    const fresh = flags.map((flag) => (flag === 'resumed' ? 'fresh' : flag))
    expect(await create(...fresh)).toMatchObject({ exitCode: 5 })
    expect(await total('fresh')).toBe(0)
  })

  test('get, update, disable and enable; a used code cannot change', async () => {
    const [one, two] = await made('changed', 2)
    const ids = [String(one.id), String(two.id)]
    expect((await world().run(['redemption', 'get', String(one.id)])).stdout).toMatch(
      new RegExp(`^code +${one.key}$`, 'm'),
    )
    expect(await world().run(['redemption', 'update', String(one.id), '--name', 'autumn', '--quota', '9'])).toEqual({
      exitCode: 0,
      stdout: '',
      stderr: `Updated code ${one.id}, autumn.`,
    })
    expect(await world().json('redemption', 'get', String(one.id))).toEqual(
      enriched({ ...one, name: 'autumn', quota: 9 }),
    )
    expect((await world().run(['redemption', 'update', String(one.id)])).exitCode).toBe(2)

    expect(await world().json('redemption', 'disable', ...ids)).toMatchObject([{ status: 2 }, { status: 2 }])
    expect(await world().json('redemption', 'enable', String(two.id))).toMatchObject({ id: two.id, status: 1 })
    await redeem(two.key)
    const used = await world().run(['redemption', 'enable', ...ids])
    expect(used).toEqual({
      exitCode: 5,
      stdout: '',
      stderr: `error: redemption code ${two.id} is used or disabled: only unused codes can be changed`,
    })
    expect(await world().json('redemption', 'get', String(one.id))).toMatchObject({ status: 2 })
    const going = await world().run(['redemption', 'enable', ...ids, '--keep-going'])
    expect(going).toMatchObject({
      exitCode: 5,
      stderr: expect.stringContaining(`Enabled code ${one.id}, autumn`),
    })
    expect((await world().run(['redemption', 'get', '999999'])).exitCode).toBe(3)
  })

  test('delete asks for confirmation, and deletes all or none, or all of a name', async () => {
    const [one, two] = await made('deleted', 3)
    const words = ['redemption', 'delete', String(one.id), '999999', '888888']
    expect(await world().run(words.slice(0, 3))).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining('--yes'),
    })
    const { stderr, exitCode } = await world().run([...words, '--yes'])
    expect([exitCode, stderr.split('\n').length]).toEqual([3, 2])
    expect(await total('deleted')).toBe(3)
    expect(await world().run(['redemption', 'delete', '--name', 'deleted'])).toMatchObject({ exitCode: 2 })
    const both = await world().json('redemption', 'delete', String(one.id), String(two.id), '--yes')
    expect(both).toEqual({ deleted: [one.id, two.id] })
    expect(await world().json('redemption', 'delete', '--name', 'deleted', '--yes')).toEqual({
      name: 'deleted',
      count: 1,
    })
    expect(await world().run(['redemption', 'delete', '--yes'])).toMatchObject({ exitCode: 2 })
    expect(await total('deleted')).toBe(0)
  })

  test('export writes lines, CSV or JSON, by file extension or --format', async () => {
    const rows = await made('=exported', 3)
    await redeem(rows[1].key)
    const run = (...flags: string[]) => world().run(['redemption', 'export', '--name', '=exported', ...flags])
    expect((await run()).stdout).toBe(`${rows[0].key}\n${rows[2].key}`)
    expect((await run('--status', 'all')).stdout.split('\n')).toEqual(rows.map(({ key }: { key: string }) => key))
    expect(await run('--output', 'e.csv')).toMatchObject({ exitCode: 0, stderr: 'Wrote 2 codes to e.csv.', stdout: '' })
    const [titles, line] = readFileSync(fileIn('e.csv'), 'utf8').split('\n')
    expect(titles).toBe('id,name,code,status,quota,created,redeemed,by user')
    expect(line).toMatch(new RegExp(`^${rows[0].id},'=exported,${rows[0].key},unused,500,[^,]+Z,-,-$`))
    expect(statSync(fileIn('e.csv')).mode & 0o777).toBe(0o600)
    expect(JSON.parse((await run('--format', 'json', '--status', 'used')).stdout)).toMatchObject([{ id: rows[1].id }])
    expect((await run('--output', 'e.csv')).exitCode).toBe(5)
    expect((await run('--status', 'new')).stderr).toContain('all, unused, disabled, used')
    expect(await run('--search', 'nothing')).toEqual({ exitCode: 0, stdout: '', stderr: 'No matching codes.' })
  })

  test('a common user can run none of these commands', async () => {
    if (kind === 'database') return
    const token = await world().inside(async ({ accounts, accessTokens }, root) =>
      accessTokens.create(await accounts.create(root, { username: 'mallory', password: 'correct horse' })),
    )
    const env = { ...world().env, TOLLGATE_TOKEN: token }
    for (const words of [['create'], ['list'], ['get', '1'], ['delete', '1', '--yes'], ['export']]) {
      expect(await world().run(['redemption', ...words], { env })).toMatchObject({ exitCode: 4, stdout: '' })
    }
  })
})
