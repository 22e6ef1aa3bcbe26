import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { chmod, mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { execa } from 'execa'
import { describe, expect, test } from 'vitest'
import { SCRIPTS } from '../../cli/completion/scripts.ts'
import { NOUNS } from '../../cli/nouns.ts'
import { BACKINGS, openBacking } from './backings.ts'
import { type Chapter, readCommandLine } from './reference/command-line.ts'
import { BIN, createFolder, environmentIn, runHere } from './support.ts'

async function candidates(words: string[], prepare?: (folder: string) => Promise<unknown>): Promise<string[]> {
  const folder = await createFolder()
  await prepare?.(folder)
  const { stdout, stderr, exitCode } = await runHere(['__complete', ...words], { env: environmentIn(folder), folder })
  expect({ stderr, exitCode }).toEqual({ stderr: '', exitCode: 0 })
  return stdout.split('\n').map((line) => line.split('\t')[0] ?? '')
}

describe('completion candidates', () => {
  test.each([
    [['t'], ['token', 'task', 'team']],
    [['token', 'en'], ['enable']],
    [
      ['token', 'list', '--se'],
      ['--search', '--server'],
    ],
    [
      ['task', 'list', '--kind', ''],
      ['drawing', 'music'],
    ],
    [['task', 'list', '--kind=m'], ['--kind=music']],
    [['task', 'list', '--kind', '=', 'm'], ['music']],
    [
      ['task', 'list', '--kind', '='],
      ['drawing', 'music'],
    ],
    [
      ['completion', ''],
      ['bash', 'zsh', 'fish'],
    ],
    [
      ['--language', ''],
      ['en', 'zh'],
    ],
    [['--json', 'comp'], ['completion']],
    [['channel', 'add', '--type', 'anth'], ['anthropic']],
    [['option', 'get', 'QuotaPer'], ['QuotaPerUnit']],
    [
      ['help', 'completion', ''],
      ['bash', 'zsh', 'fish'],
    ],
    [['token', 'create', ''], ['']],
    [['channel', 'test', ''], ['']],
    [['token', 'list', '--columns', 'id,na'], ['id,name']],
    [
      ['log', 'list', '--sort', '-co'],
      ['-cost', '-computed-from'],
    ],
    [['channel', 'list', '--type', 'anth'], ['anthropic']],
    [
      ['log', 'list', '--type', ''],
      ['top-up', 'consumption', 'admin', 'system', 'error'],
    ],
    [['log', 'list', '--type=co'], ['--type=consumption']],
    [
      ['user', 'list', '--status', ''],
      ['enabled', 'disabled', 'deleted'],
    ],
    [['user', 'create', 'eve', '--role', 'a'], ['admin']],
    [['channel', 'list', '--status', 'a'], ['auto-disabled']],
    [['channel', 'add', '--group', ''], ['default']],
    [['redemption', 'export', '--status', 'a'], ['all']],
    [['option', 'list', '--area', 'quo'], ['quota']],
    [['option', 'reset', 'QuotaPer'], ['QuotaPerUnit']],
    [['token', 'list', '--output', ''], [':files']],
    [['db', 'backup', ''], [':files']],
    [['--config', ''], [':files']],
    [['no-such-thing', 'x'], ['']],
  ])('%j', async (words, expected) => {
    expect((await candidates(words)).sort()).toEqual([...expected].sort())
  })

  test('are every noun, then every verb, with descriptions', async () => {
    expect(await candidates([''])).toEqual(NOUNS.map(({ name }) => name))
    const folder = await createFolder()
    const env = { ...environmentIn(folder), LANG: 'zh_CN.UTF-8' }
    expect((await runHere(['__complete', 'ser'], { env, folder })).stdout).toBe('serve\t运行网关：API 与网页控制台')
  })

  test('are the columns of each list', async () => {
    const chapters = ({ below, ...chapter }: Chapter): Chapter[] => [{ ...chapter, below }, ...below.flatMap(chapters)]
    const lists = chapters(await readCommandLine()).filter(({ page }) =>
      page.sections.some(({ items }) => items.some(({ term }) => term.includes('--columns'))),
    )
    expect(lists.length).toBeGreaterThan(30)
    for (const { page } of lists) {
      const [, ...words] = page.words.split(' ')
      expect([page.words, await candidates([...words, '--columns', ''])]).not.toEqual([page.words, ['']])
    }
  })

  test('include signed-in profiles, and the local database', async () => {
    const profile = { server: 'https://gateway.example', username: 'root', userId: 1, role: 100, token: 'x' }
    const prepare = async (folder: string) => {
      await mkdir(join(folder, '.config', 'tollgate'), { recursive: true })
      await writeFile(
        join(folder, '.config', 'tollgate', 'profiles.json'),
        JSON.stringify({ current: 'work', profiles: { work: profile } }),
      )
    }
    expect(await candidates(['--profile', ''], prepare)).toEqual(['work', 'local'])
  })
})

describe('ids and names of a gateway', () => {
  test.each(BACKINGS)('are offered after one read: %s', async (kind) => {
    const world = await openBacking(kind)
    await world.inside(async (toolkit, root) => {
      await toolkit.channels.create(root, { name: 'main', type: 1, key: 'sk-a', models: 'gpt-4o,o3' })
      await toolkit.tokens.create(root, { name: 'app', remain_quota: 1 })
      await toolkit.accounts.create(root, { username: 'ann', password: 'a-password' })
    })
    const offered = async (...words: string[]) => (await world.run(['__complete', ...words])).stdout.split('\n')
    expect(await offered('token', 'get', '')).toEqual([''])
    await world.run(['__names'])

    expect(await offered('token', 'get', '')).toEqual(['1\tapp'])
    expect(await offered('channel', 'tag', 'set', 'spare', '')).toEqual(['1\tmain'])
    expect(await offered('channel', 'disable', '1', '')).toEqual([''])
    expect(await offered('user', 'get', 'a')).toEqual(['ann'])
    expect(await offered('token', 'create', 'new', '--models', 'gpt-4o,')).toContain('gpt-4o,o3')
    expect(await offered('channel', 'list', '--group=d')).toEqual(['--group=default'])
  })

  test('are empty if unreadable, and no database is created', async () => {
    const folder = await createFolder()
    const io = { env: environmentIn(folder), folder }
    expect(await runHere(['__names'], io)).toMatchObject({ exitCode: 0, stderr: '' })
    expect(await runHere(['__complete', 'token', 'get', ''], io)).toMatchObject({ stdout: '', exitCode: 0 })
    expect(existsSync(join(folder, 'data'))).toBe(false)
  })
})

/** A folder whose `bin` has the program by its name. */
async function withProgram() {
  const folder = await createFolder()
  await mkdir(join(folder, 'bin'))
  const program = join(folder, 'bin', 'tollgate')
  await writeFile(program, `#!/bin/sh\nexec '${process.execPath}' '${BIN}' "$@"\n`)
  await chmod(program, 0o755)
  const env = environmentIn(folder)
  return { cwd: folder, env: { ...env, PATH: `${join(folder, 'bin')}:${env.PATH}` }, extendEnv: false } as const
}

function has(shell: string): boolean {
  try {
    execFileSync(shell, ['-c', 'true'])
    return true
  } catch {
    return false
  }
}

describe('a Tab', () => {
  test('in bash is handled by the printed script', async () => {
    const press = `
      source <(tollgate completion bash)
      press() { COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _tollgate; echo "\${COMPREPLY[*]}"; }
      press tollgate tok
      press tollgate task list --kind ''
      press tollgate task list --kind = m
      press tollgate channel test ''
      complete -p tollgate`
    const { stdout } = await execa('bash', ['-c', press], await withProgram())
    expect(stdout.split('\n')).toEqual(['token', 'drawing music', 'music', '', 'complete -F _tollgate tollgate'])
  })

  test.skipIf(!has('zsh'))('in zsh is handled by the script; skipped without zsh', async () => {
    const press = `
      compdef() { echo "compdef $*"; }
      _describe() { print -l -- \${(P)4}; }
      _files() { echo files; }
      source <(tollgate completion zsh)
      words=(tollgate task list --kind ''); CURRENT=5; _tollgate
      words=(tollgate tok); CURRENT=2; _tollgate
      words=(tollgate token create ''); CURRENT=4; _tollgate
      words=(tollgate db backup ''); CURRENT=4; _tollgate`
    const { stdout } = await execa('zsh', ['-f', '-c', press], await withProgram())
    expect(stdout.split('\n')).toEqual([
      'compdef _tollgate tollgate',
      'drawing:',
      'music:',
      'token:API keys (tokens) for programs that call the gateway',
      'files',
    ])
  })

  test.skipIf(!has('fish'))('in fish is handled by the script; skipped without fish', async () => {
    const press = `
      tollgate completion fish | source
      complete -C 'tollgate task list --kind '
      complete -C 'tollgate tok'`
    const { stdout } = await execa('fish', ['--no-config', '-c', press], await withProgram())
    expect(stdout.split('\n')).toEqual([
      'drawing',
      'music',
      'token\tAPI keys (tokens) for programs that call the gateway',
    ])
  })

  test('supports the three shells, and no other', async () => {
    const folder = await createFolder()
    const io = { env: environmentIn(folder), folder }
    expect((await runHere(['completion', 'fish'], io)).stdout).toBe(SCRIPTS.fish.trimEnd())
    expect(JSON.parse((await runHere(['completion', 'zsh', '--json'], io)).stdout)).toEqual({
      shell: 'zsh',
      script: SCRIPTS.zsh,
    })
    expect((await runHere(['completion', 'tcsh'], io)).exitCode).toBe(2)
  })
})
