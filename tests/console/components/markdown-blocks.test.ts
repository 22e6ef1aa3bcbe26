import { describe, expect, test } from 'vitest'
import { markdownBlocks } from '../../../console/components/markdown-blocks.ts'

describe('Markdown is split', () => {
  test('at empty lines', () => {
    expect(markdownBlocks('# Title\n\nOne\nline\n\nTwo')).toEqual(['# Title\n', 'One\nline\n', 'Two'])
  })

  test('not inside code, nor by a shorter or another fence within it', () => {
    const code = '````md\n```\na\n\nb\n```\n~~~~\n\nc\n````\n'
    expect(markdownBlocks(`${code}\nAfter`)).toEqual([code, 'After'])
  })

  test('not inside code that is still streaming', () => {
    expect(markdownBlocks('Look:\n\n```js\na()\n\nb()')).toEqual(['Look:\n', '```js\na()\n\nb()'])
  })

  test('not between list items, nor before the content of an item', () => {
    const list = '1. one\n\n   more\n\n2. two\n\n- three\n'
    expect(markdownBlocks(`${list}\nAfter`)).toEqual([list, 'After'])
  })

  test.each([
    '<details>\n\nhidden\n\n</details>',
    'See [it].\n\n[it]: https://example.org',
    'A note[^1]\n\n[^1]: here',
  ])('not between dependent parts: %j', (text) => {
    expect(markdownBlocks(text)).toEqual([text])
  })

  test('without losing text', () => {
    const text = 'a\n\n\n\nb\n- c\n\n```\n\n```\n\nd\n'
    expect(markdownBlocks(text).join('\n')).toBe(text)
  })

  test('with stable parts before the last while the text grows', () => {
    const text = 'One.\n\n```js\na()\n\nb()\n```\n\n- x\n- y\n\nTwo'
    for (let length = 1; length < text.length; length += 1) {
      const before = markdownBlocks(text.slice(0, length)).slice(0, -1)
      const after = markdownBlocks(text.slice(0, length + 1))
      expect(after.slice(0, before.length)).toEqual(before)
    }
  })
})
