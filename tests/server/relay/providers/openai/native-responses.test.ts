import { describe, expect, test } from 'vitest'
import type { ReplyEvent } from '../../../../../server/relay/conversation/conversation.ts'
import { openaiResponses } from '../../../../../server/relay/dialects/openai-responses/dialect.ts'
import { withoutForeignThoughts } from '../../../../../server/relay/providers/openai/native-responses.ts'
import { encodeReasoning } from '../../../../../server/relay/providers/openai/responses-reasoning.ts'
import { writtenWhole } from '../../../../support/reply-context.ts'

const WORDS: ReplyEvent = { kind: 'text', text: 'So.' }
const THOUGHT: ReplyEvent = { kind: 'reasoning', text: 'hm' }
/** What a client sends back of a reply that was translated for it. */
const outputOf = (...events: ReplyEvent[]) => writtenWhole(openaiResponses, events).output as Record<string, unknown>[]

describe('a native request', () => {
  test('is the same object if all of it is the upstream’s', () => {
    const id = `rs_${'0a1b2c3d'.repeat(6)}`
    const input = [
      { role: 'user', content: 'hello' },
      { type: 'reasoning', id, summary: [], encrypted_content: 'gAAAAAB' },
      { type: 'reasoning', id, summary: [] },
    ]
    const body = { model: 'm', input }
    expect(withoutForeignThoughts(body)).toBe(body)
    expect(withoutForeignThoughts({ input: 'hello' })).toEqual({ input: 'hello' })
  })

  test.each([
    ['without a signature', outputOf(THOUGHT, WORDS)],
    ['with another vendor’s', outputOf(THOUGHT, { kind: 'signature', signature: 'c2ln' }, WORDS)],
    ['encrypted by another', outputOf({ kind: 'redacted', data: 'c2Vj' }, WORDS)],
  ])('has no reasoning of other upstreams, %s', (_name, input) => {
    expect(input).toHaveLength(2)
    expect(withoutForeignThoughts({ model: 'm', input })).toEqual({ model: 'm', input: [input[1]] })
  })

  test('has the upstream’s own reasoning unchanged', () => {
    const input = outputOf(THOUGHT, { kind: 'signature', signature: encodeReasoning('rs_theirs', 'gAAAAAB') }, WORDS)
    expect(withoutForeignThoughts({ input }).input).toEqual([
      {
        type: 'reasoning',
        id: 'rs_theirs',
        summary: [{ type: 'summary_text', text: 'hm' }],
        encrypted_content: 'gAAAAAB',
      },
      input[1],
    ])
  })
})
