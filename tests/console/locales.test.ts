import { expect, test } from 'vitest'
import { en } from '../../console/locales/en.ts'
import { zh } from '../../console/locales/zh.ts'

type Texts = { [key: string]: string | Texts }

/** `{ login: { title: 'Log in' } }` → `[['login.title', 'Log in']]` */
function flat(texts: Texts, prefix = ''): [key: string, text: string][] {
  return Object.entries(texts).flatMap(([key, value]) =>
    typeof value === 'string' ? [[prefix + key, value]] : flat(value, `${prefix}${key}.`),
  )
}

const placeholders = (text: string) => [...text.matchAll(/{{\w+}}/g)].map(([name]) => name).sort()
const chinese = new Map(flat(zh))
const english = new Map(flat(en))

test('both languages have exactly the same keys', () => {
  expect([...english.keys()].sort()).toEqual([...chinese.keys()].sort())
})

test('no text is empty', () => {
  const empty = [...chinese, ...english].filter(([, text]) => text.trim() === '')
  expect(empty).toEqual([])
})

test('a text takes the same values in both languages', () => {
  for (const [key, text] of chinese) expect(placeholders(english.get(key) ?? ''), key).toEqual(placeholders(text))
})

test('no English text has Chinese left in it', () => {
  const mixed = [...english].filter(([, text]) => /\p{Script=Han}/u.test(text))
  expect(mixed).toEqual([])
})
