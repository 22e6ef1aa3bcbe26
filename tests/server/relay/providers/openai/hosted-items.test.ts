import { describe, expect, test } from 'vitest'
import { createHostedItems } from '../../../../../server/relay/providers/openai/hosted-items.ts'

const search = (more: object = {}) => ({ id: 'ws_1', type: 'web_search_call', ...more })

describe('the items of a response', () => {
  test('are counted at their first event, once each', () => {
    const items = createHostedItems()
    expect(items.begun(search(), 0)).toEqual([{ kind: 'hosted', tool: 'web_search', calls: 1 }])
    expect(items.begun(search({ id: 'ws_2' }), 1)).toEqual([{ kind: 'hosted', tool: 'web_search', calls: 2 }])
    expect(items.done(search(), 0)).toContainEqual({ kind: 'hosted', tool: 'web_search', calls: 2 })
  })

  test.each([
    ['failed', { status: 'failed' }],
    ['only opened a page', { action: { type: 'open_page' } }],
  ])('are not counted if one %s', (_, end) => {
    const items = createHostedItems()
    items.begun(search(), 0)
    expect(items.done(search(end), 0)).toContainEqual({ kind: 'hosted', tool: 'web_search', calls: 0 })
  })

  test('recount pictures after their quality is known', () => {
    const items = createHostedItems()
    items.begun({ type: 'image_generation_call' }, 0)
    const done = items.done({ type: 'image_generation_call', quality: 'low', size: '1024x1024' }, 0)
    expect(done).toEqual([
      { kind: 'hosted', tool: 'image_generation', calls: 0 },
      { kind: 'hosted', tool: 'image_generation/low/1024x1024', calls: 1 },
    ])
  })

  test('count containers, not their contents', () => {
    const items = createHostedItems()
    const code = (container_id: string) => ({ type: 'code_interpreter_call', container_id })
    items.begun(code('a'), 0)
    items.begun(code('a'), 1)
    expect(items.begun(code('b'), 2)).toEqual([{ kind: 'hosted', tool: 'code_interpreter', calls: 2 }])
  })

  test('exclude tools run by the client', () => {
    const items = createHostedItems()
    for (const type of ['function_call', 'custom_tool_call', 'local_shell_call', 'computer_call', 'message']) {
      expect(items.begun({ type }, 0)).toEqual([])
    }
  })

  test('are stored unless the response says no, and reported once', () => {
    const items = createHostedItems()
    expect(items.response({ id: 'resp_1' })).toEqual([{ kind: 'stored', object: { kind: 'response', id: 'resp_1' } }])
    const item = { id: 'msg_1', type: 'message' }
    expect(items.done(item, 0)).toEqual([{ kind: 'stored', object: { kind: 'item', id: 'msg_1' } }])
    expect(items.done(item, 0)).toEqual([])
    const unstored = createHostedItems()
    expect([...unstored.response({ id: 'resp_1', store: false }), ...unstored.done(item, 0)]).toEqual([])
  })
})
