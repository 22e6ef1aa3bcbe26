import type { TFunction } from 'i18next'
import { describe, expect, test } from 'vitest'
import { allChatLinks, chatAddress, readChatLinks } from '../../console/chat-links.ts'

const mine = { address: 'https://gateway.test:3000', key: 'sk-abc' }

describe('the address of a chat application', () => {
  test('has the key, and the server address, URL-encoded', () => {
    expect(chatAddress('opencat://team/join?domain={address}&token={key}', mine)).toBe(
      'opencat://team/join?domain=https%3A%2F%2Fgateway.test%3A3000&token=sk-abc',
    )
  })

  test('replaces every placeholder of the template', () => {
    expect(chatAddress('https://chat.test/?a={key}&b={key}&c={address}&d={address}/v1', mine)).toBe(
      'https://chat.test/?a=sk-abc&b=sk-abc&c=https%3A%2F%2Fgateway.test%3A3000&d=https%3A%2F%2Fgateway.test%3A3000/v1',
    )
  })

  test('carries settings in JSON', () => {
    const filled = chatAddress('https://chat.test/#/?settings={"key":"{key}","url":"{address}"}', mine) ?? ''
    const settings = JSON.parse(decodeURIComponent(filled.slice(filled.indexOf('=') + 1)))
    expect(settings).toEqual({ key: 'sk-abc', url: 'https://gateway.test:3000' })
  })

  test.each(['', 'chat', '/chat?key={key}', 'https://', 'javascript:alert("{key}")', 'data:text/html,{key}'])(
    'is undefined if the template is %j',
    (template) => {
      expect(chatAddress(template, mine)).toBeUndefined()
    },
  )
})

describe('the configured applications', () => {
  test('keep their order', () => {
    const chats = [{ B: 'https://b.test/{key}' }, { A: 'https://a.test/{key}' }]
    expect(readChatLinks(chats)).toEqual([
      { name: 'B', template: 'https://b.test/{key}' },
      { name: 'A', template: 'https://a.test/{key}' },
    ])
  })

  test.each([
    undefined,
    'text',
    {},
    ['text'],
    [null],
    [{}],
    [{ A: 1 }],
    [{ A: 'https://a.test', B: 'https://b.test' }],
  ])('cannot be read from %j', (chats) => {
    expect(readChatLinks(chats)).toBeUndefined()
    expect(allChatLinks({ chats, chat_link: 'https://old.test', chat_link2: '' })).toBeUndefined()
  })

  test('have built-in names in the reader’s language, and others unchanged', () => {
    const settings = { chats: [{ 'AMA 问天': 'ama://{key}' }, { 问: 'https://a.test' }], chat_link: '', chat_link2: '' }
    const names = (t?: TFunction) => allChatLinks(settings, t)?.map(({ name }) => name)
    expect(names(((key: string) => `(${key})`) as TFunction)).toEqual(['(chatLink.ama)', '问'])
    expect(names()).toEqual(['AMA 问天', '问'])
  })

  test('are followed by those of the older settings', () => {
    const chats = [{ A: 'https://a.test/{key}' }]
    const links = allChatLinks({ chats, chat_link: 'https://old.test/', chat_link2: 'https://own.test/?k={key}' })
    expect(links?.map(({ name }) => name)).toEqual(['A', 'old.test', 'own.test'])
    expect(links?.map(({ template }) => chatAddress(template, mine))).toEqual([
      'https://a.test/sk-abc',
      'https://old.test/#/?settings={%22key%22:%22sk-abc%22,%22url%22:%22https%3A%2F%2Fgateway.test%3A3000%22}',
      'https://own.test/?k=sk-abc',
    ])
  })
})
