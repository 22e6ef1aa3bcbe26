import { Readable } from 'node:stream'
import { describe, expect, test } from 'vitest'
import type { Family } from '../../../../core/channels/types/types.ts'
import { CHANNEL_TYPES } from '../../../../core/channels/types/types.ts'
import { askFor } from '../../../support/ask.ts'
import { conversationOf, planned } from '../../../support/plan.ts'

/** Families whose channels are asked here; others have tests of their own, with keys and regions that mean something. */
const ASKED = new Set<Family>(['openai', 'azure', 'ollama', 'cloudflare'])
const ROWS = CHANNEL_TYPES.filter(({ family }) => family && ASKED.has(family))

const FILE = {
  field: 'file',
  filename: 'a',
  mime: 'audio/wav',
  bytes: 1,
  open: () => Readable.from([Buffer.from('x')]),
}
const FORMS = new Set(['transcriptions', 'translations', 'image-edits', 'image-variations'])
const channel = { other: 'v-or-account' }
const body = {
  model: 'm',
  input: 'x',
  prompt: 'p',
  query: 'q',
  documents: ['d'],
  messages: [{ role: 'user', content: 'hi' }],
}

function expectAddress(url: string): void {
  const { protocol, pathname } = new URL(url)
  expect(protocol).toMatch(/^(http|ws)s?:$/)
  expect(pathname).not.toMatch(/\/\/|undefined|\{/)
}

describe.each(ROWS)('type $type, $name', (row) => {
  test.each(row.operations.filter((operation) => operation !== 'chat'))('serves %s', async (operation) => {
    const upload = FORMS.has(operation) ? { upload: { files: [FILE], fields: [] } } : {}
    const { url, headers, plan } = await planned(row.type, { operation, model: 'm', body, ...upload }, { channel })
    expectAddress(url)
    expect(JSON.stringify(headers)).toContain('sk-channel-key')
    expect(plan.native).toBe(true)
  })

  const dialects = ['openai-chat', 'openai-completions', 'openai-responses', 'anthropic-messages', 'gemini'] as const
  test.each(row.operations.includes('chat') ? dialects : [])('serves conversations of %s clients', async (dialect) => {
    const ask = askFor({ dialect, model: 'm', body, conversation: conversationOf() })
    const { url, plan } = await planned(row.type, { ...ask, conversation: conversationOf() }, { channel })
    expectAddress(url)
    expect(plan.native).toBe(row.dialects.includes(dialect) && row.quirks?.reply?.isRebuilt !== true)
    expect(plan.reader).toBeDefined()
  })

  test('has an address, or requires one', () => {
    expect(row.baseUrl === '').toBe(row.baseUrlRequired ?? false)
    expect(row.presets?.every((model) => row.models.includes(model)) ?? true).toBe(true)
  })
})
