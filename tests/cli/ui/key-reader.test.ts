import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { createKeyReader } from '../../../cli/ui/key-reader.ts'

const namesOf = (...chunks: string[]) => {
  const reader = createKeyReader()
  return [...chunks.flatMap((chunk) => reader.read(chunk)), ...reader.flush()].map(({ name }) => name)
}

test.each([
  ['characters struck at once', ['dy'], ['d', 'y']],
  ['arrows, also with a modifier', ['\u001b[A\u001bOB\u001b[1;5C'], ['up', 'down', 'right']],
  ['a sequence in pieces', ['\u001b', '[', '6', '~'], ['page-down']],
  ['Backspace and Delete', ['\u007f\u001b[3~'], ['backspace', 'ctrl-d']],
  ['Esc alone, and twice', ['\u001b\u001b'], ['escape', 'escape']],
  ['line breaks of all kinds', ['\r\n\r\n'], ['enter', 'enter']],
  ['control characters', ['\u0003\u0013\t\u007f\u0000\u009b'], ['ctrl-c', 'ctrl-s', 'tab', 'backspace']],
  ['sequences that no key sends', ['\u001b[31m\u001b[[A\u001b[?1;2c\u001b[M\u001bOP'], []],
  ['Alt with a character', ['\u001bx\u001b😀'], []],
])('%s', (_, chunks, names) => {
  expect(namesOf(...chunks)).toEqual(names)
})

test('pasted text is one input and no keys, at any chunk boundary; line breaks are stored separately', () => {
  const input = '\u001b[200~one\r\ntwo\u001b[31m\u001b[201~d'
  for (let cut = 1; cut < input.length; cut += 1) {
    const reader = createKeyReader()
    const presses = [...reader.read(input.slice(0, cut)), ...reader.read(input.slice(cut))]
    const pasted = presses.filter(({ pasted }) => pasted !== undefined)
    expect(pasted.map(({ name }) => name).join('')).toBe('')
    expect(presses.filter(({ pasted }) => pasted === undefined)).toEqual([{ name: 'd', text: 'd' }])
    expect(pasted.map(({ pasted = '' }) => pasted.replace(/\r?\n/g, '|')).join('')).toMatch(/^one\|+two/)
  }
})

test('an unterminated paste does not block input', () => {
  expect(namesOf('\u001b[200~rm', '\u0003', 'q')).toEqual(['', 'ctrl-c', 'q'])
})

test('any input is accepted, and a following key still works', () => {
  for (let i = 0; i < 2000; i += 1) {
    const noise = randomBytes(40)
      .toString('latin1')
      .replace(/[\u0080-\u00ff]/g, '\u001b[')
    const reader = createKeyReader()
    reader.read(noise)
    reader.flush()
    reader.read('\u001b[201~')
    reader.flush()
    expect(reader.read('q'), JSON.stringify(noise)).toEqual([{ name: 'q', text: 'q' }])
  }
})
