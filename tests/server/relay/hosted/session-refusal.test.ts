import { expect, test } from 'vitest'
import { poolOf } from '../../../../core/channels/routing/routing.ts'
import { parseSettings } from '../../../../core/channels/settings/settings.ts'
import { TOOL_PRICES, toolPrice } from '../../../../core/pricing/tool-prices.ts'
import { hostedRefusal } from '../../../../server/relay/hosted/session-refusal.ts'
import { liveChannel } from '../../../support/ask.ts'

const pricing = {
  toolPrice: (tool: string, seller: { models: readonly string[]; slug: string }) =>
    toolPrice(TOOL_PRICES, tool, seller),
}
const refusal = (event: Record<string, unknown>, setting: string | null = null) =>
  hostedRefusal(
    event,
    { model: 'gpt-realtime', channels: poolOf([liveChannel(1, { settings: parseSettings(setting) })]) },
    pricing,
  )?.code

test.each([
  ['a stored prompt', { type: 'session.update', session: { prompt: { id: 'pmpt_1' } } }, 'STORED_OBJECT_NOT_FOUND'],
  ['one under a key in capitals', { Session: { Prompt: { ID: 'pmpt_1' } } }, 'STORED_OBJECT_NOT_FOUND'],
  ['a file', { item: { content: [{ type: 'input_image', file_id: 'file_1' }] } }, 'STORED_OBJECT_NOT_FOUND'],
  ['a tool that costs', { session: { tools: [{ type: 'web_search' }] } }, 'TOOL_NOT_PRICED'],
  ['an unknown tool', { response: { tools: [{ type: 'teleport' }] } }, 'TOOL_NOT_PRICED'],
  ['a tool that is free', { session: { tools: [{ type: 'mcp', server_url: 'https://a.example' }] } }, undefined],
  ['a function', { session: { tools: [{ type: 'function', name: 'f', parameters: {} }] } }, undefined],
  ['a response in this conversation', { type: 'response.create', response: { conversation: 'auto' } }, undefined],
])('a session event with %s', (_, event, code) => expect(refusal(event)).toBe(code))

test('an event may reference objects shared by the channel', () => {
  expect(refusal({ session: { prompt: { id: 'pmpt_1' } } }, '{"shared_objects":true}')).toBeUndefined()
})
