import { chmod, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { shared } from '../../support/lifetime.ts'
import { BACKINGS, openBacking } from '../backings.ts'

describe.each(BACKINGS)('option, on a %s', (kind) => {
  const world = shared(() => openBacking(kind))
  const read = async (key: string): Promise<string> => (await world().json('option', 'get', key)).value

  /** Runs `option edit` with an editor that is this shell script; `$1` is the file. */
  async function edit(script: string, words: string[]) {
    const editor = join(world().folder, `editor-${Math.random()}.sh`)
    await writeFile(editor, `#!/bin/sh\n${script}\n`)
    await chmod(editor, 0o700)
    return world().run(['option', 'edit', ...words], { env: { ...world().env, EDITOR: editor } })
  }

  test('set stores and confirms a value, get prints it alone, and setting it again changes nothing', async () => {
    const { run, json } = world()
    expect(await run(['option', 'set', 'RetryTimes', '3'])).toEqual({
      stdout: '',
      stderr: 'Set RetryTimes to 3',
      exitCode: 0,
    })
    expect((await run(['option', 'get', 'RetryTimes'])).stdout).toBe('3')
    expect(await json('option', 'get', 'RetryTimes')).toEqual({ key: 'RetryTimes', value: '3' })
    expect((await run(['option', 'set', 'RetryTimes', '3'])).stderr).toBe('Nothing changed: RetryTimes is already 3.')
  })

  test('set reads a value from stdin or a file, but not both', async () => {
    const { run, folder } = world()
    await run(['option', 'set', 'Notice', '-'], { input: '# Hello\n\nworld\n' })
    expect(await read('Notice')).toBe('# Hello\n\nworld')
    await writeFile(join(folder, 'about.md'), 'About us\n')
    await run(['option', 'set', 'About', '--file', 'about.md'])
    expect(await read('About')).toBe('About us')
    expect((await run(['option', 'set', 'About', 'x', '--file', 'about.md'])).exitCode).toBe(2)
    expect((await run(['option', 'set', 'About'])).exitCode).toBe(2)
    expect((await run(['option', 'set', 'About', '--file', 'missing.md'])).exitCode).toBe(1)
    expect(await read('About')).toBe('About us')
  })

  test('a secret is written and never shown', async () => {
    const { run } = world()
    const { stdout, stderr } = await run(['option', 'set', 'SMTPToken', '-', '--json'], { input: 'hidden-word' })
    expect(JSON.parse(stdout)).toEqual({ key: 'SMTPToken' })
    expect(stderr).toBe('')
    const { exitCode, stderr: refusal } = await run(['option', 'get', 'SMTPToken'])
    expect({ exitCode, refusal }).toEqual({
      exitCode: 4,
      refusal: 'error: SMTPToken is a secret: it can be set, but is never shown',
    })
    expect((await run(['option', 'list'])).stdout).not.toMatch(/SMTPToken|hidden-word/)
    expect((await run(['option', 'edit', 'mail', '--print'])).stdout).not.toContain('hidden-word')
  })

  test.each([
    ['NoSuchOption', '1', 'unknown option NoSuchOption'],
    ['RetryTimes', '1.5', 'RetryTimes'],
    ['QuotaForNewUser', '1e30', 'QuotaForNewUser'],
    ['ModelRatio', '{"gpt-4o":-1}', 'ModelRatio'],
    ['GitHubOAuthEnabled', 'true', 'GitHubClientId'],
  ])('set rejects %s %s by name', async (key, value, named) => {
    const { exitCode, stderr } = await world().run(['option', 'set', key, value])
    expect(exitCode).toBe(2)
    expect(stderr).toContain(named)
  })

  test('list shows areas, labels and non-default values; areas counts them', async () => {
    const { run, json } = world()
    const rows = await json('option', 'list', '--area', 'quota')
    expect(rows.map(({ key }: { key: string }) => key)).toContain('QuotaForNewUser')
    expect(rows[0]).toMatchObject({ value: '0', default: '0', type: 'integer', area: 'quota', changed: false })
    await run(['option', 'set', 'ChannelDisableThreshold', '9'])
    const changed = await json('option', 'list', '--changed', '--search', 'threshold')
    expect(changed).toMatchObject([{ key: 'ChannelDisableThreshold', value: '9', default: '5', changed: true }])
    const areas = await json('option', 'areas')
    expect(areas).toContainEqual({ area: 'mail', options: 6, changed: 0, secrets: 1 })
    expect((await run(['option', 'list', '--area', 'nowhere'])).exitCode).toBe(2)
  })

  test('reset restores defaults, all or none, after confirmation', async () => {
    const { run } = world()
    await run(['option', 'set', 'PreConsumedQuota', '7'])
    expect((await run(['option', 'reset', 'PreConsumedQuota'])).exitCode).toBe(2)
    expect((await run(['option', 'reset', 'PreConsumedQuota', 'Nonsense', '--yes'])).exitCode).toBe(2)
    expect(await read('PreConsumedQuota')).toBe('7')
    const { stderr } = await run(['option', 'reset', 'PreConsumedQuota', 'MinTopUp', '--yes'])
    expect(stderr).toBe('Reset to the default: PreConsumedQuota.')
    expect(await read('PreConsumedQuota')).toBe('500')
    expect((await run(['option', 'reset', 'MinTopUp', '--yes'])).stderr).toMatch(/^Nothing changed/)
    // The value of a new database is not the default.
    await run(['option', 'set', 'RetryTimes', '2'])
    expect((await run(['option', 'reset', 'RetryTimes', '--yes'])).stderr).toMatch(/^Reset to the default: RetryTimes/)
    await run(['option', 'set', 'ModelRatio', '{"mine":1}'])
    await run(['option', 'reset-ratios', '--yes'])
    expect(JSON.parse(await read('ModelRatio'))).toHaveProperty('gpt-4o')
  })

  test('edit shows and stores the changes, prerequisites first', async () => {
    const script = `sed -i -e 's/^GitHubOAuthEnabled: .*/GitHubOAuthEnabled: true/' -e 's/^GitHubClientId: .*/GitHubClientId: id/' \\
      -e 's/^GitHubClientSecret: .*/GitHubClientSecret: hush/' "$1"`
    const { stderr, stdout, exitCode } = await edit(script, ['login', '--yes'])
    expect({ stdout, exitCode }).toEqual({ stdout: '', exitCode: 0 })
    expect(stderr.split('\n')).toEqual([
      'GitHubOAuthEnabled: false → true',
      'GitHubClientId: "" → id',
      'GitHubClientSecret: new secret',
      'Saved: GitHubOAuthEnabled, GitHubClientId, GitHubClientSecret',
    ])
    expect(await read('GitHubOAuthEnabled')).toBe('true')
  })

  test('edit changes single entries of a table, and nothing without confirmation', async () => {
    await world().run(['option', 'set', 'GroupRatio', '{"default":1,"vip":0.5}'])
    const script = `sed -i -e 's/vip: 0.5/vip: 0.7/' "$1"`
    expect((await edit(script, ['GroupRatio'])).exitCode).toBe(2)
    expect(await read('GroupRatio')).toBe('{"default":1,"vip":0.5}')
    const { stderr } = await edit(script, ['GroupRatio', '--yes'])
    expect(stderr).toBe('GroupRatio[vip]: 0.5 → 0.7\nSaved: GroupRatio')
    expect(await read('GroupRatio')).toBe('{"default":1,"vip":0.7}')
  })

  test('edit without changes says so, and leaves no file', async () => {
    const before = await readdir(world().folder)
    expect((await edit('true', ['quota'])).stderr).toBe('Nothing changed.')
    const after = (await readdir(world().folder)).filter((name) => !name.startsWith('editor-'))
    expect(after).toEqual(before.filter((name) => !name.startsWith('editor-')))
    expect((await edit('exit 3', ['quota'])).exitCode).toBe(1)
    expect((await edit('true', ['nonsense'])).exitCode).toBe(2)
    expect((await world().run(['option', 'edit', 'quota'])).exitCode).toBe(2)
  })

  test.each([
    ['is no YAML', 'echo "QuotaForNewUser: [" > "$1"', /cannot read/],
    ['has another option', 'echo "Bogus: 1" > "$1"', /Bogus/],
    ['has a bad value', 'echo "QuotaForNewUser: -5" > "$1"', /QuotaForNewUser/],
  ])('edit keeps a text that %s, and saves nothing', async (_, script, reason) => {
    const { stderr, exitCode } = await edit(script, ['quota', '--yes'])
    expect(exitCode).toBe(2)
    expect(stderr).toMatch(reason)
    const [, file = ''] = /Your text is in (\S+)/.exec(stderr) ?? []
    expect(await readFile(file, 'utf8')).not.toBe('')
    expect(await read('QuotaForNewUser')).toBe('0')
  })

  test('edit is rejected if another user changed the option meanwhile', async () => {
    const { run, folder } = world()
    await run(['option', 'set', 'QuotaForInviter', '1'])
    const [begun, go] = [join(folder, `begun-${kind}`), join(folder, `go-${kind}`)]
    const slow = edit(`touch ${begun}; while [ ! -e ${go} ]; do sleep 0.05; done; echo "QuotaForInviter: 2" > "$1"`, [
      'QuotaForInviter',
      '--yes',
    ])
    await expect
      .poll(
        () =>
          readFile(begun).then(
            () => true,
            () => false,
          ),
        { timeout: 10_000 },
      )
      .toBe(true)
    await run(['option', 'set', 'QuotaForInviter', '3'])
    await writeFile(go, '')
    const { exitCode, stderr } = await slow
    expect(exitCode).toBe(5)
    expect(stderr).toContain('another user has changed QuotaForInviter meanwhile')
    expect(await read('QuotaForInviter')).toBe('3')
  })

  test('edit accepts its own output', async () => {
    const { run } = world()
    const { stdout } = await run(['option', 'edit', 'display', '--print', '--format', 'json'])
    const input = stdout.replace('"DrawingEnabled": true', '"DrawingEnabled": false')
    const words = ['option', 'edit', 'display', '--from', '-', '--format', 'json', '--yes', '--json']
    expect(JSON.parse((await run(words, { input })).stdout)).toEqual([{ key: 'DrawingEnabled', value: 'false' }])
  })
})
