import { describe, expect, test } from 'vitest'
import { CHANNEL_TYPES } from '../../../core/channels/types/types.ts'
import { UNSERVED_KINDS } from '../../../core/channels/types/unserved-types.ts'
import { openApi } from '../../support/api.ts'
import { reused } from '../../support/reused.ts'

const openGateway = reused()

const PRESET_KEYS = '1 4 11 14 15 16 17 18 23 24 26 27 33 34 37 38 39 40 41 42 43 44 45 46'.split(' ')
const OWNERS = [
  'openai',
  'claude',
  'google palm',
  'baidu',
  'zhipu',
  'ali',
  'xunfei',
  'tencent',
  'google gemini',
  'zhipu_4v',
  'ollama',
  'perplexity',
  'aws',
  'cohere',
  'jina',
  'cloudflare',
  'siliconflow',
  'vertex-ai',
  'mistral',
  'deepseek',
  'mokaai',
  'volcengine',
  'ai360',
  'moonshot',
  'lingyiwanwu',
  'minimax',
  'midjourney',
]

async function open() {
  const fixture = await openGateway()
  const api = openApi(fixture)
  return {
    ...fixture,
    admin: await api.as(await fixture.user({ role: 10 })),
    person: await api.as(await fixture.user()),
  }
}

describe('GET /api/models', () => {
  test('returns the documented built-in names by kind, to any user', async () => {
    const { person } = await open()
    const { body } = await person.get('/api/models')

    expect(Object.keys(body)).toEqual(['success', 'data'])
    expect(Object.keys(body.data)).toEqual(PRESET_KEYS)
    const count = (kind: string) => body.data[kind].length
    expect(PRESET_KEYS.map(count)).toEqual([
      62, 1, 1, 10, 16, 4, 5, 6, 4, 11, 11, 7, 9, 14, 0, 2, 33, 40, 22, 6, 2, 3, 7, 23,
    ])
    expect(body.data['43']).toEqual(['deepseek-chat', 'deepseek-reasoner'])
    expect(body.data['41']).toEqual(['meta/llama3-405b-instruct-maas', ...body.data['14'], ...body.data['24']])
    expect(body.data['1'].slice(30, 32)).toEqual(['o3-mini-high', 'o3-mini-2025-01-31-high'])
  })
})

describe('GET /api/channel/models', () => {
  test('returns every built-in name, by kind, followed by the drawing actions', async () => {
    const { admin } = await open()
    const { body } = await admin.get('/api/channel/models')

    expect(Object.keys(body)).toEqual(['success', 'data'])
    expect(body.data[0]).toEqual({
      id: 'gpt-3.5-turbo',
      object: 'model',
      created: 1626777600,
      owned_by: 'openai',
      root: 'gpt-3.5-turbo',
      parent: null,
      permission: [
        {
          id: expect.stringMatching(/^modelperm-/),
          object: 'model_permission',
          created: 1626777600,
          allow_create_engine: true,
          allow_sampling: true,
          allow_logprobs: true,
          allow_search_indices: false,
          allow_view: true,
          allow_fine_tuning: false,
          organization: '*',
          group: null,
          is_blocking: false,
        },
      ],
    })
    const owners: string[] = body.data.map(({ owned_by }: { owned_by: string }) => owned_by)
    expect([...new Set(owners)]).toEqual(OWNERS)
    const of = (owner: string) =>
      body.data.filter((model: { owned_by: string }) => model.owned_by === owner).map(({ id }: { id: string }) => id)
    expect(of('moonshot')).toEqual(['moonshot-v1-8k', 'moonshot-v1-32k', 'moonshot-v1-128k'])
    expect(of('minimax')).toEqual(['abab6.5-chat', 'abab6.5s-chat', 'abab6-chat', 'abab5.5-chat', 'abab5.5s-chat'])
    expect(of('midjourney')).toHaveLength(16)
    expect(body.data).toHaveLength(299 + 8 + 3 + 9 + 5 + 16)
  })
})

describe('GET /api/user/models', () => {
  test('returns each model once that an enabled channel serves for a group available to the caller', async () => {
    const { person, admin, channel, toolkit, root, user, url } = await open()
    expect((await person.get('/api/user/models')).body).toEqual({ success: true, message: '', data: [] })

    await channel({ models: 'b,a' })
    await channel({ models: 'a,c', group: 'vip' })
    await channel({ models: 'hidden', group: 'inner' })
    const off = await channel({ models: 'off' })
    await toolkit.channels.setStatus(root, off.id, 2)
    for (const client of [person, admin]) {
      expect((await client.get('/api/user/models')).body.data).toEqual(['a', 'b', 'c'])
    }
    await toolkit.options.set(root, 'UserUsableGroups', '{"default":"x"}')
    expect((await person.get('/api/user/models')).body.data).toEqual(['a', 'b'])
    const insider = await openApi({ url, toolkit }).as(await user({ group: 'inner' }))
    expect((await insider.get('/api/user/models')).body.data).toEqual(['a', 'b', 'hidden'])
  })
})

describe('GET /api/channel/types', () => {
  test('returns every kind with its channel fields, in the requested language', async () => {
    const { admin } = await open()
    const { data } = (await admin.get('/api/channel/types')).body
    const of = (type: number) => data.find((kind: { type: number }) => kind.type === type)

    expect(data.map(({ type }: { type: number }) => type)).toEqual(
      [...CHANNEL_TYPES, ...UNSERVED_KINDS].map(({ type }) => type).sort((a, b) => a - b),
    )
    expect(of(41)).toMatchObject({
      name: 'Vertex AI',
      key_format: '服务账号的完整 JSON 密钥，或快速模式的 API Key',
      key_document: true,
      other_name: '部署地区',
      other_required: true,
      base_url_required: false,
      model_list: false,
      retired: '',
      offered: true,
    })
    expect(of(3)).toMatchObject({ base_url_name: 'AZURE_OPENAI_ENDPOINT', base_url_required: true })
    expect(of(36).models).toEqual(['suno_music', 'suno_lyrics'])
    expect(of(11)).toMatchObject({ retired: expect.stringContaining('Google 已关闭'), offered: false })
    const english = (await admin.get('/api/channel/types', { 'accept-language': 'en' })).body.data
    expect(english.find(({ type }: { type: number }) => type === 41).other_name).toBe('region')
    expect(english.filter(({ name }: { name: string }) => /[^\x20-\x7e]/.test(name))).toEqual([])
    expect([of(15).name, of(44).name]).toEqual(['百度文心千帆', '嵌入模型：MokaAI M3E'])
  })

  test('contains no English in Chinese', async () => {
    const { admin } = await open()
    const { data } = (await admin.get('/api/channel/types')).body
    const words = data.flatMap((kind: Record<string, string>) => [
      kind.key_format,
      kind.other_name,
      kind.other,
      kind.retired,
    ])

    expect(words.filter((text: string) => /\b(a|an|the|of|and|its|key|token|such|for)\b| or /.test(text))).toEqual([])
  })
})
