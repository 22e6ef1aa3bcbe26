import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { parseSettings } from '../../../core/channels/settings/settings.ts'
import { CHANNEL_TYPES } from '../../../core/channels/types/types.ts'
import { shared } from '../../support/lifetime.ts'
import { BACKINGS, openBacking } from '../backings.ts'
import { interrupted } from '../interrupted.ts'
import { CHANNEL } from '../support.ts'

describe.each(BACKINGS)('channel, on a %s', (kind) => {
  const world = shared(() => openBacking(kind))
  /** A channel that a test is not about. */
  const channel = (name: string, fields: object = {}) =>
    world().inside(({ channels }, root) => channels.create(root, { ...CHANNEL, name, ...fields }))
  /** The channels that have this key. */
  const keyed = (key: string) =>
    world().inside(async ({ channels }, root) => (await channels.search(root, { keyword: key })).map(({ id }) => id))
  const names = async (...flags: string[]): Promise<string[]> =>
    (await world().json('channel', 'list', '--all', ...flags)).items.map(({ name }: { name: string }) => name)

  test('add accepts every field and setting, and no output shows the key', async () => {
    const fields = {
      '--base-url': 'https://example.com/',
      '--models': 'gpt-4o, gpt-4o-mini',
      '--group': 'default,vip',
      '--priority': '-5',
      '--weight': '3',
      '--model-mapping': '{"gpt-4o":"deployment"}',
      '--status-code-mapping': '{"400":"500"}',
      '--other': 'x',
      '--tag': 'whole',
      '--test-model': 'gpt-4o-mini',
      '--organization': 'org-1',
      '--auto-ban': 'off',
      '--status': 'disabled',
      '--proxy': 'http://me:hidden@127.0.0.1:9',
      '--param-override': '{"temperature":0}',
      '--header-override': '{"x-team":"hidden"}',
      '--system-prompt': 'be brief',
      '--force-format': 'on',
      '--dialects': 'openai-chat, gemini',
    }
    const key = 'sk-secret-key'
    const words = ['add', '--name', 'whole', '--type', 'openai', '--key', key, ...Object.entries(fields).flat()]
    const created = await world().json('channel', ...words)
    expect(created).toMatchObject({
      name: 'whole',
      type: 1,
      key: '',
      base_url: 'https://example.com',
      models: 'gpt-4o,gpt-4o-mini',
      group: 'default,vip',
      priority: -5,
      weight: 3,
      model_mapping: '{"gpt-4o":"deployment"}',
      status_code_mapping: '{"400":"500"}',
      other: 'x',
      tag: 'whole',
      test_model: 'gpt-4o-mini',
      openai_organization: 'org-1',
      auto_ban: 0,
      status: 2,
    })
    expect(JSON.parse(created.setting)).toEqual({
      proxy: 'http://me:hidden@127.0.0.1:9',
      param_override: { temperature: 0 },
      header_override: { 'x-team': 'hidden' },
      system_prompt: 'be brief',
      force_format: true,
      dialects: ['openai-chat', 'gemini'],
    })
    const { stdout } = await world().run(['channel', 'get', String(created.id)])
    expect(stdout).toMatch(/^base url +https:\/\/example.com$/m)
    expect(stdout).toContain('"proxy":"http://***@127.0.0.1:9"')
    expect(stdout).not.toMatch(/hidden|sk-secret/)
    expect(await keyed(key)).toEqual([created.id])
  })

  test('a key can come from stdin, be an account document, or be one of several', async () => {
    const add = async (input: string, ...words: string[]) => {
      const { stdout } = await world().run(['channel', 'add', ...words, '--key-stdin', '--json'], { input })
      return JSON.parse(stdout)
    }
    const usual = await add('sk-from-stdin\n', '--name', 'stdin', '--type', '1')
    expect(usual.models.split(',')).toContain('gpt-4o-mini')
    expect(await keyed('sk-from-stdin')).toEqual([usual.id])

    const account = JSON.stringify({ type: 'service_account', project_id: 'p' }, null, 2)
    const vertex = await add(`${account}\n`, '--name', 'vertex', '--type', 'vertex', '--other', 'us-central1')
    expect(await keyed(account)).toEqual([vertex.id])

    const words = ['--name', 'pool', '--type', 'openai', '--multi-key', 'polling']
    const pool = await add('sk-first-key\nsk-second-key\n', ...words)
    expect(pool.multi_key).toEqual({ mode: 'polling', keys: 2, set_aside: [] })
  })

  test.each([
    [['--key', 'k'], /--name <text>, --type <type>/],
    [['--name', 'bad', '--type', 'nonsense', '--key', 'k'], /channel type nonsense/],
    [['--name', 'bad', '--type', 'openai'], /--key-stdin/],
    [['--name', 'bad', '--type', 'openai', '--key', ''], /key/],
    [['--name', 'bad', '--type', 'azure', '--key', 'k'], /--base-url/],
    [['--name', 'bad', '--type', 'openai', '--key', 'k', '--base-url', 'ftp://x'], /--base-url/],
    [['--name', 'bad', '--type', 'openai', '--key', 'k', '--priority', '1e9'], /--priority/],
    [['--name', 'bad', '--type', 'openai', '--key', 'k', '--multi-key', 'fastest'], /--multi-key/],
    [['--name', 'bad', '--type', 'openai', '--key', 'k', '--model-mapping', '{'], /--model-mapping/],
    [
      ['--name', 'bad', '--type', 'openai', '--key', 'k', '--param-override', '{'],
      /--param-override must be valid JSON/,
    ],
    [['--name', 'bad', '--type', 'openai', '--key', 'k', '--proxy', 'ftp://a:b@c'], /setting.proxy/],
    [['--name', 'bad', '--type', 'openai', '--key', 'k', '--models', ''], /models/],
    [['--name', 'bad', '--type', 'openai', '--key', 'k', '--keep-going'], /--from or --batch/],
  ])('add rejects %j with the name of the flag, and adds nothing', async (flags, named) => {
    const { stderr, stdout, exitCode } = await world().run(['channel', 'add', ...flags])
    expect({ stdout, exitCode }).toEqual({ stdout: '', exitCode: 2 })
    expect(stderr).toMatch(named)
    expect(await names('--search', 'bad')).toEqual([])
  })

  test('add rejects a second channel of the same name as a conflict', async () => {
    await channel('taken')
    const words = ['channel', 'add', '--name', 'taken', '--type', 'openai', '--key', 'k']
    expect(await world().run(words)).toMatchObject({ exitCode: 5, stderr: expect.stringContaining('named taken') })
  })

  test('add --batch creates a channel per key; a duplicate key rejects all, or with --keep-going only itself', async () => {
    const words = ['channel', 'add', '--name', 'many', '--type', 'openai', '--models', 'a,b', '--batch', '-']
    const input = 'sk-many-one\n\nsk-many-two\nsk-many-one\n'
    const refused = await world().run(words, { input })
    expect(refused).toMatchObject({ stdout: '', exitCode: 2 })
    expect(refused.stderr).toContain('line 4: duplicate of the key in line 1\n')
    expect(await names('--search', 'many')).toEqual([])

    expect(await world().run([...words, '--keep-going'], { input })).toMatchObject({
      exitCode: 1,
      stderr: 'line 4: duplicate of the key in line 1\nAdded 2 channels.',
    })
    const { items } = await world().json('channel', 'list', '--search', 'many', '--order', 'id')
    expect(items).toMatchObject([
      { name: 'many-2', models: 'a,b' },
      { name: 'many-1', models: 'a,b' },
    ])
    expect(await keyed('sk-many-two')).toEqual([items[0].id])
  })

  test.each([
    [
      'json',
      '[\n  {"name":"N-1","key":"k1","models":["a","b"],"setting":{"force_format":true}},\n  {"name":"N-2","key":"k2","models":"c"}]',
    ],
    [
      'jsonl',
      '{"name":"N-1","key":"k1","models":["a","b"],"setting":{"force_format":true}}\n\n{"name":"N-2","key":"k2","models":"c"}\n',
    ],
    [
      'yaml',
      '- name: N-1\n  key: k1\n  models: [a, b]\n  setting: {force_format: true}\n- {name: N-2, key: k2, models: c}\n',
    ],
    ['csv', 'name,key,models,setting\nN-1,k1,"a,b","{""force_format"":true}"\nN-2,k2,c,\n'],
  ])('add --from reads %s, by name or by prefix; flags supply the missing fields', async (format, text) => {
    const flags = ['--type', 'openai', '--tag', format, '--proxy', 'http://127.0.0.1:9']
    const expected = (name: string) => ({
      refused: [],
      created: [
        { name: `${name}-1`, models: 'a,b', setting: '{"force_format":true}', tag: format, type: 1 },
        { name: `${name}-2`, models: 'c', setting: '{"proxy":"http://127.0.0.1:9"}', tag: format },
      ],
    })
    writeFileSync(join(world().folder, `list.${format}`), text.replaceAll('N-', `file-${format}-`))
    expect(await world().json('channel', 'add', '--from', `list.${format}`, ...flags)).toMatchObject(
      expected(`file-${format}`),
    )
    const input = text.replaceAll('N-', `pipe-${format}-`)
    const { stdout } = await world().run(['channel', 'add', '--from', '-', '--json', ...flags], { input })
    expect(JSON.parse(stdout)).toMatchObject(expected(`pipe-${format}`))
  })

  test('add --from reports every bad line before it writes the first', async () => {
    await channel('line-taken')
    const lines = [
      { name: 'line-good', type: 'openai', key: 'k', models: 'a' },
      { name: 'line-taken', type: 1, key: 'k', models: 'a' },
      { name: 'line-field', type: 1, key: 'k', keys: 'k' },
      { name: 'line-type', type: 'no-such-type', key: 'k' },
      { name: 'line-key', type: 1 },
      { name: 'line-weight', type: 1, key: 'k', weight: -1 },
      { name: 'line-number', type: 1, key: 7 },
      { name: 'line-good', type: 1, key: 'k2', models: 'a' },
      { name: `line-${'x'.repeat(300)}`, type: 1, key: 'k' },
    ]
    const text = `${lines.map((line) => JSON.stringify(line)).join('\n')}\nnonsense\n7`
    writeFileSync(join(world().folder, 'bad.jsonl'), text)
    const refused = await world().run(['channel', 'add', '--from', 'bad.jsonl'])
    expect(refused).toMatchObject({ stdout: '', exitCode: 2 })
    const reportedLines = refused.stderr.split('\n').map((line) => /^line (\d+): /.exec(line)?.[1])
    expect(reportedLines).toEqual(['2', '3', '4', '5', '6', '7', '8', '9', '10', '11', undefined])
    expect(refused.stderr).toContain('10 of 11 entries are invalid; nothing was added')
    expect(await names('--search', 'line-')).toEqual(['line-taken'])

    const kept = await world().run(['channel', 'add', '--from', 'bad.jsonl', '--keep-going', '--json'])
    expect(kept.exitCode).toBe(1)
    const { created, refused: why } = JSON.parse(kept.stdout)
    expect(created).toMatchObject([{ name: 'line-good' }])
    expect(why.map(({ code }: { code: string }) => code)).toEqual([
      'CHANNEL_NAME_TAKEN',
      'USAGE',
      'CHANNEL_TYPE_UNKNOWN',
      'CHANNEL_KEY_MISSING',
      'FIELD_RANGE',
      'USAGE',
      'CHANNEL_NAME_TAKEN',
      'FIELD_LENGTH',
      'USAGE',
      'USAGE',
    ])
  })

  test('Ctrl-C during validation of lines stops before any write', async () => {
    const lines = Array.from({ length: 1000 }, (_, at) => JSON.stringify({ name: `cut-${at}`, key: `k${at}` }))
    const before = process.listenerCount('SIGINT')
    const words = ['channel', 'add', '--from', '-', '--type', 'openai']
    const adding = interrupted(world(), words, { input: lines.join('\n') })
    await expect.poll(() => process.listenerCount('SIGINT'), { interval: 1 }).toBeGreaterThan(before)
    expect(await adding.interrupt()).toEqual({
      exitCode: 130,
      stdout: '',
      stderr: 'error: interrupted: nothing was added',
    })
    expect(await names('--search', 'cut-')).toEqual([])
  })

  test.each([
    ['{"a":1}', 'json', /must contain a list/],
    ['- a: [', 'yaml', /line 1/],
    ['a\n"b', 'csv', /line 2: unclosed quote/],
    ['', 'csv', /stdin is empty/],
  ])('add --from rejects %j as %s', async (input, format, named) => {
    const words = ['channel', 'add', '--from', '-', '--format', format]
    const { stderr, exitCode } = await world().run(words, { input: `${input}\n` })
    expect({ exitCode, stderr }).toEqual({ exitCode: 2, stderr: expect.stringMatching(named) })
  })

  test('list applies every filter, in either order, and accepts type names', async () => {
    await channel('filter-a', { tag: 'filter', priority: 7, group: 'vip' })
    await channel('filter-b', { models: 'only-here', type: 14 })
    expect((await world().run(['channel', 'disable', '1'])).exitCode).toBe(0)
    expect(await names('--search', 'filter')).toEqual(['filter-a', 'filter-b'])
    expect(await names('--search', 'filter', '--order', 'id')).toEqual(['filter-b', 'filter-a'])
    expect(await names('--tag', 'filter')).toEqual(['filter-a'])
    expect(await names('--model', 'only-here')).toEqual(['filter-b'])
    expect(await names('--search', 'filter', '--type', 'anthropic')).toEqual(['filter-b'])
    expect(await names('--group', 'vip', '--search', 'filter')).toEqual(['filter-a'])
    expect(await names('--status', 'disabled')).toContain('whole')
    const { stdout } = await world().run(['channel', 'list', '--search', 'filter', '--columns', 'name,type,tag'])
    expect(stdout).toBe('NAME      TYPE       TAG\nfilter-a  openai     filter\nfilter-b  anthropic  -')
    expect(await world().run(['channel', 'list', '--status', 'broken'])).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining('enabled, disabled, auto-disabled'),
    })
    expect((await world().run(['channel', 'list', '--type', 'no-such-type'])).exitCode).toBe(2)
  })

  test('update writes the given fields, merges settings, and clears a field given an empty text', async () => {
    const { id } = await channel('change', { other: 'x', tag: 't', setting: '{"proxy":"http://127.0.0.1:9","mine":1}' })
    const update = (...flags: string[]) => world().json('channel', 'update', String(id), ...flags)
    expect(await update('--name', 'changed', '--priority', '9', '--force-format', 'on')).toMatchObject({
      name: 'changed',
      priority: 9,
      other: 'x',
      setting: '{"proxy":"http://127.0.0.1:9","mine":1,"force_format":true}',
    })
    expect(await update('--other', '', '--tag', '', '--proxy', '', '--force-format', 'off')).toMatchObject({
      other: '',
      tag: null,
      setting: '{"mine":1}',
    })
    expect((await update('--setting', '')).setting).toBe('')
    await world().run(['channel', 'update', String(id), '--key-stdin'], { input: 'sk-another\n' })
    expect(await keyed('sk-another')).toEqual([id])
    for (const flags of [[], ['--models', ''], ['--type', 'no-such-type'], ['--key', ''], ['--weight', '-1']]) {
      expect((await world().run(['channel', 'update', String(id), ...flags])).exitCode).toBe(2)
    }
    expect(await world().json('channel', 'get', String(id))).toMatchObject({ models: CHANNEL.models, type: 1 })
  })

  test('every on/off flag has its effect in the settings that the relay reads, also off where the default is on', async () => {
    const { id } = await channel('switches')
    const update = (...flags: string[]) => world().json('channel', 'update', String(id), ...flags)
    const flags = {
      '--system-prompt-override': 'systemPromptOverride',
      '--force-format': 'forceFormat',
      '--thinking-to-content': 'thinkingToContent',
      '--pass-through-body': 'passThroughBody',
      '--allow-service-tier': 'allowServiceTier',
      '--azure-keep-dots': 'azureKeepDots',
      '--allow-google-files': 'allowGoogleFiles',
      '--shared-objects': 'sharedObjects',
      '--store-responses': 'storeResponses',
    } as const
    for (const [flag, name] of Object.entries(flags)) {
      for (const value of ['off', 'off', 'on', 'off', 'on']) {
        const { setting } = await update(flag, value)
        expect([flag, parseSettings(setting)[name]]).toEqual([flag, value === 'on'])
      }
    }
    expect([(await update('--auto-ban', 'off')).auto_ban, (await update('--auto-ban', 'on')).auto_ban]).toEqual([0, 1])
    const words = ['--name', 'unstored', '--type', 'openai', '--key', 'sk-unstored', '--store-responses', 'off']
    expect((await world().json('channel', 'add', ...words)).setting).toBe('{"store_responses":false}')
  })

  test('--multi-key off turns a channel with several keys into one with the given key', async () => {
    const settings = { key: 'sk-pool-1\nsk-pool-2', setting: '{"multi_key_mode":"random"}' }
    const { id } = await channel('pooled', settings)
    const words = ['channel', 'update', String(id), '--multi-key', 'off']

    expect((await world().run(words)).exitCode).toBe(2)
    const updated = await world().json(...words, '--key', 'sk-only')

    expect(updated.setting).toBe('')
    expect(updated.multi_key).toBeUndefined()
    expect(await keyed('sk-only')).toEqual([id])
  })

  test('update changes several channels; an unknown id rejects all, except with --keep-going', async () => {
    const ids = [await channel('both-a'), await channel('both-b')].map(({ id }) => String(id))
    const words = ['channel', 'update', ...ids, '99999', '--weight', '4']
    const refused = await world().run(words)
    expect(refused).toMatchObject({ stdout: '', exitCode: 3 })
    expect((await world().json('channel', 'get', ids[0] ?? '')).weight).toBe(0)
    const kept = await world().run([...words, '--keep-going', '--json'])
    expect(kept.exitCode).toBe(3)
    expect(JSON.parse(kept.stdout)).toMatchObject([{ weight: 4 }, { weight: 4 }])
    expect((await world().run(['channel', 'update', ...ids, '--name', 'x'])).exitCode).toBe(2)

    const azure = ['--type', 'azure', '--base-url', 'https://azure.example']
    await world().json('channel', 'update', ids[1] ?? '', ...azure)
    expect((await world().run(['channel', 'update', ...ids, '--base-url', '', '--weight', '9'])).exitCode).toBe(2)
    expect((await world().json('channel', 'get', ids[0] ?? '')).weight).toBe(4)
  })

  test('copy keeps the key and all settings, and chooses an unused name', async () => {
    const { id } = await channel('source', { key: 'sk-source', tag: 'copied', setting: '{"force_format":true}' })
    await world().json('channel', 'disable', String(id))
    const copy = await world().json('channel', 'copy', String(id))
    expect(copy).toMatchObject({ name: 'source copy', tag: 'copied', setting: '{"force_format":true}', status: 2 })
    expect(await keyed('sk-source')).toEqual([copy.id, id])
    expect((await world().json('channel', 'copy', String(id))).name).toBe('source copy 2')
    expect(await world().run(['channel', 'copy', String(id), '--name', 'source'])).toMatchObject({ exitCode: 5 })
    expect((await world().run(['channel', 'copy', '99999'])).exitCode).toBe(3)
  })

  test('enable and disable change several channels, all or none; one channel prints its record', async () => {
    const ids = [await channel('turn-a'), await channel('turn-b')].map(({ id }) => String(id))
    expect((await world().run(['channel', 'disable', ...ids, '99999'])).exitCode).toBe(3)
    expect((await world().json('channel', 'get', ids[0] ?? '')).status).toBe(1)
    expect((await world().run(['channel', 'disable', ...ids])).stderr).toBe(
      `Disabled channel ${ids[0]}, turn-a.\nDisabled channel ${ids[1]}, turn-b.`,
    )
    const kept = await world().run(['channel', 'enable', ...ids, '99999', '--keep-going'])
    expect(kept).toMatchObject({ exitCode: 3, stderr: expect.stringContaining('channel does not exist: 99999') })
    expect(await world().json('channel', 'enable', ids[1] ?? '')).toMatchObject({ name: 'turn-b', status: 1 })
    const { events } = await world().json('channel', 'health', ids[0] ?? '')
    expect(events.map(({ event }: { event: string }) => event)).toEqual(['enabled', 'disabled'])
  })

  test('delete asks for confirmation, and deletes all or none', async () => {
    const ids = [await channel('gone-a'), await channel('gone-b')].map(({ id }) => String(id))
    expect((await world().run(['channel', 'delete', ...ids])).exitCode).toBe(2)
    expect((await world().run(['channel', 'delete', ...ids, '99999', '--yes'])).exitCode).toBe(3)
    expect(await names('--search', 'gone')).toHaveLength(2)
    expect(await world().run(['channel', 'delete', ...ids, '--yes'])).toMatchObject({
      exitCode: 0,
      stderr: 'Deleted gone-a, gone-b.',
    })
    expect(await names('--search', 'gone')).toEqual([])
  })

  test('tags shows the common values of a tag; tag changes all its channels, and rejects an unknown tag', async () => {
    const ids = [await channel('tag-a', { models: 'a' }), await channel('tag-b', { models: 'b' })].map(({ id }) => id)
    const tag = (...words: string[]) => world().json('channel', 'tag', ...words)
    expect(await tag('set', 'team', ...ids.map(String))).toEqual({ tag: 'team', ids })
    expect(await tag('edit', 'team', '--priority', '3', '--groups', 'vip', '--new-tag', 'crew')).toEqual({
      tag: 'crew',
      channels: 2,
    })
    expect(await tag('disable', 'crew')).toEqual({ tag: 'crew', channels: 2 })
    const rows = await world().json('channel', 'tags', '--search', 'tag-')
    expect(rows).toMatchObject([
      { tag: 'crew', channels: 2, enabled: 0, models: 'b,a', groups: 'vip', priority_max: 3 },
    ])
    expect((await world().run(['channel', 'tags', '--search', 'tag-', '--columns', 'tag,enabled,ids'])).stdout).toBe(
      `TAG   ENABLED  IDS\ncrew        0  ${ids.join(',')}`,
    )
    await tag('enable', 'crew')
    await tag('unset', String(ids[0]))
    expect(await world().json('channel', 'tags', '--search', 'tag-')).toMatchObject([{ channels: 1, enabled: 1 }])
    for (const words of [
      ['enable', 'no-such-tag'],
      ['disable', 'no-such-tag'],
      ['edit', 'no-such-tag', '--weight', '1'],
      ['enable', ''],
    ]) {
      expect((await world().run(['channel', 'tag', ...words])).exitCode).toBe(3)
    }
    for (const words of [
      ['edit', 'crew'],
      ['edit', 'crew', '--models', ''],
      ['set', '', '1'],
    ]) {
      expect((await world().run(['channel', 'tag', ...words])).exitCode).toBe(2)
    }
  })

  test('fix repairs abilities, and prints the number of wrong ones', async () => {
    const { id } = await channel('broken')
    await world().inside(({ db }) => db.transaction((trx) => trx('abilities').where({ channel_id: id }).delete()))
    const { total } = await world().json('channel', 'list', '--limit', '1')
    expect(await world().json('channel', 'fix')).toEqual({ channels: total, repaired: 1 })
    expect((await world().run(['channel', 'fix'])).stderr).toBe(`Checked ${total} channels, repaired 0.`)
  })

  test('types and presets list the built-in ones', async () => {
    const types = await world().json('channel', 'types', '--hidden')
    expect(types).toHaveLength(CHANNEL_TYPES.length)
    expect((await world().run(['channel', 'types', '--columns', 'type,word,key'])).stdout).toMatch(/^ +33 {2}aws +\S/m)
    const { stdout: help } = await world().run(['channel', 'add', '--help'])
    for (const { slug, type, hidden } of CHANNEL_TYPES) {
      expect([slug, help.includes(`${slug} (${type})`)]).toEqual([slug, !hidden])
    }
    const [deepseek] = await world().json('channel', 'presets', 'deepseek')
    expect(deepseek).toMatchObject({ type: 43, models: expect.stringContaining('deepseek-chat') })
    expect(await world().json('channel', 'presets', '--owners')).toContainEqual({ id: 'gpt-4o', owner: 'openai' })
    expect((await world().run(['channel', 'presets', 'no-such-type'])).exitCode).toBe(2)
  })

  test('health lists problems, and the history of one channel', async () => {
    const [well, lost] = [await channel('well'), await channel('lost')]
    await world().inside(async ({ db, channels, ledger }, root) => {
      await channels.disableAutomatically(root, lost.id, 'status code 401: Incorrect API key')
      await ledger.start()
      const what = { channel_id: well.id, scope: 'model', subject: 'gpt-4o (openai-chat)', class: 'server' }
      const circuit = {
        ...what,
        state: 'open',
        reason: 'status code 500',
        since: 1_700_000_000,
        retry_at: 4_000_000_000,
      }
      // A process that goes on, for all that the command can see.
      await db.transaction(async (trx) => {
        await trx('nodes').insert({ id: 'another', started_at: 0, seen_at: 9_000_000_000 })
        await trx('channel_circuits').insert({ node_id: 'another', ...circuit })
      })
    })
    const { stdout } = await world().run(['channel', 'health'])
    expect(stdout).toMatch(/^\d+ lost +auto-disabled +- +\S+Z +- +status code 401: Incorrect API key$/m)
    expect(stdout).toMatch(
      /^\d+ well +open \(server\) +model gpt-4o \(openai-chat\) +2023-11-14T22:13:20\S*Z +2096\S+Z +status code 500$/m,
    )
    const one = await world().run(['channel', 'health', String(lost.id)])
    expect(one.stdout).toMatch(/disabled +channel +automatic +status code 401: Incorrect API key$/m)
    expect(await world().json('channel', 'health', String(lost.id))).toMatchObject({ healthy: false })
    expect((await world().run(['channel', 'health', '99999'])).exitCode).toBe(3)
  })

  test('prune asks for confirmation, and deletes all disabled channels', async () => {
    await channel('off')
    const id = (await world().json('channel', 'list', '--search', 'off')).items[0].id
    await world().json('channel', 'disable', String(id))
    expect(await world().run(['channel', 'prune'])).toMatchObject({ exitCode: 2, stdout: '' })
    expect(await names('--search', 'off')).toEqual(['off'])
    const { deleted } = await world().json('channel', 'prune', '--yes')
    expect(deleted).toBeGreaterThan(0)
    expect(await names('--status', 'disabled')).toEqual([])
    expect(await world().json('channel', 'prune')).toEqual({ deleted: 0 })
  })

  test('exported files contain no key', async () => {
    await channel('=exported', { key: 'sk-exported' })
    await world().run(['channel', 'list', '--all', '--output', 'channels.csv'])
    const text = readFileSync(join(world().folder, 'channels.csv'), 'utf8')
    expect(text).toContain("'=exported")
    expect(text).not.toContain('sk-')
  })
})
