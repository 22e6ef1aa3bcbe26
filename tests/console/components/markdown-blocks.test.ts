import { describe, expect, test } from 'vitest'
import { markdownBlocks } from '../../../console/components/markdown-blocks.ts'

describe('Markdown is divided', () => {
  test('at empty lines', () => {
    expect(markdownBlocks('# Title\n\nOne\nline\n\nTwo')).toEqual(['# Title\n', 'One\nline\n', 'Two'])
  })

  test('not inside of code, nor by a shorter or another fence within it', () => {
    const code = '````md\n```\na\n\nb\n```\n~~~~\n\nc\n````\n'
    expect(markdownBlocks(`${code}\nAfter`)).toEqual([code, 'After'])
  })

  test('not inside of code that is still being written', () => {
    expect(markdownBlocks('Look:\n\n```js\na()\n\nb()')).toEqual(['Look:\n', '```js\na()\n\nb()'])
  })

  test('not between the items of a list, nor before what belongs to an item', () => {
    const list = '1. one\n\n   more\n\n2. two\n\n- three\n'
    expect(markdownBlocks(`${list}\nAfter`)).toEqual([list, 'After'])
  })

  test.each([
    '<details>\n\nhidden\n\n</details>',
    'See [it].\n\n[it]: https://example.org',
    'A note[^1]\n\n[^1]: here',
  ])('not where parts need each other: %j', (text) => {
    expect(markdownBlocks(text)).toEqual([text])
  })

  test('so that nothing is lost', () => {
    const text = 'a\n\n\n\nb\n- c\n\n```\n\n```\n\nd\n'
    expect(markdownBlocks(text).join('\n')).toBe(text)
  })

  test('so that the parts before the last stay the same while the text grows', () => {
    const text = 'One.\n\n```js\na()\n\nb()\n```\n\n- x\n- y\n\nTwo'
    for (let length = 1; length < text.length; length += 1) {
      const before = markdownBlocks(text.slice(0, length)).slice(0, -1)
      const after = markdownBlocks(text.slice(0, length + 1))
      expect(after.slice(0, before.length)).toEqual(before)
    }
  })
})
