import { createInstance } from 'i18next'
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
/** What English says of one thing alone, beside what it says of several. */
const ofOne = [...english.keys()].filter((key) => key.endsWith('_one'))

test('both languages have exactly the same keys, but for English texts of one thing', () => {
  const keys = [...english.keys()].filter((key) => !ofOne.includes(key))
  expect(keys.sort()).toEqual([...chinese.keys()].sort())
})

test('an English text of one thing stands beside one of several, and takes the same values', () => {
  for (const key of ofOne) {
    const several = english.get(key.replace(/_one$/, ''))
    expect(several, key).toContain('{{count}}')
    expect(placeholders(english.get(key) ?? ''), key).toEqual(placeholders(several ?? ''))
  }
})

test('English tells one thing from several', async () => {
  const english = createInstance()
  await english.init({ lng: 'en', resources: { en: { translation: en } } })
  expect([1, 2].map((count) => english.t('operation.cleared', { count }))).toEqual([
    '1 log entry cleared!',
    '2 log entries cleared!',
  ])
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
