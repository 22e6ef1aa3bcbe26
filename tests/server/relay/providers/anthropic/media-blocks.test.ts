import { describe, expect, test } from 'vitest'
import type { FilePart, Media } from '../../../../../server/relay/conversation/conversation.ts'
import { fileBlock, imageBlock } from '../../../../../server/relay/providers/anthropic/media-blocks.ts'

const PNG = 'iVBORw0KGgoAAA'

describe('an image', () => {
  test.each<[string, Media, object]>([
    ['in base64', { data: PNG, mime: 'image/png' }, { type: 'base64', media_type: 'image/png', data: PNG }],
    ['as a data URL', { url: `data:image/png;base64,${PNG}` }, { type: 'base64', media_type: 'image/png', data: PNG }],
    [
      'of another type than it says',
      { data: PNG, mime: 'image/jpg' },
      { type: 'base64', media_type: 'image/png', data: PNG },
    ],
    ['on the web', { url: 'https://a.example/b.png' }, { type: 'url', url: 'https://a.example/b.png' }],
  ])('%s', (_, media, source) => {
    expect(imageBlock({ media }, 'url')).toEqual({ type: 'image', source })
  })

  test.each<[string, Media]>([
    ['of a kind that Claude does not read', { data: 'Qk0AAAA', mime: 'image/bmp' }],
    ["in another vendor's store", { url: 'gs://bucket/a.png' }],
  ])('%s is rejected by name', (_, media) => {
    expect(() => imageBlock({ media }, 'url')).toThrow(expect.objectContaining({ code: 'REQUEST_MALFORMED' }))
  })

  test('on the web is rejected if the upstream reads no URLs', () => {
    expect(() => imageBlock({ media: { url: 'https://a.example/b.png' } }, 'base64')).toThrow(
      expect.objectContaining({ code: 'REQUEST_MALFORMED' }),
    )
  })

  test('keeps its cache mark', () => {
    const cache = { type: 'ephemeral' }
    expect(imageBlock({ media: { data: PNG, mime: 'image/png' }, cache }, 'url')).toMatchObject({
      cache_control: cache,
    })
  })
})

describe('a file', () => {
  const text = Buffer.from('Grüße').toString('base64')
  test.each<[string, FilePart['media'], object]>([
    [
      'PDF',
      { data: 'JVBERi0x', mime: 'application/pdf' },
      { type: 'base64', media_type: 'application/pdf', data: 'JVBERi0x' },
    ],
    ['PDF on the web', { url: 'https://a.example/b.pdf' }, { type: 'url', url: 'https://a.example/b.pdf' }],
    ['text', { text: 'Hi' }, { type: 'text', media_type: 'text/plain', data: 'Hi' }],
    [
      'text in base64',
      { data: text, mime: 'text/markdown' },
      { type: 'text', media_type: 'text/plain', data: 'Grüße' },
    ],
    ['JSON', { data: text, mime: 'application/json' }, { type: 'text', media_type: 'text/plain', data: 'Grüße' }],
    ['uploaded to Anthropic', { id: 'file_011' }, { type: 'file', file_id: 'file_011' }],
  ])('%s is a document', (_, media, source) => {
    expect(fileBlock({ kind: 'file', media, name: 'a' }, 'url')).toEqual({ type: 'document', source, title: 'a' })
  })

  test('that is an image is sent as an image', () => {
    expect(fileBlock({ kind: 'file', media: { data: PNG, mime: 'image/png' } }, 'url')).toMatchObject({ type: 'image' })
  })

  test.each<[string, FilePart['media']]>([
    ['uploaded elsewhere', { id: 'file-abc' }],
    ['of a kind that Claude does not read', { data: 'UEsDBA', mime: 'application/zip' }],
  ])('%s is rejected', (_, media) => {
    expect(() => fileBlock({ kind: 'file', media }, 'url')).toThrow(
      expect.objectContaining({ code: 'REQUEST_MALFORMED' }),
    )
  })
})
